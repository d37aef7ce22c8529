/* NSS: message digests, HMAC and HKDF.
 *
 * A digest and a MAC start anew on one context, as libssl's do; a MAC keeps its key. HKDF is one derivation from a key
 * object, whose bytes are then read.
 */

#include "nss_operation.h"

static const struct hash {
    const char *algorithm;
    SECOidTag digest;
    CK_MECHANISM_TYPE mechanism; /* the MAC, or the hash of HKDF */
} hashes[] = {
    {"md5", SEC_OID_MD5, CKM_MD5},
    {"sha1", SEC_OID_SHA1, CKM_SHA_1},
    {"sha256", SEC_OID_SHA256, CKM_SHA256},
    {"sha384", SEC_OID_SHA384, CKM_SHA384},
    {"sha512", SEC_OID_SHA512, CKM_SHA512},
    {"hmac-sha1", 0, CKM_SHA_1_HMAC},
    {"hmac-sha256", 0, CKM_SHA256_HMAC},
    {"hmac-sha384", 0, CKM_SHA384_HMAC},
    {"hkdf-sha256", 0, CKM_SHA256},
    {"hkdf-sha384", 0, CKM_SHA384},
};

struct hash_operation {
    tlx_operation base;
    PK11Context *context;
    PK11SymKey *key;
};

static int has(tlx_operation *base) {
    return PK11_TokenExists(((const struct hash *)base->row)->mechanism)
           && (base->algorithm.form != TLX_HKDF || PK11_TokenExists(CKM_HKDF_DERIVE));
}

static int digest(tlx_operation *base) {
    PK11Context *context = ((struct hash_operation *)base)->context;
    unsigned length;
    return tlx_done(PK11_DigestBegin(context) == SECSuccess
                    && PK11_DigestOp(context, base->message, base->length) == SECSuccess
                    && PK11_DigestFinal(context, base->output, &length, base->output_length) == SECSuccess);
}

static int derive(tlx_operation *base) {
    CK_HKDF_PARAMS params = {
        .bExtract = CK_TRUE,
        .bExpand = CK_TRUE,
        .prfHashMechanism = ((const struct hash *)base->row)->mechanism,
        .ulSaltType = CKF_HKDF_SALT_DATA,
        .pSalt = base->mac_key,
        .ulSaltLen = base->output_length,
    };
    SECItem item = tlx_item(&params, sizeof params), *bytes;
    PK11SymKey *made = PK11_Derive(((struct hash_operation *)base)->key, CKM_HKDF_DERIVE, &item, CKM_HKDF_DERIVE,
                                   CKA_DERIVE, (int)base->output_length);
    int done = made != NULL && PK11_ExtractKeyValue(made) == SECSuccess;
    bytes = done ? PK11_GetKeyData(made) : NULL;
    done = bytes != NULL && bytes->len == base->output_length;
    if (done)
        memcpy(base->output, bytes->data, bytes->len);
    PK11_FreeSymKey(made);
    return tlx_done(done);
}

static int prepare(tlx_operation *base, const struct tlx_inputs *inputs) {
    struct hash_operation *op = (struct hash_operation *)base;
    const struct hash *hash = base->row;
    SECItem none = tlx_item(NULL, 0);
    base->once = base->algorithm.form == TLX_HKDF ? derive : digest;
    if (base->algorithm.form == TLX_HKDF) {
        op->key = tlx_import_key(CKM_HKDF_DERIVE, CKA_DERIVE, inputs->key.data, TLX_HKDF_KEY);
        return tlx_done(op->key != NULL);
    }
    if (base->algorithm.form == TLX_DIGEST) {
        op->context = PK11_CreateDigestContext(hash->digest);
        return tlx_done(op->context != NULL);
    }
    op->key = tlx_import_key(hash->mechanism, CKA_SIGN, inputs->mac_key.data, base->algorithm.mac_length);
    op->context = op->key ? PK11_CreateContextBySymKey(hash->mechanism, CKA_SIGN, op->key, &none) : NULL;
    return tlx_done(op->context != NULL);
}

static void release(tlx_operation *base) {
    struct hash_operation *op = (struct hash_operation *)base;
    if (op->context != NULL)
        PK11_DestroyContext(op->context, PR_TRUE);
    PK11_FreeSymKey(op->key);
}

const struct tlx_kind tlx_hash = {
    TLX_KIND(hashes, struct hash_operation), .has = has, .prepare = prepare, .release = release};

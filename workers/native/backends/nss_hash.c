/* NSS: message digests, HMAC and HKDF.
 *
 * A digest and a MAC start anew on one context, as libssl's do; a MAC keeps its key. HKDF is one derivation from a key
 * object, whose bytes are then read.
 */

#include "nss_backend.h"

static const struct hash {
    const char *algorithm;
    SECOidTag digest;
    CK_MECHANISM_TYPE mechanism, mac; /* mac: 0 where none is asked for */
} hashes[] = {
    {"md5", SEC_OID_MD5, CKM_MD5, 0},
    {"sha1", SEC_OID_SHA1, CKM_SHA_1, CKM_SHA_1_HMAC},
    {"sha256", SEC_OID_SHA256, CKM_SHA256, CKM_SHA256_HMAC},
    {"sha384", SEC_OID_SHA384, CKM_SHA384, CKM_SHA384_HMAC},
    {"sha512", SEC_OID_SHA512, CKM_SHA512, 0},
};

struct tlx_operation {
    struct tlx_operation_base;
    const struct hash *row;
    PK11Context *context;
    PK11SymKey *secret;
};

static int has(tlx_operation *op) {
    return PK11_TokenExists(op->algorithm.form == TLX_MAC ? op->row->mac : op->row->mechanism)
           && (op->algorithm.form != TLX_HKDF || PK11_TokenExists(CKM_HKDF_DERIVE));
}

static int digest(tlx_operation *op) {
    unsigned length;
    return tlx_done(PK11_DigestBegin(op->context) == SECSuccess
                    && PK11_DigestOp(op->context, op->message, op->length) == SECSuccess
                    && PK11_DigestFinal(op->context, op->output, &length, op->output_length) == SECSuccess);
}

static int derive(tlx_operation *op) {
    CK_HKDF_PARAMS params = {
        .bExtract = CK_TRUE,
        .bExpand = CK_TRUE,
        .prfHashMechanism = op->row->mechanism,
        .ulSaltType = CKF_HKDF_SALT_DATA,
        .pSalt = op->mac_key,
        .ulSaltLen = op->output_length,
    };
    SECItem item = tlx_item(&params, sizeof params), *bytes;
    PK11SymKey *made = PK11_Derive(op->secret, CKM_HKDF_DERIVE, &item, CKM_HKDF_DERIVE, CKA_DERIVE,
                                   (int)op->output_length);
    int done = made != NULL && PK11_ExtractKeyValue(made) == SECSuccess;
    bytes = done ? PK11_GetKeyData(made) : NULL;
    done = bytes != NULL && bytes->len == op->output_length;
    if (done)
        memcpy(op->output, bytes->data, bytes->len);
    PK11_FreeSymKey(made);
    return tlx_done(done);
}

static int prepare(tlx_operation *op, const struct tlx_inputs *inputs) {
    if (op->algorithm.form == TLX_HKDF) {
        op->secret = tlx_import_key(CKM_HKDF_DERIVE, CKA_DERIVE, op->key, TLX_HKDF_KEY);
        return tlx_done(op->secret != NULL);
    }
    op->context = op->algorithm.form == TLX_DIGEST ? PK11_CreateDigestContext(op->row->digest)
                                                   : tlx_context(op->row->mac, CKA_SIGN, op->mac_key,
                                                                 op->algorithm.mac_length, NULL, 0);
    return tlx_done(op->context != NULL);
}

static void release(tlx_operation *op) {
    if (op->context != NULL)
        PK11_DestroyContext(op->context, PR_TRUE);
    PK11_FreeSymKey(op->secret);
}

const struct tlx_kind tlx_hash = {TLX_KIND(hashes),
                                  .calls = {[TLX_DIGEST] = {digest}, [TLX_MAC] = {digest}, [TLX_HKDF] = {derive}},
                                  .has = has,
                                  .prepare = prepare,
                                  .release = release};

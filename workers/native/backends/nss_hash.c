/* NSS: message digests, HMAC and HKDF.
 *
 * A digest and a MAC start anew on one context, as libssl's do; a MAC keeps its key. HKDF is one derivation from a key
 * object, whose bytes are then read.
 */

#include "nss_operation.h"

enum kind { DIGEST, MAC, HKDF };

static const struct hash {
    const char *algorithm;
    enum kind kind;
    SECOidTag digest;
    CK_MECHANISM_TYPE mechanism; /* the MAC, or the hash of HKDF */
    unsigned length;
} hashes[] = {
    {"md5", DIGEST, SEC_OID_MD5, CKM_MD5, 16},
    {"sha1", DIGEST, SEC_OID_SHA1, CKM_SHA_1, 20},
    {"sha256", DIGEST, SEC_OID_SHA256, CKM_SHA256, 32},
    {"sha384", DIGEST, SEC_OID_SHA384, CKM_SHA384, 48},
    {"sha512", DIGEST, SEC_OID_SHA512, CKM_SHA512, 64},
    {"hmac-sha1", MAC, 0, CKM_SHA_1_HMAC, 20},
    {"hmac-sha256", MAC, 0, CKM_SHA256_HMAC, 32},
    {"hmac-sha384", MAC, 0, CKM_SHA384_HMAC, 48},
    {"hkdf-sha256", HKDF, 0, CKM_SHA256, 32},
    {"hkdf-sha384", HKDF, 0, CKM_SHA384, 48},
};

enum { HKDF_KEY = 32 };

struct hash_operation {
    tlx_operation base;
    const struct hash *hash;
    PK11Context *context;
    PK11SymKey *key;
    unsigned char salt[64];
};

static int prepare(struct hash_operation *, const struct tlx_inputs *);
static void release(tlx_operation *);
static int digest(tlx_operation *);
static int derive(tlx_operation *);

static const struct hash *find(const char *algorithm) {
    for (size_t i = 0; i < COUNT(hashes); i++)
        if (strcmp(hashes[i].algorithm, algorithm) == 0)
            return &hashes[i];
    return NULL;
}

int tlx_hash_has(const char *algorithm) {
    const struct hash *hash = find(algorithm);
    if (hash == NULL)
        return -1;
    return PK11_TokenExists(hash->mechanism) && (hash->kind != HKDF || PK11_TokenExists(CKM_HKDF_DERIVE));
}

int tlx_hash_new(const char *algorithm, const struct tlx_inputs *inputs, tlx_operation **made) {
    struct hash_operation *op = (struct hash_operation *)tlx_operation_alloc(sizeof *op, 0, inputs);
    if (op == NULL)
        return tlx_fail("allocating a hash operation");
    op->base.release = release;
    op->hash = find(algorithm);
    op->base.once = op->hash->kind == HKDF ? derive : digest;
    op->base.output_length = op->hash->length;
    memcpy(op->salt, inputs->mac_key.data, sizeof op->salt);
    if (!prepare(op, inputs)) {
        int result = tlx_fail(algorithm);
        tlx_operation_free(&op->base);
        return result;
    }
    *made = &op->base;
    return TLX_OK;
}

static int prepare(struct hash_operation *op, const struct tlx_inputs *inputs) {
    const struct hash *hash = op->hash;
    SECItem none = tlx_item(NULL, 0);
    if (hash->kind == HKDF) {
        op->key = tlx_import_key(CKM_HKDF_DERIVE, CKA_DERIVE, inputs->key.data, HKDF_KEY);
        return op->key != NULL;
    }
    if (hash->kind == DIGEST) {
        op->context = PK11_CreateDigestContext(hash->digest);
        return op->context != NULL;
    }
    op->key = tlx_import_key(hash->mechanism, CKA_SIGN, inputs->mac_key.data, hash->length);
    op->context = op->key ? PK11_CreateContextBySymKey(hash->mechanism, CKA_SIGN, op->key, &none) : NULL;
    return op->context != NULL;
}

static void release(tlx_operation *base) {
    struct hash_operation *op = (struct hash_operation *)base;
    if (op->context != NULL)
        PK11_DestroyContext(op->context, PR_TRUE);
    PK11_FreeSymKey(op->key);
}

static int digest(tlx_operation *base) {
    struct hash_operation *op = (struct hash_operation *)base;
    unsigned length;
    return PK11_DigestBegin(op->context) == SECSuccess
           && PK11_DigestOp(op->context, base->message, (unsigned)base->length) == SECSuccess
           && PK11_DigestFinal(op->context, base->output, &length, op->hash->length) == SECSuccess;
}

static int derive(tlx_operation *base) {
    struct hash_operation *op = (struct hash_operation *)base;
    CK_HKDF_PARAMS params = {
        .bExtract = CK_TRUE,
        .bExpand = CK_TRUE,
        .prfHashMechanism = op->hash->mechanism,
        .ulSaltType = CKF_HKDF_SALT_DATA,
        .pSalt = op->salt,
        .ulSaltLen = op->hash->length,
    };
    SECItem item = tlx_item(&params, sizeof params), *bytes;
    PK11SymKey *made =
        PK11_Derive(op->key, CKM_HKDF_DERIVE, &item, CKM_HKDF_DERIVE, CKA_DERIVE, (int)op->hash->length);
    int done = made != NULL && PK11_ExtractKeyValue(made) == SECSuccess;
    bytes = done ? PK11_GetKeyData(made) : NULL;
    done = bytes != NULL && bytes->len == op->hash->length;
    if (done)
        memcpy(base->output, bytes->data, bytes->len);
    PK11_FreeSymKey(made);
    return done;
}

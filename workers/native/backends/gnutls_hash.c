/* GnuTLS: message digests, HMAC and HKDF.
 *
 * A digest and a MAC start anew on one handle, whose output also resets it; a MAC keeps its key. HKDF is two calls.
 */

#include "gnutls_operation.h"

enum kind { DIGEST, MAC, HKDF };

static const struct hash {
    const char *algorithm;
    enum kind kind;
    gnutls_digest_algorithm_t digest;
    gnutls_mac_algorithm_t mac;
    size_t length;
} hashes[] = {
    {"md5", DIGEST, GNUTLS_DIG_MD5, 0, 16},
    {"sha1", DIGEST, GNUTLS_DIG_SHA1, 0, 20},
    {"sha256", DIGEST, GNUTLS_DIG_SHA256, 0, 32},
    {"sha384", DIGEST, GNUTLS_DIG_SHA384, 0, 48},
    {"sha512", DIGEST, GNUTLS_DIG_SHA512, 0, 64},
    {"hmac-sha1", MAC, 0, GNUTLS_MAC_SHA1, 20},
    {"hmac-sha256", MAC, 0, GNUTLS_MAC_SHA256, 32},
    {"hmac-sha384", MAC, 0, GNUTLS_MAC_SHA384, 48},
    {"hkdf-sha256", HKDF, 0, GNUTLS_MAC_SHA256, 32},
    {"hkdf-sha384", HKDF, 0, GNUTLS_MAC_SHA384, 48},
};

enum { HKDF_KEY = 32 };

struct hash_operation {
    tlx_operation base;
    const struct hash *hash;
    gnutls_hash_hd_t digest;
    gnutls_hmac_hd_t mac;
    unsigned char key[64], mac_key[64];
};

static int start(struct hash_operation *);
static void release(tlx_operation *);
static int digest(tlx_operation *);
static int authenticate(tlx_operation *);
static int derive(tlx_operation *);

static const struct hash *find(const char *algorithm) {
    for (size_t i = 0; i < COUNT(hashes); i++)
        if (strcmp(hashes[i].algorithm, algorithm) == 0)
            return &hashes[i];
    return NULL;
}

int tlx_hash_has(const char *algorithm) {
    struct hash_operation trial = {.hash = find(algorithm)};
    int code;
    if (trial.hash == NULL)
        return -1;
    code = start(&trial);
    release(&trial.base);
    return code >= 0;
}

int tlx_hash_new(const char *algorithm, const struct tlx_inputs *inputs, tlx_operation **made) {
    static int (*const calls[])(tlx_operation *) = {[DIGEST] = digest, [MAC] = authenticate, [HKDF] = derive};
    struct hash_operation *op = (struct hash_operation *)tlx_operation_alloc(sizeof *op, 0, inputs);
    int code;
    if (op == NULL)
        return tlx_fail("allocating a hash operation", GNUTLS_E_MEMORY_ERROR);
    op->base.release = release;
    op->hash = find(algorithm);
    op->base.once = calls[op->hash->kind];
    op->base.output_length = op->hash->length;
    memcpy(op->key, inputs->key.data, sizeof op->key);
    memcpy(op->mac_key, inputs->mac_key.data, sizeof op->mac_key);
    code = start(op);
    if (code < 0) {
        tlx_operation_free(&op->base);
        return tlx_fail(algorithm, code);
    }
    *made = &op->base;
    return TLX_OK;
}

static int start(struct hash_operation *op) {
    int code = 0;
    if (op->hash->kind == DIGEST) {
        code = gnutls_hash_init(&op->digest, op->hash->digest);
        if (code < 0)
            op->digest = NULL;
    } else {
        code = gnutls_hmac_init(&op->mac, op->hash->mac, op->mac_key, op->hash->length);
        if (code < 0)
            op->mac = NULL;
    }
    return code;
}

static void release(tlx_operation *base) {
    struct hash_operation *op = (struct hash_operation *)base;
    if (op->digest != NULL)
        gnutls_hash_deinit(op->digest, NULL);
    if (op->mac != NULL)
        gnutls_hmac_deinit(op->mac, NULL);
}

static int digest(tlx_operation *base) {
    struct hash_operation *op = (struct hash_operation *)base;
    int code = gnutls_hash(op->digest, base->message, base->length);
    gnutls_hash_output(op->digest, base->output);
    return code;
}

static int authenticate(tlx_operation *base) {
    struct hash_operation *op = (struct hash_operation *)base;
    int code = gnutls_hmac(op->mac, base->message, base->length);
    gnutls_hmac_output(op->mac, base->output);
    return code;
}

static int derive(tlx_operation *base) {
    struct hash_operation *op = (struct hash_operation *)base;
    unsigned char extracted[64];
    gnutls_datum_t key = {op->key, HKDF_KEY}, salt = {op->mac_key, (unsigned)op->hash->length}, info = {NULL, 0};
    gnutls_datum_t secret = {extracted, (unsigned)op->hash->length};
    int code = gnutls_hkdf_extract(op->hash->mac, &key, &salt, extracted);
    return code < 0 ? code : gnutls_hkdf_expand(op->hash->mac, &secret, &info, base->output, op->hash->length);
}

/* OpenSSL: message digests, HMAC and HKDF.
 *
 * TLS pattern: a digest starts anew on one context, as the transcript hash does; a MAC keeps its key; HKDF makes its
 * context for every secret. Speed pattern: `openssl speed -evp` hashes with one call, and -hmac does what we do.
 */

#include "openssl_operation.h"

enum kind { DIGEST, HMAC_, HKDF_ };

static const struct hash {
    const char *algorithm;
    enum kind kind;
    const char *digest;
    int length;
} hashes[] = {
    {"md5", DIGEST, "MD5", 16},           {"sha1", DIGEST, "SHA1", 20},
    {"sha256", DIGEST, "SHA256", 32},     {"sha384", DIGEST, "SHA384", 48},
    {"sha512", DIGEST, "SHA512", 64},     {"hmac-sha1", HMAC_, "SHA1", 20},
    {"hmac-sha256", HMAC_, "SHA256", 32}, {"hmac-sha384", HMAC_, "SHA384", 48},
    {"hkdf-sha256", HKDF_, "SHA256", 32},  {"hkdf-sha384", HKDF_, "SHA384", 48},
};

enum { HKDF_KEY = 32 };

struct hash_operation {
    tlx_operation base;
    const struct hash *hash;
    EVP_MD *method;
    EVP_MD_CTX *context;
    tlx_hmac *hmac;
    unsigned char key[64], mac_key[64];
};

static int prepare(struct hash_operation *, int speed);
static void release(tlx_operation *);

static const struct hash *find(const char *algorithm) {
    for (size_t i = 0; i < sizeof hashes / sizeof *hashes; i++)
        if (strcmp(hashes[i].algorithm, algorithm) == 0)
            return &hashes[i];
    return NULL;
}

int tlx_hash_has(const char *algorithm) {
    const struct hash *hash = find(algorithm);
    EVP_MD *method;
    if (hash == NULL)
        return -1;
    method = tlx_digest_fetch(hash->digest);
    tlx_digest_free(method);
    return method != NULL;
}

int tlx_hash_new(const char *algorithm, int speed, const struct tlx_inputs *inputs, tlx_operation **made) {
    struct hash_operation *op;
    if (!tlx_hash_has(algorithm))
        return tlx_unsupported(algorithm);
    if (speed && find(algorithm)->kind == HKDF_)
        return tlx_unsupported("HKDF in `openssl speed`");
    op = (struct hash_operation *)tlx_operation_alloc(sizeof *op, 0, inputs);
    if (op == NULL)
        return tlx_fail("allocating a hash operation");
    op->base.release = release;
    op->hash = find(algorithm);
    op->base.output_length = (size_t)op->hash->length;
    memcpy(op->key, inputs->key.data, sizeof op->key);
    memcpy(op->mac_key, inputs->mac_key.data, sizeof op->mac_key);
    if (!prepare(op, speed)) {
        tlx_operation_free(&op->base);
        return tlx_fail(algorithm);
    }
    *made = &op->base;
    return TLX_OK;
}

static int digest(tlx_operation *);
static int speed_digest(tlx_operation *);
static int authenticate(tlx_operation *);
static int derive(tlx_operation *);

static int prepare(struct hash_operation *op, int speed) {
    switch (op->hash->kind) {
    case DIGEST:
        op->base.once = speed ? speed_digest : digest;
        op->method = tlx_digest_fetch(op->hash->digest);
        op->context = EVP_MD_CTX_new();
        return op->method != NULL && op->context != NULL;
    case HMAC_:
        op->base.once = authenticate;
        op->hmac = tlx_hmac_new(op->hash->digest, op->mac_key, (size_t)op->hash->length);
        return op->hmac != NULL;
    case HKDF_:
        op->base.once = derive;
        return 1;
    }
    return 0;
}

static void release(tlx_operation *base) {
    struct hash_operation *op = (struct hash_operation *)base;
    EVP_MD_CTX_free(op->context);
    tlx_digest_free(op->method);
    tlx_hmac_free(op->hmac);
}

static int digest(tlx_operation *base) {
    struct hash_operation *op = (struct hash_operation *)base;
    return EVP_DigestInit_ex(op->context, op->method, NULL)
           && EVP_DigestUpdate(op->context, base->message, (size_t)base->length)
           && EVP_DigestFinal_ex(op->context, base->output, NULL);
}

static int speed_digest(tlx_operation *base) {
    struct hash_operation *op = (struct hash_operation *)base;
    return EVP_Digest(base->message, (size_t)base->length, base->output, NULL, op->method, NULL);
}

static int authenticate(tlx_operation *base) {
    struct hash_operation *op = (struct hash_operation *)base;
    size_t length;
    return tlx_hmac_again(op->hmac) && tlx_hmac_update(op->hmac, base->message, (size_t)base->length)
           && tlx_hmac_final(op->hmac, base->output, &length);
}

static int derive(tlx_operation *base) {
    struct hash_operation *op = (struct hash_operation *)base;
    size_t length = (size_t)op->hash->length;
    return tlx_hkdf(op->hash->digest, op->key, HKDF_KEY, op->mac_key, length, base->output, length);
}

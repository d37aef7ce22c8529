/* OpenSSL: message digests, HMAC and HKDF.
 *
 * TLS pattern: a digest starts anew on one context, as the transcript hash does; a MAC keeps its key; HKDF makes its
 * context for every secret. Speed pattern: `openssl speed -evp` hashes with one call, and -hmac does what we do.
 */

#include "openssl_operation.h"

static const struct hash {
    const char *algorithm, *digest;
} hashes[] = {
    {"md5", "MD5"},         {"sha1", "SHA1"},          {"sha256", "SHA256"},      {"sha384", "SHA384"},
    {"sha512", "SHA512"},   {"hmac-sha1", "SHA1"},     {"hmac-sha256", "SHA256"}, {"hmac-sha384", "SHA384"},
    {"hkdf-sha256", "SHA256"}, {"hkdf-sha384", "SHA384"},
};

struct hash_operation {
    tlx_operation base;
    EVP_MD *method;
    EVP_MD_CTX *context;
    tlx_hmac *hmac;
};

static int has(tlx_operation *base) {
    EVP_MD *method = tlx_digest_fetch(((const struct hash *)base->row)->digest);
    tlx_digest_free(method);
    return method != NULL;
}

static const char *lacks(tlx_operation *base) {
    return base->speed && base->algorithm.form == TLX_HKDF ? "HKDF in `openssl speed`" : NULL;
}

static int digest(tlx_operation *base) {
    struct hash_operation *op = (struct hash_operation *)base;
    return tlx_done(EVP_DigestInit_ex(op->context, op->method, NULL)
                    && EVP_DigestUpdate(op->context, base->message, base->length)
                    && EVP_DigestFinal_ex(op->context, base->output, NULL));
}

static int speed_digest(tlx_operation *base) {
    struct hash_operation *op = (struct hash_operation *)base;
    return tlx_done(EVP_Digest(base->message, base->length, base->output, NULL, op->method, NULL));
}

static int authenticate(tlx_operation *base) {
    struct hash_operation *op = (struct hash_operation *)base;
    size_t length;
    return tlx_done(tlx_hmac_again(op->hmac) && tlx_hmac_update(op->hmac, base->message, base->length)
                    && tlx_hmac_final(op->hmac, base->output, &length));
}

static int derive(tlx_operation *base) {
    size_t length = base->output_length;
    return tlx_done(tlx_hkdf(((const struct hash *)base->row)->digest, base->key, TLX_HKDF_KEY, base->mac_key, length,
                             base->output, length));
}

static int prepare(tlx_operation *base, const struct tlx_inputs *inputs) {
    struct hash_operation *op = (struct hash_operation *)base;
    const char *name = ((const struct hash *)base->row)->digest;
    (void)inputs;
    switch (base->algorithm.form) {
    case TLX_DIGEST:
        base->once = base->speed ? speed_digest : digest;
        op->method = tlx_digest_fetch(name);
        op->context = EVP_MD_CTX_new();
        return tlx_done(op->method != NULL && op->context != NULL);
    case TLX_MAC:
        base->once = authenticate;
        op->hmac = tlx_hmac_new(name, base->mac_key, base->algorithm.mac_length);
        return tlx_done(op->hmac != NULL);
    default:
        base->once = derive;
        return 0;
    }
}

static void release(tlx_operation *base) {
    struct hash_operation *op = (struct hash_operation *)base;
    EVP_MD_CTX_free(op->context);
    tlx_digest_free(op->method);
    tlx_hmac_free(op->hmac);
}

const struct tlx_kind tlx_hash = {TLX_KIND(hashes, struct hash_operation),
                                  .has = has,
                                  .lacks = lacks,
                                  .prepare = prepare,
                                  .release = release};

/* OpenSSL: message digests, HMAC and HKDF.
 *
 * TLS pattern: a digest starts anew on one context, as the transcript hash does; a MAC keeps its key; HKDF makes its
 * context for every secret. Speed pattern: `openssl speed -evp` hashes with one call, and -hmac does what we do.
 */

#include "openssl_backend.h"

static const struct hash {
    const char *algorithm, *digest;
} hashes[] = {
    {"md5", "MD5"}, {"sha1", "SHA1"}, {"sha256", "SHA256"}, {"sha384", "SHA384"}, {"sha512", "SHA512"},
};

struct tlx_operation {
    struct tlx_operation_base;
    const struct hash *row;
    EVP_MD *method;
    EVP_MD_CTX *context;
    tlx_hmac *hmac;
};

static int has(tlx_operation *op) {
    EVP_MD *method = tlx_digest_fetch(op->row->digest);
    tlx_digest_free(method);
    return method != NULL;
}

static const char *lacks(tlx_operation *op) {
    return op->speed && op->algorithm.form == TLX_HKDF ? "HKDF in `openssl speed`" : NULL;
}

static int digest(tlx_operation *op) {
    return tlx_done(EVP_DigestInit_ex(op->context, op->method, NULL)
                    && EVP_DigestUpdate(op->context, op->message, op->length)
                    && EVP_DigestFinal_ex(op->context, op->output, NULL));
}

static int speed_digest(tlx_operation *op) {
    return tlx_done(EVP_Digest(op->message, op->length, op->output, NULL, op->method, NULL));
}

static int authenticate(tlx_operation *op) {
    size_t length;
    return tlx_done(tlx_hmac_again(op->hmac) && tlx_hmac_update(op->hmac, op->message, op->length)
                    && tlx_hmac_final(op->hmac, op->output, &length));
}

static int derive(tlx_operation *op) {
    return tlx_done(tlx_hkdf(op->row->digest, op->key, TLX_HKDF_KEY, op->mac_key, op->output_length, op->output,
                             op->output_length));
}

static int prepare(tlx_operation *op, const struct tlx_inputs *inputs) {
    if (op->algorithm.form == TLX_MAC) {
        op->hmac = tlx_hmac_new(op->row->digest, op->mac_key, op->algorithm.mac_length);
        return tlx_done(op->hmac != NULL);
    }
    if (op->algorithm.form == TLX_HKDF)
        return 0;
    if (op->speed)
        op->once = speed_digest;
    op->method = tlx_digest_fetch(op->row->digest);
    op->context = EVP_MD_CTX_new();
    return tlx_done(op->method != NULL && op->context != NULL);
}

static void release(tlx_operation *op) {
    EVP_MD_CTX_free(op->context);
    tlx_digest_free(op->method);
    tlx_hmac_free(op->hmac);
}

const struct tlx_kind tlx_hash = {TLX_KIND(hashes),
                                  .calls = {[TLX_DIGEST] = {digest}, [TLX_MAC] = {authenticate}, [TLX_HKDF] = {derive}},
                                  .has = has,
                                  .lacks = lacks,
                                  .prepare = prepare,
                                  .release = release};

/* GnuTLS: message digests, HMAC and HKDF.
 *
 * A digest and a MAC start anew on one handle, whose output also resets it; a MAC keeps its key. HKDF is two calls.
 */

#include "gnutls_backend.h"

static const struct hash {
    const char *algorithm;
    gnutls_digest_algorithm_t digest;
    gnutls_mac_algorithm_t mac;
} hashes[] = {
    {"md5", GNUTLS_DIG_MD5, GNUTLS_MAC_MD5},
    {"sha1", GNUTLS_DIG_SHA1, GNUTLS_MAC_SHA1},
    {"sha256", GNUTLS_DIG_SHA256, GNUTLS_MAC_SHA256},
    {"sha384", GNUTLS_DIG_SHA384, GNUTLS_MAC_SHA384},
    {"sha512", GNUTLS_DIG_SHA512, GNUTLS_MAC_SHA512},
};

struct tlx_operation {
    struct tlx_operation_base;
    const struct hash *row;
    gnutls_hash_hd_t digest;
    gnutls_hmac_hd_t mac;
};

static int digest(tlx_operation *op) {
    int code = gnutls_hash(op->digest, op->message, op->length);
    gnutls_hash_output(op->digest, op->output);
    return code;
}

static int authenticate(tlx_operation *op) {
    int code = gnutls_hmac(op->mac, op->message, op->length);
    gnutls_hmac_output(op->mac, op->output);
    return code;
}

static int derive(tlx_operation *op) {
    unsigned char extracted[64];
    unsigned length = (unsigned)op->output_length;
    gnutls_datum_t key = {op->key, TLX_HKDF_KEY}, salt = {op->mac_key, length}, info = {NULL, 0};
    gnutls_datum_t secret = {extracted, length};
    int code = gnutls_hkdf_extract(op->row->mac, &key, &salt, extracted);
    return code < 0 ? code : gnutls_hkdf_expand(op->row->mac, &secret, &info, op->output, length);
}

static int start(tlx_operation *op) {
    int code = op->algorithm.form == TLX_DIGEST
                   ? gnutls_hash_init(&op->digest, op->row->digest)
                   : gnutls_hmac_init(&op->mac, op->row->mac, op->mac_key, op->algorithm.mac_length);
    if (code < 0) {
        op->digest = NULL;
        op->mac = NULL;
    }
    return code;
}

static void release(tlx_operation *op) {
    if (op->digest != NULL)
        gnutls_hash_deinit(op->digest, NULL);
    if (op->mac != NULL)
        gnutls_hmac_deinit(op->mac, NULL);
}

const struct tlx_kind tlx_hash = {TLX_KIND(hashes),
                                  .calls = {[TLX_DIGEST] = {digest}, [TLX_MAC] = {authenticate}, [TLX_HKDF] = {derive}},
                                  .start = start,
                                  .release = release};

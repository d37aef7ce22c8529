/* GnuTLS: message digests, HMAC and HKDF.
 *
 * A digest and a MAC start anew on one handle, whose output also resets it; a MAC keeps its key. HKDF is two calls.
 */

#include "gnutls_operation.h"

static const struct hash {
    const char *algorithm;
    gnutls_digest_algorithm_t digest;
    gnutls_mac_algorithm_t mac;
} hashes[] = {
    {"md5", GNUTLS_DIG_MD5, 0},
    {"sha1", GNUTLS_DIG_SHA1, 0},
    {"sha256", GNUTLS_DIG_SHA256, 0},
    {"sha384", GNUTLS_DIG_SHA384, 0},
    {"sha512", GNUTLS_DIG_SHA512, 0},
    {"hmac-sha1", 0, GNUTLS_MAC_SHA1},
    {"hmac-sha256", 0, GNUTLS_MAC_SHA256},
    {"hmac-sha384", 0, GNUTLS_MAC_SHA384},
    {"hkdf-sha256", 0, GNUTLS_MAC_SHA256},
    {"hkdf-sha384", 0, GNUTLS_MAC_SHA384},
};

struct hash_operation {
    tlx_operation base;
    gnutls_hash_hd_t digest;
    gnutls_hmac_hd_t mac;
};

static int digest(tlx_operation *base) {
    gnutls_hash_hd_t handle = ((struct hash_operation *)base)->digest;
    int code = gnutls_hash(handle, base->message, base->length);
    gnutls_hash_output(handle, base->output);
    return code;
}

static int authenticate(tlx_operation *base) {
    gnutls_hmac_hd_t handle = ((struct hash_operation *)base)->mac;
    int code = gnutls_hmac(handle, base->message, base->length);
    gnutls_hmac_output(handle, base->output);
    return code;
}

static int derive(tlx_operation *base) {
    gnutls_mac_algorithm_t mac = ((const struct hash *)base->row)->mac;
    unsigned char extracted[64];
    unsigned length = (unsigned)base->output_length;
    gnutls_datum_t key = {base->key, TLX_HKDF_KEY}, salt = {base->mac_key, length}, info = {NULL, 0};
    gnutls_datum_t secret = {extracted, length};
    int code = gnutls_hkdf_extract(mac, &key, &salt, extracted);
    return code < 0 ? code : gnutls_hkdf_expand(mac, &secret, &info, base->output, length);
}

static int start(tlx_operation *base) {
    struct hash_operation *op = (struct hash_operation *)base;
    const struct hash *hash = base->row;
    int code;
    if (base->algorithm.form == TLX_DIGEST) {
        code = gnutls_hash_init(&op->digest, hash->digest);
        if (code < 0)
            op->digest = NULL;
    } else {
        code = gnutls_hmac_init(&op->mac, hash->mac, base->mac_key, base->algorithm.mac_length);
        if (code < 0)
            op->mac = NULL;
    }
    return code;
}

static int prepare(tlx_operation *base, const struct tlx_inputs *inputs) {
    static int (*const calls[])(tlx_operation *) = {
        [TLX_DIGEST] = digest, [TLX_MAC] = authenticate, [TLX_HKDF] = derive};
    (void)inputs;
    base->once = calls[base->algorithm.form];
    return start(base);
}

static void release(tlx_operation *base) {
    struct hash_operation *op = (struct hash_operation *)base;
    if (op->digest != NULL)
        gnutls_hash_deinit(op->digest, NULL);
    if (op->mac != NULL)
        gnutls_hmac_deinit(op->mac, NULL);
}

static int has(tlx_operation *base) {
    int code = start(base);
    release(base);
    return code >= 0;
}

const struct tlx_kind tlx_hash = {
    TLX_KIND(hashes, struct hash_operation), .has = has, .prepare = prepare, .release = release};

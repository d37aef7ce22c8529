/* wolfSSL: message digests, HMAC and HKDF.
 *
 * A digest starts anew on one object, as the transcript hash does; a MAC keeps its key; HKDF is one call for extract
 * and expand, which keeps nothing.
 */

#include "wolfssl_backend.h"

#include <wolfssl/wolfcrypt/hash.h>
#include <wolfssl/wolfcrypt/hmac.h>

static const struct hash {
    const char *algorithm;
    enum wc_HashType type;
} hashes[] = {
    {"md5", WC_HASH_TYPE_MD5},
    {"sha1", WC_HASH_TYPE_SHA},
    {"sha256", WC_HASH_TYPE_SHA256},
    {"sha384", WC_HASH_TYPE_SHA384},
    {"sha512", WC_HASH_TYPE_SHA512},
};

struct tlx_operation {
    struct tlx_operation_base;
    const struct hash *row;
    wc_HashAlg digest;
    Hmac hmac;
};

static int has(tlx_operation *op) { return wc_HashGetDigestSize(op->row->type) == (int)op->algorithm.mac_length; }

/* The library starts anew after the end of a message by itself. */
static int digest(tlx_operation *op) {
    return wc_HashUpdate(&op->digest, op->row->type, op->message, op->length)
           ?: wc_HashFinal(&op->digest, op->row->type, op->output);
}

static int authenticate(tlx_operation *op) {
    return wc_HmacUpdate(&op->hmac, op->message, op->length) ?: wc_HmacFinal(&op->hmac, op->output);
}

static int derive(tlx_operation *op) {
    return wc_HKDF(op->row->type, op->key, TLX_HKDF_KEY, op->mac_key, op->output_length, NULL, 0, op->output,
                   op->output_length);
}

static int prepare(tlx_operation *op, const struct tlx_inputs *inputs) {
    size_t length = op->algorithm.mac_length;
    if (op->algorithm.form == TLX_DIGEST)
        return wc_HashInit(&op->digest, op->row->type);
    return wc_HmacInit(&op->hmac, NULL, INVALID_DEVID)
           ?: (op->algorithm.form == TLX_MAC ? wc_HmacSetKey(&op->hmac, op->row->type, op->mac_key, length) : 0);
}

static void release(tlx_operation *op) {
    if (op->algorithm.form == TLX_DIGEST)
        wc_HashFree(&op->digest, op->row->type);
    else
        wc_HmacFree(&op->hmac);
}

const struct tlx_kind tlx_hash = {TLX_KIND(hashes),
                                  .calls = {[TLX_DIGEST] = {digest}, [TLX_MAC] = {authenticate}, [TLX_HKDF] = {derive}},
                                  .has = has,
                                  .prepare = prepare,
                                  .release = release};

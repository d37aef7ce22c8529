/* wolfSSL: message digests, HMAC and HKDF.
 *
 * A digest starts anew on one object, as the transcript hash does; a MAC keeps its key; HKDF is one call for extract
 * and expand, which keeps nothing.
 */

#include "wolfssl_operation.h"

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
    {"hmac-sha1", WC_HASH_TYPE_SHA},
    {"hmac-sha256", WC_HASH_TYPE_SHA256},
    {"hmac-sha384", WC_HASH_TYPE_SHA384},
    {"hkdf-sha256", WC_HASH_TYPE_SHA256},
    {"hkdf-sha384", WC_HASH_TYPE_SHA384},
};

struct hash_operation {
    tlx_operation base;
    enum wc_HashType type;
    wc_HashAlg digest;
    Hmac hmac;
};

static int has(tlx_operation *base) {
    return wc_HashGetDigestSize(((const struct hash *)base->row)->type) == (int)base->algorithm.mac_length;
}

/* The library starts anew after the end of a message by itself. */
static int digest(tlx_operation *base) {
    struct hash_operation *op = (struct hash_operation *)base;
    int result = wc_HashUpdate(&op->digest, op->type, base->message, base->length);
    return result != 0 ? result : wc_HashFinal(&op->digest, op->type, base->output);
}

static int authenticate(tlx_operation *base) {
    struct hash_operation *op = (struct hash_operation *)base;
    int result = wc_HmacUpdate(&op->hmac, base->message, base->length);
    return result != 0 ? result : wc_HmacFinal(&op->hmac, base->output);
}

static int derive(tlx_operation *base) {
    word32 length = base->output_length;
    return wc_HKDF(((struct hash_operation *)base)->type, base->key, TLX_HKDF_KEY, base->mac_key, length, NULL, 0,
                   base->output, length);
}

static int prepare(tlx_operation *base, const struct tlx_inputs *inputs) {
    static int (*const calls[])(tlx_operation *) = {
        [TLX_DIGEST] = digest, [TLX_MAC] = authenticate, [TLX_HKDF] = derive};
    struct hash_operation *op = (struct hash_operation *)base;
    int result;
    (void)inputs;
    op->type = ((const struct hash *)base->row)->type;
    base->once = calls[base->algorithm.form];
    if (base->algorithm.form == TLX_DIGEST)
        return wc_HashInit(&op->digest, op->type);
    result = wc_HmacInit(&op->hmac, NULL, INVALID_DEVID);
    if (result == 0 && base->algorithm.form == TLX_MAC)
        result = wc_HmacSetKey(&op->hmac, op->type, base->mac_key, base->algorithm.mac_length);
    return result;
}

static void release(tlx_operation *base) {
    struct hash_operation *op = (struct hash_operation *)base;
    if (base->algorithm.form == TLX_DIGEST)
        wc_HashFree(&op->digest, op->type);
    else
        wc_HmacFree(&op->hmac);
}

const struct tlx_kind tlx_hash = {
    TLX_KIND(hashes, struct hash_operation), .has = has, .prepare = prepare, .release = release};

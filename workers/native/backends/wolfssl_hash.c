/* wolfSSL: message digests, HMAC and HKDF.
 *
 * A digest starts anew on one object, as the transcript hash does; a MAC keeps its key; HKDF is one call for extract
 * and expand, which keeps nothing.
 */

#include "wolfssl_operation.h"

#include <wolfssl/wolfcrypt/hash.h>
#include <wolfssl/wolfcrypt/hmac.h>

enum kind { DIGEST, MAC, KDF };

static const struct hash {
    const char *algorithm;
    enum kind kind;
    enum wc_HashType type;
    word32 length;
} hashes[] = {
    {"md5", DIGEST, WC_HASH_TYPE_MD5, 16},        {"sha1", DIGEST, WC_HASH_TYPE_SHA, 20},
    {"sha256", DIGEST, WC_HASH_TYPE_SHA256, 32},  {"sha384", DIGEST, WC_HASH_TYPE_SHA384, 48},
    {"sha512", DIGEST, WC_HASH_TYPE_SHA512, 64},  {"hmac-sha1", MAC, WC_HASH_TYPE_SHA, 20},
    {"hmac-sha256", MAC, WC_HASH_TYPE_SHA256, 32}, {"hmac-sha384", MAC, WC_HASH_TYPE_SHA384, 48},
    {"hkdf-sha256", KDF, WC_HASH_TYPE_SHA256, 32}, {"hkdf-sha384", KDF, WC_HASH_TYPE_SHA384, 48},
};

enum { HKDF_KEY = 32 };

struct hash_operation {
    tlx_operation base;
    const struct hash *hash;
    wc_HashAlg digest;
    Hmac hmac;
    unsigned char key[64], mac_key[64];
};

static int digest(tlx_operation *);
static int authenticate(tlx_operation *);
static int derive(tlx_operation *);
static void release(tlx_operation *);

static const struct hash *find(const char *algorithm) {
    for (size_t i = 0; i < sizeof hashes / sizeof *hashes; i++)
        if (strcmp(hashes[i].algorithm, algorithm) == 0)
            return &hashes[i];
    return NULL;
}

int tlx_hash_has(const char *algorithm) {
    const struct hash *hash = find(algorithm);
    return hash != NULL && wc_HashGetDigestSize(hash->type) == (int)hash->length;
}

static int prepare(struct hash_operation *op) {
    int result;
    op->base.once = op->hash->kind == DIGEST ? digest : op->hash->kind == MAC ? authenticate : derive;
    if (op->hash->kind == DIGEST)
        return wc_HashInit(&op->digest, op->hash->type);
    result = wc_HmacInit(&op->hmac, NULL, INVALID_DEVID);
    if (result == 0 && op->hash->kind == MAC)
        result = wc_HmacSetKey(&op->hmac, op->hash->type, op->mac_key, op->hash->length);
    return result;
}

int tlx_hash_new(const char *algorithm, const struct tlx_inputs *inputs, tlx_operation **made) {
    struct hash_operation *op = (struct hash_operation *)tlx_operation_alloc(sizeof *op, 0, inputs);
    int result;
    if (op == NULL)
        return tlx_fail("allocating a hash operation", MEMORY_E);
    op->hash = find(algorithm);
    op->base.release = release;
    op->base.output_length = op->hash->length;
    memcpy(op->key, inputs->key.data, sizeof op->key);
    memcpy(op->mac_key, inputs->mac_key.data, sizeof op->mac_key);
    result = prepare(op);
    if (result != 0) {
        tlx_operation_free(&op->base);
        return tlx_fail(algorithm, result);
    }
    *made = &op->base;
    return TLX_OK;
}

static void release(tlx_operation *base) {
    struct hash_operation *op = (struct hash_operation *)base;
    if (op->hash->kind == DIGEST)
        wc_HashFree(&op->digest, op->hash->type);
    else
        wc_HmacFree(&op->hmac);
}

/* The library starts anew after the end of a message by itself. */
static int digest(tlx_operation *base) {
    struct hash_operation *op = (struct hash_operation *)base;
    int result = wc_HashUpdate(&op->digest, op->hash->type, base->message, base->length);
    return result != 0 ? result : wc_HashFinal(&op->digest, op->hash->type, base->output);
}

static int authenticate(tlx_operation *base) {
    struct hash_operation *op = (struct hash_operation *)base;
    int result = wc_HmacUpdate(&op->hmac, base->message, base->length);
    return result != 0 ? result : wc_HmacFinal(&op->hmac, base->output);
}

static int derive(tlx_operation *base) {
    struct hash_operation *op = (struct hash_operation *)base;
    return wc_HKDF(op->hash->type, op->key, HKDF_KEY, op->mac_key, op->hash->length, NULL, 0, base->output,
                   op->hash->length);
}

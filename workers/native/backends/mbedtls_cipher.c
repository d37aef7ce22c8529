/* Mbed TLS: encryption of records, authenticated, with a MAC, or alone.
 *
 * The calls of mbedtls_ssl_encrypt_buf and mbedtls_ssl_decrypt_buf: one context with its key set once, kept per
 * direction, and one call for each record. Decryption opens the record number 0 of the same key again and again, out of
 * place.
 */

#include "mbedtls_operation.h"

#include "../common/record.h"

#include <mbedtls/cipher.h>
#include <mbedtls/constant_time.h>
#include <mbedtls/md.h>

static const struct cipher {
    const char *algorithm;
    mbedtls_cipher_type_t type;
    mbedtls_md_type_t digest; /* of the MAC */
} ciphers[] = {
    {"aes-128-gcm", MBEDTLS_CIPHER_AES_128_GCM, MBEDTLS_MD_NONE},
    {"aes-256-gcm", MBEDTLS_CIPHER_AES_256_GCM, MBEDTLS_MD_NONE},
    {"aes-128-ccm", MBEDTLS_CIPHER_AES_128_CCM, MBEDTLS_MD_NONE},
    {"chacha20-poly1305", MBEDTLS_CIPHER_CHACHA20_POLY1305, MBEDTLS_MD_NONE},
    {"aes-128-cbc", MBEDTLS_CIPHER_AES_128_CBC, MBEDTLS_MD_NONE},
    {"aes-256-cbc", MBEDTLS_CIPHER_AES_256_CBC, MBEDTLS_MD_NONE},
    {"3des-cbc", MBEDTLS_CIPHER_DES_EDE3_CBC, MBEDTLS_MD_NONE},
    {"aes-128-cbc-hmac-sha1", MBEDTLS_CIPHER_AES_128_CBC, MBEDTLS_MD_SHA1},
    {"aes-256-cbc-hmac-sha1", MBEDTLS_CIPHER_AES_256_CBC, MBEDTLS_MD_SHA1},
    {"aes-128-cbc-hmac-sha256", MBEDTLS_CIPHER_AES_128_CBC, MBEDTLS_MD_SHA256},
    {"aes-256-cbc-hmac-sha256", MBEDTLS_CIPHER_AES_256_CBC, MBEDTLS_MD_SHA256},
};

struct cipher_operation {
    tlx_operation base;
    mbedtls_cipher_context_t context;
    mbedtls_md_context_t hmac;
};

static int has(tlx_operation *op) {
    const struct cipher *cipher = op->row;
    return mbedtls_cipher_info_from_type(cipher->type) != NULL
           && (op->algorithm.form != TLX_CBC_HMAC || mbedtls_md_info_from_type(cipher->digest) != NULL);
}

/* ---- records -------------------------------------------------------------------------------------------------- */

static int seal(tlx_operation *base) {
    struct cipher_operation *op = (struct cipher_operation *)base;
    unsigned char iv[TLX_NONCE];
    size_t made;
    tlx_nonce(base, iv);
    base->record++;
    return mbedtls_cipher_auth_encrypt_ext(&op->context, iv, TLX_NONCE, base->additional_data, TLX_AAD, base->message,
                                           base->length, base->output, base->length + TLX_TAG, &made, TLX_TAG);
}

static int unseal(tlx_operation *base) {
    struct cipher_operation *op = (struct cipher_operation *)base;
    unsigned char iv[TLX_NONCE];
    size_t made;
    tlx_nonce(base, iv);
    return mbedtls_cipher_auth_decrypt_ext(&op->context, iv, TLX_NONCE, base->additional_data, TLX_AAD, base->message,
                                           base->length + TLX_TAG, base->output, base->length, &made, TLX_TAG);
}

static int crypt_blocks(tlx_operation *base, const unsigned char *in, size_t length) {
    mbedtls_cipher_context_t *context = &((struct cipher_operation *)base)->context;
    size_t made;
    return mbedtls_cipher_crypt(context, base->iv, (size_t)mbedtls_cipher_get_iv_size(context), in, length,
                                base->output, &made);
}

static int cbc(tlx_operation *base) { return crypt_blocks(base, base->message, base->length); }

static int mac(tlx_operation *base, const unsigned char *message, unsigned char *out) {
    mbedtls_md_context_t *hmac = &((struct cipher_operation *)base)->hmac;
    int error = mbedtls_md_hmac_update(hmac, base->additional_data, TLX_AAD);
    if (error == 0)
        error = mbedtls_md_hmac_update(hmac, message, base->length);
    if (error == 0)
        error = mbedtls_md_hmac_finish(hmac, out);
    return error != 0 ? error : mbedtls_md_hmac_reset(hmac);
}

static int seal_composed(tlx_operation *base) { return tlx_seal_record(base, mac, crypt_blocks); }

/* The check that hides its time is not in the library's interface. */
static int open_composed(tlx_operation *base) { return tlx_open_record(base, mac, crypt_blocks, mbedtls_ct_memcmp); }

/* ---- setting up ----------------------------------------------------------------------------------------------- */

static int start_hmac(struct cipher_operation *op, const struct tlx_inputs *inputs) {
    const mbedtls_md_info_t *digest = mbedtls_md_info_from_type(((const struct cipher *)op->base.row)->digest);
    int error = mbedtls_md_setup(&op->hmac, digest, 1);
    return error != 0 ? error : mbedtls_md_hmac_starts(&op->hmac, inputs->mac_key.data, op->base.algorithm.mac_length);
}

static int prepare(tlx_operation *base, const struct tlx_inputs *inputs) {
    static int (*const calls[][2])(tlx_operation *) = {
        [TLX_AEAD] = {seal, unseal}, [TLX_CBC] = {cbc, cbc}, [TLX_CBC_HMAC] = {seal_composed, open_composed}};
    struct cipher_operation *op = (struct cipher_operation *)base;
    const mbedtls_cipher_info_t *info = mbedtls_cipher_info_from_type(((const struct cipher *)base->row)->type);
    int error = mbedtls_cipher_setup(&op->context, info);
    base->once = calls[base->algorithm.form][base->action];
    if (error == 0)
        error = mbedtls_cipher_setkey(&op->context, base->key, (int)mbedtls_cipher_info_get_key_bitlen(info),
                                      base->action == TLX_ENCRYPT ? MBEDTLS_ENCRYPT : MBEDTLS_DECRYPT);
    if (error == 0 && base->algorithm.form != TLX_AEAD)
        error = mbedtls_cipher_set_padding_mode(&op->context, MBEDTLS_PADDING_NONE);
    return error == 0 && base->algorithm.form == TLX_CBC_HMAC ? start_hmac(op, inputs) : error;
}

static void release(tlx_operation *base) {
    struct cipher_operation *op = (struct cipher_operation *)base;
    mbedtls_cipher_free(&op->context);
    mbedtls_md_free(&op->hmac);
}

const struct tlx_kind mbed_cipher = {
    TLX_KIND(ciphers, struct cipher_operation), .has = has, .prepare = prepare, .release = release};

/* Mbed TLS: encryption of records, authenticated, with a MAC, or alone.
 *
 * The calls of mbedtls_ssl_encrypt_buf and mbedtls_ssl_decrypt_buf: one context with its key set once, kept per
 * direction, and one call for each record. Decryption opens the record number 0 of the same key again and again, out of
 * place.
 */

#include "mbedtls_backend.h"

#include <mbedtls/cipher.h>
#include <mbedtls/constant_time.h>
#include <mbedtls/md.h>

static const struct cipher {
    const char *algorithm;
    mbedtls_cipher_type_t type;
} ciphers[] = {
    {"aes-128-gcm", MBEDTLS_CIPHER_AES_128_GCM},
    {"aes-256-gcm", MBEDTLS_CIPHER_AES_256_GCM},
    {"aes-128-ccm", MBEDTLS_CIPHER_AES_128_CCM},
    {"chacha20-poly1305", MBEDTLS_CIPHER_CHACHA20_POLY1305},
    {"aes-128-cbc", MBEDTLS_CIPHER_AES_128_CBC},
    {"aes-256-cbc", MBEDTLS_CIPHER_AES_256_CBC},
    {"3des-cbc", MBEDTLS_CIPHER_DES_EDE3_CBC},
};

struct tlx_operation {
    struct tlx_operation_base;
    const struct cipher *row;
    mbedtls_cipher_context_t context;
    mbedtls_md_context_t hmac;
};

#include "../common/record.h"

static const mbedtls_md_info_t *digest(const tlx_operation *op) {
    return mbedtls_md_info_from_type(op->algorithm.mac_length == 20 ? MBEDTLS_MD_SHA1 : MBEDTLS_MD_SHA256);
}

static int has(tlx_operation *op) {
    return mbedtls_cipher_info_from_type(op->row->type) != NULL
           && (op->algorithm.form != TLX_CBC_HMAC || digest(op) != NULL);
}

/* ---- records -------------------------------------------------------------------------------------------------- */

static int seal(tlx_operation *op) {
    unsigned char iv[TLX_NONCE];
    size_t made;
    tlx_nonce(op, iv);
    op->record++;
    return mbedtls_cipher_auth_encrypt_ext(&op->context, iv, TLX_NONCE, op->additional_data, TLX_AAD, op->message,
                                           op->length, op->output, op->length + TLX_TAG, &made, TLX_TAG);
}

static int unseal(tlx_operation *op) {
    unsigned char iv[TLX_NONCE];
    size_t made;
    tlx_nonce(op, iv);
    return mbedtls_cipher_auth_decrypt_ext(&op->context, iv, TLX_NONCE, op->additional_data, TLX_AAD, op->message,
                                           op->length + TLX_TAG, op->output, op->length, &made, TLX_TAG);
}

static int crypt_blocks(tlx_operation *op, const unsigned char *in, size_t length) {
    size_t made, iv_length = (size_t)mbedtls_cipher_get_iv_size(&op->context);
    return mbedtls_cipher_crypt(&op->context, op->iv, iv_length, in, length, op->output, &made);
}

static int cbc(tlx_operation *op) { return crypt_blocks(op, op->message, op->length); }

static int mac(tlx_operation *op, const unsigned char *message, unsigned char *out) {
    return mbedtls_md_hmac_update(&op->hmac, op->additional_data, TLX_AAD)
           ?: mbedtls_md_hmac_update(&op->hmac, message, op->length)
           ?: mbedtls_md_hmac_finish(&op->hmac, out)
           ?: mbedtls_md_hmac_reset(&op->hmac);
}

static int seal_composed(tlx_operation *op) { return tlx_seal_record(op, mac, crypt_blocks); }

/* The check that hides its time is not in the library's interface. */
static int open_composed(tlx_operation *op) { return tlx_open_record(op, mac, crypt_blocks, mbedtls_ct_memcmp); }

/* ---- setting up ----------------------------------------------------------------------------------------------- */

static int start_hmac(tlx_operation *op) {
    return mbedtls_md_setup(&op->hmac, digest(op), 1)
           ?: mbedtls_md_hmac_starts(&op->hmac, op->mac_key, op->algorithm.mac_length);
}

static int prepare(tlx_operation *op, const struct tlx_inputs *inputs) {
    const mbedtls_cipher_info_t *info = mbedtls_cipher_info_from_type(op->row->type);
    int error = mbedtls_cipher_setup(&op->context, info)
                ?: mbedtls_cipher_setkey(&op->context, op->key, (int)mbedtls_cipher_info_get_key_bitlen(info),
                                         op->action == TLX_ENCRYPT ? MBEDTLS_ENCRYPT : MBEDTLS_DECRYPT);
    if (error == 0 && op->algorithm.form != TLX_AEAD)
        error = mbedtls_cipher_set_padding_mode(&op->context, MBEDTLS_PADDING_NONE);
    return error == 0 && op->algorithm.form == TLX_CBC_HMAC ? start_hmac(op) : error;
}

static void release(tlx_operation *op) {
    mbedtls_cipher_free(&op->context);
    mbedtls_md_free(&op->hmac);
}

const struct tlx_kind mbed_cipher = {
    TLX_KIND(ciphers),
    .calls = {[TLX_AEAD] = {seal, unseal}, [TLX_CBC] = {cbc, cbc}, [TLX_CBC_HMAC] = {seal_composed, open_composed}},
    .has = has,
    .prepare = prepare,
    .release = release};

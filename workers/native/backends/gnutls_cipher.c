/* GnuTLS: encryption of records, authenticated, with a MAC, or alone.
 *
 * One handle with its key set once, as a connection keeps it per direction. Decryption opens the record number 0 of
 * the same key again and again, out of place. CBC with HMAC is composed of both, as the library's own record layer does
 * without encrypt-then-MAC.
 */

#include "gnutls_backend.h"

static const struct cipher {
    const char *algorithm;
    gnutls_cipher_algorithm_t id;
} ciphers[] = {
    {"aes-128-gcm", GNUTLS_CIPHER_AES_128_GCM},
    {"aes-256-gcm", GNUTLS_CIPHER_AES_256_GCM},
    {"aes-128-ccm", GNUTLS_CIPHER_AES_128_CCM},
    {"chacha20-poly1305", GNUTLS_CIPHER_CHACHA20_POLY1305},
    {"aes-128-cbc", GNUTLS_CIPHER_AES_128_CBC},
    {"aes-256-cbc", GNUTLS_CIPHER_AES_256_CBC},
    {"3des-cbc", GNUTLS_CIPHER_3DES_CBC},
    {"rc4", GNUTLS_CIPHER_ARCFOUR_128},
};

struct tlx_operation {
    struct tlx_operation_base;
    const struct cipher *row;
    gnutls_aead_cipher_hd_t aead;
    gnutls_cipher_hd_t handle;
    gnutls_hmac_hd_t hmac;
};

#include "../common/record.h"

/* ---- records -------------------------------------------------------------------------------------------------- */

static int seal(tlx_operation *op) {
    size_t length = op->length + TLX_TAG;
    unsigned char iv[TLX_NONCE];
    tlx_nonce(op, iv);
    op->record++;
    return gnutls_aead_cipher_encrypt(op->aead, iv, sizeof iv, op->additional_data, TLX_AAD, TLX_TAG, op->message,
                                      op->length, op->output, &length);
}

static int unseal(tlx_operation *op) {
    size_t length = op->length;
    unsigned char iv[TLX_NONCE];
    tlx_nonce(op, iv);
    return gnutls_aead_cipher_decrypt(op->aead, iv, sizeof iv, op->additional_data, TLX_AAD, TLX_TAG, op->message,
                                      op->length + TLX_TAG, op->output, &length);
}

static int encrypt(tlx_operation *op, const unsigned char *in, size_t length) {
    gnutls_cipher_set_iv(op->handle, op->iv, op->algorithm.iv_length);
    return gnutls_cipher_encrypt2(op->handle, in, length, op->output, length);
}

static int decrypt(tlx_operation *op, const unsigned char *in, size_t length) {
    gnutls_cipher_set_iv(op->handle, op->iv, op->algorithm.iv_length);
    return gnutls_cipher_decrypt2(op->handle, in, length, op->output, length);
}

static int cbc_encrypt(tlx_operation *op) { return encrypt(op, op->message, op->length); }

static int cbc_decrypt(tlx_operation *op) { return decrypt(op, op->message, op->length); }

static int stream_encrypt(tlx_operation *op) {
    return gnutls_cipher_encrypt2(op->handle, op->message, op->length, op->output, op->length);
}

static int stream_decrypt(tlx_operation *op) {
    return gnutls_cipher_decrypt2(op->handle, op->message, op->length, op->output, op->length);
}

/* The output of the library's MAC also begins the next one. */
static int mac(tlx_operation *op, const unsigned char *message, unsigned char *out) {
    int code = gnutls_hmac(op->hmac, op->additional_data, TLX_AAD) ?: gnutls_hmac(op->hmac, message, op->length);
    gnutls_hmac_output(op->hmac, out);
    return code;
}

static int seal_composed(tlx_operation *op) { return tlx_seal_record(op, mac, encrypt); }

static int open_composed(tlx_operation *op) { return tlx_open_record(op, mac, decrypt, gnutls_memcmp); }

/* ---- setting up ----------------------------------------------------------------------------------------------- */

static int start_handle(tlx_operation *op) {
    gnutls_datum_t key = {op->key, (unsigned)op->algorithm.key_length};
    gnutls_datum_t iv = {op->iv, (unsigned)op->algorithm.iv_length};
    int code;
    if (op->algorithm.form == TLX_AEAD)
        code = gnutls_aead_cipher_init(&op->aead, op->row->id, &key);
    else
        code = gnutls_cipher_init(&op->handle, op->row->id, &key, iv.size > 0 ? &iv : NULL);
    if (code < 0) {
        op->aead = NULL;
        op->handle = NULL;
    }
    return code;
}

/* A stream cipher can begin anew only with a new handle. */
static int restart(tlx_operation *op) {
    gnutls_cipher_deinit(op->handle);
    return start_handle(op);
}

static int prepare(tlx_operation *op, const struct tlx_inputs *inputs) {
    int code;
    op->first = op->algorithm.form == TLX_STREAM ? restart : NULL;
    if (op->algorithm.form != TLX_CBC_HMAC)
        return 0;
    code = gnutls_hmac_init(&op->hmac, op->algorithm.mac_length == 20 ? GNUTLS_MAC_SHA1 : GNUTLS_MAC_SHA256,
                            op->mac_key, op->algorithm.mac_length);
    if (code < 0)
        op->hmac = NULL;
    return code;
}

static void release(tlx_operation *op) {
    if (op->aead != NULL)
        gnutls_aead_cipher_deinit(op->aead);
    if (op->handle != NULL)
        gnutls_cipher_deinit(op->handle);
    if (op->hmac != NULL)
        gnutls_hmac_deinit(op->hmac, NULL);
}

const struct tlx_kind tlx_cipher = {TLX_KIND(ciphers),
                                    .calls = {[TLX_AEAD] = {seal, unseal},
                                              [TLX_CBC] = {cbc_encrypt, cbc_decrypt},
                                              [TLX_STREAM] = {stream_encrypt, stream_decrypt},
                                              [TLX_CBC_HMAC] = {seal_composed, open_composed}},
                                    .start = start_handle,
                                    .prepare = prepare,
                                    .release = release};

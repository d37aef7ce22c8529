/* GnuTLS: encryption of records, authenticated, with a MAC, or alone.
 *
 * One handle with its key set once, as a connection keeps it per direction. Decryption opens the record number 0 of
 * the same key again and again, out of place. CBC with HMAC is composed of both, as the library's own record layer does
 * without encrypt-then-MAC.
 */

#include "gnutls_operation.h"

#include "../common/record.h"

static const struct cipher {
    const char *algorithm;
    gnutls_cipher_algorithm_t id;
    gnutls_mac_algorithm_t mac;
} ciphers[] = {
    {"aes-128-gcm", GNUTLS_CIPHER_AES_128_GCM, GNUTLS_MAC_AEAD},
    {"aes-256-gcm", GNUTLS_CIPHER_AES_256_GCM, GNUTLS_MAC_AEAD},
    {"aes-128-ccm", GNUTLS_CIPHER_AES_128_CCM, GNUTLS_MAC_AEAD},
    {"chacha20-poly1305", GNUTLS_CIPHER_CHACHA20_POLY1305, GNUTLS_MAC_AEAD},
    {"aes-128-cbc", GNUTLS_CIPHER_AES_128_CBC, GNUTLS_MAC_NULL},
    {"aes-256-cbc", GNUTLS_CIPHER_AES_256_CBC, GNUTLS_MAC_NULL},
    {"3des-cbc", GNUTLS_CIPHER_3DES_CBC, GNUTLS_MAC_NULL},
    {"rc4", GNUTLS_CIPHER_ARCFOUR_128, GNUTLS_MAC_NULL},
    {"aes-128-cbc-hmac-sha1", GNUTLS_CIPHER_AES_128_CBC, GNUTLS_MAC_SHA1},
    {"aes-256-cbc-hmac-sha1", GNUTLS_CIPHER_AES_256_CBC, GNUTLS_MAC_SHA1},
    {"aes-128-cbc-hmac-sha256", GNUTLS_CIPHER_AES_128_CBC, GNUTLS_MAC_SHA256},
    {"aes-256-cbc-hmac-sha256", GNUTLS_CIPHER_AES_256_CBC, GNUTLS_MAC_SHA256},
};

struct cipher_operation {
    tlx_operation base;
    gnutls_aead_cipher_hd_t aead;
    gnutls_cipher_hd_t handle;
    gnutls_hmac_hd_t hmac;
};

/* ---- records -------------------------------------------------------------------------------------------------- */

static int seal(tlx_operation *base) {
    size_t length = base->length + TLX_TAG;
    unsigned char iv[TLX_NONCE];
    tlx_nonce(base, iv);
    base->record++;
    return gnutls_aead_cipher_encrypt(((struct cipher_operation *)base)->aead, iv, sizeof iv, base->additional_data,
                                      TLX_AAD, TLX_TAG, base->message, base->length, base->output, &length);
}

static int unseal(tlx_operation *base) {
    size_t length = base->length;
    unsigned char iv[TLX_NONCE];
    tlx_nonce(base, iv);
    return gnutls_aead_cipher_decrypt(((struct cipher_operation *)base)->aead, iv, sizeof iv, base->additional_data,
                                      TLX_AAD, TLX_TAG, base->message, base->length + TLX_TAG, base->output, &length);
}

static int encrypt(tlx_operation *base, const unsigned char *in, size_t length) {
    gnutls_cipher_hd_t handle = ((struct cipher_operation *)base)->handle;
    gnutls_cipher_set_iv(handle, base->iv, base->algorithm.iv_length);
    return gnutls_cipher_encrypt2(handle, in, length, base->output, length);
}

static int decrypt(tlx_operation *base, const unsigned char *in, size_t length) {
    gnutls_cipher_hd_t handle = ((struct cipher_operation *)base)->handle;
    gnutls_cipher_set_iv(handle, base->iv, base->algorithm.iv_length);
    return gnutls_cipher_decrypt2(handle, in, length, base->output, length);
}

static int cbc_encrypt(tlx_operation *base) { return encrypt(base, base->message, base->length); }

static int cbc_decrypt(tlx_operation *base) { return decrypt(base, base->message, base->length); }

static int stream_encrypt(tlx_operation *base) {
    return gnutls_cipher_encrypt2(((struct cipher_operation *)base)->handle, base->message, base->length, base->output,
                                  base->length);
}

static int stream_decrypt(tlx_operation *base) {
    return gnutls_cipher_decrypt2(((struct cipher_operation *)base)->handle, base->message, base->length, base->output,
                                  base->length);
}

/* The output of the library's MAC also begins the next one. */
static int mac(tlx_operation *base, const unsigned char *message, unsigned char *out) {
    gnutls_hmac_hd_t hmac = ((struct cipher_operation *)base)->hmac;
    int code = gnutls_hmac(hmac, base->additional_data, TLX_AAD);
    if (code >= 0)
        code = gnutls_hmac(hmac, message, base->length);
    gnutls_hmac_output(hmac, out);
    return code;
}

static int seal_composed(tlx_operation *base) { return tlx_seal_record(base, mac, encrypt); }

static int open_composed(tlx_operation *base) { return tlx_open_record(base, mac, decrypt, gnutls_memcmp); }

/* ---- setting up ----------------------------------------------------------------------------------------------- */

static int start_handle(tlx_operation *base) {
    struct cipher_operation *op = (struct cipher_operation *)base;
    gnutls_cipher_algorithm_t id = ((const struct cipher *)base->row)->id;
    gnutls_datum_t key = {base->key, (unsigned)base->algorithm.key_length};
    gnutls_datum_t iv = {base->iv, (unsigned)base->algorithm.iv_length};
    int code;
    if (base->algorithm.form == TLX_AEAD)
        code = gnutls_aead_cipher_init(&op->aead, id, &key);
    else
        code = gnutls_cipher_init(&op->handle, id, &key, iv.size > 0 ? &iv : NULL);
    if (code < 0) {
        op->aead = NULL;
        op->handle = NULL;
    }
    return code;
}

/* A stream cipher can begin anew only with a new handle. */
static int restart(tlx_operation *base) {
    gnutls_cipher_deinit(((struct cipher_operation *)base)->handle);
    return start_handle(base);
}

static int prepare(tlx_operation *base, const struct tlx_inputs *inputs) {
    static int (*const calls[][2])(tlx_operation *) = {
        [TLX_AEAD] = {seal, unseal},
        [TLX_CBC] = {cbc_encrypt, cbc_decrypt},
        [TLX_STREAM] = {stream_encrypt, stream_decrypt},
        [TLX_CBC_HMAC] = {seal_composed, open_composed},
    };
    gnutls_hmac_hd_t *hmac = &((struct cipher_operation *)base)->hmac;
    int code = start_handle(base);
    base->once = calls[base->algorithm.form][base->action];
    base->first = base->algorithm.form == TLX_STREAM ? restart : NULL;
    if (code < 0 || base->algorithm.form != TLX_CBC_HMAC)
        return code;
    code = gnutls_hmac_init(hmac, ((const struct cipher *)base->row)->mac, inputs->mac_key.data,
                            base->algorithm.mac_length);
    if (code < 0)
        *hmac = NULL;
    return code;
}

static void release(tlx_operation *base) {
    struct cipher_operation *op = (struct cipher_operation *)base;
    if (op->aead != NULL)
        gnutls_aead_cipher_deinit(op->aead);
    if (op->handle != NULL)
        gnutls_cipher_deinit(op->handle);
    if (op->hmac != NULL)
        gnutls_hmac_deinit(op->hmac, NULL);
}

static int has(tlx_operation *base) {
    int code = start_handle(base);
    release(base);
    return code >= 0;
}

const struct tlx_kind tlx_cipher = {
    TLX_KIND(ciphers, struct cipher_operation), .has = has, .prepare = prepare, .release = release};

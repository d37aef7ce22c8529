/* wolfSSL: encryption of records, authenticated, with a MAC, or alone.
 *
 * One object with its key set once, as the TLS stack keeps it per direction. Decryption opens the record number 0 of
 * the same key again and again, out of place. For CBC with HMAC, the stack sets the key of the MAC anew for every
 * record, and so does this.
 */

#include "wolfssl_backend.h"

#include <wolfssl/wolfcrypt/aes.h>
#include <wolfssl/wolfcrypt/arc4.h>
#include <wolfssl/wolfcrypt/chacha20_poly1305.h>
#include <wolfssl/wolfcrypt/des3.h>
#include <wolfssl/wolfcrypt/hmac.h>

enum kind { GCM, CCM, CHACHA, CBC, DES, STREAM };

static const struct cipher {
    const char *algorithm;
    enum kind kind;
} ciphers[] = {
    {"aes-128-gcm", GCM},
    {"aes-256-gcm", GCM},
    {"aes-128-ccm", CCM},
    {"chacha20-poly1305", CHACHA},
    {"aes-128-cbc", CBC},
    {"aes-256-cbc", CBC},
    {"3des-cbc", DES},
    {"rc4", STREAM},
};

struct tlx_operation {
    struct tlx_operation_base;
    const struct cipher *row;
    Aes aes;
    Des3 des;
    Arc4 arc4;
    ChaCha chacha;
    Poly1305 poly1305;
    Hmac hmac;
    int encrypt;
};

#include "../common/record.h"

/* ---- records -------------------------------------------------------------------------------------------------- */

/* A decryption stays at its record. */
static void nonce(tlx_operation *op, unsigned char *out) {
    tlx_nonce(op, out);
    op->record += (unsigned)op->encrypt;
}

typedef int seal_call(Aes *, byte *out, const byte *in, word32 length, const byte *iv, word32 iv_length, byte *tag,
                      word32 tag_length, const byte *additional, word32 additional_length);
typedef int open_call(Aes *, byte *out, const byte *in, word32 length, const byte *iv, word32 iv_length, const byte *tag,
                      word32 tag_length, const byte *additional, word32 additional_length);

/* The functions are known where this is called, so that nothing is called through a pointer. */
static inline __attribute__((always_inline)) int aead(tlx_operation *op, seal_call *seal, open_call *unseal) {
    unsigned char iv[TLX_NONCE];
    nonce(op, iv);
    if (op->encrypt)
        return seal(&op->aes, op->output, op->message, op->length, iv, TLX_NONCE, op->output + op->length, TLX_TAG,
                    op->additional_data, TLX_AAD);
    return unseal(&op->aes, op->output, op->message, op->length, iv, TLX_NONCE, op->message + op->length, TLX_TAG,
                  op->additional_data, TLX_AAD);
}

static int gcm(tlx_operation *op) { return aead(op, wc_AesGcmEncrypt, wc_AesGcmDecrypt); }

static int ccm(tlx_operation *op) { return aead(op, wc_AesCcmEncrypt, wc_AesCcmDecrypt); }

static int chacha(tlx_operation *op) {
    unsigned char iv[TLX_NONCE];
    nonce(op, iv);
    if (op->encrypt)
        return wc_ChaCha20Poly1305_Encrypt_ex(&op->chacha, &op->poly1305, op->output, op->message, op->length, iv,
                                              op->output + op->length, op->additional_data, TLX_AAD);
    return wc_ChaCha20Poly1305_Decrypt_ex(&op->chacha, &op->poly1305, op->output, op->message, op->length, iv,
                                          op->message + op->length, op->additional_data, TLX_AAD);
}

static int crypt_blocks(tlx_operation *op, const unsigned char *in, size_t length) {
    return wc_AesSetIV(&op->aes, op->iv)
           ?: (op->encrypt ? wc_AesCbcEncrypt(&op->aes, op->output, in, (word32)length)
                           : wc_AesCbcDecrypt(&op->aes, op->output, in, (word32)length));
}

static int cbc(tlx_operation *op) { return crypt_blocks(op, op->message, op->length); }

static int des(tlx_operation *op) {
    return wc_Des3_SetIV(&op->des, op->iv)
           ?: (op->encrypt ? wc_Des3_CbcEncrypt(&op->des, op->output, op->message, op->length)
                           : wc_Des3_CbcDecrypt(&op->des, op->output, op->message, op->length));
}

/* A stream cipher goes on from record to record. */
static int stream(tlx_operation *op) { return wc_Arc4Process(&op->arc4, op->output, op->message, op->length); }

static int mac(tlx_operation *op, const unsigned char *message, unsigned char *out) {
    int result = wc_HmacInit(&op->hmac, NULL, INVALID_DEVID)
                 ?: wc_HmacSetKey(&op->hmac, op->algorithm.mac_length == 20 ? WC_SHA : WC_SHA256, op->mac_key,
                                  op->algorithm.mac_length)
                 ?: wc_HmacUpdate(&op->hmac, op->additional_data, TLX_AAD)
                 ?: wc_HmacUpdate(&op->hmac, message, op->length)
                 ?: wc_HmacFinal(&op->hmac, out);
    wc_HmacFree(&op->hmac);
    return result;
}

static int seal_composed(tlx_operation *op) { return tlx_seal_record(op, mac, crypt_blocks); }

static int open_composed(tlx_operation *op) { return tlx_open_record(op, mac, crypt_blocks, memcmp); }

/* ---- setting up ----------------------------------------------------------------------------------------------- */

static int set_aes_key(tlx_operation *op) {
    word32 length = op->algorithm.key_length;
    switch (op->row->kind) {
    case GCM:
        return wc_AesGcmSetKey(&op->aes, op->key, length);
    case CCM:
        return wc_AesCcmSetKey(&op->aes, op->key, length);
    default:
        return wc_AesSetKey(&op->aes, op->key, length, op->iv, op->encrypt ? AES_ENCRYPTION : AES_DECRYPTION);
    }
}

static int set_key(tlx_operation *op) {
    word32 length = op->algorithm.key_length;
    switch (op->row->kind) {
    case CHACHA:
        return wc_Chacha_SetKey(&op->chacha, op->key, length);
    case DES:
        return wc_Des3Init(&op->des, NULL, INVALID_DEVID)
               ?: wc_Des3_SetKey(&op->des, op->key, op->iv, op->encrypt ? DES_ENCRYPTION : DES_DECRYPTION);
    case STREAM:
        return wc_Arc4Init(&op->arc4, NULL, INVALID_DEVID) ?: wc_Arc4SetKey(&op->arc4, op->key, length);
    default:
        return wc_AesInit(&op->aes, NULL, INVALID_DEVID) ?: set_aes_key(op);
    }
}

static int restart(tlx_operation *op) { return wc_Arc4SetKey(&op->arc4, op->key, op->algorithm.key_length); }

static int prepare(tlx_operation *op, const struct tlx_inputs *inputs) {
    static int (*const calls[])(tlx_operation *) = {
        [GCM] = gcm, [CCM] = ccm, [CHACHA] = chacha, [CBC] = cbc, [DES] = des, [STREAM] = stream};
    op->encrypt = op->action == TLX_ENCRYPT;
    op->first = op->row->kind == STREAM ? restart : NULL;
    if (op->once == NULL)
        op->once = calls[op->row->kind];
    return set_key(op);
}

static void release(tlx_operation *op) {
    switch (op->row->kind) {
    case CHACHA:
        break;
    case DES:
        wc_Des3Free(&op->des);
        break;
    case STREAM:
        wc_Arc4Free(&op->arc4);
        break;
    default:
        wc_AesFree(&op->aes);
    }
}

const struct tlx_kind tlx_cipher = {
    TLX_KIND(ciphers),
    .calls = {[TLX_CBC_HMAC] = {seal_composed, open_composed}},
    .prepare = prepare,
    .release = release};

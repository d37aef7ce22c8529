/* wolfSSL: encryption of records, authenticated, with a MAC, or alone.
 *
 * One object with its key set once, as the TLS stack keeps it per direction. Decryption opens the record number 0 of
 * the same key again and again, out of place. For CBC with HMAC, the stack sets the key of the MAC anew for every
 * record, and so does this.
 */

#include "wolfssl_operation.h"

#include "../common/record.h"

#include <wolfssl/wolfcrypt/aes.h>
#include <wolfssl/wolfcrypt/arc4.h>
#include <wolfssl/wolfcrypt/chacha20_poly1305.h>
#include <wolfssl/wolfcrypt/des3.h>
#include <wolfssl/wolfcrypt/hmac.h>

enum kind { GCM, CCM, CHACHA, CBC, DES, STREAM, CBC_HMAC };

static const struct cipher {
    const char *algorithm;
    enum kind kind;
    int mac;
} ciphers[] = {
    {"aes-128-gcm", GCM, 0},
    {"aes-256-gcm", GCM, 0},
    {"aes-128-ccm", CCM, 0},
    {"chacha20-poly1305", CHACHA, 0},
    {"aes-128-cbc", CBC, 0},
    {"aes-256-cbc", CBC, 0},
    {"3des-cbc", DES, 0},
    {"rc4", STREAM, 0},
    {"aes-128-cbc-hmac-sha1", CBC_HMAC, WC_SHA},
    {"aes-256-cbc-hmac-sha1", CBC_HMAC, WC_SHA},
    {"aes-128-cbc-hmac-sha256", CBC_HMAC, WC_SHA256},
    {"aes-256-cbc-hmac-sha256", CBC_HMAC, WC_SHA256},
};

struct cipher_operation {
    tlx_operation base;
    enum kind kind;
    Aes aes;
    Des3 des;
    Arc4 arc4;
    ChaCha chacha;
    Poly1305 poly1305;
    Hmac hmac;
    int encrypt;
};

/* ---- records -------------------------------------------------------------------------------------------------- */

/* A decryption stays at its record. */
static void nonce(struct cipher_operation *op, unsigned char *out) {
    tlx_nonce(&op->base, out);
    op->base.record += (unsigned)op->encrypt;
}

static int gcm(tlx_operation *base) {
    struct cipher_operation *op = (struct cipher_operation *)base;
    unsigned char iv[TLX_NONCE];
    nonce(op, iv);
    if (op->encrypt)
        return wc_AesGcmEncrypt(&op->aes, base->output, base->message, base->length, iv, TLX_NONCE,
                                base->output + base->length, TLX_TAG, base->additional_data, TLX_AAD);
    return wc_AesGcmDecrypt(&op->aes, base->output, base->message, base->length, iv, TLX_NONCE,
                            base->message + base->length, TLX_TAG, base->additional_data, TLX_AAD);
}

static int ccm(tlx_operation *base) {
    struct cipher_operation *op = (struct cipher_operation *)base;
    unsigned char iv[TLX_NONCE];
    nonce(op, iv);
    if (op->encrypt)
        return wc_AesCcmEncrypt(&op->aes, base->output, base->message, base->length, iv, TLX_NONCE,
                                base->output + base->length, TLX_TAG, base->additional_data, TLX_AAD);
    return wc_AesCcmDecrypt(&op->aes, base->output, base->message, base->length, iv, TLX_NONCE,
                            base->message + base->length, TLX_TAG, base->additional_data, TLX_AAD);
}

static int chacha(tlx_operation *base) {
    struct cipher_operation *op = (struct cipher_operation *)base;
    unsigned char iv[TLX_NONCE];
    nonce(op, iv);
    if (op->encrypt)
        return wc_ChaCha20Poly1305_Encrypt_ex(&op->chacha, &op->poly1305, base->output, base->message, base->length,
                                              iv, base->output + base->length, base->additional_data, TLX_AAD);
    return wc_ChaCha20Poly1305_Decrypt_ex(&op->chacha, &op->poly1305, base->output, base->message, base->length, iv,
                                          base->message + base->length, base->additional_data, TLX_AAD);
}

static int crypt_blocks(tlx_operation *base, const unsigned char *in, size_t length) {
    struct cipher_operation *op = (struct cipher_operation *)base;
    int result = wc_AesSetIV(&op->aes, base->iv);
    if (result != 0)
        return result;
    return op->encrypt ? wc_AesCbcEncrypt(&op->aes, base->output, in, (word32)length)
                       : wc_AesCbcDecrypt(&op->aes, base->output, in, (word32)length);
}

static int cbc(tlx_operation *base) { return crypt_blocks(base, base->message, base->length); }

static int des(tlx_operation *base) {
    struct cipher_operation *op = (struct cipher_operation *)base;
    int result = wc_Des3_SetIV(&op->des, base->iv);
    if (result != 0)
        return result;
    return op->encrypt ? wc_Des3_CbcEncrypt(&op->des, base->output, base->message, base->length)
                       : wc_Des3_CbcDecrypt(&op->des, base->output, base->message, base->length);
}

/* A stream cipher goes on from record to record. */
static int stream(tlx_operation *base) {
    return wc_Arc4Process(&((struct cipher_operation *)base)->arc4, base->output, base->message, base->length);
}

static int mac(tlx_operation *base, const unsigned char *message, unsigned char *out) {
    Hmac *hmac = &((struct cipher_operation *)base)->hmac;
    int result = wc_HmacInit(hmac, NULL, INVALID_DEVID);
    if (result == 0)
        result = wc_HmacSetKey(hmac, ((const struct cipher *)base->row)->mac, base->mac_key,
                               base->algorithm.mac_length);
    if (result == 0)
        result = wc_HmacUpdate(hmac, base->additional_data, TLX_AAD);
    if (result == 0)
        result = wc_HmacUpdate(hmac, message, base->length);
    if (result == 0)
        result = wc_HmacFinal(hmac, out);
    wc_HmacFree(hmac);
    return result;
}

static int seal_composed(tlx_operation *base) { return tlx_seal_record(base, mac, crypt_blocks); }

static int open_composed(tlx_operation *base) { return tlx_open_record(base, mac, crypt_blocks, memcmp); }

/* ---- setting up ----------------------------------------------------------------------------------------------- */

static int set_aes_key(struct cipher_operation *op) {
    word32 length = op->base.algorithm.key_length;
    switch (op->kind) {
    case GCM:
        return wc_AesGcmSetKey(&op->aes, op->base.key, length);
    case CCM:
        return wc_AesCcmSetKey(&op->aes, op->base.key, length);
    default:
        return wc_AesSetKey(&op->aes, op->base.key, length, op->base.iv,
                            op->encrypt ? AES_ENCRYPTION : AES_DECRYPTION);
    }
}

static int set_key(struct cipher_operation *op) {
    word32 length = op->base.algorithm.key_length;
    int result;
    switch (op->kind) {
    case CHACHA:
        return wc_Chacha_SetKey(&op->chacha, op->base.key, length);
    case DES:
        result = wc_Des3Init(&op->des, NULL, INVALID_DEVID);
        return result != 0 ? result
                           : wc_Des3_SetKey(&op->des, op->base.key, op->base.iv,
                                            op->encrypt ? DES_ENCRYPTION : DES_DECRYPTION);
    case STREAM:
        result = wc_Arc4Init(&op->arc4, NULL, INVALID_DEVID);
        return result != 0 ? result : wc_Arc4SetKey(&op->arc4, op->base.key, length);
    default:
        result = wc_AesInit(&op->aes, NULL, INVALID_DEVID);
        return result != 0 ? result : set_aes_key(op);
    }
}

static int restart(tlx_operation *base) {
    return wc_Arc4SetKey(&((struct cipher_operation *)base)->arc4, base->key, base->algorithm.key_length);
}

static int prepare(tlx_operation *base, const struct tlx_inputs *inputs) {
    static int (*const calls[])(tlx_operation *) = {
        [GCM] = gcm, [CCM] = ccm, [CHACHA] = chacha, [CBC] = cbc, [DES] = des, [STREAM] = stream};
    struct cipher_operation *op = (struct cipher_operation *)base;
    (void)inputs;
    op->kind = ((const struct cipher *)base->row)->kind;
    op->encrypt = base->action == TLX_ENCRYPT;
    base->first = op->kind == STREAM ? restart : NULL;
    if (op->kind == CBC_HMAC)
        base->once = op->encrypt ? seal_composed : open_composed;
    else
        base->once = calls[op->kind];
    return set_key(op);
}

static void release(tlx_operation *base) {
    struct cipher_operation *op = (struct cipher_operation *)base;
    switch (op->kind) {
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
    TLX_KIND(ciphers, struct cipher_operation), .prepare = prepare, .release = release};

/* wolfSSL: encryption of records, authenticated, with a MAC, or alone.
 *
 * One object with its key set once, as the TLS stack keeps it per direction. Decryption opens the record number 0 of
 * the same key again and again, out of place. For CBC with HMAC, the stack sets the key of the MAC anew for every
 * record, and so does this.
 */

#include "wolfssl_operation.h"

#include <wolfssl/wolfcrypt/aes.h>
#include <wolfssl/wolfcrypt/arc4.h>
#include <wolfssl/wolfcrypt/chacha20_poly1305.h>
#include <wolfssl/wolfcrypt/des3.h>
#include <wolfssl/wolfcrypt/hmac.h>

enum kind { GCM, CCM, CHACHA, CBC, DES, STREAM, CBC_HMAC };

static const struct cipher {
    const char *algorithm;
    enum kind kind;
    word32 key_length;
    int mac;
    word32 mac_length;
} ciphers[] = {
    {"aes-128-gcm", GCM, 16, 0, 0},
    {"aes-256-gcm", GCM, 32, 0, 0},
    {"aes-128-ccm", CCM, 16, 0, 0},
    {"chacha20-poly1305", CHACHA, 32, 0, 0},
    {"aes-128-cbc", CBC, 16, 0, 0},
    {"aes-256-cbc", CBC, 32, 0, 0},
    {"3des-cbc", DES, 24, 0, 0},
    {"rc4", STREAM, 16, 0, 0},
    {"aes-128-cbc-hmac-sha1", CBC_HMAC, 16, WC_SHA, 20},
    {"aes-256-cbc-hmac-sha1", CBC_HMAC, 32, WC_SHA, 20},
    {"aes-128-cbc-hmac-sha256", CBC_HMAC, 16, WC_SHA256, 32},
    {"aes-256-cbc-hmac-sha256", CBC_HMAC, 32, WC_SHA256, 32},
};

enum { TAG = 16, NONCE = 12, AAD = 13, BLOCK = 16, LONGEST = 0xffff - 128 };

struct cipher_operation {
    tlx_operation base;
    const struct cipher *cipher;
    Aes aes;
    Des3 des;
    Arc4 arc4;
    ChaCha chacha;
    Poly1305 poly1305;
    Hmac hmac;
    int encrypt;
    uint64_t record;
    unsigned char key[64], mac_key[64], iv[BLOCK], additional_data[AAD];
};

static int prepare(struct cipher_operation *);
static int take_sealed(struct cipher_operation *, const struct tlx_inputs *);
static int restart(tlx_operation *);
static void release(tlx_operation *);

static const struct cipher *find(const char *algorithm) {
    for (size_t i = 0; i < sizeof ciphers / sizeof *ciphers; i++)
        if (strcmp(ciphers[i].algorithm, algorithm) == 0)
            return &ciphers[i];
    return NULL;
}

int tlx_cipher_has(const char *algorithm) { return find(algorithm) != NULL; }

int tlx_cipher_new(const char *algorithm, int encrypt, const struct tlx_inputs *inputs, tlx_operation **made) {
    const struct cipher *cipher = find(algorithm);
    struct cipher_operation *op;
    int result;
    if (cipher->kind == CBC_HMAC && inputs->message.length > LONGEST)
        return tlx_unsupported("records longer than their length field can say");
    op = (struct cipher_operation *)tlx_operation_alloc(sizeof *op, 0, inputs);
    if (op == NULL)
        return tlx_fail("allocating a cipher operation", MEMORY_E);
    op->base.first = restart;
    op->base.release = release;
    op->cipher = cipher;
    op->encrypt = encrypt;
    memcpy(op->key, inputs->key.data, sizeof op->key);
    memcpy(op->mac_key, inputs->mac_key.data, sizeof op->mac_key);
    memcpy(op->iv, inputs->iv.data, sizeof op->iv);
    memcpy(op->additional_data, inputs->additional_data.data, AAD);
    result = prepare(op);
    result = result != 0 ? tlx_fail(algorithm, result) : encrypt ? TLX_OK : take_sealed(op, inputs);
    if (result != TLX_OK) {
        tlx_operation_free(&op->base);
        return result;
    }
    *made = &op->base;
    return TLX_OK;
}

/* ---- setting up ----------------------------------------------------------------------------------------------- */

static int gcm(tlx_operation *);
static int ccm(tlx_operation *);
static int chacha(tlx_operation *);
static int cbc(tlx_operation *);
static int des(tlx_operation *);
static int stream(tlx_operation *);
static int seal_composed(tlx_operation *);
static int open_composed(tlx_operation *);

static int set_aes_key(struct cipher_operation *op) {
    switch (op->cipher->kind) {
    case GCM:
        return wc_AesGcmSetKey(&op->aes, op->key, op->cipher->key_length);
    case CCM:
        return wc_AesCcmSetKey(&op->aes, op->key, op->cipher->key_length);
    default:
        return wc_AesSetKey(&op->aes, op->key, op->cipher->key_length, op->iv,
                            op->encrypt ? AES_ENCRYPTION : AES_DECRYPTION);
    }
}

static int prepare(struct cipher_operation *op) {
    int (*const once[])(tlx_operation *) = {
        [GCM] = gcm, [CCM] = ccm, [CHACHA] = chacha, [CBC] = cbc, [DES] = des, [STREAM] = stream,
        [CBC_HMAC] = op->encrypt ? seal_composed : open_composed,
    };
    word32 length = op->base.length;
    int result;
    op->base.once = once[op->cipher->kind];
    op->base.output_length = length;
    if (op->encrypt && op->cipher->kind <= CHACHA)
        op->base.output_length = length + TAG;
    if (op->encrypt && op->cipher->kind == CBC_HMAC)
        op->base.output_length = (length + op->cipher->mac_length + BLOCK) / BLOCK * BLOCK;
    switch (op->cipher->kind) {
    case CHACHA:
        return wc_Chacha_SetKey(&op->chacha, op->key, op->cipher->key_length);
    case DES:
        result = wc_Des3Init(&op->des, NULL, INVALID_DEVID);
        return result != 0 ? result
                           : wc_Des3_SetKey(&op->des, op->key, op->iv, op->encrypt ? DES_ENCRYPTION : DES_DECRYPTION);
    case STREAM:
        result = wc_Arc4Init(&op->arc4, NULL, INVALID_DEVID);
        return result != 0 ? result : wc_Arc4SetKey(&op->arc4, op->key, op->cipher->key_length);
    default:
        result = wc_AesInit(&op->aes, NULL, INVALID_DEVID);
        return result != 0 ? result : set_aes_key(op);
    }
}

/* Makes the record that a decryption opens, with the opposite operation on the same inputs. */
static int take_sealed(struct cipher_operation *op, const struct tlx_inputs *inputs) {
    tlx_operation *sealer = NULL;
    struct tlx_bytes sealed;
    int result = tlx_cipher_new(op->cipher->algorithm, 1, inputs, &sealer);
    if (result == TLX_OK)
        result = tlx_operation_answer(sealer, &sealed);
    if (result == TLX_OK)
        memcpy(op->base.message, sealed.data, sealed.length);
    tlx_operation_free(sealer);
    return result;
}

static int restart(tlx_operation *base) {
    struct cipher_operation *op = (struct cipher_operation *)base;
    op->record = 0;
    return op->cipher->kind == STREAM ? wc_Arc4SetKey(&op->arc4, op->key, op->cipher->key_length) : 0;
}

static void release(tlx_operation *base) {
    struct cipher_operation *op = (struct cipher_operation *)base;
    switch (op->cipher->kind) {
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

/* ---- records -------------------------------------------------------------------------------------------------- */

/* RFC 8446 5.3: the record number, big-endian, xor-ed into the end of the IV. A decryption stays at its record. */
static void nonce(struct cipher_operation *op, unsigned char *out) {
    memcpy(out, op->iv, NONCE);
    for (int i = 0; i < 8; i++)
        out[NONCE - 1 - i] ^= (unsigned char)(op->record >> (8 * i));
    op->record += (unsigned)op->encrypt;
}

static int gcm(tlx_operation *base) {
    struct cipher_operation *op = (struct cipher_operation *)base;
    unsigned char iv[NONCE];
    nonce(op, iv);
    if (op->encrypt)
        return wc_AesGcmEncrypt(&op->aes, base->output, base->message, base->length, iv, NONCE,
                                base->output + base->length, TAG, op->additional_data, AAD);
    return wc_AesGcmDecrypt(&op->aes, base->output, base->message, base->length, iv, NONCE,
                            base->message + base->length, TAG, op->additional_data, AAD);
}

static int ccm(tlx_operation *base) {
    struct cipher_operation *op = (struct cipher_operation *)base;
    unsigned char iv[NONCE];
    nonce(op, iv);
    if (op->encrypt)
        return wc_AesCcmEncrypt(&op->aes, base->output, base->message, base->length, iv, NONCE,
                                base->output + base->length, TAG, op->additional_data, AAD);
    return wc_AesCcmDecrypt(&op->aes, base->output, base->message, base->length, iv, NONCE,
                            base->message + base->length, TAG, op->additional_data, AAD);
}

static int chacha(tlx_operation *base) {
    struct cipher_operation *op = (struct cipher_operation *)base;
    unsigned char iv[NONCE];
    nonce(op, iv);
    if (op->encrypt)
        return wc_ChaCha20Poly1305_Encrypt_ex(&op->chacha, &op->poly1305, base->output, base->message, base->length,
                                              iv, base->output + base->length, op->additional_data, AAD);
    return wc_ChaCha20Poly1305_Decrypt_ex(&op->chacha, &op->poly1305, base->output, base->message, base->length, iv,
                                          base->message + base->length, op->additional_data, AAD);
}

/* From `in` to the output, with the first IV. */
static int aes_cbc(struct cipher_operation *op, const unsigned char *in, word32 length) {
    int result = wc_AesSetIV(&op->aes, op->iv);
    if (result != 0)
        return result;
    return op->encrypt ? wc_AesCbcEncrypt(&op->aes, op->base.output, in, length)
                       : wc_AesCbcDecrypt(&op->aes, op->base.output, in, length);
}

static int cbc(tlx_operation *base) {
    return aes_cbc((struct cipher_operation *)base, base->message, base->length);
}

static int des(tlx_operation *base) {
    struct cipher_operation *op = (struct cipher_operation *)base;
    int result = wc_Des3_SetIV(&op->des, op->iv);
    if (result != 0)
        return result;
    return op->encrypt ? wc_Des3_CbcEncrypt(&op->des, base->output, base->message, base->length)
                       : wc_Des3_CbcDecrypt(&op->des, base->output, base->message, base->length);
}

/* A stream cipher goes on from record to record. */
static int stream(tlx_operation *base) {
    struct cipher_operation *op = (struct cipher_operation *)base;
    return wc_Arc4Process(&op->arc4, base->output, base->message, base->length);
}

/* RFC 5246 6.2.3.1: the additional data are the header that is authenticated with the message. */
static int mac(struct cipher_operation *op, const unsigned char *message, unsigned char *out) {
    int result = wc_HmacInit(&op->hmac, NULL, INVALID_DEVID);
    if (result == 0)
        result = wc_HmacSetKey(&op->hmac, op->cipher->mac, op->mac_key, op->cipher->mac_length);
    if (result == 0)
        result = wc_HmacUpdate(&op->hmac, op->additional_data, AAD);
    if (result == 0)
        result = wc_HmacUpdate(&op->hmac, message, op->base.length);
    if (result == 0)
        result = wc_HmacFinal(&op->hmac, out);
    wc_HmacFree(&op->hmac);
    return result;
}

static int seal_composed(tlx_operation *base) {
    struct cipher_operation *op = (struct cipher_operation *)base;
    word32 plain = base->length + op->cipher->mac_length;
    word32 record = (plain + BLOCK) / BLOCK * BLOCK;
    unsigned char *out = base->output;
    int result;
    memcpy(out, base->message, base->length);
    result = mac(op, out, out + base->length);
    if (result != 0)
        return result;
    memset(out + plain, (int)(record - plain - 1), record - plain);
    return aes_cbc(op, out, record);
}

/* Unlike the TLS stack's, this check of padding and MAC takes a time that depends on the data; the record is always
 * valid. */
static int open_composed(tlx_operation *base) {
    struct cipher_operation *op = (struct cipher_operation *)base;
    word32 plain = base->length + op->cipher->mac_length;
    word32 record = (plain + BLOCK) / BLOCK * BLOCK;
    unsigned char expected[WC_MAX_DIGEST_SIZE], *out = base->output;
    int result = aes_cbc(op, base->message, record);
    if (result == 0)
        result = mac(op, out, expected);
    if (result != 0)
        return result;
    if (out[record - 1] != record - plain - 1 || memcmp(expected, out + base->length, op->cipher->mac_length) != 0)
        return MAC_CMP_FAILED_E;
    return 0;
}

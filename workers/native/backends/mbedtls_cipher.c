/* Mbed TLS: encryption of records, authenticated, with a MAC, or alone.
 *
 * The calls of mbedtls_ssl_encrypt_buf and mbedtls_ssl_decrypt_buf: one context with its key set once, kept per
 * direction, and one call for each record. Decryption opens the record number 0 of the same key again and again, out of
 * place.
 */

#include "mbedtls_operation.h"

#include <mbedtls/cipher.h>
#include <mbedtls/constant_time.h>
#include <mbedtls/md.h>
#include <string.h>

enum kind { AEAD, CBC, CBC_HMAC };

static const struct cipher {
    const char *algorithm;
    enum kind kind;
    mbedtls_cipher_type_t type;
    mbedtls_md_type_t digest; /* CBC_HMAC: of the MAC */
} ciphers[] = {
    {"aes-128-gcm", AEAD, MBEDTLS_CIPHER_AES_128_GCM, MBEDTLS_MD_NONE},
    {"aes-256-gcm", AEAD, MBEDTLS_CIPHER_AES_256_GCM, MBEDTLS_MD_NONE},
    {"aes-128-ccm", AEAD, MBEDTLS_CIPHER_AES_128_CCM, MBEDTLS_MD_NONE},
    {"chacha20-poly1305", AEAD, MBEDTLS_CIPHER_CHACHA20_POLY1305, MBEDTLS_MD_NONE},
    {"aes-128-cbc", CBC, MBEDTLS_CIPHER_AES_128_CBC, MBEDTLS_MD_NONE},
    {"aes-256-cbc", CBC, MBEDTLS_CIPHER_AES_256_CBC, MBEDTLS_MD_NONE},
    {"3des-cbc", CBC, MBEDTLS_CIPHER_DES_EDE3_CBC, MBEDTLS_MD_NONE},
    {"aes-128-cbc-hmac-sha1", CBC_HMAC, MBEDTLS_CIPHER_AES_128_CBC, MBEDTLS_MD_SHA1},
    {"aes-256-cbc-hmac-sha1", CBC_HMAC, MBEDTLS_CIPHER_AES_256_CBC, MBEDTLS_MD_SHA1},
    {"aes-128-cbc-hmac-sha256", CBC_HMAC, MBEDTLS_CIPHER_AES_128_CBC, MBEDTLS_MD_SHA256},
    {"aes-256-cbc-hmac-sha256", CBC_HMAC, MBEDTLS_CIPHER_AES_256_CBC, MBEDTLS_MD_SHA256},
};

enum { TAG = 16, AAD = 13, NONCE = 12, BLOCK = 16, LONGEST = 0xffff - 128 };

struct cipher_operation {
    tlx_operation base;
    const struct cipher *cipher;
    mbedtls_cipher_context_t context;
    mbedtls_md_context_t hmac; /* CBC_HMAC */
    size_t mac_length;
    uint64_t record;
    unsigned char iv[16], additional_data[AAD];
};

static int prepare(struct cipher_operation *, int encrypt, const struct tlx_inputs *);
static int take_sealed(struct cipher_operation *, const struct tlx_inputs *);
static int restart(tlx_operation *);
static void release(tlx_operation *);

static const struct cipher *find(const char *algorithm) {
    for (size_t i = 0; i < COUNT(ciphers); i++)
        if (strcmp(ciphers[i].algorithm, algorithm) == 0)
            return &ciphers[i];
    return NULL;
}

int mbed_cipher_has(const char *algorithm) {
    const struct cipher *cipher = find(algorithm);
    if (cipher == NULL)
        return -1;
    return mbedtls_cipher_info_from_type(cipher->type) != NULL
           && (cipher->kind != CBC_HMAC || mbedtls_md_info_from_type(cipher->digest) != NULL);
}

int mbed_cipher_new(const char *algorithm, int encrypt, const struct tlx_inputs *inputs, tlx_operation **made) {
    const struct cipher *cipher = find(algorithm);
    struct cipher_operation *op;
    int error, result = TLX_OK;
    if (cipher->kind == CBC_HMAC && inputs->message.length > LONGEST)
        return tlx_unsupported("records longer than their length field can say");
    op = (struct cipher_operation *)mbed_operation_alloc(sizeof *op, 0, inputs);
    if (op == NULL)
        return mbed_fail("allocating a cipher operation", WRONG);
    op->base.first = restart;
    op->base.release = release;
    op->cipher = cipher;
    memcpy(op->iv, inputs->iv.data, sizeof op->iv);
    memcpy(op->additional_data, inputs->additional_data.data, AAD);
    mbedtls_cipher_init(&op->context);
    mbedtls_md_init(&op->hmac);
    error = prepare(op, encrypt, inputs);
    if (error != 0)
        result = mbed_fail(algorithm, error);
    else if (!encrypt)
        result = take_sealed(op, inputs);
    if (result != TLX_OK) {
        tlx_operation_free(&op->base);
        return result;
    }
    *made = &op->base;
    return TLX_OK;
}

/* ---- setting up ----------------------------------------------------------------------------------------------- */

static int seal(tlx_operation *);
static int unseal(tlx_operation *);
static int cbc(tlx_operation *);
static int seal_composed(tlx_operation *);
static int open_composed(tlx_operation *);
static size_t composed_length(const struct cipher_operation *);

static int prepare(struct cipher_operation *op, int encrypt, const struct tlx_inputs *inputs) {
    const mbedtls_cipher_info_t *info = mbedtls_cipher_info_from_type(op->cipher->type);
    int error = mbedtls_cipher_setup(&op->context, info);
    op->base.output_length = op->base.length;
    if (error == 0)
        error = mbedtls_cipher_setkey(&op->context, inputs->key.data, (int)mbedtls_cipher_info_get_key_bitlen(info),
                                      encrypt ? MBEDTLS_ENCRYPT : MBEDTLS_DECRYPT);
    if (op->cipher->kind == AEAD) {
        op->base.once = encrypt ? seal : unseal;
        op->base.output_length += encrypt ? TAG : 0;
        return error;
    }
    if (error == 0)
        error = mbedtls_cipher_set_padding_mode(&op->context, MBEDTLS_PADDING_NONE);
    op->base.once = cbc;
    if (error != 0 || op->cipher->kind == CBC)
        return error;
    op->base.once = encrypt ? seal_composed : open_composed;
    op->mac_length = mbedtls_md_get_size(mbedtls_md_info_from_type(op->cipher->digest));
    if (encrypt)
        op->base.output_length = composed_length(op);
    error = mbedtls_md_setup(&op->hmac, mbedtls_md_info_from_type(op->cipher->digest), 1);
    return error != 0 ? error : mbedtls_md_hmac_starts(&op->hmac, inputs->mac_key.data, op->mac_length);
}

/* Makes the record that a decryption opens, with the opposite operation on the same inputs. */
static int take_sealed(struct cipher_operation *op, const struct tlx_inputs *inputs) {
    tlx_operation *sealer = NULL;
    struct tlx_bytes sealed;
    int result = mbed_cipher_new(op->cipher->algorithm, 1, inputs, &sealer);
    if (result == TLX_OK)
        result = tlx_operation_answer(sealer, &sealed);
    if (result == TLX_OK)
        memcpy(op->base.message, sealed.data, sealed.length);
    tlx_operation_free(sealer);
    return result;
}

static int restart(tlx_operation *base) {
    ((struct cipher_operation *)base)->record = 0;
    return 0;
}

static void release(tlx_operation *base) {
    struct cipher_operation *op = (struct cipher_operation *)base;
    mbedtls_cipher_free(&op->context);
    mbedtls_md_free(&op->hmac);
}

/* ---- records -------------------------------------------------------------------------------------------------- */

/* RFC 8446 5.3: the record number, big-endian, xor-ed into the end of the IV. */
static void nonce(const struct cipher_operation *op, unsigned char *out) {
    memcpy(out, op->iv, NONCE);
    for (int i = 0; i < 8; i++)
        out[NONCE - 1 - i] ^= (unsigned char)(op->record >> (8 * i));
}

static int seal(tlx_operation *base) {
    struct cipher_operation *op = (struct cipher_operation *)base;
    unsigned char iv[NONCE];
    size_t made;
    nonce(op, iv);
    op->record++;
    return mbedtls_cipher_auth_encrypt_ext(&op->context, iv, NONCE, op->additional_data, AAD, base->message,
                                           base->length, base->output, base->length + TAG, &made, TAG);
}

static int unseal(tlx_operation *base) {
    struct cipher_operation *op = (struct cipher_operation *)base;
    unsigned char iv[NONCE];
    size_t made;
    nonce(op, iv);
    return mbedtls_cipher_auth_decrypt_ext(&op->context, iv, NONCE, op->additional_data, AAD, base->message,
                                           base->length + TAG, base->output, base->length, &made, TAG);
}

static int crypt_blocks(struct cipher_operation *op, const unsigned char *in, size_t length, unsigned char *out) {
    size_t made;
    return mbedtls_cipher_crypt(&op->context, op->iv, (size_t)mbedtls_cipher_get_iv_size(&op->context), in, length,
                                out, &made);
}

static int cbc(tlx_operation *base) {
    return crypt_blocks((struct cipher_operation *)base, base->message, base->length, base->output);
}

static int mac(struct cipher_operation *op, const unsigned char *message, unsigned char *out) {
    int error = mbedtls_md_hmac_update(&op->hmac, op->additional_data, AAD);
    if (error == 0)
        error = mbedtls_md_hmac_update(&op->hmac, message, op->base.length);
    if (error == 0)
        error = mbedtls_md_hmac_finish(&op->hmac, out);
    return error != 0 ? error : mbedtls_md_hmac_reset(&op->hmac);
}

/* Message, MAC and at least one byte of padding, in whole blocks. */
static size_t composed_length(const struct cipher_operation *op) {
    return (op->base.length + op->mac_length + BLOCK) / BLOCK * BLOCK;
}

static int seal_composed(tlx_operation *base) {
    struct cipher_operation *op = (struct cipher_operation *)base;
    size_t plain = base->length + op->mac_length, record = composed_length(op);
    unsigned char *out = base->output;
    int error;
    memcpy(out, base->message, base->length);
    error = mac(op, out, out + base->length);
    memset(out + plain, (int)(record - plain - 1), record - plain);
    return error != 0 ? error : crypt_blocks(op, out, record, out);
}

/* Unlike that of the TLS stack, this check of MAC and padding takes a time that depends on the data, and one HMAC less:
 * the function that hides it is not in the library's interface. */
static int open_composed(tlx_operation *base) {
    struct cipher_operation *op = (struct cipher_operation *)base;
    size_t plain = base->length + op->mac_length, record = composed_length(op);
    unsigned char expected[MBEDTLS_MD_MAX_SIZE], *out = base->output;
    int error = crypt_blocks(op, base->message, record, out);
    if (error == 0)
        error = mac(op, out, expected);
    if (error == 0 && (out[record - 1] != record - plain - 1
                       || mbedtls_ct_memcmp(expected, out + base->length, op->mac_length) != 0))
        error = WRONG;
    return error;
}

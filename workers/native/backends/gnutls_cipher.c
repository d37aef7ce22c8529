/* GnuTLS: encryption of records, authenticated, with a MAC, or alone.
 *
 * One handle with its key set once, as a connection keeps it per direction. Decryption opens the record number 0 of
 * the same key again and again, out of place. CBC with HMAC is composed of both, as the library's own record layer does
 * without encrypt-then-MAC.
 */

#include "gnutls_operation.h"

enum kind { AEAD, CBC, STREAM, CBC_HMAC };

static const struct cipher {
    const char *algorithm;
    enum kind kind;
    gnutls_cipher_algorithm_t id;
    size_t key_length, iv_length;
    gnutls_mac_algorithm_t mac;
    size_t mac_length;
} ciphers[] = {
    {"aes-128-gcm", AEAD, GNUTLS_CIPHER_AES_128_GCM, 16, 12, GNUTLS_MAC_AEAD, 16},
    {"aes-256-gcm", AEAD, GNUTLS_CIPHER_AES_256_GCM, 32, 12, GNUTLS_MAC_AEAD, 16},
    {"aes-128-ccm", AEAD, GNUTLS_CIPHER_AES_128_CCM, 16, 12, GNUTLS_MAC_AEAD, 16},
    {"chacha20-poly1305", AEAD, GNUTLS_CIPHER_CHACHA20_POLY1305, 32, 12, GNUTLS_MAC_AEAD, 16},
    {"aes-128-cbc", CBC, GNUTLS_CIPHER_AES_128_CBC, 16, 16, GNUTLS_MAC_NULL, 0},
    {"aes-256-cbc", CBC, GNUTLS_CIPHER_AES_256_CBC, 32, 16, GNUTLS_MAC_NULL, 0},
    {"3des-cbc", CBC, GNUTLS_CIPHER_3DES_CBC, 24, 8, GNUTLS_MAC_NULL, 0},
    {"rc4", STREAM, GNUTLS_CIPHER_ARCFOUR_128, 16, 0, GNUTLS_MAC_NULL, 0},
    {"aes-128-cbc-hmac-sha1", CBC_HMAC, GNUTLS_CIPHER_AES_128_CBC, 16, 16, GNUTLS_MAC_SHA1, 20},
    {"aes-256-cbc-hmac-sha1", CBC_HMAC, GNUTLS_CIPHER_AES_256_CBC, 32, 16, GNUTLS_MAC_SHA1, 20},
    {"aes-128-cbc-hmac-sha256", CBC_HMAC, GNUTLS_CIPHER_AES_128_CBC, 16, 16, GNUTLS_MAC_SHA256, 32},
    {"aes-256-cbc-hmac-sha256", CBC_HMAC, GNUTLS_CIPHER_AES_256_CBC, 32, 16, GNUTLS_MAC_SHA256, 32},
};

enum { TAG = 16, AAD = 13, BLOCK = 16, LONGEST_MAC = 64, LONGEST = 0xffff - 128 };

struct cipher_operation {
    tlx_operation base;
    const struct cipher *cipher;
    gnutls_aead_cipher_hd_t aead;
    gnutls_cipher_hd_t handle;
    gnutls_hmac_hd_t hmac;
    uint64_t record;
    unsigned char key[64], iv[16], additional_data[AAD];
};

static int start_handle(struct cipher_operation *);
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

int tlx_cipher_has(const char *algorithm) {
    struct cipher_operation trial = {.cipher = find(algorithm)};
    int code;
    if (trial.cipher == NULL)
        return -1;
    memset(trial.key, 1, sizeof trial.key);
    code = start_handle(&trial);
    release(&trial.base);
    return code >= 0;
}

int tlx_cipher_new(const char *algorithm, int encrypt, const struct tlx_inputs *inputs, tlx_operation **made) {
    const struct cipher *cipher = find(algorithm);
    struct cipher_operation *op;
    int code;
    if (cipher->kind == CBC_HMAC && inputs->message.length > LONGEST)
        return tlx_unsupported("records longer than their length field can say");
    op = (struct cipher_operation *)tlx_operation_alloc(sizeof *op, 0, inputs);
    if (op == NULL)
        return tlx_fail("allocating a cipher operation", GNUTLS_E_MEMORY_ERROR);
    op->base.first = restart;
    op->base.release = release;
    op->cipher = cipher;
    memcpy(op->key, inputs->key.data, cipher->key_length);
    memcpy(op->iv, inputs->iv.data, cipher->iv_length);
    memcpy(op->additional_data, inputs->additional_data.data, AAD);
    code = prepare(op, encrypt, inputs);
    if (code >= 0 && !encrypt)
        code = take_sealed(op, inputs);
    if (code < 0) {
        tlx_operation_free(&op->base);
        return tlx_fail(algorithm, code);
    }
    *made = &op->base;
    return TLX_OK;
}

/* ---- setting up ----------------------------------------------------------------------------------------------- */

static int seal(tlx_operation *);
static int unseal(tlx_operation *);
static int cbc_encrypt(tlx_operation *);
static int cbc_decrypt(tlx_operation *);
static int stream_encrypt(tlx_operation *);
static int stream_decrypt(tlx_operation *);
static int seal_composed(tlx_operation *);
static int open_composed(tlx_operation *);

static int start_handle(struct cipher_operation *op) {
    const struct cipher *cipher = op->cipher;
    gnutls_datum_t key = {op->key, (unsigned)cipher->key_length}, iv = {op->iv, (unsigned)cipher->iv_length};
    int code;
    if (cipher->kind == AEAD)
        code = gnutls_aead_cipher_init(&op->aead, cipher->id, &key);
    else
        code = gnutls_cipher_init(&op->handle, cipher->id, &key, cipher->iv_length > 0 ? &iv : NULL);
    if (code < 0) {
        op->aead = NULL;
        op->handle = NULL;
    }
    return code;
}

static int prepare(struct cipher_operation *op, int encrypt, const struct tlx_inputs *inputs) {
    static int (*const calls[][2])(tlx_operation *) = {
        [AEAD] = {unseal, seal},
        [CBC] = {cbc_decrypt, cbc_encrypt},
        [STREAM] = {stream_decrypt, stream_encrypt},
        [CBC_HMAC] = {open_composed, seal_composed},
    };
    const struct cipher *cipher = op->cipher;
    int code = start_handle(op);
    op->base.once = calls[cipher->kind][encrypt];
    op->base.output_length = op->base.length;
    if (cipher->kind == AEAD && encrypt)
        op->base.output_length += TAG;
    if (cipher->kind == CBC_HMAC && encrypt)
        op->base.output_length = (op->base.length + cipher->mac_length + BLOCK) / BLOCK * BLOCK;
    if (code >= 0 && cipher->kind == CBC_HMAC) {
        code = gnutls_hmac_init(&op->hmac, cipher->mac, inputs->mac_key.data, cipher->mac_length);
        if (code < 0)
            op->hmac = NULL;
    }
    return code;
}

/* Makes the record that a decryption opens, with the opposite operation on the same inputs. */
static int take_sealed(struct cipher_operation *op, const struct tlx_inputs *inputs) {
    tlx_operation *sealer = NULL;
    struct tlx_bytes sealed;
    int done = tlx_cipher_new(op->cipher->algorithm, 1, inputs, &sealer) == TLX_OK
               && tlx_operation_answer(sealer, &sealed) == TLX_OK;
    if (done)
        memcpy(op->base.message, sealed.data, sealed.length);
    tlx_operation_free(sealer);
    return done ? 0 : GNUTLS_E_ENCRYPTION_FAILED;
}

/* A stream cipher can begin anew only with a new handle. */
static int restart(tlx_operation *base) {
    struct cipher_operation *op = (struct cipher_operation *)base;
    op->record = 0;
    if (op->cipher->kind != STREAM)
        return 0;
    gnutls_cipher_deinit(op->handle);
    return start_handle(op);
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

/* ---- operations ----------------------------------------------------------------------------------------------- */

/* RFC 8446 5.3: the record number, big-endian, xor-ed into the end of the IV. */
static void nonce(const struct cipher_operation *op, unsigned char *out) {
    memcpy(out, op->iv, 12);
    for (int i = 0; i < 8; i++)
        out[11 - i] ^= (unsigned char)(op->record >> (8 * i));
}

static int seal(tlx_operation *base) {
    struct cipher_operation *op = (struct cipher_operation *)base;
    size_t length = base->length + TAG;
    unsigned char iv[12];
    nonce(op, iv);
    op->record++;
    return gnutls_aead_cipher_encrypt(op->aead, iv, sizeof iv, op->additional_data, AAD, TAG, base->message,
                                      base->length, base->output, &length);
}

static int unseal(tlx_operation *base) {
    struct cipher_operation *op = (struct cipher_operation *)base;
    size_t length = base->length;
    unsigned char iv[12];
    nonce(op, iv);
    return gnutls_aead_cipher_decrypt(op->aead, iv, sizeof iv, op->additional_data, AAD, TAG, base->message,
                                      base->length + TAG, base->output, &length);
}

static int cbc_encrypt(tlx_operation *base) {
    struct cipher_operation *op = (struct cipher_operation *)base;
    gnutls_cipher_set_iv(op->handle, op->iv, op->cipher->iv_length);
    return gnutls_cipher_encrypt2(op->handle, base->message, base->length, base->output, base->length);
}

static int cbc_decrypt(tlx_operation *base) {
    struct cipher_operation *op = (struct cipher_operation *)base;
    gnutls_cipher_set_iv(op->handle, op->iv, op->cipher->iv_length);
    return gnutls_cipher_decrypt2(op->handle, base->message, base->length, base->output, base->length);
}

static int stream_encrypt(tlx_operation *base) {
    struct cipher_operation *op = (struct cipher_operation *)base;
    return gnutls_cipher_encrypt2(op->handle, base->message, base->length, base->output, base->length);
}

static int stream_decrypt(tlx_operation *base) {
    struct cipher_operation *op = (struct cipher_operation *)base;
    return gnutls_cipher_decrypt2(op->handle, base->message, base->length, base->output, base->length);
}

/* RFC 5246 6.2.3.1; the output of the library's MAC also begins the next one. */
static int mac(struct cipher_operation *op, const unsigned char *message, unsigned char *out) {
    unsigned char header[AAD];
    int code;
    memcpy(header, op->additional_data, AAD - 2);
    header[AAD - 2] = (unsigned char)(op->base.length >> 8);
    header[AAD - 1] = (unsigned char)op->base.length;
    code = gnutls_hmac(op->hmac, header, AAD);
    if (code >= 0)
        code = gnutls_hmac(op->hmac, message, op->base.length);
    gnutls_hmac_output(op->hmac, out);
    return code;
}

static int seal_composed(tlx_operation *base) {
    struct cipher_operation *op = (struct cipher_operation *)base;
    size_t plain = base->length + op->cipher->mac_length, record = (plain + BLOCK) / BLOCK * BLOCK;
    unsigned char *out = base->output;
    int code;
    memcpy(out, base->message, base->length);
    code = mac(op, out, out + base->length);
    if (code < 0)
        return code;
    memset(out + plain, (int)(record - plain - 1), record - plain);
    gnutls_cipher_set_iv(op->handle, op->iv, op->cipher->iv_length);
    return gnutls_cipher_encrypt2(op->handle, out, record, out, record);
}

/* Unlike the library's own, this check of the padding takes a time that depends on the data; the record is always
 * valid. */
static int open_composed(tlx_operation *base) {
    struct cipher_operation *op = (struct cipher_operation *)base;
    size_t plain = base->length + op->cipher->mac_length, record = (plain + BLOCK) / BLOCK * BLOCK;
    unsigned char expected[LONGEST_MAC], *out = base->output;
    int code;
    gnutls_cipher_set_iv(op->handle, op->iv, op->cipher->iv_length);
    code = gnutls_cipher_decrypt2(op->handle, base->message, record, out, record);
    if (code >= 0)
        code = mac(op, out, expected);
    if (code < 0)
        return code;
    if (out[record - 1] != record - plain - 1
        || gnutls_memcmp(expected, out + base->length, op->cipher->mac_length) != 0)
        return GNUTLS_E_DECRYPTION_FAILED;
    return 0;
}

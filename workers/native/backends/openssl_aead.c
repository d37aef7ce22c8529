/* BoringSSL and AWS-LC: encryption of records by EVP_AEAD, the calls of their libssl (ssl_aead_ctx.cc). Its AES-GCM is
 * the one of TLS 1.3, which refuses to encrypt with a nonce that is not larger than the one before. CBC with HMAC is an
 * AEAD there too, of cipher, MAC and padding together.
 *
 * Only the TLS pattern is here; `openssl speed` calls EVP_CIPHER. In OpenSSL there is no EVP_AEAD, and nothing here.
 */

#include "openssl_operation.h"

#if TLX_HAS_AEAD

enum { TAG_ROOM = 320, AAD = 13, NONCE = 12, BLOCK = 16 };

static const EVP_AEAD *none(void) { return NULL; }

static const struct aead {
    const char *algorithm;
    const EVP_AEAD *(*method)(void);
    size_t key_length, mac_length; /* mac_length 0: authenticated encryption, with a nonce for each record */
} aeads[] = {
    {"aes-128-gcm", EVP_aead_aes_128_gcm_tls13, 16, 0},
    {"aes-256-gcm", EVP_aead_aes_256_gcm_tls13, 32, 0},
    {"chacha20-poly1305", EVP_aead_chacha20_poly1305, 32, 0},
    {"aes-128-cbc-hmac-sha1", EVP_aead_aes_128_cbc_sha1_tls, 16, 20},
    {"aes-256-cbc-hmac-sha1", EVP_aead_aes_256_cbc_sha1_tls, 32, 20},
    {"aes-128-cbc-hmac-sha256", EVP_aead_aes_128_cbc_sha256_tls, 16, 32},
    {"aes-256-cbc-hmac-sha256", none, 32, 32},
};

struct aead_operation {
    tlx_operation base;
    const struct aead *aead;
    EVP_AEAD_CTX context;
    enum evp_aead_direction_t direction;
    uint64_t record;
    size_t sealed_length;
    unsigned char key[64], iv[16], additional_data[AAD];
};

static int seal(tlx_operation *);
static int unseal(tlx_operation *);
static int restart(tlx_operation *);
static void release(tlx_operation *);
static int take_sealed(struct aead_operation *, const struct tlx_inputs *);

static const struct aead *find(const char *algorithm) {
    for (size_t i = 0; i < sizeof aeads / sizeof *aeads; i++)
        if (strcmp(aeads[i].algorithm, algorithm) == 0)
            return &aeads[i];
    return NULL;
}

int tlx_aead_has(const char *algorithm) {
    const struct aead *aead = find(algorithm);
    return aead == NULL ? -1 : aead->method() != NULL;
}

int tlx_aead_new(const char *algorithm, int encrypt, const struct tlx_inputs *inputs, tlx_operation **made) {
    const struct aead *aead = find(algorithm);
    struct aead_operation *op = (struct aead_operation *)tlx_operation_alloc(sizeof *op, 0, inputs);
    int result = TLX_OK;
    if (op == NULL)
        return tlx_fail("allocating a cipher operation");
    EVP_AEAD_CTX_zero(&op->context);
    op->base.once = encrypt ? seal : unseal;
    op->base.first = restart;
    op->base.release = release;
    op->base.output_length = (size_t)op->base.length;
    op->aead = aead;
    op->direction = encrypt ? evp_aead_seal : evp_aead_open;
    /* The MAC key comes before the cipher key. */
    memcpy(op->key, inputs->mac_key.data, aead->mac_length);
    memcpy(op->key + aead->mac_length, inputs->key.data, aead->key_length);
    memcpy(op->iv, inputs->iv.data, sizeof op->iv);
    memcpy(op->additional_data, inputs->additional_data.data, AAD);
    if (!restart(&op->base))
        result = tlx_fail(algorithm);
    else if (!encrypt)
        result = take_sealed(op, inputs);
    if (result != TLX_OK) {
        tlx_operation_free(&op->base);
        return result;
    }
    *made = &op->base;
    return TLX_OK;
}

/* Makes the record that a decryption opens. */
static int take_sealed(struct aead_operation *op, const struct tlx_inputs *inputs) {
    tlx_operation *sealer = NULL;
    struct tlx_bytes sealed;
    int result = tlx_aead_new(op->aead->algorithm, 1, inputs, &sealer);
    if (result == TLX_OK)
        result = tlx_operation_answer(sealer, &sealed);
    if (result == TLX_OK) {
        memcpy(op->base.message, sealed.data, sealed.length);
        op->sealed_length = sealed.length;
    }
    tlx_operation_free(sealer);
    return result;
}

/* A new context, since the old one does not go back to an earlier nonce. */
static int restart(tlx_operation *base) {
    struct aead_operation *op = (struct aead_operation *)base;
    op->record = 0;
    EVP_AEAD_CTX_cleanup(&op->context);
    return EVP_AEAD_CTX_init_with_direction(&op->context, op->aead->method(), op->key,
                                            op->aead->mac_length + op->aead->key_length, EVP_AEAD_DEFAULT_TAG_LENGTH,
                                            op->direction);
}

static void release(tlx_operation *base) { EVP_AEAD_CTX_cleanup(&((struct aead_operation *)base)->context); }

/* RFC 8446 5.3, or the explicit IV of CBC; libssl leaves the length out of the additional data of the latter. */
static size_t nonce(const struct aead_operation *op, unsigned char *out) {
    memcpy(out, op->iv, BLOCK);
    if (op->aead->mac_length > 0)
        return BLOCK;
    for (int i = 0; i < 8; i++)
        out[NONCE - 1 - i] ^= (unsigned char)(op->record >> (8 * i));
    return NONCE;
}

static size_t additional(const struct aead_operation *op) { return op->aead->mac_length > 0 ? AAD - 2 : AAD; }

static int seal(tlx_operation *base) {
    struct aead_operation *op = (struct aead_operation *)base;
    size_t length = (size_t)base->length, tag;
    unsigned char iv[BLOCK];
    size_t iv_length = nonce(op, iv);
    op->record++;
    if (!EVP_AEAD_CTX_seal_scatter(&op->context, base->output, base->output + length, &tag, TAG_ROOM, iv, iv_length,
                                   base->message, length, NULL, 0, op->additional_data, additional(op)))
        return 0;
    base->output_length = length + tag;
    return 1;
}

/* Out of place, so that the record stays valid; libssl opens in place. */
static int unseal(tlx_operation *base) {
    struct aead_operation *op = (struct aead_operation *)base;
    unsigned char iv[BLOCK];
    size_t iv_length = nonce(op, iv);
    return EVP_AEAD_CTX_open(&op->context, base->output, &base->output_length, op->sealed_length, iv, iv_length,
                             base->message, op->sealed_length, op->additional_data, additional(op));
}

#else

int tlx_aead_has(const char *algorithm) {
    (void)algorithm;
    return -1;
}

int tlx_aead_new(const char *algorithm, int encrypt, const struct tlx_inputs *inputs, tlx_operation **made) {
    (void)encrypt, (void)inputs, (void)made;
    return tlx_unsupported(algorithm);
}

#endif

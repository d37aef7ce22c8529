/* BoringSSL and AWS-LC: encryption of records by EVP_AEAD, the calls of their libssl (ssl_aead_ctx.cc). Its AES-GCM is
 * the one of TLS 1.3, which refuses to encrypt with a nonce that is not larger than the one before. CBC with HMAC is an
 * AEAD there too, of cipher, MAC and padding together.
 *
 * Only the TLS pattern is here; `openssl speed` calls EVP_CIPHER. In OpenSSL there is no EVP_AEAD, and nothing here.
 */

#include "openssl_operation.h"

#if TLX_HAS_AEAD

enum { TAG_ROOM = 320, BLOCK = 16 };

static const EVP_AEAD *none(void) { return NULL; }

static const struct aead {
    const char *algorithm;
    const EVP_AEAD *(*method)(void);
} aeads[] = {
    {"aes-128-gcm", EVP_aead_aes_128_gcm_tls13},
    {"aes-256-gcm", EVP_aead_aes_256_gcm_tls13},
    {"chacha20-poly1305", EVP_aead_chacha20_poly1305},
    {"aes-128-cbc-hmac-sha1", EVP_aead_aes_128_cbc_sha1_tls},
    {"aes-256-cbc-hmac-sha1", EVP_aead_aes_256_cbc_sha1_tls},
    {"aes-128-cbc-hmac-sha256", EVP_aead_aes_128_cbc_sha256_tls},
    {"aes-256-cbc-hmac-sha256", none},
};

struct aead_operation {
    tlx_operation base;
    EVP_AEAD_CTX context;
};

static int has(tlx_operation *base) { return ((const struct aead *)base->row)->method() != NULL; }

/* RFC 8446 5.3, or the explicit IV of CBC. */
static size_t nonce(const tlx_operation *base, unsigned char *out) {
    if (base->algorithm.form == TLX_AEAD) {
        tlx_nonce(base, out);
        return TLX_NONCE;
    }
    memcpy(out, base->iv, BLOCK);
    return BLOCK;
}

/* With CBC, libssl leaves the length out of the additional data. */
static size_t additional(const tlx_operation *base) {
    return base->algorithm.form == TLX_AEAD ? TLX_AAD : TLX_AAD - 2;
}

static int seal(tlx_operation *base) {
    struct aead_operation *op = (struct aead_operation *)base;
    size_t tag;
    unsigned char iv[BLOCK];
    size_t iv_length = nonce(base, iv);
    base->record++;
    if (!EVP_AEAD_CTX_seal_scatter(&op->context, base->output, base->output + base->length, &tag, TAG_ROOM, iv,
                                   iv_length, base->message, base->length, NULL, 0, base->additional_data,
                                   additional(base)))
        return TLX_FAILED;
    base->output_length = base->length + tag;
    return 0;
}

/* Out of place, so that the record stays valid; libssl opens in place. */
static int unseal(tlx_operation *base) {
    struct aead_operation *op = (struct aead_operation *)base;
    unsigned char iv[BLOCK];
    size_t iv_length = nonce(base, iv);
    return tlx_done(EVP_AEAD_CTX_open(&op->context, base->output, &base->output_length, base->sealed_length, iv,
                                      iv_length, base->message, base->sealed_length, base->additional_data,
                                      additional(base)));
}

/* A new context, since the old one does not go back to an earlier nonce. A MAC key comes before the cipher key. */
static int restart(tlx_operation *base) {
    struct aead_operation *op = (struct aead_operation *)base;
    size_t mac_length = base->algorithm.form == TLX_AEAD ? 0 : base->algorithm.mac_length;
    unsigned char key[2 * TLX_KEY];
    memcpy(key, base->mac_key, mac_length);
    memcpy(key + mac_length, base->key, base->algorithm.key_length);
    EVP_AEAD_CTX_cleanup(&op->context);
    return tlx_done(EVP_AEAD_CTX_init_with_direction(&op->context, ((const struct aead *)base->row)->method(), key,
                                                     mac_length + base->algorithm.key_length,
                                                     EVP_AEAD_DEFAULT_TAG_LENGTH,
                                                     base->action == TLX_ENCRYPT ? evp_aead_seal : evp_aead_open));
}

static int prepare(tlx_operation *base, const struct tlx_inputs *inputs) {
    (void)inputs;
    base->once = base->action == TLX_ENCRYPT ? seal : unseal;
    base->first = restart;
    EVP_AEAD_CTX_zero(&((struct aead_operation *)base)->context);
    return restart(base);
}

static void release(tlx_operation *base) { EVP_AEAD_CTX_cleanup(&((struct aead_operation *)base)->context); }

const struct tlx_kind tlx_aead = {TLX_KIND(aeads, struct aead_operation),
                                  .tls_only = 1,
                                  .has = has,
                                  .prepare = prepare,
                                  .release = release};

#else

const struct tlx_kind tlx_aead = {.count = 0};

#endif

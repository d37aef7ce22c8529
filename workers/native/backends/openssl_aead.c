/* BoringSSL and AWS-LC: encryption of records by EVP_AEAD, the calls of their libssl (ssl_aead_ctx.cc). Its AES-GCM is
 * the one of TLS 1.3, which refuses to encrypt with a nonce that is not larger than the one before. CBC with HMAC is an
 * AEAD there too, of cipher, MAC and padding together.
 *
 * Only the TLS pattern is here; `openssl speed` calls EVP_CIPHER. In OpenSSL there is no EVP_AEAD, and nothing here.
 */

#include "openssl_backend.h"

#if TLX_HAS_AEAD

enum { TAG_ROOM = 320, BLOCK = 16 };

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
    {"aes-256-cbc-hmac-sha256", NULL},
};

struct tlx_operation {
    struct tlx_operation_base;
    const struct aead *row;
    EVP_AEAD_CTX context;
};

#include "../common/record.h"

static int has(tlx_operation *op) { return op->row->method != NULL; }

/* RFC 8446 5.3, or the explicit IV of CBC. */
static size_t nonce(const tlx_operation *op, unsigned char *out) {
    if (op->algorithm.form == TLX_AEAD) {
        tlx_nonce(op, out);
        return TLX_NONCE;
    }
    memcpy(out, op->iv, BLOCK);
    return BLOCK;
}

/* With CBC, libssl leaves the length out of the additional data. */
static size_t additional(const tlx_operation *op) { return op->algorithm.form == TLX_AEAD ? TLX_AAD : TLX_AAD - 2; }

static int seal(tlx_operation *op) {
    size_t tag;
    unsigned char iv[BLOCK];
    size_t iv_length = nonce(op, iv);
    op->record++;
    if (!EVP_AEAD_CTX_seal_scatter(&op->context, op->output, op->output + op->length, &tag, TAG_ROOM, iv, iv_length,
                                   op->message, op->length, NULL, 0, op->additional_data, additional(op)))
        return TLX_FAILED;
    op->output_length = op->length + tag;
    return 0;
}

/* Out of place, so that the record stays valid; libssl opens in place. */
static int unseal(tlx_operation *op) {
    unsigned char iv[BLOCK];
    size_t iv_length = nonce(op, iv);
    return tlx_done(EVP_AEAD_CTX_open(&op->context, op->output, &op->output_length, op->sealed_length, iv, iv_length,
                                      op->message, op->sealed_length, op->additional_data, additional(op)));
}

/* A new context, since the old one does not go back to an earlier nonce. A MAC key comes before the cipher key. */
static int restart(tlx_operation *op) {
    size_t mac_length = op->algorithm.form == TLX_AEAD ? 0 : op->algorithm.mac_length;
    unsigned char key[2 * TLX_KEY];
    memcpy(key, op->mac_key, mac_length);
    memcpy(key + mac_length, op->key, op->algorithm.key_length);
    EVP_AEAD_CTX_cleanup(&op->context);
    return tlx_done(EVP_AEAD_CTX_init_with_direction(&op->context, op->row->method(), key,
                                                     mac_length + op->algorithm.key_length, EVP_AEAD_DEFAULT_TAG_LENGTH,
                                                     op->action == TLX_ENCRYPT ? evp_aead_seal : evp_aead_open));
}

static int prepare(tlx_operation *op, const struct tlx_inputs *inputs) {
    op->first = restart;
    EVP_AEAD_CTX_zero(&op->context);
    return restart(op);
}

static void release(tlx_operation *op) { EVP_AEAD_CTX_cleanup(&op->context); }

const struct tlx_kind tlx_aead = {TLX_KIND(aeads),
                                  .calls = {[TLX_AEAD] = {seal, unseal}, [TLX_CBC_HMAC] = {seal, unseal}},
                                  .tls_only = 1,
                                  .has = has,
                                  .prepare = prepare,
                                  .release = release};

#else

const struct tlx_kind tlx_aead = {.count = 0};

#endif

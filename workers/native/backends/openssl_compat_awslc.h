/* AWS-LC alone. */
#ifndef OPENSSL_COMPAT_AWSLC_H
#define OPENSSL_COMPAT_AWSLC_H

#define TLX_FAMILY "aws-lc"

#define TLX_SETTINGS "in TLS 1.3 tickets sent by an empty write"

#define TLX_TAKES_RAW_PRIVATE 1

static inline const EVP_CIPHER *tlx_unlisted_cipher(const char *name) {
    static const struct {
        const char *name;
        const EVP_CIPHER *(*method)(void);
    } ciphers[] = {
        {"AES-128-CCM", EVP_aes_128_ccm},
        {"AES-128-CBC-HMAC-SHA1", EVP_aes_128_cbc_hmac_sha1},
        {"AES-256-CBC-HMAC-SHA1", EVP_aes_256_cbc_hmac_sha1},
        {"AES-128-CBC-HMAC-SHA256", EVP_aes_128_cbc_hmac_sha256},
        {"AES-256-CBC-HMAC-SHA256", EVP_aes_256_cbc_hmac_sha256},
    };
    for (size_t i = 0; i < sizeof ciphers / sizeof *ciphers; i++)
        if (strcmp(ciphers[i].name, name) == 0)
            return ciphers[i].method();
    return NULL;
}

extern const uint32_t tlx_cap[4] __asm__("OPENSSL_ia32cap_P") __attribute__((weak));

static inline int tlx_set_tls13_suite(SSL_CTX *context, int suite) {
    const SSL_CIPHER *cipher = SSL_get_cipher_by_value((uint16_t)suite);
    return cipher != NULL && SSL_CTX_set_ciphersuites(context, SSL_CIPHER_get_name(cipher));
}

/* ML-DSA and ML-KEM are one type of key each, and their sizes are parameters of it. */
static inline int tlx_sized_key(const char *name, int *type) {
    static const struct {
        const char *name;
        int type, size;
    } keys[] = {
        {"ML-DSA-44", EVP_PKEY_PQDSA, NID_MLDSA44},
        {"ML-DSA-65", EVP_PKEY_PQDSA, NID_MLDSA65},
        {"ML-DSA-87", EVP_PKEY_PQDSA, NID_MLDSA87},
        {"ML-KEM-768", EVP_PKEY_KEM, NID_MLKEM768},
    };
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (strcmp(keys[i].name, name) == 0) {
            *type = keys[i].type;
            return keys[i].size;
        }
    *type = strcmp(name, "EC") == 0 ? EVP_PKEY_EC : strcmp(name, "RSA") == 0 ? EVP_PKEY_RSA : OBJ_sn2nid(name);
    return NID_undef;
}

static inline EVP_PKEY_CTX *tlx_pkey_by_name(const char *name) {
    int type, size = tlx_sized_key(name, &type), done;
    EVP_PKEY_CTX *context = type == NID_undef ? NULL : EVP_PKEY_CTX_new_id(type, NULL);
    if (context == NULL || size == NID_undef)
        return context;
    done = type == EVP_PKEY_KEM ? EVP_PKEY_CTX_kem_set_params(context, size)
                                : EVP_PKEY_CTX_pqdsa_set_params(context, size);
    if (done)
        return context;
    EVP_PKEY_CTX_free(context);
    return NULL;
}

static inline int tlx_key_is(const EVP_PKEY *key, const char *name) {
    int type, size = tlx_sized_key(name, &type);
    if (EVP_PKEY_id(key) != type)
        return 0;
    return size == NID_undef || EVP_PKEY_pqdsa_get_type(key) == size;
}

static inline EVP_PKEY *tlx_raw_private(const char *name, struct tlx_bytes raw) {
    int type, size = tlx_sized_key(name, &type);
    return type == EVP_PKEY_KEM ? EVP_PKEY_kem_new_raw_secret_key(size, raw.data, raw.length)
                                : EVP_PKEY_pqdsa_new_raw_private_key(size, raw.data, raw.length);
}

static inline EVP_PKEY *tlx_raw_public(const char *name, struct tlx_bytes raw) {
    int type, size = tlx_sized_key(name, &type);
    return type == EVP_PKEY_KEM ? EVP_PKEY_kem_new_raw_public_key(size, raw.data, raw.length)
                                : EVP_PKEY_pqdsa_new_raw_public_key(size, raw.data, raw.length);
}

/* There is nothing to start. */
static inline int EVP_PKEY_encapsulate_init(EVP_PKEY_CTX *context, const void *params) { return 1; }

static inline int EVP_PKEY_decapsulate_init(EVP_PKEY_CTX *context, const void *params) {
    return EVP_PKEY_encapsulate_init(context, params);
}

#endif

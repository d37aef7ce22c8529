/* The interfaces that OpenSSL 3.0 replaced: shared by 1.1.1, BoringSSL and AWS-LC, where algorithms are static objects
 * and nothing is fetched. */
#ifndef OPENSSL_COMPAT_CLASSIC_H
#define OPENSSL_COMPAT_CLASSIC_H

/* Ciphers that the library has and does not find by name. */
static inline const EVP_CIPHER *tlx_unlisted_cipher(const char *name);

static inline EVP_CIPHER *tlx_cipher_fetch(const char *name) {
    const EVP_CIPHER *listed = EVP_get_cipherbyname(name);
    return (EVP_CIPHER *)(listed ? listed : tlx_unlisted_cipher(name));
}

static inline void tlx_cipher_free(EVP_CIPHER *cipher) {}

static inline EVP_MD *tlx_digest_fetch(const char *name) { return (EVP_MD *)EVP_get_digestbyname(name); }

static inline void tlx_digest_free(EVP_MD *digest) {}

typedef HMAC_CTX tlx_hmac;

static inline tlx_hmac *tlx_hmac_new(const char *digest, const unsigned char *key, size_t length) {
    HMAC_CTX *context = HMAC_CTX_new();
    if (context != NULL && !HMAC_Init_ex(context, key, (int)length, EVP_get_digestbyname(digest), NULL)) {
        HMAC_CTX_free(context);
        context = NULL;
    }
    return context;
}

static inline void tlx_hmac_free(tlx_hmac *hmac) { HMAC_CTX_free(hmac); }

static inline int tlx_hmac_again(tlx_hmac *hmac) { return HMAC_Init_ex(hmac, NULL, 0, NULL, NULL); }

static inline int tlx_hmac_update(tlx_hmac *hmac, const unsigned char *data, size_t length) {
    return HMAC_Update(hmac, data, length);
}

static inline int tlx_hmac_final(tlx_hmac *hmac, unsigned char *out, size_t *length) {
    unsigned int made = 0;
    int done = HMAC_Final(hmac, out, &made);
    *length = made;
    return done;
}

#ifndef OPENSSL_IS_AWSLC /* where some types share a number */
static inline int tlx_pkey_id(const char *name);

static inline EVP_PKEY_CTX *tlx_pkey_by_name(const char *name) {
    int id = tlx_pkey_id(name);
    return id == NID_undef ? NULL : EVP_PKEY_CTX_new_id(id, NULL);
}
#endif

static inline X509 *tlx_peer_certificate(SSL *ssl) { return SSL_get_peer_certificate(ssl); }

static inline int tlx_sign_init(EVP_MD_CTX *context, EVP_PKEY_CTX **pkey, const char *digest, EVP_PKEY *key) {
    return EVP_DigestSignInit(context, pkey, digest ? EVP_get_digestbyname(digest) : NULL, NULL, key);
}

static inline int tlx_verify_init(EVP_MD_CTX *context, EVP_PKEY_CTX **pkey, const char *digest, EVP_PKEY *key) {
    return EVP_DigestVerifyInit(context, pkey, digest ? EVP_get_digestbyname(digest) : NULL, NULL, key);
}

#define TLX_SPEED_RESTARTS_EDDSA 0

static inline int tlx_speed_signs_messages(void) { return 0; }

static inline int tlx_start_message(EVP_PKEY_CTX *context, const char *name, int signing) { return 0; }

static inline int tlx_speed_rekeys(void) { return 0; }

#endif

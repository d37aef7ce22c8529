/* OpenSSL 1.1.1. */
#ifndef OPENSSL_COMPAT_111_H
#define OPENSSL_COMPAT_111_H

#include "openssl_compat_classic.h"
#include "openssl_compat_stock.h"

#include <stdint.h>
#include <stdio.h>

static inline const EVP_CIPHER *tlx_unlisted_cipher(const char *name) { return NULL; }

static inline const char *tlx_init(char *settings, size_t room) {
    return OPENSSL_init_ssl(OPENSSL_INIT_NO_LOAD_CONFIG, NULL) ? NULL : "OPENSSL_init_ssl";
}

/* The library's own capability vector, which its assembly reads; a shared library hides it. */
extern unsigned int OPENSSL_ia32cap_P[4] __attribute__((weak));

static inline const char *tlx_cpu_settings(void) {
    return OPENSSL_ia32cap_P != NULL ? tlx_ia32cap_words(OPENSSL_ia32cap_P) : "";
}

static inline int tlx_without_assembly(void) {
    return strstr(OpenSSL_version(OPENSSL_CFLAGS), "-DOPENSSL_CPUID_OBJ") == NULL;
}

static inline int tlx_hkdf(const char *digest, const unsigned char *key, size_t key_length, const unsigned char *salt,
                           size_t salt_length, unsigned char *out, size_t length) {
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_id(EVP_PKEY_HKDF, NULL);
    int done = context != NULL && EVP_PKEY_derive_init(context) > 0
               && EVP_PKEY_CTX_set_hkdf_md(context, EVP_get_digestbyname(digest)) > 0
               && EVP_PKEY_CTX_set1_hkdf_salt(context, salt, (int)salt_length) > 0
               && EVP_PKEY_CTX_set1_hkdf_key(context, key, (int)key_length) > 0
               && EVP_PKEY_derive(context, out, &length) > 0;
    EVP_PKEY_CTX_free(context);
    return done;
}

static inline int tlx_pkey_id(const char *name) {
    return strcmp(name, "EC") == 0 ? EVP_PKEY_EC : strcmp(name, "RSA") == 0 ? EVP_PKEY_RSA : OBJ_sn2nid(name);
}

static inline int tlx_key_is(const EVP_PKEY *key, const char *name) {
    return EVP_PKEY_base_id(key) == tlx_pkey_id(name);
}

static inline int tlx_set_public(EVP_PKEY *key, struct tlx_bytes value) {
    return EVP_PKEY_set1_tls_encodedpoint(key, value.data, value.length) > 0;
}

static inline EVP_PKEY *tlx_raw_private(const char *name, struct tlx_bytes raw) {
    return EVP_PKEY_new_raw_private_key(OBJ_sn2nid(name), NULL, raw.data, raw.length);
}

static inline EVP_PKEY *tlx_raw_public(const char *name, struct tlx_bytes raw) {
    return EVP_PKEY_new_raw_public_key(OBJ_sn2nid(name), NULL, raw.data, raw.length);
}

#define TLX_HAS_KEM 0

/* Never called: no key of a KEM can be made. */
#define EVP_PKEY_encapsulate_init(...) 0
#define EVP_PKEY_decapsulate_init(...) 0
#define EVP_PKEY_encapsulate(...) 0
#define EVP_PKEY_decapsulate(...) 0

static inline int tlx_negotiated_group(SSL *ssl) {
    EVP_PKEY *key = NULL;
    int id = NID_undef;
    /* A server of TLS 1.2 has dropped the peer's key by now; it always takes the first group that both have. */
    if (!SSL_get_peer_tmp_key(ssl, &key))
        return SSL_is_server(ssl) && SSL_CIPHER_get_kx_nid(SSL_get_current_cipher(ssl)) == NID_kx_ecdhe
                   ? SSL_get_shared_group(ssl, 0)
                   : id;
    id = EVP_PKEY_base_id(key);
    if (id == EVP_PKEY_EC)
        id = EC_GROUP_get_curve_name(EC_KEY_get0_group(EVP_PKEY_get0_EC_KEY(key)));
    else if (id == EVP_PKEY_DH)
        id = DH_get_nid(EVP_PKEY_get0_DH(key));
    EVP_PKEY_free(key);
    return id;
}

static inline int tlx_set_finite_field(SSL_CTX *context, int nid) {
    DH *parameters = DH_new_by_nid(nid);
    int done = parameters != NULL && SSL_CTX_set_tmp_dh(context, parameters);
    DH_free(parameters);
    return done;
}

#endif

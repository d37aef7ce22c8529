/* Everything in which the versions of OpenSSL differ, so that the other files need no conditional block.
 *
 * Written for the API of 3.0, which is a part of that of every later version: a worker built with the headers of 3.0
 * runs with any 3.x. What 3.0 added to 1.1.1 is rebuilt here for 1.1.1 from what it has.
 */
#ifndef OPENSSL_COMPAT_H
#define OPENSSL_COMPAT_H

#include "../tlx.h"

#include <openssl/bio.h>
#include <openssl/crypto.h>
#include <openssl/dh.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/kdf.h>
#include <openssl/objects.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <stdlib.h>
#include <string.h>

#if OPENSSL_VERSION_NUMBER >= 0x30000000L
#include <openssl/core_names.h>
#include <openssl/params.h>
#include <openssl/provider.h>

static inline const char *tlx_cpu_settings(void) {
    const char *settings = OPENSSL_info(OPENSSL_INFO_CPU_SETTINGS);
    return settings ? settings : "";
}

static CRYPTO_ONCE tlx_legacy_once = CRYPTO_ONCE_STATIC_INIT;
static OSSL_LIB_CTX *tlx_legacy;

static inline void tlx_load_legacy(void) {
    OSSL_LIB_CTX *context = OSSL_LIB_CTX_new();
    if (context != NULL && OSSL_PROVIDER_load(context, "legacy") != NULL)
        tlx_legacy = context;
    else
        OSSL_LIB_CTX_free(context);
}

/* RC4 is in the legacy provider. It is loaded in a context of its own: a second provider in the default context would
 * make the fetches of every other measurement dearer than they are in a program that does not load it. */
static inline EVP_CIPHER *tlx_cipher_fetch(const char *name) {
    if (strcmp(name, "RC4") != 0)
        return EVP_CIPHER_fetch(NULL, name, NULL);
    if (!CRYPTO_THREAD_run_once(&tlx_legacy_once, tlx_load_legacy) || tlx_legacy == NULL)
        return NULL;
    return EVP_CIPHER_fetch(tlx_legacy, name, NULL);
}

static inline void tlx_cipher_free(EVP_CIPHER *cipher) { EVP_CIPHER_free(cipher); }

static inline EVP_MD *tlx_digest_fetch(const char *name) { return EVP_MD_fetch(NULL, name, NULL); }

static inline void tlx_digest_free(EVP_MD *digest) { EVP_MD_free(digest); }

typedef EVP_MAC_CTX tlx_hmac;

static inline tlx_hmac *tlx_hmac_new(const char *digest, const unsigned char *key, size_t length) {
    EVP_MAC *mac = EVP_MAC_fetch(NULL, "HMAC", NULL);
    EVP_MAC_CTX *context = mac ? EVP_MAC_CTX_new(mac) : NULL;
    OSSL_PARAM params[] = {OSSL_PARAM_utf8_string(OSSL_MAC_PARAM_DIGEST, (char *)digest, strlen(digest)),
                           OSSL_PARAM_END};
    EVP_MAC_free(mac); /* the context keeps it */
    if (context != NULL && EVP_MAC_init(context, key, length, params) <= 0) {
        EVP_MAC_CTX_free(context);
        context = NULL;
    }
    return context;
}

static inline void tlx_hmac_free(tlx_hmac *hmac) { EVP_MAC_CTX_free(hmac); }

/* Starts the next message with the key that is set. */
static inline int tlx_hmac_again(tlx_hmac *hmac) { return EVP_MAC_init(hmac, NULL, 0, NULL) > 0; }

static inline int tlx_hmac_update(tlx_hmac *hmac, const unsigned char *data, size_t length) {
    return EVP_MAC_update(hmac, data, length) > 0;
}

static inline int tlx_hmac_final(tlx_hmac *hmac, unsigned char *out, size_t *length) {
    return EVP_MAC_final(hmac, out, length, EVP_MAX_MD_SIZE) > 0;
}

/* As libssl derives each secret: the KDF is fetched, and its context made and dropped, every time. */
static inline int tlx_hkdf(const char *digest, const unsigned char *key, size_t key_length, const unsigned char *salt,
                           size_t salt_length, unsigned char *out, size_t length) {
    EVP_KDF *kdf = EVP_KDF_fetch(NULL, "HKDF", NULL);
    EVP_KDF_CTX *context = kdf ? EVP_KDF_CTX_new(kdf) : NULL;
    OSSL_PARAM params[] = {OSSL_PARAM_utf8_string(OSSL_KDF_PARAM_DIGEST, (char *)digest, strlen(digest)),
                           OSSL_PARAM_octet_string(OSSL_KDF_PARAM_KEY, (void *)key, key_length),
                           OSSL_PARAM_octet_string(OSSL_KDF_PARAM_SALT, (void *)salt, salt_length), OSSL_PARAM_END};
    int done = context != NULL && EVP_KDF_derive(context, out, length, params) > 0;
    EVP_KDF_CTX_free(context);
    EVP_KDF_free(kdf);
    return done;
}

static inline EVP_PKEY_CTX *tlx_pkey_by_name(const char *name) { return EVP_PKEY_CTX_new_from_name(NULL, name, NULL); }

/* The certificate that the peer showed, to be freed by the caller. */
static inline X509 *tlx_peer_certificate(SSL *ssl) { return SSL_get1_peer_certificate(ssl); }

/* Gives a key that has its parameters the public value that a key share carries. */
static inline int tlx_set_public(EVP_PKEY *key, struct tlx_bytes value) {
    return EVP_PKEY_set1_encoded_public_key(key, value.data, value.length) > 0;
}

/* A key from its bytes alone, as FIPS 203 and FIPS 204 write it. */
static inline EVP_PKEY *tlx_raw_private(const char *name, struct tlx_bytes raw) {
    return EVP_PKEY_new_raw_private_key_ex(NULL, name, NULL, raw.data, raw.length);
}

static inline EVP_PKEY *tlx_raw_public(const char *name, struct tlx_bytes raw) {
    return EVP_PKEY_new_raw_public_key_ex(NULL, name, NULL, raw.data, raw.length);
}

/* As libssl starts a signature: digest and algorithm are found by name each time. */
static inline int tlx_sign_init(EVP_MD_CTX *context, EVP_PKEY_CTX **pkey, const char *digest, EVP_PKEY *key) {
    return EVP_DigestSignInit_ex(context, pkey, digest, NULL, NULL, key, NULL);
}

static inline int tlx_verify_init(EVP_MD_CTX *context, EVP_PKEY_CTX **pkey, const char *digest, EVP_PKEY *key) {
    return EVP_DigestVerifyInit_ex(context, pkey, digest, NULL, NULL, key, NULL);
}

#define TLX_HAS_KEM 1
/* Since 3.0.9 `openssl speed` starts each Ed25519 operation anew; the versions before it cannot. */
#define TLX_SPEED_RESTARTS_EDDSA 1

/* The loop of `openssl speed -evp` for GCM and CCM was rewritten in a patch release: 3.0.8 and 3.4.0 have the old
 * one, 3.0.19 and 3.5.5 the new; those in between were not looked at. */
static inline int tlx_speed_rekeys(void) {
    unsigned long version = OpenSSL_version_num();
    return version >= 0x30500000L || (version >= 0x30000130L && version < 0x30100000L);
}

/* The code point of the group of the key exchange; 0 if the library does not say. */
static inline int tlx_negotiated_group(SSL *ssl) {
    long id = SSL_get_negotiated_group(ssl);
    EVP_PKEY *key = NULL;
    char name[32] = "";
    if (id > 0 && (id & TLSEXT_nid_unknown) != 0)
        return (int)(id & 0xffff);
    if (id > 0)
        return (int)id;
    /* TLS 1.2 with finite fields negotiates no group; the parameters that the server sent can be one. */
    if (SSL_get_peer_tmp_key(ssl, &key)) {
        if (EVP_PKEY_get_group_name(key, name, sizeof name, NULL) <= 0)
            name[0] = 0;
        EVP_PKEY_free(key);
    }
    return OBJ_sn2nid(name);
}

/* Finite field parameters for a server of TLS 1.2. */
static inline int tlx_set_finite_field(SSL_CTX *context, int nid) {
    EVP_PKEY_CTX *maker = EVP_PKEY_CTX_new_from_name(NULL, "DH", NULL);
    EVP_PKEY *parameters = NULL;
    int done = maker != NULL && EVP_PKEY_paramgen_init(maker) > 0
               && EVP_PKEY_CTX_set_group_name(maker, OBJ_nid2sn(nid)) > 0 && EVP_PKEY_paramgen(maker, &parameters) > 0
               && SSL_CTX_set0_tmp_dh_pkey(context, parameters) > 0;
    if (!done)
        EVP_PKEY_free(parameters);
    EVP_PKEY_CTX_free(maker);
    return done;
}

#else /* 1.1.1 */

static inline const char *tlx_cpu_settings(void) { return ""; }

static inline EVP_CIPHER *tlx_cipher_fetch(const char *name) { return (EVP_CIPHER *)EVP_get_cipherbyname(name); }

static inline void tlx_cipher_free(EVP_CIPHER *cipher) { (void)cipher; }

static inline EVP_MD *tlx_digest_fetch(const char *name) { return (EVP_MD *)EVP_get_digestbyname(name); }

static inline void tlx_digest_free(EVP_MD *digest) { (void)digest; }

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

static inline EVP_PKEY_CTX *tlx_pkey_by_name(const char *name) {
    int id = strcmp(name, "EC") == 0 ? EVP_PKEY_EC : strcmp(name, "RSA") == 0 ? EVP_PKEY_RSA : OBJ_sn2nid(name);
    return id == NID_undef ? NULL : EVP_PKEY_CTX_new_id(id, NULL);
}

static inline X509 *tlx_peer_certificate(SSL *ssl) { return SSL_get_peer_certificate(ssl); }

static inline int tlx_set_public(EVP_PKEY *key, struct tlx_bytes value) {
    return EVP_PKEY_set1_tls_encodedpoint(key, value.data, value.length) > 0;
}

static inline EVP_PKEY *tlx_raw_private(const char *name, struct tlx_bytes raw) {
    return EVP_PKEY_new_raw_private_key(OBJ_sn2nid(name), NULL, raw.data, raw.length);
}

static inline EVP_PKEY *tlx_raw_public(const char *name, struct tlx_bytes raw) {
    return EVP_PKEY_new_raw_public_key(OBJ_sn2nid(name), NULL, raw.data, raw.length);
}

static inline int tlx_sign_init(EVP_MD_CTX *context, EVP_PKEY_CTX **pkey, const char *digest, EVP_PKEY *key) {
    return EVP_DigestSignInit(context, pkey, digest ? EVP_get_digestbyname(digest) : NULL, NULL, key);
}

static inline int tlx_verify_init(EVP_MD_CTX *context, EVP_PKEY_CTX **pkey, const char *digest, EVP_PKEY *key) {
    return EVP_DigestVerifyInit(context, pkey, digest ? EVP_get_digestbyname(digest) : NULL, NULL, key);
}

#define TLX_HAS_KEM 0

/* Never called: no key of a KEM can be made. */
static inline int EVP_PKEY_encapsulate_init(EVP_PKEY_CTX *context, const void *params) {
    (void)context, (void)params;
    return 0;
}

static inline int EVP_PKEY_decapsulate_init(EVP_PKEY_CTX *context, const void *params) {
    return EVP_PKEY_encapsulate_init(context, params);
}

static inline int EVP_PKEY_encapsulate(EVP_PKEY_CTX *context, unsigned char *out, size_t *length,
                                       unsigned char *secret, size_t *secret_length) {
    (void)out, (void)length, (void)secret, (void)secret_length;
    return EVP_PKEY_encapsulate_init(context, NULL);
}

static inline int EVP_PKEY_decapsulate(EVP_PKEY_CTX *context, unsigned char *out, size_t *length,
                                       const unsigned char *in, size_t in_length) {
    (void)out, (void)length, (void)in, (void)in_length;
    return EVP_PKEY_encapsulate_init(context, NULL);
}

#define TLX_SPEED_RESTARTS_EDDSA 0

static inline int tlx_speed_rekeys(void) { return 0; }

static inline int tlx_negotiated_group(SSL *ssl) {
    EVP_PKEY *key = NULL;
    int id = NID_undef;
    if (!SSL_get_peer_tmp_key(ssl, &key))
        return id;
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
#endif

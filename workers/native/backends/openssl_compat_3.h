/* OpenSSL 3.0 and later. What each name stands for is stated here, and the other files define the same names. */
#ifndef OPENSSL_COMPAT_3_H
#define OPENSSL_COMPAT_3_H

#include "openssl_compat_stock.h"

#include <dlfcn.h>
#include <openssl/core_names.h>
#include <openssl/params.h>
#include <openssl/provider.h>
#include <stdio.h>

/* A provider that the environment names is loaded beside the default one. A FIPS module wants settings that only a
 * configuration file can give: with a provider, and only then, the file that OPENSSL_CONF names is read. */
static inline const char *tlx_load_provider(const char *name, char *settings, size_t room) {
    static _Thread_local char what[256];
    const char *file = getenv("OPENSSL_CONF");
    snprintf(what, sizeof what, "loading the provider '%s'", name);
    snprintf(settings, room, "; provider %s beside default%s%s", name, file ? ", configured by " : "", file ? file : "");
    if (file != NULL && !OSSL_LIB_CTX_load_config(NULL, file))
        return what;
    return OSSL_PROVIDER_load(NULL, "default") != NULL && OSSL_PROVIDER_load(NULL, name) != NULL ? NULL : what;
}

/* Starts the library and appends to `settings` what the environment asked of it. Null, or what went wrong.
 *
 * OPENSSL_INIT_NO_LOAD_CONFIG: a distribution's openssl.cnf sets security levels and providers, so that the same
 * library would give different figures on different machines. */
static inline const char *tlx_init(char *settings, size_t room) {
    const char *provider = getenv("TLSTAX_OPENSSL_PROVIDER"), *properties = getenv("TLSTAX_OPENSSL_PROPERTIES");
    const char *failed;
    size_t length;
    if (!OPENSSL_init_ssl(OPENSSL_INIT_NO_LOAD_CONFIG, NULL))
        return "OPENSSL_init_ssl";
    failed = provider != NULL && provider[0] != 0 ? tlx_load_provider(provider, settings, room) : NULL;
    if (failed != NULL || properties == NULL || properties[0] == 0)
        return failed;
    length = strlen(settings);
    snprintf(settings + length, room - length, "; default properties %s", properties);
    return EVP_set_default_properties(NULL, properties) ? NULL : "setting TLSTAX_OPENSSL_PROPERTIES";
}

/* The CPU capability words that the library uses, as it prints them; "" if it does not say. */
static inline const char *tlx_cpu_settings(void) {
    const char *settings = OPENSSL_info(OPENSSL_INFO_CPU_SETTINGS);
    return settings ? settings : "";
}

/* Whether the library was built without assembly: it has no capability words then, on processors where it has some. */
static inline int tlx_without_assembly(void) {
#if defined(__x86_64__) || defined(__aarch64__)
    return OPENSSL_info(OPENSSL_INFO_CPU_SETTINGS) == NULL;
#else
    return 0;
#endif
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
    return EVP_CIPHER_fetch(tlx_legacy, name, getenv("TLSTAX_OPENSSL_PROPERTIES"));
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

/* Whether the key is of this type. */
static inline int tlx_key_is(const EVP_PKEY *key, const char *name) { return EVP_PKEY_is_a(key, name); }

/* Gives a key that has its parameters the public value that a key share carries. */
static inline int tlx_set_public(EVP_PKEY *key, struct tlx_bytes value) {
    return EVP_PKEY_set1_encoded_public_key(key, value.data, value.length) > 0;
}

/* A key from its bytes alone, as FIPS 203, 204 and 205 write it. */
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

typedef int tlx_message_init(EVP_PKEY_CTX *, EVP_SIGNATURE *, const OSSL_PARAM[]);

/* EVP_PKEY_sign_message_init or EVP_PKEY_verify_message_init, which are newer than 3.0; null if the library that was
 * really loaded has none. */
static inline tlx_message_init *tlx_find_message_init(int signing) {
#if OPENSSL_VERSION_NUMBER >= 0x30400000L
    return signing ? EVP_PKEY_sign_message_init : EVP_PKEY_verify_message_init;
#else
    tlx_message_init *found;
    *(void **)&found = dlsym(RTLD_DEFAULT, signing ? "EVP_PKEY_sign_message_init" : "EVP_PKEY_verify_message_init");
    return found;
#endif
}

/* Whether signatures of whole messages can be made as `openssl speed` does it since it knows them. */
static inline int tlx_speed_signs_messages(void) { return tlx_find_message_init(1) != NULL; }

/* As `openssl speed -signature-algorithms` starts an algorithm that signs messages and no digests. */
static inline int tlx_start_message(EVP_PKEY_CTX *context, const char *name, int signing) {
    EVP_SIGNATURE *algorithm = EVP_SIGNATURE_fetch(NULL, name, NULL);
    int done = algorithm != NULL && tlx_find_message_init(signing)(context, algorithm, NULL) > 0;
    EVP_SIGNATURE_free(algorithm); /* the context keeps it */
    return done;
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

/* The group of the key exchange; 0 if the library does not say. */
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

#endif

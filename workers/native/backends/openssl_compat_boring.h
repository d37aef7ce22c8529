/* What BoringSSL and AWS-LC, which comes from it, have in common. */
#ifndef OPENSSL_COMPAT_BORING_H
#define OPENSSL_COMPAT_BORING_H

#include "openssl_compat_classic.h"

#include <openssl/aead.h>
#include <openssl/bytestring.h>
#include <openssl/curve25519.h>
#include <openssl/hkdf.h>
#include <stdint.h>
#include <stdio.h>

#define TLX_HAS_AEAD 1

#define TLX_GROUP_ID(code, nid) (code)

static inline const char *tlx_init(char *settings, size_t room) {
    CRYPTO_library_init();
    return NULL;
}

#ifdef OPENSSL_IS_BORINGSSL
#include "openssl_compat_boringssl.h"
#else
#include "openssl_compat_awslc.h"
#endif

#ifndef EVP_CTRL_AEAD_TLS1_AAD
/* No cipher has it. */
#define EVP_CTRL_AEAD_TLS1_AAD (-1)
#endif

/* BoringSSL fills the vector when it first looks at it; no processor has a first word of 0. */
static inline const char *tlx_cpu_settings(void) {
    (void)EVP_has_aes_hardware();
    return tlx_cap != NULL && tlx_cap[0] != 0 ? tlx_ia32cap_words(tlx_cap) : "";
}

static inline const char *tlx_how_built(void) { return "the library does not say how it was built"; }

/* A library without assembly has no vector either, but a library may also hide it. */
static inline int tlx_without_assembly(void) { return 0; }

static inline int tlx_set_defaults(SSL_CTX *context) { return 1; }

/* They have no compression. */
static inline void tlx_compress(SSL_CTX *context) {}

static inline enum tlx_compressing tlx_when_compressed(void) { return TLX_NEVER; }

static inline int tlx_compression_in_use(SSL *ssl) { return TLX_NO_COMPRESSION; }

static inline int tlx_set_suite(SSL_CTX *context, int suite) {
    const SSL_CIPHER *cipher = SSL_get_cipher_by_value((uint16_t)suite);
    const STACK_OF(SSL_CIPHER) *ciphers;
    if (cipher == NULL)
        return 0;
    if (suite >> 8 == 0x13)
        return tlx_set_tls13_suite(context, suite);
    if (!SSL_CTX_set_strict_cipher_list(context, SSL_CIPHER_get_name(cipher)))
        return 0;
    ciphers = SSL_CTX_get_ciphers(context);
    for (size_t i = 0; i < sk_SSL_CIPHER_num(ciphers); i++)
        if (SSL_CIPHER_get_protocol_id(sk_SSL_CIPHER_value(ciphers, i)) == suite)
            return 1;
    return 0;
}

/* By default clients accept neither Ed25519 nor, in BoringSSL, ML-DSA; a policy may keep servers from signing so. */
static inline int tlx_accept_key(SSL_CTX *context, const char *type) {
    uint16_t algorithm = strcmp(type, "ED25519") == 0     ? SSL_SIGN_ED25519
                         : strcmp(type, "ML-DSA-44") == 0 ? 0x0904
                         : strcmp(type, "ML-DSA-65") == 0 ? 0x0905
                         : strcmp(type, "ML-DSA-87") == 0 ? 0x0906
                                                          : 0;
    return algorithm == 0
           || (SSL_CTX_set_verify_algorithm_prefs(context, &algorithm, 1)
               && SSL_CTX_set_signing_algorithm_prefs(context, &algorithm, 1));
}

/* As libssl derives each secret, without objects. */
static inline int tlx_hkdf(const char *digest, const unsigned char *key, size_t key_length, const unsigned char *salt,
                           size_t salt_length, unsigned char *out, size_t length) {
    return HKDF(out, length, EVP_get_digestbyname(digest), key, key_length, salt, salt_length, NULL, 0);
}

static inline EVP_PKEY *tlx_peer_key(const EVP_PKEY *own, struct tlx_bytes value) {
    const EC_GROUP *group;
    EVP_PKEY *peer;
    EC_POINT *point;
    EC_KEY *key;
    if (EVP_PKEY_id(own) != EVP_PKEY_EC)
        return EVP_PKEY_new_raw_public_key(EVP_PKEY_id(own), NULL, value.data, value.length);
    group = EC_KEY_get0_group(EVP_PKEY_get0_EC_KEY(own));
    peer = EVP_PKEY_new();
    point = EC_POINT_new(group);
    key = EC_KEY_new();
    if (peer == NULL || point == NULL || key == NULL || !EC_KEY_set_group(key, group)
        || !EC_POINT_oct2point(group, point, value.data, value.length, NULL) || !EC_KEY_set_public_key(key, point)
        || !EVP_PKEY_set1_EC_KEY(peer, key)) {
        EVP_PKEY_free(peer);
        peer = NULL;
    }
    EC_KEY_free(key);
    EC_POINT_free(point);
    return peer;
}

#define TLX_HAS_KEM 1

static inline int tlx_negotiated_group(SSL *ssl) { return SSL_get_group_id(ssl); }

static inline int tlx_set_finite_field(SSL_CTX *context, int nid) { return 0; }

/* ---- early data ----------------------------------------------------------------------------------------------- */

static inline int tlx_enable_early_data(SSL_CTX *context, int server) {
    SSL_CTX_set_early_data_enabled(context, 1);
    return 1;
}

static inline int tlx_session_takes_early_data(const SSL_SESSION *session) {
    return SSL_SESSION_early_data_capable(session);
}

static inline int tlx_early_data_accepted(const SSL *ssl) { return SSL_early_data_accepted(ssl); }

/* Tickets are held back until the server writes; a write of nothing sends them, as OpenSSL does by itself. */
static inline int tlx_send_tickets(SSL *ssl) {
    int result;
    if (!SSL_is_server(ssl) || SSL_version(ssl) != TLS1_3_VERSION || (SSL_get_options(ssl) & SSL_OP_NO_TICKET))
        return 1;
    result = SSL_write(ssl, "", 0);
    return result < 0 ? result : 1;
}

/* SSL_do_handshake returns as soon as early data may be written or read; a rejection is an error to go on from. */
static inline int tlx_handshake(SSL *ssl) {
    int result = SSL_do_handshake(ssl);
    if (result <= 0 && SSL_get_error(ssl, result) == SSL_ERROR_EARLY_DATA_REJECTED) {
        SSL_reset_early_data_reject(ssl);
        result = SSL_do_handshake(ssl);
    }
    return result > 0 && !SSL_in_early_data(ssl) ? tlx_send_tickets(ssl) : result;
}

static inline int tlx_send_early_data(SSL *ssl, const unsigned char *data, size_t length) {
    int result = tlx_handshake(ssl);
    return result > 0 && SSL_in_early_data(ssl) ? SSL_write(ssl, data, (int)length) : result;
}

/* Looks before it reads: what comes after the handshake is for the application. */
static inline int tlx_drop_early_data(SSL *ssl, unsigned char *room, size_t length) {
    int result = tlx_handshake(ssl);
    while (result > 0 && SSL_in_early_data(ssl)) {
        result = SSL_peek(ssl, room, (int)length);
        if (!SSL_in_early_data(ssl))
            return 1;
        if (result > 0)
            result = SSL_read(ssl, room, result);
    }
    return result;
}

#endif

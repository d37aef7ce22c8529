/* What OpenSSL 1.1.1 and all of 3.x and 4.0 have in common, and BoringSSL and AWS-LC do otherwise. */
#ifndef OPENSSL_COMPAT_STOCK_H
#define OPENSSL_COMPAT_STOCK_H

#include <stdio.h>

#define TLX_FAMILY "openssl"

#define TLX_SETTINGS \
    "no configuration file, security level 0, no compression but where it is measured, early data without anti-replay"

/* Whether there is EVP_AEAD, which libssl protects records with, and whether it calls curves below EVP. */
#define TLX_HAS_AEAD 0

/* What tlx_negotiated_group returns for a group: its NID, or the code point of one that has none. */
#define TLX_GROUP_ID(code, nid) ((nid) ? (nid) : (code))

/* Whether private keys are taken in the bytes of FIPS 203 and 204. */
#define TLX_TAKES_RAW_PRIVATE 1

/* Compiler, flags, platform and time, as the library reports them. */
static inline const char *tlx_how_built(void) {
    static _Thread_local char text[1536];
    snprintf(text, sizeof text, "%s; %s; %s", OpenSSL_version(OPENSSL_CFLAGS), OpenSSL_version(OPENSSL_PLATFORM),
             OpenSSL_version(OPENSSL_BUILT_ON));
    return text;
}

/* Settings of libssl, once for each context. */
static inline int tlx_set_defaults(SSL_CTX *context) {
    SSL_CTX_set_security_level(context, 0);
    SSL_CTX_set_options(context, SSL_OP_NO_COMPRESSION);
    return 1;
}

/* Offers one suite alone. */
static inline int tlx_set_suite(SSL_CTX *context, int suite) {
    unsigned char code[2] = {(unsigned char)(suite >> 8), (unsigned char)suite};
    SSL *ssl = SSL_new(context);
    const SSL_CIPHER *cipher = ssl ? SSL_CIPHER_find(ssl, code) : NULL;
    const char *name = cipher ? SSL_CIPHER_get_name(cipher) : NULL;
    int tls13 = suite >> 8 == 0x13, found = 0;
    SSL_free(ssl);
    if (name == NULL)
        return 0;
    if (!(tls13 ? SSL_CTX_set_ciphersuites(context, name) : SSL_CTX_set_cipher_list(context, name)))
        return 0;
    /* Without any suite of the older kind the library refuses to start, so those of the other version stay listed;
     * the version alone decides which are offered. */
    STACK_OF(SSL_CIPHER) *ciphers = SSL_CTX_get_ciphers(context);
    for (int i = 0; i < sk_SSL_CIPHER_num(ciphers); i++)
        found |= SSL_CIPHER_get_protocol_id(sk_SSL_CIPHER_value(ciphers, i)) == suite;
    return found;
}

/* ---- compression ---------------------------------------------------------------------------------------------- */

static inline int tlx_has_deflate(void) {
    STACK_OF(SSL_COMP) *methods = SSL_COMP_get_compression_methods();
    for (int i = 0; i < sk_SSL_COMP_num(methods); i++)
        if (SSL_COMP_get_id(sk_SSL_COMP_value(methods, i)) == TLX_DEFLATE)
            return 1;
    return 0;
}

/* zlib takes the empty record that goes before each of TLS 1.0 with CBC for an error; programs leave it out by SSL_OP_ALL. */
static inline void tlx_compress(SSL_CTX *context) {
    SSL_CTX_clear_options(context, SSL_OP_NO_COMPRESSION);
    SSL_CTX_set_options(context, SSL_OP_DONT_INSERT_EMPTY_FRAGMENTS);
}

/* A context as the library makes it; programs that read the configuration file may get another one. */
static inline enum tlx_compressing tlx_when_compressed(void) {
    SSL_CTX *context = tlx_has_deflate() ? SSL_CTX_new(TLS_method()) : NULL;
    enum tlx_compressing when = TLX_NEVER;
    if (context != NULL)
        when = SSL_CTX_get_options(context) & SSL_OP_NO_COMPRESSION ? TLX_ON_REQUEST : TLX_BY_DEFAULT;
    SSL_CTX_free(context);
    return when;
}

/* The method in use, by its number; -1 for one that is not DEFLATE. */
static inline int tlx_compression_in_use(SSL *ssl) {
    const char *name = SSL_COMP_get_name(SSL_get_current_compression(ssl));
    if (name == NULL)
        return TLX_NO_COMPRESSION;
    return strcmp(name, LN_zlib_compression) == 0 ? TLX_DEFLATE : -1;
}

/* ---- certificates and keys ------------------------------------------------------------------------------------ */

/* Makes and accepts signatures of keys that are not accepted by default. */
static inline int tlx_accept_key(SSL_CTX *context, const char *type) { return 1; }

static inline int tlx_set_public(EVP_PKEY *key, struct tlx_bytes value);

/* The peer's key from the public value in its key share. */
static inline EVP_PKEY *tlx_peer_key(const EVP_PKEY *own, struct tlx_bytes value) {
    EVP_PKEY *peer = EVP_PKEY_new();
    if (peer != NULL && EVP_PKEY_copy_parameters(peer, own) > 0 && tlx_set_public(peer, value))
        return peer;
    EVP_PKEY_free(peer);
    return NULL;
}

/* ---- early data ----------------------------------------------------------------------------------------------- */

static inline int tlx_enable_early_data(SSL_CTX *context, int server) {
    if (!server)
        return 1;
    /* The library's defence against replays keeps every ticket in its cache until it is used, which makes tickets
     * stateful. A server that wants early data in bulk turns it off and defends itself in the application. */
    SSL_CTX_set_options(context, SSL_OP_NO_ANTI_REPLAY);
    return SSL_CTX_set_max_early_data(context, SSL3_RT_MAX_PLAIN_LENGTH);
}

static inline int tlx_session_takes_early_data(const SSL_SESSION *session) {
    return SSL_SESSION_get_max_early_data(session) > 0;
}

static inline int tlx_early_data_accepted(const SSL *ssl) {
    return SSL_get_early_data_status(ssl) == SSL_EARLY_DATA_ACCEPTED;
}

/* Sends early data before the rest of the handshake: 1 when done, else as SSL_do_handshake. */
static inline int tlx_send_early_data(SSL *ssl, const unsigned char *data, size_t length) {
    size_t written;
    return SSL_write_early_data(ssl, data, length, &written);
}

/* Reads early data and drops it: 1 when there is no more, else as SSL_do_handshake. */
static inline int tlx_drop_early_data(SSL *ssl, unsigned char *room, size_t length) {
    size_t got;
    int state;
    do
        state = SSL_read_early_data(ssl, room, length, &got);
    while (state == SSL_READ_EARLY_DATA_SUCCESS);
    return state == SSL_READ_EARLY_DATA_FINISH;
}

static inline int tlx_handshake(SSL *ssl) { return SSL_do_handshake(ssl); }

#endif

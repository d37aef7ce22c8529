/* What the files of the wolfSSL backend share: error texts, the kinds of operations, configurations. */
#ifndef WOLFSSL_BACKEND_H
#define WOLFSSL_BACKEND_H

#include "../common/connection.h"
#include "../common/operation.h"

#include <wolfssl/options.h>
#include <wolfssl/ssl.h>
#include <wolfssl/wolfcrypt/random.h>
#include <stdlib.h>
#include <string.h>

/* What is left out of the library's build is not declared either, so it is asked for here, all at once. */
#if !defined(WOLFSSL_TLS13) || !defined(WOLFSSL_EARLY_DATA) || !defined(HAVE_SESSION_TICKET) || !defined(HAVE_EXT_CACHE)
#error "configure wolfSSL with --enable-tls13 --enable-earlydata --enable-session-ticket and HAVE_EXT_CACHE defined"
#endif
#if !defined(HAVE_CURVE25519) || !defined(HAVE_ED25519) || !defined(HAVE_ECC384) || !defined(HAVE_SNI)
#error "configure wolfSSL with --enable-curve25519 --enable-ed25519 --enable-sni and HAVE_ECC384 defined"
#endif
#if !defined(WOLFSSL_HAVE_MLKEM) || !defined(WOLFSSL_HAVE_MLDSA) || !defined(WOLFSSL_SLHDSA_PARAM_SHA2_128F)
#error "configure wolfSSL with --enable-mlkem --enable-mldsa --enable-slhdsa=sha2-128f"
#endif
#if !defined(HAVE_AESCCM) || !defined(HAVE_HKDF) || defined(NO_DES3) || defined(NO_RC4) || defined(NO_MD5)
#error "configure wolfSSL with --enable-aesccm --enable-hkdf --enable-des3 --enable-arc4 --enable-md5"
#endif
#if !defined(WOLFSSL_ALWAYS_VERIFY_CB) || !defined(HAVE_WC_INTROSPECTION)
#error "configure wolfSSL with WOLFSSL_ALWAYS_VERIFY_CB and HAVE_WC_INTROSPECTION defined"
#endif

/* Records "what: reason of the library" as this thread's error text. */
int tlx_fail(const char *what, int error);

extern const struct tlx_kind tlx_cipher, tlx_hash, tlx_signature, tlx_exchange, tlx_certificate;

/* A server of wolfSSL numbers the tickets of a full handshake and of all resumptions that go back to it with one byte,
 * and breaks the handshake off that would need the next number (SESSION_TICKET_NONCE_OVERFLOW). So a client here uses a
 * ticket that has this many before it again and again, instead of once. */
enum { LINEAGE = 250 };

struct tlx_config {
    struct tlx_config_base;
    WOLFSSL_CTX *context;
};

/* A session of a client. */
struct tlx_kept {
    WOLFSSL_SESSION *session;
    int before; /* how many resumptions it goes back to a full handshake */
};

void tlx_kept_release(void *kept);

/* What the library calls back with for each connection that a context makes: bytes to and from the peer, the end
 * entity's certificate, and a session of a client. */
int tlx_receive(WOLFSSL *ssl, char *buffer, int room, void *connection);
int tlx_send(WOLFSSL *ssl, char *data, int length, void *connection);
int tlx_verified(int valid, WOLFSSL_X509_STORE_CTX *store);
int tlx_session_came(WOLFSSL *ssl, WOLFSSL_SESSION *session);

/* Keeps a copy of a session of a client, so many resumptions after a full handshake. */
void tlx_session_keep(struct tlx_config *config, WOLFSSL_SESSION *session, int before);

/* The kind of key in a certificate, DER, by its name in the tlstax vocabulary; null if it is in none. */
const char *tlx_key_name(const unsigned char *certificate, size_t length);

/* The code point of a group that wolfSSL_get_curve_name calls so; 0 if we have no name for it. */
int tlx_group_code(const char *name);

#endif

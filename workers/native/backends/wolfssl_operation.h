/* What the files of the wolfSSL backend share: the base of every operation, and error texts. */
#ifndef WOLFSSL_OPERATION_H
#define WOLFSSL_OPERATION_H

#include "../common/error.h"

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

/* Each kind of operation begins with this struct and adds its own fields. Functions return 0 or the library's error. */
struct tlx_operation {
    int (*once)(tlx_operation *);
    int (*first)(tlx_operation *);    /* goes back to the first nonce; null if there is none */
    int (*check)(tlx_operation *);    /* inverse of a random output; null if the output is fixed */
    void (*release)(tlx_operation *); /* frees what the kind added */
    WC_RNG rng;
    unsigned char *message;           /* a copy of the message, with room for what records add */
    word32 length;                    /* of the message */
    unsigned char *output;
    word32 output_length;
};

/* Records "what: reason of the library" as this thread's error text. */
int tlx_fail(const char *what, int error);

/* An operation of `size` bytes (a struct that begins with tlx_operation), zeroed, with a copy of the message and room
 * for an output that is `more` bytes longer. */
tlx_operation *tlx_operation_alloc(size_t size, size_t more, const struct tlx_inputs *inputs);

/* The constructors of the kinds, for algorithms whose tlx_..._has is true. */
int tlx_cipher_new(const char *algorithm, int encrypt, const struct tlx_inputs *, tlx_operation **);
int tlx_hash_new(const char *algorithm, const struct tlx_inputs *, tlx_operation **);
int tlx_signature_new(const char *algorithm, int signing, const struct tlx_inputs *, tlx_operation **);
int tlx_exchange_new(const char *algorithm, const char *operation, const struct tlx_inputs *, tlx_operation **);
int tlx_certificate_new(const char *algorithm, const struct tlx_inputs *, tlx_operation **);

/* Whether the algorithm is of this kind. */
int tlx_cipher_has(const char *algorithm);
int tlx_hash_has(const char *algorithm);
int tlx_signature_has(const char *algorithm);
int tlx_exchange_has(const char *algorithm);
int tlx_certificate_has(const char *algorithm);

#endif

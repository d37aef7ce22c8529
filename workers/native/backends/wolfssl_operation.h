/* What the files of the wolfSSL backend share: the kinds of operations, and error texts. */
#ifndef WOLFSSL_OPERATION_H
#define WOLFSSL_OPERATION_H

#include "../common/error.h"
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

#endif

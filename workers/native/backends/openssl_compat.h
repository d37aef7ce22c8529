/* Everything in which the members of the OpenSSL family differ, so that the other files need no conditional block.
 *
 * The files are written for the API of OpenSSL 3.0, which is a part of that of every later version: a worker built with
 * the headers of 3.0 runs with any 3.x. One of the files included here rebuilds it from what a member has, and each
 * defines the same names; their meaning is stated in openssl_compat_3.h.
 */
#ifndef OPENSSL_COMPAT_H
#define OPENSSL_COMPAT_H

#include "../common/ia32cap.h"

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

#if defined(OPENSSL_IS_BORINGSSL) || defined(OPENSSL_IS_AWSLC)
#include "openssl_compat_boring.h"
#elif OPENSSL_VERSION_NUMBER >= 0x30000000L
#include "openssl_compat_3.h"
#else
#include "openssl_compat_111.h"
#endif

#ifndef OPENSSL_IS_BORINGSSL /* which alone does these otherwise */

static inline const char *tlx_version_text(void) { return OpenSSL_version(OPENSSL_VERSION); }

/* Sets the suites of TLS 1.3, where the library lets them be set. */
static inline int tlx_set_tls13_suites(SSL_CTX *context, const char *names) {
    return SSL_CTX_set_ciphersuites(context, names);
}

/* The suites of TLS 1.3 in the order of preference, one after the other and then null, where the list of a context does not
 * hold them. */
static inline const char *tlx_tls13_unlisted(int index) { return NULL; }

static inline EVP_PKEY *tlx_read_private(BIO *pem) { return PEM_read_bio_PrivateKey(pem, NULL, NULL, NULL); }

#endif

#endif

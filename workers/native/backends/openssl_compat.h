/* Everything in which the members of the OpenSSL family differ, so that the other files need no conditional block.
 *
 * The files are written for the API of OpenSSL 3.0, which is a part of that of every later version: a worker built with
 * the headers of 3.0 runs with any 3.x. One of the files included here rebuilds it from what a member has, and each
 * defines the same names; their meaning is stated in openssl_compat_3.h.
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

#if defined(OPENSSL_IS_BORINGSSL) || defined(OPENSSL_IS_AWSLC)
#include "openssl_compat_boring.h"
#elif OPENSSL_VERSION_NUMBER >= 0x30000000L
#include "openssl_compat_3.h"
#else
#include "openssl_compat_111.h"
#endif

#endif

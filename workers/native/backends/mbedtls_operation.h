/* What the files of the Mbed TLS backend share: the kinds of operations, and error texts. */
#ifndef MBEDTLS_OPERATION_H
#define MBEDTLS_OPERATION_H

#include "../common/error.h"
#include "../common/operation.h"

#include <mbedtls/psa_util.h>
#include <psa/crypto.h>

/* A wrong result where the library saw no error. */
enum { WRONG = TLX_WRONG };

/* A status of PSA as an error: its numbers are others than those of the rest of the library. */
static inline int mbed_psa(psa_status_t status) { return status == PSA_SUCCESS ? 0 : TLX_WRONG + (int)status; }

/* Records "what: reason of the library" as this thread's error text. */
int mbed_fail(const char *what, int error);

/* Whether an option of the library's configuration is on, by its name. */
int mbed_has_option(const char *name);

/* Finds out what the TLS stack has. */
void mbed_endpoint_start(void);

extern const struct tlx_kind mbed_cipher, mbed_hash, mbed_signature, mbed_exchange, mbed_certificate;

#endif

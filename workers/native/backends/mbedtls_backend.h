/* What the files of the Mbed TLS backend share: error texts, the kinds of operations, configurations. */
#ifndef MBEDTLS_BACKEND_H
#define MBEDTLS_BACKEND_H

#include "../common/connection.h"
#include "../common/operation.h"

#include <mbedtls/psa_util.h>
#include <mbedtls/ssl.h>
#include <mbedtls/ssl_cache.h>
#include <mbedtls/ssl_ticket.h>
#include <mbedtls/x509_crt.h>
#include <psa/crypto.h>

/* A status of PSA as an error: its numbers are others than those of the rest of the library. */
static inline int mbed_psa(psa_status_t status) { return status == PSA_SUCCESS ? 0 : TLX_WRONG + (int)status; }

/* Records "what: reason of the library" as this thread's error text. */
int mbed_fail(const char *what, int error);

/* Reads a private key: 0 or an error. */
int mbed_read_key(struct tlx_bytes pem, mbedtls_pk_context *key);

/* Whether an option of the library's configuration is on, by its name. */
int mbed_has_option(const char *name);

void mbed_endpoint_start(void);

extern const struct tlx_kind mbed_cipher, mbed_hash, mbed_signature, mbed_exchange, mbed_certificate;

struct tlx_config {
    struct tlx_config_base;
    mbedtls_ssl_config ssl;
    int suites[2];       /* the library points at these, */
    uint16_t groups[3];  /* both end with 0, */
    mbedtls_x509_crt root, chain; /* and at these */
    mbedtls_pk_context private_key;
    mbedtls_ssl_ticket_context tickets;
    mbedtls_ssl_cache_context cache;
};

extern const struct tlx_session_kind mbed_session_kind;

/* The code point of the group with this prime; 0 if we have no name for it. */
int mbed_finite_field(const unsigned char *prime, size_t length);

/* The name of the kind of key in the tlstax vocabulary; null if it is in none. */
const char *mbed_key_name(const mbedtls_pk_context *key);

#endif

/* What configurations and connections of the Mbed TLS backend share. */
#ifndef MBEDTLS_ENDPOINT_H
#define MBEDTLS_ENDPOINT_H

#include "../common/connection.h"
#include "mbedtls_operation.h"

#include <mbedtls/ssl.h>
#include <mbedtls/ssl_cache.h>
#include <mbedtls/ssl_ticket.h>
#include <mbedtls/x509_crt.h>

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

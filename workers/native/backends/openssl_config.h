/* What configurations and connections of the OpenSSL backend share. */
#ifndef OPENSSL_CONFIG_H
#define OPENSSL_CONFIG_H

#include "../common/connection.h"
#include "openssl_operation.h"

struct tlx_config {
    struct tlx_config_base;
    SSL_CTX *context;
    int keeps; /* client: the session is taken when the handshake is complete */
};

/* The name of the kind of key in the tlstax vocabulary; null if it is in none. */
const char *tlx_key_name(EVP_PKEY *key);

/* The code point of what tlx_negotiated_group returned; 0 if we have no name for it. */
int tlx_group_code(int id);

#endif

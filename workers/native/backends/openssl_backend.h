/* What the files of the OpenSSL backend share: error texts, the kinds of operations, configurations. */
#ifndef OPENSSL_BACKEND_H
#define OPENSSL_BACKEND_H

#include "../common/connection.h"
#include "../common/operation.h"
#include "openssl_compat.h"

/* Records "what: reason of the library" as this thread's error text and clears the library's queue. */
int tlx_fail(const char *what);

/* The TLS pattern where libssl does not go through EVP: records by EVP_AEAD, key shares by curves. Empty where it does. */
extern const struct tlx_kind tlx_aead, tlx_share;
extern const struct tlx_kind tlx_cipher, tlx_hash, tlx_signature, tlx_exchange, tlx_certificate;

/* What a decapsulation lacks in a library that takes no key in the bytes of FIPS 203; otherwise null. */
static inline const char *tlx_lacks_decapsulation(enum tlx_action action) {
    return action == TLX_DECAPSULATE && !TLX_TAKES_RAW_PRIVATE
               ? "decapsulation keys but those that it makes from their seed"
               : NULL;
}

struct tlx_config {
    struct tlx_config_base;
    SSL_CTX *context;
    int keeps; /* client: the session is taken when the handshake is complete */
};

/* Whether the library has this type of key; errors are not kept. */
static inline int tlx_has_type(const char *name) {
    EVP_PKEY_CTX *context = tlx_pkey_by_name(name);
    EVP_PKEY_CTX_free(context);
    ERR_clear_error();
    return context != NULL;
}

/* A fresh key of this type and, where it is not 0, on this curve; null with the library's error. */
EVP_PKEY *tlx_generate(const char *name, int curve);

/* A private key, PEM; null with the library's error. */
EVP_PKEY *tlx_read_key(struct tlx_bytes text);

/* The name of the kind of key in the tlstax vocabulary; null if it is in none. */
const char *tlx_key_name(EVP_PKEY *key);

/* The code point of what tlx_negotiated_group returned; 0 if we have no name for it. */
int tlx_group_code(int id);

#endif

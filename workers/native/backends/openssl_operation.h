/* What the files of the OpenSSL backend share: the base of every operation, and error texts. */
#ifndef OPENSSL_OPERATION_H
#define OPENSSL_OPERATION_H

#include "../common/error.h"
#include "openssl_compat.h"

/* Each kind of operation begins with this struct and adds its own fields. */
struct tlx_operation {
    int (*once)(tlx_operation *);     /* does it once: 1, or 0 with the library's error */
    int (*tell)(tlx_operation *);     /* does it once and writes an answer; null if once does */
    int (*first)(tlx_operation *);    /* goes back to the first nonce; null if there is none */
    int (*check)(tlx_operation *);    /* inverse of a random output: 1 or 0; null if the output is fixed */
    void (*release)(tlx_operation *); /* frees what the kind added */
    unsigned char *message;           /* a copy of the message, with room for what records add */
    int length;                       /* of the message */
    unsigned char *output;
    size_t output_skip, output_length; /* the answer: so many bytes after so many in front of it */
};

/* Records "what: reason of the library" as this thread's error text and clears the library's queue. */
int tlx_fail(const char *what);

/* An operation of `size` bytes (a struct that begins with tlx_operation), zeroed, with a copy of the message and room
 * for an output that is `more` bytes longer. */
tlx_operation *tlx_operation_alloc(size_t size, size_t more, const struct tlx_inputs *inputs);

/* The constructors of the kinds, for algorithms whose tlx_..._has is not negative. */
int tlx_cipher_new(const char *algorithm, int encrypt, int speed, const struct tlx_inputs *, tlx_operation **);
int tlx_hash_new(const char *algorithm, int speed, const struct tlx_inputs *, tlx_operation **);
int tlx_signature_new(const char *algorithm, int signing, int speed, const struct tlx_inputs *, tlx_operation **);
int tlx_exchange_new(const char *algorithm, const char *operation, int speed, const struct tlx_inputs *,
                     tlx_operation **);
int tlx_certificate_new(const char *algorithm, int speed, const struct tlx_inputs *, tlx_operation **);

/* The TLS pattern where libssl does not go through EVP: records by EVP_AEAD, key shares by curves. */
int tlx_aead_new(const char *algorithm, int encrypt, const struct tlx_inputs *, tlx_operation **);
int tlx_share_new(const char *algorithm, const char *operation, const struct tlx_inputs *, tlx_operation **);

/* Whether the library has the algorithm: 1, 0, or -1 if it is of another kind. */
int tlx_cipher_has(const char *algorithm);
int tlx_hash_has(const char *algorithm);
int tlx_signature_has(const char *algorithm);
int tlx_exchange_has(const char *algorithm, const char *operation);
int tlx_certificate_has(const char *algorithm);
/* These two also say -1 in a library without such calls. */
int tlx_aead_has(const char *algorithm);
int tlx_share_has(const char *algorithm);

#endif

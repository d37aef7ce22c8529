/* What the files of the Mbed TLS backend share: the base of every operation, and error texts. */
#ifndef MBEDTLS_OPERATION_H
#define MBEDTLS_OPERATION_H

#include "../common/error.h"

#include <mbedtls/psa_util.h>
#include <psa/crypto.h>

#define COUNT(table) (sizeof(table) / sizeof *(table))

/* Each kind of operation begins with this struct and adds its own fields. */
struct tlx_operation {
    int (*once)(tlx_operation *);     /* does it once: 0, or the library's error */
    int (*first)(tlx_operation *);    /* goes back to the first nonce; null if there is none */
    int (*check)(tlx_operation *);    /* inverse of a random output: 0 or an error; null if the output is fixed */
    void (*release)(tlx_operation *); /* frees what the kind added */
    unsigned char *message;           /* a copy of the message, with room for what records add */
    size_t length;                    /* of the message; a byte of 0 follows */
    unsigned char *output;
    size_t output_length; /* of the answer */
};

/* A wrong result where the library saw no error. */
enum { WRONG = -0x100000 };

/* A status of PSA as an error: its numbers are others than those of the rest of the library. */
static inline int mbed_psa(psa_status_t status) { return status == PSA_SUCCESS ? 0 : WRONG + (int)status; }

/* Records "what: reason of the library" as this thread's error text. */
int mbed_fail(const char *what, int error);

/* Whether an option of the library's configuration is on, by its name. */
int mbed_has_option(const char *name);

/* Finds out what the TLS stack has. */
void mbed_endpoint_start(void);

/* An operation of `size` bytes (a struct that begins with tlx_operation), zeroed, with a copy of the message and room
 * for an output that is `more` bytes longer. */
tlx_operation *mbed_operation_alloc(size_t size, size_t more, const struct tlx_inputs *inputs);

/* The constructors of the kinds, for algorithms whose mbed_..._has is not negative. */
int mbed_cipher_new(const char *algorithm, int encrypt, const struct tlx_inputs *, tlx_operation **);
int mbed_hash_new(const char *algorithm, const struct tlx_inputs *, tlx_operation **);
int mbed_signature_new(const char *algorithm, int signing, const struct tlx_inputs *, tlx_operation **);
int mbed_exchange_new(const char *algorithm, int keygen, const struct tlx_inputs *, tlx_operation **);
int mbed_certificate_new(const char *algorithm, const struct tlx_inputs *, tlx_operation **);

/* Whether the library has the algorithm: 1, 0, or -1 if it is of another kind. */
int mbed_cipher_has(const char *algorithm);
int mbed_hash_has(const char *algorithm);
int mbed_signature_has(const char *algorithm);
int mbed_exchange_has(const char *algorithm);
int mbed_certificate_has(const char *algorithm);

#endif

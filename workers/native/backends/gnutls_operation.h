/* What the files of the GnuTLS backend share: the base of every operation, and error texts. */
#ifndef GNUTLS_OPERATION_H
#define GNUTLS_OPERATION_H

#include "../common/error.h"

#include <gnutls/abstract.h>
#include <gnutls/crypto.h>
#include <gnutls/gnutls.h>
#include <gnutls/x509.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(table) (sizeof(table) / sizeof *(table))

/* Each kind of operation begins with this struct and adds its own fields. Its functions return what GnuTLS does: a
 * negative number is an error. */
struct tlx_operation {
    int (*once)(tlx_operation *);     /* does it once */
    int (*first)(tlx_operation *);    /* goes back to the first nonce; null if there is none */
    int (*check)(tlx_operation *);    /* inverse of a random output; null if the output is fixed */
    void (*release)(tlx_operation *); /* frees what the kind added */
    unsigned char *message;           /* a copy of the message, with room for what records add */
    size_t length;                    /* of the message */
    unsigned char *output;
    size_t output_length; /* of the answer */
};

/* Records "what: reason" as this thread's error text; returns TLX_FAILED. */
int tlx_fail(const char *what, int code);

/* An operation of `size` bytes (a struct that begins with tlx_operation), zeroed, with a copy of the message and room
 * for an output that is `more` bytes longer; null without memory. */
tlx_operation *tlx_operation_alloc(size_t size, size_t more, const struct tlx_inputs *inputs);

/* The bytes as GnuTLS takes them; it has no const, and does not write to them. */
static inline gnutls_datum_t tlx_datum(struct tlx_bytes bytes) {
    return (gnutls_datum_t){(unsigned char *)bytes.data, (unsigned)bytes.length};
}

/* The constructors of the kinds, for algorithms whose tlx_..._has is not negative. */
int tlx_cipher_new(const char *algorithm, int encrypt, const struct tlx_inputs *, tlx_operation **);
int tlx_hash_new(const char *algorithm, const struct tlx_inputs *, tlx_operation **);
int tlx_signature_new(const char *algorithm, int signing, const struct tlx_inputs *, tlx_operation **);
int tlx_certificates_new(const char *algorithm, const struct tlx_inputs *, tlx_operation **);

/* Whether the library has the algorithm: 1, 0, or -1 if it is of another kind. */
int tlx_cipher_has(const char *algorithm);
int tlx_hash_has(const char *algorithm);
int tlx_signature_has(const char *algorithm);
int tlx_certificates_has(const char *algorithm);

#endif

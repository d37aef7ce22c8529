/* What the files of the NSS backend share: the base of every operation, imports, and error texts. */
#ifndef NSS_OPERATION_H
#define NSS_OPERATION_H

#include "../common/error.h"

#include <cert.h>
#include <keyhi.h>
#include <nss.h>
#include <pk11pub.h>
#include <prerror.h>
#include <secerr.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(table) (sizeof(table) / sizeof *(table))

/* Each kind of operation begins with this struct and adds its own fields. Its functions return 1, or 0 with the
 * library's error. */
struct tlx_operation {
    int (*once)(tlx_operation *);     /* does it once */
    int (*first)(tlx_operation *);    /* goes back to the first nonce; null if there is none */
    int (*check)(tlx_operation *);    /* inverse of a random output; null if the output is fixed */
    void (*release)(tlx_operation *); /* frees what the kind added */
    unsigned char *message;           /* a copy of the message, with room for what records add */
    int length;                       /* of the message */
    unsigned char *output;
    size_t output_skip, output_length; /* the answer: so many bytes after so many in front of it */
};

/* Records "what: reason of the library" as this thread's error text; returns TLX_FAILED. */
int tlx_fail(const char *what);

/* An operation of `size` bytes (a struct that begins with tlx_operation), zeroed, with a copy of the message and room
 * for an output that is `more` bytes longer; null without memory. */
tlx_operation *tlx_operation_alloc(size_t size, size_t more, const struct tlx_inputs *inputs);

/* The bytes as NSS takes them; it has no const, and does not write to them. */
static inline SECItem tlx_item(const void *data, size_t length) {
    return (SECItem){siBuffer, (unsigned char *)data, (unsigned)length};
}

/* The internal token alone: no module of the machine is asked for anything. Null with the library's error. */
PK11SymKey *tlx_import_key(CK_MECHANISM_TYPE mechanism, CK_ATTRIBUTE_TYPE operation, const void *key, size_t length);
/* A private key from PKCS #8; the public value belongs to it. */
SECKEYPrivateKey *tlx_import_private(SECItem pkcs8, SECItem public_value);

/* The next block of a PEM text, decoded (freed with SECITEM_FreeItem(&item, PR_FALSE)); moves the text on. 1, or 0 at
 * its end. */
int tlx_next_pem(struct tlx_bytes *text, SECItem *item);

/* The constructors of the kinds, for algorithms whose tlx_..._has is not negative. */
int tlx_cipher_new(const char *algorithm, int encrypt, const struct tlx_inputs *, tlx_operation **);
int tlx_hash_new(const char *algorithm, const struct tlx_inputs *, tlx_operation **);
int tlx_signature_new(const char *algorithm, int signing, const struct tlx_inputs *, tlx_operation **);
int tlx_exchange_new(const char *algorithm, int keygen, const struct tlx_inputs *, tlx_operation **);
int tlx_certificates_new(const char *algorithm, const struct tlx_inputs *, tlx_operation **);

/* Whether the library has the algorithm: 1, 0, or -1 if it is of another kind. */
int tlx_cipher_has(const char *algorithm);
int tlx_hash_has(const char *algorithm);
int tlx_signature_has(const char *algorithm);
int tlx_exchange_has(const char *algorithm);
int tlx_certificates_has(const char *algorithm);

#endif

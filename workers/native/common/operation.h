/* The frame of every primitive: what an operation has, how it is looked up, set up, run and answered.
 *
 * A backend lists its kinds of operations in `tlx_primitives`. A kind is a table of algorithms, each row beginning with
 * a name of the tlstax vocabulary, and the functions that prepare and drop an operation. Everything else is here, so
 * that a backend has only the calls of its library. Nothing here stands between the loop that is timed and those calls:
 * the loop calls `once`, a function of the backend.
 *
 * Functions that return int give 0 or more, or a negative error: one of the library's, or TLX_WRONG.
 */
#ifndef TLX_COMMON_OPERATION_H
#define TLX_COMMON_OPERATION_H

#include "algorithm.h"
#include "lookup.h"

#include <string.h>

/* A wrong result where the library saw no error. No library has an error of this number. */
enum { TLX_WRONG = -0x100000 };

/* Lengths in bytes of what an operation is given; of the tag of an AEAD; of the input keying material of HKDF. */
enum { TLX_KEY = 64, TLX_IV = 16, TLX_AAD = 13, TLX_NONCE = 12, TLX_TAG = 16, TLX_HKDF_KEY = 32 };

enum tlx_action {
    TLX_ENCRYPT,
    TLX_DECRYPT,
    TLX_SIGN,
    TLX_VERIFY,
    TLX_KEYGEN,
    TLX_DERIVE,
    TLX_ENCAPSULATE,
    TLX_DECAPSULATE,
    TLX_ACT, /* the one thing that is done with the algorithm: digest, mac, load, parse */
};

/* Each file with a kind of operation has a struct tlx_operation of its own: these fields, then `row`, a pointer to the row of
 * the kind's table, then what the kind adds, which is zero when it is prepared. */
struct tlx_operation_base {
    /* What the loop that is timed needs stands together. */
    int (*once)(tlx_operation *); /* does it once */
    uint64_t record;              /* the number of the record that is next */
    unsigned char *message;       /* a copy, with zeroed room for what records add */
    size_t length;                /* of the message alone */
    unsigned char *output;
    size_t output_skip, output_length; /* the answer: so many bytes after so many in front of it */
    unsigned char iv[TLX_IV], additional_data[TLX_AAD];
    int speed; /* the call pattern of `openssl speed` */
    enum tlx_action action;
    const struct tlx_kind *kind;
    struct tlx_algorithm algorithm;
    unsigned char *peer, *signature; /* copies */
    size_t peer_length, signature_length;
    size_t sealed_length; /* decryption: of the record that stands in place of the message */
    unsigned char key[TLX_KEY], mac_key[TLX_KEY];
    int (*answer)(tlx_operation *); /* does it once and writes the output; null if `once` does */
    int (*first)(tlx_operation *);  /* goes back to its beginning, where `record` is 0; null if that is all */
    int (*check)(tlx_operation *);  /* inverse of a random output; null if the output is fixed */
    int (*verify)(tlx_operation *); /* checks `signature` */
};

/* Operations that are set up and run alike. What is null does not apply. */
struct tlx_kind {
    const void *rows;
    size_t count, row_size;
    size_t size;  /* of its operation */
    int (*calls[TLX_FORMS][2])(tlx_operation *); /* `once` by form; the second is for a decryption */
    size_t room;  /* in the output, beyond the message and what a record adds */
    int tls_only; /* for the call pattern of `openssl speed` another kind has the same algorithms */
    /* Makes the library's objects of an operation that has a key and may have no inputs yet, before `prepare`. */
    int (*start)(tlx_operation *);
    /* Whether the library has what is asked of an operation that has a key and no inputs; null: what starts, or all of the
     * table. What it makes to find out it drops. */
    int (*has)(tlx_operation *);
    /* What the library lacks for the operation, after "has no"; null: nothing, or its algorithm. */
    const char *(*lacks)(tlx_operation *);
    /* Sets the rest up, at the least `once` where `calls` has none. The common fields are filled in, also `output_length` of
     * ciphers and hashes. After an error the operation is released. */
    int (*prepare)(tlx_operation *, const struct tlx_inputs *);
    /* A decryption took the record of this sealer in place of its message, after `output_skip` bytes that are `iv`. */
    int (*take)(tlx_operation *, tlx_operation *sealer);
    void (*release)(tlx_operation *); /* frees what start and prepare made, all or a part */
};

/* The first members of a tlx_kind: the table, and the size of this file's operation. */
#define TLX_KIND(table) \
    .rows = (table), .count = COUNT(table), .row_size = sizeof *(table), .size = sizeof(struct tlx_operation)

enum { TLX_KINDS = 8 };

/* What a backend defines once. */
struct tlx_primitives {
    const struct tlx_kind *kinds[TLX_KINDS]; /* null behind the last */
    int has_speed;                           /* the library comes with `openssl speed` */
    /* Records "what: the library's reason" as this thread's error text; returns TLX_FAILED. */
    int (*fail)(const char *what, int error);
    /* What an algorithm that the library lacks is called after "has no"; null, also as a result: its name. */
    const char *(*absent)(const char *algorithm);
    /* Drops errors that the library keeps of calls whose failure was an answer; null if it keeps none. */
    void (*forget)(void);
};
extern const struct tlx_primitives tlx_primitives;

static inline void tlx_forget(void) {
    if (tlx_primitives.forget != NULL)
        tlx_primitives.forget();
}

/* The result of a library whose calls return 1 when done, and which keeps the number of its error itself. */
static inline int tlx_done(int done) { return done > 0 ? 0 : TLX_FAILED; }

/* Sets the calls of a signature whose key is ready. `sign` writes the output and its length; `verify` holds the operation's
 * signature against its message. `fixed`: signatures are not random, so that they are the answer. Where there is no signature
 * of another implementation to verify, one of our own is made. */
int tlx_signature_start(tlx_operation *, int (*sign)(tlx_operation *), int (*verify)(tlx_operation *), int fixed);

/* 0 if two secrets are one. */
int tlx_agree(const void *ours, size_t our_length, const void *theirs, size_t their_length);

#endif

/* What the files of the AF_ALG backend share: the sockets of the kernel's crypto, and the operations over them. */
#ifndef AFALG_OPERATION_H
#define AFALG_OPERATION_H

#include "../common/error.h"

#include <string.h>

/* One of the kernel's algorithms as a socket names it. */
struct algorithm {
    const char *name;   /* in the tlstax vocabulary */
    const char *type;   /* "aead", "skcipher" or "hash" */
    const char *kernel; /* "gcm(aes)" */
    size_t key, iv, tag, digest;
};

/* All that this backend knows to ask for, in the order of the vocabulary; ends with a null name. */
extern const struct algorithm afalg_algorithms[];

/* The algorithm of that name, or null. */
const struct algorithm *afalg_find(const char *name);

struct tlx_operation {
    int (*once)(tlx_operation *); /* does it once: 1, or 0 with errno */
    int socket;
    uint64_t record;
    unsigned char *input, *output;
    size_t input_length, output_length; /* what goes through the socket, either way */
    size_t skip;                        /* output in front of the answer */
};

/* Records "what: reason of the system" as this thread's error text. */
int afalg_fail(const char *what);

/* A socket of this type and algorithm, or -1 with errno. */
int afalg_bind(const char *type, const char *kernel);
/* A socket that works: bound, with its key and tag, and accepted; -1 with errno. */
int afalg_open(const struct algorithm *, const unsigned char *key);

/* What to say when that failed: the kernel has no such algorithm, or something went wrong. */
int afalg_cannot_open(const struct algorithm *);

/* An operation of `size` bytes (a struct that begins with tlx_operation), zeroed but for its buffers and its socket. */
tlx_operation *afalg_operation_alloc(size_t size, size_t input, size_t output);

int afalg_cipher_new(const struct algorithm *, int encrypt, const struct tlx_inputs *, tlx_operation **);
int afalg_hash_new(const struct algorithm *, const struct tlx_inputs *, tlx_operation **);

/* The driver that the kernel takes for an algorithm, from /proc/crypto; "" if it does not say. */
const char *afalg_driver(const char *kernel);

#endif

/* What the files of the AF_ALG backend share: the sockets of the kernel's crypto, and the operations over them. */
#ifndef AFALG_OPERATION_H
#define AFALG_OPERATION_H

#include "../common/error.h"
#include "../common/operation.h"

#include <string.h>

/* One of the kernel's algorithms as a socket names it, and the lengths that it takes. */
struct algorithm {
    const char *name;   /* in the tlstax vocabulary */
    const char *type;   /* "aead", "skcipher" or "hash" */
    const char *kernel; /* "gcm(aes)" */
    size_t key, iv, tag;
};

/* All that this backend knows to ask for, in the order of the vocabulary. */
enum { AFALG_CIPHERS = 7, AFALG_HASHES = 8, AFALG_ALL = AFALG_CIPHERS + AFALG_HASHES };
extern const struct algorithm afalg_algorithms[AFALG_ALL];

struct afalg_operation {
    struct tlx_operation_base;
    const struct algorithm *row;
    int socket;
};

/* A socket that works: bound, with its key and tag, and accepted; -1 with errno. */
int afalg_open(const struct algorithm *, const unsigned char *key);

extern const struct tlx_kind afalg_cipher;

/* What the kinds have in common; functions of the frame. */
int afalg_has(tlx_operation *);
const char *afalg_lacks(tlx_operation *);
void afalg_release(tlx_operation *);

/* The driver that the kernel takes for an algorithm, from /proc/crypto; "" if it does not say. */
const char *afalg_driver(const char *kernel);

#endif

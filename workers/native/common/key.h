/* The keys of certificates: what the names of the tlstax vocabulary stand for, and their PEM. */
#ifndef TLX_COMMON_KEY_H
#define TLX_COMMON_KEY_H

#include "../tlx.h"

enum tlx_key_type {
    TLX_RSA,
    TLX_ECDSA,
    TLX_ED25519,
    TLX_ML_DSA_44,
    TLX_ML_DSA_65,
    TLX_ML_DSA_87,
    TLX_KEY_TYPES, /* how many there are */
};

struct tlx_key {
    const char *name;
    enum tlx_key_type type;
    int bits;  /* 0: the type has one size */
    int curve; /* as a group of TLS, by its code point; 0: none */
};

/* Null if the vocabulary has no such name. */
const struct tlx_key *tlx_key_find(const char *name);

/* The name, a static text, of a key of this type and size; null if it has none. */
const char *tlx_key_called(enum tlx_key_type type, int bits);

/* A copy of the PEM with a 0 behind it, for libraries that take no length; to be freed, null without memory. */
unsigned char *tlx_text(struct tlx_bytes pem);

/* RFC 8422 5.1: the groups before TLS 1.3 also say which curves are accepted in certificates, so the curve of an ECDSA key has
 * to be in the list of an end that verifies one, after the group that is wanted. Its code point, or 0: none is needed. */
int tlx_certificate_curve(const struct tlx_endpoint *endpoint);

#endif

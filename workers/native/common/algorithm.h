/* The algorithms of the tlstax vocabulary whose keys and outputs have a fixed length. */
#ifndef TLX_COMMON_ALGORITHM_H
#define TLX_COMMON_ALGORITHM_H

#include <stddef.h>

enum tlx_form {
    TLX_OTHER, /* signature, key exchange, certificate */
    TLX_AEAD,
    TLX_CBC,
    TLX_STREAM,
    TLX_CBC_HMAC, /* MAC-then-encrypt of a TLS 1.2 record */
    TLX_DIGEST,
    TLX_MAC,
    TLX_HKDF,
    TLX_FORMS, /* how many there are */
};

/* Lengths in bytes, 0 where there is none. */
struct tlx_algorithm {
    const char *name;
    enum tlx_form form;
    size_t key_length; /* of a cipher */
    size_t iv_length;  /* of its nonce or initialisation vector */
    size_t mac_length; /* of the tag, the MAC or the digest */
    const char *part;  /* the cipher or the digest that it is composed of; null: none */
};

/* What is known of the algorithm; of one that is not listed, its name and TLX_OTHER. */
struct tlx_algorithm tlx_describe(const char *name);

#endif

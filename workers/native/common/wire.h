/* The group of the key exchange, read from what the server sends before it encrypts, for libraries that do not report it.
 *
 * Both places are in the clear: the key_share in the ServerHello of TLS 1.3 (RFC 8446 4.2.8), and the parameters in the
 * ServerKeyExchange of TLS 1.2 (RFC 8422 5.4, RFC 5246 7.4.3).
 */
#ifndef TLX_COMMON_WIRE_H
#define TLX_COMMON_WIRE_H

#include <stddef.h>

struct tlx_wire {
    int group;       /* its code point; 0 if it has not been seen */
    size_t prime;    /* length of the prime of a finite field, which has no name in TLS 1.2; it stands in `body` after 2 bytes */
    int encrypted;   /* what follows cannot be read */
    unsigned char record[5], message[4]; /* headers */
    size_t record_have, record_left, message_have, message_left;
    unsigned char body[512]; /* the front of a message that may name the group */
    size_t body_have;
};

/* Looks at the next bytes, until the group is known. */
void tlx_wire_see(struct tlx_wire *wire, const unsigned char *data, size_t length);

#endif

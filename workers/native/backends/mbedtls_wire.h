/* What the server sends before it encrypts. */
#ifndef MBEDTLS_WIRE_H
#define MBEDTLS_WIRE_H

#include <stddef.h>

struct mbed_wire {
    int group;     /* its code point; 0 if it has not been seen */
    int encrypted; /* what follows cannot be read */
    unsigned char record[5], message[4]; /* headers */
    size_t record_have, record_left, message_have, message_left;
    unsigned char body[512]; /* the front of a message that may name the group */
    size_t body_have;
};

/* Looks at the next bytes, until the group is known. */
void mbed_wire_see(struct mbed_wire *wire, const unsigned char *data, size_t length);

#endif

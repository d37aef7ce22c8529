/* AF_ALG: message digests and HMAC. A message is one send, its digest one read; the next send starts anew and keeps the
 * key of a MAC. */

#define _GNU_SOURCE

#include "afalg_operation.h"

#include <sys/socket.h>
#include <unistd.h>

static int hash(tlx_operation *base) {
    int socket = ((struct socket_operation *)base)->socket;
    return tlx_done(send(socket, base->message, base->length, 0) == (ssize_t)base->length
                    && read(socket, base->output, base->output_length) == (ssize_t)base->output_length);
}

static int prepare(tlx_operation *base, const struct tlx_inputs *inputs) {
    struct socket_operation *op = (struct socket_operation *)base;
    base->once = hash;
    op->socket = afalg_open(base->row, inputs->mac_key.data);
    return tlx_done(op->socket >= 0);
}

const struct tlx_kind afalg_hash = {.rows = afalg_algorithms + AFALG_CIPHERS,
                                    .count = AFALG_HASHES,
                                    .row_size = sizeof *afalg_algorithms,
                                    .size = sizeof(struct socket_operation),
                                    .has = afalg_has,
                                    .lacks = afalg_lacks,
                                    .prepare = prepare,
                                    .release = afalg_release};

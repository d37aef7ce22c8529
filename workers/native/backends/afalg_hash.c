/* AF_ALG: message digests and HMAC. A message is one send, its digest one read; the next send starts anew and keeps the
 * key of a MAC. */

#define _GNU_SOURCE

#include "afalg_operation.h"

#include <sys/socket.h>
#include <unistd.h>

struct tlx_operation {
    struct afalg_operation;
};

static int hash(tlx_operation *op) {
    return tlx_done(send(op->socket, op->message, op->length, 0) == (ssize_t)op->length
                    && read(op->socket, op->output, op->output_length) == (ssize_t)op->output_length);
}

static int prepare(tlx_operation *op, const struct tlx_inputs *inputs) {
    op->socket = afalg_open(op->row, inputs->mac_key.data);
    return tlx_done(op->socket >= 0);
}

const struct tlx_kind afalg_hash = {.rows = afalg_algorithms + AFALG_CIPHERS,
                                    .count = AFALG_HASHES,
                                    .row_size = sizeof *afalg_algorithms,
                                    .size = sizeof(struct tlx_operation),
                                    .calls = {[TLX_DIGEST] = {hash}, [TLX_MAC] = {hash}},
                                    .has = afalg_has,
                                    .lacks = afalg_lacks,
                                    .prepare = prepare,
                                    .release = afalg_release};

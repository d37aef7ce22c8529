/* AF_ALG: message digests and HMAC. A message is one send, its digest one read; the next send starts anew and keeps the
 * key of a MAC. */

#define _GNU_SOURCE

#include "afalg_operation.h"

#include <sys/socket.h>
#include <unistd.h>

static int hash(tlx_operation *);

int afalg_hash_new(const struct algorithm *algorithm, const struct tlx_inputs *inputs, tlx_operation **made) {
    tlx_operation *op = afalg_operation_alloc(sizeof *op, inputs->message.length, algorithm->digest);
    if (op == NULL)
        return afalg_fail("allocating a hash operation");
    if (inputs->message.length > 0)
        memcpy(op->input, inputs->message.data, inputs->message.length);
    op->once = hash;
    op->socket = afalg_open(algorithm, inputs->mac_key.data);
    if (op->socket < 0) {
        int result = afalg_cannot_open(algorithm);
        tlx_operation_free(op);
        return result;
    }
    *made = op;
    return TLX_OK;
}

static int hash(tlx_operation *op) {
    if (send(op->socket, op->input, op->input_length, 0) != (ssize_t)op->input_length)
        return 0;
    return read(op->socket, op->output, op->output_length) == (ssize_t)op->output_length;
}

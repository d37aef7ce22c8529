/* What is done alike with the signatures of every library: the checks, and a signature to verify. */

#include "operation.h"

#include <stdlib.h>
#include <string.h>

struct tlx_operation {
    struct tlx_operation_base;
};

/* The fresh signature, verified by the library. */
static int check_signature(tlx_operation *op) {
    unsigned char *given = op->signature;
    size_t given_length = op->signature_length;
    int result;
    op->signature = op->output;
    op->signature_length = op->output_length;
    result = op->verify(op);
    op->signature = given;
    op->signature_length = given_length;
    return result;
}

/* A verification that succeeds proves little if it never fails: a changed message must be refused. */
static int check_refusal(tlx_operation *op) {
    int result;
    op->message[0] ^= 1;
    result = op->verify(op);
    op->message[0] ^= 1;
    return result < 0 ? 0 : TLX_WRONG;
}

static int take_own(tlx_operation *op, int (*sign)(tlx_operation *)) {
    int result = sign(op);
    unsigned char *own = result < 0 ? NULL : malloc(op->output_length);
    if (own == NULL)
        return result < 0 ? result : TLX_WRONG;
    memcpy(own, op->output, op->output_length);
    free(op->signature);
    op->signature = own;
    op->signature_length = op->output_length;
    return 0;
}

int tlx_signature_start(tlx_operation *op, int (*sign)(tlx_operation *), int (*verify)(tlx_operation *), int fixed) {
    op->verify = verify;
    if (op->action == TLX_SIGN) {
        op->once = sign;
        op->check = fixed ? NULL : check_signature;
        return 0;
    }
    op->once = verify;
    op->check = check_refusal;
    return op->signature_length > 0 ? 0 : take_own(op, sign);
}

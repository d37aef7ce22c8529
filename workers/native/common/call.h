/* Operations that need nothing but their call: "load" and "parse". */
#ifndef TLX_COMMON_CALL_H
#define TLX_COMMON_CALL_H

#include "operation.h"

struct tlx_call {
    const char *algorithm;
    int (*once)(tlx_operation *);
    int (*answer)(tlx_operation *); /* null if `once` writes the output */
};

struct tlx_operation {
    struct tlx_operation_base;
    const struct tlx_call *row;
};

static inline int tlx_prepare_call(tlx_operation *op, const struct tlx_inputs *inputs) {
    op->once = op->row->once;
    op->answer = op->row->answer;
    return 0;
}

/* The answer of "load": how many certificates there were, 4 bytes, big-endian. */
static inline void tlx_answer_count(tlx_operation *op, uint32_t count) {
    for (int i = 0; i < 4; i++)
        op->output[i] = (unsigned char)(count >> (24 - 8 * i));
    op->output_length = 4;
}

/* The answer of "parse": a number, big-endian, without leading zeros. An INTEGER of DER is signed, so that a zero may
 * stand in front. The output has room for any number of a certificate that is the message. */
static inline void tlx_answer_number(tlx_operation *op, const unsigned char *bytes, size_t length) {
    for (; length > 0 && *bytes == 0; bytes++)
        length--;
    memcpy(op->output, bytes, length);
    op->output_length = length;
}

#endif

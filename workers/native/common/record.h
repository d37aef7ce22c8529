/* Records: their nonces, and MAC-then-encrypt of TLS 1.2 (RFC 5246 6.2.3.2), composed of a library's cipher and MAC.
 *
 * Included behind the struct tlx_operation of a file. The functions of the backend are known where these are called,
 * so that nothing is called through a pointer.
 */
#ifndef TLX_COMMON_RECORD_H
#define TLX_COMMON_RECORD_H

#include "operation.h"

enum { TLX_BLOCK = 16, TLX_LONGEST_MAC = 64 };

/* RFC 8446 5.3: the number of the record, big-endian, xor-ed into the end of the IV. */
static inline void tlx_nonce(const tlx_operation *op, unsigned char *out) {
    memcpy(out, op->iv, TLX_NONCE);
    for (int i = 0; i < 8; i++)
        out[TLX_NONCE - 1 - i] ^= (unsigned char)(op->record >> (8 * i));
}

/* Writes the MAC of the additional data, which are the header that is authenticated (6.2.3.1), and of the message. */
typedef int tlx_mac(tlx_operation *op, const unsigned char *message, unsigned char *mac);
/* Encrypts or decrypts `length` bytes, whole blocks, to the output, with the first IV. */
typedef int tlx_crypt(tlx_operation *op, const unsigned char *in, size_t length);
/* Compares in constant time: 0 if equal. */
typedef int tlx_compare(const void *ours, const void *theirs, size_t length);

/* Message, MAC and at least one byte of padding, in whole blocks. */
static inline size_t tlx_padded(const tlx_operation *op) {
    return (op->length + op->algorithm.mac_length + TLX_BLOCK) / TLX_BLOCK * TLX_BLOCK;
}

/* Appends MAC and padding to the message at the beginning of `record`. */
static inline __attribute__((always_inline)) int tlx_append_mac(tlx_operation *op, unsigned char *record,
                                                                tlx_mac *mac) {
    size_t plain = op->length + op->algorithm.mac_length, padding = tlx_padded(op) - plain;
    int error = mac(op, record, record + op->length);
    memset(record + plain, (int)(padding - 1), padding);
    return error;
}

/* Unlike that of a TLS stack, this check of MAC and padding takes a time that depends on the data, and one HMAC less:
 * the record is always valid. */
static inline __attribute__((always_inline)) int tlx_check_mac(tlx_operation *op, const unsigned char *record,
                                                               tlx_mac *mac, tlx_compare *compare) {
    size_t mac_length = op->algorithm.mac_length, padded = tlx_padded(op);
    unsigned char expected[TLX_LONGEST_MAC];
    int error = mac(op, record, expected);
    if (error < 0)
        return error;
    return record[padded - 1] == padded - op->length - mac_length - 1
                   && compare(expected, record + op->length, mac_length) == 0
               ? 0
               : TLX_WRONG;
}

static inline __attribute__((always_inline)) int tlx_seal_record(tlx_operation *op, tlx_mac *mac, tlx_crypt *encrypt) {
    int error;
    memcpy(op->output, op->message, op->length);
    error = tlx_append_mac(op, op->output, mac);
    return error < 0 ? error : encrypt(op, op->output, tlx_padded(op));
}

static inline __attribute__((always_inline)) int tlx_open_record(tlx_operation *op, tlx_mac *mac, tlx_crypt *decrypt,
                                                                 tlx_compare *compare) {
    int error = decrypt(op, op->message, tlx_padded(op));
    return error < 0 ? error : tlx_check_mac(op, op->output, mac, compare);
}

#endif

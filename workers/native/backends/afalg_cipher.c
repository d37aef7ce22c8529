/* AF_ALG: encryption, authenticated or alone.
 *
 * TLS pattern: one socket with its key set once. Per message the direction, the nonce and the length of the additional
 * data go with a sendmsg of additional data and message; a read does the work and brings additional data, message and
 * tag. Decryption opens the record number 0 again and again.
 */

#define _GNU_SOURCE

#include "afalg_operation.h"

#include <errno.h>
#include <linux/if_alg.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

#ifndef SOL_ALG
#define SOL_ALG 279
#endif

enum { AAD = 13, LONGEST_IV = 16, NONCE = 12 };

struct cipher_operation {
    tlx_operation base;
    const struct algorithm *algorithm;
    int encrypt;
    unsigned char iv[LONGEST_IV];
    unsigned char *nonce; /* its place in the control messages */
    struct iovec data;
    struct msghdr message;
    _Alignas(struct cmsghdr) unsigned char
        control[CMSG_SPACE(4) + CMSG_SPACE(sizeof(struct af_alg_iv) + LONGEST_IV) + CMSG_SPACE(4)];
};

static int fits(int socket, size_t length);
static void describe(struct cipher_operation *);
static int fill(struct cipher_operation *, const struct tlx_inputs *);
static int convert(tlx_operation *);

static int give_up(tlx_operation *op, int result) {
    tlx_operation_free(op);
    return result;
}

int afalg_cipher_new(const struct algorithm *algorithm, int encrypt, const struct tlx_inputs *inputs,
                     tlx_operation **made) {
    size_t aad = algorithm->tag > 0 ? AAD : 0, open = aad + inputs->message.length, sealed = open + algorithm->tag;
    tlx_operation *base = afalg_operation_alloc(sizeof(struct cipher_operation), encrypt ? open : sealed,
                                                encrypt ? sealed : open);
    struct cipher_operation *op = (struct cipher_operation *)base;
    int result;
    if (op == NULL)
        return afalg_fail("allocating a cipher operation");
    op->algorithm = algorithm;
    op->encrypt = encrypt;
    base->once = convert;
    base->skip = aad;
    base->socket = afalg_open(algorithm, inputs->key.data);
    if (base->socket < 0)
        return give_up(base, afalg_cannot_open(algorithm));
    if (!fits(base->socket, sealed))
        return give_up(base, tlx_unsupported("room in the buffers of its sockets for a message of this size"));
    describe(op);
    result = fill(op, inputs);
    if (result != TLX_OK)
        return give_up(base, result);
    *made = base;
    return TLX_OK;
}

/* The kernel copies the whole message before it works, page by page, into as much as a socket may hold. */
static int fits(int socket, size_t length) {
    static const int options[] = {SO_SNDBUF, SO_RCVBUF};
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    for (size_t i = 0; i < 2; i++) {
        int room = 0;
        socklen_t size = sizeof room;
        if (getsockopt(socket, SOL_SOCKET, options[i], &room, &size) < 0 || length > (size_t)room / page * page)
            return 0;
    }
    return 1;
}

/* Appends one control message; returns the place of its contents. */
static unsigned char *add(struct cipher_operation *op, int type, size_t length) {
    struct cmsghdr *header = (struct cmsghdr *)(op->control + op->message.msg_controllen);
    header->cmsg_level = SOL_ALG;
    header->cmsg_type = type;
    header->cmsg_len = CMSG_LEN(length);
    op->message.msg_controllen += CMSG_SPACE(length);
    return CMSG_DATA(header);
}

/* Everything of the message but the nonce, which is all that changes. */
static void describe(struct cipher_operation *op) {
    uint32_t direction = op->encrypt ? ALG_OP_ENCRYPT : ALG_OP_DECRYPT, length = (uint32_t)op->algorithm->iv, aad = AAD;
    unsigned char *iv;
    op->data = (struct iovec){op->base.input, op->base.input_length};
    op->message = (struct msghdr){.msg_iov = &op->data, .msg_iovlen = 1, .msg_control = op->control};
    memcpy(add(op, ALG_SET_OP, sizeof direction), &direction, sizeof direction);
    iv = add(op, ALG_SET_IV, sizeof length + length);
    memcpy(iv, &length, sizeof length);
    op->nonce = iv + sizeof length;
    if (op->algorithm->tag > 0)
        memcpy(add(op, ALG_SET_AEAD_ASSOCLEN, sizeof aad), &aad, sizeof aad);
}

/* The input is the message, or what the opposite operation makes of it. */
static int fill(struct cipher_operation *op, const struct tlx_inputs *inputs) {
    tlx_operation *sealer = NULL;
    struct tlx_bytes text = inputs->message;
    int result = TLX_OK;
    memcpy(op->iv, inputs->iv.data, LONGEST_IV);
    memcpy(op->base.input, inputs->additional_data.data, op->base.skip);
    if (!op->encrypt)
        result = afalg_cipher_new(op->algorithm, 1, inputs, &sealer);
    if (result == TLX_OK && !op->encrypt)
        result = tlx_operation_answer(sealer, &text);
    if (result == TLX_OK && text.length > 0)
        memcpy(op->base.input + op->base.skip, text.data, text.length);
    tlx_operation_free(sealer);
    return result;
}

/* RFC 8446 5.3: the record number, big-endian, xor-ed into the end of the IV. */
static void set_nonce(struct cipher_operation *op) {
    /* RFC 3610 2.3: the kernel takes the first counter block of CCM whole, with the bytes of the length less one. */
    int ccm = op->algorithm->iv == LONGEST_IV;
    unsigned char *nonce = op->nonce + ccm;
    if (ccm) {
        memset(op->nonce, 0, LONGEST_IV);
        op->nonce[0] = 15 - NONCE - 1;
    }
    memcpy(nonce, op->iv, NONCE);
    for (int i = 0; i < 8; i++)
        nonce[NONCE - 1 - i] ^= (unsigned char)(op->base.record >> (8 * i));
}

static int convert(tlx_operation *base) {
    struct cipher_operation *op = (struct cipher_operation *)base;
    if (op->algorithm->tag > 0)
        set_nonce(op);
    else
        memcpy(op->nonce, op->iv, op->algorithm->iv);
    base->record += (uint64_t)op->encrypt;
    /* Without waiting: nobody else would make room. */
    if (sendmsg(base->socket, &op->message, MSG_DONTWAIT) != (ssize_t)base->input_length)
        return 0;
    return read(base->socket, base->output, base->output_length) == (ssize_t)base->output_length;
}

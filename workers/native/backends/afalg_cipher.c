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

enum { LONGEST_IV = 16 };

struct tlx_operation {
    struct afalg_operation;
    int encrypt;
    size_t read_length;   /* what comes back for a message */
    unsigned char *nonce; /* its place in the control messages */
    struct iovec data;
    struct msghdr header;
    _Alignas(struct cmsghdr) unsigned char
        control[CMSG_SPACE(4) + CMSG_SPACE(sizeof(struct af_alg_iv) + LONGEST_IV) + CMSG_SPACE(4)];
};

#include "../common/record.h"

/* RFC 8446 5.3. */
static void set_nonce(tlx_operation *op) {
    /* RFC 3610 2.3: the kernel takes the first counter block of CCM whole, with the bytes of the length less one. */
    int ccm = op->row->iv == LONGEST_IV;
    if (ccm) {
        memset(op->nonce, 0, LONGEST_IV);
        op->nonce[0] = 15 - TLX_NONCE - 1;
    }
    tlx_nonce(op, op->nonce + ccm);
}

static int convert(tlx_operation *op) {
    if (op->algorithm.form == TLX_AEAD)
        set_nonce(op);
    else
        memcpy(op->nonce, op->iv, op->algorithm.iv_length);
    op->record += (uint64_t)op->encrypt;
    /* Without waiting: nobody else would make room. */
    return tlx_done(sendmsg(op->socket, &op->header, MSG_DONTWAIT) == (ssize_t)op->data.iov_len
                    && read(op->socket, op->output, op->read_length) == (ssize_t)op->read_length);
}

/* ---- setting up ----------------------------------------------------------------------------------------------- */

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

static const char *lacks(tlx_operation *op) {
    int socket = afalg_open(op->row, op->key), room;
    if (socket < 0)
        return afalg_lacks(op);
    room = fits(socket, (op->row->tag > 0 ? TLX_AAD : 0) + op->length + op->row->tag);
    close(socket);
    return room ? NULL : "room in the buffers of its sockets for a message of this size";
}

/* Appends one control message; returns the place of its contents. */
static unsigned char *add(tlx_operation *op, int type, size_t length) {
    struct cmsghdr *added = (struct cmsghdr *)(op->control + op->header.msg_controllen);
    added->cmsg_level = SOL_ALG;
    added->cmsg_type = type;
    added->cmsg_len = CMSG_LEN(length);
    op->header.msg_controllen += CMSG_SPACE(length);
    return CMSG_DATA(added);
}

/* Everything of the message but the nonce, which is all that changes. */
static void describe(tlx_operation *op) {
    uint32_t direction = op->encrypt ? ALG_OP_ENCRYPT : ALG_OP_DECRYPT, length = (uint32_t)op->row->iv, aad = TLX_AAD;
    unsigned char *iv;
    op->header = (struct msghdr){.msg_iov = &op->data, .msg_iovlen = 1, .msg_control = op->control};
    memcpy(add(op, ALG_SET_OP, sizeof direction), &direction, sizeof direction);
    iv = add(op, ALG_SET_IV, sizeof length + length);
    memcpy(iv, &length, sizeof length);
    op->nonce = iv + sizeof length;
    if (op->row->tag > 0)
        memcpy(add(op, ALG_SET_AEAD_ASSOCLEN, sizeof aad), &aad, sizeof aad);
}

/* Additional data, then the message or its record: one buffer either way. */
static int prepare(tlx_operation *op, const struct tlx_inputs *inputs) {
    op->output_skip = op->row->tag > 0 ? TLX_AAD : 0;
    op->encrypt = op->action == TLX_ENCRYPT;
    op->read_length = op->output_skip + op->output_length;
    op->data = (struct iovec){op->message, op->output_skip + op->length + (op->encrypt ? 0 : op->row->tag)};
    memmove(op->message + op->output_skip, op->message, op->length);
    memcpy(op->message, op->additional_data, op->output_skip);
    describe(op);
    op->socket = afalg_open(op->row, op->key);
    return tlx_done(op->socket >= 0);
}

static int take_record(tlx_operation *op, tlx_operation *sealer) {
    memcpy(op->message, op->additional_data, op->output_skip);
    return 0;
}

const struct tlx_kind afalg_cipher = {.rows = afalg_algorithms,
                                      .count = AFALG_CIPHERS,
                                      .row_size = sizeof *afalg_algorithms,
                                      .size = sizeof(struct tlx_operation),
                                      .calls = {[TLX_AEAD] = {convert, convert}, [TLX_CBC] = {convert, convert}},
                                      .has = afalg_has,
                                      .lacks = lacks,
                                      .prepare = prepare,
                                      .take = take_record,
                                      .release = afalg_release};

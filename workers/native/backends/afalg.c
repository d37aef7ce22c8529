/* AF_ALG: the crypto of the Linux kernel, through its sockets. It has primitives and no TLS. */

#define _GNU_SOURCE

#include "afalg_operation.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/utsname.h>
#include <unistd.h>

const struct algorithm afalg_algorithms[AFALG_ALL] = {
    {"aes-128-gcm", "aead", "gcm(aes)", 16, 12, 16},
    {"aes-256-gcm", "aead", "gcm(aes)", 32, 12, 16},
    {"aes-128-ccm", "aead", "ccm(aes)", 16, 16, 16},
    {"chacha20-poly1305", "aead", "rfc7539(chacha20,poly1305)", 32, 12, 16},
    {"aes-128-cbc", "skcipher", "cbc(aes)", 16, 16, 0},
    {"aes-256-cbc", "skcipher", "cbc(aes)", 32, 16, 0},
    {"3des-cbc", "skcipher", "cbc(des3_ede)", 24, 8, 0},
    {"md5", "hash", "md5", 0, 0, 0},
    {"sha1", "hash", "sha1", 0, 0, 0},
    {"sha256", "hash", "sha256", 0, 0, 0},
    {"sha384", "hash", "sha384", 0, 0, 0},
    {"sha512", "hash", "sha512", 0, 0, 0},
    {"hmac-sha1", "hash", "hmac(sha1)", 20, 0, 0},
    {"hmac-sha256", "hash", "hmac(sha256)", 32, 0, 0},
    {"hmac-sha384", "hash", "hmac(sha384)", 48, 0, 0},
};

/* ---- who it is ------------------------------------------------------------------------------------------------ */

/* A key is set, too: a driver may take keys of some lengths only. */
static int opens(const struct algorithm *algorithm, const unsigned char *key) {
    int socket = afalg_open(algorithm, key);
    if (socket >= 0)
        close(socket);
    return socket >= 0;
}

/* The kernel puts an algorithm together when it is first asked for, and lists its driver from then on. */
int tlx_start(void) {
    static const char key[] = "any key, as long as the longest that is asked for, 64 bytes, ...";
    int any = 0;
    for (size_t i = 0; i < AFALG_ALL; i++)
        any |= opens(&afalg_algorithms[i], (const unsigned char *)key);
    if (any)
        return TLX_OK;
    if (errno == EAFNOSUPPORT)
        return tlx_report(TLX_UNSUPPORTED, "this kernel has no AF_ALG sockets (CONFIG_CRYPTO_USER_API_AEAD, _HASH)");
    if (errno == EPERM || errno == EACCES)
        return tlx_report(TLX_UNSUPPORTED, "this process may not make AF_ALG sockets (seccomp or another policy)");
    return tlx_report(TLX_UNSUPPORTED, "this kernel has AF_ALG sockets without algorithms (CONFIG_CRYPTO_USER_API_AEAD, _HASH)");
}

const char *tlx_family(void) { return "afalg"; }

const char *tlx_version(void) {
    static _Thread_local char text[128];
    struct utsname names;
    if (text[0] == 0 && uname(&names) == 0)
        snprintf(text, sizeof text, "Linux %s AF_ALG", names.release);
    return text;
}

/* /proc/version without the name of who built it, which is its first parenthesis: compiler and time. */
static void how_built(char *text, size_t room) {
    FILE *file = fopen("/proc/version", "r");
    char line[512] = "";
    const char *rest;
    if (file != NULL && fgets(line, sizeof line, file) == NULL)
        line[0] = 0;
    if (file != NULL)
        fclose(file);
    line[strcspn(line, "\n")] = 0;
    rest = strchr(line, ')');
    snprintf(text, room, "kernel%s", rest != NULL ? rest + 1 : " does not say how it was built");
}

const char *tlx_build(void) {
    static _Thread_local char text[4096];
    size_t at;
    if (text[0] != 0)
        return text;
    how_built(text, sizeof text);
    at = strlen(text);
    at += (size_t)snprintf(text + at, sizeof text - at, "; drivers:");
    for (size_t i = 0; i < AFALG_ALL; i++) {
        const struct algorithm *one = &afalg_algorithms[i];
        int again = i > 0 && strcmp(one->kernel, one[-1].kernel) == 0;
        const char *driver = afalg_driver(one->kernel);
        if (!again && driver[0] != 0 && at < sizeof text)
            at += (size_t)snprintf(text + at, sizeof text - at, " %s=%s", one->kernel, driver);
    }
    if (at < sizeof text)
        snprintf(text + at, sizeof text - at, "; set by the worker: tags of 16 bytes");
    return text;
}

const char *tlx_cpu(void) { return ""; }

/* ---- primitives ----------------------------------------------------------------------------------------------- */

struct tlx_operation {
    struct afalg_operation;
};

/* The kernel has no such algorithm; with any other number something went wrong. */
static int is_absence(int number) {
    return number == ENOENT || number == EINVAL || number == EOPNOTSUPP || number == ELIBBAD;
}

int afalg_has(tlx_operation *op) { return opens(op->row, op->key) || !is_absence(errno); }

const char *afalg_lacks(tlx_operation *op) { return afalg_has(op) ? NULL : op->row->kernel; }

void afalg_release(tlx_operation *op) {
    if (op->socket >= 0)
        close(op->socket);
}

/* Message digests and HMAC. A message is one send, its digest one read; the next send starts anew and keeps the key of a
 * MAC. */
static int hash(tlx_operation *op) {
    return tlx_done(send(op->socket, op->message, op->length, 0) == (ssize_t)op->length
                    && read(op->socket, op->output, op->output_length) == (ssize_t)op->output_length);
}

static int prepare(tlx_operation *op, const struct tlx_inputs *inputs) {
    op->socket = afalg_open(op->row, inputs->mac_key.data);
    return tlx_done(op->socket >= 0);
}

static const struct tlx_kind afalg_hash = {.rows = afalg_algorithms + AFALG_CIPHERS,
                                    .count = AFALG_HASHES,
                                    .row_size = sizeof *afalg_algorithms,
                                    .size = sizeof(struct tlx_operation),
                                    .calls = {[TLX_DIGEST] = {hash}, [TLX_MAC] = {hash}},
                                    .has = afalg_has,
                                    .lacks = afalg_lacks,
                                    .prepare = prepare,
                                    .release = afalg_release};

static int fail(const char *what, int error) { return tlx_report(TLX_FAILED, "%s: %s", what, strerror(errno)); }

/* Why the kernel's sockets do not have it, where that is known of the interface itself. */
static const char *absent(const char *name) {
    if (strncmp(name, "hkdf-", 5) == 0)
        return "HKDF in its sockets";
    if (strstr(name, "-cbc-hmac-") != NULL)
        return "MAC-then-encrypt of TLS 1.2 in its sockets";
    return strcmp(name, "rc4") == 0 ? "RC4 that goes on from message to message in its sockets" : NULL;
}

const struct tlx_primitives tlx_primitives = {.kinds = {&afalg_cipher, &afalg_hash}, .fail = fail, .absent = absent};

/* AF_ALG: the crypto of the Linux kernel, through its sockets. It has primitives and no TLS. */

#define _GNU_SOURCE

#include "afalg_operation.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/utsname.h>
#include <unistd.h>

const struct algorithm afalg_algorithms[] = {
    {"aes-128-gcm", "aead", "gcm(aes)", 16, 12, 16, 0},
    {"aes-256-gcm", "aead", "gcm(aes)", 32, 12, 16, 0},
    {"aes-128-ccm", "aead", "ccm(aes)", 16, 16, 16, 0},
    {"chacha20-poly1305", "aead", "rfc7539(chacha20,poly1305)", 32, 12, 16, 0},
    {"aes-128-cbc", "skcipher", "cbc(aes)", 16, 16, 0, 0},
    {"aes-256-cbc", "skcipher", "cbc(aes)", 32, 16, 0, 0},
    {"3des-cbc", "skcipher", "cbc(des3_ede)", 24, 8, 0, 0},
    {"md5", "hash", "md5", 0, 0, 0, 16},
    {"sha1", "hash", "sha1", 0, 0, 0, 20},
    {"sha256", "hash", "sha256", 0, 0, 0, 32},
    {"sha384", "hash", "sha384", 0, 0, 0, 48},
    {"sha512", "hash", "sha512", 0, 0, 0, 64},
    {"hmac-sha1", "hash", "hmac(sha1)", 20, 0, 0, 20},
    {"hmac-sha256", "hash", "hmac(sha256)", 32, 0, 0, 32},
    {"hmac-sha384", "hash", "hmac(sha384)", 48, 0, 0, 48},
    {NULL, NULL, NULL, 0, 0, 0, 0},
};

static int has(const struct algorithm *algorithm);

/* ---- who it is ------------------------------------------------------------------------------------------------ */

/* The kernel puts an algorithm together when it is first asked for, and lists its driver from then on. */
int tlx_start(void) {
    int any = 0;
    for (const struct algorithm *one = afalg_algorithms; one->name != NULL; one++)
        any |= has(one);
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
    static char text[128];
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
    static char text[4096];
    size_t at;
    if (text[0] != 0)
        return text;
    how_built(text, sizeof text);
    at = strlen(text);
    at += (size_t)snprintf(text + at, sizeof text - at, "; drivers:");
    for (const struct algorithm *one = afalg_algorithms; one->name != NULL; one++) {
        int again = one != afalg_algorithms && strcmp(one->kernel, one[-1].kernel) == 0;
        const char *driver = afalg_driver(one->kernel);
        if (!again && driver[0] != 0 && at < sizeof text)
            at += (size_t)snprintf(text + at, sizeof text - at, " %s=%s", one->kernel, driver);
    }
    if (at < sizeof text)
        snprintf(text + at, sizeof text - at, "; set by the worker: tags of 16 bytes");
    return text;
}

const char *tlx_cpu(void) { return ""; }

int afalg_fail(const char *what) {
    return tlx_report(TLX_FAILED, "%s: %s", what, strerror(errno));
}

int afalg_cannot_open(const struct algorithm *algorithm) {
    int is_there = errno != ENOENT && errno != EINVAL && errno != EOPNOTSUPP && errno != ELIBBAD;
    return is_there ? afalg_fail(algorithm->kernel) : tlx_unsupported(algorithm->kernel);
}

/* ---- capabilities --------------------------------------------------------------------------------------------- */

const struct algorithm *afalg_find(const char *name) {
    for (const struct algorithm *one = afalg_algorithms; one->name != NULL; one++)
        if (strcmp(one->name, name) == 0)
            return one;
    return NULL;
}

/* A key is set, too: a driver may take keys of some lengths only. */
static int has(const struct algorithm *algorithm) {
    static const char key[] = "any key, as long as the longest that is asked for, 64 bytes, ...";
    int socket = afalg_open(algorithm, (const unsigned char *)key);
    if (socket >= 0)
        close(socket);
    return socket >= 0;
}

int tlx_has_primitive(const char *name, const char *operation) {
    const struct algorithm *algorithm = afalg_find(name);
    (void)operation;
    return algorithm != NULL && has(algorithm);
}

/* ---- operations ----------------------------------------------------------------------------------------------- */

/* Why the kernel's sockets do not have it, where that is known of the interface itself. */
static int missing(const char *name) {
    if (strncmp(name, "hkdf-", 5) == 0)
        return tlx_unsupported("HKDF in its sockets");
    if (strstr(name, "-cbc-hmac-") != NULL)
        return tlx_unsupported("MAC-then-encrypt of TLS 1.2 in its sockets");
    if (strcmp(name, "rc4") == 0)
        return tlx_unsupported("RC4 that goes on from message to message in its sockets");
    return tlx_unsupported(name);
}

int tlx_operation_new(const char *name, const char *operation, int speed, const struct tlx_inputs *inputs,
                      tlx_operation **made) {
    const struct algorithm *algorithm = afalg_find(name);
    *made = NULL;
    if (algorithm == NULL)
        return missing(name);
    if (speed)
        return tlx_unsupported("call pattern of `openssl speed`");
    if (strcmp(algorithm->type, "hash") == 0)
        return afalg_hash_new(algorithm, inputs, made);
    return afalg_cipher_new(algorithm, strcmp(operation, "encrypt") == 0, inputs, made);
}

tlx_operation *afalg_operation_alloc(size_t size, size_t input, size_t output) {
    tlx_operation *operation = calloc(1, size);
    if (operation == NULL)
        return NULL;
    operation->socket = -1;
    operation->input_length = input;
    operation->output_length = output;
    operation->input = calloc(1, input + 1);
    operation->output = calloc(1, output + 1);
    if (operation->input == NULL || operation->output == NULL) {
        tlx_operation_free(operation);
        return NULL;
    }
    return operation;
}

int tlx_operation_run(tlx_operation *operation, uint64_t n) {
    int (*once)(tlx_operation *) = operation->once;
    while (n-- > 0)
        if (!once(operation))
            return afalg_fail("running the operation");
    return TLX_OK;
}

int tlx_operation_answer(tlx_operation *operation, struct tlx_bytes *answer) {
    operation->record = 0;
    if (!operation->once(operation))
        return afalg_fail("running the operation once");
    answer->data = operation->output + operation->skip;
    answer->length = operation->output_length - operation->skip;
    return TLX_OK;
}

void tlx_operation_free(tlx_operation *operation) {
    if (operation == NULL)
        return;
    if (operation->socket >= 0)
        close(operation->socket);
    free(operation->input);
    free(operation->output);
    free(operation);
}

/* GnuTLS: who it is, what it can do, error texts, and what is common to all operations. */

#define _POSIX_C_SOURCE 200809L

#include "gnutls_operation.h"

#include <stdio.h>

/* The library starts itself before main and reads a file of the machine then, unless a program defines this. */
GNUTLS_SKIP_GLOBAL_INIT

/* A distribution's file sets priorities and forbids algorithms, so that the same library would give different figures
 * on different machines. */
int tlx_start(void) {
    int code;
    setenv("GNUTLS_SYSTEM_PRIORITY_FILE", "/dev/null", 1);
    code = gnutls_global_init();
    return code < 0 ? tlx_fail("gnutls_global_init", code) : TLX_OK;
}

const char *tlx_family(void) { return "gnutls"; }

const char *tlx_version(void) {
    static char text[64];
    if (text[0] == 0)
        snprintf(text, sizeof text, "GnuTLS %s", gnutls_check_version(NULL));
    return text;
}

/* The library reports how it was configured, and which Nettle and GMP it was built for. */
const char *tlx_build(void) {
    static char text[2048];
    size_t at = 0;
    for (const gnutls_library_config_st *item = gnutls_get_library_config(); item->name != NULL; item++)
        if (at < sizeof text)
            at += (size_t)snprintf(text + at, sizeof text - at, "%s=%s; ", item->name, item->value);
    if (at < sizeof text)
        snprintf(text + at, sizeof text - at,
                 "set by the worker: no file of system priorities, one suite alone in each priority string, one ticket "
                 "in a handshake, a store against replays of early data that remembers nothing, a cache of session ids "
                 "of its own");
    return text;
}

const char *tlx_cpu(void) { return ""; }

int tlx_fail(const char *what, int code) {
    return tlx_report(TLX_FAILED, "%s: %s (error %d)", what, gnutls_strerror(code), code);
}

/* ---- capabilities --------------------------------------------------------------------------------------------- */

int tlx_has_primitive(const char *algorithm, const char *operation) {
    int has = tlx_cipher_has(algorithm);
    (void)operation; /* GnuTLS has all operations of an algorithm or none */
    if (has < 0)
        has = tlx_hash_has(algorithm);
    if (has < 0)
        has = tlx_signature_has(algorithm);
    if (has < 0)
        has = tlx_certificates_has(algorithm);
    return has > 0;
}

/* ---- operations ----------------------------------------------------------------------------------------------- */

/* What a record can add to a message: MAC, padding, tag. */
enum { RECORD_ROOM = 512 };

tlx_operation *tlx_operation_alloc(size_t size, size_t more, const struct tlx_inputs *inputs) {
    tlx_operation *operation = calloc(1, size);
    if (operation == NULL)
        return NULL;
    operation->length = inputs->message.length;
    operation->message = calloc(1, inputs->message.length + RECORD_ROOM);
    operation->output = calloc(1, inputs->message.length + RECORD_ROOM + more);
    if (operation->message == NULL || operation->output == NULL) {
        tlx_operation_free(operation);
        return NULL;
    }
    if (inputs->message.length > 0)
        memcpy(operation->message, inputs->message.data, inputs->message.length);
    return operation;
}

/* Why an algorithm of no kind is not there. Diffie-Hellman is in the library and not in its interface. */
static int absent(const char *algorithm) {
    if (strncmp(algorithm, "ecdh", 4) == 0 || strcmp(algorithm, "x25519") == 0)
        return tlx_unsupported("Diffie-Hellman outside of a handshake: its interface does not export it");
    return tlx_unsupported(algorithm);
}

int tlx_operation_new(const char *algorithm, const char *operation, int speed, const struct tlx_inputs *inputs,
                      tlx_operation **made) {
    *made = NULL;
    if (!tlx_has_primitive(algorithm, operation))
        return absent(algorithm);
    if (speed)
        return tlx_unsupported("call pattern of `openssl speed`: only the OpenSSL family has it");
    if (tlx_cipher_has(algorithm) >= 0)
        return tlx_cipher_new(algorithm, strcmp(operation, "encrypt") == 0, inputs, made);
    if (tlx_hash_has(algorithm) >= 0)
        return tlx_hash_new(algorithm, inputs, made);
    if (tlx_signature_has(algorithm) >= 0)
        return tlx_signature_new(algorithm, strcmp(operation, "sign") == 0, inputs, made);
    return tlx_certificates_new(algorithm, inputs, made);
}

int tlx_operation_run(tlx_operation *operation, uint64_t n) {
    int (*once)(tlx_operation *) = operation->once;
    while (n-- > 0) {
        int code = once(operation);
        if (code < 0)
            return tlx_fail("running the operation", code);
    }
    return TLX_OK;
}

int tlx_operation_answer(tlx_operation *operation, struct tlx_bytes *answer) {
    int code = operation->first != NULL ? operation->first(operation) : 0;
    if (code < 0)
        return tlx_fail("going back to the first nonce", code);
    code = operation->once(operation);
    if (code < 0)
        return tlx_fail("running the operation once", code);
    code = operation->check != NULL ? operation->check(operation) : 0;
    if (code < 0)
        return tlx_fail("checking the output with its inverse", code);
    answer->data = operation->output;
    answer->length = operation->check != NULL ? 0 : operation->output_length;
    return TLX_OK;
}

void tlx_operation_free(tlx_operation *operation) {
    if (operation == NULL)
        return;
    if (operation->release != NULL)
        operation->release(operation);
    free(operation->message);
    free(operation->output);
    free(operation);
}

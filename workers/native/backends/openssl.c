/* OpenSSL: who it is, what it can do, error texts, and what is common to all operations. */

#include "openssl_operation.h"

#include <stdio.h>

/* What the environment asked for at the start. */
static char asked[512];

int tlx_start(void) {
    const char *failed = tlx_init(asked, sizeof asked);
    return failed == NULL ? TLX_OK : tlx_fail(failed);
}

const char *tlx_family(void) { return TLX_FAMILY; }

const char *tlx_version(void) { return tlx_version_text(); }

const char *tlx_build(void) {
    static char text[4096];
    snprintf(text, sizeof text, "%s; set by the worker: %s%s", tlx_how_built(), TLX_SETTINGS, asked);
    return text;
}

int tlx_fail(const char *what) {
    unsigned long first = ERR_get_error();
    const char *reason = first ? ERR_reason_error_string(first) : NULL;
    ERR_clear_error();
    return tlx_report(TLX_FAILED, "%s: %s (error %lx)", what, reason ? reason : "no reason given", first);
}

/* ---- capabilities --------------------------------------------------------------------------------------------- */

int tlx_has_primitive(const char *algorithm, const char *operation) {
    int has = tlx_cipher_has(algorithm);
    if (has < 0)
        has = tlx_hash_has(algorithm);
    if (has < 0)
        has = tlx_signature_has(algorithm);
    if (has < 0)
        has = tlx_exchange_has(algorithm, operation);
    if (has < 0)
        has = tlx_certificate_has(algorithm);
    ERR_clear_error();
    return has > 0;
}

/* ---- operations ----------------------------------------------------------------------------------------------- */

/* What a record can add to a message: explicit IV, MAC, padding, tag. It is also room for the few bytes
 * that `openssl speed` signs in place of the message. */
enum { RECORD_ROOM = 16 + EVP_MAX_MD_SIZE + 256 };

tlx_operation *tlx_operation_alloc(size_t size, size_t more, const struct tlx_inputs *inputs) {
    tlx_operation *operation = calloc(1, size);
    if (operation == NULL)
        return NULL;
    operation->length = (int)inputs->message.length;
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

int tlx_operation_new(const char *algorithm, const char *operation, int speed, const struct tlx_inputs *inputs,
                      tlx_operation **made) {
    int result = TLX_UNSUPPORTED;
    *made = NULL;
    if (tlx_cipher_has(algorithm) >= 0)
        result = tlx_cipher_new(algorithm, strcmp(operation, "encrypt") == 0, speed, inputs, made);
    else if (tlx_hash_has(algorithm) >= 0)
        result = tlx_hash_new(algorithm, speed, inputs, made);
    else if (tlx_signature_has(algorithm) >= 0)
        result = tlx_signature_new(algorithm, strcmp(operation, "sign") == 0, speed, inputs, made);
    else if (tlx_exchange_has(algorithm, operation) >= 0)
        result = tlx_exchange_new(algorithm, operation, speed, inputs, made);
    else if (tlx_certificate_has(algorithm) >= 0)
        result = tlx_certificate_new(algorithm, speed, inputs, made);
    else
        return tlx_unsupported(algorithm);
    ERR_clear_error();
    return result;
}

int tlx_operation_run(tlx_operation *operation, uint64_t n) {
    int (*once)(tlx_operation *) = operation->once;
    while (n-- > 0)
        if (once(operation) <= 0)
            return tlx_fail("running the operation");
    return TLX_OK;
}

int tlx_operation_answer(tlx_operation *operation, struct tlx_bytes *answer) {
    if (operation->first != NULL && operation->first(operation) <= 0)
        return tlx_fail("going back to the first nonce");
    if ((operation->tell != NULL ? operation->tell : operation->once)(operation) <= 0)
        return tlx_fail("running the operation once");
    if (operation->check != NULL && operation->check(operation) <= 0)
        return tlx_fail("checking the output with its inverse");
    answer->data = operation->output + operation->output_skip;
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

/* Mbed TLS: who it is, what it can do, error texts, and what is common to all operations.
 *
 * The library has two interfaces, its older one and PSA, and its TLS stack uses both: PSA for the key exchange and the
 * key schedule of TLS 1.3, the older one for the rest. Each primitive goes through the one that the TLS stack uses.
 */

#include "../common/switches.h"
#include "mbedtls_operation.h"

#include <mbedtls/error.h>
#include <mbedtls/version.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int same_options(void);

int tlx_start(void) {
    if (!same_options())
        return TLX_FAILED;
    if (psa_crypto_init() != PSA_SUCCESS)
        return mbed_fail("psa_crypto_init", WRONG);
    mbed_endpoint_start();
    return TLX_OK;
}

int mbed_has_option(const char *name) { return mbedtls_version_check_feature(name) == 0; }

/* Options change the layout of structures, so the headers must be those of the library that is linked. */
static int same_options(void) {
#ifdef MBEDTLS_THREADING_C
    int threads = 1;
#else
    int threads = 0;
#endif
#ifdef MBEDTLS_SSL_EARLY_DATA
    int early_data = 1;
#else
    int early_data = 0;
#endif
    const char *wrong = NULL;
    if (threads != mbed_has_option("MBEDTLS_THREADING_C")
        || early_data != mbed_has_option("MBEDTLS_SSL_EARLY_DATA"))
        wrong = "Mbed TLS was built with other options than its headers have";
    else if (!threads)
        wrong = "Mbed TLS was built without MBEDTLS_THREADING_C: threads cannot share it";
    if (wrong != NULL)
        tlx_report(TLX_FAILED, "%s", wrong);
    return wrong == NULL;
}

const char *tlx_family(void) { return "mbedtls"; }

const char *tlx_version(void) {
    static char text[32];
    if (text[0] == 0)
        mbedtls_version_get_string_full(text);
    return text;
}

const char *tlx_build(void) {
    static const char *const options[] = {
        "MBEDTLS_THREADING_PTHREAD", "MBEDTLS_SSL_EARLY_DATA",    "MBEDTLS_CIPHER_NULL_CIPHER",
        "MBEDTLS_USE_PSA_CRYPTO",    "MBEDTLS_HAVE_ASM",          "MBEDTLS_AESNI_C",
        "MBEDTLS_ECP_NIST_OPTIM",    "MBEDTLS_ECDSA_DETERMINISTIC",
    };
    static char text[1024];
    size_t used = 0;
    text[0] = 0;
    for (size_t i = 0; i < COUNT(options); i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s %s; ", options[i],
                                 mbed_has_option(options[i]) ? "on" : "off");
    snprintf(text + used, sizeof text - used,
             "compiler and flags unknown: the library does not say; set by the worker: random numbers of PSA, "
             "a session cache of 20000 entries, one ticket per connection; read by the worker from the server's "
             "messages: the group");
    return text;
}

const char *tlx_cpu(void) { return ""; }

int mbed_fail(const char *what, int error) {
    char reason[160] = "it gave a wrong result";
    if (error < WRONG)
        snprintf(reason, sizeof reason, "PSA status %d", error - WRONG);
    else if (error != WRONG)
        mbedtls_strerror(error, reason, sizeof reason);
    return tlx_report(TLX_FAILED, "%s: %s (error %d)", what, reason, error);
}

int tlx_expand(const char *string, const char *ciphersuites, char *names, size_t room) {
    (void)string, (void)ciphersuites, (void)names, (void)room;
    return tlx_unsupported("cipher strings: suites are named one by one");
}

/* ---- capabilities and operations ------------------------------------------------------------------------------ */

int tlx_has_primitive(const char *algorithm, const char *operation) {
    (void)operation; /* Mbed TLS has all operations of an algorithm or none */
    return mbed_cipher_has(algorithm) > 0 || mbed_hash_has(algorithm) > 0 || mbed_signature_has(algorithm) > 0
           || mbed_exchange_has(algorithm) > 0 || mbed_certificate_has(algorithm) > 0;
}

/* What a record can add to a message: MAC, padding, tag. */
enum { RECORD_ROOM = 16 + 64 + 256 };

tlx_operation *mbed_operation_alloc(size_t size, size_t more, const struct tlx_inputs *inputs) {
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

int tlx_operation_new(const char *algorithm, const char *operation, int speed, const struct tlx_inputs *inputs,
                      tlx_operation **made) {
    *made = NULL;
    if (!tlx_has_primitive(algorithm, operation))
        return tlx_unsupported(algorithm);
    if (speed)
        return tlx_unsupported("call pattern of `openssl speed`: only the OpenSSL family has it");
    if (mbed_cipher_has(algorithm) > 0)
        return mbed_cipher_new(algorithm, strcmp(operation, "encrypt") == 0, inputs, made);
    if (mbed_hash_has(algorithm) > 0)
        return mbed_hash_new(algorithm, inputs, made);
    if (mbed_signature_has(algorithm) > 0)
        return mbed_signature_new(algorithm, strcmp(operation, "sign") == 0, inputs, made);
    if (mbed_exchange_has(algorithm) > 0)
        return mbed_exchange_new(algorithm, strcmp(operation, "keygen") == 0, inputs, made);
    return mbed_certificate_new(algorithm, inputs, made);
}

int tlx_operation_run(tlx_operation *operation, uint64_t n) {
    int (*once)(tlx_operation *) = operation->once;
    while (n-- > 0) {
        int error = once(operation);
        if (error != 0)
            return mbed_fail("running the operation", error);
    }
    return TLX_OK;
}

int tlx_operation_answer(tlx_operation *operation, struct tlx_bytes *answer) {
    int error = operation->first != NULL ? operation->first(operation) : 0;
    if (error != 0)
        return mbed_fail("going back to the first nonce", error);
    error = operation->once(operation);
    if (error != 0)
        return mbed_fail("running the operation once", error);
    error = operation->check != NULL ? operation->check(operation) : 0;
    if (error != 0)
        return mbed_fail("checking the output with its inverse", error);
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

/* ---- switches ------------------------------------------------------------------------------------------------- */

/* The library's own look at the CPU. It is in no public header, and in no build without MBEDTLS_AESNI_C. */
__attribute__((weak)) int mbedtls_aesni_has_support(unsigned int what);

enum { CPUID_AES = 0x02000000, CPUID_CLMUL = 0x00000002 };

static int uses(unsigned int feature) {
    return mbedtls_aesni_has_support != NULL && mbedtls_aesni_has_support(feature) != 0;
}

/* The code of the library knows no other feature of the CPU than these two. */
const char *tlx_is_without(void) {
    static char text[64];
    snprintf(text, sizeof text, "%s%svaes avx512 sha", uses(CPUID_AES) ? "" : "aes ",
             uses(CPUID_CLMUL) ? "" : "clmul ");
    return text;
}

int tlx_without(const char *features, char *settings, size_t room) {
    const char *used = tlx_lists(features, "aes") && uses(CPUID_AES)       ? "aes"
                       : tlx_lists(features, "clmul") && uses(CPUID_CLMUL) ? "clmul"
                                                                           : NULL;
    if (room > 0)
        settings[0] = 0;
    if (used == NULL)
        return TLX_OK;
    return tlx_report(TLX_UNSUPPORTED, "%s has no switch for '%s' at run time", tlx_version(), used);
}

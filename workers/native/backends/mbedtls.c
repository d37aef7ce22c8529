/* Mbed TLS: who it is, which primitives it has, error texts and switches.
 *
 * The library has two interfaces, its older one and PSA, and its TLS stack uses both: PSA for the key exchange and the
 * key schedule of TLS 1.3, the older one for the rest. Each primitive goes through the one that the TLS stack uses.
 */

#include "../common/switches.h"
#include "mbedtls_backend.h"

#include <mbedtls/error.h>
#include <mbedtls/version.h>
#include <stdio.h>
#include <stdlib.h>

/* Options change the layout of structures, so the headers must be those of the library that is linked. */
static int check_options(void) {
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
    if (threads != mbed_has_option("MBEDTLS_THREADING_C") || early_data != mbed_has_option("MBEDTLS_SSL_EARLY_DATA"))
        return tlx_report(TLX_FAILED, "Mbed TLS was built with other options than its headers have");
    if (!threads)
        return tlx_report(TLX_FAILED, "Mbed TLS was built without MBEDTLS_THREADING_C: threads cannot share it");
    return TLX_OK;
}

int tlx_start(void) {
    if (check_options() != TLX_OK)
        return TLX_FAILED;
    if (psa_crypto_init() != PSA_SUCCESS)
        return mbed_fail("psa_crypto_init", TLX_WRONG);
    mbed_endpoint_start();
    return TLX_OK;
}

int mbed_has_option(const char *name) { return mbedtls_version_check_feature(name) == 0; }

const char *tlx_family(void) { return "mbedtls"; }

const char *tlx_version(void) {
    static _Thread_local char text[32];
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
    static _Thread_local char text[1024];
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
    if (error < TLX_WRONG)
        snprintf(reason, sizeof reason, "PSA status %d", error - TLX_WRONG);
    else if (error != TLX_WRONG)
        mbedtls_strerror(error, reason, sizeof reason);
    return tlx_report(TLX_FAILED, "%s: %s (error %d)", what, reason, error);
}

int tlx_expand(const char *string, const char *ciphersuites, char *names, size_t room) {
    return tlx_unsupported("cipher strings: suites are named one by one");
}

const struct tlx_primitives tlx_primitives = {
    .kinds = {&mbed_cipher, &mbed_hash, &mbed_signature, &mbed_exchange, &mbed_certificate},
    .fail = mbed_fail};

/* ---- switches ------------------------------------------------------------------------------------------------- */

/* The library's own look at the CPU. It is in no public header, and in no build without MBEDTLS_AESNI_C. */
__attribute__((weak)) int mbedtls_aesni_has_support(unsigned int what);

enum { CPUID_AES = 0x02000000, CPUID_CLMUL = 0x00000002 };

static int uses(unsigned int feature) {
    return mbedtls_aesni_has_support != NULL && mbedtls_aesni_has_support(feature) != 0;
}

/* The code of the library knows no other feature of the CPU than these two. */
const char *tlx_is_without(void) {
    static _Thread_local char text[64];
    snprintf(text, sizeof text, "%s%svaes avx2 avx512 sha", uses(CPUID_AES) ? "" : "aes ",
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

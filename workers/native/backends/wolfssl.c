/* wolfSSL: who it is, what it can do, which primitives it has, error texts and switches.
 *
 * Its own interface is used, not the layer that resembles OpenSSL's. */

#include "../common/switches.h"
#include "wolfssl_backend.h"

#include <wolfssl/wolfcrypt/cpuid.h>
#include <wolfssl/wolfcrypt/error-crypt.h>
#include <wolfssl/wolfcrypt/settings.h>

#include <stdio.h>

static void switch_off(const char *features);

int tlx_start(void) {
    const char *without = getenv("TLSTAX_WITHOUT");
    int result;
    if (without != NULL)
        switch_off(without);
    result = wolfSSL_Init();
    return result == WOLFSSL_SUCCESS ? TLX_OK : tlx_fail("wolfSSL_Init", result);
}

const char *tlx_family(void) { return "wolfssl"; }

const char *tlx_version(void) {
    static _Thread_local char text[64];
    snprintf(text, sizeof text, "wolfSSL %s", wolfSSL_lib_version());
    return text;
}

const char *tlx_build(void) {
    static _Thread_local char text[8192];
    snprintf(text, sizeof text, "%s; %s; set by the worker: early data without the library's defence against "
             "replays, a ticket after %d resumptions in a row used again",
             wolfSSL_configure_args(), wolfSSL_global_cflags(), LINEAGE);
    return text;
}

int tlx_fail(const char *what, int error) {
    char reason[WOLFSSL_MAX_ERROR_SZ];
    wolfSSL_ERR_error_string((unsigned long)error, reason);
    return tlx_report(TLX_FAILED, "%s: %s (error %d)", what, reason, error);
}

int tlx_expand(const char *string, const char *ciphersuites, char *names, size_t room) {
    return tlx_unsupported("cipher strings to expand: its lists name suites one by one");
}

/* ---- switches ------------------------------------------------------------------------------------------------- */

#define AVX512 (CPUID_AVX512 | CPUID_AVX512_VBMI | CPUID_AVX512_VBMI2 | CPUID_AVX512_IFMA | CPUID_AVX512_VL \
                | CPUID_AVX512_DQ | CPUID_AVX512_BW)

/* There is no flag for carry-less multiplication alone: it is part of the code for AES-GCM that the AES instructions
 * choose. */
static const struct {
    const char *feature;
    cpuid_flags_t flags;
} switches[] = {
    {"aes", CPUID_AESNI | CPUID_VAES}, {"clmul", CPUID_AESNI | CPUID_VAES}, {"vaes", CPUID_VAES},
    {"avx2", CPUID_AVX2 | AVX512},     {"avx512", AVX512},
    {"sha", CPUID_SHA},
};

static void switch_off(const char *features) {
    for (size_t i = 0; i < COUNT(switches); i++)
        if (tlx_lists(features, switches[i].feature))
            cpuid_select_flags(cpuid_get_flags() & ~switches[i].flags);
}

int tlx_without(const char *features, char *settings, size_t room) {
    if (tlx_lists(features, "asm"))
        return tlx_unsupported("switch at run time for asm");
    if (tlx_lists(features, "clmul") && !tlx_lists(features, "aes"))
        return tlx_unsupported("switch for clmul alone: it goes with aes");
    if (room > 0)
        *settings = 0; /* tlx_start reads TLSTAX_WITHOUT */
    return TLX_OK;
}

const char *tlx_is_without(void) {
    static _Thread_local char text[64];
    cpuid_flags_t flags = cpuid_get_flags();
    text[0] = 0;
    for (size_t i = 0; i < COUNT(switches); i++)
        if ((flags & switches[i].flags) == 0)
            strcat(strcat(text, switches[i].feature), " ");
    return text;
}

const char *tlx_cpu(void) {
    static const struct {
        const char *name;
        cpuid_flags_t flag;
    } words[] = {
        {"ssse3", CPUID_SSSE3},         {"avx1", CPUID_AVX1},
        {"avx2", CPUID_AVX2},           {"rdrand", CPUID_RDRAND},
        {"rdseed", CPUID_RDSEED},       {"bmi1", CPUID_BMI1},
        {"bmi2", CPUID_BMI2},           {"adx", CPUID_ADX},
        {"movbe", CPUID_MOVBE},         {"aesni", CPUID_AESNI},
        {"sha", CPUID_SHA},             {"vaes", CPUID_VAES},
        {"avx512", CPUID_AVX512},       {"avx512vbmi", CPUID_AVX512_VBMI},
        {"avx512vbmi2", CPUID_AVX512_VBMI2}, {"avx512ifma", CPUID_AVX512_IFMA},
        {"avx512vl", CPUID_AVX512_VL},  {"avx512dq", CPUID_AVX512_DQ},
        {"avx512bw", CPUID_AVX512_BW},
    };
    static _Thread_local char text[256];
    cpuid_flags_t flags = cpuid_get_flags();
    text[0] = 0;
    for (size_t i = 0; i < COUNT(words); i++)
        if (flags & words[i].flag)
            strcat(strcat(text, text[0] != 0 ? " " : ""), words[i].name);
    return text;
}

/* ---- primitives ----------------------------------------------------------------------------------------------- */

const struct tlx_primitives tlx_primitives = {
    .kinds = {&tlx_cipher, &tlx_hash, &tlx_signature, &tlx_exchange, &tlx_certificate},
    .fail = tlx_fail};

/* GnuTLS: doing without features of the CPU.
 *
 * Two libraries look at the CPU: GnuTLS for its own AES, GCM and SHA, and Nettle for what GnuTLS leaves to it. The
 * variable of each, once set, lists the features that are used; those that were there by default and are not asked to
 * go are listed again.
 */

#include "../common/switches.h"
#include "gnutls_backend.h"

#include <cpuid.h>
#include <stdio.h>

/* Bits of GNUTLS_CPUID_OVERRIDE. */
enum { NOTHING = 1, AESNI = 2, SSSE3 = 4, PCLMUL = 8, AVX = 16, SHA = 32 };

static const struct feature {
    const char *name; /* in the tlstax vocabulary */
    unsigned bit;
    const char *nettle; /* in NETTLE_FAT_OVERRIDE */
} features[] = {
    {"aes", AESNI, "aesni"},
    {"clmul", PCLMUL, "pclmul"},
    {"sha", SHA, "sha_ni"},
};

static unsigned cpu_bits(void);
static const char *cpu_vendor(void);

/* AVX-512 and vector AES have no bits: a version that knows neither does without them anyway, and of a later one it
 * is not known. AVX2 has none either, so that it goes with any of them: SHA-384 and SHA-512 would be slower, too. */
int tlx_without(const char *list, char *settings, size_t room) {
    unsigned bits = cpu_bits();
    char nettle[64];
    if (tlx_lists(list, "avx512"))
        return tlx_unsupported("switch for AVX-512 at run time");
    if (tlx_lists(list, "avx2"))
        return tlx_unsupported("switch for AVX2 alone at run time");
    if (tlx_lists(list, "vaes"))
        return tlx_unsupported("switch for vector AES at run time");
    if (tlx_lists(list, "asm"))
        return tlx_unsupported("switch for its assembly at run time");
    if (__builtin_cpu_supports("avx2"))
        return tlx_unsupported("switch at run time that leaves AVX2 to its SHA-384 and SHA-512");
    snprintf(nettle, sizeof nettle, "vendor:%s", cpu_vendor());
    for (size_t i = 0; i < COUNT(features); i++) {
        if (tlx_lists(list, features[i].name))
            bits &= ~features[i].bit;
        if (bits & features[i].bit)
            strcat(strcat(nettle, ","), features[i].nettle);
    }
    snprintf(settings, room, "GNUTLS_CPUID_OVERRIDE=0x%x\nNETTLE_FAT_OVERRIDE=%s\n", bits ? bits : NOTHING, nettle);
    return TLX_OK;
}

static unsigned cpu_bits(void) {
    unsigned a, b, c, d, bits = 0;
    if (!__get_cpuid(1, &a, &b, &c, &d))
        return 0;
    bits |= c & bit_AES ? AESNI : 0;
    bits |= c & bit_SSSE3 ? SSSE3 : 0;
    bits |= c & bit_PCLMUL ? PCLMUL : 0;
    bits |= __builtin_cpu_supports("avx") ? AVX : 0;
    if (__get_cpuid_count(7, 0, &a, &b, &c, &d))
        bits |= b & bit_SHA ? SHA : 0;
    return bits;
}

/* Nettle chooses how it copies and xors by the maker. */
static const char *cpu_vendor(void) {
    unsigned a, b, c, d;
    if (__get_cpuid(0, &a, &b, &c, &d) && b == signature_AMD_ebx)
        return "amd";
    return "intel";
}

/* ---- what is done without, shown by what it costs ------------------------------------------------------------- */

static void authenticate(void *gcm) {
    unsigned char tag[16];
    size_t length = sizeof tag;
    gnutls_aead_cipher_encrypt(gcm, tlx_cost_input, 12, tlx_cost_input, TLX_COST_SIZE, 16, tlx_cost_input, 0, tag,
                               &length);
}

const char *tlx_is_without(void) {
    static _Thread_local char text[64];
    gnutls_datum_t key = {(unsigned char *)tlx_cost_input, 16};
    gnutls_aead_cipher_hd_t gcm = NULL;
    if (text[0] != 0)
        return text;
    if (gnutls_aead_cipher_init(&gcm, GNUTLS_CIPHER_AES_128_GCM, &key) < 0)
        gcm = NULL;
    tlx_cost_without(authenticate, gcm, text, sizeof text);
    if (gcm != NULL)
        gnutls_aead_cipher_deinit(gcm);
    return text;
}

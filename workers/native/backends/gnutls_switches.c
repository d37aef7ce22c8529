/* GnuTLS: doing without features of the CPU.
 *
 * Two libraries look at the CPU: GnuTLS for its own AES, GCM and SHA, and Nettle for what GnuTLS leaves to it. The
 * variable of each, once set, lists the features that are used; those that were there by default and are not asked to
 * go are listed again.
 */

#define _POSIX_C_SOURCE 200809L

#include "gnutls_operation.h"

#include <cpuid.h>
#include <stdio.h>
#include <time.h>

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

static int names(const char *list, const char *name) {
    size_t length = strlen(name);
    for (const char *at = list; (at = strstr(at, name)) != NULL; at += length)
        if ((at == list || at[-1] == ' ') && (at[length] == 0 || at[length] == ' '))
            return 1;
    return 0;
}

/* AVX-512 and vector AES have no bits: a version that knows neither does without them anyway, and of a later one it
 * cannot be said. AVX2 has none either, so that it goes with any of them: SHA-384 and SHA-512 would be slower, too. */
int tlx_without(const char *list, char *settings, size_t room) {
    unsigned bits = cpu_bits();
    char nettle[64];
    if (names(list, "avx512"))
        return tlx_unsupported("switch for AVX-512 at run time");
    if (names(list, "vaes"))
        return tlx_unsupported("switch for vector AES at run time");
    if (names(list, "asm"))
        return tlx_unsupported("switch for its assembly at run time");
    if (__builtin_cpu_supports("avx2"))
        return tlx_unsupported("switch at run time that leaves AVX2 to its SHA-384 and SHA-512");
    snprintf(nettle, sizeof nettle, "vendor:%s", cpu_vendor());
    for (size_t i = 0; i < COUNT(features); i++) {
        if (names(list, features[i].name))
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

enum { SIZE = 16384, TIMES = 7 };

struct trial {
    gnutls_cipher_hd_t cbc;
    gnutls_aead_cipher_hd_t gcm;
    unsigned char in[SIZE], out[SIZE + 16];
};

static void decrypt_cbc(struct trial *trial) { gnutls_cipher_decrypt2(trial->cbc, trial->in, SIZE, trial->out, SIZE); }

/* Additional data alone: GHASH without encryption. */
static void authenticate_gcm(struct trial *trial) {
    size_t length = 16;
    gnutls_aead_cipher_encrypt(trial->gcm, trial->in, 12, trial->in, SIZE, 16, trial->in, 0, trial->out, &length);
}

static void hash_sha256(struct trial *trial) {
    gnutls_hash_fast(GNUTLS_DIG_SHA256, trial->in, SIZE, trial->out);
}

static void hash_sha512(struct trial *trial) {
    gnutls_hash_fast(GNUTLS_DIG_SHA512, trial->in, SIZE, trial->out);
}

/* The least nanoseconds of several calls: nothing but the machine's noise is above it. */
static double cost(void (*act)(struct trial *), struct trial *trial) {
    double least = 1e18;
    for (int i = 0; i < TIMES; i++) {
        struct timespec from, to;
        double took;
        clock_gettime(CLOCK_MONOTONIC, &from);
        act(trial);
        clock_gettime(CLOCK_MONOTONIC, &to);
        took = (double)(to.tv_sec - from.tv_sec) * 1e9 + (double)(to.tv_nsec - from.tv_nsec);
        if (took < least)
            least = took;
    }
    return least;
}

static int start(struct trial *trial) {
    gnutls_datum_t key = {trial->in, 16};
    memset(trial->in, 1, sizeof trial->in);
    if (gnutls_cipher_init(&trial->cbc, GNUTLS_CIPHER_AES_128_CBC, &key, &key) < 0)
        return 0;
    if (gnutls_aead_cipher_init(&trial->gcm, GNUTLS_CIPHER_AES_128_GCM, &key) < 0) {
        gnutls_cipher_deinit(trial->cbc);
        return 0;
    }
    return 1;
}

/* SHA-512 is the measure, since none of these instructions helps it. With its instruction each of the three takes about
 * half of the time of SHA-512 or less, and without about as long or longer. */
static void measure(char *found, size_t room) {
    static struct trial trial;
    double cbc, gcm, sha256, sha512;
    if (!start(&trial))
        return;
    cbc = cost(decrypt_cbc, &trial);
    gcm = cost(authenticate_gcm, &trial);
    sha256 = cost(hash_sha256, &trial);
    sha512 = cost(hash_sha512, &trial);
    gnutls_cipher_deinit(trial.cbc);
    gnutls_aead_cipher_deinit(trial.gcm);
    snprintf(found, room, "%s%s%s", cbc > 0.6 * sha512 ? "aes " : "", gcm > 0.6 * sha512 ? "clmul " : "",
             sha256 > 0.8 * sha512 ? "sha " : "");
}

const char *tlx_is_without(void) {
    static char text[64];
    if (text[0] == 0) {
        measure(text, sizeof text - 16);
        /* Vector AES needs AES, and there is none of either where the CPU has none. */
        if (names(text, "aes") || !__builtin_cpu_supports("vaes"))
            strcat(text, "vaes ");
        if (!__builtin_cpu_supports("avx512f"))
            strcat(text, "avx512 ");
    }
    return text;
}

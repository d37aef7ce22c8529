/* s2n-tls: doing without features of the CPU. All of its cryptography is libcrypto's, and AWS-LC looks at
 * OPENSSL_ia32cap: two words of 64 bits, a colon between them; "~" takes bits away. The bits are those of CPUID: leaf 1
 * EDX and ECX; leaf 7 EBX and ECX.
 */

#include "s2n_backend.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define LOW(bit) (UINT64_C(1) << (bit))
#define HIGH(bit) (UINT64_C(1) << (32 + (bit)))

enum { FIRST, SECOND, WORDS };

#define VAES HIGH(9)
#define VPCLMULQDQ HIGH(10)
#define AVX512F LOW(16)
/* DQ, IFMA, CD, BW, VL; VBMI, VBMI2, VNNI, BITALG, VPOPCNTDQ */
#define AVX512_REST \
    (LOW(17) | LOW(21) | LOW(28) | LOW(30) | LOW(31) | HIGH(1) | HIGH(6) | HIGH(11) | HIGH(12) | HIGH(14))

static const struct feature {
    const char *name;
    uint64_t bits[WORDS];   /* what goes with it */
    uint64_t chosen[WORDS]; /* without any of these, the library does without it */
} features[] = {
    {"aes", {HIGH(25), VAES}, {HIGH(25), VAES}},
    {"clmul", {HIGH(1), VPCLMULQDQ}, {HIGH(1), VPCLMULQDQ}},
    {"vaes", {0, VAES | VPCLMULQDQ}, {0, VAES | VPCLMULQDQ}},
    {"avx512", {0, AVX512F | AVX512_REST}, {0, AVX512F}},
    {"sha", {0, LOW(29)}, {0, LOW(29)}},
};

/* libcrypto's own view of the CPU. It is in no public header; a library without it has no switch that we know. */
extern const uint32_t tlx_cap[4] __asm__("OPENSSL_ia32cap_P") __attribute__((weak));

static uint64_t word(int number) {
    const uint32_t *cap = tlx_cap;
    return cap == NULL ? 0 : (uint64_t)cap[2 * number + 1] << 32 | cap[2 * number];
}

static const struct feature *find(const char *name, size_t length) {
    for (size_t i = 0; i < COUNT(features); i++)
        if (strlen(features[i].name) == length && memcmp(features[i].name, name, length) == 0)
            return &features[i];
    return NULL;
}

int tlx_without(const char *wanted, char *settings, size_t room) {
    uint64_t bits[WORDS] = {0};
    const uint32_t *cap = tlx_cap;
    for (size_t length; *wanted != 0; wanted += length + (wanted[length] == ' ')) {
        const struct feature *feature;
        length = strcspn(wanted, " ");
        feature = find(wanted, length);
        if (feature == NULL || cap == NULL) {
            char text[128];
            snprintf(text, sizeof text, "no switch for '%.*s' at run time", (int)length, wanted);
            return tlx_refuse(text);
        }
        for (int number = 0; number < WORDS; number++)
            bits[number] |= feature->bits[number];
    }
    snprintf(settings, room, "OPENSSL_ia32cap=~0x%" PRIx64 ":~0x%" PRIx64, bits[FIRST], bits[SECOND]);
    return TLX_OK;
}

const char *tlx_is_without(void) {
    static char text[64];
    const uint32_t *cap = tlx_cap;
    text[0] = 0;
    for (size_t i = 0; cap != NULL && i < COUNT(features); i++)
        if ((word(FIRST) & features[i].chosen[FIRST]) == 0 && (word(SECOND) & features[i].chosen[SECOND]) == 0)
            strcat(strcat(text, text[0] ? " " : ""), features[i].name);
    return text;
}

const char *tlx_cpu(void) {
    static char text[64];
    const uint32_t *cap = tlx_cap;
    if (cap != NULL)
        snprintf(text, sizeof text, "OPENSSL_ia32cap=0x%016" PRIx64 ":0x%016" PRIx64, word(FIRST), word(SECOND));
    return text;
}

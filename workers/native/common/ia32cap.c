#include "ia32cap.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LOW(bit) (UINT64_C(1) << (bit))
#define HIGH(bit) (UINT64_C(1) << (32 + (bit)))

/* The most words that a library has: OpenSSL 3.5 has five, all others two. */
enum { WORDS = 5 };

#define AES HIGH(25)
#define PCLMULQDQ HIGH(1)
#define VAES HIGH(9)
#define VPCLMULQDQ HIGH(10)
/* F, DQ, IFMA, PF, ER, CD, BW, VL; VBMI, VBMI2, VNNI, BITALG, VPOPCNTDQ */
#define AVX512 \
    (LOW(16) | LOW(17) | LOW(21) | LOW(26) | LOW(27) | LOW(28) | LOW(30) | LOW(31) | HIGH(1) | HIGH(6) | HIGH(11) \
     | HIGH(12) | HIGH(14))
/* 4VNNIW, 4FMAPS, VP2INTERSECT, FP16; BF16 */
#define AVX512_LATER (LOW(2) | LOW(3) | LOW(8) | LOW(23) | HIGH(5))
#define AVX10 LOW(19)
#define AVX2 LOW(5)
#define SHA LOW(29)
#define SHA512 HIGH(0)

static const struct feature {
    const char *name;
    uint64_t bits[WORDS];   /* what goes with it */
    uint64_t chosen[WORDS]; /* without any of these, the library does without it */
} features[] = {
    {"aes", {AES, VAES}, {AES, VAES}},
    {"clmul", {PCLMULQDQ, VPCLMULQDQ}, {PCLMULQDQ, VPCLMULQDQ}},
    {"vaes", {0, VAES | VPCLMULQDQ}, {0, VAES | VPCLMULQDQ}},
    {"avx2", {0, AVX2 | AVX512, AVX512_LATER, AVX10}, {0, AVX2 | LOW(16), 0, AVX10}},
    {"avx512", {0, AVX512, AVX512_LATER, AVX10}, {0, LOW(16), 0, AVX10}},
    {"sha", {0, SHA, SHA512}, {0, SHA, SHA512}},
};

enum { FEATURES = sizeof features / sizeof *features };

/* Reads the words and returns how many there are. */
static int read_words(const char *cpu, uint64_t *words) {
    static const char name[] = "OPENSSL_ia32cap=";
    const char *at = strstr(cpu, name);
    int count = 0;
    if (at == NULL)
        return 0;
    at += sizeof name - 1;
    for (char *end; count < WORDS; at = end + 1) {
        words[count] = strtoull(at, &end, 16);
        if (end == at)
            break;
        count++;
        if (*end != ':')
            break;
    }
    return count;
}

const char *tlx_ia32cap_words(const uint32_t *vector) {
    static _Thread_local char text[64];
    snprintf(text, sizeof text, "OPENSSL_ia32cap=0x%08" PRIx32 "%08" PRIx32 ":0x%08" PRIx32 "%08" PRIx32, vector[1],
             vector[0], vector[3], vector[2]);
    return text;
}

static const struct feature *find(const char *name, size_t length) {
    for (int i = 0; i < FEATURES; i++)
        if (strlen(features[i].name) == length && memcmp(features[i].name, name, length) == 0)
            return &features[i];
    return NULL;
}

static int no_switch(const char *name, size_t length) {
    return tlx_report(TLX_UNSUPPORTED, "%s has no switch for '%.*s' at run time", tlx_version(), (int)length, name);
}

int tlx_ia32cap_without(const char *wanted, const char *cpu, int bare, char *settings, size_t room) {
    uint64_t words[WORDS], without[WORDS] = {0};
    int count = read_words(cpu, words);
    settings[0] = 0;
    for (size_t length; *wanted != 0; wanted += length + (wanted[length] == ' ')) {
        const struct feature *feature;
        length = strcspn(wanted, " ");
        feature = find(wanted, length);
        if (bare && (feature != NULL || (length == 3 && memcmp(wanted, "asm", 3) == 0)))
            continue;
        if (feature == NULL || count == 0)
            return no_switch(wanted, length);
        for (int word = 0; word < WORDS; word++)
            without[word] |= feature->bits[word];
    }
    if (bare)
        return TLX_OK;
    snprintf(settings, room, "OPENSSL_ia32cap");
    for (int word = 0; word < count; word++) {
        size_t length = strlen(settings);
        snprintf(settings + length, room - length, "%c~0x%" PRIx64, word == 0 ? '=' : ':', without[word]);
    }
    return TLX_OK;
}

const char *tlx_ia32cap_is_without(const char *cpu, int bare) {
    static _Thread_local char text[64];
    uint64_t words[WORDS] = {0};
    int count = bare ? 0 : read_words(cpu, words);
    if (bare)
        return "aes clmul vaes avx2 avx512 sha asm";
    text[0] = 0;
    for (int i = 0; count > 0 && i < FEATURES; i++) {
        uint64_t left = 0;
        for (int word = 0; word < count; word++)
            left |= words[word] & features[i].chosen[word];
        if (left == 0)
            strcat(strcat(text, text[0] ? " " : ""), features[i].name);
    }
    return text;
}

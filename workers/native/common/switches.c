#define _POSIX_C_SOURCE 200809L

#include "switches.h"

#include "operation.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

enum { TIMES = 7 };

const unsigned char tlx_cost_input[TLX_COST_SIZE];

int tlx_lists(const char *list, const char *word) {
    size_t length = strlen(word);
    while (*list != 0) {
        size_t found = strcspn(list, " ,");
        if (found == length && memcmp(list, word, length) == 0)
            return 1;
        list += found + (list[found] != 0);
    }
    return 0;
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

/* The nanoseconds of a call, or the least of several: nothing but the machine's noise is above it. */
static void take_least(double *least, double from) {
    double took = now() - from;
    if (*least == 0 || took < *least)
        *least = took;
}

/* What an operation of the backend costs; 0 if there is none, or if it fails. */
static double cost(const char *algorithm, const char *operation) {
    const struct tlx_bytes any = {tlx_cost_input, TLX_KEY};
    const struct tlx_inputs inputs = {
        .key = any, .mac_key = any, .iv = any, .additional_data = any, .message = {tlx_cost_input, TLX_COST_SIZE}};
    tlx_operation *op;
    double least = 0;
    if (tlx_operation_new(algorithm, operation, 0, &inputs, &op) != TLX_OK)
        return 0;
    for (int i = 0; i < TIMES; i++) {
        double from = now();
        if (tlx_operation_run(op, 1) != TLX_OK) {
            least = 0;
            break;
        }
        take_least(&least, from);
    }
    tlx_operation_free(op);
    return least;
}

/* SHA-512 is what the others are compared with, since none of these instructions helps it. With its instruction each of the
 * three takes about half of the time of SHA-512 or less, and without about as long or longer. Vector AES needs AES, and
 * there is none of either, nor of AVX2 and AVX-512, where the CPU has none. */
void tlx_cost_without(void (*authenticate)(void *gcm), void *gcm, char *text, size_t room) {
    double sha512 = cost("sha512", "digest"), ghash = 0;
    int aes = cost("aes-128-cbc", "decrypt") > 0.6 * sha512;
    text[0] = 0;
    if (sha512 == 0)
        return; /* nothing to compare with */
    for (int i = 0; i < TIMES && gcm != NULL; i++) {
        double from = now();
        authenticate(gcm);
        take_least(&ghash, from);
    }
    snprintf(text, room, "%s%s%s%s%s%s", aes ? "aes " : "", ghash > 0.6 * sha512 ? "clmul " : "",
             cost("sha256", "digest") > 0.8 * sha512 ? "sha " : "",
             aes || !__builtin_cpu_supports("vaes") ? "vaes " : "", !__builtin_cpu_supports("avx2") ? "avx2 " : "",
             !__builtin_cpu_supports("avx512f") ? "avx512 " : "");
}

#define _POSIX_C_SOURCE 200809L

#include "switches.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

enum { TIMES = 7 };

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

/* The least nanoseconds of several calls: nothing but the machine's noise is above it. 0 for no call. */
static double cost(void (*call)(struct tlx_cost_buffers *), struct tlx_cost_buffers *buffers) {
    double least = call != NULL ? 1e18 : 0;
    for (int i = 0; i < TIMES && call != NULL; i++) {
        struct timespec from, to;
        double took;
        clock_gettime(CLOCK_MONOTONIC, &from);
        call(buffers);
        clock_gettime(CLOCK_MONOTONIC, &to);
        took = (double)(to.tv_sec - from.tv_sec) * 1e9 + (double)(to.tv_nsec - from.tv_nsec);
        if (took < least)
            least = took;
    }
    return least;
}

/* SHA-512 is what the others are compared with, since none of these instructions helps it. With its instruction each of the
 * three takes about half of the time of SHA-512 or less, and without about as long or longer. Vector AES needs AES, and
 * there is none of either, nor of AVX-512, where the CPU has none. */
void tlx_cost_without(const struct tlx_cost_calls *calls, struct tlx_cost_buffers *buffers, char *text, size_t room) {
    double sha512;
    int aes;
    memset(buffers->in, 1, sizeof buffers->in);
    sha512 = cost(calls->hash_sha512, buffers);
    aes = cost(calls->decrypt_aes_cbc, buffers) > 0.6 * sha512;
    snprintf(text, room, "%s%s%s%s%s", aes ? "aes " : "",
             cost(calls->authenticate_aes_gcm, buffers) > 0.6 * sha512 ? "clmul " : "",
             cost(calls->hash_sha256, buffers) > 0.8 * sha512 ? "sha " : "",
             aes || !__builtin_cpu_supports("vaes") ? "vaes " : "", !__builtin_cpu_supports("avx512f") ? "avx512 " : "");
}

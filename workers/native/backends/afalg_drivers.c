/* AF_ALG: which of its drivers the kernel takes, from /proc/crypto, and what they show of the CPU.
 *
 * Drivers are chosen by priority when the kernel starts. There is no switch for a program.
 */

#define _GNU_SOURCE

#include "afalg_operation.h"

#ifdef __x86_64__
#include <cpuid.h>
#endif
#include <stdio.h>
#include <stdlib.h>

enum { DRIVER = 128, LINE = 256 };

/* The value in a line "name         : gcm(aes)"; null if it is a line of another name. */
static const char *value(char *line, const char *name) {
    size_t length = strlen(name);
    char *colon = strchr(line, ':');
    if (colon == NULL || strncmp(line, name, length) != 0 || (line[length] != ' ' && line + length != colon))
        return NULL;
    colon[strcspn(colon, "\n")] = 0;
    return colon + 1 + strspn(colon + 1, " ");
}

/* The kernel takes the highest priority of those with the name. */
const char *afalg_driver(const char *kernel) {
    static _Thread_local char best[DRIVER];
    char line[LINE], driver[DRIVER] = "";
    int wanted = 0, highest = -1;
    FILE *file = fopen("/proc/crypto", "r");
    best[0] = 0;
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        const char *found;
        if ((found = value(line, "name")) != NULL)
            wanted = strcmp(found, kernel) == 0;
        else if ((found = value(line, "driver")) != NULL)
            snprintf(driver, sizeof driver, "%s", found);
        else if ((found = value(line, "priority")) != NULL && wanted && atoi(found) > highest) {
            highest = atoi(found);
            memcpy(best, driver, sizeof best);
        }
    }
    if (file != NULL)
        fclose(file);
    return best;
}

int tlx_without(const char *features, char *settings, size_t room) {
    return tlx_unsupported("switch for features of the CPU: its drivers are chosen when the kernel starts");
}

/* Whether the CPU has one of its features; on other architectures than x86 all count as there. */
#ifdef __x86_64__
enum { EBX, ECX };
static int cpu_has(unsigned leaf, int where, unsigned bit) {
    unsigned a, b, c, d;
    return __get_cpuid_count(leaf, 0, &a, &b, &c, &d) && ((where == EBX ? b : c) & bit) != 0;
}
#else
#define cpu_has(leaf, where, bit) 1
#endif

static void add(char *text, size_t room, int without, const char *name) {
    size_t at = strlen(text);
    if (without)
        snprintf(text + at, room - at, "%s%s", at > 0 ? " " : "", name);
}

/* Drivers in portable C are named so; of others nothing is believed but what the CPU lacks. */
const char *tlx_is_without(void) {
    static _Thread_local char text[64];
    char gcm[DRIVER], sha256[DRIVER];
    if (text[0] != 0)
        return text;
    snprintf(gcm, sizeof gcm, "%s", afalg_driver("gcm(aes)"));
    snprintf(sha256, sizeof sha256, "%s", afalg_driver("sha256"));
    int aes = strstr(gcm, "aes-generic") || strstr(gcm, "aes-fixed-time") || !cpu_has(1, ECX, bit_AES);
    int vaes = aes || !cpu_has(7, ECX, bit_VAES);
    add(text, sizeof text, aes, "aes");
    add(text, sizeof text, strstr(gcm, "ghash-generic") || !cpu_has(1, ECX, bit_PCLMUL), "clmul");
    add(text, sizeof text, vaes, "vaes");
    add(text, sizeof text, !cpu_has(7, EBX, bit_AVX2), "avx2");
    add(text, sizeof text, !cpu_has(7, EBX, bit_AVX512F), "avx512");
    add(text, sizeof text, strstr(sha256, "sha256-generic") || !cpu_has(7, EBX, bit_SHA), "sha");
    return text;
}

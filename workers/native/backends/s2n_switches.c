/* s2n-tls: doing without features of the CPU. All of its cryptography is libcrypto's, and AWS-LC looks at
 * OPENSSL_ia32cap. */

#include "../common/ia32cap.h"
#include "s2n_backend.h"

#include <inttypes.h>
#include <stdio.h>

/* libcrypto's own view of the CPU, two words. It is in no public header; a library without it has no switch that we know. */
extern const uint32_t tlx_cap[4] __asm__("OPENSSL_ia32cap_P") __attribute__((weak));

int tlx_without(const char *wanted, char *settings, size_t room) {
    return tlx_ia32cap_without(wanted, tlx_cpu(), 0, settings, room);
}

const char *tlx_is_without(void) { return tlx_ia32cap_is_without(tlx_cpu(), 0); }

const char *tlx_cpu(void) {
    static char text[64];
    const uint32_t *cap = tlx_cap;
    if (cap != NULL)
        snprintf(text, sizeof text, "OPENSSL_ia32cap=0x%08" PRIx32 "%08" PRIx32 ":0x%08" PRIx32 "%08" PRIx32, cap[1], cap[0],
                 cap[3], cap[2]);
    return text;
}

/* NSS: doing without features of the CPU. Each has a variable, which the library reads when it starts. */

#include "../common/switches.h"
#include "nss_backend.h"

#include <stdio.h>

static const struct feature {
    const char *name, *variable; /* in the tlstax vocabulary; null: none */
} features[] = {
    {"aes", "NSS_DISABLE_HW_AES"}, {"clmul", "NSS_DISABLE_PCLMUL"}, {"sha", "NSS_DISABLE_HW_SHA"},
    {"vaes", NULL},                {"avx512", NULL},                {"asm", NULL},
};

/* Asked before the library starts, so that its version is not known yet. */
int tlx_without(const char *list, char *settings, size_t room) {
    size_t at = 0;
    settings[0] = 0;
    for (size_t i = 0; i < COUNT(features); i++) {
        char what[64];
        snprintf(what, sizeof what, "switch for %s at run time", features[i].name);
        if (!tlx_lists(list, features[i].name))
            continue;
        if (features[i].variable == NULL)
            return tlx_unsupported(what);
        if (at < room)
            at += (size_t)snprintf(settings + at, room - at, "%s=1\n", features[i].variable);
    }
    return TLX_OK;
}

/* ---- what is done without, shown by what it costs ------------------------------------------------------------- */

static void authenticate(void *gcm) {
    unsigned char tag[16], none[1];
    int length;
    (void)PK11_AEADOp(gcm, CKG_NO_GENERATE, 0, (unsigned char *)tlx_cost_input, 12, tlx_cost_input, TLX_COST_SIZE, none,
                      &length, sizeof none, tag, sizeof tag, tlx_cost_input, 0);
}

const char *tlx_is_without(void) {
    static char text[64];
    PK11Context *gcm;
    if (text[0] != 0)
        return text;
    gcm = tlx_context(CKM_AES_GCM, CKA_ENCRYPT | CKA_NSS_MESSAGE, tlx_cost_input, 16, NULL, 0);
    tlx_cost_without(authenticate, gcm, text, sizeof text);
    if (gcm != NULL)
        PK11_DestroyContext(gcm, PR_TRUE);
    return text;
}

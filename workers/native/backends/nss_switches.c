/* NSS: doing without features of the CPU. Each has a variable, which the library reads when it starts. */

#include "../common/switches.h"
#include "nss_operation.h"

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

struct trial {
    struct tlx_cost_buffers buffers;
    PK11Context *cbc, *gcm;
};

static void decrypt_cbc(struct tlx_cost_buffers *buffers) {
    int length;
    (void)PK11_CipherOp(((struct trial *)buffers)->cbc, buffers->out, &length, TLX_COST_SIZE, buffers->in, TLX_COST_SIZE);
}

static void authenticate_gcm(struct tlx_cost_buffers *buffers) {
    int length;
    (void)PK11_AEADOp(((struct trial *)buffers)->gcm, CKG_NO_GENERATE, 0, buffers->in, 12, buffers->in, TLX_COST_SIZE,
                      buffers->out, &length, TLX_COST_SIZE, buffers->out + TLX_COST_SIZE, 16, buffers->in, 0);
}

static void hash_sha256(struct tlx_cost_buffers *buffers) {
    (void)PK11_HashBuf(SEC_OID_SHA256, buffers->out, buffers->in, TLX_COST_SIZE);
}

static void hash_sha512(struct tlx_cost_buffers *buffers) {
    (void)PK11_HashBuf(SEC_OID_SHA512, buffers->out, buffers->in, TLX_COST_SIZE);
}

const char *tlx_is_without(void) {
    static char text[64];
    static struct trial trial;
    static const unsigned char zeros[16];
    struct tlx_cost_calls calls = {NULL, NULL, hash_sha256, hash_sha512};
    if (text[0] != 0)
        return text;
    if ((trial.cbc = tlx_context(CKM_AES_CBC, CKA_DECRYPT, zeros, 16, zeros, 16)) != NULL)
        calls.decrypt_aes_cbc = decrypt_cbc;
    if ((trial.gcm = tlx_context(CKM_AES_GCM, CKA_ENCRYPT | CKA_NSS_MESSAGE, zeros, 16, NULL, 0)) != NULL)
        calls.authenticate_aes_gcm = authenticate_gcm;
    tlx_cost_without(&calls, &trial.buffers, text, sizeof text);
    if (trial.cbc != NULL)
        PK11_DestroyContext(trial.cbc, PR_TRUE);
    if (trial.gcm != NULL)
        PK11_DestroyContext(trial.gcm, PR_TRUE);
    return text;
}

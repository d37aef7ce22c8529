/* NSS: doing without features of the CPU. Each has a variable, which the library reads when it starts. */

#include "nss_operation.h"

#include <stdio.h>
#include <time.h>

static const struct feature {
    const char *name, *variable; /* in the tlstax vocabulary; null: none */
} features[] = {
    {"aes", "NSS_DISABLE_HW_AES"}, {"clmul", "NSS_DISABLE_PCLMUL"}, {"sha", "NSS_DISABLE_HW_SHA"},
    {"vaes", NULL},                {"avx512", NULL},                {"asm", NULL},
};

static int names(const char *list, const char *name) {
    size_t length = strlen(name);
    for (const char *at = list; (at = strstr(at, name)) != NULL; at += length)
        if ((at == list || at[-1] == ' ') && (at[length] == 0 || at[length] == ' '))
            return 1;
    return 0;
}

/* Asked before the library starts, so that its version is not known yet. */
int tlx_without(const char *list, char *settings, size_t room) {
    size_t at = 0;
    settings[0] = 0;
    for (size_t i = 0; i < COUNT(features); i++) {
        char what[64];
        snprintf(what, sizeof what, "switch for %s at run time", features[i].name);
        if (!names(list, features[i].name))
            continue;
        if (features[i].variable == NULL)
            return tlx_unsupported(what);
        if (at < room)
            at += (size_t)snprintf(settings + at, room - at, "%s=1\n", features[i].variable);
    }
    return TLX_OK;
}

/* ---- what is done without, shown by what it costs ------------------------------------------------------------- */

enum { SIZE = 16384, TIMES = 7 };

struct trial {
    PK11Context *cbc, *gcm;
    unsigned char in[SIZE], out[SIZE + 16];
};

static void decrypt_cbc(struct trial *trial) {
    int length;
    (void)PK11_CipherOp(trial->cbc, trial->out, &length, SIZE, trial->in, SIZE);
}

/* Additional data alone: GHASH without encryption. */
static void authenticate_gcm(struct trial *trial) {
    int length;
    (void)PK11_AEADOp(trial->gcm, CKG_NO_GENERATE, 0, trial->in, 12, trial->in, SIZE, trial->out, &length, SIZE,
                      trial->out + SIZE, 16, trial->in, 0);
}

static void hash_sha256(struct trial *trial) { (void)PK11_HashBuf(SEC_OID_SHA256, trial->out, trial->in, SIZE); }

static void hash_sha512(struct trial *trial) { (void)PK11_HashBuf(SEC_OID_SHA512, trial->out, trial->in, SIZE); }

/* The least nanoseconds of several calls: nothing but the machine's noise is above it. */
static double cost(void (*act)(struct trial *), struct trial *trial) {
    double least = 1e18;
    for (int i = 0; i < TIMES; i++) {
        struct timespec from, to;
        double took;
        timespec_get(&from, TIME_UTC);
        act(trial);
        timespec_get(&to, TIME_UTC);
        took = (double)(to.tv_sec - from.tv_sec) * 1e9 + (double)(to.tv_nsec - from.tv_nsec);
        if (took < least)
            least = took;
    }
    return least;
}

static PK11Context *context(CK_MECHANISM_TYPE mechanism, CK_ATTRIBUTE_TYPE use, CK_ATTRIBUTE_TYPE message,
                            struct trial *trial) {
    PK11SymKey *key = tlx_import_key(mechanism, use, trial->in, 16);
    SECItem iv = tlx_item(trial->in, message ? 0 : 16);
    PK11Context *made = key ? PK11_CreateContextBySymKey(mechanism, message | use, key, &iv) : NULL;
    PK11_FreeSymKey(key);
    return made;
}

/* SHA-512 is the measure, since none of these instructions helps it. With its instruction each of the three takes about
 * half of the time of SHA-512 or less, and without about as long or longer. */
static void measure(char *found, size_t room) {
    static struct trial trial;
    double cbc = 0, gcm = 0, sha256, sha512;
    memset(trial.in, 1, sizeof trial.in);
    trial.cbc = context(CKM_AES_CBC, CKA_DECRYPT, 0, &trial);
    trial.gcm = context(CKM_AES_GCM, CKA_ENCRYPT, CKA_NSS_MESSAGE, &trial);
    if (trial.cbc != NULL && trial.gcm != NULL) {
        cbc = cost(decrypt_cbc, &trial);
        gcm = cost(authenticate_gcm, &trial);
    }
    sha256 = cost(hash_sha256, &trial);
    sha512 = cost(hash_sha512, &trial);
    snprintf(found, room, "%s%s%s", cbc > 0.6 * sha512 ? "aes " : "", gcm > 0.6 * sha512 ? "clmul " : "",
             sha256 > 0.8 * sha512 ? "sha " : "");
    if (trial.cbc != NULL)
        PK11_DestroyContext(trial.cbc, PR_TRUE);
    if (trial.gcm != NULL)
        PK11_DestroyContext(trial.gcm, PR_TRUE);
}

const char *tlx_is_without(void) {
    static char text[64];
    if (text[0] == 0) {
        measure(text, sizeof text - 16);
        if (names(text, "aes") || !__builtin_cpu_supports("vaes"))
            strcat(text, "vaes ");
        if (!__builtin_cpu_supports("avx512f"))
            strcat(text, "avx512 ");
    }
    return text;
}

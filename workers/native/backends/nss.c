/* NSS: who it is, what it can do, which primitives it has, and error texts. */

#include "../common/switches.h"
#include "nss_backend.h"

#include <prinit.h>
#include <pthread.h>
#include <stdio.h>

/* What the server remembers by session id, for all configurations of the process together. */
enum { CACHED_SESSIONS = 20000, CACHED_SECONDS = 3600 };

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int started;

/* No database: certificates and keys are objects of a session, which no file outlives. */
static void start(void) {
    if (NSS_NoDB_Init(NULL) != SECSuccess)
        started = tlx_fail("NSS_NoDB_Init");
    else if (NSS_SetDomesticPolicy() != SECSuccess)
        started = tlx_fail("NSS_SetDomesticPolicy");
    else if (SSL_ConfigServerSessionIDCache(CACHED_SESSIONS, CACHED_SECONDS, CACHED_SECONDS, NULL) != SECSuccess)
        started = tlx_fail("SSL_ConfigServerSessionIDCache");
}

/* The cache of session ids may not be made anew while a server uses it. */
int tlx_start(void) {
    pthread_once(&once, start);
    return started;
}

const char *tlx_family(void) { return "nss"; }

const char *tlx_version(void) {
    static _Thread_local char text[64];
    if (text[0] == 0)
        snprintf(text, sizeof text, "NSS %s", NSS_GetVersion());
    return text;
}

/* The library keeps no record of its compiler. */
const char *tlx_build(void) {
    static _Thread_local char text[512];
    snprintf(text, sizeof text,
             "NSPR %s; set by the worker: no database, trust and session ids for the whole process, all suites "
             "allowed, replays of early data sought in a window of 10 s",
             PR_GetVersion());
    return text;
}

const char *tlx_cpu(void) { return ""; }

int tlx_fail(const char *what) {
    PRErrorCode code = PR_GetError();
    const char *name = PR_ErrorToName(code), *text = PR_ErrorToString(code, PR_LANGUAGE_I_DEFAULT);
    return tlx_report(TLX_FAILED, "%s: %s (%s)", what, text ? text : "no reason given", name ? name : "");
}

int tlx_expand(const char *string, const char *ciphersuites, char *names, size_t room) {
    return tlx_unsupported("cipher strings: suites are switched on one by one");
}

/* ---- imports -------------------------------------------------------------------------------------------------- */

PK11SymKey *tlx_import_key(CK_MECHANISM_TYPE mechanism, CK_ATTRIBUTE_TYPE operation, const void *key, size_t length) {
    PK11SlotInfo *slot = PK11_GetInternalSlot();
    SECItem item = tlx_item(key, length);
    PK11SymKey *made = PK11_ImportSymKey(slot, mechanism, PK11_OriginUnwrap, operation, &item, NULL);
    PK11_FreeSlot(slot);
    return made;
}

PK11Context *tlx_context(CK_MECHANISM_TYPE mechanism, CK_ATTRIBUTE_TYPE operation, const void *key, size_t length,
                         const void *iv, size_t iv_length) {
    PK11SymKey *imported = tlx_import_key(mechanism, operation & ~(CK_ATTRIBUTE_TYPE)CKA_NSS_MESSAGE, key, length);
    SECItem item = tlx_item(iv, iv_length);
    PK11Context *made = imported ? PK11_CreateContextBySymKey(mechanism, operation, imported, &item) : NULL;
    PK11_FreeSymKey(imported);
    return made;
}

SECKEYPrivateKey *tlx_import_private(SECItem pkcs8, SECItem public_value) {
    PK11SlotInfo *slot = PK11_GetInternalSlot();
    SECKEYPrivateKey *key = NULL;
    if (PK11_ImportDERPrivateKeyInfoAndReturnKey(slot, &pkcs8, NULL, &public_value, PR_FALSE, PR_FALSE, KU_ALL, &key,
                                                 NULL)
        != SECSuccess)
        key = NULL;
    PK11_FreeSlot(slot);
    return key;
}

/* ---- features of the CPU: each has a variable, which the library reads when it starts ------------------------- */

static const struct feature {
    const char *name, *variable; /* in the tlstax vocabulary; null: none */
} features[] = {
    {"aes", "NSS_DISABLE_HW_AES"}, {"clmul", "NSS_DISABLE_PCLMUL"}, {"sha", "NSS_DISABLE_HW_SHA"},
    {"vaes", NULL},                {"avx2", NULL},                  {"avx512", NULL},
    {"asm", NULL},
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

static void authenticate(void *gcm) {
    unsigned char tag[16], none[1];
    int length;
    (void)PK11_AEADOp(gcm, CKG_NO_GENERATE, 0, (unsigned char *)tlx_cost_input, 12, tlx_cost_input, TLX_COST_SIZE, none,
                      &length, sizeof none, tag, sizeof tag, tlx_cost_input, 0);
}

/* Shown by what it costs. */
const char *tlx_is_without(void) {
    static _Thread_local char text[64];
    PK11Context *gcm;
    if (text[0] != 0)
        return text;
    gcm = tlx_context(CKM_AES_GCM, CKA_ENCRYPT | CKA_NSS_MESSAGE, tlx_cost_input, 16, NULL, 0);
    tlx_cost_without(authenticate, gcm, text, sizeof text);
    if (gcm != NULL)
        PK11_DestroyContext(gcm, PR_TRUE);
    return text;
}

/* ---- primitives ----------------------------------------------------------------------------------------------- */

/* The library keeps the number of its error itself. */
static int fail(const char *what, int error) { return tlx_fail(what); }

const struct tlx_primitives tlx_primitives = {
    .kinds = {&tlx_cipher, &tlx_hash, &tlx_signature, &tlx_exchange, &tlx_certificates},
    .fail = fail};

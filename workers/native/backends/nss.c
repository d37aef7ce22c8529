/* NSS: who it is, what it can do, error texts, and what is common to all operations. */

#include "nss_operation.h"

#include <prinit.h>
#include <pthread.h>
#include <ssl.h>
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
    static char text[64];
    if (text[0] == 0)
        snprintf(text, sizeof text, "NSS %s", NSS_GetVersion());
    return text;
}

/* The library keeps no record of its compiler. */
const char *tlx_build(void) {
    static char text[512];
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
    (void)string, (void)ciphersuites, (void)names, (void)room;
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

/* ---- capabilities --------------------------------------------------------------------------------------------- */

int tlx_has_primitive(const char *algorithm, const char *operation) {
    int has = tlx_cipher_has(algorithm);
    (void)operation; /* NSS has all operations of an algorithm or none */
    if (has < 0)
        has = tlx_hash_has(algorithm);
    if (has < 0)
        has = tlx_signature_has(algorithm);
    if (has < 0)
        has = tlx_exchange_has(algorithm);
    if (has < 0)
        has = tlx_certificates_has(algorithm);
    return has > 0;
}

/* ---- operations ----------------------------------------------------------------------------------------------- */

/* What a record can add to a message: explicit IV, MAC, padding, tag. */
enum { RECORD_ROOM = 512 };

tlx_operation *tlx_operation_alloc(size_t size, size_t more, const struct tlx_inputs *inputs) {
    tlx_operation *operation = calloc(1, size);
    if (operation == NULL)
        return NULL;
    operation->length = (int)inputs->message.length;
    operation->message = calloc(1, inputs->message.length + RECORD_ROOM);
    operation->output = calloc(1, inputs->message.length + RECORD_ROOM + more);
    if (operation->message == NULL || operation->output == NULL) {
        tlx_operation_free(operation);
        return NULL;
    }
    if (inputs->message.length > 0)
        memcpy(operation->message, inputs->message.data, inputs->message.length);
    return operation;
}

int tlx_operation_new(const char *algorithm, const char *operation, int speed, const struct tlx_inputs *inputs,
                      tlx_operation **made) {
    *made = NULL;
    if (!tlx_has_primitive(algorithm, operation))
        return tlx_unsupported(algorithm);
    if (speed)
        return tlx_unsupported("call pattern of `openssl speed`: only the OpenSSL family has it");
    if (tlx_cipher_has(algorithm) >= 0)
        return tlx_cipher_new(algorithm, strcmp(operation, "encrypt") == 0, inputs, made);
    if (tlx_hash_has(algorithm) >= 0)
        return tlx_hash_new(algorithm, inputs, made);
    if (tlx_signature_has(algorithm) >= 0)
        return tlx_signature_new(algorithm, strcmp(operation, "sign") == 0, inputs, made);
    if (tlx_exchange_has(algorithm) >= 0)
        return tlx_exchange_new(algorithm, strcmp(operation, "keygen") == 0, inputs, made);
    return tlx_certificates_new(algorithm, inputs, made);
}

int tlx_operation_run(tlx_operation *operation, uint64_t n) {
    int (*once)(tlx_operation *) = operation->once;
    while (n-- > 0)
        if (!once(operation))
            return tlx_fail("running the operation");
    return TLX_OK;
}

int tlx_operation_answer(tlx_operation *operation, struct tlx_bytes *answer) {
    if (operation->first != NULL && !operation->first(operation))
        return tlx_fail("going back to the first nonce");
    if (!operation->once(operation))
        return tlx_fail("running the operation once");
    if (operation->check != NULL && !operation->check(operation))
        return tlx_fail("checking the output with its inverse");
    answer->data = operation->output + operation->output_skip;
    answer->length = operation->check != NULL ? 0 : operation->output_length;
    return TLX_OK;
}

void tlx_operation_free(tlx_operation *operation) {
    if (operation == NULL)
        return;
    if (operation->release != NULL)
        operation->release(operation);
    free(operation->message);
    free(operation->output);
    free(operation);
}

/* OpenSSL: who it is, what it can do, which primitives it has, and error texts. */

#include "../common/ia32cap.h"
#include "openssl_backend.h"

#include <stdio.h>

/* What the environment asked for at the start. */
static char asked[512];

int tlx_start(void) {
    const char *failed = tlx_init(asked, sizeof asked);
    return failed == NULL ? TLX_OK : tlx_fail(failed);
}

const char *tlx_family(void) { return TLX_FAMILY; }

const char *tlx_version(void) { return tlx_version_text(); }

const char *tlx_build(void) {
    static _Thread_local char text[4096];
    snprintf(text, sizeof text, "%s; set by the worker: %s%s", tlx_how_built(), TLX_SETTINGS, asked);
    return text;
}

int tlx_fail(const char *what) {
    unsigned long first = ERR_get_error();
    const char *reason = first ? ERR_reason_error_string(first) : NULL;
    ERR_clear_error();
    return tlx_report(TLX_FAILED, "%s: %s (error %lx)", what, reason ? reason : "no reason given", first);
}

/* ---- which suites a cipher string chooses, by asking a context that is configured with it --------------------- */

/* Appends a line; 0 if there is no room for it. */
static int put(char *names, size_t room, const char *name) {
    size_t length = strlen(names);
    int wanted = snprintf(names + length, room - length, "%s\n", name);
    return wanted >= 0 && (size_t)wanted < room - length;
}

static int list(SSL_CTX *context, int tls13_only, char *names, size_t room) {
    const STACK_OF(SSL_CIPHER) *ciphers = SSL_CTX_get_ciphers(context);
    const char *own;
    for (int i = 0; (own = tlx_tls13_unlisted(i)) != NULL; i++)
        if (!put(names, room, own))
            return 0;
    /* The number of ciphers is an int here and a size_t there. */
    for (int i = 0; ciphers != NULL && i < (int)sk_SSL_CIPHER_num(ciphers); i++) {
        const SSL_CIPHER *cipher = sk_SSL_CIPHER_value(ciphers, i);
        int tls13 = SSL_CIPHER_get_protocol_id(cipher) >> 8 == 0x13;
        const char *name = SSL_CIPHER_standard_name(cipher);
        /* A suite that IANA has no name for goes by the library's own. */
        if (name == NULL || name[0] != 'T')
            name = SSL_CIPHER_get_name(cipher);
        if ((tls13 || !tls13_only) && !put(names, room, name))
            return 0;
    }
    return 1;
}

int tlx_expand(const char *string, const char *ciphersuites, char *names, size_t room) {
    SSL_CTX *context = SSL_CTX_new(TLS_method());
    int result = TLX_OK;
    names[0] = 0;
    ERR_clear_error();
    if (context == NULL || !tlx_set_defaults(context))
        result = tlx_fail("SSL_CTX_new");
    else if (ciphersuites != NULL && !tlx_set_tls13_suites(context, ciphersuites))
        result = tlx_fail("SSL_CTX_set_ciphersuites");
    else if (string[0] != 0 && !SSL_CTX_set_cipher_list(context, string))
        result = tlx_fail("SSL_CTX_set_cipher_list");
    else if (!list(context, string[0] == 0, names, room))
        result = tlx_fail("listing the suites");
    SSL_CTX_free(context);
    ERR_clear_error();
    return result;
}

/* ---- features of the CPU that are done without ---------------------------------------------------------------- */

int tlx_without(const char *wanted, char *settings, size_t room) {
    return tlx_ia32cap_without(wanted, tlx_cpu_settings(), tlx_without_assembly(), settings, room);
}

const char *tlx_is_without(void) { return tlx_ia32cap_is_without(tlx_cpu_settings(), tlx_without_assembly()); }

const char *tlx_cpu(void) { return tlx_cpu_settings(); }

/* ---- primitives ----------------------------------------------------------------------------------------------- */

/* The library keeps the number of its error itself. */
static int fail(const char *what, int error) { return tlx_fail(what); }

const struct tlx_primitives tlx_primitives = {
    .kinds = {&tlx_aead, &tlx_share, &tlx_cipher, &tlx_hash, &tlx_signature, &tlx_exchange, &tlx_certificate},
    .has_speed = 1, .fail = fail, .forget = ERR_clear_error};

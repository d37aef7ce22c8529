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
    static char text[4096];
    snprintf(text, sizeof text, "%s; set by the worker: %s%s", tlx_how_built(), TLX_SETTINGS, asked);
    return text;
}

int tlx_fail(const char *what) {
    unsigned long first = ERR_get_error();
    const char *reason = first ? ERR_reason_error_string(first) : NULL;
    ERR_clear_error();
    return tlx_report(TLX_FAILED, "%s: %s (error %lx)", what, reason ? reason : "no reason given", first);
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

static void forget(void) { ERR_clear_error(); }

const struct tlx_primitives tlx_primitives = {
    .kinds = {&tlx_aead, &tlx_share, &tlx_cipher, &tlx_hash, &tlx_signature, &tlx_exchange, &tlx_certificate},
    .has_speed = 1, .fail = fail, .forget = forget};

/* GnuTLS: who it is, what it can do, which primitives it has, and error texts. */

#define _POSIX_C_SOURCE 200809L

#include "gnutls_backend.h"

#include <stdio.h>

/* The library starts itself before main and reads a file of the machine then, unless a program defines this. */
GNUTLS_SKIP_GLOBAL_INIT

/* A distribution's file sets priorities and forbids algorithms, so that the same library would give different figures
 * on different machines. */
int tlx_start(void) {
    int code;
    setenv("GNUTLS_SYSTEM_PRIORITY_FILE", "/dev/null", 1);
    code = gnutls_global_init();
    return code < 0 ? tlx_fail("gnutls_global_init", code) : TLX_OK;
}

const char *tlx_family(void) { return "gnutls"; }

const char *tlx_version(void) {
    static _Thread_local char text[64];
    if (text[0] == 0)
        snprintf(text, sizeof text, "GnuTLS %s", gnutls_check_version(NULL));
    return text;
}

/* The library reports how it was configured, and which Nettle and GMP it was built for. */
const char *tlx_build(void) {
    static _Thread_local char text[2048];
    size_t at = 0;
    for (const gnutls_library_config_st *item = gnutls_get_library_config(); item->name != NULL; item++)
        if (at < sizeof text)
            at += (size_t)snprintf(text + at, sizeof text - at, "%s=%s; ", item->name, item->value);
    if (at < sizeof text)
        snprintf(text + at, sizeof text - at,
                 "set by the worker: no file of system priorities, one suite alone in each priority string, one ticket "
                 "in a handshake, a store against replays of early data that remembers nothing, a cache of session ids "
                 "of its own");
    return text;
}

const char *tlx_cpu(void) { return ""; }

int tlx_fail(const char *what, int code) {
    return tlx_report(TLX_FAILED, "%s: %s (error %d)", what, gnutls_strerror(code), code);
}

/* ---- primitives ----------------------------------------------------------------------------------------------- */

/* Diffie-Hellman is in the library and not in its interface. */
static const char *absent(const char *algorithm) {
    int exchange = strncmp(algorithm, "ecdh", 4) == 0 || strcmp(algorithm, "x25519") == 0;
    return exchange ? "Diffie-Hellman outside of a handshake: its interface does not export it" : NULL;
}

const struct tlx_primitives tlx_primitives = {
    .kinds = {&tlx_cipher, &tlx_hash, &tlx_signature, &tlx_certificates},
    .fail = tlx_fail, .absent = absent};

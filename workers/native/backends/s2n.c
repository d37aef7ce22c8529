/* s2n-tls: who it is, and error texts. It has no interface for primitives; its cryptography is that of a libcrypto. */

#define _POSIX_C_SOURCE 200809L

#include "s2n_backend.h"

#include "../common/ia32cap.h"
#include "../common/operation.h"

#include <openssl/crypto.h>
#include <stdio.h>
#include <stdlib.h>

#define TEXT_OF(name) TEXT(name)
#define TEXT(name) #name

/* The library does not report its version, so the build may define which one it links. */
#ifdef TLX_S2N_VERSION
#define VERSION "s2n-tls " TEXT_OF(TLX_S2N_VERSION)
#else
#define VERSION "s2n-tls of unknown version"
#endif

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int started;

/* Memory that cannot be swapped out is limited to a few connections where the user is not privileged. */
static void start(void) { started = setenv("S2N_DONT_MLOCK", "1", 1) == 0 && s2n_init() == S2N_SUCCESS; }

int tlx_start(void) {
    pthread_once(&once, start);
    return started ? TLX_OK : tlx_fail("s2n_init");
}

const char *tlx_family(void) { return "s2n"; }

const char *tlx_version(void) {
    static _Thread_local char text[256];
    snprintf(text, sizeof text, "%s over %s", VERSION, OpenSSL_version(OPENSSL_VERSION));
    return text;
}

const char *tlx_build(void) {
    static _Thread_local char text[1024];
    snprintf(text, sizeof text,
             "compiler and flags unknown: the library does not say; libcrypto: %s; %s; set by the worker: "
             "S2N_DONT_MLOCK, no blinding after errors, named policies in place of one suite and one group (a client "
             "offers what its policy lists; a connection that comes to something else is refused)",
             OpenSSL_version(OPENSSL_CFLAGS), OpenSSL_version(OPENSSL_BUILT_ON));
    return text;
}

int tlx_fail(const char *what) {
    return tlx_report(TLX_FAILED, "%s: %s (%s)", what, s2n_strerror(s2n_errno, "EN"),
                      s2n_strerror_debug(s2n_errno, "EN"));
}

int tlx_refuse(const char *text) { return tlx_report(TLX_UNSUPPORTED, "%s: %s", tlx_version(), text); }

int tlx_expand(const char *string, const char *ciphersuites, char *names, size_t room) {
    return tlx_refuse("it has no cipher strings: it chooses by named policy");
}

/* ---- features of the CPU that are done without: AWS-LC looks at OPENSSL_ia32cap ------------------------------- */

/* libcrypto's own view of the CPU, two words. It is in no public header; a library without it has no switch that we know. */
extern const uint32_t tlx_cap[4] __asm__("OPENSSL_ia32cap_P") __attribute__((weak));

int tlx_without(const char *wanted, char *settings, size_t room) {
    return tlx_ia32cap_without(wanted, tlx_cpu(), 0, settings, room);
}

const char *tlx_is_without(void) { return tlx_ia32cap_is_without(tlx_cpu(), 0); }

const char *tlx_cpu(void) { return tlx_cap != NULL ? tlx_ia32cap_words(tlx_cap) : ""; }

/* ---- primitives ----------------------------------------------------------------------------------------------- */

static const char *absent(const char *algorithm) { return "interface for primitives: see the libcrypto that it uses"; }

const struct tlx_primitives tlx_primitives = {.absent = absent};

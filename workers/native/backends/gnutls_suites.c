/* GnuTLS: which suites a priority string chooses, and their names in the IANA registry, which the library's own are not. */

#include "gnutls_backend.h"

#include <stdio.h>

/* How a name begins here and there; a longer beginning stands before a shorter one that it contains. */
static const struct exchange {
    const char *own, *iana;
} exchanges[] = {
    {"TLS_ECDHE_ECDSA_", "TLS_ECDHE_ECDSA_WITH_"},
    {"TLS_ECDHE_RSA_", "TLS_ECDHE_RSA_WITH_"},
    {"TLS_ECDHE_PSK_", "TLS_ECDHE_PSK_WITH_"},
    {"TLS_ECDH_ANON_", "TLS_ECDH_anon_WITH_"},
    {"TLS_DHE_RSA_", "TLS_DHE_RSA_WITH_"},
    {"TLS_DHE_DSS_", "TLS_DHE_DSS_WITH_"},
    {"TLS_DHE_PSK_", "TLS_DHE_PSK_WITH_"},
    {"TLS_DH_ANON_", "TLS_DH_anon_WITH_"},
    {"TLS_RSA_PSK_", "TLS_RSA_PSK_WITH_"},
    {"TLS_RSA_", "TLS_RSA_WITH_"},
    {"TLS_PSK_", "TLS_PSK_WITH_"},
    {"TLS_SRP_SHA_RSA_", "TLS_SRP_SHA_RSA_WITH_"},
    {"TLS_SRP_SHA_DSS_", "TLS_SRP_SHA_DSS_WITH_"},
    {"TLS_SRP_SHA_", "TLS_SRP_SHA_WITH_"},
    {"TLS_GOSTR341112_256_", "TLS_GOSTR341112_256_WITH_"},
};

static int ends(const char *text, const char *ending) {
    size_t length = strlen(text), tail = strlen(ending);
    return length >= tail && strcmp(text + length - tail, ending) == 0;
}

/* Appends the name in the registry as a line: 0 if there is no room for it. */
static int put(char *names, size_t room, const char *own) {
    static const char rc4[] = "ARCFOUR_";
    const char *begin = "", *cipher = "", *more = "";
    size_t length = strlen(names);
    int cut = 0, wanted;
    for (size_t i = 0; i < COUNT(exchanges) && begin[0] == 0; i++)
        if (strncmp(own, exchanges[i].own, strlen(exchanges[i].own)) == 0) {
            begin = exchanges[i].iana;
            own += strlen(exchanges[i].own);
        }
    /* The registry turns the two words of these two around. */
    if (strcmp(begin, "TLS_DHE_PSK_WITH_") == 0 && ends(own, "_CCM_8"))
        begin = "TLS_PSK_DHE_WITH_";
    if (strncmp(own, rc4, sizeof rc4 - 1) == 0) {
        cipher = "RC4_";
        own += sizeof rc4 - 1;
    }
    if (ends(own, "_SHA1"))
        cut = 1;
    else if (ends(own, "CHACHA20_POLY1305"))
        more = "_SHA256";
    wanted = snprintf(names + length, room - length, "%s%s%.*s%s\n", begin, cipher, (int)strlen(own) - cut, own, more);
    return wanted >= 0 && (size_t)wanted < room - length;
}

static int list(gnutls_priority_t priority, char *names, size_t room) {
    unsigned index;
    int result;
    for (unsigned i = 0;
         (result = gnutls_priority_get_cipher_suite_index(priority, i, &index)) != GNUTLS_E_REQUESTED_DATA_NOT_AVAILABLE;
         i++) {
        const char *own = result < 0 ? NULL : gnutls_cipher_suite_info(index, NULL, NULL, NULL, NULL, NULL);
        if (own != NULL && !put(names, room, own))
            return 0;
    }
    return 1;
}

/* Nothing is set apart for TLS 1.3: one priority string is for all versions, so an empty one stands for no suite. */
int tlx_expand(const char *string, const char *ciphersuites, char *names, size_t room) {
    gnutls_priority_t priority = NULL;
    const char *at = NULL;
    char what[256];
    int code, listed;
    names[0] = 0;
    if (ciphersuites != NULL)
        return tlx_unsupported("setting apart for the suites of TLS 1.3: one priority string is for all versions");
    code = gnutls_priority_init(&priority, string, &at);
    if (code < 0) {
        snprintf(what, sizeof what, "gnutls_priority_init, at '%.200s'", at != NULL ? at : string);
        return tlx_fail(what, code);
    }
    listed = list(priority, names, room);
    gnutls_priority_deinit(priority);
    return listed ? TLX_OK : tlx_fail("listing the suites", GNUTLS_E_SHORT_MEMORY_BUFFER);
}

/* What the files of the GnuTLS backend share: error texts, the kinds of operations, configurations. */
#ifndef GNUTLS_BACKEND_H
#define GNUTLS_BACKEND_H

#include "../common/connection.h"
#include "../common/operation.h"
#include "../common/session_cache.h"

#include <gnutls/abstract.h>
#include <gnutls/crypto.h>
#include <gnutls/gnutls.h>
#include <gnutls/x509.h>
#include <stdlib.h>
#include <string.h>

/* Records "what: reason" as this thread's error text; returns TLX_FAILED. */
int tlx_fail(const char *what, int code);

/* The bytes as GnuTLS takes them; it has no const, and does not write to them. */
static inline gnutls_datum_t tlx_datum(struct tlx_bytes bytes) {
    return (gnutls_datum_t){(unsigned char *)bytes.data, (unsigned)bytes.length};
}

extern const struct tlx_kind tlx_cipher, tlx_hash, tlx_signature, tlx_certificates;

struct tlx_config {
    struct tlx_config_base;
    gnutls_certificate_credentials_t credentials;
    gnutls_priority_t priority;
    gnutls_dh_params_t finite_field;  /* server of TLS 1.2 */
    int verifies;                     /* the peer must have a chain to the root */
    int shows;                        /* a certificate of its own */
    gnutls_datum_t ticket_key;        /* server */
    gnutls_anti_replay_t anti_replay; /* server */
    struct tlx_session_cache *cache;  /* server */
};

/* What was negotiated, in code points and names of the tlstax vocabulary; 0 or null if they have none. */
int tlx_version_code(gnutls_protocol_t version);
int tlx_suite_code(gnutls_session_t session);
int tlx_group_code(gnutls_group_t group);
const char *tlx_key_name(const gnutls_datum_t *certificate);

#endif

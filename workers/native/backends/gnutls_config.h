/* What configurations and connections of the GnuTLS backend share. */
#ifndef GNUTLS_CONFIG_H
#define GNUTLS_CONFIG_H

#include "../common/connection.h"
#include "../common/session_cache.h"
#include "gnutls_operation.h"

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

/* What configurations and connections of the NSS backend share. */
#ifndef NSS_CONFIG_H
#define NSS_CONFIG_H

#include "../common/connection.h"
#include "nss_operation.h"

#include <ssl.h>
#include <sslexp.h>

enum { CHAIN = 8, PEER_ID = 32 };

struct tlx_config {
    struct tlx_config_base;
    PRFileDesc *model; /* what connections are copied from */
    CERTCertificate *root;
    CERTCertificate *chain[CHAIN]; /* end entity first */
    size_t chain_length;
    SECKEYPrivateKey *key;
    SSLAntiReplayContext *anti_replay; /* server */
    char newest[PEER_ID];              /* client, by id: the peer of the newest session; locked with the sessions */
};

/* A layer under libssl with these methods, and what they find in its `secret`. Null without memory. */
PRFileDesc *tlx_layer_new(void *secret);

/* Whether a server of TLS 1.2 negotiates its group: TLX_OK, TLX_UNSUPPORTED or TLX_FAILED. */
int tlx_trial(struct tlx_config *config, const struct tlx_endpoint *endpoint);

/* The name of the kind of key in the tlstax vocabulary; null if it is in none. */
const char *tlx_key_name(const CERTCertificate *certificate);

#endif

/* What configurations and connections of the NSS backend share. */
#ifndef NSS_CONFIG_H
#define NSS_CONFIG_H

#include "nss_operation.h"

#include <pthread.h>
#include <ssl.h>
#include <sslexp.h>
#include <sslproto.h>

enum { TLS12 = SSL_LIBRARY_VERSION_TLS_1_2, TLS13 = SSL_LIBRARY_VERSION_TLS_1_3, CHAIN = 8, PEER_ID = 32 };

/* The resumption tokens that a client keeps, one for each connection of a large load. */
struct tlx_sessions {
    pthread_mutex_t lock;
    SECItem *kept; /* grows as they come; the newest is the last */
    size_t count, room;
};

struct tlx_config {
    PRFileDesc *model; /* what connections are copied from */
    int server, version;
    int by_id, by_token, early; /* kind of resumption; none: full */
    size_t record;
    char host[256];
    unsigned char early_data[1024];
    size_t early_length;
    CERTCertificate *root;
    CERTCertificate *chain[CHAIN]; /* end entity first */
    size_t chain_length;
    SECKEYPrivateKey *key;
    SSLAntiReplayContext *anti_replay; /* server */
    struct tlx_sessions sessions;      /* client, by token */
    char newest[PEER_ID];              /* client, by id: the peer of the newest session; locked with the sessions */
};

/* A layer under libssl with these methods, and what they find in its `secret`. Null without memory. */
PRFileDesc *tlx_layer_new(void *secret);

/* Keeps a copy of a token. In TLS 1.3 each is used once; before, the newest serves for all. */
void tlx_sessions_keep(struct tlx_config *config, const unsigned char *token, size_t length);
/* The newest token, whose bytes the caller frees; empty if there is none. */
SECItem tlx_sessions_take(struct tlx_config *config);
/* Session ids are in the library's own cache, which all clients of the process share. Each full handshake stores its
 * session under a peer of its own: these remember the newest, and give it to a connection, or else a new one. */
void tlx_peer_keep(struct tlx_config *config, const char *peer);
void tlx_peer_take(struct tlx_config *config, char *peer);
void tlx_sessions_free(struct tlx_sessions *sessions);

/* Whether a server of TLS 1.2 negotiates its group: TLX_OK, TLX_UNSUPPORTED or TLX_FAILED. */
int tlx_trial(struct tlx_config *config, const struct tlx_endpoint *endpoint);

/* The name of the kind of key in the tlstax vocabulary; null if it is in none. */
const char *tlx_key_name(const CERTCertificate *certificate);

#endif

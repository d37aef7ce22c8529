/* What configurations and connections of the GnuTLS backend share. */
#ifndef GNUTLS_CONFIG_H
#define GNUTLS_CONFIG_H

#include "gnutls_operation.h"

#include <pthread.h>

/* The sessions that a client keeps, one for each connection of a large load. */
struct tlx_sessions {
    pthread_mutex_t lock;
    gnutls_datum_t *kept; /* grows as they come; the newest is the last */
    size_t count, room;
};

/* What a server remembers by session id. GnuTLS leaves that to the application. */
struct tlx_cache;

struct tlx_config {
    gnutls_certificate_credentials_t credentials;
    gnutls_priority_t priority;
    gnutls_dh_params_t finite_field;  /* server of TLS 1.2 */
    int server, version;
    int verifies;                     /* the peer must have a chain to the root */
    int shows;                        /* a certificate of its own */
    int by_id, by_ticket, early;      /* kind of resumption; none: full */
    size_t record;
    char host[256];
    unsigned char early_data[1024];
    size_t early_length;
    gnutls_datum_t ticket_key;        /* server */
    gnutls_anti_replay_t anti_replay; /* server */
    struct tlx_sessions sessions;     /* client */
    struct tlx_cache *cache;          /* server */
};

enum { TLS12 = 0x0303, TLS13 = 0x0304 };

/* Keeps a session, whose bytes are taken over. In TLS 1.3 each is used once; before, the newest serves for all. */
void tlx_sessions_keep(struct tlx_config *config, gnutls_datum_t session);
/* The newest session, whose bytes the caller frees with gnutls_free; empty if there is none. */
gnutls_datum_t tlx_sessions_take(struct tlx_config *config);
void tlx_sessions_free(struct tlx_sessions *sessions);

struct tlx_cache *tlx_cache_new(void);
void tlx_cache_free(struct tlx_cache *cache);
/* Makes a server's connection use the cache. */
void tlx_cache_use(struct tlx_cache *cache, gnutls_session_t session);

/* What was negotiated, in code points and names of the tlstax vocabulary; 0 or null if they have none. */
int tlx_version_code(gnutls_protocol_t version);
int tlx_suite_code(gnutls_session_t session);
int tlx_group_code(gnutls_group_t group);
const char *tlx_key_name(const gnutls_datum_t *certificate);

#endif

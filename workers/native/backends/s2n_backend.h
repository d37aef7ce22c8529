/* What the files of the s2n backend share. */
#ifndef S2N_BACKEND_H
#define S2N_BACKEND_H

#include "../common/error.h"

#include <pthread.h>
#include <s2n.h>

#define COUNT(table) (sizeof(table) / sizeof *(table))

/* The numbers of the protocol versions in the registry of IANA. */
enum { TLS12 = 0x0303, TLS13 = 0x0304 };

/* Records "what: reason of the library" as this thread's error text. */
int tlx_fail(const char *what);
/* Records the text as it is. */
int tlx_refuse(const char *text);

/* The policy of one end for a version, a suite, a group and a key; null if there is none. */
const char *tlx_policy(int server, int version, int suite, int group, const char *key);

/* The code point of a group by the library's name; 0 if we have no name for it. */
int tlx_group_code(const char *name);

/* The name of the kind of key, from the list of those that exist; null if it is in none. */
const char *tlx_key_name(const char *name);

/* ---- sessions ------------------------------------------------------------------------------------------------- */

/* The most sessions that a client keeps, and a server: one for each connection of a large load. */
enum { CLIENT_SESSIONS = 10000, SERVER_SESSIONS = 20000, BUCKETS = 4096 };

/* A session as bytes. */
struct tlx_session {
    size_t length;
    unsigned char bytes[];
};

/* What a client keeps: the newest is the last. */
struct tlx_sessions {
    pthread_mutex_t lock;
    struct tlx_session **all;
    size_t kept, room;
};

/* What a server keeps, by session id; the library asks the application for this store. */
struct tlx_cache {
    pthread_mutex_t lock;
    struct tlx_cache_entry *buckets[BUCKETS];
    size_t kept;
};

/* Takes the session over; with `newest_only`, all others go. */
void tlx_session_keep(struct tlx_sessions *sessions, struct tlx_session *session, int newest_only);

/* The newest session, to be freed by the caller: a copy if it stays. Null if there is none. */
struct tlx_session *tlx_session_take(struct tlx_sessions *sessions, int stays);
void tlx_sessions_free(struct tlx_sessions *sessions);

/* Makes the server use the cache: 1, or 0 with the library's error. */
int tlx_cache_use(struct tlx_cache *cache, struct s2n_config *config);
void tlx_cache_free(struct tlx_cache *cache);

/* ---- configurations ------------------------------------------------------------------------------------------- */

struct tlx_config {
    struct s2n_config *config;
    struct s2n_cert_chain_and_key *own;
    int server, version, suite, group, keeps_sessions, early;
    size_t record;
    const char *key; /* in the server's certificate */
    char host[256];
    unsigned char early_data[1024];
    size_t early_length;
    struct tlx_sessions sessions;
    struct tlx_cache *cache;
};

#endif

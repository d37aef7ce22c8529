/* What the files of the s2n backend share. */
#ifndef S2N_BACKEND_H
#define S2N_BACKEND_H

#include "../common/connection.h"
#include "../common/session_cache.h"

#include <s2n.h>

/* Records "what: reason of the library" as this thread's error text. */
int tlx_fail(const char *what);
/* Records the text as it is. */
int tlx_refuse(const char *text);

/* The policy of one end for a version, a suite, a group and a key; null if there is none. */
const char *tlx_policy(int server, int version, int suite, int group, const char *key);

/* The code point of a group by the library's name; 0 if we have no name for it. */
int tlx_group_code(const char *name);

/* Whether its certificates can have keys of this kind, if libcrypto makes them. */
int tlx_has_type(const char *key);

struct tlx_config {
    struct tlx_config_base;
    struct s2n_config *config;
    struct s2n_cert_chain_and_key *own;
    struct tlx_session_cache *cache; /* server */
};

#endif

/* What configurations and connections of the OpenSSL backend share. */
#ifndef OPENSSL_CONFIG_H
#define OPENSSL_CONFIG_H

#include "openssl_operation.h"

#include <pthread.h>

/* The most sessions that a client keeps: one for each connection of a large load. More are dropped as they come. */
enum { SESSIONS = 10000 };

struct tlx_config {
    SSL_CTX *context;
    int server, version, suite, early;
    int keeps; /* client: the session is taken when the handshake is complete */
    size_t record;
    char host[256];
    unsigned char early_data[1024];
    size_t early_length;
    pthread_mutex_t lock; /* of the sessions */
    SSL_SESSION **sessions; /* grows as they come; the newest is the last */
    size_t kept, room;
};

/* Takes the session of a complete handshake, where that is when it is there. */
void tlx_session_keep(struct tlx_config *config, SSL *ssl);

/* The newest session, to be freed by the caller; null if there is none. */
SSL_SESSION *tlx_session_take(struct tlx_config *config);

/* The name of the kind of key in the tlstax vocabulary; null if it is in none. */
const char *tlx_key_name(EVP_PKEY *key);

/* The code point of what tlx_negotiated_group returned; 0 if we have no name for it. */
int tlx_group_code(int id);

#endif

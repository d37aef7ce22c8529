/* What configurations and connections of the wolfSSL backend share. */
#ifndef WOLFSSL_CONFIG_H
#define WOLFSSL_CONFIG_H

#include "wolfssl_operation.h"

#include <pthread.h>

/* The most sessions that a client keeps: one for each connection of a large load. More are dropped as they come. */
enum { SESSIONS = 10000 };

/* A server of wolfSSL numbers the tickets of a full handshake and of all resumptions that go back to it with one byte,
 * and breaks the handshake off that would need the next number (SESSION_TICKET_NONCE_OVERFLOW). So a client here uses a
 * ticket that has this many before it again and again, instead of once. */
enum { LINEAGE = 250 };

/* Code points of the IANA registry. */
enum { TLS12 = 0x0303, TLS13 = 0x0304 };

struct tlx_kept {
    WOLFSSL_SESSION *session;
    int before; /* how many resumptions it goes back to a full handshake */
};

struct tlx_config {
    WOLFSSL_CTX *context;
    int server, version, group, early;
    size_t record;
    char host[256];
    const char *own_key; /* the key of the server's certificate */
    unsigned char early_data[1024];
    size_t early_length;
    pthread_mutex_t lock; /* of the sessions */
    struct tlx_kept *sessions; /* grows as they come; the newest is the last */
    size_t kept, room;
};

/* What the library calls back with for each connection that a context makes: bytes to and from the peer, the end
 * entity's certificate, and a session of a client. */
int tlx_receive(WOLFSSL *ssl, char *buffer, int room, void *connection);
int tlx_send(WOLFSSL *ssl, char *data, int length, void *connection);
int tlx_verified(int valid, WOLFSSL_X509_STORE_CTX *store);
int tlx_session_came(WOLFSSL *ssl, WOLFSSL_SESSION *session);

/* Keeps a copy of a session of a client, so many resumptions after a full handshake. */
void tlx_session_keep(struct tlx_config *config, WOLFSSL_SESSION *session, int before);

/* The newest session, which is the caller's to free; null if there is none. */
struct tlx_kept tlx_session_take(struct tlx_config *config);

/* The kind of key in a certificate, DER, by its name in the tlstax vocabulary; null if it is in none. */
const char *tlx_key_name(const unsigned char *certificate, size_t length);

/* The code point of a group that wolfSSL_get_curve_name calls so; 0 if we have no name for it. */
int tlx_group_code(const char *name);

#endif

/* What configurations and connections of the wolfSSL backend share. */
#ifndef WOLFSSL_CONFIG_H
#define WOLFSSL_CONFIG_H

#include "../common/connection.h"
#include "wolfssl_operation.h"

/* A server of wolfSSL numbers the tickets of a full handshake and of all resumptions that go back to it with one byte,
 * and breaks the handshake off that would need the next number (SESSION_TICKET_NONCE_OVERFLOW). So a client here uses a
 * ticket that has this many before it again and again, instead of once. */
enum { LINEAGE = 250 };

struct tlx_config {
    struct tlx_config_base;
    WOLFSSL_CTX *context;
};

/* A session of a client. */
struct tlx_kept {
    WOLFSSL_SESSION *session;
    int before; /* how many resumptions it goes back to a full handshake */
};

void tlx_kept_release(void *kept);

/* What the library calls back with for each connection that a context makes: bytes to and from the peer, the end
 * entity's certificate, and a session of a client. */
int tlx_receive(WOLFSSL *ssl, char *buffer, int room, void *connection);
int tlx_send(WOLFSSL *ssl, char *data, int length, void *connection);
int tlx_verified(int valid, WOLFSSL_X509_STORE_CTX *store);
int tlx_session_came(WOLFSSL *ssl, WOLFSSL_SESSION *session);

/* Keeps a copy of a session of a client, so many resumptions after a full handshake. */
void tlx_session_keep(struct tlx_config *config, WOLFSSL_SESSION *session, int before);

/* The kind of key in a certificate, DER, by its name in the tlstax vocabulary; null if it is in none. */
const char *tlx_key_name(const unsigned char *certificate, size_t length);

/* The code point of a group that wolfSSL_get_curve_name calls so; 0 if we have no name for it. */
int tlx_group_code(const char *name);

#endif

/* What configurations and connections of the Mbed TLS backend share. */
#ifndef MBEDTLS_ENDPOINT_H
#define MBEDTLS_ENDPOINT_H

#include "mbedtls_operation.h"

#include <mbedtls/ssl.h>
#include <mbedtls/ssl_cache.h>
#include <mbedtls/ssl_ticket.h>
#include <mbedtls/x509_crt.h>
#include <pthread.h>

/* The most sessions that a client keeps: one for each connection of a large load. More are dropped as they come. */
enum { SESSIONS = 10000 };

/* A session of a client, used by all connections that hold it. */
struct mbed_session {
    mbedtls_ssl_session session;
    int holders; /* under the lock of the configuration */
};

struct tlx_config {
    mbedtls_ssl_config ssl;
    int server, tls13, keeps_sessions, early;
    size_t record;
    const char *key; /* of the own certificate, by its name; null if there is none */
    char host[256];
    unsigned char early_data[1024];
    size_t early_length;
    int suites[2];       /* the library points at these, */
    uint16_t groups[3];  /* both end with 0, */
    mbedtls_x509_crt root, chain; /* and at these */
    mbedtls_pk_context private_key;
    mbedtls_ssl_ticket_context tickets;
    mbedtls_ssl_cache_context cache;
    pthread_mutex_t lock; /* of the sessions */
    struct mbed_session **sessions; /* grows as they come; the newest is the last */
    size_t kept, room;
};

/* Keeps the session that the connection can give now, if there is a new one: 0 or an error. */
int mbed_session_keep(struct tlx_config *config, const mbedtls_ssl_context *ssl);

/* The newest session; null if there is none. */
struct mbed_session *mbed_session_take(struct tlx_config *config);
void mbed_session_drop(struct tlx_config *config, struct mbed_session *session);

/* Drops all sessions that the configuration keeps. */
void mbed_sessions_free(struct tlx_config *config);

/* The name of the kind of key in the tlstax vocabulary; null if it is in none. */
const char *mbed_key_name(const mbedtls_pk_context *key);

#endif

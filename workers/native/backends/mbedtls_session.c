/* Mbed TLS: the sessions that a client keeps, in its configuration. */

#include "mbedtls_endpoint.h"

#include <stdlib.h>

/* Makes room for one session more; 0 if there is none. */
static int grow(struct tlx_config *config) {
    size_t room = config->room == 0 ? 16 : config->room * 2;
    struct mbed_session **sessions;
    if (config->kept >= SESSIONS)
        return 0;
    if (config->kept < config->room)
        return 1;
    sessions = realloc(config->sessions, sizeof *sessions * room);
    if (sessions == NULL)
        return 0;
    config->sessions = sessions;
    config->room = room;
    return 1;
}

static void free_session(struct mbed_session *session) {
    mbedtls_ssl_session_free(&session->session);
    free(session);
}

/* A ticket of TLS 1.3 is used once. A session of TLS 1.2 serves any number of connections until there is a newer one,
 * so the newest is enough. */
int mbed_session_keep(struct tlx_config *config, const mbedtls_ssl_context *ssl) {
    struct mbed_session *made = calloc(1, sizeof *made), *old = NULL;
    int error, kept;
    if (made == NULL)
        return MBEDTLS_ERR_SSL_ALLOC_FAILED;
    made->holders = 1;
    mbedtls_ssl_session_init(&made->session);
    error = mbedtls_ssl_get_session(ssl, &made->session);
    if (error != 0) {
        free_session(made);
        return error;
    }
    pthread_mutex_lock(&config->lock);
    if (!config->tls13 && config->kept > 0)
        old = config->sessions[--config->kept];
    kept = grow(config);
    if (kept)
        config->sessions[config->kept++] = made;
    pthread_mutex_unlock(&config->lock);
    if (old != NULL)
        mbed_session_drop(config, old);
    if (!kept)
        free_session(made);
    return 0;
}

struct mbed_session *mbed_session_take(struct tlx_config *config) {
    struct mbed_session *session = NULL;
    pthread_mutex_lock(&config->lock);
    if (config->kept > 0) {
        session = config->sessions[config->kept - 1];
        if (config->tls13)
            config->kept--;
        else
            session->holders++;
    }
    pthread_mutex_unlock(&config->lock);
    return session;
}

void mbed_session_drop(struct tlx_config *config, struct mbed_session *session) {
    int holders;
    pthread_mutex_lock(&config->lock);
    holders = --session->holders;
    pthread_mutex_unlock(&config->lock);
    if (holders == 0)
        free_session(session);
}

void mbed_sessions_free(struct tlx_config *config) {
    while (config->kept > 0)
        free_session(config->sessions[--config->kept]);
    free(config->sessions);
}

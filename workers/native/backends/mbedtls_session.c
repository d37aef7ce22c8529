/* Mbed TLS: the sessions that a client keeps, in its configuration. */

#include "mbedtls_endpoint.h"

#include <stdlib.h>

/* A session of a client, used by all connections that hold it. */
struct kept {
    mbedtls_ssl_session session;
    int holders;
};

static void *share(void *session) {
    __atomic_add_fetch(&((struct kept *)session)->holders, 1, __ATOMIC_RELAXED);
    return session;
}

static void release(void *session) {
    struct kept *kept = session;
    if (__atomic_sub_fetch(&kept->holders, 1, __ATOMIC_ACQ_REL) > 0)
        return;
    mbedtls_ssl_session_free(&kept->session);
    free(kept);
}

const struct tlx_session_kind mbed_session_kind = {share, release, NULL};

int mbed_session_keep(struct tlx_config *config, const mbedtls_ssl_context *ssl) {
    struct kept *made = calloc(1, sizeof *made);
    int error;
    if (made == NULL)
        return MBEDTLS_ERR_SSL_ALLOC_FAILED;
    made->holders = 1;
    mbedtls_ssl_session_init(&made->session);
    error = mbedtls_ssl_get_session(ssl, &made->session);
    if (error == 0)
        tlx_sessions_keep(&config->sessions, made);
    else
        release(made);
    return error;
}

int mbed_session_offer(struct tlx_config *config, mbedtls_ssl_context *ssl) {
    struct kept *kept = tlx_sessions_take(&config->sessions);
    int error;
    if (kept == NULL)
        return 0;
    error = mbedtls_ssl_set_session(ssl, &kept->session);
    release(kept);
    return error == 0 ? 1 : error;
}

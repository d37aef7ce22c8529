/* Mbed TLS: connections over a transport of the caller. */

#include "../common/wire.h"
#include "mbedtls_backend.h"

#include <stdlib.h>

struct tlx_connection {
    struct tlx_connection_base;
    mbedtls_ssl_context ssl;
    int starved;            /* the transport had nothing to give in the last call of the library */
    int early;              /* a server has read early data */
    int full;               /* the handshake came to the server's certificate */
    int group;
    struct tlx_wire *wire; /* until the handshake is complete */
};

/* ---- the sessions of a client --------------------------------------------------------------------------------- */

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

/* Keeps the session that the connection can give now, if there is a new one: 0 or an error. */
static int keep_session(struct tlx_config *config, const mbedtls_ssl_context *ssl) {
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

/* Makes the connection go on from the newest session, if there is one: 1, 0 if there is none, or an error. */
static int offer_session(struct tlx_config *config, mbedtls_ssl_context *ssl) {
    struct kept *kept = tlx_sessions_take(&config->sessions);
    int error;
    if (kept == NULL)
        return 0;
    error = mbedtls_ssl_set_session(ssl, &kept->session);
    release(kept);
    return error == 0 ? 1 : error;
}

/* ---- the transport -------------------------------------------------------------------------------------------- */

static int send_bytes(void *context, const unsigned char *data, size_t length) {
    struct tlx_connection *connection = context;
    long sent = tlx_transport_send(connection, data, length);
    if (sent == TLX_AGAIN)
        return MBEDTLS_ERR_SSL_WANT_WRITE;
    if (sent > 0 && connection->config->server && connection->wire != NULL)
        tlx_wire_see(connection->wire, data, (size_t)sent);
    return sent >= 0 ? (int)sent : MBEDTLS_ERR_SSL_INTERNAL_ERROR;
}

static int receive_bytes(void *context, unsigned char *buffer, size_t room) {
    struct tlx_connection *connection = context;
    long got = tlx_transport_receive(connection, buffer, room);
    connection->starved = got == TLX_AGAIN;
    if (connection->starved)
        return MBEDTLS_ERR_SSL_WANT_READ;
    if (got > 0 && !connection->config->server && connection->wire != NULL)
        tlx_wire_see(connection->wire, buffer, (size_t)got);
    return got >= 0 ? (int)got : MBEDTLS_ERR_SSL_INTERNAL_ERROR;
}

/* ---- setting up ----------------------------------------------------------------------------------------------- */

static int set_up_client(struct tlx_connection *connection) {
    struct tlx_config *config = connection->config;
    int error = mbedtls_ssl_set_hostname(&connection->ssl, config->host);
    int offered = error == 0 ? offer_session(config, &connection->ssl) : error;
    connection->early_pending = offered == 1 && config->early;
    return offered < 0 ? offered : 0;
}

static int set_up(struct tlx_connection *connection) {
    int error;
    connection->early_pending = 0; /* what comes to a server, the library announces */
    mbedtls_ssl_init(&connection->ssl);
    error = mbedtls_ssl_setup(&connection->ssl, &connection->config->ssl);
    connection->wire = calloc(1, sizeof *connection->wire);
    if (error == 0 && connection->wire == NULL)
        error = MBEDTLS_ERR_SSL_ALLOC_FAILED;
    mbedtls_ssl_set_bio(&connection->ssl, connection, send_bytes, receive_bytes, NULL);
    if (error == 0 && !connection->config->server)
        error = set_up_client(connection);
    return error == 0 ? TLX_OK : mbed_fail("mbedtls_ssl_setup", error);
}

/* ---- steps ---------------------------------------------------------------------------------------------------- */

/* The library comes back between a ticket's arrival and its parsing, and says that it wants to read. */
static int wants_another_call(const struct tlx_connection *connection, int error) {
    return error == MBEDTLS_ERR_SSL_WANT_READ && !connection->starved;
}

/* Begins the handshake too. */
static int write_early_data(struct tlx_connection *connection) {
#ifdef MBEDTLS_SSL_EARLY_DATA
    int result = mbedtls_ssl_write_early_data(&connection->ssl, connection->config->early_data,
                                              connection->config->early_length);
    if (result < 0 && result != MBEDTLS_ERR_SSL_CANNOT_WRITE_EARLY_DATA)
        return result;
#endif
    connection->early_pending = 0;
    return 0;
}

static int drop_early_data(struct tlx_connection *connection) {
#ifdef MBEDTLS_SSL_EARLY_DATA
    unsigned char dropped[MBEDTLS_SSL_IN_CONTENT_LEN];
    int result = mbedtls_ssl_read_early_data(&connection->ssl, dropped, sizeof dropped);
    connection->early = 1;
    return result < 0 ? result : 0;
#else
    return TLX_WRONG;
#endif
}

/* One step of mbedtls_ssl_handshake, which is a loop of them. The library does not say whether a session was resumed;
 * a handshake is full if it comes to the server's certificate. */
static int step(struct tlx_connection *connection) {
    mbedtls_ssl_context *ssl = &connection->ssl;
    int error;
    if (ssl->MBEDTLS_PRIVATE(state) == MBEDTLS_SSL_SERVER_CERTIFICATE)
        connection->full = 1;
    connection->starved = 0;
    error = mbedtls_ssl_handshake_step(ssl);
    if (wants_another_call(connection, error))
        return 0;
    return error == MBEDTLS_ERR_SSL_RECEIVED_EARLY_DATA ? drop_early_data(connection) : error;
}

static int group_of(const struct tlx_wire *wire) {
    return wire->prime > 0 ? mbed_finite_field(wire->body + 2, wire->prime) : wire->group;
}

/* The session of TLS 1.2 is there at the end of the handshake; that of a resumed one is the old one. */
static int complete(struct tlx_connection *connection) {
    struct tlx_config *config = connection->config;
    connection->complete = 1;
    connection->group = group_of(connection->wire);
    free(connection->wire);
    connection->wire = NULL;
    if (config->server || config->version == TLS13 || !config->resumes || !connection->full)
        return 0;
    return keep_session(config, &connection->ssl);
}

/* As if it had never returned: the next call goes on reading. */
static int take_ticket(struct tlx_connection *connection) {
    int error = 0;
    if (connection->config->resumes)
        error = keep_session(connection->config, &connection->ssl);
    connection->starved = 0;
    return error == 0 ? MBEDTLS_ERR_SSL_WANT_READ : error;
}

static int outcome(struct tlx_connection *connection, int error, const char *what) {
    if (error == MBEDTLS_ERR_SSL_WANT_READ || error == MBEDTLS_ERR_SSL_WANT_WRITE)
        return TLX_AGAIN;
    mbed_fail(what, error == 0 ? MBEDTLS_ERR_SSL_CONN_EOF : error);
    return tlx_failed(connection);
}

/* ---- the interface -------------------------------------------------------------------------------------------- */

int tlx_connection_handshake(tlx_connection *connection) {
    int error = 0;
    if (connection->complete)
        return TLX_OK;
    if (connection->early_pending)
        error = write_early_data(connection);
    while (error == 0 && !mbedtls_ssl_is_handshake_over(&connection->ssl))
        error = step(connection);
    if (error == 0)
        error = mbedtls_ssl_handshake(&connection->ssl); /* a server's ticket comes after the end */
    if (error == 0)
        error = complete(connection);
    return error == 0 ? TLX_OK : outcome(connection, error, "the handshake");
}

long tlx_connection_read(tlx_connection *connection, unsigned char *buffer, size_t room) {
    int result;
    if (connection->closed)
        return 0;
    do {
        connection->starved = 0;
        result = mbedtls_ssl_read(&connection->ssl, buffer, room);
        if (result == MBEDTLS_ERR_SSL_RECEIVED_NEW_SESSION_TICKET)
            result = take_ticket(connection);
    } while (wants_another_call(connection, result));
    if (result > 0)
        return result;
    connection->closed = result == MBEDTLS_ERR_SSL_PEER_CLOSE_NOTIFY;
    return connection->closed ? 0 : outcome(connection, result, "reading");
}

static long send_record(tlx_connection *connection, const unsigned char *data, size_t length) {
    int result = mbedtls_ssl_write(&connection->ssl, data, length);
    return result >= 0 ? result : outcome(connection, result, "writing");
}

/* One call of the library makes one record. In TLS 1.3 its largest record holds 16383 bytes: it counts the content type
 * with them. */
long tlx_connection_write(tlx_connection *connection, const unsigned char *data, size_t length) {
    size_t record = tlx_record(connection, length);
    int most = mbedtls_ssl_get_max_out_record_payload(&connection->ssl);
    return tlx_write(connection, send_record, data, most > 0 && record > (size_t)most ? (size_t)most : record, 0);
}

static int finish(tlx_connection *connection) {
    int error = mbedtls_ssl_close_notify(&connection->ssl);
    return error == 0 ? TLX_OK : outcome(connection, error, "closing");
}

void tlx_connection_negotiated(const tlx_connection *connection, struct tlx_negotiated *negotiated) {
    const struct tlx_config *config = connection->config;
    mbedtls_ssl_context *ssl = (mbedtls_ssl_context *)&connection->ssl;
    const mbedtls_x509_crt *peer = mbedtls_ssl_get_peer_cert(ssl);
    negotiated->version = (int)mbedtls_ssl_get_version_number(ssl);
    negotiated->suite = mbedtls_ssl_get_ciphersuite_id_from_ssl(ssl);
    negotiated->group = connection->group;
    negotiated->resumed = connection->complete && !connection->full;
    negotiated->early = connection->early;
#ifdef MBEDTLS_SSL_EARLY_DATA
    if (!config->server)
        negotiated->early = mbedtls_ssl_get_early_data_status(ssl) == MBEDTLS_SSL_EARLY_DATA_STATUS_ACCEPTED;
#endif
    /* A session remembers the certificate of its first handshake; it was not shown in a later one. */
    if (connection->full)
        negotiated->key = config->server ? config->key_name : peer != NULL ? mbed_key_name(&peer->pk) : NULL;
}

void tlx_connection_free(tlx_connection *connection) {
    mbedtls_ssl_free(&connection->ssl);
    free(connection->wire);
    tlx_connection_drop(connection);
}

const struct tlx_connection_kind tlx_connections = {sizeof(struct tlx_connection), set_up, finish, send_record};

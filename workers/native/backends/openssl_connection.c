/* OpenSSL: connections over a transport of the caller. */

#include "openssl_backend.h"

struct tlx_connection {
    struct tlx_connection_base;
    SSL *ssl;
};

/* ---- steps ---------------------------------------------------------------------------------------------------- */

static int offer_session(struct tlx_connection *connection) {
    SSL_SESSION *session = tlx_sessions_take(&connection->config->sessions);
    int done = session == NULL || SSL_set_session(connection->ssl, session);
    connection->early_pending = connection->config->early && session != NULL && tlx_session_takes_early_data(session);
    SSL_SESSION_free(session);
    return done;
}

/* Before a call whose result SSL_get_error is asked about, the queue of errors must be empty. To clear it costs some 800
 * instructions even if it is, to look at it 50. */
static void clear_errors(void) {
    if (ERR_peek_error() != 0)
        ERR_clear_error();
}

/* What a call of libssl means: its own number if positive, else one of enum tlx_result. */
static long outcome(struct tlx_connection *connection, int result, const char *what) {
    if (result > 0)
        return result;
    switch (SSL_get_error(connection->ssl, result)) {
    case SSL_ERROR_WANT_READ:
    case SSL_ERROR_WANT_WRITE:
        return TLX_AGAIN;
    default:
        tlx_fail(what);
        return tlx_failed(connection);
    }
}

/* Writes or reads early data before the rest of the handshake. */
static int early_data(struct tlx_connection *connection) {
    struct tlx_config *config = connection->config;
    unsigned char dropped[SSL3_RT_MAX_PLAIN_LENGTH];
    int done;
    if (!connection->early_pending)
        return TLX_OK;
    if (config->server)
        done = tlx_drop_early_data(connection->ssl, dropped, sizeof dropped);
    else
        done = tlx_send_early_data(connection->ssl, config->early_data, config->early_length);
    if (done <= 0)
        return (int)outcome(connection, done, "early data");
    connection->early_pending = 0;
    return TLX_OK;
}

/* ---- the transport as a BIO ----------------------------------------------------------------------------------- */

static int bio_write(BIO *bio, const char *data, int length) {
    long sent = tlx_transport_send(BIO_get_data(bio), data, (size_t)length);
    BIO_clear_retry_flags(bio);
    if (sent == TLX_AGAIN)
        BIO_set_retry_write(bio);
    return sent > 0 ? (int)sent : -1;
}

static int bio_read(BIO *bio, char *buffer, int room) {
    long got = tlx_transport_receive(BIO_get_data(bio), buffer, (size_t)room);
    BIO_clear_retry_flags(bio);
    if (got == TLX_AGAIN)
        BIO_set_retry_read(bio);
    return got >= 0 ? (int)got : -1;
}

static long bio_ctrl(BIO *bio, int command, long number, void *pointer) {
    struct tlx_connection *connection = BIO_get_data(bio);
    switch (command) {
    case BIO_CTRL_FLUSH:
        return 1;
    case BIO_CTRL_EOF:
        return connection->transport_ended;
    default:
        return 0;
    }
}

static pthread_once_t method_once = PTHREAD_ONCE_INIT;
static BIO_METHOD *method;

static void make_method(void) {
    method = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "tlstax transport");
    if (method == NULL)
        return;
    BIO_meth_set_write(method, bio_write);
    BIO_meth_set_read(method, bio_read);
    BIO_meth_set_ctrl(method, bio_ctrl);
}

static BIO *transport_bio(struct tlx_connection *connection) {
    BIO *bio = NULL;
    if (pthread_once(&method_once, make_method) == 0 && method != NULL)
        bio = BIO_new(method);
    if (bio != NULL) {
        BIO_set_data(bio, connection);
        BIO_set_init(bio, 1);
    }
    return bio;
}

/* ---- the interface -------------------------------------------------------------------------------------------- */

static int set_up(struct tlx_connection *connection) {
    struct tlx_config *config = connection->config;
    SSL *ssl = connection->ssl = SSL_new(config->context);
    BIO *bio = ssl ? transport_bio(connection) : NULL;
    if (bio == NULL)
        return tlx_fail("SSL_new");
    SSL_set_bio(ssl, bio, bio);
    if (config->server) {
        SSL_set_accept_state(ssl);
        return TLX_OK;
    }
    SSL_set_connect_state(ssl);
    if (!SSL_set_tlsext_host_name(ssl, config->host)
        || !X509_VERIFY_PARAM_set1_host(SSL_get0_param(ssl), config->host, strlen(config->host))
        || !offer_session(connection))
        return tlx_fail("setting name and session");
    return TLX_OK;
}

int tlx_connection_handshake(tlx_connection *connection) {
    SSL *ssl = connection->ssl;
    long result;
    clear_errors();
    result = early_data(connection);
    if (result != TLX_OK)
        return (int)result;
    result = outcome(connection, tlx_handshake(ssl), "the handshake");
    if (result < 0)
        return (int)result;
    if (tlx_compression_in_use(ssl) != (int)connection->config->compression)
        return tlx_fail("another compression was negotiated");
    if (SSL_CIPHER_get_protocol_id(SSL_get_current_cipher(ssl)) != connection->config->suite)
        return tlx_fail("another cipher suite was negotiated");
    if (connection->config->keeps)
        tlx_sessions_keep(&connection->config->sessions, SSL_get1_session(ssl));
    return TLX_OK;
}

long tlx_connection_read(tlx_connection *connection, unsigned char *buffer, size_t room) {
    int length = room > INT32_MAX ? INT32_MAX : (int)room, result;
    clear_errors();
    result = SSL_read(connection->ssl, buffer, length);
    if (result > 0)
        return result;
    if (SSL_get_error(connection->ssl, result) == SSL_ERROR_ZERO_RETURN)
        return 0;
    return outcome(connection, result, "reading");
}

/* With partial writes each call sends one record; the length is a hint that more will follow. */
static long write_some(tlx_connection *connection, const unsigned char *data, size_t length) {
    int most = length > INT32_MAX ? INT32_MAX : (int)length;
    clear_errors();
    return outcome(connection, SSL_write(connection->ssl, data, most), "writing");
}

long tlx_connection_write(tlx_connection *connection, const unsigned char *data, size_t length) {
    return tlx_write(connection, write_some, data, length, 1);
}

static int finish(tlx_connection *connection) {
    int result;
    clear_errors();
    result = SSL_shutdown(connection->ssl);
    /* 0: ours is sent, the peer's has not come; we do not wait for it. */
    return result >= 0 ? TLX_OK : (int)outcome(connection, result, "closing");
}

void tlx_connection_negotiated(const tlx_connection *connection, struct tlx_negotiated *negotiated) {
    SSL *ssl = connection->ssl;
    const SSL_CIPHER *cipher = SSL_get_current_cipher(ssl);
    X509 *peer = connection->config->server ? NULL : tlx_peer_certificate(ssl);
    X509 *shown = connection->config->server ? SSL_get_certificate(ssl) : peer;
    negotiated->version = SSL_version(ssl);
    negotiated->suite = cipher ? SSL_CIPHER_get_protocol_id(cipher) : 0;
    negotiated->resumed = SSL_session_reused(ssl);
    negotiated->early = tlx_early_data_accepted(ssl);
    negotiated->compression = tlx_compression_in_use(ssl);
    /* A session remembers certificate and group of its first handshake; those were not shown in this one. */
    if (!negotiated->resumed)
        negotiated->key = shown ? tlx_key_name(X509_get0_pubkey(shown)) : NULL;
    if (!negotiated->resumed || negotiated->version == TLS1_3_VERSION)
        negotiated->group = tlx_group_code(tlx_negotiated_group(ssl));
    X509_free(peer);
}

void tlx_connection_free(tlx_connection *connection) {
    /* Without this, a connection that was not closed takes its session out of use. */
    if (connection->ssl != NULL && SSL_is_init_finished(connection->ssl))
        SSL_set_shutdown(connection->ssl, SSL_SENT_SHUTDOWN | SSL_RECEIVED_SHUTDOWN);
    SSL_free(connection->ssl);
    tlx_connection_drop(connection);
}

const struct tlx_connection_kind tlx_connections = {sizeof(struct tlx_connection), set_up, finish, write_some};

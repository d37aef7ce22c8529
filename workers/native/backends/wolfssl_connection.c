/* wolfSSL: connections over a transport of the caller. */

#include "wolfssl_backend.h"

struct tlx_connection {
    struct tlx_connection_base;
    WOLFSSL *ssl;
    int before;                 /* resumptions that the session which is offered goes back */
    unsigned char *certificate; /* the peer's, DER; null if none was shown */
    size_t certificate_length;
};

/* ---- steps ---------------------------------------------------------------------------------------------------- */

/* What a call of the library means: its own number if positive, else one of enum tlx_result. */
static long outcome(struct tlx_connection *connection, int result, const char *what) {
    int error;
    if (result > 0)
        return result;
    error = wolfSSL_get_error(connection->ssl, result);
    if (error == WOLFSSL_ERROR_WANT_READ || error == WOLFSSL_ERROR_WANT_WRITE)
        return TLX_AGAIN;
    tlx_fail(what, error);
    return tlx_failed(connection);
}

/* Writes or reads early data before the rest of the handshake. */
static int early_data(struct tlx_connection *connection) {
    struct tlx_config *config = connection->config;
    unsigned char dropped[16384];
    int length = 0, result;
    if (!connection->early_pending)
        return TLX_OK;
    if (!config->server) {
        result = wolfSSL_write_early_data(connection->ssl, config->early_data, (int)config->early_length, &length);
        if (result < 0)
            return (int)outcome(connection, result, "writing early data");
    } else {
        do
            result = wolfSSL_read_early_data(connection->ssl, dropped, sizeof dropped, &length);
        while (result > 0);
        if (result < 0)
            return (int)outcome(connection, result, "reading early data");
    }
    connection->early_pending = 0;
    return TLX_OK;
}

/* ---- callbacks ------------------------------------------------------------------------------------------------ */

int tlx_send(WOLFSSL *ssl, char *data, int length, void *context) {
    long sent = tlx_transport_send(context, data, (size_t)length);
    if (sent == TLX_AGAIN)
        return WOLFSSL_CBIO_ERR_WANT_WRITE;
    return sent > 0 ? (int)sent : WOLFSSL_CBIO_ERR_GENERAL;
}

int tlx_receive(WOLFSSL *ssl, char *buffer, int room, void *context) {
    long got = tlx_transport_receive(context, buffer, (size_t)room);
    if (got == TLX_AGAIN)
        return WOLFSSL_CBIO_ERR_WANT_READ;
    if (got == 0)
        return WOLFSSL_CBIO_ERR_CONN_CLOSE;
    return got > 0 ? (int)got : WOLFSSL_CBIO_ERR_GENERAL;
}

int tlx_session_came(WOLFSSL *ssl, WOLFSSL_SESSION *session) {
    struct tlx_connection *connection = wolfSSL_GetIOReadCtx(ssl);
    tlx_session_keep(connection->config, session, wolfSSL_session_reused(ssl) ? connection->before + 1 : 0);
    return 0; /* the reference stays the library's */
}

/* The library keeps no certificate of the peer, so what is reported of it later is taken from here. */
int tlx_verified(int valid, WOLFSSL_X509_STORE_CTX *store) {
    struct tlx_connection *connection = store->userCtx;
    if (valid && store->error_depth == 0 && store->totalCerts > 0 && connection->certificate == NULL) {
        connection->certificate = malloc(store->certs[0].length);
        if (connection->certificate != NULL) {
            memcpy(connection->certificate, store->certs[0].buffer, store->certs[0].length);
            connection->certificate_length = store->certs[0].length;
        }
    }
    return valid;
}

/* ---- the interface -------------------------------------------------------------------------------------------- */

/* Name and session; a session that is refused is no error, it means a full handshake. */
static int set_client(struct tlx_connection *connection) {
    struct tlx_config *config = connection->config;
    struct tlx_kept *kept = tlx_sessions_take(&config->sessions);
    if (kept != NULL) {
        int taken = wolfSSL_set_session(connection->ssl, kept->session) == WOLFSSL_SUCCESS;
        connection->early_pending = taken && config->early;
        connection->before = kept->before;
        tlx_kept_release(kept);
    }
    return wolfSSL_UseSNI(connection->ssl, WOLFSSL_SNI_HOST_NAME, config->host, (word16)strlen(config->host))
               == WOLFSSL_SUCCESS
           && wolfSSL_check_domain_name(connection->ssl, config->host) == WOLFSSL_SUCCESS;
}

/* In TLS 1.2 the context's groups are those of a client alone; a server would prefer its certificate's curve. */
static int set_server(struct tlx_connection *connection) {
    int group = connection->config->group;
    return connection->config->version != TLS12 || group == 0
           || wolfSSL_set_groups(connection->ssl, &group, 1) == WOLFSSL_SUCCESS;
}

static int set_up(struct tlx_connection *connection) {
    WOLFSSL *ssl = connection->ssl = wolfSSL_new(connection->config->context);
    if (ssl == NULL)
        return tlx_fail("wolfSSL_new", MEMORY_E);
    wolfSSL_SetIOReadCtx(ssl, connection);
    wolfSSL_SetIOWriteCtx(ssl, connection);
    wolfSSL_SetCertCbCtx(ssl, connection);
    if (connection->config->server ? !set_server(connection) : !set_client(connection))
        return tlx_fail("setting name, session or group", BAD_FUNC_ARG);
    return TLX_OK;
}

int tlx_connection_handshake(tlx_connection *connection) {
    int result = early_data(connection);
    if (result != TLX_OK)
        return result;
    result = connection->config->server ? wolfSSL_accept(connection->ssl) : wolfSSL_connect(connection->ssl);
    result = (int)outcome(connection, result, "the handshake");
    return result > 0 ? TLX_OK : result;
}

long tlx_connection_read(tlx_connection *connection, unsigned char *buffer, size_t room) {
    int length = room > INT32_MAX ? INT32_MAX : (int)room, result;
    if (connection->closed)
        return 0;
    result = wolfSSL_read(connection->ssl, buffer, length);
    if (result <= 0 && !connection->transport_ended
        && wolfSSL_get_error(connection->ssl, result) == WOLFSSL_ERROR_ZERO_RETURN) {
        connection->closed = 1;
        return 0;
    }
    return outcome(connection, result, "reading");
}

static long write_some(tlx_connection *connection, const unsigned char *data, size_t length) {
    return outcome(connection, wolfSSL_write(connection->ssl, data, (int)length), "writing");
}

long tlx_connection_write(tlx_connection *connection, const unsigned char *data, size_t length) {
    size_t taken = 0;
    do {
        long sent = tlx_write(connection, write_some, data + taken, tlx_record(connection, length - taken), 1);
        if (sent < 0)
            return sent;
        taken += (size_t)sent;
    } while (taken < length && connection->unsent_length == 0);
    return (long)taken;
}

static int finish(tlx_connection *connection) {
    int result = wolfSSL_shutdown(connection->ssl);
    /* Ours is sent; for the peer's we do not wait. */
    if (result == WOLFSSL_SUCCESS || result == WOLFSSL_SHUTDOWN_NOT_DONE)
        return TLX_OK;
    return (int)outcome(connection, result, "closing");
}

void tlx_connection_negotiated(const tlx_connection *connection, struct tlx_negotiated *negotiated) {
    const struct tlx_config *config = connection->config;
    WOLFSSL *ssl = connection->ssl;
    negotiated->version = wolfSSL_GetVersion(ssl) == WOLFSSL_TLSV1_3 ? TLS13 : TLS12;
    negotiated->suite = wolfSSL_get_current_cipher_suite(ssl);
    negotiated->resumed = wolfSSL_session_reused(ssl);
    negotiated->early = wolfSSL_get_early_data_status(ssl) == WOLFSSL_EARLY_DATA_ACCEPTED;
    /* The library reports its curve of preference where none was negotiated. */
    if (config->group != 0 && (!negotiated->resumed || negotiated->version == TLS13))
        negotiated->group = tlx_group_code(wolfSSL_get_curve_name(ssl));
    if (negotiated->resumed)
        return;
    if (config->server)
        negotiated->key = config->key_name;
    else if (connection->certificate != NULL)
        negotiated->key = tlx_key_name(connection->certificate, connection->certificate_length);
}

void tlx_connection_free(tlx_connection *connection) {
    wolfSSL_free(connection->ssl);
    free(connection->certificate);
    tlx_connection_drop(connection);
}

const struct tlx_connection_kind tlx_connections = {sizeof(struct tlx_connection), set_up, finish, write_some};

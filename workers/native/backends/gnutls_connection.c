/* GnuTLS: connections over a transport of the caller. */

#include "gnutls_backend.h"

#include <errno.h>
#include <sys/uio.h>

struct tlx_connection {
    struct tlx_connection_base;
    gnutls_session_t session;
    int blocked;    /* the transport had nothing in this call */
    int issued;     /* server: the ticket of TLS 1.3 was sent */
};

/* ---- the cache of a server, as the library asks for it -------------------------------------------------------- */

static struct tlx_bytes bytes(gnutls_datum_t datum) { return (struct tlx_bytes){datum.data, datum.size}; }

static int store(void *cache, gnutls_datum_t key, gnutls_datum_t data) {
    return tlx_cache_store(cache, bytes(key), bytes(data)) ? 0 : GNUTLS_E_DB_ERROR;
}

static gnutls_datum_t retrieve(void *cache, gnutls_datum_t key) {
    struct tlx_blob *session = tlx_cache_find(cache, bytes(key));
    gnutls_datum_t found = {session != NULL ? gnutls_malloc(session->length) : NULL, 0};
    if (found.data != NULL) {
        memcpy(found.data, session->bytes, session->length);
        found.size = (unsigned)session->length;
    }
    tlx_blob_release(session);
    return found;
}

static int drop(void *cache, gnutls_datum_t key) {
    tlx_cache_remove(cache, bytes(key));
    return 0;
}

static void use_cache(struct tlx_session_cache *cache, gnutls_session_t session) {
    gnutls_db_set_ptr(session, cache);
    gnutls_db_set_store_function(session, store);
    gnutls_db_set_retrieve_function(session, retrieve);
    gnutls_db_set_remove_function(session, drop);
}

/* ---- steps ---------------------------------------------------------------------------------------------------- */

/* What a call of the library means. After a fatal error the peer gets its alert, as the library asks of applications.
 * */
static int outcome(struct tlx_connection *connection, long code, const char *what) {
    if (code >= 0)
        return TLX_OK;
    if (code == GNUTLS_E_AGAIN || code == GNUTLS_E_INTERRUPTED)
        return TLX_AGAIN;
    tlx_fail(what, (int)code);
    if (!connection->transport_ended)
        gnutls_alert_send_appropriate(connection->session, (int)code);
    return tlx_failed(connection);
}

/* ---- sessions and early data ---------------------------------------------------------------------------------- */

static int keep_session(struct tlx_connection *connection) {
    gnutls_datum_t session;
    int code = gnutls_session_get_data2(connection->session, &session);
    if (code < 0)
        return code;
    tlx_sessions_keep(&connection->config->sessions, tlx_blob_new(session.data, session.size));
    gnutls_free(session.data);
    return code;
}

/* Each ticket of TLS 1.3 becomes a session of its own. */
static int ticket_came(gnutls_session_t session, unsigned type, unsigned when, unsigned incoming,
                       const gnutls_datum_t *message) {
    return incoming ? keep_session(gnutls_session_get_ptr(session)) : 0;
}

/* It goes out with the first flight. */
static int offer_early_data(struct tlx_connection *connection) {
    struct tlx_config *config = connection->config;
    long code;
    if (gnutls_record_get_max_early_data_size(connection->session) < config->early_length)
        return 0;
    code = gnutls_record_send_early_data(connection->session, config->early_data, config->early_length);
    return code < 0 ? (int)code : 0;
}

static int offer_session(struct tlx_connection *connection) {
    struct tlx_config *config = connection->config;
    struct tlx_blob *session;
    int code;
    if (config->by_ticket && config->version == TLS13) {
        gnutls_session_set_ptr(connection->session, connection);
        gnutls_handshake_set_hook_function(connection->session, GNUTLS_HANDSHAKE_NEW_SESSION_TICKET,
                                           GNUTLS_HOOK_POST, ticket_came);
    }
    session = tlx_sessions_take(&config->sessions);
    if (session == NULL)
        return 0;
    code = gnutls_session_set_data(connection->session, session->bytes, session->length);
    tlx_blob_release(session);
    return code < 0 || !config->early ? code : offer_early_data(connection);
}

static int complete(struct tlx_connection *connection) {
    struct tlx_config *config = connection->config;
    unsigned char dropped[1024];
    int code = 0;
    connection->complete = 1;
    if (config->server && config->early)
        while (gnutls_record_recv_early_data(connection->session, dropped, sizeof dropped) > 0)
            ;
    /* In TLS 1.3 the tickets come later. */
    if (!config->server && config->version == TLS12 && config->resumes
        && !gnutls_session_is_resumed(connection->session))
        code = keep_session(connection);
    return code < 0 ? tlx_fail("keeping the session", code) : TLX_OK;
}

static int issue_ticket(struct tlx_connection *connection) {
    struct tlx_config *config = connection->config;
    int result;
    if (!config->server || config->version != TLS13 || !config->by_ticket || connection->issued)
        return TLX_OK;
    result = outcome(connection, gnutls_session_ticket_send(connection->session, 1, 0), "sending a ticket");
    connection->issued = result != TLX_AGAIN;
    return result;
}

/* ---- the transport -------------------------------------------------------------------------------------------- */

enum { GATHERED = 16384 };

static ssize_t moved(struct tlx_connection *connection, long result) {
    if (result >= 0)
        return result;
    connection->blocked = 1;
    gnutls_transport_set_errno(connection->session, result == TLX_AGAIN ? EAGAIN : EIO);
    return -1;
}

/* Over a socket the library sends a flight with one writev; so here it is gathered into one call. */
static ssize_t push(gnutls_transport_ptr_t pointer, const giovec_t *pieces, int count) {
    struct tlx_connection *connection = pointer;
    unsigned char flight[GATHERED];
    size_t length = 0;
    if (count == 1)
        return moved(connection, tlx_transport_send(connection, pieces[0].iov_base, pieces[0].iov_len));
    for (int i = 0; i < count && length < sizeof flight; i++) {
        size_t room = sizeof flight - length, take = pieces[i].iov_len < room ? pieces[i].iov_len : room;
        memcpy(flight + length, pieces[i].iov_base, take);
        length += take;
    }
    return moved(connection, tlx_transport_send(connection, flight, length));
}

static ssize_t pull(gnutls_transport_ptr_t pointer, void *buffer, size_t room) {
    return moved(pointer, tlx_transport_receive(pointer, buffer, room));
}

/* Whether something has come cannot be asked of our transport; a read returns at once. */
static int pull_timeout(gnutls_transport_ptr_t pointer, unsigned milliseconds) { return 1; }

static int set_transport(struct tlx_connection *connection) {
    gnutls_transport_set_ptr(connection->session, connection);
    gnutls_transport_set_vec_push_function(connection->session, push);
    gnutls_transport_set_pull_function(connection->session, pull);
    gnutls_transport_set_pull_timeout_function(connection->session, pull_timeout);
    return 0;
}

/* ---- setting up ----------------------------------------------------------------------------------------------- */

static int init(struct tlx_connection *connection) {
    const struct tlx_config *config = connection->config;
    /* The server sends its one ticket by itself: the library would send more. */
    unsigned flags = GNUTLS_NONBLOCK | GNUTLS_NO_AUTO_SEND_TICKET | (config->server ? GNUTLS_SERVER : GNUTLS_CLIENT);
    int code;
    if (!config->by_ticket)
        flags |= GNUTLS_NO_TICKETS;
    if (config->early)
        flags |= GNUTLS_ENABLE_EARLY_DATA;
    /* Else a client of TLS 1.2 finds no use for its Ed25519 certificate: the types that a server can ask for have
     * none. */
    if (!config->server && config->shows)
        flags |= GNUTLS_FORCE_CLIENT_CERT;
    code = gnutls_init(&connection->session, flags);
    if (code < 0)
        connection->session = NULL;
    return code;
}

static int set_up_server(struct tlx_connection *connection) {
    struct tlx_config *config = connection->config;
    gnutls_certificate_server_set_request(connection->session,
                                          config->verifies ? GNUTLS_CERT_REQUIRE : GNUTLS_CERT_IGNORE);
    if (config->verifies)
        gnutls_session_set_verify_cert(connection->session, NULL, 0);
    if (config->cache != NULL)
        use_cache(config->cache, connection->session);
    if (config->anti_replay != NULL)
        gnutls_anti_replay_enable(connection->session, config->anti_replay);
    if (!config->by_ticket)
        return 0;
    return gnutls_session_ticket_enable_server(connection->session, &config->ticket_key);
}

static int set_up_client(struct tlx_connection *connection) {
    struct tlx_config *config = connection->config;
    gnutls_session_set_verify_cert(connection->session, config->host, 0);
    return gnutls_server_name_set(connection->session, GNUTLS_NAME_DNS, config->host, strlen(config->host))
           ?: offer_session(connection);
}

static int set_up(struct tlx_connection *connection) {
    struct tlx_config *config = connection->config;
    int code = init(connection)
               ?: gnutls_priority_set(connection->session, config->priority)
               ?: gnutls_credentials_set(connection->session, GNUTLS_CRD_CERTIFICATE, config->credentials)
               ?: set_transport(connection)
               ?: (config->server ? set_up_server(connection) : set_up_client(connection));
    return code < 0 ? tlx_fail("gnutls_init", code) : TLX_OK;
}

/* ---- the interface -------------------------------------------------------------------------------------------- */

int tlx_connection_handshake(tlx_connection *connection) {
    int result = TLX_OK;
    while (!connection->complete && result == TLX_OK) {
        int code = gnutls_handshake(connection->session);
        if (code >= 0)
            result = complete(connection);
        else if (code == GNUTLS_E_AGAIN || gnutls_error_is_fatal(code))
            result = outcome(connection, code, "the handshake");
    }
    return result == TLX_OK ? issue_ticket(connection) : result;
}

long tlx_connection_read(tlx_connection *connection, unsigned char *buffer, size_t room) {
    while (!connection->closed) {
        long got;
        connection->blocked = 0;
        got = gnutls_record_recv(connection->session, buffer, room);
        if (got > 0)
            return got;
        if (got == 0)
            connection->closed = 1;
        /* After a ticket the library says "again", too, although the transport may have more. */
        else if ((got == GNUTLS_E_AGAIN && connection->blocked) || gnutls_error_is_fatal((int)got))
            return outcome(connection, got, "reading");
    }
    return 0;
}

/* The library keeps a record that it could not send, and goes on with it where there is nothing else. */
static long send_record(tlx_connection *connection, const unsigned char *data, size_t length) {
    int again = connection->unsent_length > 0;
    long sent = gnutls_record_send(connection->session, again ? NULL : data, again ? 0 : length);
    return sent > 0 ? sent : outcome(connection, sent, "writing");
}

long tlx_connection_write(tlx_connection *connection, const unsigned char *data, size_t length) {
    return tlx_write(connection, send_record, data, tlx_record(connection, length), 0);
}

static int finish(tlx_connection *connection) {
    return outcome(connection, gnutls_bye(connection->session, GNUTLS_SHUT_WR), "closing");
}

void tlx_connection_negotiated(const tlx_connection *connection, struct tlx_negotiated *negotiated) {
    gnutls_session_t session = connection->session;
    unsigned count;
    negotiated->version = tlx_version_code(gnutls_protocol_get_version(session));
    negotiated->suite = tlx_suite_code(session);
    negotiated->resumed = gnutls_session_is_resumed(session) != 0;
    negotiated->early = (gnutls_session_get_flags(session) & GNUTLS_SFLAGS_EARLY_DATA) != 0;
    /* A session remembers certificate and group of its first handshake; those were not shown in this one. */
    if (!negotiated->resumed)
        negotiated->key = tlx_key_name(connection->config->server ? gnutls_certificate_get_ours(session)
                                                                  : gnutls_certificate_get_peers(session, &count));
    if (!negotiated->resumed || negotiated->version == TLS13)
        negotiated->group = tlx_group_code(gnutls_group_get(session));
}

void tlx_connection_free(tlx_connection *connection) {
    if (connection->session != NULL)
        gnutls_deinit(connection->session);
    tlx_connection_drop(connection);
}

const struct tlx_connection_kind tlx_connections = {sizeof(struct tlx_connection), set_up, finish, send_record};

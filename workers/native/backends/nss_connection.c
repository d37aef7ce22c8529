/* NSS: connections over a transport of the caller. */

#include "nss_backend.h"

#include <prinit.h>
#include <prio.h>
#include <stdio.h>

struct tlx_connection {
    struct tlx_connection_base;
    PRFileDesc *socket;
    int shut;               /* our close_notify was made */
    int early_tried;        /* client: early data was sent or cannot be */
    char peer[PEER_ID];     /* client, by id */
    int deaf, mute;         /* nothing is received from the transport, or sent to it */
    unsigned char *flight;  /* records that the transport did not take whole: so many bytes from there */
    size_t flight_from, flight_length, flight_room;
};

/* ---- sessions and early data ---------------------------------------------------------------------------------- */

/* Session ids are in the library's own cache, which all clients of the process share. Each full handshake stores its
 * session under a peer of its own: these remember the newest, and give it to a connection, or else a new one. */
static void keep_peer(struct tlx_config *config, const char *peer) {
    pthread_mutex_lock(&config->sessions.lock);
    strcpy(config->newest, peer);
    pthread_mutex_unlock(&config->sessions.lock);
}

static void take_peer(struct tlx_config *config, char *peer) {
    static _Atomic unsigned long long number;
    pthread_mutex_lock(&config->sessions.lock);
    strcpy(peer, config->newest);
    pthread_mutex_unlock(&config->sessions.lock);
    if (peer[0] == 0)
        snprintf(peer, PEER_ID, "%llu", number++);
}

static SECStatus token_came(PRFileDesc *socket, const PRUint8 *token, unsigned length, void *pointer) {
    struct tlx_config *config = pointer;
    tlx_sessions_keep(&config->sessions, tlx_blob_new(token, length));
    return SECSuccess;
}

/* Tokens have tickets in them; what goes by session id is in the library's own cache. */
static int offer_session(struct tlx_connection *connection) {
    struct tlx_config *config = connection->config;
    struct tlx_blob *token;
    if (config->by_id) {
        take_peer(config, connection->peer);
        return SSL_SetSockPeerID(connection->socket, connection->peer) == SECSuccess;
    }
    if (!config->by_ticket)
        return 1;
    if (SSL_SetResumptionTokenCallback(connection->socket, token_came, config) != SECSuccess)
        return 0;
    token = tlx_sessions_take(&config->sessions);
    /* A token that the library no longer takes makes a full handshake. */
    if (token != NULL)
        (void)SSL_SetResumptionToken(connection->socket, token->bytes, (unsigned)token->length);
    tlx_blob_release(token);
    return 1;
}

/* After the first flight, as soon as the library has keys for it. */
static int send_early_data(struct tlx_connection *connection) {
    struct tlx_config *config = connection->config;
    SSLPreliminaryChannelInfo info;
    if (config->server || !config->early || connection->early_tried)
        return 1;
    connection->early_tried = 1;
    if (SSL_GetPreliminaryChannelInfo(connection->socket, &info, sizeof info) != SECSuccess)
        return 0;
    if (!info.canSendEarlyData)
        return 1;
    return PR_Write(connection->socket, config->early_data, (PRInt32)config->early_length)
           == (PRInt32)config->early_length;
}

/* They were set aside during the handshake. Nothing that came after them may be read. */
static void drop_early_data(struct tlx_connection *connection) {
    unsigned char dropped[1024];
    if (!connection->config->server || !connection->config->early)
        return;
    connection->deaf = 1;
    while (PR_Read(connection->socket, dropped, sizeof dropped) > 0)
        ;
    connection->deaf = 0;
}

/* ---- steps ---------------------------------------------------------------------------------------------------- */

static int outcome(struct tlx_connection *connection, const char *what) {
    if (PR_GetError() == PR_WOULD_BLOCK_ERROR)
        return TLX_AGAIN;
    tlx_fail(what);
    return tlx_failed(connection);
}

static int flush(struct tlx_connection *connection) {
    while (connection->flight_length > 0) {
        long sent = tlx_transport_send(connection, connection->flight + connection->flight_from,
                                       connection->flight_length);
        if (sent < 0)
            return sent == TLX_AGAIN ? TLX_AGAIN : TLX_FAILED;
        connection->flight_from += (size_t)sent;
        connection->flight_length -= (size_t)sent;
    }
    return TLX_OK;
}

/* ---- the transport as a layer --------------------------------------------------------------------------------- */

static int keep_flight(struct tlx_connection *connection, const unsigned char *data, size_t length) {
    if (length > connection->flight_room) {
        free(connection->flight);
        connection->flight = malloc(length);
        connection->flight_room = connection->flight ? length : 0;
    }
    if (connection->flight == NULL && length > 0)
        return 0;
    memcpy(connection->flight, data, length);
    connection->flight_from = 0;
    connection->flight_length = length;
    return 1;
}

static PRInt32 no_bytes(long result) {
    PR_SetError(result == TLX_AGAIN ? PR_WOULD_BLOCK_ERROR : PR_IO_ERROR, 0);
    return -1;
}

/* Takes all or nothing: what the transport leaves is kept, until when nothing more is taken. */
static PRInt32 layer_send(PRFileDesc *layer, const void *data, PRInt32 length, PRIntn flags, PRIntervalTime timeout) {
    struct tlx_connection *connection = (struct tlx_connection *)layer->secret;
    long sent;
    if (connection == NULL || connection->mute)
        return length;
    sent = flush(connection);
    if (sent != TLX_OK)
        return no_bytes(sent);
    sent = tlx_transport_send(connection, data, (size_t)length);
    if (sent < 0 && sent != TLX_AGAIN)
        return no_bytes(sent);
    sent = sent < 0 ? 0 : sent;
    if (sent < length && !keep_flight(connection, (const unsigned char *)data + sent, (size_t)(length - sent)))
        return no_bytes(TLX_FAILED);
    return length;
}

static PRInt32 layer_recv(PRFileDesc *layer, void *buffer, PRInt32 room, PRIntn flags, PRIntervalTime timeout) {
    struct tlx_connection *connection = (struct tlx_connection *)layer->secret;
    long got;
    if (connection == NULL || connection->deaf)
        return no_bytes(TLX_AGAIN);
    got = tlx_transport_receive(connection, buffer, (size_t)room);
    return got < 0 ? no_bytes(got) : (PRInt32)got;
}

/* The library asks for the peer's address to find a session; here all peers are one. */
static PRStatus layer_getpeername(PRFileDesc *layer, PRNetAddr *address) {
    memset(address, 0, sizeof *address);
    address->inet.family = PR_AF_INET;
    return PR_SUCCESS;
}

static PRStatus layer_getsocketoption(PRFileDesc *layer, PRSocketOptionData *data) {
    if (data->option != PR_SockOpt_Nonblocking)
        return PR_FAILURE;
    data->value.non_blocking = PR_TRUE;
    return PR_SUCCESS;
}

static PRStatus layer_setsocketoption(PRFileDesc *layer, const PRSocketOptionData *data) { return PR_SUCCESS; }

static PRStatus layer_shutdown(PRFileDesc *layer, PRIntn how) { return PR_SUCCESS; }

static PRStatus layer_close(PRFileDesc *layer) {
    layer->secret = NULL;
    layer->dtor(layer);
    return PR_SUCCESS;
}

static PRDescIdentity identity;
static PRIOMethods methods;

static PRStatus make_methods(void) {
    identity = PR_GetUniqueIdentity("tlstax");
    methods = *PR_GetDefaultIOMethods();
    methods.send = layer_send;
    methods.recv = layer_recv;
    methods.getpeername = layer_getpeername;
    methods.getsocketoption = layer_getsocketoption;
    methods.setsocketoption = layer_setsocketoption;
    methods.shutdown = layer_shutdown;
    methods.close = layer_close;
    return identity == PR_INVALID_IO_LAYER ? PR_FAILURE : PR_SUCCESS;
}

PRFileDesc *tlx_layer_new(void *secret) {
    static PRCallOnceType once;
    PRFileDesc *layer = NULL;
    if (PR_CallOnce(&once, make_methods) == PR_SUCCESS)
        layer = PR_CreateIOLayerStub(identity, &methods);
    if (layer != NULL)
        layer->secret = secret;
    return layer;
}

/* ---- setting up ----------------------------------------------------------------------------------------------- */

static void alert_came(const PRFileDesc *socket, void *pointer, const SSLAlert *alert) {
    struct tlx_connection *connection = pointer;
    if (alert->description == 0)
        connection->closed = 1;
}

static int set_up(struct tlx_connection *connection) {
    struct tlx_config *config = connection->config;
    PRFileDesc *layer = tlx_layer_new(connection), *socket = layer ? SSL_ImportFD(config->model, layer) : NULL;
    if (socket == NULL) {
        if (layer != NULL)
            PR_Close(layer);
        return tlx_fail("SSL_ImportFD");
    }
    connection->socket = socket;
    if (SSL_ResetHandshake(socket, config->server) != SECSuccess
        || SSL_AlertReceivedCallback(socket, alert_came, connection) != SECSuccess
        || (!config->server && (SSL_SetURL(socket, config->host) != SECSuccess || !offer_session(connection))))
        return tlx_fail("setting up a connection");
    return TLX_OK;
}

/* ---- the interface -------------------------------------------------------------------------------------------- */

int tlx_connection_handshake(tlx_connection *connection) {
    int result = flush(connection);
    if (result != TLX_OK || connection->complete)
        return result;
    if (SSL_ForceHandshake(connection->socket) == SECSuccess) {
        connection->complete = 1;
        if (connection->config->by_id && !connection->config->server)
            keep_peer(connection->config, connection->peer);
        drop_early_data(connection);
        return flush(connection);
    }
    result = outcome(connection, "the handshake");
    if (result == TLX_AGAIN && !send_early_data(connection))
        result = tlx_fail("writing early data");
    return result;
}

/* At the end of the transport the library reads an end of data too, so its alerts are listened to. */
long tlx_connection_read(tlx_connection *connection, unsigned char *buffer, size_t room) {
    PRInt32 got;
    if (connection->closed)
        return 0;
    got = PR_Read(connection->socket, buffer, room > PR_INT32_MAX ? PR_INT32_MAX : (PRInt32)room);
    if (got > 0 || (got == 0 && connection->closed))
        return got;
    if (got == 0)
        PR_SetError(PR_END_OF_FILE_ERROR, 0);
    return outcome(connection, "reading");
}

/* One record is made only when the last one has gone out, so that the layer below takes all of it. */
long tlx_connection_write(tlx_connection *connection, const unsigned char *data, size_t length) {
    size_t record = tlx_record(connection, length);
    PRInt32 sent;
    int result = flush(connection);
    if (result != TLX_OK || length == 0)
        return result;
    sent = PR_Write(connection->socket, data, (PRInt32)record);
    return sent > 0 ? sent : outcome(connection, "writing");
}

static int finish(tlx_connection *connection) {
    int result = flush(connection);
    if (result != TLX_OK || connection->shut)
        return result;
    if (PR_Shutdown(connection->socket, PR_SHUTDOWN_SEND) != PR_SUCCESS)
        return outcome(connection, "closing");
    connection->shut = 1;
    return flush(connection);
}

void tlx_connection_negotiated(const tlx_connection *connection, struct tlx_negotiated *negotiated) {
    PRFileDesc *socket = connection->socket;
    CERTCertificate *shown;
    SSLChannelInfo info;
    if (SSL_GetChannelInfo(socket, &info, sizeof info) != SECSuccess)
        return;
    negotiated->version = info.protocolVersion;
    negotiated->suite = info.cipherSuite;
    negotiated->resumed = info.resumed;
    negotiated->early = info.earlyDataAccepted;
    /* A session remembers certificate and group of its first handshake; those were not shown in this one. */
    if (!info.resumed || info.protocolVersion == TLS13)
        negotiated->group = info.keaGroup;
    if (info.resumed)
        return;
    shown = connection->config->server ? SSL_LocalCertificate(socket) : SSL_PeerCertificate(socket);
    negotiated->key = tlx_key_name(shown);
    if (shown != NULL)
        CERT_DestroyCertificate(shown);
}

/* The library says close_notify by itself if nobody has; a connection that is dropped says nothing. */
void tlx_connection_free(tlx_connection *connection) {
    connection->mute = 1;
    if (connection->socket != NULL)
        PR_Close(connection->socket);
    free(connection->flight);
    tlx_connection_drop(connection);
}

const struct tlx_connection_kind tlx_connections = {sizeof(struct tlx_connection), set_up, finish, NULL};

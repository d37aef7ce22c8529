/* s2n-tls: connections over a transport of the caller. */

#include "s2n_backend.h"

#include <errno.h>
#include <openssl/evp.h>
#include <openssl/x509.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct tlx_connection {
    struct tlx_connection_base;
    struct s2n_connection *s2n;
    size_t early_sent;
};

/* ---- the transport -------------------------------------------------------------------------------------------- */

static int moved(long length) {
    errno = length == TLX_AGAIN ? EAGAIN : EIO;
    return length >= 0 ? (int)length : -1;
}

static int send_bytes(void *connection, const uint8_t *data, uint32_t length) {
    return moved(tlx_transport_send(connection, data, length));
}

static int receive_bytes(void *connection, uint8_t *buffer, uint32_t room) {
    return moved(tlx_transport_receive(connection, buffer, room));
}

/* ---- the peer's certificate ----------------------------------------------------------------------------------- */

static const char *kind_of(EVP_PKEY *key) {
    switch (EVP_PKEY_id(key)) {
    case EVP_PKEY_RSA:
        return tlx_key_called(TLX_RSA, EVP_PKEY_bits(key));
    case EVP_PKEY_EC:
        return tlx_key_called(TLX_ECDSA, EVP_PKEY_bits(key));
#ifdef OPENSSL_IS_AWSLC
    case EVP_PKEY_PQDSA: {
        int type = EVP_PKEY_pqdsa_get_type(key);
        return tlx_key_called(type == NID_MLDSA44   ? TLX_ML_DSA_44
                              : type == NID_MLDSA65 ? TLX_ML_DSA_65
                                                    : TLX_ML_DSA_87, 0);
    }
#endif
    default:
        return NULL;
    }
}

/* The library gives the certificate as bytes; libcrypto says what they are. */
static const char *shown_key(const struct tlx_connection *connection) {
    struct s2n_cert_chain_and_key *chain = s2n_cert_chain_and_key_new();
    struct s2n_cert *certificate = NULL;
    const uint8_t *der = NULL;
    uint32_t length = 0;
    X509 *parsed = NULL;
    const char *name = NULL;
    if (chain != NULL && s2n_connection_get_peer_cert_chain(connection->s2n, chain) == S2N_SUCCESS
        && s2n_cert_chain_get_cert(chain, &certificate, 0) == S2N_SUCCESS
        && s2n_cert_get_der(certificate, &der, &length) == S2N_SUCCESS)
        parsed = d2i_X509(NULL, &der, (long)length);
    if (parsed != NULL)
        name = kind_of(X509_get0_pubkey(parsed));
    X509_free(parsed);
    s2n_cert_chain_and_key_free(chain);
    return name;
}

/* ---- code points ---------------------------------------------------------------------------------------------- */

static int version_code(int version) { return version == S2N_TLS13 ? TLS13 : version == S2N_TLS12 ? TLS12 : 0; }

static int suite_code(struct s2n_connection *s2n) {
    uint8_t first, second;
    return s2n_connection_get_cipher_iana_value(s2n, &first, &second) == S2N_SUCCESS ? first << 8 | second : 0;
}

static int group_code(struct s2n_connection *s2n) {
    const char *name = NULL;
    return s2n_connection_get_key_exchange_group(s2n, &name) == S2N_SUCCESS && name ? tlx_group_code(name) : 0;
}

/* ---- steps ---------------------------------------------------------------------------------------------------- */

static int outcome(struct tlx_connection *connection, const char *what) {
    if (s2n_error_get_type(s2n_errno) == S2N_ERR_T_BLOCKED)
        return TLX_AGAIN;
    tlx_fail(what);
    return tlx_failed(connection);
}

/* A session that the library does not take leads to a full handshake, and that is seen. */
static void offer_session(struct tlx_connection *connection) {
    struct tlx_config *config = connection->config;
    struct tlx_blob *session = tlx_sessions_take(&config->sessions);
    if (session == NULL)
        return;
    s2n_connection_set_session(connection->s2n, session->bytes, session->length);
    connection->early_pending = config->early;
    tlx_blob_release(session);
}

static int set_up(struct tlx_connection *connection) {
    struct tlx_config *config = connection->config;
    struct s2n_connection *s2n = connection->s2n = s2n_connection_new(config->server ? S2N_SERVER : S2N_CLIENT);
    if (s2n == NULL || s2n_connection_set_config(s2n, config->config) != S2N_SUCCESS
        || s2n_connection_set_blinding(s2n, S2N_SELF_SERVICE_BLINDING) != S2N_SUCCESS
        || s2n_connection_set_send_cb(s2n, send_bytes) != S2N_SUCCESS
        || s2n_connection_set_recv_cb(s2n, receive_bytes) != S2N_SUCCESS
        || s2n_connection_set_send_ctx(s2n, connection) != S2N_SUCCESS
        || s2n_connection_set_recv_ctx(s2n, connection) != S2N_SUCCESS)
        return tlx_fail("setting up a connection");
    if (config->server)
        return TLX_OK;
    offer_session(connection);
    return s2n_set_server_name(s2n, config->host) == S2N_SUCCESS ? TLX_OK : tlx_fail("s2n_set_server_name");
}

/* Writes or reads early data before the rest of the handshake. What a server reads is dropped. */
static int early_data(struct tlx_connection *connection) {
    struct tlx_config *config = connection->config;
    unsigned char dropped[16384];
    s2n_blocked_status blocked;
    ssize_t length = 0;
    int result;
    if (config->server) {
        result = s2n_recv_early_data(connection->s2n, dropped, sizeof dropped, &length, &blocked);
    } else {
        result = s2n_send_early_data(connection->s2n, config->early_data + connection->early_sent,
                                     (ssize_t)(config->early_length - connection->early_sent), &length, &blocked);
        connection->early_sent += (size_t)length;
        if (connection->early_sent == config->early_length)
            connection->early_pending = 0;
    }
    if (result == S2N_SUCCESS)
        connection->early_pending = 0;
    return connection->early_pending ? outcome(connection, "early data") : TLX_OK;
}

/* In place of lists with one entry: what the policies came to must be what was asked for. */
static int is_as_asked(const struct tlx_connection *connection) {
    const struct tlx_config *config = connection->config;
    struct s2n_connection *s2n = connection->s2n;
    int without_exchange = config->version == TLS12 && s2n_connection_is_session_resumed(s2n) == 1;
    return version_code(s2n_connection_get_actual_protocol_version(s2n)) == config->version
           && suite_code(s2n) == config->suite && (without_exchange || group_code(s2n) == config->group);
}

/* Sessions of TLS 1.2 are there at the end of the handshake; that of a resumed one is the old one. */
static int keep_session(struct tlx_connection *connection) {
    int length = s2n_connection_get_session_length(connection->s2n);
    struct tlx_blob *session = length > 0 ? tlx_blob_new(NULL, (size_t)length) : NULL;
    if (session == NULL || s2n_connection_get_session(connection->s2n, session->bytes, session->length) != length) {
        tlx_blob_release(session);
        return 0;
    }
    tlx_sessions_keep(&connection->config->sessions, session);
    return 1;
}

static int complete(struct tlx_connection *connection) {
    struct tlx_config *config = connection->config;
    if (!is_as_asked(connection))
        return tlx_fail("the policies came to another version, suite or group");
    if (!config->server && config->resumes && config->version == TLS12
        && s2n_connection_is_session_resumed(connection->s2n) != 1 && !keep_session(connection))
        return tlx_fail("taking the session");
    connection->complete = 1;
    return TLX_OK;
}

/* ---- the interface -------------------------------------------------------------------------------------------- */

int tlx_connection_handshake(tlx_connection *connection) {
    s2n_blocked_status blocked;
    if (connection->complete)
        return TLX_OK;
    if (connection->early_pending) {
        int result = early_data(connection);
        if (result != TLX_OK)
            return result;
    }
    if (s2n_negotiate(connection->s2n, &blocked) != S2N_SUCCESS)
        return outcome(connection, "the handshake");
    return complete(connection);
}

long tlx_connection_read(tlx_connection *connection, unsigned char *buffer, size_t room) {
    s2n_blocked_status blocked;
    ssize_t result = s2n_recv(connection->s2n, buffer, (ssize_t)room, &blocked);
    return result >= 0 ? result : outcome(connection, "reading");
}

static long send_record(tlx_connection *connection, const unsigned char *data, size_t length) {
    s2n_blocked_status blocked;
    ssize_t result = s2n_send(connection->s2n, data, (ssize_t)length, &blocked);
    return result >= 0 ? result : outcome(connection, "writing");
}

/* A record at a time: the library wants a write that it could not finish repeated, and looks at the length alone. */
long tlx_connection_write(tlx_connection *connection, const unsigned char *data, size_t length) {
    return tlx_write(connection, send_record, data, tlx_record(connection, length), 0);
}

static int finish(tlx_connection *connection) {
    s2n_blocked_status blocked;
    return s2n_shutdown_send(connection->s2n, &blocked) == S2N_SUCCESS ? TLX_OK : outcome(connection, "closing");
}

void tlx_connection_negotiated(const tlx_connection *connection, struct tlx_negotiated *negotiated) {
    struct s2n_connection *s2n = connection->s2n;
    s2n_early_data_status_t early = S2N_EARLY_DATA_STATUS_NOT_REQUESTED;
    negotiated->version = version_code(s2n_connection_get_actual_protocol_version(s2n));
    negotiated->suite = suite_code(s2n);
    negotiated->resumed = s2n_connection_is_session_resumed(s2n) == 1;
    negotiated->early = s2n_connection_get_early_data_status(s2n, &early) == S2N_SUCCESS
                        && (early == S2N_EARLY_DATA_STATUS_OK || early == S2N_EARLY_DATA_STATUS_END);
    if (!negotiated->resumed)
        negotiated->key = connection->config->server ? connection->config->key_name : shown_key(connection);
    if (!negotiated->resumed || negotiated->version == TLS13)
        negotiated->group = group_code(s2n);
}

void tlx_connection_free(tlx_connection *connection) {
    if (connection->s2n != NULL)
        s2n_connection_free(connection->s2n);
    tlx_connection_drop(connection);
}

const struct tlx_connection_kind tlx_connections = {sizeof(struct tlx_connection), set_up, finish, send_record};

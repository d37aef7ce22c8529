/* AF_ALG: TLS, of which it has none. */

#include "afalg_operation.h"

static int no_tls(void) { return tlx_unsupported("TLS"); }

int tlx_has_version(int version) {
    (void)version;
    return 0;
}

int tlx_has_suite(int suite) {
    (void)suite;
    return 0;
}

int tlx_has_group(int group) {
    (void)group;
    return 0;
}

int tlx_has_key(const char *key) {
    (void)key;
    return 0;
}

int tlx_has_resumption(enum tlx_resumption resumption) {
    (void)resumption;
    return 0;
}

int tlx_expand(const char *string, const char *ciphersuites, char *names, size_t room) {
    (void)string, (void)ciphersuites, (void)names, (void)room;
    return no_tls();
}

int tlx_config_new(const struct tlx_endpoint *endpoint, tlx_config **made) {
    (void)endpoint;
    *made = NULL;
    return no_tls();
}

void tlx_config_free(tlx_config *config) { (void)config; }

int tlx_connection_new(tlx_config *config, const struct tlx_transport *transport, tlx_connection **made) {
    (void)config, (void)transport;
    *made = NULL;
    return no_tls();
}

int tlx_connection_handshake(tlx_connection *connection) {
    (void)connection;
    return no_tls();
}

long tlx_connection_read(tlx_connection *connection, unsigned char *buffer, size_t room) {
    (void)connection, (void)buffer, (void)room;
    return no_tls();
}

long tlx_connection_write(tlx_connection *connection, const unsigned char *data, size_t length) {
    (void)connection, (void)data, (void)length;
    return no_tls();
}

int tlx_connection_close(tlx_connection *connection) {
    (void)connection;
    return no_tls();
}

void tlx_connection_negotiated(const tlx_connection *connection, struct tlx_negotiated *negotiated) {
    (void)connection;
    memset(negotiated, 0, sizeof *negotiated);
}

void tlx_connection_free(tlx_connection *connection) { (void)connection; }

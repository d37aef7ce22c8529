/* AF_ALG: TLS, of which it has none. */

#include "../common/connection.h"
#include "afalg_operation.h"

static int no_tls(void) { return tlx_unsupported("TLS"); }

int tlx_has_version(int version) { return 0; }

int tlx_has_suite(int suite) { return 0; }

int tlx_has_group(int group) { return 0; }

int tlx_has_key(const char *key) { return 0; }

int tlx_has_resumption(enum tlx_resumption resumption) { return 0; }

int tlx_expand(const char *string, const char *ciphersuites, char *names, size_t room) { return no_tls(); }

static int no_config(tlx_config *config, const struct tlx_endpoint *endpoint) { return no_tls(); }

const struct tlx_config_kind tlx_configs = {sizeof(struct tlx_config_base), no_config, NULL, NULL};

void tlx_config_free(tlx_config *config) { tlx_config_drop(config); }

static int no_connection(tlx_connection *connection) { return no_tls(); }

const struct tlx_connection_kind tlx_connections = {sizeof(struct tlx_connection_base), no_connection, NULL, NULL};

int tlx_connection_handshake(tlx_connection *connection) { return no_tls(); }

long tlx_connection_read(tlx_connection *connection, unsigned char *buffer, size_t room) { return no_tls(); }

long tlx_connection_write(tlx_connection *connection, const unsigned char *data, size_t length) { return no_tls(); }

void tlx_connection_negotiated(const tlx_connection *connection, struct tlx_negotiated *negotiated) {}

void tlx_connection_free(tlx_connection *connection) { tlx_connection_drop(connection); }

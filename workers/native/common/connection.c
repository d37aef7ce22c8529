#include "connection.h"

#include <stdlib.h>
#include <string.h>

int tlx_connection_new(tlx_config *config, const struct tlx_transport *transport, tlx_connection **made) {
    const struct tlx_config_base *settings = (const struct tlx_config_base *)config;
    struct tlx_connection_base *base = calloc(1, tlx_connections.size);
    tlx_connection *connection = (tlx_connection *)base;
    int result;
    if (base == NULL)
        return tlx_report(TLX_FAILED, "allocating a connection: no memory");
    base->config = config;
    base->transport = *transport;
    base->early_pending = settings->server && settings->early;
    result = tlx_connections.set_up(connection);
    if (result == TLX_OK)
        *made = connection;
    else
        tlx_connection_free(connection);
    return result;
}

int tlx_connection_close(tlx_connection *connection) {
    long sent = tlx_send_unsent(connection, tlx_connections.send);
    return sent < 0 ? (int)sent : tlx_connections.close(connection);
}

void tlx_connection_drop(tlx_connection *connection) {
    free(((struct tlx_connection_base *)connection)->unsent);
    free(connection);
}

const unsigned char tlx_any_record[16384];

long tlx_keep_unsent(tlx_connection *connection, const unsigned char *data, size_t length, int copied) {
    struct tlx_connection_base *base = (struct tlx_connection_base *)connection;
    size_t kept = tlx_record(connection, length);
    if (copied && base->unsent == NULL
        && (base->unsent = malloc(((const struct tlx_config_base *)base->config)->record)) == NULL)
        return tlx_report(TLX_FAILED, "allocating a record: no memory");
    if (copied)
        memcpy(base->unsent, data, kept);
    base->unsent_length = kept;
    return (long)kept;
}

/* Connections: what is the same in every library. */
#ifndef TLX_COMMON_CONNECTION_H
#define TLX_COMMON_CONNECTION_H

#include "config.h"

/* A backend's struct tlx_connection begins with these fields. */
struct tlx_connection_base {
    struct tlx_config *config;
    struct tlx_transport transport;
    int transport_ended;        /* it has no more bytes to give */
    int closed;                 /* the peer's close_notify came */
    int complete;               /* the handshake */
    int early_pending;          /* early data has still to be written or read */
    unsigned char *unsent;      /* where they are kept here: bytes that were accepted and not sent */
    size_t unsent_length;
};

/* Makes a connection of so many bytes, zeroed but for its base, and lets `set_up` do the rest. What `set_up` returns; if that
 * is not TLX_OK, tlx_connection_free is called. */
int tlx_connection_make(size_t size, tlx_config *config, const struct tlx_transport *transport,
                        int (*set_up)(tlx_connection *), tlx_connection **made);

/* Frees the connection itself; the last step of tlx_connection_free. */
void tlx_connection_drop(tlx_connection *connection);

/* Keeps a copy of a record that was accepted and could not be sent, or of the first record of more; the last one must have
 * been sent. Its length, or TLX_FAILED without memory. */
long tlx_keep_unsent(tlx_connection *connection, const unsigned char *data, size_t length);

/* The transport; the end of what it gives is remembered. */
static inline long tlx_transport_send(tlx_connection *connection, const void *data, size_t length) {
    const struct tlx_transport *transport = &((struct tlx_connection_base *)connection)->transport;
    return transport->send(transport->context, data, length);
}

static inline long tlx_transport_receive(tlx_connection *connection, void *buffer, size_t room) {
    struct tlx_connection_base *base = (struct tlx_connection_base *)connection;
    long got = base->transport.receive(base->transport.context, buffer, room);
    if (got == 0)
        base->transport_ended = 1;
    return got;
}

/* The result of a call that failed for another reason than a transport that blocks. */
static inline int tlx_failed(const tlx_connection *connection) {
    return ((const struct tlx_connection_base *)connection)->transport_ended ? TLX_TRUNCATED : TLX_FAILED;
}

#endif

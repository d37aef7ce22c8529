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
    size_t unsent_length;       /* of a record that was accepted and not sent; 0: there is none */
    unsigned char *unsent;      /* its bytes, where they are kept here */
};

/* What a backend defines once. */
struct tlx_connection_kind {
    size_t size; /* of its struct tlx_connection */
    /* Does the rest for one that is zeroed but for its base; if it does not return TLX_OK, tlx_connection_free is called. */
    int (*set_up)(tlx_connection *);
    /* tlx_connection_close, when `send` has sent what was unsent. */
    int (*close)(tlx_connection *);
    long (*send)(tlx_connection *, const unsigned char *data, size_t length); /* null where nothing is kept in the base */
};
extern const struct tlx_connection_kind tlx_connections;

/* Frees the connection itself; the last step of tlx_connection_free. */
void tlx_connection_drop(tlx_connection *connection);

/* Notes that `data` was accepted and could not be sent; with a copy where the library wants a write that it could not finish
 * repeated with the same bytes. At most one record: its length, or TLX_FAILED without memory. */
long tlx_keep_unsent(tlx_connection *connection, const unsigned char *data, size_t length, int copied);

/* Where a library keeps the bytes of a record that it could not send, and looks at the length of the write that is repeated
 * alone. */
extern const unsigned char tlx_any_record[16384];

/* How a library writes: bytes sent, TLX_AGAIN or an error. */
typedef long tlx_sender(tlx_connection *connection, const unsigned char *data, size_t length);

/* Repeats the write that is unfinished, if there is one: TLX_OK, TLX_AGAIN or an error. */
static inline long tlx_send_unsent(tlx_connection *connection, tlx_sender *send) {
    struct tlx_connection_base *base = (struct tlx_connection_base *)connection;
    long sent;
    if (base->unsent_length == 0)
        return TLX_OK;
    sent = send(connection, base->unsent != NULL ? base->unsent : tlx_any_record, base->unsent_length);
    if (sent < 0)
        return sent;
    base->unsent_length = 0;
    return TLX_OK;
}

/* tlx_connection_write, by writes that are each finished before the next. `send` is known where this is called, so that
 * nothing is called through a pointer. */
static inline long tlx_write(tlx_connection *connection, tlx_sender *send, const unsigned char *data, size_t length,
                             int copied) {
    long sent = tlx_send_unsent(connection, send);
    if (sent < 0 || length == 0)
        return sent;
    sent = send(connection, data, length);
    return sent == TLX_AGAIN ? tlx_keep_unsent(connection, data, length, copied) : sent;
}

/* So many of the bytes as one record holds. */
static inline size_t tlx_record(const tlx_connection *connection, size_t length) {
    const struct tlx_connection_base *base = (const struct tlx_connection_base *)connection;
    size_t record = ((const struct tlx_config_base *)base->config)->record;
    return length < record ? length : record;
}

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

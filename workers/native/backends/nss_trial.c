/* NSS: which groups a server of TLS 1.2 takes with its certificate and suite. The library wants a group at least as
 * strong as these, takes another that was offered, or finds nothing in common; it has no call that reports which. So one is
 * asked for in memory, once for each suite, group and key. */

#include "../common/wire.h"
#include "nss_backend.h"

#include <sslerr.h>

enum { ROOM = 1 << 16, REMEMBERED = 256 };

/* What one end has sent and the other has read. */
struct flight {
    unsigned char bytes[ROOM];
    size_t sent, read;
};

struct end {
    struct flight *from, *to;
};

static long send_flight(void *context, const unsigned char *data, size_t length) {
    struct flight *to = ((struct end *)context)->to;
    if (length > ROOM - to->sent)
        return TLX_FAILED;
    memcpy(to->bytes + to->sent, data, length);
    to->sent += length;
    return (long)length;
}

static long receive_flight(void *context, unsigned char *buffer, size_t room) {
    struct flight *from = ((struct end *)context)->from;
    size_t rest = from->sent - from->read, length = rest < room ? rest : room;
    memcpy(buffer, from->bytes + from->read, length);
    from->read += length;
    return length > 0 ? (long)length : TLX_AGAIN;
}

/* Lets a connection have its first turn, after which it waits for the peer. */
static int first_turn(struct tlx_config *config, const struct tlx_transport *transport) {
    tlx_connection *connection;
    int result = tlx_connection_new(config, transport, &connection);
    if (result != TLX_OK)
        return result;
    result = tlx_connection_handshake(connection);
    if (result == TLX_FAILED && PR_GetError() == SSL_ERROR_NO_CYPHER_OVERLAP)
        result = TLX_UNSUPPORTED;
    tlx_connection_free(connection);
    return result;
}

/* The curve of the ServerKeyExchange; the one that was asked for if there is none: a finite field has no name there, and no
 * second one was offered. */
static int group_of(const struct flight *answer, int asked) {
    struct tlx_wire wire = {0};
    tlx_wire_see(&wire, answer->bytes, answer->sent);
    return wire.group != 0 ? wire.group : asked;
}

/* The group that the server answers a client of the same kind with, or one of enum tlx_result. */
static int chosen_group(struct tlx_config *server, const struct tlx_endpoint *endpoint) {
    struct tlx_endpoint opposite = *endpoint;
    struct flight *flights = calloc(2, sizeof *flights), *up = flights, *down = flights != NULL ? flights + 1 : NULL;
    struct end below = {down, up}, above = {up, down};
    struct tlx_transport upward = {&below, send_flight, receive_flight};
    struct tlx_transport downward = {&above, send_flight, receive_flight};
    struct tlx_config *client = NULL;
    int result = TLX_FAILED;
    opposite.server = 0;
    opposite.resumption = TLX_FULL;
    opposite.host = "server.test";
    opposite.root = opposite.chain = opposite.private_key = (struct tlx_bytes){NULL, 0};
    if (flights != NULL && tlx_config_new(&opposite, &client) == TLX_OK && first_turn(client, &upward) == TLX_AGAIN)
        result = first_turn(server, &downward);
    if (result == TLX_AGAIN)
        result = group_of(down, endpoint->group);
    if (client != NULL)
        tlx_config_free(client);
    free(flights);
    return result;
}

int tlx_trial(struct tlx_config *server, const struct tlx_endpoint *endpoint) {
    static struct known {
        int suite, group, chosen;
        char key[16];
    } known[REMEMBERED];
    static size_t count;
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    int chosen = 0;
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < count; i++)
        if (known[i].suite == endpoint->suite && known[i].group == endpoint->group
            && strcmp(known[i].key, endpoint->key) == 0)
            chosen = known[i].chosen;
    if (chosen == 0) {
        chosen = chosen_group(server, endpoint);
        if (chosen != TLX_FAILED && count < REMEMBERED && strlen(endpoint->key) < sizeof known->key) {
            known[count] = (struct known){endpoint->suite, endpoint->group, chosen, ""};
            strcpy(known[count++].key, endpoint->key);
        }
    }
    pthread_mutex_unlock(&lock);
    if (chosen == endpoint->group || chosen == TLX_FAILED)
        return chosen == TLX_FAILED ? TLX_FAILED : TLX_OK;
    return tlx_unsupported("TLS 1.2 with this group: it must be as strong as the certificate's key or the cipher");
}

#include "wire.h"

#include <string.h>

enum { HANDSHAKE_RECORD = 22, SERVER_HELLO = 2, SERVER_KEY_EXCHANGE = 12, KEY_SHARE = 51, NAMED_CURVE = 3 };

static size_t number(const unsigned char *bytes, int length) {
    size_t value = 0;
    while (length-- > 0)
        value = value << 8 | *bytes++;
    return value;
}

/* Fills `to`, which has `*have` of its bytes, and returns how many bytes that took. */
static size_t fill(unsigned char *to, size_t *have, size_t wanted, const unsigned char *data, size_t length) {
    size_t taken = wanted - *have < length ? wanted - *have : length;
    memcpy(to + *have, data, taken);
    *have += taken;
    return taken;
}

/* RFC 8446 4.1.3: version, random, session id, suite, compression, extensions. A ServerHello of TLS 1.2 has no
 * key_share. */
static int group_of_hello(const unsigned char *body, size_t length) {
    size_t at = 2 + 32;
    at += at < length ? 1 + (size_t)body[at] : 0;
    for (at += 2 + 1 + 2; at + 6 <= length; at += 4 + number(body + at + 2, 2))
        if (number(body + at, 2) == KEY_SHARE)
            return (int)number(body + at + 4, 2);
    return 0;
}

static void see_key_exchange(struct tlx_wire *wire) {
    size_t prime = number(wire->body, 2);
    if (wire->body_have >= 3 && wire->body[0] == NAMED_CURVE)
        wire->group = (int)number(wire->body + 1, 2);
    else if (wire->body_have >= 2 + prime)
        wire->prime = prime;
}

static void end_of_message(struct tlx_wire *wire) {
    if (wire->message[0] == SERVER_HELLO)
        wire->group = group_of_hello(wire->body, wire->body_have);
    else if (wire->message[0] == SERVER_KEY_EXCHANGE)
        see_key_exchange(wire);
    wire->message_have = 0;
}

/* Handshake messages; bytes of others than those two are passed over. */
static void see_messages(struct tlx_wire *wire, const unsigned char *data, size_t length) {
    while (length > 0 && wire->group == 0 && wire->prime == 0) {
        size_t taken;
        if (wire->message_have < sizeof wire->message) {
            taken = fill(wire->message, &wire->message_have, sizeof wire->message, data, length);
            wire->message_left = number(wire->message + 1, 3);
            wire->body_have = 0;
        } else {
            size_t room = sizeof wire->body;
            taken = wire->message_left < length ? wire->message_left : length;
            if (wire->message[0] == SERVER_HELLO || wire->message[0] == SERVER_KEY_EXCHANGE)
                fill(wire->body, &wire->body_have, room, data, taken);
            wire->message_left -= taken;
        }
        data += taken;
        length -= taken;
        if (wire->message_have == sizeof wire->message && wire->message_left == 0)
            end_of_message(wire);
    }
}

void tlx_wire_see(struct tlx_wire *wire, const unsigned char *data, size_t length) {
    while (length > 0 && wire->group == 0 && wire->prime == 0 && !wire->encrypted) {
        size_t taken;
        if (wire->record_have < sizeof wire->record) {
            taken = fill(wire->record, &wire->record_have, sizeof wire->record, data, length);
            wire->record_left = number(wire->record + 3, 2);
            wire->encrypted = wire->record_have == sizeof wire->record && wire->record[0] != HANDSHAKE_RECORD;
        } else {
            taken = wire->record_left < length ? wire->record_left : length;
            see_messages(wire, data, taken);
            wire->record_left -= taken;
        }
        data += taken;
        length -= taken;
        if (wire->record_have == sizeof wire->record && wire->record_left == 0)
            wire->record_have = 0;
    }
}

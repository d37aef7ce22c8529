// Botan: connections over a transport of the caller.
//
// The library is handed what arrives and hands over what is to be sent and what it has decrypted; it never waits. What
// the transport does not take, and plaintext beyond the reader's buffer, is kept here.

#include "botan_backend.h"

#include <botan/dl_group.h>
#include <botan/tls_alert.h>
#include <botan/tls_callbacks.h>
#include <botan/tls_client.h>
#include <botan/tls_server.h>
#include <botan/tls_session.h>

#include <algorithm>

using Botan::TLS::Group_Params;

namespace {

// One record of the largest size: RFC 5246 6.2.3.
constexpr std::size_t ARRIVING = 5 + 16384 + 2048;

// Bytes that go in at the end and out at the front; no memory is held while there are none.
class Queue {
public:
    bool empty() const { return at == bytes.size(); }
    View front() const { return View(bytes).subspan(at); }
    void append(View data) { bytes.insert(bytes.end(), data.begin(), data.end()); }

    void drop(std::size_t length) {
        at += length;
        if (!empty())
            return;
        bytes = {};
        at = 0;
    }

private:
    Bytes bytes;
    std::size_t at = 0;
};

using AnyGroup = std::variant<Group_Params, Botan::DL_Group>;

// The callbacks of the library, and what it reported by them.
class Peer final : public Botan::TLS::Callbacks {
public:
    explicit Peer(const tlx_transport &transport) : transport(transport) {}

    // Sends what is unsent: bytes that are left wait for the next call.
    int flush() {
        begun = true;
        while (!unsent.empty()) {
            const long sent = transport.send(transport.context, unsent.front().data(), unsent.front().size());
            if (sent <= 0)
                return sent == TLX_AGAIN || sent == 0 ? TLX_AGAIN : tlx_fail("sending", "the transport failed");
            unsent.drop(static_cast<std::size_t>(sent));
        }
        return TLX_OK;
    }

    bool has_unsent() const { return !unsent.empty(); }
    long receive(std::span<std::uint8_t> room) {
        return transport.receive(transport.context, room.data(), room.size());
    }

    // Where plaintext goes until the next call; returns what was kept from before.
    std::size_t read_into(std::span<std::uint8_t> buffer) {
        const std::size_t length = std::min(buffer.size(), kept.front().size());
        std::copy_n(kept.front().begin(), length, buffer.begin());
        kept.drop(length);
        room = buffer.subspan(length);
        return length;
    }

    // How much of the buffer is still free.
    std::size_t free_room() const { return room.size(); }
    void stop_reading() { room = {}; }

    bool closed = false, resumed = false;
    int suite = 0;
    Botan::TLS::Protocol_Version version;
    Group_Params group;
    std::string alert;

private:
    void tls_emit_data(View data) override {
        while (begun && unsent.empty() && !data.empty()) {
            const long sent = transport.send(transport.context, data.data(), data.size());
            if (sent <= 0)
                break; // an error comes again when the rest is sent
            data = data.subspan(static_cast<std::size_t>(sent));
        }
        if (!data.empty())
            unsent.append(data);
    }

    void tls_record_received(std::uint64_t, View data) override {
        const std::size_t length = kept.empty() ? std::min(room.size(), data.size()) : 0;
        std::copy_n(data.begin(), length, room.begin());
        room = room.subspan(length);
        if (length < data.size())
            kept.append(data.subspan(length));
    }

    void tls_alert(Botan::TLS::Alert received) override {
        if (received.type() == Botan::TLS::AlertType::CloseNotify)
            closed = true;
        else
            alert = received.type_string();
    }

    void tls_session_established(const Botan::TLS::Session_Summary &session) override {
        version = session.version();
        suite = session.ciphersuite_code();
        resumed = session.was_resumption();
        // TLS 1.3 reports the group of each handshake; TLS 1.2 only makes a key in it.
        if (const auto name = session.kex_parameters())
            group = Group_Params::from_string(*name).value_or(Group_Params::NONE);
    }

    std::unique_ptr<Botan::PK_Key_Agreement_Key>
    tls_generate_ephemeral_key(const AnyGroup &made, Botan::RandomNumberGenerator &rng) override {
        group = std::holds_alternative<Group_Params>(made) ? std::get<Group_Params>(made)
                                                           : named(std::get<Botan::DL_Group>(made));
        return Callbacks::tls_generate_ephemeral_key(made, rng);
    }

    // A server of TLS 1.2 sends the numbers of a finite field, not its name.
    static Group_Params named(const Botan::DL_Group &numbers) {
        for (const Group_Params known : {Group_Params::FFDHE_2048, Group_Params::FFDHE_3072})
            if (Botan::DL_Group::from_name(known.to_algorithm_spec().value()).get_p() == numbers.get_p())
                return known;
        return Group_Params::NONE;
    }

    const tlx_transport transport;
    bool begun = false; // a connection is made without a call of its transport
    Queue unsent, kept;
    std::span<std::uint8_t> room;
};

} // namespace

struct tlx_connection {
    tlx_config &config;
    std::shared_ptr<Peer> peer;
    std::unique_ptr<Botan::TLS::Channel> channel;
};

static std::unique_ptr<Botan::TLS::Channel> make_channel(const tlx_config &config, const std::shared_ptr<Peer> &peer) {
    const auto rng = tlx_shared_rng();
    if (config.server)
        return std::make_unique<Botan::TLS::Server>(peer, config.sessions, config.credentials, config.policy, rng);
    return std::make_unique<Botan::TLS::Client>(peer, config.sessions, config.credentials, config.policy, rng,
                                                Botan::TLS::Server_Information(config.host), config.version);
}

int tlx_connection_new(tlx_config *config, const struct tlx_transport *transport, tlx_connection **made) {
    return static_cast<int>(tlx_guarded("making a connection", [&] {
        const auto peer = std::make_shared<Peer>(*transport);
        *made = new tlx_connection{*config, peer, make_channel(*config, peer)};
        return TLX_OK;
    }));
}

// Hands the library one piece of what arrived: TLX_OK, TLX_AGAIN, TLX_TRUNCATED or TLX_FAILED.
static int take_in(tlx_connection &connection) {
    std::uint8_t arrived[ARRIVING];
    const long length = connection.peer->receive(arrived);
    if (length == 0) {
        tlx_fail("reading", "the transport ended without a close_notify");
        return TLX_TRUNCATED;
    }
    if (length < 0)
        return length == TLX_AGAIN ? TLX_AGAIN : tlx_fail("reading", "the transport failed");
    connection.channel->received_data({arrived, static_cast<std::size_t>(length)});
    if (!connection.peer->alert.empty() && connection.channel->is_closed())
        return tlx_fail("the peer's alert", connection.peer->alert);
    return TLX_OK;
}

int tlx_connection_handshake(tlx_connection *connection) {
    return static_cast<int>(tlx_guarded("the handshake", [&]() -> int {
        for (;;) {
            const int flushed = connection->peer->flush();
            if (flushed != TLX_OK)
                return flushed;
            // A server of TLS 1.3 is "active" before it has seen the client's Finished.
            if (connection->channel->is_handshake_complete())
                return TLX_OK;
            if (connection->channel->is_closed())
                return tlx_fail("the handshake", "the connection is closed");
            const int taken = take_in(*connection);
            if (taken != TLX_OK)
                return taken;
        }
    }));
}

long tlx_connection_read(tlx_connection *connection, unsigned char *buffer, size_t room) {
    Peer &peer = *connection->peer;
    const long result = tlx_guarded("reading", [&]() -> long {
        if (const std::size_t kept = peer.read_into({buffer, room}))
            return static_cast<long>(kept);
        while (peer.free_room() == room) {
            if (peer.closed)
                return 0;
            const int taken = take_in(*connection);
            if (taken != TLX_OK)
                return taken;
        }
        return static_cast<long>(room - peer.free_room());
    });
    peer.stop_reading();
    return result;
}

long tlx_connection_write(tlx_connection *connection, const unsigned char *data, size_t length) {
    return tlx_guarded("writing", [&]() -> long {
        const int flushed = connection->peer->flush();
        if (flushed != TLX_OK)
            return flushed;
        std::size_t taken = 0;
        while (taken < length && !connection->peer->has_unsent()) {
            const std::size_t record = std::min(connection->config.record, length - taken);
            connection->channel->send({data + taken, record});
            taken += record;
        }
        return static_cast<long>(taken);
    });
}

int tlx_connection_close(tlx_connection *connection) {
    return static_cast<int>(tlx_guarded("closing", [&]() -> int {
        if (!connection->channel->is_closed_for_writing())
            connection->channel->close();
        return connection->peer->flush();
    }));
}

void tlx_connection_negotiated(const tlx_connection *connection, struct tlx_negotiated *negotiated) {
    const Peer &peer = *connection->peer;
    tlx_guarded("what was negotiated", [&] {
        negotiated->version = peer.version.version_code();
        negotiated->suite = peer.suite;
        negotiated->resumed = peer.resumed;
        negotiated->group = peer.group.wire_code();
        if (peer.resumed)
            return TLX_OK;
        const auto shown = connection->channel->peer_cert_chain();
        if (connection->config.server)
            negotiated->key = connection->config.own_key;
        else if (!shown.empty())
            negotiated->key = tlx_key_name(*shown[0].subject_public_key());
        return TLX_OK;
    });
}

void tlx_connection_free(tlx_connection *connection) { delete connection; }

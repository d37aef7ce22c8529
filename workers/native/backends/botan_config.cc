// Botan: one end of connections, which is a policy, credentials and a session manager, and the capabilities of TLS.
//
// What is left at the library's default on purpose: signature schemes and their order, middlebox compatibility,
// encrypt-then-MAC and extended master secret (both on), the size of the buffers.

#include "botan_backend.h"

extern "C" {
#include "../common/key.h"
}

#include <botan/data_src.h>
#include <botan/dl_group.h>
#include <botan/pkcs8.h>
#include <botan/tls_ciphersuite.h>
#include <botan/tls_session.h>
#include <botan/tls_session_manager_memory.h>
#include <botan/tls_session_manager_noop.h>
#include <botan/tls_session_manager_stateless.h>
#include <botan/tls_signature_scheme.h>

#include <optional>

namespace {

using namespace Botan::TLS;

// The most sessions that either side keeps: one for each connection of a large load.
constexpr std::size_t SESSIONS = 10000;

// What the library calls the types; it has no TLS signatures of the others.
const char *const key_types[] = {"RSA", "ECDSA", "Ed25519"};
static_assert(TLX_RSA == 0 && TLX_ECDSA == 1 && TLX_ED25519 == 2);

std::optional<Signature_Scheme> scheme_of(const tlx_key &key) {
    switch (key.type) {
    case TLX_RSA:
        return Signature_Scheme::RSA_PSS_SHA256;
    case TLX_ECDSA:
        return key.bits == 256 ? Signature_Scheme::ECDSA_SECP256R1_TLS13_SHA256
                               : Signature_Scheme::ECDSA_SECP384R1_TLS13_SHA384;
    case TLX_ED25519:
        return Signature_Scheme::EDDSA_25519;
    default:
        return std::nullopt;
    }
}

// Where the suite has no group, none can be negotiated, whichever are listed.
std::vector<Group_Params> groups_of(const tlx_endpoint &endpoint) {
    if (endpoint.group == 0)
        return Policy().key_exchange_groups();
    std::vector<Group_Params> groups = {static_cast<std::uint16_t>(endpoint.group)};
    const int curve = tlx_certificate_curve(&endpoint);
    if (!endpoint.server && curve != 0)
        groups.push_back(static_cast<std::uint16_t>(curve));
    return groups;
}

// One version, one suite, one group.
class One final : public Policy {
public:
    One(const tlx_endpoint &endpoint, const Ciphersuite &suite)
        : tls13(endpoint.version == 0x0304), tickets(endpoint.resumption != TLX_FULL),
          asks(endpoint.server && endpoint.root.length > 0), suite(suite),
          groups(groups_of(endpoint)) {}

    bool allow_tls12() const override { return !tls13; }
    bool allow_tls13() const override { return tls13; }
    bool allow_dtls12() const override { return false; }

    std::vector<std::string> allowed_ciphers() const override { return {suite.cipher_algo()}; }
    std::vector<std::string> allowed_macs() const override { return {suite.mac_algo()}; }
    std::vector<std::string> allowed_key_exchange_methods() const override { return {suite.kex_algo()}; }
    // RSA key transport is a suite without signatures.
    std::vector<std::string> allowed_signature_methods() const override { return {"ECDSA", "RSA", "IMPLICIT"}; }
    bool acceptable_ciphersuite(const Ciphersuite &other) const override {
        return other.ciphersuite_code() == suite.ciphersuite_code();
    }

    std::vector<Group_Params> key_exchange_groups() const override { return groups; }
    Group_Params default_dh_group() const override {
        return groups[0].is_dh_named_group() ? groups[0] : Policy::default_dh_group();
    }

    // The roots of the test certificates publish no revocations.
    bool require_cert_revocation_info() const override { return false; }
    bool require_client_certificate_authentication() const override { return asks; }

    std::size_t new_session_tickets_upon_handshake_success() const override { return tickets ? 1 : 0; }
    // A ticket of TLS 1.2 serves again and again, since the server does not renew it in a resumption.
    bool reuse_session_tickets() const override { return !tls13; }

private:
    const bool tls13, tickets, asks;
    const Ciphersuite suite;
    const std::vector<Group_Params> groups;
};

class Credentials final : public Botan::Credentials_Manager {
public:
    explicit Credentials(const tlx_endpoint &endpoint) : ticket_key(tlx_rng().random_vec(32)) {
        if (endpoint.root.length > 0) {
            Botan::DataSource_Memory source(tlx_view(endpoint.root));
            roots.add_certificate(Botan::X509_Certificate(source));
            stores.push_back(&roots);
        }
        if (endpoint.chain.length == 0)
            return;
        read_chain(endpoint);
        Botan::DataSource_Memory source(tlx_view(endpoint.private_key));
        key = Botan::PKCS8::load_key(source);
    }

    const Botan::Private_Key *own_key() const { return key.get(); }

    std::vector<Botan::Certificate_Store *> trusted_certificate_authorities(const std::string &,
                                                                            const std::string &) override {
        return stores;
    }

    std::vector<Botan::X509_Certificate> find_cert_chain(const std::vector<std::string> &kinds,
                                                         const std::vector<Botan::AlgorithmIdentifier> &,
                                                         const std::vector<Botan::X509_DN> &, const std::string &,
                                                         const std::string &) override {
        for (const auto &kind : kinds)
            if (key != nullptr && key->algo_name() == kind)
                return chain;
        return {};
    }

    std::shared_ptr<Botan::Private_Key> private_key_for(const Botan::X509_Certificate &, const std::string &,
                                                        const std::string &) override {
        return key;
    }

    SecureBytes session_ticket_key() override { return ticket_key; }

private:
    void read_chain(const tlx_endpoint &endpoint) {
        const std::string_view text(reinterpret_cast<const char *>(endpoint.chain.data), endpoint.chain.length);
        const std::string_view begin = "-----BEGIN CERTIFICATE-----";
        for (auto at = text.find(begin); at != text.npos; at = text.find(begin, at + begin.size())) {
            Botan::DataSource_Memory source(tlx_view(endpoint.chain).subspan(at));
            chain.emplace_back(source);
        }
    }

    Botan::Certificate_Store_In_Memory roots;
    std::vector<Botan::Certificate_Store *> stores;
    std::vector<Botan::X509_Certificate> chain;
    std::shared_ptr<Botan::Private_Key> key;
    const SecureBytes ticket_key;
};

// A client's sessions for one server. The library's own store looks through all sessions and copies those of the
// server for each connection, which takes the longer the more connections there are. The newest is the last here. A
// ticket of TLS 1.3 is used once: the library removes what it has found.
class Sessions final : public Session_Manager {
public:
    explicit Sessions(bool single_use) : Session_Manager(tlx_shared_rng()), single_use(single_use) {}

    void store(const Session &session, const Session_Handle &handle) override {
        const std::lock_guard lock(mutex());
        if (!single_use)
            kept.clear();
        if (kept.size() < SESSIONS)
            kept.push_back({session, handle});
    }

    std::size_t remove(const Session_Handle &handle) override {
        const std::lock_guard lock(mutex());
        for (auto session = kept.rbegin(); session != kept.rend(); ++session)
            if (session->handle.ticket() == handle.ticket() && session->handle.id() == handle.id()) {
                kept.erase(std::next(session).base());
                return 1;
            }
        return 0;
    }

    std::size_t remove_all() override {
        const std::lock_guard lock(mutex());
        const std::size_t removed = kept.size();
        kept.clear();
        return removed;
    }

protected:
    std::optional<Session> retrieve_one(const Session_Handle &) override { return std::nullopt; }

    std::vector<Session_with_Handle> find_some(const Server_Information &, std::size_t) override {
        const std::lock_guard lock(mutex());
        if (kept.empty())
            return {};
        return {kept.back()};
    }

private:
    const bool single_use;
    std::vector<Session_with_Handle> kept;
};

std::shared_ptr<Session_Manager> session_manager(const tlx_endpoint &endpoint,
                                                 const std::shared_ptr<Botan::Credentials_Manager> &credentials) {
    if (endpoint.resumption == TLX_FULL)
        return std::make_shared<Session_Manager_Noop>();
    if (!endpoint.server)
        return std::make_shared<Sessions>(endpoint.version == 0x0304);
    if (endpoint.resumption == TLX_SESSION_ID)
        return std::make_shared<Session_Manager_In_Memory>(tlx_shared_rng(), SESSIONS);
    return std::make_shared<Session_Manager_Stateless>(credentials, tlx_shared_rng());
}

Protocol_Version protocol_version(int code) { return Protocol_Version(static_cast<std::uint16_t>(code)); }

// Refuses what the library does not have; it would find out in the handshake.
Ciphersuite checked_suite(const tlx_endpoint &endpoint) {
    const auto suite = Ciphersuite::by_id(static_cast<std::uint16_t>(endpoint.suite));
    if (!tlx_has_version(endpoint.version))
        throw tlx_missing("such protocol version");
    if (!suite || !suite->valid() || !suite->usable_in_version(protocol_version(endpoint.version)))
        throw tlx_missing("such cipher suite");
    if (endpoint.group != 0 && !tlx_has_group(endpoint.group))
        throw tlx_missing("such group");
    if (!tlx_has_key(endpoint.key))
        throw tlx_missing("signatures of " + std::string(endpoint.key) + " in TLS");
    if (!tlx_has_resumption(endpoint.resumption))
        throw tlx_missing("resumption of the kind early-data");
    if (endpoint.compression != TLX_NO_COMPRESSION)
        throw tlx_missing("TLS compression");
    return *suite;
}

} // namespace

int tlx_config_new(const struct tlx_endpoint *endpoint, tlx_config **made) {
    return static_cast<int>(tlx_guarded("configuring", [&] {
        auto config = std::make_unique<tlx_config>();
        config->policy = std::make_shared<One>(*endpoint, checked_suite(*endpoint));
        auto credentials = std::make_shared<Credentials>(*endpoint);
        config->server = endpoint->server != 0;
        config->version = protocol_version(endpoint->version);
        config->record = endpoint->record;
        config->host = endpoint->host != nullptr ? endpoint->host : "";
        config->own_key = credentials->own_key() != nullptr ? tlx_key_name(*credentials->own_key()) : nullptr;
        config->credentials = credentials;
        config->sessions = session_manager(*endpoint, credentials);
        *made = config.release();
        return TLX_OK;
    }));
}

void tlx_config_free(tlx_config *config) { delete config; }

enum tlx_compressing tlx_compresses(void) { return TLX_NEVER; }

// ---- names and capabilities ------------------------------------------------------------------------------------

const char *tlx_key_name(const Botan::Public_Key &key) {
    for (int type = 0; type < TLX_ML_DSA_44; type++)
        if (key.algo_name() == key_types[type])
            return tlx_key_called(static_cast<tlx_key_type>(type), static_cast<int>(key.key_length()));
    return nullptr;
}

int tlx_has_version(int version) {
    const auto known = protocol_version(version);
    return tlx_guarded("versions", [&] { return Policy().acceptable_protocol_version(known); }) == 1;
}

int tlx_has_suite(int suite) {
    const auto known = Ciphersuite::by_id(static_cast<std::uint16_t>(suite));
    return known && known->valid();
}

// A group without a name in the library is one that an application would have to compute itself.
int tlx_has_group(int group) {
    const Group_Params known(static_cast<std::uint16_t>(group));
    return tlx_guarded("groups", [&] { return known.to_string().has_value() && known.is_available(); }) == 1;
}

int tlx_has_key(const char *name) {
    const tlx_key *key = tlx_key_find(name);
    const auto scheme = key != nullptr ? scheme_of(*key) : std::nullopt;
    return scheme && scheme->is_available();
}

int tlx_has_resumption(enum tlx_resumption resumption) { return resumption != TLX_EARLY_DATA; }

// What the files of the Botan backend share: the base of every operation, configurations, error texts, and the guard that
// keeps exceptions on this side of the C interface.
#ifndef BOTAN_BACKEND_H
#define BOTAN_BACKEND_H

extern "C" {
#include "../common/error.h"
}

#include <botan/certstor.h>
#include <botan/credentials_manager.h>
#include <botan/exceptn.h>
#include <botan/pk_keys.h>
#include <botan/rng.h>
#include <botan/secmem.h>
#include <botan/tls_algos.h>
#include <botan/tls_policy.h>
#include <botan/tls_session_manager.h>
#include <botan/tls_version.h>
#include <botan/x509cert.h>

#include <cstdint>
#include <exception>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

using Bytes = std::vector<std::uint8_t>;
using SecureBytes = Botan::secure_vector<std::uint8_t>;
using View = std::span<const std::uint8_t>;

inline View tlx_view(const tlx_bytes &bytes) { return {bytes.data, bytes.length}; }

inline Bytes tlx_copy(const tlx_bytes &bytes) { return {bytes.data, bytes.data + bytes.length}; }

// The row of a table that has the algorithm; null if none has it.
template <typename Row, std::size_t count> const Row *tlx_find(const Row (&table)[count], std::string_view algorithm) {
    for (const auto &row : table)
        if (row.algorithm == algorithm)
            return &row;
    return nullptr;
}

// What the library does not have; the text says what.
struct tlx_missing : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// Records "what: reason" as this thread's error text; TLX_FAILED.
int tlx_fail(std::string_view what, std::string_view reason);

// What `act` returns, or what its exception means.
template <typename Act> long tlx_guarded(std::string_view what, Act &&act) noexcept {
    try {
        return act();
    } catch (const tlx_missing &missing) {
        return tlx_unsupported(missing.what());
    } catch (const Botan::Lookup_Error &missing) {
        return tlx_unsupported(missing.what());
    } catch (const std::exception &error) {
        return tlx_fail(what, error.what());
    } catch (...) {
        return tlx_fail(what, "an exception of a strange kind");
    }
}

// The random numbers of this thread. One generator for all would be safe too, behind its lock.
std::shared_ptr<Botan::RandomNumberGenerator> tlx_shared_rng();
inline Botan::RandomNumberGenerator &tlx_rng() { return *tlx_shared_rng(); }

// Each kind of operation derives from this. The functions throw when something goes wrong.
struct tlx_operation {
    tlx_operation() = default;
    tlx_operation(const tlx_operation &) = delete;
    tlx_operation &operator=(const tlx_operation &) = delete;
    virtual ~tlx_operation() = default;

    // Does it once.
    virtual void once() = 0;
    // Goes back to the first nonce.
    virtual void first() {}
    // Puts a random output through its inverse; false where the output is fixed and is the answer itself.
    virtual bool check() { return false; }
    // The output of the last time.
    virtual View output() const = 0;
};

using Operation = std::unique_ptr<tlx_operation>;

// The constructors of the kinds: null if the algorithm is of another kind.
using Maker = Operation(std::string_view algorithm, std::string_view operation, const tlx_inputs &);
Maker tlx_cipher_new, tlx_hash_new, tlx_signature_new, tlx_exchange_new, tlx_certificate_new;

// Whether the library has the algorithm; false too if it is of another kind.
using Asked = bool(std::string_view algorithm);
Asked tlx_cipher_has, tlx_hash_has, tlx_signature_has, tlx_exchange_has, tlx_certificate_has;

struct tlx_config {
    bool server = false;
    Botan::TLS::Protocol_Version version;
    std::size_t record = 0;
    std::string host;
    std::shared_ptr<Botan::TLS::Policy> policy;
    std::shared_ptr<Botan::Credentials_Manager> credentials;
    std::shared_ptr<Botan::TLS::Session_Manager> sessions;
    const char *own_key = nullptr;
};

// The name of the kind of key in the tlstax vocabulary; null if it is in none.
const char *tlx_key_name(const Botan::Public_Key &key);

#endif

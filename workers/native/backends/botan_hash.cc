// Botan: message digests, HMAC and HKDF.
//
// A digest starts anew on one object, as the transcript hash does; a MAC keeps its key; HKDF makes its objects for
// every secret.

#include "botan_backend.h"

#include <botan/hash.h>
#include <botan/kdf.h>
#include <botan/mac.h>

namespace {

enum class Kind { digest, mac, kdf };

const struct Hash {
    std::string_view algorithm;
    Kind kind;
    const char *name;
    std::size_t length;
} hashes[] = {
    {"md5", Kind::digest, "MD5", 16},
    {"sha1", Kind::digest, "SHA-1", 20},
    {"sha256", Kind::digest, "SHA-256", 32},
    {"sha384", Kind::digest, "SHA-384", 48},
    {"sha512", Kind::digest, "SHA-512", 64},
    {"hmac-sha1", Kind::mac, "HMAC(SHA-1)", 20},
    {"hmac-sha256", Kind::mac, "HMAC(SHA-256)", 32},
    {"hmac-sha384", Kind::mac, "HMAC(SHA-384)", 48},
    {"hkdf-sha256", Kind::kdf, "HKDF(SHA-256)", 32},
    {"hkdf-sha384", Kind::kdf, "HKDF(SHA-384)", 48},
};

constexpr std::size_t HKDF_KEY = 32;

Bytes front(const tlx_bytes &bytes, std::size_t length) { return {bytes.data, bytes.data + length}; }

// A digest or, with its key set, a MAC: the library has one interface for both.
template <typename Computation> class Digest final : public tlx_operation {
public:
    Digest(std::unique_ptr<Computation> computation, const tlx_inputs &inputs)
        : computation(std::move(computation)), message(tlx_copy(inputs.message)),
          result(this->computation->output_length()) {}

    void once() override {
        computation->update(message);
        computation->final(std::span(result));
    }

    View output() const override { return result; }

private:
    std::unique_ptr<Computation> computation;
    Bytes message, result;
};

class Derivation final : public tlx_operation {
public:
    Derivation(const Hash &hash, const tlx_inputs &inputs)
        : name(hash.name), secret(front(inputs.key, HKDF_KEY)), salt(front(inputs.mac_key, hash.length)),
          result(hash.length) {}

    void once() override { Botan::KDF::create_or_throw(name)->derive_key(result, secret, salt, View{}); }

    View output() const override { return result; }

private:
    std::string name;
    Bytes secret, salt;
    SecureBytes result;
};

} // namespace

bool tlx_hash_has(std::string_view algorithm) {
    const Hash *hash = tlx_find(hashes, algorithm);
    if (hash == nullptr)
        return false;
    switch (hash->kind) {
    case Kind::digest:
        return Botan::HashFunction::create(hash->name) != nullptr;
    case Kind::mac:
        return Botan::MessageAuthenticationCode::create(hash->name) != nullptr;
    case Kind::kdf:
        return Botan::KDF::create(hash->name) != nullptr;
    }
    return false;
}

Operation tlx_hash_new(std::string_view algorithm, std::string_view, const tlx_inputs &inputs) {
    const Hash *hash = tlx_find(hashes, algorithm);
    if (hash == nullptr)
        return nullptr;
    if (hash->kind == Kind::kdf)
        return std::make_unique<Derivation>(*hash, inputs);
    if (hash->kind == Kind::digest)
        return std::make_unique<Digest<Botan::HashFunction>>(Botan::HashFunction::create_or_throw(hash->name), inputs);
    auto mac = Botan::MessageAuthenticationCode::create_or_throw(hash->name);
    mac->set_key(inputs.mac_key.data, hash->length);
    return std::make_unique<Digest<Botan::MessageAuthenticationCode>>(std::move(mac), inputs);
}

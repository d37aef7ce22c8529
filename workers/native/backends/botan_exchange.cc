// Botan: Diffie-Hellman and key encapsulation.
//
// The calls are those that the TLS stack itself makes for a key share, which an application may override and which are
// therefore public. Only our own key is kept.

#include "botan_backend.h"

#include <botan/dl_group.h>
#include <botan/ecdh.h>
#include <botan/ml_kem.h>
#include <botan/pkcs8.h>
#include <botan/pubkey.h>
#include <botan/tls_alert.h>
#include <botan/tls_callbacks.h>

#include <optional>

namespace {

using Botan::TLS::Group_Params;

const struct Exchange {
    std::string_view algorithm;
    Group_Params group;
} exchanges[] = {
    {"ecdh-p256", Group_Params::SECP256R1},
    {"ecdh-p384", Group_Params::SECP384R1},
    {"x25519", Group_Params::X25519},
    {"ml-kem-768", Group_Params::ML_KEM_768},
};

// The TLS stack's calls for key shares, as they are when an application overrides none.
class Calls final : public Botan::TLS::Callbacks {
    void tls_emit_data(View) override {}
    void tls_record_received(std::uint64_t, View) override {}
    void tls_alert(Botan::TLS::Alert) override {}
};

class Base : public tlx_operation {
public:
    explicit Base(Group_Params group) : group(group) {}

    View output() const override { return result; }

protected:
    void must(bool agrees) const {
        if (!agrees)
            throw Botan::Invalid_Argument("two parties come to two secrets");
    }

    const Group_Params group;
    const Botan::TLS::Policy policy;
    Calls calls;
    SecureBytes result;
};

class Keygen final : public Base {
public:
    using Base::Base;

    void once() override {
        if (group.is_kem())
            key = calls.tls_kem_generate_key(group, tlx_rng());
        else
            key = calls.tls_generate_ephemeral_key(group, tlx_rng());
    }

    // Two parties must come to one secret with the fresh key: the other one encapsulates to it, which for a
    // Diffie-Hellman is to make a key and agree.
    bool check() override {
        const auto share = calls.tls_kem_encapsulate(group, key->raw_public_key_bits(), tlx_rng(), policy);
        must(calls.tls_kem_decapsulate(group, *key, share.encapsulated_shared_key(), tlx_rng(), policy)
             == share.shared_key());
        return true;
    }

private:
    std::unique_ptr<Botan::Private_Key> key;
};

class Derivation final : public Base {
public:
    Derivation(Group_Params group, const tlx_inputs &inputs)
        : Base(group), peer(tlx_copy(inputs.peer)),
          key(Botan::PKCS8::load_key(tlx_view(inputs.private_key))) {
        // PKCS #8 does not distinguish ECDH from ECDSA.
        if (group.is_ecdh_named_curve())
            key = std::make_unique<Botan::ECDH_PrivateKey>(key->algorithm_identifier(), key->private_key_bits());
        agreeing = &dynamic_cast<const Botan::PK_Key_Agreement_Key &>(*key);
    }

    void once() override { result = calls.tls_ephemeral_key_agreement(group, *agreeing, peer, tlx_rng(), policy); }

private:
    const Bytes peer;
    std::unique_ptr<Botan::Private_Key> key;
    const Botan::PK_Key_Agreement_Key *agreeing;
};

class Encapsulation final : public Base {
public:
    Encapsulation(Group_Params group, const tlx_inputs &inputs)
        : Base(group), peer(tlx_copy(inputs.peer)),
          key(tlx_view(inputs.private_key), Botan::KyberMode::ML_KEM_768) {}

    void once() override { share.emplace(calls.tls_kem_encapsulate(group, peer, tlx_rng(), policy)); }

    bool check() override {
        must(calls.tls_kem_decapsulate(group, key, share->encapsulated_shared_key(), tlx_rng(), policy)
             == share->shared_key());
        return true;
    }

private:
    const Bytes peer;
    const Botan::ML_KEM_PrivateKey key;
    std::optional<Botan::KEM_Encapsulation> share;
};

class Decapsulation final : public Base {
public:
    Decapsulation(Group_Params group, const tlx_inputs &inputs)
        : Base(group), ciphertext(tlx_copy(inputs.peer)),
          key(tlx_view(inputs.private_key), Botan::KyberMode::ML_KEM_768) {}

    void once() override { result = calls.tls_kem_decapsulate(group, key, ciphertext, tlx_rng(), policy); }

private:
    const Bytes ciphertext;
    const Botan::ML_KEM_PrivateKey key;
};

} // namespace

bool tlx_exchange_has(std::string_view algorithm) {
    const Exchange *exchange = tlx_find(exchanges, algorithm);
    return exchange != nullptr && exchange->group.is_available();
}

Operation tlx_exchange_new(std::string_view algorithm, std::string_view operation, const tlx_inputs &inputs) {
    const Exchange *exchange = tlx_find(exchanges, algorithm);
    if (exchange == nullptr)
        return nullptr;
    if (operation == "keygen")
        return std::make_unique<Keygen>(exchange->group);
    if (operation == "encapsulate")
        return std::make_unique<Encapsulation>(exchange->group, inputs);
    if (operation == "decapsulate")
        return std::make_unique<Decapsulation>(exchange->group, inputs);
    return std::make_unique<Derivation>(exchange->group, inputs);
}

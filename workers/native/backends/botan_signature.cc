// Botan: signatures.
//
// As the TLS stack does it, every operation makes and drops its signer or verifier; only the key is kept. RSA signs as
// TLS 1.3 does: PSS, SHA-256, a salt as long as the digest. ECDSA takes its nonce from key and message (RFC 6979),
// which is the library's own choice.

#include "botan_backend.h"

#include <botan/data_src.h>
#include <botan/ec_group.h>
#include <botan/ecdsa.h>
#include <botan/ed25519.h>
#include <botan/ml_dsa.h>
#include <botan/pkcs8.h>
#include <botan/pubkey.h>
#include <botan/rsa.h>
#include <botan/slh_dsa.h>
#include <botan/tls_signature_scheme.h>

namespace {

using Botan::TLS::Signature_Scheme;

enum class Kind { rsa, ecdsa, eddsa, ml_dsa, slh_dsa };

const struct Scheme {
    std::string_view algorithm;
    Kind kind;
    const char *name; // of the parameters
    const char *padding;
} schemes[] = {
    {"rsa-2048", Kind::rsa, "", "PSS(SHA-256,MGF1,32)"},
    {"rsa-3072", Kind::rsa, "", "PSS(SHA-256,MGF1,32)"},
    {"rsa-4096", Kind::rsa, "", "PSS(SHA-256,MGF1,32)"},
    {"ecdsa-p256", Kind::ecdsa, "secp256r1", "SHA-256"},
    {"ecdsa-p384", Kind::ecdsa, "secp384r1", "SHA-384"},
    {"ed25519", Kind::eddsa, "", "Pure"},
    {"ml-dsa-44", Kind::ml_dsa, "ML-DSA-4x4", ""},
    {"ml-dsa-65", Kind::ml_dsa, "ML-DSA-6x5", ""},
    {"ml-dsa-87", Kind::ml_dsa, "ML-DSA-8x7", ""},
    {"slh-dsa-sha2-128f", Kind::slh_dsa, "SLH-DSA-SHA2-128f", ""},
};

constexpr std::size_t ML_DSA_SEED = 32;

Botan::Signature_Format format(const Scheme &scheme) {
    return scheme.kind == Kind::ecdsa ? Botan::Signature_Format::DerSequence : Botan::Signature_Format::Standard;
}

// The library takes a private key of ML-DSA as its seed alone, not in the bytes of FIPS 204; then a key of its own
// signs as well, because the answer is not compared with another's.
std::unique_ptr<Botan::Private_Key> private_key(const Scheme &scheme, const tlx_inputs &inputs) {
    const View raw = tlx_view(inputs.private_key);
    if (scheme.kind == Kind::ml_dsa) {
        const Botan::DilithiumMode mode(scheme.name);
        if (raw.size() == ML_DSA_SEED)
            return std::make_unique<Botan::ML_DSA_PrivateKey>(raw, mode);
        return std::make_unique<Botan::ML_DSA_PrivateKey>(tlx_rng(), mode);
    }
    if (scheme.kind == Kind::slh_dsa) {
        const auto parameters = Botan::Sphincs_Parameters::create(scheme.name);
        if (raw.empty())
            return std::make_unique<Botan::SLH_DSA_PrivateKey>(tlx_rng(), parameters);
        return std::make_unique<Botan::SLH_DSA_PrivateKey>(raw, parameters);
    }
    Botan::DataSource_Memory source(tlx_view(inputs.signing_key));
    return Botan::PKCS8::load_key(source);
}

// The key that belongs to the signature of another implementation.
std::unique_ptr<Botan::Public_Key> public_key(const Scheme &scheme, const tlx_inputs &inputs) {
    if (scheme.kind == Kind::ml_dsa)
        return std::make_unique<Botan::ML_DSA_PublicKey>(tlx_view(inputs.peer), Botan::DilithiumMode(scheme.name));
    if (scheme.kind == Kind::slh_dsa)
        return std::make_unique<Botan::SLH_DSA_PublicKey>(tlx_view(inputs.peer),
                                                          Botan::Sphincs_Parameters::create(scheme.name));
    return private_key(scheme, inputs)->public_key();
}

class Signing final : public tlx_operation {
public:
    Signing(const Scheme &scheme, const tlx_inputs &inputs)
        : scheme(scheme), key(private_key(scheme, inputs)), message(tlx_copy(inputs.message)) {}

    void once() override {
        Botan::PK_Signer signer(*key, tlx_rng(), scheme.padding, format(scheme));
        signature = signer.sign_message(message, tlx_rng());
    }

    // Signatures of RFC 8032 are not random.
    bool check() override {
        if (scheme.kind == Kind::eddsa)
            return false;
        Botan::PK_Verifier verifier(*key->public_key(), scheme.padding, format(scheme));
        if (!verifier.verify_message(message, signature))
            throw Botan::Invalid_Argument("the signature does not verify");
        return true;
    }

    View output() const override { return signature; }
    std::unique_ptr<Botan::Public_Key> public_key() const { return key->public_key(); }

private:
    const Scheme &scheme;
    const std::unique_ptr<Botan::Private_Key> key;
    const Bytes message;
    Bytes signature;
};

class Verification final : public tlx_operation {
public:
    Verification(const Scheme &scheme, const tlx_inputs &inputs)
        : scheme(scheme), message(tlx_copy(inputs.message)), signature(tlx_copy(inputs.signature)) {
        if (!signature.empty()) {
            key = public_key(scheme, inputs);
            return;
        }
        Signing signer(scheme, inputs);
        signer.once();
        signature.assign(signer.output().begin(), signer.output().end());
        key = signer.public_key();
    }

    void once() override {
        if (!verifies())
            throw Botan::Invalid_Argument("the signature does not verify");
    }

    // A verification that succeeds proves little if it never fails: a changed message must be refused.
    bool check() override {
        message[0] ^= 1;
        const bool verified = verifies();
        message[0] ^= 1;
        if (verified)
            throw Botan::Invalid_Argument("the signature of another message verifies");
        return true;
    }

    View output() const override { return signature; }

private:
    bool verifies() const {
        Botan::PK_Verifier verifier(*key, scheme.padding, format(scheme));
        return verifier.verify_message(message, signature);
    }

    const Scheme &scheme;
    Bytes message, signature;
    std::unique_ptr<Botan::Public_Key> key;
};

} // namespace

bool tlx_signature_has(std::string_view algorithm) {
    const Scheme *scheme = tlx_find(schemes, algorithm);
    if (scheme == nullptr)
        return false;
    switch (scheme->kind) {
    case Kind::rsa:
        return Signature_Scheme(Signature_Scheme::RSA_PSS_SHA256).is_available();
    case Kind::ecdsa:
        return Botan::EC_Group::supports_named_group(scheme->name);
    case Kind::eddsa:
        return Botan::Ed25519_PrivateKey(tlx_rng()).supports_operation(Botan::PublicKeyOperation::Signature);
    case Kind::ml_dsa:
        return Botan::DilithiumMode(scheme->name).is_available();
    case Kind::slh_dsa:
        return Botan::Sphincs_Parameters::create(scheme->name).is_available();
    }
    return false;
}

Operation tlx_signature_new(std::string_view algorithm, std::string_view operation, const tlx_inputs &inputs) {
    const Scheme *scheme = tlx_find(schemes, algorithm);
    if (scheme == nullptr)
        return nullptr;
    if (operation == "sign")
        return std::make_unique<Signing>(*scheme, inputs);
    return std::make_unique<Verification>(*scheme, inputs);
}

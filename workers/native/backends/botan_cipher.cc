// Botan: encryption of records, authenticated, with a MAC, or alone.
//
// One object with its key set once, as the TLS stack keeps it per direction. The library works in place on a growing
// buffer, so a record begins with a copy of the message, which the TLS stack makes too; nonce and additional data are
// vectors made for each record, as there. Decryption opens the record number 0 of the same key again and again.

#include "botan_backend.h"

#include <botan/aead.h>
#include <botan/cipher_mode.h>
#include <botan/mac.h>
#include <botan/stream_cipher.h>

namespace {

enum class Kind { aead, cbc, stream, cbc_hmac };

const struct Cipher {
    std::string_view algorithm;
    Kind kind;
    const char *name;
    std::size_t key_length, iv_length;
    const char *mac;
    std::size_t mac_length;
} ciphers[] = {
    {"aes-128-gcm", Kind::aead, "AES-128/GCM", 16, 12, nullptr, 0},
    {"aes-256-gcm", Kind::aead, "AES-256/GCM", 32, 12, nullptr, 0},
    {"aes-128-ccm", Kind::aead, "AES-128/CCM(16,3)", 16, 12, nullptr, 0},
    {"chacha20-poly1305", Kind::aead, "ChaCha20Poly1305", 32, 12, nullptr, 0},
    {"aes-128-cbc", Kind::cbc, "AES-128/CBC/NoPadding", 16, 16, nullptr, 0},
    {"aes-256-cbc", Kind::cbc, "AES-256/CBC/NoPadding", 32, 16, nullptr, 0},
    {"3des-cbc", Kind::cbc, "3DES/CBC/NoPadding", 24, 8, nullptr, 0},
    {"rc4", Kind::stream, "RC4", 16, 0, nullptr, 0},
    {"aes-128-cbc-hmac-sha1", Kind::cbc_hmac, "AES-128/CBC/NoPadding", 16, 16, "HMAC(SHA-1)", 20},
    {"aes-256-cbc-hmac-sha1", Kind::cbc_hmac, "AES-256/CBC/NoPadding", 32, 16, "HMAC(SHA-1)", 20},
    {"aes-128-cbc-hmac-sha256", Kind::cbc_hmac, "AES-128/CBC/NoPadding", 16, 16, "HMAC(SHA-256)", 32},
    {"aes-256-cbc-hmac-sha256", Kind::cbc_hmac, "AES-256/CBC/NoPadding", 32, 16, "HMAC(SHA-256)", 32},
};

constexpr std::size_t BLOCK = 16, LONGEST = 0xffff - 128;

Botan::Cipher_Dir direction(bool encrypt) {
    return encrypt ? Botan::Cipher_Dir::Encryption : Botan::Cipher_Dir::Decryption;
}

// What the kinds have in common: message, IV, and the buffer that the library works in.
class Record : public tlx_operation {
public:
    Record(const Cipher &cipher, const tlx_inputs &inputs)
        : cipher(cipher), iv(inputs.iv.data, inputs.iv.data + cipher.iv_length),
          additional_data(tlx_copy(inputs.additional_data)), message(tlx_copy(inputs.message)) {}

    // Takes what was sealed with the same inputs as the message to open.
    void open(tlx_operation &sealer) {
        sealer.once();
        message.assign(sealer.output().begin(), sealer.output().end());
    }

    View output() const override { return buffer; }

protected:
    const Cipher &cipher;
    const Bytes iv, additional_data;
    Bytes message;
    SecureBytes buffer;
};

class Aead final : public Record {
public:
    Aead(const Cipher &cipher, bool encrypt, const tlx_inputs &inputs)
        : Record(cipher, inputs), encrypt(encrypt),
          aead(Botan::AEAD_Mode::create_or_throw(cipher.name, direction(encrypt))) {
        aead->set_key(inputs.key.data, cipher.key_length);
    }

    void first() override { number = 0; }

    void once() override {
        const Bytes nonce = this->nonce(), additional(additional_data);
        number += encrypt;
        aead->set_associated_data(additional);
        aead->start(nonce);
        buffer.assign(message.begin(), message.end());
        aead->finish(buffer, 0);
    }

private:
    // RFC 8446 5.3: the record number, big-endian, xor-ed into the end of the IV.
    Bytes nonce() const {
        Bytes made(iv);
        for (std::size_t i = 0; i < 8; i++)
            made[made.size() - 1 - i] ^= static_cast<std::uint8_t>(number >> (8 * i));
        return made;
    }

    const bool encrypt;
    const std::unique_ptr<Botan::AEAD_Mode> aead;
    std::uint64_t number = 0;
};

class Cbc final : public Record {
public:
    Cbc(const Cipher &cipher, bool encrypt, const tlx_inputs &inputs)
        : Record(cipher, inputs), mode(Botan::Cipher_Mode::create_or_throw(cipher.name, direction(encrypt))) {
        mode->set_key(inputs.key.data, cipher.key_length);
    }

    void once() override {
        buffer.assign(message.begin(), message.end());
        mode->start(iv);
        mode->process(std::span(buffer));
    }

private:
    const std::unique_ptr<Botan::Cipher_Mode> mode;
};

// A stream cipher goes on from record to record.
class Stream final : public Record {
public:
    Stream(const Cipher &cipher, const tlx_inputs &inputs)
        : Record(cipher, inputs), stream(Botan::StreamCipher::create_or_throw(cipher.name)),
          key(inputs.key.data, inputs.key.data + cipher.key_length) {
        first();
        buffer.resize(message.size());
    }

    void first() override { stream->set_key(key); }

    void once() override { stream->cipher(message, buffer); }

private:
    const std::unique_ptr<Botan::StreamCipher> stream;
    const Bytes key;
};

// MAC-then-encrypt, composed: the class of the TLS stack that does it is not part of the library's interface.
class CbcHmac final : public Record {
public:
    CbcHmac(const Cipher &cipher, bool encrypt, const tlx_inputs &inputs)
        : Record(cipher, inputs), encrypt(encrypt), length(message.size()),
          plain(length + cipher.mac_length), padded((plain + BLOCK) / BLOCK * BLOCK),
          mode(Botan::Cipher_Mode::create_or_throw(cipher.name, direction(encrypt))),
          mac(Botan::MessageAuthenticationCode::create_or_throw(cipher.mac)) {
        if (length > LONGEST)
            throw tlx_missing("records longer than their length field can say");
        mode->set_key(inputs.key.data, cipher.key_length);
        mac->set_key(inputs.mac_key.data, cipher.mac_length);
    }

    void once() override {
        buffer.assign(message.begin(), message.end());
        if (encrypt)
            seal();
        else
            unseal();
    }

private:
    // RFC 5246 6.2.3.1: the additional data are the header that is authenticated with the message.
    void authenticate() {
        mac->update(additional_data);
        mac->update(buffer.data(), length);
    }

    void seal() {
        buffer.resize(padded, static_cast<std::uint8_t>(padded - plain - 1));
        authenticate();
        mac->final(std::span(buffer).subspan(length, cipher.mac_length));
        mode->start(iv);
        mode->process(std::span(buffer));
    }

    // Unlike the TLS stack's, this check of the padding takes a time that depends on the data; the record is always
    // valid.
    void unseal() {
        mode->start(iv);
        mode->process(std::span(buffer));
        authenticate();
        if (!mac->verify_mac(buffer.data() + length, cipher.mac_length) || buffer[padded - 1] != padded - plain - 1)
            throw Botan::Invalid_Authentication_Tag("the record is damaged");
        buffer.resize(length);
    }

    const bool encrypt;
    const std::size_t length, plain, padded;
    const std::unique_ptr<Botan::Cipher_Mode> mode;
    const std::unique_ptr<Botan::MessageAuthenticationCode> mac;
};

std::unique_ptr<Record> make(const Cipher &cipher, bool encrypt, const tlx_inputs &inputs) {
    switch (cipher.kind) {
    case Kind::aead:
        return std::make_unique<Aead>(cipher, encrypt, inputs);
    case Kind::cbc:
        return std::make_unique<Cbc>(cipher, encrypt, inputs);
    case Kind::stream:
        return std::make_unique<Stream>(cipher, inputs);
    case Kind::cbc_hmac:
        return std::make_unique<CbcHmac>(cipher, encrypt, inputs);
    }
    return nullptr;
}

} // namespace

bool tlx_cipher_has(std::string_view algorithm) {
    const Cipher *cipher = tlx_find(ciphers, algorithm);
    if (cipher == nullptr)
        return false;
    if (cipher->kind == Kind::stream)
        return Botan::StreamCipher::create(cipher->name) != nullptr;
    return Botan::Cipher_Mode::create(cipher->name, Botan::Cipher_Dir::Encryption) != nullptr
           && (cipher->mac == nullptr || Botan::MessageAuthenticationCode::create(cipher->mac) != nullptr);
}

Operation tlx_cipher_new(std::string_view algorithm, std::string_view operation, const tlx_inputs &inputs) {
    const bool encrypt = operation == "encrypt";
    const Cipher *cipher = tlx_find(ciphers, algorithm);
    if (cipher == nullptr)
        return nullptr;
    auto record = make(*cipher, encrypt, inputs);
    if (!encrypt)
        record->open(*make(*cipher, true, inputs));
    return record;
}

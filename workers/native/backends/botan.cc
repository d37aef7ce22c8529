// Botan: who it is, what it can do, error texts, switches, and what is common to all operations.

#include "botan_backend.h"

#include <botan/aead.h>
#include <botan/auto_rng.h>
#include <botan/block_cipher.h>
#include <botan/hash.h>
#include <botan/stream_cipher.h>
#include <botan/version.h>

#include <cstring>
#include <sstream>

int tlx_start(void) {
    return static_cast<int>(tlx_guarded("starting", []() -> int {
        tlx_rng();
        return TLX_OK;
    }));
}

const char *tlx_family(void) { return "botan"; }

const char *tlx_version(void) {
    static const std::string text = "Botan " + Botan::short_version_string();
    return text.c_str();
}

const char *tlx_build(void) {
    static const std::string text =
        Botan::version_string()
        + "; its compiler and flags it does not say; set by the worker: one random number generator for each thread, "
          "no revocation information required, the client's sessions kept in a stack";
    return text.c_str();
}

int tlx_fail(std::string_view what, std::string_view reason) {
    return tlx_report(TLX_FAILED, "%s: %s", std::string(what).c_str(), std::string(reason).c_str());
}

std::shared_ptr<Botan::RandomNumberGenerator> tlx_shared_rng() {
    static thread_local const auto rng = std::make_shared<Botan::AutoSeeded_RNG>();
    return rng;
}

int tlx_expand(const char *, const char *, char *, size_t) {
    return tlx_unsupported("cipher strings: a policy chooses suites by their properties");
}

// ---- switches --------------------------------------------------------------------------------------------------

// What a feature is called in BOTAN_CLEAR_CPUID, with all that cannot exist without it. The library itself takes the
// vector instructions of AVX-512 off together with AVX-512.
static const struct {
    std::string_view feature, bits;
} switches[] = {
    {"aes", "aesni,avx2_aes,avx512_aes"},
    {"clmul", "clmul,avx2_clmul,avx512_clmul"},
    {"vaes", "avx2_aes,avx512_aes,avx2_clmul,avx512_clmul"},
    {"avx2", "avx2,avx512,avx2_aes,avx512_aes,avx2_clmul,avx512_clmul"},
    {"avx512", "avx512"},
    {"sha", "intel_sha"},
};

int tlx_without(const char *features, char *settings, size_t room) {
    return static_cast<int>(tlx_guarded("the switches", [&]() -> int {
        std::istringstream names(features);
        std::string name, bits;
        while (names >> name) {
            bool known = false;
            for (const auto &entry : switches)
                if (entry.feature == name) {
                    bits += (bits.empty() ? "" : ",") + std::string(entry.bits);
                    known = true;
                }
            if (!known)
                return tlx_unsupported(("switch at run time for " + name).c_str());
        }
        std::string line = "BOTAN_CLEAR_CPUID=" + bits + "\n";
        if (line.size() >= room)
            return tlx_fail("the switches", "no room for their settings");
        std::memcpy(settings, line.c_str(), line.size() + 1);
        return TLX_OK;
    }));
}

// The implementations that the library picks on this CPU, as its objects name them: the list of features that it works
// from has no public interface.
struct Picked {
    std::string aes, ghash, chacha, sha256;

    Picked() {
        aes = Botan::BlockCipher::create_or_throw("AES-128")->provider();
        ghash = Botan::AEAD_Mode::create_or_throw("AES-128/GCM", Botan::Cipher_Dir::Encryption)->provider();
        chacha = Botan::StreamCipher::create_or_throw("ChaCha(20)")->provider();
        sha256 = Botan::HashFunction::create_or_throw("SHA-256")->provider();
    }
};

static bool contains(const std::string &text, const char *part) { return text.find(part) != std::string::npos; }

const char *tlx_is_without(void) {
    static std::string text;
    tlx_guarded("the switches", [] {
        const Picked picked;
        text.clear();
        if (!contains(picked.aes, "aes"))
            text += "aes ";
        if (!contains(picked.ghash, "clmul"))
            text += "clmul ";
        if (!contains(picked.aes, "avx") && !contains(picked.ghash, "avx"))
            text += "vaes ";
        if (!contains(picked.chacha, "avx") && !contains(picked.aes, "avx"))
            text += "avx2 ";
        if (!contains(picked.chacha, "avx512"))
            text += "avx512 ";
        if (!contains(picked.sha256, "sha"))
            text += "sha ";
        return TLX_OK;
    });
    return text.c_str();
}

const char *tlx_cpu(void) {
    static std::string text;
    tlx_guarded("the CPU", [] {
        const Picked picked;
        text = "AES " + picked.aes + ", GHASH " + picked.ghash + ", ChaCha20 " + picked.chacha + ", SHA-256 "
               + picked.sha256;
        return TLX_OK;
    });
    return text.c_str();
}

// ---- operations ------------------------------------------------------------------------------------------------

int tlx_has_primitive(const char *algorithm, const char *operation) {
    (void)operation; // Botan has all operations of an algorithm or none
    return tlx_guarded(algorithm, [&] {
        return tlx_cipher_has(algorithm) || tlx_hash_has(algorithm) || tlx_signature_has(algorithm)
               || tlx_exchange_has(algorithm) || tlx_certificate_has(algorithm);
    }) == 1;
}

static Operation make(std::string_view algorithm, std::string_view operation, const tlx_inputs &inputs) {
    for (Maker *kind : {tlx_cipher_new, tlx_hash_new, tlx_signature_new, tlx_exchange_new, tlx_certificate_new})
        if (Operation made = kind(algorithm, operation, inputs))
            return made;
    throw tlx_missing(std::string(algorithm));
}

int tlx_operation_new(const char *algorithm, const char *operation, int speed, const struct tlx_inputs *inputs,
                      tlx_operation **made) {
    *made = nullptr;
    if (speed)
        return tlx_unsupported("call pattern of `openssl speed`");
    return static_cast<int>(tlx_guarded(algorithm, [&] {
        *made = make(algorithm, operation, *inputs).release();
        return TLX_OK;
    }));
}

int tlx_operation_run(tlx_operation *operation, uint64_t n) {
    return static_cast<int>(tlx_guarded("running the operation", [&] {
        while (n-- > 0)
            operation->once();
        return TLX_OK;
    }));
}

int tlx_operation_answer(tlx_operation *operation, struct tlx_bytes *answer) {
    return static_cast<int>(tlx_guarded("running the operation once", [&] {
        operation->first();
        operation->once();
        const bool random = operation->check();
        const View output = operation->output();
        answer->data = output.data();
        answer->length = random ? 0 : output.size();
        return TLX_OK;
    }));
}

void tlx_operation_free(tlx_operation *operation) { delete operation; }

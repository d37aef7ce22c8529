// Botan: a bundle of roots and a certificate, read and dropped.

#include "botan_backend.h"

#include <botan/data_src.h>
#include <botan/pem.h>

#include <algorithm>

namespace {

class Certificate final : public tlx_operation {
public:
    explicit Certificate(const tlx_inputs &inputs) : der(tlx_copy(inputs.message)) {}

    void once() override {
        const Botan::X509_Certificate certificate(der);
        if (serial.empty())
            take_serial(certificate);
    }

    View output() const override { return serial; }

private:
    void take_serial(const Botan::X509_Certificate &certificate) {
        const auto &number = certificate.serial_number();
        serial.assign(std::find_if(number.begin(), number.end(), [](auto byte) { return byte != 0; }), number.end());
    }

    const Bytes der;
    Bytes serial;
};

// The library's own reader of bundles takes a file; this reads as it does, into the store that a client's
// configuration has here.
class Bundle final : public tlx_operation {
public:
    explicit Bundle(const tlx_inputs &inputs) : pem(tlx_copy(inputs.message)) {
        const std::string_view begin = "-----BEGIN CERTIFICATE-----";
        const std::string_view text(reinterpret_cast<const char *>(pem.data()), pem.size());
        for (auto at = text.find(begin); at != text.npos; at = text.find(begin, at + begin.size()))
            wanted++;
    }

    void once() override {
        Botan::Certificate_Store_In_Memory store;
        Botan::DataSource_Memory source(View{pem});
        std::uint32_t count = 0;
        for (; count < wanted; count++)
            store.add_certificate(Botan::X509_Certificate(source));
        for (std::size_t i = 0; i < answer.size(); i++)
            answer[i] = static_cast<std::uint8_t>(count >> (8 * (answer.size() - 1 - i)));
    }

    View output() const override { return answer; }

private:
    const Bytes pem;
    std::uint32_t wanted = 0;
    Bytes answer = Bytes(4);
};

} // namespace

bool tlx_certificate_has(std::string_view algorithm) { return algorithm == "certificate" || algorithm == "ca-bundle"; }

Operation tlx_certificate_new(std::string_view algorithm, std::string_view, const tlx_inputs &inputs) {
    if (algorithm == "certificate")
        return std::make_unique<Certificate>(inputs);
    if (algorithm == "ca-bundle")
        return std::make_unique<Bundle>(inputs);
    return nullptr;
}

#include "algorithm.h"

#include "lookup.h"

#include <string.h>

static const struct tlx_algorithm algorithms[] = {
    {"aes-128-gcm", TLX_AEAD, 16, 12, 16, NULL},
    {"aes-256-gcm", TLX_AEAD, 32, 12, 16, NULL},
    {"aes-128-ccm", TLX_AEAD, 16, 12, 16, NULL},
    {"chacha20-poly1305", TLX_AEAD, 32, 12, 16, NULL},
    {"aes-128-cbc", TLX_CBC, 16, 16, 0, NULL},
    {"aes-256-cbc", TLX_CBC, 32, 16, 0, NULL},
    {"3des-cbc", TLX_CBC, 24, 8, 0, NULL},
    {"rc4", TLX_STREAM, 16, 0, 0, NULL},
    {"aes-128-cbc-hmac-sha1", TLX_CBC_HMAC, 16, 16, 20, "aes-128-cbc"},
    {"aes-256-cbc-hmac-sha1", TLX_CBC_HMAC, 32, 16, 20, "aes-256-cbc"},
    {"aes-128-cbc-hmac-sha256", TLX_CBC_HMAC, 16, 16, 32, "aes-128-cbc"},
    {"aes-256-cbc-hmac-sha256", TLX_CBC_HMAC, 32, 16, 32, "aes-256-cbc"},
    {"md5", TLX_DIGEST, 0, 0, 16, NULL},
    {"sha1", TLX_DIGEST, 0, 0, 20, NULL},
    {"sha256", TLX_DIGEST, 0, 0, 32, NULL},
    {"sha384", TLX_DIGEST, 0, 0, 48, NULL},
    {"sha512", TLX_DIGEST, 0, 0, 64, NULL},
    {"hmac-sha1", TLX_MAC, 0, 0, 20, "sha1"},
    {"hmac-sha256", TLX_MAC, 0, 0, 32, "sha256"},
    {"hmac-sha384", TLX_MAC, 0, 0, 48, "sha384"},
    {"hkdf-sha256", TLX_HKDF, 0, 0, 32, "sha256"},
    {"hkdf-sha384", TLX_HKDF, 0, 0, 48, "sha384"},
};

struct tlx_algorithm tlx_describe(const char *name) {
    for (size_t i = 0; i < COUNT(algorithms); i++)
        if (strcmp(algorithms[i].name, name) == 0)
            return algorithms[i];
    return (struct tlx_algorithm){name, TLX_OTHER, 0, 0, 0, NULL};
}

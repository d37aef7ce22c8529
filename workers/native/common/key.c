#include "key.h"

#include <stdlib.h>
#include <string.h>

static const struct tlx_key keys[] = {
    {"rsa-2048", TLX_RSA, 2048, 0},
    {"rsa-3072", TLX_RSA, 3072, 0},
    {"rsa-4096", TLX_RSA, 4096, 0},
    {"ecdsa-p256", TLX_ECDSA, 256, 0x0017},
    {"ecdsa-p384", TLX_ECDSA, 384, 0x0018},
    {"ed25519", TLX_ED25519, 0, 0},
    {"ml-dsa-44", TLX_ML_DSA_44, 0, 0},
    {"ml-dsa-65", TLX_ML_DSA_65, 0, 0},
    {"ml-dsa-87", TLX_ML_DSA_87, 0, 0},
};

enum { KEYS = sizeof keys / sizeof *keys };

const struct tlx_key *tlx_key_find(const char *name) {
    for (int i = 0; i < KEYS; i++)
        if (strcmp(keys[i].name, name) == 0)
            return &keys[i];
    return NULL;
}

const char *tlx_key_called(enum tlx_key_type type, int bits) {
    for (int i = 0; i < KEYS; i++)
        if (keys[i].type == type && (keys[i].bits == 0 || keys[i].bits == bits))
            return keys[i].name;
    return NULL;
}

unsigned char *tlx_text(struct tlx_bytes pem) {
    unsigned char *text = malloc(pem.length + 1);
    if (text == NULL)
        return NULL;
    if (pem.length > 0)
        memcpy(text, pem.data, pem.length);
    text[pem.length] = 0;
    return text;
}

int tlx_certificate_curve(const struct tlx_endpoint *endpoint) {
    const struct tlx_key *key = tlx_key_find(endpoint->key);
    int wanted = endpoint->version != 0x0304 && endpoint->group != 0 && endpoint->root.length > 0;
    return wanted && key != NULL && key->curve != endpoint->group ? key->curve : 0;
}

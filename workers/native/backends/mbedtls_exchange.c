/* Mbed TLS: Diffie-Hellman, by PSA, as its TLS 1.3 does it for each key share. Its TLS 1.2 does the same sums through
 * the older interface.
 */

#include "mbedtls_backend.h"

#include <mbedtls/pk.h>

static const struct exchange {
    const char *algorithm;
    psa_key_type_t type;
    size_t bits;
} exchanges[] = {
    {"ecdh-p256", PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1), 256},
    {"ecdh-p384", PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1), 384},
    {"x25519", PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_MONTGOMERY), 255},
};

enum { ROOM = 256 };

struct tlx_operation {
    struct tlx_operation_base;
    const struct exchange *row;
    psa_key_id_t own;
};

static psa_key_attributes_t attributes(const struct exchange *exchange) {
    psa_key_attributes_t set = psa_key_attributes_init();
    psa_set_key_usage_flags(&set, PSA_KEY_USAGE_DERIVE);
    psa_set_key_algorithm(&set, PSA_ALG_ECDH);
    psa_set_key_type(&set, exchange->type);
    psa_set_key_bits(&set, exchange->bits);
    return set;
}

static psa_status_t generate(const tlx_operation *op, psa_key_id_t *key) {
    psa_key_attributes_t set = attributes(op->row);
    return psa_generate_key(&set, key);
}

static int has(tlx_operation *op) {
    psa_key_id_t key = 0;
    return generate(op, &key) == PSA_SUCCESS && psa_destroy_key(key) == PSA_SUCCESS;
}

/* mbedtls_ssl_tls13_generate_and_write_xxdh_key_exchange: a key share is the public value. */
static int keygen(tlx_operation *op) {
    return mbed_psa(psa_destroy_key(op->own)
                    ?: generate(op, &op->own)
                    ?: psa_export_public_key(op->own, op->output, ROOM, &op->output_length));
}

/* The peer's value comes as bytes and is checked by the library each time. */
static int derive(tlx_operation *op) {
    return mbed_psa(psa_raw_key_agreement(PSA_ALG_ECDH, op->own, op->peer, op->peer_length, op->output, ROOM,
                                          &op->output_length));
}

/* Two parties must come to one secret with the fresh key. */
static int check_key(tlx_operation *op) {
    unsigned char value[ROOM], ours[ROOM], theirs[ROOM];
    size_t length, our_length = 0, their_length = 0;
    psa_key_id_t other = 0;
    psa_status_t status =
        generate(op, &other)
        ?: psa_export_public_key(other, value, ROOM, &length)
        ?: psa_raw_key_agreement(PSA_ALG_ECDH, op->own, value, length, ours, ROOM, &our_length)
        ?: psa_raw_key_agreement(PSA_ALG_ECDH, other, op->output, op->output_length, theirs, ROOM, &their_length);
    psa_destroy_key(other);
    return status != PSA_SUCCESS ? mbed_psa(status) : tlx_agree(ours, our_length, theirs, their_length);
}

static int prepare(tlx_operation *op, const struct tlx_inputs *inputs) {
    psa_key_attributes_t set = attributes(op->row);
    mbedtls_pk_context key;
    int error;
    op->once = op->action == TLX_KEYGEN ? keygen : derive;
    op->check = op->action == TLX_KEYGEN ? check_key : NULL;
    if (op->action == TLX_KEYGEN)
        return 0;
    mbedtls_pk_init(&key);
    error = mbedtls_pk_parse_key(&key, inputs->private_key.data, inputs->private_key.length, NULL, 0,
                                 mbedtls_psa_get_random, MBEDTLS_PSA_RANDOM_STATE);
    if (error == 0)
        error = mbedtls_pk_import_into_psa(&key, &set, &op->own);
    mbedtls_pk_free(&key);
    return error;
}

static void release(tlx_operation *op) { psa_destroy_key(op->own); }

const struct tlx_kind mbed_exchange = {
    TLX_KIND(exchanges), .room = ROOM, .has = has, .prepare = prepare, .release = release};

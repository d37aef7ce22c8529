/* Mbed TLS: Diffie-Hellman, by PSA, as its TLS 1.3 does it for each key share. Its TLS 1.2 does the same sums through
 * the older interface.
 */

#include "mbedtls_operation.h"

#include <mbedtls/pk.h>
#include <string.h>

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

struct exchange_operation {
    tlx_operation base;
    const struct exchange *exchange;
    psa_key_id_t own;
    unsigned char peer[ROOM];
    size_t peer_length;
};

static int prepare_derive(struct exchange_operation *, const struct tlx_inputs *);
static void release(tlx_operation *);
static psa_status_t generate(const struct exchange *, psa_key_id_t *);

static const struct exchange *find(const char *algorithm) {
    for (size_t i = 0; i < COUNT(exchanges); i++)
        if (strcmp(exchanges[i].algorithm, algorithm) == 0)
            return &exchanges[i];
    return NULL;
}

int mbed_exchange_has(const char *algorithm) {
    const struct exchange *exchange = find(algorithm);
    psa_key_id_t key = 0;
    if (exchange == NULL)
        return -1;
    return generate(exchange, &key) == PSA_SUCCESS && psa_destroy_key(key) == PSA_SUCCESS;
}

static int keygen(tlx_operation *);
static int check_key(tlx_operation *);
static int derive(tlx_operation *);

int mbed_exchange_new(const char *algorithm, int making, const struct tlx_inputs *inputs, tlx_operation **made) {
    struct exchange_operation *op = (struct exchange_operation *)mbed_operation_alloc(sizeof *op, ROOM, inputs);
    int error;
    if (op == NULL)
        return mbed_fail("allocating a key exchange operation", WRONG);
    op->base.release = release;
    op->exchange = find(algorithm);
    op->base.once = making ? keygen : derive;
    op->base.check = making ? check_key : NULL;
    error = making ? 0 : prepare_derive(op, inputs);
    if (error != 0) {
        tlx_operation_free(&op->base);
        return mbed_fail(algorithm, error);
    }
    *made = &op->base;
    return TLX_OK;
}

static void release(tlx_operation *base) { psa_destroy_key(((struct exchange_operation *)base)->own); }

static psa_key_attributes_t attributes(const struct exchange *exchange) {
    psa_key_attributes_t set = psa_key_attributes_init();
    psa_set_key_usage_flags(&set, PSA_KEY_USAGE_DERIVE);
    psa_set_key_algorithm(&set, PSA_ALG_ECDH);
    psa_set_key_type(&set, exchange->type);
    psa_set_key_bits(&set, exchange->bits);
    return set;
}

static int prepare_derive(struct exchange_operation *op, const struct tlx_inputs *inputs) {
    psa_key_attributes_t set = attributes(op->exchange);
    mbedtls_pk_context key;
    int error;
    if (inputs->peer.length > ROOM)
        return WRONG;
    memcpy(op->peer, inputs->peer.data, inputs->peer.length);
    op->peer_length = inputs->peer.length;
    mbedtls_pk_init(&key);
    error = mbedtls_pk_parse_key(&key, inputs->private_key.data, inputs->private_key.length, NULL, 0,
                                 mbedtls_psa_get_random, MBEDTLS_PSA_RANDOM_STATE);
    if (error == 0)
        error = mbedtls_pk_import_into_psa(&key, &set, &op->own);
    mbedtls_pk_free(&key);
    return error;
}

static psa_status_t generate(const struct exchange *exchange, psa_key_id_t *key) {
    psa_key_attributes_t set = attributes(exchange);
    return psa_generate_key(&set, key);
}

/* mbedtls_ssl_tls13_generate_and_write_xxdh_key_exchange: a key share is the public value. */
static int keygen(tlx_operation *base) {
    struct exchange_operation *op = (struct exchange_operation *)base;
    psa_status_t status = psa_destroy_key(op->own);
    if (status == PSA_SUCCESS)
        status = generate(op->exchange, &op->own);
    if (status == PSA_SUCCESS)
        status = psa_export_public_key(op->own, base->output, ROOM, &base->output_length);
    return mbed_psa(status);
}

/* The peer's value comes as bytes and is checked by the library each time. */
static int derive(tlx_operation *base) {
    struct exchange_operation *op = (struct exchange_operation *)base;
    return mbed_psa(psa_raw_key_agreement(PSA_ALG_ECDH, op->own, op->peer, op->peer_length, base->output, ROOM,
                                          &base->output_length));
}

/* Two parties must come to one secret with the fresh key. */
static int check_key(tlx_operation *base) {
    struct exchange_operation *op = (struct exchange_operation *)base;
    unsigned char value[ROOM], ours[ROOM], theirs[ROOM];
    size_t length, our_length = 0, their_length = 0;
    psa_key_id_t other = 0;
    psa_status_t status = generate(op->exchange, &other);
    if (status == PSA_SUCCESS)
        status = psa_export_public_key(other, value, ROOM, &length);
    if (status == PSA_SUCCESS)
        status = psa_raw_key_agreement(PSA_ALG_ECDH, op->own, value, length, ours, ROOM, &our_length);
    if (status == PSA_SUCCESS)
        status = psa_raw_key_agreement(PSA_ALG_ECDH, other, base->output, base->output_length, theirs, ROOM,
                                       &their_length);
    psa_destroy_key(other);
    if (status != PSA_SUCCESS)
        return mbed_psa(status);
    return our_length == their_length && memcmp(ours, theirs, our_length) == 0 ? 0 : WRONG;
}

/* Mbed TLS: message digests, HMAC and HKDF.
 *
 * As in its TLS stack: a digest starts anew on one context, as the transcript hash does; a MAC keeps its key; HKDF
 * goes through PSA, one operation to extract and one to expand.
 */

#include "mbedtls_operation.h"

#include <mbedtls/md.h>
#include <string.h>

enum kind { DIGEST, HMAC, HKDF };

static const struct hash {
    const char *algorithm;
    enum kind kind;
    mbedtls_md_type_t digest;
    psa_algorithm_t psa;
} hashes[] = {
    {"md5", DIGEST, MBEDTLS_MD_MD5, 0},
    {"sha1", DIGEST, MBEDTLS_MD_SHA1, 0},
    {"sha256", DIGEST, MBEDTLS_MD_SHA256, 0},
    {"sha384", DIGEST, MBEDTLS_MD_SHA384, 0},
    {"sha512", DIGEST, MBEDTLS_MD_SHA512, 0},
    {"hmac-sha1", HMAC, MBEDTLS_MD_SHA1, 0},
    {"hmac-sha256", HMAC, MBEDTLS_MD_SHA256, 0},
    {"hmac-sha384", HMAC, MBEDTLS_MD_SHA384, 0},
    {"hkdf-sha256", HKDF, MBEDTLS_MD_SHA256, PSA_ALG_SHA_256},
    {"hkdf-sha384", HKDF, MBEDTLS_MD_SHA384, PSA_ALG_SHA_384},
};

enum { HKDF_KEY = 32 };

struct hash_operation {
    tlx_operation base;
    const struct hash *hash;
    mbedtls_md_context_t context;
    unsigned char key[64], mac_key[64];
};

static int prepare(struct hash_operation *);
static void release(tlx_operation *);

static const struct hash *find(const char *algorithm) {
    for (size_t i = 0; i < COUNT(hashes); i++)
        if (strcmp(hashes[i].algorithm, algorithm) == 0)
            return &hashes[i];
    return NULL;
}

static int has_hkdf(psa_algorithm_t hash) {
    psa_key_derivation_operation_t operation = PSA_KEY_DERIVATION_OPERATION_INIT;
    psa_status_t status = psa_key_derivation_setup(&operation, PSA_ALG_HKDF_EXTRACT(hash));
    psa_key_derivation_abort(&operation);
    return status == PSA_SUCCESS;
}

int mbed_hash_has(const char *algorithm) {
    const struct hash *hash = find(algorithm);
    if (hash == NULL)
        return -1;
    return mbedtls_md_info_from_type(hash->digest) != NULL && (hash->kind != HKDF || has_hkdf(hash->psa));
}

int mbed_hash_new(const char *algorithm, const struct tlx_inputs *inputs, tlx_operation **made) {
    struct hash_operation *op = (struct hash_operation *)mbed_operation_alloc(sizeof *op, 0, inputs);
    int error;
    if (op == NULL)
        return mbed_fail("allocating a hash operation", WRONG);
    op->base.release = release;
    op->hash = find(algorithm);
    op->base.output_length = mbedtls_md_get_size(mbedtls_md_info_from_type(op->hash->digest));
    memcpy(op->key, inputs->key.data, sizeof op->key);
    memcpy(op->mac_key, inputs->mac_key.data, sizeof op->mac_key);
    mbedtls_md_init(&op->context);
    error = prepare(op);
    if (error != 0) {
        tlx_operation_free(&op->base);
        return mbed_fail(algorithm, error);
    }
    *made = &op->base;
    return TLX_OK;
}

static int digest(tlx_operation *);
static int authenticate(tlx_operation *);
static int derive(tlx_operation *);

static int prepare(struct hash_operation *op) {
    static int (*const runs[])(tlx_operation *) = {digest, authenticate, derive};
    enum kind kind = op->hash->kind;
    int error;
    op->base.once = runs[kind];
    if (kind == HKDF)
        return 0;
    error = mbedtls_md_setup(&op->context, mbedtls_md_info_from_type(op->hash->digest), kind == HMAC);
    if (error == 0 && kind == HMAC)
        error = mbedtls_md_hmac_starts(&op->context, op->mac_key, op->base.output_length);
    return error;
}

static void release(tlx_operation *base) { mbedtls_md_free(&((struct hash_operation *)base)->context); }

static int digest(tlx_operation *base) {
    mbedtls_md_context_t *context = &((struct hash_operation *)base)->context;
    int error = mbedtls_md_starts(context);
    if (error == 0)
        error = mbedtls_md_update(context, base->message, base->length);
    return error != 0 ? error : mbedtls_md_finish(context, base->output);
}

/* mbedtls_ssl_encrypt_buf: after each record the context is made ready for the next. */
static int authenticate(tlx_operation *base) {
    mbedtls_md_context_t *context = &((struct hash_operation *)base)->context;
    int error = mbedtls_md_hmac_update(context, base->message, base->length);
    if (error == 0)
        error = mbedtls_md_hmac_finish(context, base->output);
    return error != 0 ? error : mbedtls_md_hmac_reset(context);
}

/* One step of the key schedule: `first` is the salt of an extraction or the secret of an expansion. */
static psa_status_t step(psa_algorithm_t algorithm, psa_key_derivation_step_t first_step, const unsigned char *first,
                         size_t first_length, psa_key_derivation_step_t second_step, const unsigned char *second,
                         size_t second_length, unsigned char *out, size_t length) {
    psa_key_derivation_operation_t operation = PSA_KEY_DERIVATION_OPERATION_INIT;
    psa_status_t status = psa_key_derivation_setup(&operation, algorithm), aborted;
    if (status == PSA_SUCCESS)
        status = psa_key_derivation_input_bytes(&operation, first_step, first, first_length);
    if (status == PSA_SUCCESS)
        status = psa_key_derivation_input_bytes(&operation, second_step, second, second_length);
    if (status == PSA_SUCCESS)
        status = psa_key_derivation_output_bytes(&operation, out, length);
    aborted = psa_key_derivation_abort(&operation);
    return status != PSA_SUCCESS ? status : aborted;
}

static int derive(tlx_operation *base) {
    struct hash_operation *op = (struct hash_operation *)base;
    size_t length = base->output_length;
    unsigned char secret[PSA_HASH_MAX_SIZE];
    psa_status_t status = step(PSA_ALG_HKDF_EXTRACT(op->hash->psa), PSA_KEY_DERIVATION_INPUT_SALT, op->mac_key, length,
                               PSA_KEY_DERIVATION_INPUT_SECRET, op->key, HKDF_KEY, secret, length);
    if (status == PSA_SUCCESS)
        status = step(PSA_ALG_HKDF_EXPAND(op->hash->psa), PSA_KEY_DERIVATION_INPUT_SECRET, secret, length,
                      PSA_KEY_DERIVATION_INPUT_INFO, NULL, 0, base->output, length);
    return mbed_psa(status);
}

/* Mbed TLS: message digests, HMAC and HKDF.
 *
 * As in its TLS stack: a digest starts anew on one context, as the transcript hash does; a MAC keeps its key; HKDF
 * goes through PSA, one operation to extract and one to expand.
 */

#include "mbedtls_backend.h"

#include <mbedtls/md.h>

static const struct hash {
    const char *algorithm;
    mbedtls_md_type_t digest;
    psa_algorithm_t psa;
} hashes[] = {
    {"md5", MBEDTLS_MD_MD5, PSA_ALG_MD5},
    {"sha1", MBEDTLS_MD_SHA1, PSA_ALG_SHA_1},
    {"sha256", MBEDTLS_MD_SHA256, PSA_ALG_SHA_256},
    {"sha384", MBEDTLS_MD_SHA384, PSA_ALG_SHA_384},
    {"sha512", MBEDTLS_MD_SHA512, PSA_ALG_SHA_512},
};

struct tlx_operation {
    struct tlx_operation_base;
    const struct hash *row;
    mbedtls_md_context_t context;
};

static int has_hkdf(psa_algorithm_t hash) {
    psa_key_derivation_operation_t operation = PSA_KEY_DERIVATION_OPERATION_INIT;
    psa_status_t status = psa_key_derivation_setup(&operation, PSA_ALG_HKDF_EXTRACT(hash));
    psa_key_derivation_abort(&operation);
    return status == PSA_SUCCESS;
}

static int has(tlx_operation *op) {
    return mbedtls_md_info_from_type(op->row->digest) != NULL
           && (op->algorithm.form != TLX_HKDF || has_hkdf(op->row->psa));
}

static int digest(tlx_operation *op) {
    return mbedtls_md_starts(&op->context)
           ?: mbedtls_md_update(&op->context, op->message, op->length)
           ?: mbedtls_md_finish(&op->context, op->output);
}

/* mbedtls_ssl_encrypt_buf: after each record the context is made ready for the next. */
static int authenticate(tlx_operation *op) {
    return mbedtls_md_hmac_update(&op->context, op->message, op->length)
           ?: mbedtls_md_hmac_finish(&op->context, op->output)
           ?: mbedtls_md_hmac_reset(&op->context);
}

/* One step of the key schedule: `first` is the salt of an extraction or the secret of an expansion. */
static psa_status_t step(psa_algorithm_t algorithm, psa_key_derivation_step_t first_step, const unsigned char *first,
                         size_t first_length, psa_key_derivation_step_t second_step, const unsigned char *second,
                         size_t second_length, unsigned char *out, size_t length) {
    psa_key_derivation_operation_t operation = PSA_KEY_DERIVATION_OPERATION_INIT;
    psa_status_t status = psa_key_derivation_setup(&operation, algorithm)
                          ?: psa_key_derivation_input_bytes(&operation, first_step, first, first_length)
                          ?: psa_key_derivation_input_bytes(&operation, second_step, second, second_length)
                          ?: psa_key_derivation_output_bytes(&operation, out, length);
    psa_status_t aborted = psa_key_derivation_abort(&operation);
    return status ?: aborted;
}

static int derive(tlx_operation *op) {
    size_t length = op->output_length;
    unsigned char secret[PSA_HASH_MAX_SIZE];
    return mbed_psa(step(PSA_ALG_HKDF_EXTRACT(op->row->psa), PSA_KEY_DERIVATION_INPUT_SALT, op->mac_key, length,
                         PSA_KEY_DERIVATION_INPUT_SECRET, op->key, TLX_HKDF_KEY, secret, length)
                    ?: step(PSA_ALG_HKDF_EXPAND(op->row->psa), PSA_KEY_DERIVATION_INPUT_SECRET, secret, length,
                            PSA_KEY_DERIVATION_INPUT_INFO, NULL, 0, op->output, length));
}

static int prepare(tlx_operation *op, const struct tlx_inputs *inputs) {
    int is_mac = op->algorithm.form == TLX_MAC, error;
    if (op->algorithm.form == TLX_HKDF)
        return 0;
    error = mbedtls_md_setup(&op->context, mbedtls_md_info_from_type(op->row->digest), is_mac);
    return error == 0 && is_mac ? mbedtls_md_hmac_starts(&op->context, op->mac_key, op->output_length) : error;
}

static void release(tlx_operation *op) { mbedtls_md_free(&op->context); }

const struct tlx_kind mbed_hash = {TLX_KIND(hashes),
                                   .calls = {[TLX_DIGEST] = {digest}, [TLX_MAC] = {authenticate}, [TLX_HKDF] = {derive}},
                                   .has = has,
                                   .prepare = prepare,
                                   .release = release};

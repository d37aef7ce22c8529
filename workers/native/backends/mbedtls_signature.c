/* Mbed TLS: signatures.
 *
 * As its TLS 1.3 makes and checks a CertificateVerify: PSA hashes, and the key's own interface signs. RSA: PSS,
 * SHA-256, a salt as long as the digest. ECDSA takes its secret number from the message (RFC 6979), as the library does
 * unless it is built otherwise.
 */

#include "mbedtls_backend.h"

#include <mbedtls/ecp.h>
#include <mbedtls/pk.h>
#include <stdlib.h>

static const struct scheme {
    const char *algorithm;
    mbedtls_pk_type_t type;
    mbedtls_ecp_group_id curve;
    mbedtls_md_type_t digest;
    psa_algorithm_t psa;
} schemes[] = {
    {"rsa-2048", MBEDTLS_PK_RSASSA_PSS, MBEDTLS_ECP_DP_NONE, MBEDTLS_MD_SHA256, PSA_ALG_SHA_256},
    {"rsa-3072", MBEDTLS_PK_RSASSA_PSS, MBEDTLS_ECP_DP_NONE, MBEDTLS_MD_SHA256, PSA_ALG_SHA_256},
    {"rsa-4096", MBEDTLS_PK_RSASSA_PSS, MBEDTLS_ECP_DP_NONE, MBEDTLS_MD_SHA256, PSA_ALG_SHA_256},
    {"ecdsa-p256", MBEDTLS_PK_ECDSA, MBEDTLS_ECP_DP_SECP256R1, MBEDTLS_MD_SHA256, PSA_ALG_SHA_256},
    {"ecdsa-p384", MBEDTLS_PK_ECDSA, MBEDTLS_ECP_DP_SECP384R1, MBEDTLS_MD_SHA384, PSA_ALG_SHA_384},
};

struct tlx_operation {
    struct tlx_operation_base;
    const struct scheme *row;
    mbedtls_pk_context pk;
};

static int has(tlx_operation *op) {
    if (op->row->curve == MBEDTLS_ECP_DP_NONE)
        return mbedtls_pk_info_from_type(MBEDTLS_PK_RSA) != NULL;
    return mbedtls_ecp_curve_info_from_grp_id(op->row->curve) != NULL
           && mbedtls_pk_info_from_type(MBEDTLS_PK_ECKEY) != NULL;
}

static psa_status_t hash(const tlx_operation *op, unsigned char *out, size_t *length) {
    return psa_hash_compute(op->row->psa, op->message, op->length, out, PSA_HASH_MAX_SIZE, length);
}

static int sign(tlx_operation *op) {
    unsigned char digest[PSA_HASH_MAX_SIZE];
    size_t length;
    psa_status_t status = hash(op, digest, &length);
    if (status != PSA_SUCCESS)
        return mbed_psa(status);
    return mbedtls_pk_sign_ext(op->row->type, &op->pk, op->row->digest, digest, length,
                               op->output, MBEDTLS_PK_SIGNATURE_MAX_SIZE, &op->output_length, mbedtls_psa_get_random,
                               MBEDTLS_PSA_RANDOM_STATE);
}

static int verify(tlx_operation *op) {
    mbedtls_pk_rsassa_pss_options pss = {op->row->digest, (int)PSA_HASH_LENGTH(op->row->psa)};
    unsigned char digest[PSA_HASH_MAX_SIZE];
    size_t length;
    psa_status_t status = hash(op, digest, &length);
    if (status != PSA_SUCCESS)
        return mbed_psa(status);
    return mbedtls_pk_verify_ext(op->row->type, op->row->type == MBEDTLS_PK_RSASSA_PSS ? &pss : NULL, &op->pk,
                                 op->row->digest, digest, length, op->signature, op->signature_length);
}

int mbed_read_key(struct tlx_bytes pem, mbedtls_pk_context *key) {
    unsigned char *text = tlx_text(pem);
    int error = text == NULL ? MBEDTLS_ERR_PK_ALLOC_FAILED
                             : mbedtls_pk_parse_key(key, text, pem.length + 1, NULL, 0, mbedtls_psa_get_random,
                                                    MBEDTLS_PSA_RANDOM_STATE);
    free(text);
    return error;
}

static int prepare(tlx_operation *op, const struct tlx_inputs *inputs) {
    return mbed_read_key(inputs->signing_key, &op->pk) ?: tlx_signature_start(op, sign, verify, 0);
}

static void release(tlx_operation *op) { mbedtls_pk_free(&op->pk); }

const struct tlx_kind mbed_signature = {
    TLX_KIND(schemes), .room = MBEDTLS_PK_SIGNATURE_MAX_SIZE, .has = has, .prepare = prepare, .release = release};

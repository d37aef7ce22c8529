/* Mbed TLS: signatures.
 *
 * As its TLS 1.3 makes and checks a CertificateVerify: PSA hashes, and the key's own interface signs. RSA: PSS,
 * SHA-256, a salt as long as the digest. ECDSA takes its secret number from the message (RFC 6979), as the library does
 * unless it is built otherwise.
 */

#include "../common/text.h"
#include "mbedtls_operation.h"

#include <mbedtls/ecp.h>
#include <mbedtls/pk.h>
#include <stdlib.h>
#include <string.h>

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

struct signature_operation {
    tlx_operation base;
    const struct scheme *scheme;
    mbedtls_pk_context key;
    unsigned char signature[MBEDTLS_PK_SIGNATURE_MAX_SIZE]; /* to verify */
    size_t signature_length;
};

static int prepare(struct signature_operation *, int signing, const struct tlx_inputs *);
static void release(tlx_operation *);

static const struct scheme *find(const char *algorithm) {
    for (size_t i = 0; i < COUNT(schemes); i++)
        if (strcmp(schemes[i].algorithm, algorithm) == 0)
            return &schemes[i];
    return NULL;
}

int mbed_signature_has(const char *algorithm) {
    const struct scheme *scheme = find(algorithm);
    if (scheme == NULL)
        return -1;
    if (scheme->curve != MBEDTLS_ECP_DP_NONE && mbedtls_ecp_curve_info_from_grp_id(scheme->curve) == NULL)
        return 0;
    return mbedtls_pk_info_from_type(scheme->curve == MBEDTLS_ECP_DP_NONE ? MBEDTLS_PK_RSA : MBEDTLS_PK_ECKEY) != NULL;
}

int mbed_signature_new(const char *algorithm, int signing, const struct tlx_inputs *inputs, tlx_operation **made) {
    struct signature_operation *op =
        (struct signature_operation *)mbed_operation_alloc(sizeof *op, MBEDTLS_PK_SIGNATURE_MAX_SIZE, inputs);
    int error;
    if (op == NULL)
        return mbed_fail("allocating a signature operation", WRONG);
    op->base.release = release;
    op->scheme = find(algorithm);
    mbedtls_pk_init(&op->key);
    error = prepare(op, signing, inputs);
    if (error != 0) {
        tlx_operation_free(&op->base);
        return mbed_fail(algorithm, error);
    }
    *made = &op->base;
    return TLX_OK;
}

static void release(tlx_operation *base) { mbedtls_pk_free(&((struct signature_operation *)base)->key); }

static int sign(tlx_operation *);
static int check_signature(tlx_operation *);
static int verify(tlx_operation *);
static int check_refusal(tlx_operation *);

static int prepare(struct signature_operation *op, int signing, const struct tlx_inputs *inputs) {
    unsigned char *pem = tlx_text(inputs->signing_key);
    int error = pem == NULL ? MBEDTLS_ERR_PK_ALLOC_FAILED
                            : mbedtls_pk_parse_key(&op->key, pem, inputs->signing_key.length + 1, NULL, 0,
                                                   mbedtls_psa_get_random, MBEDTLS_PSA_RANDOM_STATE);
    free(pem);
    op->base.once = signing ? sign : verify;
    op->base.check = signing ? check_signature : check_refusal;
    if (error != 0 || signing)
        return error;
    if (inputs->signature.length > sizeof op->signature)
        return WRONG;
    memcpy(op->signature, inputs->signature.data, inputs->signature.length);
    op->signature_length = inputs->signature.length;
    return 0;
}

static psa_status_t hash(const struct signature_operation *op, unsigned char *out, size_t *length) {
    return psa_hash_compute(op->scheme->psa, op->base.message, op->base.length, out, PSA_HASH_MAX_SIZE, length);
}

static int sign(tlx_operation *base) {
    struct signature_operation *op = (struct signature_operation *)base;
    unsigned char digest[PSA_HASH_MAX_SIZE];
    size_t length;
    psa_status_t status = hash(op, digest, &length);
    if (status != PSA_SUCCESS)
        return mbed_psa(status);
    return mbedtls_pk_sign_ext(op->scheme->type, &op->key, op->scheme->digest, digest, length, base->output,
                               MBEDTLS_PK_SIGNATURE_MAX_SIZE, &base->output_length, mbedtls_psa_get_random,
                               MBEDTLS_PSA_RANDOM_STATE);
}

static int verify_bytes(struct signature_operation *op, const unsigned char *signature, size_t signature_length) {
    mbedtls_pk_rsassa_pss_options pss = {op->scheme->digest, (int)PSA_HASH_LENGTH(op->scheme->psa)};
    unsigned char digest[PSA_HASH_MAX_SIZE];
    size_t length;
    psa_status_t status = hash(op, digest, &length);
    if (status != PSA_SUCCESS)
        return mbed_psa(status);
    return mbedtls_pk_verify_ext(op->scheme->type, op->scheme->type == MBEDTLS_PK_RSASSA_PSS ? &pss : NULL, &op->key,
                                 op->scheme->digest, digest, length, signature, signature_length);
}

static int verify(tlx_operation *base) {
    struct signature_operation *op = (struct signature_operation *)base;
    return verify_bytes(op, op->signature, op->signature_length);
}

static int check_signature(tlx_operation *base) {
    return verify_bytes((struct signature_operation *)base, base->output, base->output_length);
}

/* A verification that succeeds proves little if it never fails: a changed message must be refused. */
static int check_refusal(tlx_operation *base) {
    int refused;
    base->message[0] ^= 1;
    refused = base->once(base) != 0;
    base->message[0] ^= 1;
    return refused ? 0 : WRONG;
}

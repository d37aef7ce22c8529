/* OpenSSL: signatures.
 *
 * TLS pattern: as libssl does it, every operation makes and drops its context, and finds the digest by name; only the
 * key is kept. RSA signs as TLS 1.3 does: PSS, SHA-256, a salt as long as the digest.
 *
 * Speed pattern: contexts are kept. RSA signs 36 bytes as they are with PKCS #1 padding, ECDSA and Ed25519 sign 20,
 * ML-DSA and SLH-DSA 32.
 */

#include "openssl_backend.h"

enum kind { RSA_, ECDSA, EDDSA, PQ };

static const struct scheme {
    const char *algorithm;
    enum kind kind;
    const char *name;   /* of the key type */
    const char *digest; /* in the TLS pattern */
} schemes[] = {
    {"rsa-2048", RSA_, "RSA", "SHA256"},
    {"rsa-3072", RSA_, "RSA", "SHA256"},
    {"rsa-4096", RSA_, "RSA", "SHA256"},
    {"ecdsa-p256", ECDSA, "EC", "SHA256"},
    {"ecdsa-p384", ECDSA, "EC", "SHA384"},
    {"ed25519", EDDSA, "ED25519", NULL},
    {"ml-dsa-44", PQ, "ML-DSA-44", NULL},
    {"ml-dsa-65", PQ, "ML-DSA-65", NULL},
    {"ml-dsa-87", PQ, "ML-DSA-87", NULL},
    {"slh-dsa-sha2-128f", PQ, "SLH-DSA-SHA2-128f", NULL},
};

enum { SIGNATURE_ROOM = 20000, SPEED_RSA = 36, SPEED_EC = 20, SPEED_PQ = 32 };

struct tlx_operation {
    struct tlx_operation_base;
    const struct scheme *row;
    EVP_PKEY *pkey;
    EVP_PKEY_CTX *context; /* speed pattern: kept */
    EVP_MD_CTX *digest;    /* speed pattern of Ed25519: kept */
    size_t signed_length;  /* speed pattern */
};

static int has(tlx_operation *op) { return tlx_has_type(op->row->name); }

static const char *lacks(tlx_operation *op) {
    if (!has(op))
        return op->row->name;
    return op->speed && op->row->kind == PQ && !tlx_speed_signs_messages()
               ? "post-quantum signature that `openssl speed` could call"
               : NULL;
}

/* ---- TLS pattern ---------------------------------------------------------------------------------------------- */

static int pss(const tlx_operation *op, EVP_PKEY_CTX *context) {
    return op->row->kind != RSA_ || (EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PSS_PADDING) > 0
                                     && EVP_PKEY_CTX_set_rsa_pss_saltlen(context, RSA_PSS_SALTLEN_DIGEST) > 0);
}

/* tls_construct_cert_verify: the size is asked for first. */
static int sign(tlx_operation *op) {
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    EVP_PKEY_CTX *pkey = NULL;
    int done = context != NULL && tlx_sign_init(context, &pkey, op->row->digest, op->pkey) > 0
               && pss(op, pkey) && EVP_DigestSign(context, NULL, &op->output_length, op->message, op->length) > 0
               && op->output_length <= SIGNATURE_ROOM
               && EVP_DigestSign(context, op->output, &op->output_length, op->message, op->length) > 0;
    EVP_MD_CTX_free(context);
    return tlx_done(done);
}

static int verify(tlx_operation *op) {
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    EVP_PKEY_CTX *pkey = NULL;
    int done = context != NULL && tlx_verify_init(context, &pkey, op->row->digest, op->pkey) > 0 && pss(op, pkey)
               && EVP_DigestVerify(context, op->signature, op->signature_length, op->message, op->length) > 0;
    EVP_MD_CTX_free(context);
    return tlx_done(done);
}

/* ---- speed pattern -------------------------------------------------------------------------------------------- */

static int start_speed(tlx_operation *op, int signing) {
    EVP_PKEY_CTX_free(op->context);
    EVP_MD_CTX_free(op->digest);
    op->context = NULL;
    op->digest = NULL;
    if (op->row->kind == EDDSA) {
        op->digest = EVP_MD_CTX_new();
        return op->digest != NULL
               && (signing ? EVP_DigestSignInit : EVP_DigestVerifyInit)(op->digest, NULL, NULL, NULL, op->pkey);
    }
    op->context = EVP_PKEY_CTX_new(op->pkey, NULL);
    if (op->context != NULL && op->row->kind == PQ)
        return tlx_start_message(op->context, op->row->name, signing);
    return op->context != NULL && (signing ? EVP_PKEY_sign_init : EVP_PKEY_verify_init)(op->context) > 0;
}

static int speed_sign(tlx_operation *op) {
    op->output_length = SIGNATURE_ROOM;
    if (op->digest == NULL)
        return tlx_done(EVP_PKEY_sign(op->context, op->output, &op->output_length, op->message, op->signed_length));
    return tlx_done((!TLX_SPEED_RESTARTS_EDDSA || EVP_DigestSignInit(op->digest, NULL, NULL, NULL, NULL))
                    && EVP_DigestSign(op->digest, op->output, &op->output_length, op->message, op->signed_length));
}

static int speed_verify(tlx_operation *op) {
    if (op->digest == NULL)
        return tlx_done(EVP_PKEY_verify(op->context, op->signature, op->signature_length, op->message,
                                        op->signed_length));
    return tlx_done((!TLX_SPEED_RESTARTS_EDDSA || EVP_DigestVerifyInit(op->digest, NULL, NULL, NULL, NULL))
                    && EVP_DigestVerify(op->digest, op->signature, op->signature_length, op->message,
                                        op->signed_length));
}

/* The context that is kept is one to sign with. */
static int check_speed_signature(tlx_operation *op) {
    EVP_PKEY_CTX *context;
    int done;
    if (op->digest != NULL)
        return 0; /* not random; the TLS pattern compares it with the known answer */
    context = EVP_PKEY_CTX_new(op->pkey, NULL);
    done = context != NULL
           && (op->row->kind == PQ ? tlx_start_message(context, op->row->name, 0) : EVP_PKEY_verify_init(context) > 0)
           && EVP_PKEY_verify(context, op->output, op->output_length, op->message, op->signed_length) > 0;
    EVP_PKEY_CTX_free(context);
    return tlx_done(done);
}

/* A verification is of a signature of its own, since those of others are of the message. */
static int prepare_speed(tlx_operation *op, const struct tlx_inputs *inputs) {
    int error;
    op->signed_length = op->row->kind == RSA_ ? SPEED_RSA : op->row->kind == PQ ? SPEED_PQ : SPEED_EC;
    memcpy(op->message, inputs->key.data, SPEED_RSA); /* `speed` takes random bytes, or zeros */
    op->signature_length = 0;
    if (!start_speed(op, 1))
        return TLX_FAILED;
    error = tlx_signature_start(op, speed_sign, speed_verify, 0);
    if (op->action == TLX_SIGN)
        op->check = check_speed_signature;
    return error < 0 || op->action == TLX_SIGN ? error : tlx_done(start_speed(op, 0));
}

/* ---- setting up ----------------------------------------------------------------------------------------------- */

/* `openssl speed` makes its keys; so does a library that takes none in the bytes of FIPS 204 to sign with. */
static EVP_PKEY *post_quantum_key(const tlx_operation *op, const struct tlx_inputs *inputs) {
    if (!op->speed && op->action == TLX_VERIFY)
        return tlx_raw_public(op->row->name, inputs->peer);
    if (!op->speed && TLX_TAKES_RAW_PRIVATE)
        return tlx_raw_private(op->row->name, inputs->private_key);
    return tlx_generate(op->row->name, 0);
}

static int prepare(tlx_operation *op, const struct tlx_inputs *inputs) {
    op->pkey = op->row->kind == PQ ? post_quantum_key(op, inputs) : tlx_read_key(inputs->signing_key);
    if (op->pkey == NULL)
        return TLX_FAILED;
    if (op->speed)
        return prepare_speed(op, inputs);
    /* RFC 8032 signatures are not random. */
    return tlx_signature_start(op, sign, verify, op->row->kind == EDDSA);
}

static void release(tlx_operation *op) {
    EVP_PKEY_CTX_free(op->context);
    EVP_MD_CTX_free(op->digest);
    EVP_PKEY_free(op->pkey);
}

const struct tlx_kind tlx_signature = {
    TLX_KIND(schemes), .room = SIGNATURE_ROOM, .has = has, .lacks = lacks, .prepare = prepare, .release = release};

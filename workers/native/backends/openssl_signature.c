/* OpenSSL: signatures.
 *
 * TLS pattern: as libssl does it, every operation makes and drops its context, and finds the digest by name; only the
 * key is kept. RSA signs as TLS 1.3 does: PSS, SHA-256, a salt as long as the digest.
 *
 * Speed pattern: contexts are kept. RSA signs 36 bytes as they are with PKCS #1 padding, ECDSA and Ed25519 sign 20,
 * ML-DSA and SLH-DSA 32.
 */

#include "openssl_operation.h"

#include "../common/signature.h"

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

struct signature_operation {
    tlx_operation base;
    const struct scheme *scheme;
    EVP_PKEY *key;
    EVP_PKEY_CTX *context; /* speed pattern: kept */
    EVP_MD_CTX *digest;    /* speed pattern of Ed25519: kept */
    size_t signed_length;  /* speed pattern */
};

static int has(tlx_operation *base) {
    EVP_PKEY_CTX *context = tlx_pkey_by_name(((const struct scheme *)base->row)->name);
    EVP_PKEY_CTX_free(context);
    return context != NULL;
}

static const char *lacks(tlx_operation *base) {
    const struct scheme *scheme = base->row;
    if (!has(base))
        return scheme->name;
    return base->speed && scheme->kind == PQ && !tlx_speed_signs_messages()
               ? "post-quantum signature that `openssl speed` could call"
               : NULL;
}

/* ---- TLS pattern ---------------------------------------------------------------------------------------------- */

static int pss(const struct signature_operation *op, EVP_PKEY_CTX *context) {
    return op->scheme->kind != RSA_
           || (EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PSS_PADDING) > 0
               && EVP_PKEY_CTX_set_rsa_pss_saltlen(context, RSA_PSS_SALTLEN_DIGEST) > 0);
}

/* tls_construct_cert_verify: the size is asked for first. */
static int sign(tlx_operation *base) {
    struct signature_operation *op = (struct signature_operation *)base;
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    EVP_PKEY_CTX *pkey = NULL;
    int done = context != NULL && tlx_sign_init(context, &pkey, op->scheme->digest, op->key) > 0 && pss(op, pkey)
               && EVP_DigestSign(context, NULL, &base->output_length, base->message, base->length) > 0
               && base->output_length <= SIGNATURE_ROOM
               && EVP_DigestSign(context, base->output, &base->output_length, base->message, base->length) > 0;
    EVP_MD_CTX_free(context);
    return tlx_done(done);
}

static int verify(tlx_operation *base) {
    struct signature_operation *op = (struct signature_operation *)base;
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    EVP_PKEY_CTX *pkey = NULL;
    int done = context != NULL && tlx_verify_init(context, &pkey, op->scheme->digest, op->key) > 0 && pss(op, pkey)
               && EVP_DigestVerify(context, base->signature, base->signature_length, base->message, base->length) > 0;
    EVP_MD_CTX_free(context);
    return tlx_done(done);
}

/* ---- speed pattern -------------------------------------------------------------------------------------------- */

static int start_speed(struct signature_operation *op, int signing) {
    EVP_PKEY_CTX_free(op->context);
    EVP_MD_CTX_free(op->digest);
    op->context = NULL;
    op->digest = NULL;
    if (op->scheme->kind == EDDSA) {
        op->digest = EVP_MD_CTX_new();
        return op->digest != NULL
               && (signing ? EVP_DigestSignInit : EVP_DigestVerifyInit)(op->digest, NULL, NULL, NULL, op->key);
    }
    op->context = EVP_PKEY_CTX_new(op->key, NULL);
    if (op->context != NULL && op->scheme->kind == PQ)
        return tlx_start_message(op->context, op->scheme->name, signing);
    return op->context != NULL && (signing ? EVP_PKEY_sign_init : EVP_PKEY_verify_init)(op->context) > 0;
}

static int speed_sign(tlx_operation *base) {
    struct signature_operation *op = (struct signature_operation *)base;
    base->output_length = SIGNATURE_ROOM;
    if (op->digest == NULL)
        return tlx_done(EVP_PKEY_sign(op->context, base->output, &base->output_length, base->message,
                                      op->signed_length));
    return tlx_done((!TLX_SPEED_RESTARTS_EDDSA || EVP_DigestSignInit(op->digest, NULL, NULL, NULL, NULL))
                    && EVP_DigestSign(op->digest, base->output, &base->output_length, base->message,
                                      op->signed_length));
}

static int speed_verify(tlx_operation *base) {
    struct signature_operation *op = (struct signature_operation *)base;
    if (op->digest == NULL)
        return tlx_done(EVP_PKEY_verify(op->context, base->signature, base->signature_length, base->message,
                                        op->signed_length));
    return tlx_done((!TLX_SPEED_RESTARTS_EDDSA || EVP_DigestVerifyInit(op->digest, NULL, NULL, NULL, NULL))
                    && EVP_DigestVerify(op->digest, base->signature, base->signature_length, base->message,
                                        op->signed_length));
}

/* The context that is kept is one to sign with. */
static int check_speed_signature(tlx_operation *base) {
    struct signature_operation *op = (struct signature_operation *)base;
    EVP_PKEY_CTX *context;
    int done;
    if (op->digest != NULL)
        return 0; /* not random; the TLS pattern compares it with the known answer */
    context = EVP_PKEY_CTX_new(op->key, NULL);
    done = context != NULL
           && (op->scheme->kind == PQ ? tlx_start_message(context, op->scheme->name, 0)
                                      : EVP_PKEY_verify_init(context) > 0)
           && EVP_PKEY_verify(context, base->output, base->output_length, base->message, op->signed_length) > 0;
    EVP_PKEY_CTX_free(context);
    return tlx_done(done);
}

/* A verification is of a signature of its own, since those of others are of the message. */
static int prepare_speed(struct signature_operation *op, const struct tlx_inputs *inputs) {
    tlx_operation *base = &op->base;
    int error;
    op->signed_length = op->scheme->kind == RSA_ ? SPEED_RSA : op->scheme->kind == PQ ? SPEED_PQ : SPEED_EC;
    memcpy(base->message, inputs->key.data, SPEED_RSA); /* `speed` takes random bytes, or zeros */
    base->signature_length = 0;
    if (!start_speed(op, 1))
        return TLX_FAILED;
    error = tlx_signature_start(base, speed_sign, speed_verify, 0);
    if (base->action == TLX_SIGN)
        base->check = check_speed_signature;
    return error < 0 || base->action == TLX_SIGN ? error : tlx_done(start_speed(op, 0));
}

/* ---- setting up ----------------------------------------------------------------------------------------------- */

/* `openssl speed` makes its keys; so does a library that takes none in the bytes of FIPS 204 to sign with. */
static EVP_PKEY *post_quantum_key(const tlx_operation *base, const struct tlx_inputs *inputs) {
    const char *name = ((const struct scheme *)base->row)->name;
    EVP_PKEY_CTX *context;
    EVP_PKEY *key = NULL;
    if (!base->speed && base->action == TLX_VERIFY)
        return tlx_raw_public(name, inputs->peer);
    if (!base->speed && TLX_TAKES_RAW_PRIVATE)
        return tlx_raw_private(name, inputs->private_key);
    context = tlx_pkey_by_name(name);
    if (context != NULL && EVP_PKEY_keygen_init(context) > 0 && EVP_PKEY_keygen(context, &key) <= 0)
        key = NULL;
    EVP_PKEY_CTX_free(context);
    return key;
}

static EVP_PKEY *pem_key(const struct tlx_inputs *inputs) {
    BIO *pem = BIO_new_mem_buf(inputs->signing_key.data, (int)inputs->signing_key.length);
    EVP_PKEY *key = pem ? PEM_read_bio_PrivateKey(pem, NULL, NULL, NULL) : NULL;
    BIO_free(pem);
    return key;
}

static int prepare(tlx_operation *base, const struct tlx_inputs *inputs) {
    struct signature_operation *op = (struct signature_operation *)base;
    op->scheme = base->row;
    op->key = op->scheme->kind == PQ ? post_quantum_key(base, inputs) : pem_key(inputs);
    if (op->key == NULL)
        return TLX_FAILED;
    if (base->speed)
        return prepare_speed(op, inputs);
    /* RFC 8032 signatures are not random. */
    return tlx_signature_start(base, sign, verify, op->scheme->kind == EDDSA);
}

static void release(tlx_operation *base) {
    struct signature_operation *op = (struct signature_operation *)base;
    EVP_PKEY_CTX_free(op->context);
    EVP_MD_CTX_free(op->digest);
    EVP_PKEY_free(op->key);
}

const struct tlx_kind tlx_signature = {TLX_KIND(schemes, struct signature_operation),
                                       .room = SIGNATURE_ROOM,
                                       .has = has,
                                       .lacks = lacks,
                                       .prepare = prepare,
                                       .release = release};

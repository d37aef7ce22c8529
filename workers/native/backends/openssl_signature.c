/* OpenSSL: signatures.
 *
 * TLS pattern: as libssl does it, every operation makes and drops its context, and finds the digest by name; only the
 * key is kept. RSA signs as TLS 1.3 does: PSS, SHA-256, a salt as long as the digest.
 *
 * Speed pattern: contexts are kept. RSA signs 36 bytes as they are with PKCS #1 padding, ECDSA and Ed25519 sign 20,
 * ML-DSA and SLH-DSA 32.
 */

#include "openssl_operation.h"

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
    int speed, signed_length;
    unsigned char signature[SIGNATURE_ROOM]; /* to verify */
    size_t signature_length;
};

static int prepare(struct signature_operation *, int signing, const struct tlx_inputs *);
static void release(tlx_operation *);

static const struct scheme *find(const char *algorithm) {
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++)
        if (strcmp(schemes[i].algorithm, algorithm) == 0)
            return &schemes[i];
    return NULL;
}

int tlx_signature_has(const char *algorithm) {
    const struct scheme *scheme = find(algorithm);
    EVP_PKEY_CTX *context;
    if (scheme == NULL)
        return -1;
    context = tlx_pkey_by_name(scheme->name);
    EVP_PKEY_CTX_free(context);
    return context != NULL;
}

int tlx_signature_new(const char *algorithm, int signing, int speed, const struct tlx_inputs *inputs,
                      tlx_operation **made) {
    const struct scheme *scheme = find(algorithm);
    struct signature_operation *op;
    if (!tlx_signature_has(algorithm))
        return tlx_unsupported(scheme->name);
    if (speed && scheme->kind == PQ && !tlx_speed_signs_messages())
        return tlx_unsupported("post-quantum signature that `openssl speed` could call");
    op = (struct signature_operation *)tlx_operation_alloc(sizeof *op, SIGNATURE_ROOM, inputs);
    if (op == NULL)
        return tlx_fail("allocating a signature operation");
    op->base.release = release;
    op->scheme = scheme;
    op->speed = speed;
    if (!prepare(op, signing, inputs)) {
        tlx_operation_free(&op->base);
        return tlx_fail(algorithm);
    }
    *made = &op->base;
    return TLX_OK;
}

static void release(tlx_operation *base) {
    struct signature_operation *op = (struct signature_operation *)base;
    EVP_PKEY_CTX_free(op->context);
    EVP_MD_CTX_free(op->digest);
    EVP_PKEY_free(op->key);
}

/* ---- setting up ----------------------------------------------------------------------------------------------- */

static int sign(tlx_operation *);
static int check_signature(tlx_operation *);
static int verify(tlx_operation *);
static int check_refusal(tlx_operation *);
static int speed_sign(tlx_operation *);
static int speed_verify(tlx_operation *);
static int start_speed(struct signature_operation *, int signing);
static int take_signature(struct signature_operation *, const struct tlx_inputs *);

/* `openssl speed` makes its keys; so does a library that takes none in the bytes of FIPS 204 to sign with. */
static EVP_PKEY *post_quantum_key(const char *name, int signing, int speed, const struct tlx_inputs *inputs) {
    EVP_PKEY_CTX *context;
    EVP_PKEY *key = NULL;
    if (!speed && !signing)
        return tlx_raw_public(name, inputs->peer);
    if (!speed && TLX_TAKES_RAW_PRIVATE)
        return tlx_raw_private(name, inputs->private_key);
    context = tlx_pkey_by_name(name);
    if (context != NULL && EVP_PKEY_keygen_init(context) > 0 && EVP_PKEY_keygen(context, &key) <= 0)
        key = NULL;
    EVP_PKEY_CTX_free(context);
    return key;
}

static int prepare(struct signature_operation *op, int signing, const struct tlx_inputs *inputs) {
    if (op->scheme->kind == PQ) {
        op->key = post_quantum_key(op->scheme->name, signing, op->speed, inputs);
    } else {
        BIO *pem = BIO_new_mem_buf(inputs->signing_key.data, (int)inputs->signing_key.length);
        op->key = pem ? PEM_read_bio_PrivateKey(pem, NULL, NULL, NULL) : NULL;
        BIO_free(pem);
    }
    if (op->key == NULL)
        return 0;
    if (op->speed) {
        op->signed_length = op->scheme->kind == RSA_ ? SPEED_RSA : op->scheme->kind == PQ ? SPEED_PQ : SPEED_EC;
        memcpy(op->base.message, inputs->key.data, SPEED_RSA); /* `speed` takes random bytes, or zeros */
    }
    if (!signing && !take_signature(op, inputs))
        return 0;
    if (signing) {
        op->base.once = op->speed ? speed_sign : sign;
        /* RFC 8032 signatures are not random. */
        op->base.check = op->scheme->kind == EDDSA && !op->speed ? NULL : check_signature;
    } else {
        op->base.once = op->speed ? speed_verify : verify;
        op->base.check = check_refusal;
    }
    return !op->speed || start_speed(op, signing);
}

/* Another implementation's signature, or one of our own where there is none. */
static int take_signature(struct signature_operation *op, const struct tlx_inputs *inputs) {
    const unsigned char *from = inputs->signature.data;
    size_t length = inputs->signature.length;
    if (op->speed || length == 0) {
        if ((op->speed && !start_speed(op, 1)) || (op->speed ? speed_sign : sign)(&op->base) <= 0)
            return 0;
        from = op->base.output;
        length = op->base.output_length;
    }
    if (length > SIGNATURE_ROOM)
        return 0;
    memcpy(op->signature, from, length);
    op->signature_length = length;
    return 1;
}

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

/* ---- signatures ----------------------------------------------------------------------------------------------- */

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
               && EVP_DigestSign(context, NULL, &base->output_length, base->message, (size_t)base->length) > 0
               && base->output_length <= SIGNATURE_ROOM
               && EVP_DigestSign(context, base->output, &base->output_length, base->message, (size_t)base->length) > 0;
    EVP_MD_CTX_free(context);
    return done;
}

static int verify_bytes(struct signature_operation *op, const unsigned char *signature, size_t length) {
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    EVP_PKEY_CTX *pkey = NULL;
    int done = context != NULL && tlx_verify_init(context, &pkey, op->scheme->digest, op->key) > 0 && pss(op, pkey)
               && EVP_DigestVerify(context, signature, length, op->base.message, (size_t)op->base.length) > 0;
    EVP_MD_CTX_free(context);
    return done;
}

static int verify(tlx_operation *base) {
    struct signature_operation *op = (struct signature_operation *)base;
    return verify_bytes(op, op->signature, op->signature_length);
}

static int check_signature(tlx_operation *base) {
    struct signature_operation *op = (struct signature_operation *)base;
    EVP_PKEY_CTX *context;
    int done;
    if (!op->speed)
        return verify_bytes(op, base->output, base->output_length);
    if (op->digest != NULL)
        return 1; /* not random; the TLS pattern compares it with the known answer */
    context = EVP_PKEY_CTX_new(op->key, NULL);
    done = context != NULL
           && (op->scheme->kind == PQ ? tlx_start_message(context, op->scheme->name, 0)
                                      : EVP_PKEY_verify_init(context) > 0)
           && EVP_PKEY_verify(context, base->output, base->output_length, base->message, (size_t)op->signed_length) > 0;
    EVP_PKEY_CTX_free(context);
    return done;
}

/* A verification that succeeds proves little if it never fails: a changed message must be refused. */
static int check_refusal(tlx_operation *base) {
    int refused;
    base->message[0] ^= 1;
    refused = base->once(base) <= 0;
    base->message[0] ^= 1;
    ERR_clear_error();
    return refused;
}

static int speed_sign(tlx_operation *base) {
    struct signature_operation *op = (struct signature_operation *)base;
    base->output_length = SIGNATURE_ROOM;
    if (op->digest == NULL)
        return EVP_PKEY_sign(op->context, base->output, &base->output_length, base->message,
                             (size_t)op->signed_length);
    return (!TLX_SPEED_RESTARTS_EDDSA || EVP_DigestSignInit(op->digest, NULL, NULL, NULL, NULL))
           && EVP_DigestSign(op->digest, base->output, &base->output_length, base->message, (size_t)op->signed_length);
}

static int speed_verify(tlx_operation *base) {
    struct signature_operation *op = (struct signature_operation *)base;
    if (op->digest == NULL)
        return EVP_PKEY_verify(op->context, op->signature, op->signature_length, base->message,
                               (size_t)op->signed_length);
    return (!TLX_SPEED_RESTARTS_EDDSA || EVP_DigestVerifyInit(op->digest, NULL, NULL, NULL, NULL))
           && EVP_DigestVerify(op->digest, op->signature, op->signature_length, base->message,
                               (size_t)op->signed_length);
}

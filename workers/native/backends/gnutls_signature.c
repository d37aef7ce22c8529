/* GnuTLS: signatures. Only the key is kept, as a credentials object keeps it; RSA signs as TLS 1.3 does: PSS,
 * SHA-256, a salt as long as the digest.
 */

#include "gnutls_operation.h"

static const struct scheme {
    const char *algorithm;
    gnutls_sign_algorithm_t id;
    int fixed; /* the same signature every time */
} schemes[] = {
    {"rsa-2048", GNUTLS_SIGN_RSA_PSS_RSAE_SHA256, 0},
    {"rsa-3072", GNUTLS_SIGN_RSA_PSS_RSAE_SHA256, 0},
    {"rsa-4096", GNUTLS_SIGN_RSA_PSS_RSAE_SHA256, 0},
    {"ecdsa-p256", GNUTLS_SIGN_ECDSA_SECP256R1_SHA256, 0},
    {"ecdsa-p384", GNUTLS_SIGN_ECDSA_SECP384R1_SHA384, 0},
    {"ed25519", GNUTLS_SIGN_EDDSA_ED25519, 1},
};

enum { SIGNATURE_ROOM = 1024 };

struct signature_operation {
    tlx_operation base;
    const struct scheme *scheme;
    gnutls_privkey_t private;
    gnutls_pubkey_t public;
    unsigned char signature[SIGNATURE_ROOM]; /* to verify */
    unsigned signature_length;
};

static int prepare(struct signature_operation *, const struct tlx_inputs *);
static void release(tlx_operation *);
static int sign(tlx_operation *);
static int verify(tlx_operation *);
static int check_signature(tlx_operation *);
static int check_refusal(tlx_operation *);

static const struct scheme *find(const char *algorithm) {
    for (size_t i = 0; i < COUNT(schemes); i++)
        if (strcmp(schemes[i].algorithm, algorithm) == 0)
            return &schemes[i];
    return NULL;
}

int tlx_signature_has(const char *algorithm) {
    const struct scheme *scheme = find(algorithm);
    const gnutls_sign_algorithm_t *list = gnutls_sign_list();
    if (scheme == NULL)
        return -1;
    while (*list != 0 && *list != scheme->id)
        list++;
    return *list == scheme->id;
}

int tlx_signature_new(const char *algorithm, int signing, const struct tlx_inputs *inputs, tlx_operation **made) {
    struct signature_operation *op =
        (struct signature_operation *)tlx_operation_alloc(sizeof *op, SIGNATURE_ROOM, inputs);
    int code;
    if (op == NULL)
        return tlx_fail("allocating a signature operation", GNUTLS_E_MEMORY_ERROR);
    op->base.release = release;
    op->scheme = find(algorithm);
    op->base.once = signing ? sign : verify;
    if (!signing)
        op->base.check = check_refusal;
    else if (!op->scheme->fixed)
        op->base.check = check_signature;
    code = prepare(op, inputs);
    if (code < 0) {
        tlx_operation_free(&op->base);
        return tlx_fail(algorithm, code);
    }
    *made = &op->base;
    return TLX_OK;
}

static int prepare(struct signature_operation *op, const struct tlx_inputs *inputs) {
    gnutls_datum_t pem = tlx_datum(inputs->signing_key);
    int code;
    if (inputs->signature.length > SIGNATURE_ROOM)
        return GNUTLS_E_SHORT_MEMORY_BUFFER;
    if (inputs->signature.length > 0)
        memcpy(op->signature, inputs->signature.data, inputs->signature.length);
    op->signature_length = (unsigned)inputs->signature.length;
    code = gnutls_privkey_init(&op->private);
    if (code >= 0)
        code = gnutls_pubkey_init(&op->public);
    if (code >= 0)
        code = gnutls_privkey_import_x509_raw(op->private, &pem, GNUTLS_X509_FMT_PEM, NULL, 0);
    if (code >= 0)
        code = gnutls_pubkey_import_privkey(op->public, op->private, 0, 0);
    return code;
}

static void release(tlx_operation *base) {
    struct signature_operation *op = (struct signature_operation *)base;
    if (op->private != NULL)
        gnutls_privkey_deinit(op->private);
    if (op->public != NULL)
        gnutls_pubkey_deinit(op->public);
}

/* The library allocates each signature, as it does in a handshake. */
static int sign(tlx_operation *base) {
    struct signature_operation *op = (struct signature_operation *)base;
    gnutls_datum_t message = {base->message, (unsigned)base->length}, signature = {NULL, 0};
    int code = gnutls_privkey_sign_data2(op->private, op->scheme->id, 0, &message, &signature);
    if (code >= 0 && signature.size > SIGNATURE_ROOM)
        code = GNUTLS_E_SHORT_MEMORY_BUFFER;
    if (code >= 0) {
        memcpy(base->output, signature.data, signature.size);
        base->output_length = signature.size;
    }
    gnutls_free(signature.data);
    return code;
}

static int verify_bytes(struct signature_operation *op, unsigned char *signature, size_t length) {
    gnutls_datum_t message = {op->base.message, (unsigned)op->base.length}, given = {signature, (unsigned)length};
    return gnutls_pubkey_verify_data2(op->public, op->scheme->id, 0, &message, &given);
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
    int code;
    base->message[0] ^= 1;
    code = verify(base);
    base->message[0] ^= 1;
    return code < 0 ? 0 : GNUTLS_E_PK_SIG_VERIFY_FAILED;
}

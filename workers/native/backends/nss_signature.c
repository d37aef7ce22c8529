/* NSS: signatures. Only the keys are kept; the message is hashed and the hash signed, as libssl does it. RSA signs as
 * TLS 1.3 does: PSS, SHA-256, a salt as long as the digest. ECDSA turns between DER and the token's own form.
 */

#include "nss_operation.h"

#include <cryptohi.h>

static const struct scheme {
    const char *algorithm;
    CK_MECHANISM_TYPE mechanism;
    SECOidTag digest;
    unsigned digest_length;
} schemes[] = {
    {"rsa-2048", CKM_RSA_PKCS_PSS, SEC_OID_SHA256, 32},
    {"rsa-3072", CKM_RSA_PKCS_PSS, SEC_OID_SHA256, 32},
    {"rsa-4096", CKM_RSA_PKCS_PSS, SEC_OID_SHA256, 32},
    {"ecdsa-p256", CKM_ECDSA, SEC_OID_SHA256, 32},
    {"ecdsa-p384", CKM_ECDSA, SEC_OID_SHA384, 48},
};

enum { SIGNATURE_ROOM = 1024 };

struct signature_operation {
    tlx_operation base;
    const struct scheme *scheme;
    SECKEYPrivateKey *private;
    SECKEYPublicKey *public;
    unsigned char signature[SIGNATURE_ROOM]; /* to verify */
    size_t signature_length;
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
    return scheme == NULL ? -1 : PK11_TokenExists(scheme->mechanism);
}

int tlx_signature_new(const char *algorithm, int signing, const struct tlx_inputs *inputs, tlx_operation **made) {
    struct signature_operation *op =
        (struct signature_operation *)tlx_operation_alloc(sizeof *op, SIGNATURE_ROOM, inputs);
    if (op == NULL)
        return tlx_fail("allocating a signature operation");
    op->base.release = release;
    op->scheme = find(algorithm);
    op->base.once = signing ? sign : verify;
    op->base.check = signing ? check_signature : check_refusal;
    if (!prepare(op, inputs)) {
        int result = tlx_fail(algorithm);
        tlx_operation_free(&op->base);
        return result;
    }
    *made = &op->base;
    return TLX_OK;
}

/* NSS makes the public key of an RSA private key, and of an EC one only if its point is there. */
static int prepare(struct signature_operation *op, const struct tlx_inputs *inputs) {
    struct tlx_bytes text = inputs->signing_key;
    SECItem pkcs8 = {siBuffer, NULL, 0};
    if (inputs->signature.length > SIGNATURE_ROOM || !tlx_next_pem(&text, &pkcs8))
        return 0;
    if (inputs->signature.length > 0)
        memcpy(op->signature, inputs->signature.data, inputs->signature.length);
    op->signature_length = inputs->signature.length;
    op->private = tlx_import_private(pkcs8, tlx_item("", 0));
    SECITEM_FreeItem(&pkcs8, PR_FALSE);
    op->public = op->private ? SECKEY_ConvertToPublicKey(op->private) : NULL;
    return op->public != NULL;
}

static void release(tlx_operation *base) {
    struct signature_operation *op = (struct signature_operation *)base;
    SECKEY_DestroyPrivateKey(op->private);
    SECKEY_DestroyPublicKey(op->public);
}

static const SECItem *parameters(const struct scheme *scheme) {
    static CK_RSA_PKCS_PSS_PARAMS pss = {CKM_SHA256, CKG_MGF1_SHA256, 32};
    static const SECItem item = {siBuffer, (unsigned char *)&pss, sizeof pss};
    return scheme->mechanism == CKM_RSA_PKCS_PSS ? &item : NULL;
}

static int hash(const struct signature_operation *op, unsigned char *out) {
    return PK11_HashBuf(op->scheme->digest, out, op->base.message, op->base.length) == SECSuccess;
}

static int sign(tlx_operation *base) {
    struct signature_operation *op = (struct signature_operation *)base;
    unsigned char digest[64], raw[SIGNATURE_ROOM];
    SECItem hashed = tlx_item(digest, op->scheme->digest_length), made, der = {siBuffer, NULL, 0};
    int length = PK11_SignatureLen(op->private);
    if (length <= 0 || length > SIGNATURE_ROOM || !hash(op, digest))
        return 0;
    made = tlx_item(raw, (size_t)length);
    if (PK11_SignWithMechanism(op->private, op->scheme->mechanism, parameters(op->scheme), &made, &hashed)
        != SECSuccess)
        return 0;
    if (op->scheme->mechanism != CKM_ECDSA) {
        memcpy(base->output, made.data, made.len);
        base->output_length = made.len;
        return 1;
    }
    if (DSAU_EncodeDerSigWithLen(&der, &made, made.len) != SECSuccess)
        return 0;
    memcpy(base->output, der.data, der.len);
    base->output_length = der.len;
    SECITEM_FreeItem(&der, PR_FALSE);
    return 1;
}

static int verify_bytes(struct signature_operation *op, const unsigned char *signature, size_t length) {
    unsigned char digest[64];
    SECItem hashed = tlx_item(digest, op->scheme->digest_length), given = tlx_item(signature, length);
    SECItem *raw = NULL;
    int done;
    if (!hash(op, digest))
        return 0;
    if (op->scheme->mechanism == CKM_ECDSA) {
        raw = DSAU_DecodeDerSigToLen(&given, SECKEY_SignatureLen(op->public));
        if (raw == NULL)
            return 0;
    }
    done = PK11_VerifyWithMechanism(op->public, op->scheme->mechanism, parameters(op->scheme), raw ? raw : &given,
                                    &hashed, NULL)
           == SECSuccess;
    SECITEM_FreeItem(raw, PR_TRUE);
    return done;
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
    refused = !verify(base);
    base->message[0] ^= 1;
    return refused;
}

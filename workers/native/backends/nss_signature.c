/* NSS: signatures. Only the keys are kept; the message is hashed and the hash signed, as libssl does it. RSA signs as
 * TLS 1.3 does: PSS, SHA-256, a salt as long as the digest. ECDSA turns between DER and the token's own form.
 */

#include "nss_backend.h"

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

struct tlx_operation {
    struct tlx_operation_base;
    const struct scheme *row;
    SECKEYPrivateKey *private;
    SECKEYPublicKey *public;
};

static int has(tlx_operation *op) { return PK11_TokenExists(op->row->mechanism); }

static const SECItem *parameters(const struct scheme *scheme) {
    static CK_RSA_PKCS_PSS_PARAMS pss = {CKM_SHA256, CKG_MGF1_SHA256, 32};
    static const SECItem item = {siBuffer, (unsigned char *)&pss, sizeof pss};
    return scheme->mechanism == CKM_RSA_PKCS_PSS ? &item : NULL;
}

static int hash(const tlx_operation *op, unsigned char *out) {
    return PK11_HashBuf(op->row->digest, out, op->message, op->length) == SECSuccess;
}

static void take(tlx_operation *op, const SECItem *made) {
    memcpy(op->output, made->data, made->len);
    op->output_length = made->len;
}

static int sign(tlx_operation *op) {
    unsigned char digest[64], raw[SIGNATURE_ROOM];
    SECItem hashed = tlx_item(digest, op->row->digest_length), made, der = {siBuffer, NULL, 0};
    int length = PK11_SignatureLen(op->private);
    if (length <= 0 || length > SIGNATURE_ROOM || !hash(op, digest))
        return TLX_FAILED;
    made = tlx_item(raw, (size_t)length);
    if (PK11_SignWithMechanism(op->private, op->row->mechanism, parameters(op->row), &made, &hashed) != SECSuccess)
        return TLX_FAILED;
    if (op->row->mechanism != CKM_ECDSA) {
        take(op, &made);
        return 0;
    }
    if (DSAU_EncodeDerSigWithLen(&der, &made, made.len) != SECSuccess)
        return TLX_FAILED;
    take(op, &der);
    SECITEM_FreeItem(&der, PR_FALSE);
    return 0;
}

static int verify(tlx_operation *op) {
    unsigned char digest[64];
    SECItem hashed = tlx_item(digest, op->row->digest_length);
    SECItem given = tlx_item(op->signature, op->signature_length), *raw = NULL;
    int done;
    if (!hash(op, digest))
        return TLX_FAILED;
    if (op->row->mechanism == CKM_ECDSA) {
        raw = DSAU_DecodeDerSigToLen(&given, SECKEY_SignatureLen(op->public));
        if (raw == NULL)
            return TLX_FAILED;
    }
    done = PK11_VerifyWithMechanism(op->public, op->row->mechanism, parameters(op->row), raw ? raw : &given, &hashed,
                                    NULL) == SECSuccess;
    SECITEM_FreeItem(raw, PR_TRUE);
    return tlx_done(done);
}

/* NSS makes the public key of an RSA private key, and of an EC one only if its point is there. */
static int prepare(tlx_operation *op, const struct tlx_inputs *inputs) {
    struct tlx_bytes text = inputs->signing_key;
    SECItem pkcs8 = {siBuffer, NULL, 0};
    if (!tlx_next_pem(&text, &pkcs8))
        return TLX_FAILED;
    op->private = tlx_import_private(pkcs8, tlx_item("", 0));
    SECITEM_FreeItem(&pkcs8, PR_FALSE);
    op->public = op->private ? SECKEY_ConvertToPublicKey(op->private) : NULL;
    return op->public != NULL ? tlx_signature_start(op, sign, verify, 0) : TLX_FAILED;
}

static void release(tlx_operation *op) {
    SECKEY_DestroyPrivateKey(op->private);
    SECKEY_DestroyPublicKey(op->public);
}

const struct tlx_kind tlx_signature = {
    TLX_KIND(schemes), .room = SIGNATURE_ROOM, .has = has, .prepare = prepare, .release = release};

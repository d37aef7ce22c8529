/* NSS: Diffie-Hellman. As in libssl, each operation makes and drops its objects; only the private key is kept. */

#include "nss_backend.h"

#include <secoid.h>

static const struct exchange {
    const char *algorithm;
    SECOidTag curve;
    unsigned point; /* length of a public value */
} exchanges[] = {
    {"ecdh-p256", SEC_OID_SECG_EC_SECP256R1, 65},
    {"ecdh-p384", SEC_OID_SECG_EC_SECP384R1, 97},
    {"x25519", SEC_OID_CURVE25519, 32},
};

enum { SECRET_ROOM = 64, PKCS8_ROOM = 160, SCALAR = 32 };

struct tlx_operation {
    struct tlx_operation_base;
    const struct exchange *row;
    unsigned char curve[32];
    SECItem parameters; /* the curve, DER */
    SECKEYPrivateKey *own;
    SECKEYPublicKey *own_public;
    SECKEYPublicKey other;
};

/* ---- operations ----------------------------------------------------------------------------------------------- */

static int keygen(tlx_operation *op) {
    SECKEY_DestroyPrivateKey(op->own);
    SECKEY_DestroyPublicKey(op->own_public);
    op->own_public = NULL;
    op->own = SECKEY_CreateECPrivateKey(&op->parameters, &op->own_public, NULL);
    return tlx_done(op->own != NULL && op->own_public != NULL);
}

/* The secret stays an object of the token until its bytes are read. */
static int derive_secret(SECKEYPrivateKey *own, SECKEYPublicKey *peer, unsigned char *out, size_t *length) {
    PK11SymKey *secret = PK11_PubDeriveWithKDF(own, peer, PR_FALSE, NULL, NULL, CKM_ECDH1_DERIVE, CKM_HKDF_DERIVE,
                                               CKA_DERIVE, 0, CKD_NULL, NULL, NULL);
    SECItem *bytes = NULL;
    if (secret != NULL && PK11_ExtractKeyValue(secret) == SECSuccess)
        bytes = PK11_GetKeyData(secret);
    *length = bytes != NULL && bytes->len <= SECRET_ROOM ? bytes->len : 0;
    if (*length > 0)
        memcpy(out, bytes->data, *length);
    PK11_FreeSymKey(secret);
    return *length > 0;
}

static int derive(tlx_operation *op) {
    return tlx_done(derive_secret(op->own, &op->other, op->output, &op->output_length));
}

/* Two parties must come to one secret with the fresh key. */
static int check_key(tlx_operation *op) {
    SECKEYPublicKey *other_public = NULL;
    SECKEYPrivateKey *other = SECKEY_CreateECPrivateKey(&op->parameters, &other_public, NULL);
    unsigned char ours[SECRET_ROOM], theirs[SECRET_ROOM];
    size_t our_length, their_length;
    int done = other != NULL && derive_secret(op->own, other_public, ours, &our_length)
               && derive_secret(other, op->own_public, theirs, &their_length);
    SECKEY_DestroyPrivateKey(other);
    SECKEY_DestroyPublicKey(other_public);
    return done ? tlx_agree(ours, our_length, theirs, their_length) : TLX_FAILED;
}

/* ---- setting up ----------------------------------------------------------------------------------------------- */

static int set_curve(tlx_operation *op) {
    const SECOidData *oid = SECOID_FindOIDByTag(op->row->curve);
    if (oid == NULL || oid->oid.len + 2 > sizeof op->curve)
        return 0;
    op->curve[0] = SEC_ASN1_OBJECT_ID;
    op->curve[1] = (unsigned char)oid->oid.len;
    memcpy(op->curve + 2, oid->oid.data, oid->oid.len);
    op->parameters = tlx_item(op->curve, oid->oid.len + 2);
    return 1;
}

/* The library knows PKCS #8 of EC keys alone, so a key of RFC 8410 is written as one of the curve by its older name:
 * the algorithm with that curve, and an ECPrivateKey (RFC 5915) with the 32 bytes at the end of the given key. A
 * public value has to be in it, and is not used to derive: the base point stands there. */
static SECKEYPrivateKey *import_x25519(const tlx_operation *op, struct tlx_bytes given) {
    static const unsigned char ec_public_key[] = {0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01};
    static const unsigned char public[5 + SCALAR] = {0xa1, 3 + SCALAR, 0x03, 1 + SCALAR, 0x00, 9};
    enum { EC_PRIVATE_KEY = 5 + SCALAR + sizeof public };
    unsigned char der[PKCS8_ROOM], *at = der + 2;
    unsigned curve = op->parameters.len;
    if (given.length < SCALAR)
        return NULL;
    memcpy(at, (unsigned char[]){0x02, 0x01, 0x00, 0x30, (unsigned char)(sizeof ec_public_key + curve)}, 5);
    memcpy(at + 5, ec_public_key, sizeof ec_public_key);
    at += 5 + sizeof ec_public_key;
    memcpy(at, op->curve, curve);
    at += curve;
    memcpy(at, (unsigned char[]){0x04, 2 + EC_PRIVATE_KEY, 0x30, EC_PRIVATE_KEY, 0x02, 0x01, 0x01, 0x04, SCALAR}, 9);
    memcpy(at + 9, given.data + given.length - SCALAR, SCALAR);
    at += 9 + SCALAR;
    memcpy(at, public, sizeof public);
    at += sizeof public;
    der[0] = 0x30;
    der[1] = (unsigned char)(at - der - 2);
    return tlx_import_private(tlx_item(der, (size_t)(at - der)), tlx_item("", 0));
}

static int prepare_derive(tlx_operation *op, const struct tlx_inputs *inputs) {
    SECItem pkcs8 = tlx_item(inputs->private_key.data, inputs->private_key.length);
    if (op->peer_length != op->row->point)
        return 0;
    op->other.keyType = ecKey;
    op->other.pkcs11ID = CK_INVALID_HANDLE;
    op->other.u.ec.DEREncodedParams = op->parameters;
    op->other.u.ec.encoding = ECPoint_Undefined;
    op->other.u.ec.publicValue = tlx_item(op->peer, op->row->point);
    op->own = op->row->curve == SEC_OID_CURVE25519 ? import_x25519(op, inputs->private_key)
              : tlx_import_private(pkcs8, tlx_item("", 0));
    return op->own != NULL;
}

static int prepare(tlx_operation *op, const struct tlx_inputs *inputs) {
    int generating = op->action == TLX_KEYGEN;
    op->once = generating ? keygen : derive;
    op->check = generating ? check_key : NULL;
    return tlx_done(set_curve(op) && (generating || prepare_derive(op, inputs)));
}

static void release(tlx_operation *op) {
    SECKEY_DestroyPrivateKey(op->own);
    SECKEY_DestroyPublicKey(op->own_public);
}

/* A token knows mechanisms and not curves, so a key is made. */
static int has(tlx_operation *op) {
    int has = set_curve(op) && keygen(op) == 0;
    release(op);
    return has;
}

const struct tlx_kind tlx_exchange = {
    TLX_KIND(exchanges), .room = SECRET_ROOM, .has = has, .prepare = prepare, .release = release};

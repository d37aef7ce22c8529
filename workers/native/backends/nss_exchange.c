/* NSS: Diffie-Hellman. As in libssl, each operation makes and drops its objects; only the private key is kept. */

#include "nss_operation.h"

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

enum { SECRET_ROOM = 64, POINT_ROOM = 128, PKCS8_ROOM = 160, SCALAR = 32 };

struct exchange_operation {
    tlx_operation base;
    const struct exchange *exchange;
    unsigned char curve[32], point[POINT_ROOM];
    SECItem parameters; /* the curve, DER */
    SECKEYPrivateKey *own;
    SECKEYPublicKey *own_public;
    SECKEYPublicKey peer;
};

static int set_curve(struct exchange_operation *);
static int prepare_derive(struct exchange_operation *, const struct tlx_inputs *);
static void release(tlx_operation *);
static int keygen(tlx_operation *);
static int check_key(tlx_operation *);
static int derive(tlx_operation *);

static const struct exchange *find(const char *algorithm) {
    for (size_t i = 0; i < COUNT(exchanges); i++)
        if (strcmp(exchanges[i].algorithm, algorithm) == 0)
            return &exchanges[i];
    return NULL;
}

/* A token knows mechanisms and not curves, so a key is made. */
int tlx_exchange_has(const char *algorithm) {
    struct exchange_operation trial = {.exchange = find(algorithm)};
    int has;
    if (trial.exchange == NULL)
        return -1;
    has = set_curve(&trial) && keygen(&trial.base);
    release(&trial.base);
    return has;
}

int tlx_exchange_new(const char *algorithm, int generating, const struct tlx_inputs *inputs, tlx_operation **made) {
    struct exchange_operation *op = (struct exchange_operation *)tlx_operation_alloc(sizeof *op, SECRET_ROOM, inputs);
    int done;
    if (op == NULL)
        return tlx_fail("allocating a key exchange operation");
    op->base.release = release;
    op->exchange = find(algorithm);
    op->base.once = generating ? keygen : derive;
    op->base.check = generating ? check_key : NULL;
    done = set_curve(op) && (generating || prepare_derive(op, inputs));
    if (!done) {
        int result = tlx_fail(algorithm);
        tlx_operation_free(&op->base);
        return result;
    }
    *made = &op->base;
    return TLX_OK;
}

/* ---- setting up ----------------------------------------------------------------------------------------------- */

static int set_curve(struct exchange_operation *op) {
    const SECOidData *oid = SECOID_FindOIDByTag(op->exchange->curve);
    if (oid == NULL || oid->oid.len + 2 > sizeof op->curve)
        return 0;
    op->curve[0] = SEC_ASN1_OBJECT_ID;
    op->curve[1] = (unsigned char)oid->oid.len;
    memcpy(op->curve + 2, oid->oid.data, oid->oid.len);
    op->parameters = tlx_item(op->curve, oid->oid.len + 2);
    return 1;
}

static SECKEYPublicKey public_key(struct exchange_operation *op, unsigned char *point) {
    SECKEYPublicKey key = {.keyType = ecKey, .pkcs11ID = CK_INVALID_HANDLE};
    key.u.ec.DEREncodedParams = op->parameters;
    key.u.ec.encoding = ECPoint_Undefined;
    key.u.ec.publicValue = tlx_item(point, op->exchange->point);
    return key;
}

/* The library knows PKCS #8 of EC keys alone, so a key of RFC 8410 is written as one of the curve by its older name:
 * the algorithm with that curve, and an ECPrivateKey (RFC 5915) with the 32 bytes at the end of the given key. A
 * public value has to be in it, and is not used to derive: the base point stands there. */
static SECKEYPrivateKey *import_x25519(const struct exchange_operation *op, struct tlx_bytes given) {
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

static int prepare_derive(struct exchange_operation *op, const struct tlx_inputs *inputs) {
    SECItem pkcs8 = tlx_item(inputs->private_key.data, inputs->private_key.length);
    if (inputs->peer.length != op->exchange->point)
        return 0;
    memcpy(op->point, inputs->peer.data, inputs->peer.length);
    op->peer = public_key(op, op->point);
    op->own = op->exchange->curve == SEC_OID_CURVE25519 ? import_x25519(op, inputs->private_key)
                                                        : tlx_import_private(pkcs8, tlx_item("", 0));
    return op->own != NULL;
}

static void release(tlx_operation *base) {
    struct exchange_operation *op = (struct exchange_operation *)base;
    SECKEY_DestroyPrivateKey(op->own);
    SECKEY_DestroyPublicKey(op->own_public);
}

/* ---- operations ----------------------------------------------------------------------------------------------- */

static int keygen(tlx_operation *base) {
    struct exchange_operation *op = (struct exchange_operation *)base;
    SECKEY_DestroyPrivateKey(op->own);
    SECKEY_DestroyPublicKey(op->own_public);
    op->own_public = NULL;
    op->own = SECKEY_CreateECPrivateKey(&op->parameters, &op->own_public, NULL);
    return op->own != NULL && op->own_public != NULL;
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

static int derive(tlx_operation *base) {
    struct exchange_operation *op = (struct exchange_operation *)base;
    return derive_secret(op->own, &op->peer, base->output, &base->output_length);
}

/* Two parties must come to one secret with the fresh key. */
static int check_key(tlx_operation *base) {
    struct exchange_operation *op = (struct exchange_operation *)base;
    SECKEYPublicKey *other_public = NULL;
    SECKEYPrivateKey *other = SECKEY_CreateECPrivateKey(&op->parameters, &other_public, NULL);
    unsigned char ours[SECRET_ROOM], theirs[SECRET_ROOM];
    size_t our_length, their_length;
    int same = other != NULL && derive_secret(op->own, other_public, ours, &our_length)
               && derive_secret(other, op->own_public, theirs, &their_length) && our_length == their_length
               && memcmp(ours, theirs, our_length) == 0;
    SECKEY_DestroyPrivateKey(other);
    SECKEY_DestroyPublicKey(other_public);
    return same;
}

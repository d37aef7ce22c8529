/* wolfSSL: signatures.
 *
 * As the TLS stack does it, the message is hashed with one call and the hash is signed; the key is kept. RSA signs as
 * TLS 1.3 does: PSS, SHA-256, a salt as long as the digest. The TLS stack also verifies each RSA signature that it has
 * made; this does not.
 */

#include "wolfssl_operation.h"

#include <wolfssl/wolfcrypt/asn_public.h>
#include <wolfssl/wolfcrypt/ecc.h>
#include <wolfssl/wolfcrypt/ed25519.h>
#include <wolfssl/wolfcrypt/hash.h>
#include <wolfssl/wolfcrypt/rsa.h>
#include <wolfssl/wolfcrypt/wc_mldsa.h>
#include <wolfssl/wolfcrypt/wc_slhdsa.h>

enum kind { RSA_PSS, ECDSA, EDDSA, ML_DSA, SLH_DSA };

static const struct scheme {
    const char *algorithm;
    enum kind kind;
    enum wc_HashType digest;
    byte level;
} schemes[] = {
    {"rsa-2048", RSA_PSS, WC_HASH_TYPE_SHA256, 0},  {"rsa-3072", RSA_PSS, WC_HASH_TYPE_SHA256, 0},
    {"rsa-4096", RSA_PSS, WC_HASH_TYPE_SHA256, 0},  {"ecdsa-p256", ECDSA, WC_HASH_TYPE_SHA256, 0},
    {"ecdsa-p384", ECDSA, WC_HASH_TYPE_SHA384, 0},  {"ed25519", EDDSA, WC_HASH_TYPE_NONE, 0},
    {"ml-dsa-44", ML_DSA, WC_HASH_TYPE_NONE, WC_ML_DSA_44},
    {"ml-dsa-65", ML_DSA, WC_HASH_TYPE_NONE, WC_ML_DSA_65},
    {"ml-dsa-87", ML_DSA, WC_HASH_TYPE_NONE, WC_ML_DSA_87},
    {"slh-dsa-sha2-128f", SLH_DSA, WC_HASH_TYPE_NONE, 0},
};

enum { SIGNATURE_ROOM = 20000, KEY_ROOM = 4096 };

struct signature_operation {
    tlx_operation base;
    const struct scheme *scheme;
    union {
        RsaKey rsa;
        ecc_key ecc;
        ed25519_key ed25519;
        wc_MlDsaKey ml_dsa;
        SlhDsaKey slh_dsa;
    } key;
    int key_started;
    unsigned char *signature; /* to verify */
    word32 signature_length;
};

static int start_key(struct signature_operation *);
static int load_key(struct signature_operation *, int signing, const struct tlx_inputs *);
static int take_signature(struct signature_operation *, const struct tlx_inputs *);
static int sign(tlx_operation *);
static int verify(tlx_operation *);
static int check_signature(tlx_operation *);
static int check_refusal(tlx_operation *);
static void release(tlx_operation *);

static const struct scheme *find(const char *algorithm) {
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++)
        if (strcmp(schemes[i].algorithm, algorithm) == 0)
            return &schemes[i];
    return NULL;
}

int tlx_signature_has(const char *algorithm) { return find(algorithm) != NULL; }

int tlx_signature_new(const char *algorithm, int signing, const struct tlx_inputs *inputs, tlx_operation **made) {
    struct signature_operation *op =
        (struct signature_operation *)tlx_operation_alloc(sizeof *op, SIGNATURE_ROOM, inputs);
    int result;
    if (op == NULL)
        return tlx_fail("allocating a signature operation", MEMORY_E);
    op->scheme = find(algorithm);
    op->base.release = release;
    op->base.once = signing ? sign : verify;
    op->base.check = signing ? check_signature : check_refusal;
    if (signing && op->scheme->kind == EDDSA)
        op->base.check = NULL; /* RFC 8032 signatures are not random */
    result = start_key(op);
    op->key_started = result == 0;
    if (result == 0)
        result = load_key(op, signing, inputs);
    if (result == 0 && !signing)
        result = take_signature(op, inputs);
    if (result != 0) {
        tlx_operation_free(&op->base);
        return tlx_fail(algorithm, result);
    }
    *made = &op->base;
    return TLX_OK;
}

/* ---- keys ----------------------------------------------------------------------------------------------------- */

static int start_key(struct signature_operation *op) {
    int result;
    switch (op->scheme->kind) {
    case RSA_PSS:
        result = wc_InitRsaKey(&op->key.rsa, NULL);
        return result != 0 ? result : wc_RsaSetRNG(&op->key.rsa, &op->base.rng);
    case ECDSA:
        result = wc_ecc_init(&op->key.ecc);
        return result != 0 ? result : wc_ecc_set_rng(&op->key.ecc, &op->base.rng);
    case EDDSA:
        return wc_ed25519_init(&op->key.ed25519);
    case ML_DSA:
        result = wc_MlDsaKey_Init(&op->key.ml_dsa, NULL, INVALID_DEVID);
        return result != 0 ? result : wc_MlDsaKey_SetParams(&op->key.ml_dsa, op->scheme->level);
    case SLH_DSA:
        return wc_SlhDsaKey_Init(&op->key.slh_dsa, SLHDSA_SHA2_128F, NULL, INVALID_DEVID);
    }
    return BAD_FUNC_ARG;
}

static void release(tlx_operation *base) {
    struct signature_operation *op = (struct signature_operation *)base;
    free(op->signature);
    if (!op->key_started)
        return;
    switch (op->scheme->kind) {
    case RSA_PSS:
        wc_FreeRsaKey(&op->key.rsa);
        break;
    case ECDSA:
        wc_ecc_free(&op->key.ecc);
        break;
    case EDDSA:
        wc_ed25519_free(&op->key.ed25519);
        break;
    case ML_DSA:
        wc_MlDsaKey_Free(&op->key.ml_dsa);
        break;
    case SLH_DSA:
        wc_SlhDsaKey_Free(&op->key.slh_dsa);
    }
}

/* Ed25519: PKCS #8 need not hold the public key, without which the library does not sign. */
static int load_ed25519(ed25519_key *key, const unsigned char *der, word32 length) {
    unsigned char public_key[ED25519_PUB_KEY_SIZE];
    word32 at = 0;
    int result = wc_Ed25519PrivateKeyDecode(der, &at, key, length);
    if (result == 0)
        result = wc_ed25519_make_public(key, public_key, sizeof public_key);
    return result != 0 ? result : wc_ed25519_import_public(public_key, sizeof public_key, key);
}

static int load_pem(struct signature_operation *op, struct tlx_bytes pem) {
    unsigned char der[KEY_ROOM];
    word32 at = 0;
    int length = wc_KeyPemToDer(pem.data, (int)pem.length, der, sizeof der, NULL);
    if (length < 0)
        return length;
    switch (op->scheme->kind) {
    case RSA_PSS:
        return wc_RsaPrivateKeyDecode(der, &at, &op->key.rsa, (word32)length);
    case ECDSA:
        return wc_EccPrivateKeyDecode(der, &at, &op->key.ecc, (word32)length);
    default:
        return load_ed25519(&op->key.ed25519, der, (word32)length);
    }
}

/* The keys that have no certificate come as bytes: to sign, a private key, which is then the one to verify with too;
 * to verify, the public key of another implementation. */
static int load_key(struct signature_operation *op, int signing, const struct tlx_inputs *inputs) {
    const struct tlx_bytes secret = inputs->private_key, peer = inputs->peer;
    int result;
    if (op->scheme->kind <= EDDSA)
        return load_pem(op, inputs->signing_key);
    if (op->scheme->kind == ML_DSA) {
        if (!signing)
            return wc_MlDsaKey_ImportPubRaw(&op->key.ml_dsa, peer.data, (word32)peer.length);
        result = wc_MlDsaKey_ImportPrivRaw(&op->key.ml_dsa, secret.data, (word32)secret.length);
        return result != 0 ? result : wc_MlDsaKey_ImportPubRaw(&op->key.ml_dsa, peer.data, (word32)peer.length);
    }
    if (!signing)
        return wc_SlhDsaKey_ImportPublic(&op->key.slh_dsa, peer.data, (word32)peer.length);
    return wc_SlhDsaKey_ImportPrivate(&op->key.slh_dsa, secret.data, (word32)secret.length);
}

/* Another implementation's signature, or one of our own where there is none. */
static int take_signature(struct signature_operation *op, const struct tlx_inputs *inputs) {
    const unsigned char *from = inputs->signature.data;
    size_t length = inputs->signature.length;
    int result;
    if (length == 0) {
        result = sign(&op->base);
        if (result != 0)
            return result;
        from = op->base.output;
        length = op->base.output_length;
    }
    op->signature = malloc(length);
    if (op->signature == NULL)
        return MEMORY_E;
    memcpy(op->signature, from, length);
    op->signature_length = (word32)length;
    return 0;
}

/* ---- signatures ----------------------------------------------------------------------------------------------- */

static int hash(struct signature_operation *op, unsigned char *out, word32 *length) {
    *length = (word32)wc_HashGetDigestSize(op->scheme->digest);
    return wc_Hash(op->scheme->digest, op->base.message, op->base.length, out, *length);
}

static int sign_hash(struct signature_operation *op) {
    unsigned char digest[WC_MAX_DIGEST_SIZE];
    word32 length;
    int result = hash(op, digest, &length);
    if (result != 0)
        return result;
    if (op->scheme->kind == ECDSA)
        return wc_ecc_sign_hash(digest, length, op->base.output, &op->base.output_length, &op->base.rng, &op->key.ecc);
    result = wc_RsaPSS_Sign(digest, length, op->base.output, op->base.output_length, WC_HASH_TYPE_SHA256,
                            WC_MGF1SHA256, &op->key.rsa, &op->base.rng);
    if (result < 0)
        return result;
    op->base.output_length = (word32)result;
    return 0;
}

static int sign(tlx_operation *base) {
    struct signature_operation *op = (struct signature_operation *)base;
    base->output_length = SIGNATURE_ROOM;
    switch (op->scheme->kind) {
    case EDDSA:
        return wc_ed25519_sign_msg(base->message, base->length, base->output, &base->output_length, &op->key.ed25519);
    case ML_DSA:
        return wc_MlDsaKey_SignCtx(&op->key.ml_dsa, NULL, 0, base->output, &base->output_length, base->message,
                                   base->length, &base->rng);
    case SLH_DSA:
        return wc_SlhDsaKey_Sign(&op->key.slh_dsa, NULL, 0, base->message, base->length, base->output,
                                 &base->output_length, &base->rng);
    default:
        return sign_hash(op);
    }
}

static int verify_hash(struct signature_operation *op, const unsigned char *signature, word32 length) {
    unsigned char digest[WC_MAX_DIGEST_SIZE], opened[RSA_MAX_SIZE / 8];
    word32 digest_length;
    int valid = 0, result = hash(op, digest, &digest_length);
    if (result != 0)
        return result;
    if (op->scheme->kind == ECDSA) {
        result = wc_ecc_verify_hash(signature, length, digest, digest_length, &valid, &op->key.ecc);
        return result != 0 ? result : valid ? 0 : SIG_VERIFY_E;
    }
    result = wc_RsaPSS_VerifyCheck(signature, length, opened, sizeof opened, digest, digest_length,
                                   WC_HASH_TYPE_SHA256, WC_MGF1SHA256, &op->key.rsa);
    return result < 0 ? result : 0;
}

static int verify_bytes(struct signature_operation *op, const unsigned char *signature, word32 length) {
    tlx_operation *base = &op->base;
    int valid = 0, result;
    switch (op->scheme->kind) {
    case EDDSA:
        result = wc_ed25519_verify_msg(signature, length, base->message, base->length, &valid, &op->key.ed25519);
        break;
    case ML_DSA:
        result = wc_MlDsaKey_VerifyCtx(&op->key.ml_dsa, signature, length, NULL, 0, base->message, base->length,
                                       &valid);
        break;
    case SLH_DSA:
        return wc_SlhDsaKey_Verify(&op->key.slh_dsa, NULL, 0, base->message, base->length, signature, length);
    default:
        return verify_hash(op, signature, length);
    }
    return result != 0 ? result : valid ? 0 : SIG_VERIFY_E;
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
    int result;
    base->message[0] ^= 1;
    result = verify(base);
    base->message[0] ^= 1;
    return result != 0 ? 0 : SIG_VERIFY_E;
}

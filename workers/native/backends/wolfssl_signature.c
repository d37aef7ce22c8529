/* wolfSSL: signatures.
 *
 * As the TLS stack does it, the message is hashed with one call and the hash is signed; the key is kept. RSA signs as
 * TLS 1.3 does: PSS, SHA-256, a salt as long as the digest. The TLS stack also verifies each RSA signature that it has
 * made; this does not.
 */

#include "wolfssl_backend.h"

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

struct tlx_operation {
    struct tlx_operation_base;
    const struct scheme *row;
    WC_RNG rng;
    union {
        RsaKey rsa;
        ecc_key ecc;
        ed25519_key ed25519;
        wc_MlDsaKey ml_dsa;
        SlhDsaKey slh_dsa;
    } own;
    int key_started;
};

/* ---- signatures ----------------------------------------------------------------------------------------------- */

static int hash(tlx_operation *op, unsigned char *out, word32 *length) {
    *length = (word32)wc_HashGetDigestSize(op->row->digest);
    return wc_Hash(op->row->digest, op->message, op->length, out, *length);
}

/* `length`: the room for the signature, then its length. */
static int sign_hash(tlx_operation *op, word32 *length) {
    unsigned char digest[WC_MAX_DIGEST_SIZE];
    word32 digest_length;
    int result = hash(op, digest, &digest_length);
    if (result != 0)
        return result;
    if (op->row->kind == ECDSA)
        return wc_ecc_sign_hash(digest, digest_length, op->output, length, &op->rng, &op->own.ecc);
    result = wc_RsaPSS_Sign(digest, digest_length, op->output, *length, WC_HASH_TYPE_SHA256, WC_MGF1SHA256,
                            &op->own.rsa, &op->rng);
    if (result < 0)
        return result;
    *length = (word32)result;
    return 0;
}

static int sign_message(tlx_operation *op, word32 *length) {
    switch (op->row->kind) {
    case EDDSA:
        return wc_ed25519_sign_msg(op->message, op->length, op->output, length, &op->own.ed25519);
    case ML_DSA:
        return wc_MlDsaKey_SignCtx(&op->own.ml_dsa, NULL, 0, op->output, length, op->message, op->length, &op->rng);
    case SLH_DSA:
        return wc_SlhDsaKey_Sign(&op->own.slh_dsa, NULL, 0, op->message, op->length, op->output, length, &op->rng);
    default:
        return sign_hash(op, length);
    }
}

static int sign(tlx_operation *op) {
    word32 length = SIGNATURE_ROOM;
    int result = sign_message(op, &length);
    op->output_length = length;
    return result;
}

static int verify_hash(tlx_operation *op) {
    const unsigned char *signature = op->signature;
    word32 length = op->signature_length, digest_length;
    unsigned char digest[WC_MAX_DIGEST_SIZE], opened[RSA_MAX_SIZE / 8];
    int valid = 0, result = hash(op, digest, &digest_length);
    if (result != 0)
        return result;
    if (op->row->kind == ECDSA)
        return wc_ecc_verify_hash(signature, length, digest, digest_length, &valid, &op->own.ecc)
               ?: (valid ? 0 : SIG_VERIFY_E);
    result = wc_RsaPSS_VerifyCheck(signature, length, opened, sizeof opened, digest, digest_length, WC_HASH_TYPE_SHA256,
                                   WC_MGF1SHA256, &op->own.rsa);
    return result < 0 ? result : 0;
}

static int verify(tlx_operation *op) {
    const unsigned char *signature = op->signature;
    word32 length = op->signature_length;
    int valid = 0;
    switch (op->row->kind) {
    case EDDSA:
        return wc_ed25519_verify_msg(signature, length, op->message, op->length, &valid, &op->own.ed25519)
               ?: (valid ? 0 : SIG_VERIFY_E);
    case ML_DSA:
        return wc_MlDsaKey_VerifyCtx(&op->own.ml_dsa, signature, length, NULL, 0, op->message, op->length, &valid)
               ?: (valid ? 0 : SIG_VERIFY_E);
    case SLH_DSA:
        return wc_SlhDsaKey_Verify(&op->own.slh_dsa, NULL, 0, op->message, op->length, signature, length);
    default:
        return verify_hash(op);
    }
}

/* ---- setting up ----------------------------------------------------------------------------------------------- */

static int start_key(tlx_operation *op) {
    switch (op->row->kind) {
    case RSA_PSS:
        return wc_InitRsaKey(&op->own.rsa, NULL) ?: wc_RsaSetRNG(&op->own.rsa, &op->rng);
    case ECDSA:
        return wc_ecc_init(&op->own.ecc) ?: wc_ecc_set_rng(&op->own.ecc, &op->rng);
    case EDDSA:
        return wc_ed25519_init(&op->own.ed25519);
    case ML_DSA:
        return wc_MlDsaKey_Init(&op->own.ml_dsa, NULL, INVALID_DEVID)
               ?: wc_MlDsaKey_SetParams(&op->own.ml_dsa, op->row->level);
    default:
        return wc_SlhDsaKey_Init(&op->own.slh_dsa, SLHDSA_SHA2_128F, NULL, INVALID_DEVID);
    }
}

/* Ed25519: PKCS #8 need not hold the public key, without which the library does not sign. */
static int load_ed25519(ed25519_key *key, const unsigned char *der, word32 length) {
    unsigned char public_key[ED25519_PUB_KEY_SIZE];
    word32 at = 0;
    return wc_Ed25519PrivateKeyDecode(der, &at, key, length)
           ?: wc_ed25519_make_public(key, public_key, sizeof public_key)
           ?: wc_ed25519_import_public(public_key, sizeof public_key, key);
}

static int load_pem(tlx_operation *op, struct tlx_bytes pem) {
    unsigned char der[KEY_ROOM];
    word32 at = 0;
    int length = wc_KeyPemToDer(pem.data, (int)pem.length, der, sizeof der, NULL);
    if (length < 0)
        return length;
    switch (op->row->kind) {
    case RSA_PSS:
        return wc_RsaPrivateKeyDecode(der, &at, &op->own.rsa, (word32)length);
    case ECDSA:
        return wc_EccPrivateKeyDecode(der, &at, &op->own.ecc, (word32)length);
    default:
        return load_ed25519(&op->own.ed25519, der, (word32)length);
    }
}

/* The keys that have no certificate come as bytes: to sign, a private key, which is then the one to verify with too;
 * to verify, the public key of another implementation. */
static int load_key(tlx_operation *op, const struct tlx_inputs *inputs) {
    const struct tlx_bytes secret = inputs->private_key, peer = inputs->peer;
    int signing = op->action == TLX_SIGN;
    if (op->row->kind <= EDDSA)
        return load_pem(op, inputs->signing_key);
    if (op->row->kind == ML_DSA) {
        if (!signing)
            return wc_MlDsaKey_ImportPubRaw(&op->own.ml_dsa, peer.data, (word32)peer.length);
        return wc_MlDsaKey_ImportPrivRaw(&op->own.ml_dsa, secret.data, (word32)secret.length)
               ?: wc_MlDsaKey_ImportPubRaw(&op->own.ml_dsa, peer.data, (word32)peer.length);
    }
    if (!signing)
        return wc_SlhDsaKey_ImportPublic(&op->own.slh_dsa, peer.data, (word32)peer.length);
    return wc_SlhDsaKey_ImportPrivate(&op->own.slh_dsa, secret.data, (word32)secret.length);
}

static int prepare(tlx_operation *op, const struct tlx_inputs *inputs) {
    int result = wc_InitRng(&op->rng) ?: start_key(op);
    op->key_started = result == 0;
    /* RFC 8032 signatures are not random. */
    return result ?: load_key(op, inputs) ?: tlx_signature_start(op, sign, verify, op->row->kind == EDDSA);
}

static void release(tlx_operation *op) {
    wc_FreeRng(&op->rng);
    if (!op->key_started)
        return;
    switch (op->row->kind) {
    case RSA_PSS:
        wc_FreeRsaKey(&op->own.rsa);
        break;
    case ECDSA:
        wc_ecc_free(&op->own.ecc);
        break;
    case EDDSA:
        wc_ed25519_free(&op->own.ed25519);
        break;
    case ML_DSA:
        wc_MlDsaKey_Free(&op->own.ml_dsa);
        break;
    case SLH_DSA:
        wc_SlhDsaKey_Free(&op->own.slh_dsa);
    }
}

const struct tlx_kind tlx_signature = {
    TLX_KIND(schemes), .room = SIGNATURE_ROOM, .prepare = prepare, .release = release};

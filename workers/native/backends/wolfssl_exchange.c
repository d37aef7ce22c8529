/* wolfSSL: Diffie-Hellman and key encapsulation.
 *
 * As the TLS stack does it, the peer's public value is imported, and checked by the library, every time; only our own
 * key is kept.
 */

#include "wolfssl_backend.h"

#include <wolfssl/wolfcrypt/asn_public.h>
#include <wolfssl/wolfcrypt/curve25519.h>
#include <wolfssl/wolfcrypt/ecc.h>
#include <wolfssl/wolfcrypt/wc_mlkem.h>

enum kind { ECDH, XDH, KEM };

static const struct exchange {
    const char *algorithm;
    enum kind kind;
    int size, curve;
} exchanges[] = {
    {"ecdh-p256", ECDH, 32, ECC_SECP256R1},
    {"ecdh-p384", ECDH, 48, ECC_SECP384R1},
    {"x25519", XDH, CURVE25519_KEYSIZE, 0},
    {"ml-kem-768", KEM, 0, 0},
};

enum { ROOM = 2048, SECRET = 64 };

union key {
    ecc_key ecc;
    curve25519_key x25519;
    MlKemKey kem;
};

struct tlx_operation {
    struct tlx_operation_base;
    const struct exchange *row;
    WC_RNG rng;
    union key own; /* encapsulation: of the one who checks */
    int own_started;
    unsigned char secret[SECRET];
};

/* ---- keys ----------------------------------------------------------------------------------------------------- */

static int start(tlx_operation *op, union key *key) {
    switch (op->row->kind) {
    case ECDH:
        return wc_ecc_init(&key->ecc) ?: wc_ecc_set_rng(&key->ecc, &op->rng);
    case XDH:
        return wc_curve25519_init(&key->x25519);
    default:
        return wc_MlKemKey_Init(&key->kem, WC_ML_KEM_768, NULL, INVALID_DEVID);
    }
}

static void stop(tlx_operation *op, union key *key) {
    switch (op->row->kind) {
    case ECDH:
        wc_ecc_free(&key->ecc);
        break;
    case XDH:
        wc_curve25519_free(&key->x25519);
        break;
    case KEM:
        wc_MlKemKey_Free(&key->kem);
    }
}

/* The library's reader of PKCS #8 takes X25519 keys for big-endian; the key is the end of the encoding (RFC 8410 7). */
static int load_x25519(curve25519_key *key, struct tlx_bytes secret) {
    if (secret.length < CURVE25519_KEYSIZE)
        return BUFFER_E;
    return wc_curve25519_import_private_ex(secret.data + secret.length - CURVE25519_KEYSIZE, CURVE25519_KEYSIZE, key,
                                           EC25519_LITTLE_ENDIAN);
}

static int load_own(tlx_operation *op, struct tlx_bytes secret) {
    word32 at = 0;
    int result = start(op, &op->own);
    op->own_started = result == 0;
    if (result != 0)
        return result;
    switch (op->row->kind) {
    case ECDH:
        return wc_EccPrivateKeyDecode(secret.data, &at, &op->own.ecc, (word32)secret.length);
    case XDH:
        return load_x25519(&op->own.x25519, secret);
    default:
        return wc_MlKemKey_DecodePrivateKey(&op->own.kem, secret.data, (word32)secret.length);
    }
}

static int generate(tlx_operation *op, union key *key) {
    int result = start(op, key);
    if (result != 0)
        return result;
    switch (op->row->kind) {
    case ECDH:
        return wc_ecc_make_key_ex(&op->rng, op->row->size, &key->ecc, op->row->curve);
    case XDH:
        return wc_curve25519_make_key(&op->rng, op->row->size, &key->x25519);
    default:
        return wc_MlKemKey_MakeKey(&key->kem, &op->rng);
    }
}

static int export_public(tlx_operation *op, union key *key, unsigned char *out, word32 *length) {
    switch (op->row->kind) {
    case ECDH:
        return wc_ecc_export_x963(&key->ecc, out, length);
    case XDH:
        return wc_curve25519_export_public_ex(&key->x25519, out, length, EC25519_LITTLE_ENDIAN);
    default:
        return wc_MlKemKey_PublicKeySize(&key->kem, length) != 0
                   ? BAD_FUNC_ARG
                   : wc_MlKemKey_EncodePublicKey(&key->kem, out, *length);
    }
}

/* ---- Diffie-Hellman ------------------------------------------------------------------------------------------- */

static int keygen(tlx_operation *op) {
    if (op->own_started)
        stop(op, &op->own);
    op->own_started = 1;
    return generate(op, &op->own);
}

static int agree(tlx_operation *op, union key *own, const unsigned char *peer, word32 peer_length, unsigned char *out,
                 word32 *length) {
    union key public_key;
    int result = start(op, &public_key);
    if (result != 0)
        return result;
    if (op->row->kind == ECDH)
        result = wc_ecc_import_x963_ex(peer, peer_length, &public_key.ecc, op->row->curve)
                 ?: wc_ecc_shared_secret(&own->ecc, &public_key.ecc, out, length);
    else
        result = wc_curve25519_check_public(peer, peer_length, EC25519_LITTLE_ENDIAN)
                 ?: wc_curve25519_import_public_ex(peer, peer_length, &public_key.x25519, EC25519_LITTLE_ENDIAN)
                 ?: wc_curve25519_shared_secret_ex(&own->x25519, &public_key.x25519, out, length, EC25519_LITTLE_ENDIAN);
    stop(op, &public_key);
    return result;
}

static int derive(tlx_operation *op) {
    word32 length = SECRET;
    int result = agree(op, &op->own, op->peer, op->peer_length, op->output, &length);
    op->output_length = length;
    return result;
}

/* Two parties must come to one secret with the fresh key. */
static int check_agreement(tlx_operation *op) {
    unsigned char ours[SECRET], theirs[SECRET], our_public[ROOM], their_public[ROOM];
    word32 our_length = SECRET, their_length = SECRET, our_public_length = ROOM, their_public_length = ROOM;
    union key other;
    int result = generate(op, &other)
                 ?: export_public(op, &op->own, our_public, &our_public_length)
                 ?: export_public(op, &other, their_public, &their_public_length)
                 ?: agree(op, &op->own, their_public, their_public_length, ours, &our_length)
                 ?: agree(op, &other, our_public, our_public_length, theirs, &their_length);
    stop(op, &other);
    return result != 0 ? result : tlx_agree(ours, our_length, theirs, their_length);
}

/* ---- key encapsulation ---------------------------------------------------------------------------------------- */

static int encapsulate_to(tlx_operation *op, const unsigned char *public_bytes, word32 length) {
    MlKemKey key;
    word32 made = 0;
    int result = wc_MlKemKey_Init(&key, WC_ML_KEM_768, NULL, INVALID_DEVID);
    if (result != 0)
        return result;
    result = wc_MlKemKey_DecodePublicKey(&key, public_bytes, length)
             ?: wc_MlKemKey_CipherTextSize(&key, &made)
             ?: wc_MlKemKey_Encapsulate(&key, op->output, op->secret, &op->rng);
    op->output_length = made;
    wc_MlKemKey_Free(&key);
    return result;
}

static int encapsulate(tlx_operation *op) { return encapsulate_to(op, op->peer, op->peer_length); }

static int check_secret(tlx_operation *op, MlKemKey *key) {
    unsigned char secret[SECRET];
    word32 length;
    return wc_MlKemKey_SharedSecretSize(key, &length)
           ?: wc_MlKemKey_Decapsulate(key, secret, op->output, op->output_length)
           ?: tlx_agree(secret, length, op->secret, length);
}

static int check_encapsulated(tlx_operation *op) { return check_secret(op, &op->own.kem); }

static int check_keygen(tlx_operation *op) {
    unsigned char public_bytes[ROOM];
    word32 length;
    if (op->row->kind != KEM)
        return check_agreement(op);
    return export_public(op, &op->own, public_bytes, &length)
           ?: encapsulate_to(op, public_bytes, length)
           ?: check_secret(op, &op->own.kem);
}

static int decapsulate(tlx_operation *op) {
    word32 length = 0;
    int result = wc_MlKemKey_SharedSecretSize(&op->own.kem, &length);
    op->output_length = length;
    return result != 0 ? result : wc_MlKemKey_Decapsulate(&op->own.kem, op->output, op->peer, op->peer_length);
}

/* ---- setting up ----------------------------------------------------------------------------------------------- */

static int prepare(tlx_operation *op, const struct tlx_inputs *inputs) {
    static const struct {
        int (*once)(tlx_operation *), (*check)(tlx_operation *);
    } calls[TLX_ACT + 1] = {
        [TLX_KEYGEN] = {keygen, check_keygen},
        [TLX_DERIVE] = {derive, NULL},
        [TLX_ENCAPSULATE] = {encapsulate, check_encapsulated},
        [TLX_DECAPSULATE] = {decapsulate, NULL},
    };
    op->once = calls[op->action].once;
    op->check = calls[op->action].check;
    return wc_InitRng(&op->rng) ?: (op->action == TLX_KEYGEN ? 0 : load_own(op, inputs->private_key));
}

static void release(tlx_operation *op) {
    if (op->own_started)
        stop(op, &op->own);
    wc_FreeRng(&op->rng);
}

const struct tlx_kind tlx_exchange = {
    TLX_KIND(exchanges), .room = ROOM, .prepare = prepare, .release = release};

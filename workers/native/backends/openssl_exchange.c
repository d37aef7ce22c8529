/* OpenSSL: Diffie-Hellman and key encapsulation.
 *
 * TLS pattern: as libssl does it, every operation makes and drops its context; only the key is kept. Speed pattern:
 * contexts are kept.
 */

#include "openssl_backend.h"

static const struct exchange {
    const char *algorithm, *name; /* ours, and the key type */
    int curve, kem;
} exchanges[] = {
    {"ecdh-p256", "EC", NID_X9_62_prime256v1, 0},
    {"ecdh-p384", "EC", NID_secp384r1, 0},
    {"x25519", "X25519", 0, 0},
    {"ml-kem-768", "ML-KEM-768", 0, 1},
};

enum { ROOM = 4096, SECRET = 64 };

struct tlx_operation {
    struct tlx_operation_base;
    const struct exchange *row;
    EVP_PKEY *own, *other;
    EVP_PKEY_CTX *context; /* speed pattern: kept */
    unsigned char secret[SECRET];
    size_t secret_length;
};

static int has(tlx_operation *op) {
    return tlx_has_type(op->row->name) && (!op->row->kem || TLX_HAS_KEM) && tlx_lacks_decapsulation(op->action) == NULL;
}

static const char *lacks(tlx_operation *op) {
    if (tlx_lacks_decapsulation(op->action) != NULL)
        return tlx_lacks_decapsulation(op->action);
    if (!has(op))
        return op->row->name;
    return op->speed && op->action == TLX_KEYGEN && !op->row->kem
               ? "generation of Diffie-Hellman keys in the `openssl speed` of 3.0"
               : NULL;
}

/* ---- Diffie-Hellman ------------------------------------------------------------------------------------------- */

EVP_PKEY *tlx_generate(const char *name, int curve) {
    EVP_PKEY_CTX *context = tlx_pkey_by_name(name);
    EVP_PKEY *made = NULL;
    if (context != NULL && EVP_PKEY_keygen_init(context) > 0
        && (curve == 0 || EVP_PKEY_CTX_set_ec_paramgen_curve_nid(context, curve) > 0)
        && EVP_PKEY_keygen(context, &made) <= 0)
        made = NULL;
    EVP_PKEY_CTX_free(context);
    return made;
}

static EVP_PKEY *generate(const tlx_operation *op) { return tlx_generate(op->row->name, op->row->curve); }

/* ssl_generate_pkey_group. */
static int keygen(tlx_operation *op) {
    EVP_PKEY_free(op->own);
    op->own = generate(op);
    return tlx_done(op->own != NULL);
}

static int speed_keygen(tlx_operation *op) {
    EVP_PKEY_free(op->own);
    op->own = NULL;
    return tlx_done(EVP_PKEY_keygen(op->context, &op->own));
}

/* ssl_derive: the peer's key is set, and checked by the library, every time. */
static int derive_secret(EVP_PKEY *own, EVP_PKEY *peer, unsigned char *out, size_t *length) {
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new(own, NULL);
    int done = context != NULL && EVP_PKEY_derive_init(context) > 0 && EVP_PKEY_derive_set_peer(context, peer) > 0
               && EVP_PKEY_derive(context, NULL, length) > 0 && *length <= SECRET
               && EVP_PKEY_derive(context, out, length) > 0;
    EVP_PKEY_CTX_free(context);
    return done;
}

static int derive(tlx_operation *op) {
    return tlx_done(derive_secret(op->own, op->other, op->output, &op->output_length));
}

static int speed_derive(tlx_operation *op) {
    return tlx_done(EVP_PKEY_derive(op->context, op->output, &op->output_length));
}

/* Two parties must come to one secret with the fresh key. */
static int check_agreement(tlx_operation *op) {
    EVP_PKEY *own = op->own, *other = generate(op);
    unsigned char ours[SECRET], theirs[SECRET];
    size_t our_length = 0, their_length = 0;
    int done = other != NULL && derive_secret(own, other, ours, &our_length)
               && derive_secret(other, own, theirs, &their_length);
    EVP_PKEY_free(other);
    return done ? tlx_agree(ours, our_length, theirs, their_length) : TLX_FAILED;
}

/* ---- key encapsulation ---------------------------------------------------------------------------------------- */

/* ssl_encapsulate. */
static int encapsulate_to(tlx_operation *op, EVP_PKEY *key) {
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new(key, NULL);
    int done = context != NULL && EVP_PKEY_encapsulate_init(context, NULL) > 0
               && EVP_PKEY_encapsulate(context, NULL, &op->output_length, NULL, &op->secret_length) > 0
               && op->output_length <= ROOM && op->secret_length <= SECRET
               && EVP_PKEY_encapsulate(context, op->output, &op->output_length, op->secret, &op->secret_length) > 0;
    EVP_PKEY_CTX_free(context);
    return tlx_done(done);
}

static int encapsulate(tlx_operation *op) { return encapsulate_to(op, op->other); }

static int speed_encapsulate(tlx_operation *op) {
    return tlx_done(EVP_PKEY_encapsulate(op->context, op->output, &op->output_length, op->secret, &op->secret_length));
}

/* ssl_decapsulate. */
static int decapsulate_bytes(EVP_PKEY *key, const unsigned char *in, size_t length, unsigned char *out, size_t *made) {
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new(key, NULL);
    int done = context != NULL && EVP_PKEY_decapsulate_init(context, NULL) > 0
               && EVP_PKEY_decapsulate(context, NULL, made, in, length) > 0 && *made <= SECRET
               && EVP_PKEY_decapsulate(context, out, made, in, length) > 0;
    EVP_PKEY_CTX_free(context);
    return done;
}

static int check_encapsulated(tlx_operation *op) {
    unsigned char secret[SECRET];
    size_t length = 0;
    return decapsulate_bytes(op->own, op->output, op->output_length, secret, &length)
               ? tlx_agree(secret, length, op->secret, op->secret_length)
               : TLX_FAILED;
}

static int check_encapsulation_key(tlx_operation *op) {
    int error = encapsulate_to(op, op->own);
    return error < 0 ? error : check_encapsulated(op);
}

static int decapsulate(tlx_operation *op) {
    return tlx_done(decapsulate_bytes(op->own, op->peer, op->peer_length, op->output, &op->output_length));
}

static int speed_decapsulate(tlx_operation *op) {
    op->output_length = ROOM;
    return tlx_done(EVP_PKEY_decapsulate(op->context, op->output, &op->output_length, op->peer, op->peer_length));
}

/* ---- setting up ----------------------------------------------------------------------------------------------- */

static int prepare_keygen(tlx_operation *op) {
    op->once = op->speed ? speed_keygen : keygen;
    op->check = op->row->kem ? check_encapsulation_key : check_agreement;
    if (!op->speed)
        return 1;
    op->context = tlx_pkey_by_name(op->row->name);
    return op->context != NULL && EVP_PKEY_keygen_init(op->context) > 0;
}

static int prepare_derive(tlx_operation *op, const struct tlx_inputs *inputs) {
    const unsigned char *der = inputs->private_key.data;
    op->once = op->speed ? speed_derive : derive;
    op->own = d2i_AutoPrivateKey(NULL, &der, (long)inputs->private_key.length);
    op->other = op->own != NULL ? tlx_peer_key(op->own, inputs->peer) : NULL;
    if (op->other == NULL || !op->speed)
        return op->other != NULL;
    op->output_length = ROOM;
    op->context = EVP_PKEY_CTX_new(op->own, NULL);
    return op->context != NULL && EVP_PKEY_derive_init(op->context) > 0
           && EVP_PKEY_derive_set_peer(op->context, op->other) > 0;
}

static int prepare_encapsulate(tlx_operation *op, const struct tlx_inputs *inputs) {
    op->once = op->speed ? speed_encapsulate : encapsulate;
    op->check = check_encapsulated;
    op->other = TLX_TAKES_RAW_PRIVATE ? tlx_raw_public(op->row->name, inputs->peer) : op->own;
    if (op->other == NULL || !op->speed)
        return op->other != NULL;
    op->context = EVP_PKEY_CTX_new(op->other, NULL);
    return op->context != NULL && EVP_PKEY_encapsulate_init(op->context, NULL) > 0;
}

static int prepare_decapsulate(tlx_operation *op) {
    op->once = op->speed ? speed_decapsulate : decapsulate;
    if (!op->speed)
        return 1;
    op->context = EVP_PKEY_CTX_new(op->own, NULL);
    return op->context != NULL && EVP_PKEY_decapsulate_init(op->context, NULL) > 0;
}

static int prepare_kem(tlx_operation *op, const struct tlx_inputs *inputs) {
    /* A library that takes no key in the bytes of FIPS 203 encapsulates to one of its own. */
    op->own = TLX_TAKES_RAW_PRIVATE ? tlx_raw_private(op->row->name, inputs->private_key) : generate(op);
    op->output_length = ROOM;
    op->secret_length = SECRET;
    if (op->own == NULL)
        return 0;
    return op->action == TLX_ENCAPSULATE ? prepare_encapsulate(op, inputs) : prepare_decapsulate(op);
}

static int prepare(tlx_operation *op, const struct tlx_inputs *inputs) {
    if (op->action == TLX_KEYGEN)
        return tlx_done(prepare_keygen(op));
    return tlx_done(op->action == TLX_DERIVE ? prepare_derive(op, inputs) : prepare_kem(op, inputs));
}

static void release(tlx_operation *op) {
    EVP_PKEY_CTX_free(op->context);
    EVP_PKEY_free(op->own);
    if (op->other != op->own)
        EVP_PKEY_free(op->other);
}

const struct tlx_kind tlx_exchange = {
    TLX_KIND(exchanges), .room = ROOM, .has = has, .lacks = lacks, .prepare = prepare, .release = release};

/* OpenSSL: Diffie-Hellman and key encapsulation.
 *
 * TLS pattern: as libssl does it, every operation makes and drops its context; only the key is kept. Speed pattern:
 * contexts are kept.
 */

#include "openssl_operation.h"

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

struct exchange_operation {
    tlx_operation base;
    const struct exchange *exchange;
    EVP_PKEY *own, *peer;
    EVP_PKEY_CTX *context; /* speed pattern: kept */
    unsigned char secret[SECRET], ciphertext[ROOM];
    size_t secret_length, ciphertext_length;
};

static int prepare_keygen(struct exchange_operation *, int speed);
static int prepare_derive(struct exchange_operation *, int speed, const struct tlx_inputs *);
static int prepare_kem(struct exchange_operation *, int encapsulating, int speed, const struct tlx_inputs *);
static void release(tlx_operation *);

static const struct exchange *find(const char *algorithm) {
    for (size_t i = 0; i < sizeof exchanges / sizeof *exchanges; i++)
        if (strcmp(exchanges[i].algorithm, algorithm) == 0)
            return &exchanges[i];
    return NULL;
}

int tlx_exchange_has(const char *algorithm, const char *operation) {
    const struct exchange *exchange = find(algorithm);
    EVP_PKEY_CTX *context;
    if (exchange == NULL)
        return -1;
    if (strcmp(operation, "decapsulate") == 0 && !TLX_TAKES_RAW_PRIVATE)
        return 0;
    context = tlx_pkey_by_name(exchange->name);
    EVP_PKEY_CTX_free(context);
    return context != NULL && (!exchange->kem || TLX_HAS_KEM);
}

int tlx_exchange_new(const char *algorithm, const char *operation, int speed, const struct tlx_inputs *inputs,
                     tlx_operation **made) {
    const struct exchange *exchange = find(algorithm);
    int keygen = strcmp(operation, "keygen") == 0, done;
    struct exchange_operation *op;
    if (strcmp(operation, "decapsulate") == 0 && !TLX_TAKES_RAW_PRIVATE)
        return tlx_unsupported("decapsulation keys but those that it makes from their seed");
    if (!tlx_exchange_has(algorithm, operation))
        return tlx_unsupported(exchange->name);
    if (!speed && tlx_share_has(algorithm) >= 0)
        return tlx_share_new(algorithm, operation, inputs, made);
    if (speed && keygen && !exchange->kem)
        return tlx_unsupported("generation of Diffie-Hellman keys in the `openssl speed` of 3.0");
    op = (struct exchange_operation *)tlx_operation_alloc(sizeof *op, ROOM, inputs);
    if (op == NULL)
        return tlx_fail("allocating a key exchange operation");
    op->base.release = release;
    op->exchange = exchange;
    if (keygen)
        done = prepare_keygen(op, speed);
    else if (exchange->kem)
        done = prepare_kem(op, strcmp(operation, "encapsulate") == 0, speed, inputs);
    else
        done = prepare_derive(op, speed, inputs);
    if (!done) {
        tlx_operation_free(&op->base);
        return tlx_fail(algorithm);
    }
    *made = &op->base;
    return TLX_OK;
}

static void release(tlx_operation *base) {
    struct exchange_operation *op = (struct exchange_operation *)base;
    EVP_PKEY_CTX_free(op->context);
    EVP_PKEY_free(op->own);
    if (op->peer != op->own)
        EVP_PKEY_free(op->peer);
}

/* ---- key generation and Diffie-Hellman ------------------------------------------------------------------------ */

static EVP_PKEY *generate(const struct exchange *);
static int check_key(tlx_operation *);
static int encapsulate_to(struct exchange_operation *, EVP_PKEY *);
static int check_encapsulated(tlx_operation *);

static int keygen(tlx_operation *);
static int speed_keygen(tlx_operation *);

static int prepare_keygen(struct exchange_operation *op, int speed) {
    op->base.once = speed ? speed_keygen : keygen;
    op->base.check = check_key;
    if (!speed)
        return 1;
    op->context = tlx_pkey_by_name(op->exchange->name);
    return op->context != NULL && EVP_PKEY_keygen_init(op->context) > 0;
}

static int derive(tlx_operation *);
static int speed_derive(tlx_operation *);

static int prepare_derive(struct exchange_operation *op, int speed, const struct tlx_inputs *inputs) {
    const unsigned char *der = inputs->private_key.data;
    op->own = d2i_AutoPrivateKey(NULL, &der, (long)inputs->private_key.length);
    if (op->own == NULL)
        return 0;
    op->peer = tlx_peer_key(op->own, inputs->peer);
    if (op->peer == NULL)
        return 0;
    op->base.once = speed ? speed_derive : derive;
    if (!speed)
        return 1;
    op->base.output_length = ROOM;
    op->context = EVP_PKEY_CTX_new(op->own, NULL);
    return op->context != NULL && EVP_PKEY_derive_init(op->context) > 0
           && EVP_PKEY_derive_set_peer(op->context, op->peer) > 0;
}

static EVP_PKEY *generate(const struct exchange *exchange) {
    EVP_PKEY_CTX *context = tlx_pkey_by_name(exchange->name);
    EVP_PKEY *made = NULL;
    if (context != NULL && EVP_PKEY_keygen_init(context) > 0
        && (exchange->curve == 0 || EVP_PKEY_CTX_set_ec_paramgen_curve_nid(context, exchange->curve) > 0)
        && EVP_PKEY_keygen(context, &made) <= 0)
        made = NULL;
    EVP_PKEY_CTX_free(context);
    return made;
}

/* ssl_generate_pkey_group. */
static int keygen(tlx_operation *base) {
    struct exchange_operation *op = (struct exchange_operation *)base;
    EVP_PKEY_free(op->own);
    op->own = generate(op->exchange);
    return op->own != NULL;
}

static int speed_keygen(tlx_operation *base) {
    struct exchange_operation *op = (struct exchange_operation *)base;
    EVP_PKEY_free(op->own);
    op->own = NULL;
    return EVP_PKEY_keygen(op->context, &op->own);
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

static int derive(tlx_operation *base) {
    struct exchange_operation *op = (struct exchange_operation *)base;
    return derive_secret(op->own, op->peer, base->output, &base->output_length);
}

static int speed_derive(tlx_operation *base) {
    struct exchange_operation *op = (struct exchange_operation *)base;
    return EVP_PKEY_derive(op->context, base->output, &base->output_length);
}

/* Two parties must come to one secret with the fresh key. */
static int check_key(tlx_operation *base) {
    struct exchange_operation *op = (struct exchange_operation *)base;
    EVP_PKEY *other;
    unsigned char ours[SECRET], theirs[SECRET];
    size_t our_length = 0, their_length = 0;
    int same;
    if (op->exchange->kem)
        return encapsulate_to(op, op->own) && check_encapsulated(base);
    other = generate(op->exchange);
    same = other != NULL && derive_secret(op->own, other, ours, &our_length)
           && derive_secret(other, op->own, theirs, &their_length) && our_length == their_length
           && memcmp(ours, theirs, our_length) == 0;
    EVP_PKEY_free(other);
    return same;
}

/* ---- key encapsulation ---------------------------------------------------------------------------------------- */

static int encapsulate(tlx_operation *);
static int speed_encapsulate(tlx_operation *);
static int decapsulate(tlx_operation *);
static int speed_decapsulate(tlx_operation *);

static int prepare_kem(struct exchange_operation *op, int encapsulating, int speed, const struct tlx_inputs *inputs) {
    /* A library that takes no key in the bytes of FIPS 203 encapsulates to one of its own. */
    op->own = TLX_TAKES_RAW_PRIVATE ? tlx_raw_private(op->exchange->name, inputs->private_key)
                                    : generate(op->exchange);
    if (op->own == NULL)
        return 0;
    if (encapsulating) {
        op->base.once = speed ? speed_encapsulate : encapsulate;
        op->base.check = check_encapsulated;
        op->peer = TLX_TAKES_RAW_PRIVATE ? tlx_raw_public(op->exchange->name, inputs->peer) : op->own;
        if (op->peer == NULL)
            return 0;
    } else {
        op->base.once = speed ? speed_decapsulate : decapsulate;
        op->ciphertext_length = inputs->peer.length;
        if (inputs->peer.length > ROOM)
            return 0;
        memcpy(op->ciphertext, inputs->peer.data, inputs->peer.length);
    }
    if (!speed)
        return 1;
    op->context = EVP_PKEY_CTX_new(encapsulating ? op->peer : op->own, NULL);
    op->base.output_length = ROOM;
    op->secret_length = SECRET;
    return op->context != NULL
           && (encapsulating ? EVP_PKEY_encapsulate_init(op->context, NULL)
                             : EVP_PKEY_decapsulate_init(op->context, NULL)) > 0;
}

/* ssl_encapsulate. */
static int encapsulate_to(struct exchange_operation *op, EVP_PKEY *key) {
    tlx_operation *base = &op->base;
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new(key, NULL);
    int done = context != NULL && EVP_PKEY_encapsulate_init(context, NULL) > 0
               && EVP_PKEY_encapsulate(context, NULL, &base->output_length, NULL, &op->secret_length) > 0
               && base->output_length <= ROOM && op->secret_length <= SECRET
               && EVP_PKEY_encapsulate(context, base->output, &base->output_length, op->secret, &op->secret_length) > 0;
    EVP_PKEY_CTX_free(context);
    return done;
}

static int encapsulate(tlx_operation *base) {
    struct exchange_operation *op = (struct exchange_operation *)base;
    return encapsulate_to(op, op->peer);
}

static int speed_encapsulate(tlx_operation *base) {
    struct exchange_operation *op = (struct exchange_operation *)base;
    return EVP_PKEY_encapsulate(op->context, base->output, &base->output_length, op->secret, &op->secret_length);
}

/* ssl_decapsulate. */
static int decapsulate_bytes(EVP_PKEY *key, const unsigned char *in, size_t length, unsigned char *out,
                             size_t *made) {
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new(key, NULL);
    int done = context != NULL && EVP_PKEY_decapsulate_init(context, NULL) > 0
               && EVP_PKEY_decapsulate(context, NULL, made, in, length) > 0 && *made <= SECRET
               && EVP_PKEY_decapsulate(context, out, made, in, length) > 0;
    EVP_PKEY_CTX_free(context);
    return done;
}

static int check_encapsulated(tlx_operation *base) {
    struct exchange_operation *op = (struct exchange_operation *)base;
    unsigned char secret[SECRET];
    size_t length = 0;
    return decapsulate_bytes(op->own, base->output, base->output_length, secret, &length)
           && length == op->secret_length && memcmp(secret, op->secret, length) == 0;
}

static int decapsulate(tlx_operation *base) {
    struct exchange_operation *op = (struct exchange_operation *)base;
    return decapsulate_bytes(op->own, op->ciphertext, op->ciphertext_length, base->output, &base->output_length);
}

static int speed_decapsulate(tlx_operation *base) {
    struct exchange_operation *op = (struct exchange_operation *)base;
    base->output_length = ROOM;
    return EVP_PKEY_decapsulate(op->context, base->output, &base->output_length, op->ciphertext,
                                op->ciphertext_length);
}

/* BoringSSL and AWS-LC: key shares without EVP, the calls of their libssl (ssl_key_share.cc). Every operation makes and
 * drops its points and numbers; only the private key is kept. BoringSSL's ML-KEM is called like that too.
 *
 * Only the TLS pattern is here; `openssl speed` calls EVP. OpenSSL's libssl does too, and has nothing here.
 */

#include "openssl_backend.h"

#if TLX_HAS_AEAD

enum { ROOM = 2048, POINT = 133, SECRET = 64, X25519_LENGTH = 32 };

static const struct exchange {
    const char *algorithm;
    const EC_GROUP *(*group)(void); /* null: none */
} exchanges[] = {
    {"ecdh-p256", EC_group_p256},
    {"ecdh-p384", EC_group_p384},
    {"x25519", NULL},
#ifdef MLKEM768_CIPHERTEXT_BYTES /* AWS-LC's libssl calls its KEM through EVP. */
    {"ml-kem-768", NULL},
#endif
};

struct share {
    BIGNUM *scalar;
    unsigned char x25519[X25519_LENGTH];
};

struct tlx_operation {
    struct tlx_operation_base;
    const struct exchange *row;
    const EC_GROUP *group; /* null: X25519 */
    struct share own;
#ifdef MLKEM768_CIPHERTEXT_BYTES
    struct MLKEM768_private_key kem;
    unsigned char ours[MLKEM768_PUBLIC_KEY_BYTES], secret[MLKEM_SHARED_SECRET_BYTES];
#endif
};

/* ---- Diffie-Hellman ------------------------------------------------------------------------------------------- */

static int generate(const tlx_operation *op, struct share *share, unsigned char *out, size_t *length) {
    EC_POINT *point;
    if (op->group == NULL) {
        X25519_keypair(out, share->x25519);
        *length = X25519_LENGTH;
        return 1;
    }
    BN_free(share->scalar);
    share->scalar = BN_new();
    point = EC_POINT_new(op->group);
    *length = 0;
    if (share->scalar != NULL && point != NULL
        && BN_rand_range_ex(share->scalar, 1, EC_GROUP_get0_order(op->group))
        && EC_POINT_mul(op->group, point, share->scalar, NULL, NULL, NULL))
        *length = EC_POINT_point2oct(op->group, point, POINT_CONVERSION_UNCOMPRESSED, out, POINT, NULL);
    EC_POINT_free(point);
    return *length > 0;
}

static int agree(const tlx_operation *op, const struct share *share, const unsigned char *peer, size_t peer_length,
                 unsigned char *out, size_t *length) {
    EC_POINT *point, *result;
    BIGNUM *x;
    int done;
    if (op->group == NULL) {
        *length = X25519_LENGTH;
        return peer_length == X25519_LENGTH && X25519(out, share->x25519, peer);
    }
    point = EC_POINT_new(op->group);
    result = EC_POINT_new(op->group);
    x = BN_new();
    *length = (EC_GROUP_get_degree(op->group) + 7) / 8;
    done = point != NULL && result != NULL && x != NULL
           && EC_POINT_oct2point(op->group, point, peer, peer_length, NULL)
           && EC_POINT_mul(op->group, result, NULL, point, share->scalar, NULL)
           && EC_POINT_get_affine_coordinates_GFp(op->group, result, x, NULL, NULL)
           && BN_bn2bin_padded(out, *length, x);
    EC_POINT_free(point);
    EC_POINT_free(result);
    BN_free(x);
    return done;
}

static int keygen(tlx_operation *op) { return tlx_done(generate(op, &op->own, op->output, &op->output_length)); }

/* Two parties must come to one secret with the fresh key. */
static int check_key(tlx_operation *op) {
    struct share other = {NULL, {0}};
    unsigned char public[POINT], ours[SECRET + 2], theirs[SECRET + 2];
    size_t public_length, our_length = 0, their_length = 0;
    int done = generate(op, &other, public, &public_length)
               && agree(op, &op->own, public, public_length, ours, &our_length)
               && agree(op, &other, op->output, op->output_length, theirs, &their_length);
    BN_free(other.scalar);
    return done ? tlx_agree(ours, our_length, theirs, their_length) : TLX_FAILED;
}

static int derive(tlx_operation *op) {
    return tlx_done(agree(op, &op->own, op->peer, op->peer_length, op->output, &op->output_length));
}

static int prepare_derive(tlx_operation *op, const struct tlx_inputs *inputs) {
    const unsigned char *der = inputs->private_key.data;
    EVP_PKEY *key = d2i_AutoPrivateKey(NULL, &der, (long)inputs->private_key.length);
    size_t length = X25519_LENGTH;
    int done = 0;
    if (key != NULL && op->group == NULL) {
        done = EVP_PKEY_get_raw_private_key(key, op->own.x25519, &length);
    } else if (key != NULL) {
        op->own.scalar = BN_dup(EC_KEY_get0_private_key(EVP_PKEY_get0_EC_KEY(key)));
        done = op->own.scalar != NULL;
    }
    EVP_PKEY_free(key);
    return done;
}

/* ---- key encapsulation ---------------------------------------------------------------------------------------- */

#ifdef MLKEM768_CIPHERTEXT_BYTES

static int kem_keygen(tlx_operation *op) {
    MLKEM768_generate_key(op->output, NULL, &op->kem);
    op->output_length = MLKEM768_PUBLIC_KEY_BYTES;
    return 0;
}

static int encapsulate_to(const unsigned char *public, unsigned char *out, unsigned char *secret) {
    struct MLKEM768_public_key key;
    CBS bytes;
    CBS_init(&bytes, public, MLKEM768_PUBLIC_KEY_BYTES);
    if (!MLKEM768_parse_public_key(&key, &bytes))
        return 0;
    MLKEM768_encap(out, secret, &key);
    return 1;
}

static int kem_encapsulate(tlx_operation *op) {
    op->output_length = MLKEM768_CIPHERTEXT_BYTES;
    return tlx_done(encapsulate_to(op->ours, op->output, op->secret));
}

static int decapsulates_to(const tlx_operation *op, const unsigned char *ciphertext, const unsigned char *secret) {
    unsigned char again[MLKEM_SHARED_SECRET_BYTES];
    return MLKEM768_decap(again, ciphertext, MLKEM768_CIPHERTEXT_BYTES, &op->kem)
           && memcmp(again, secret, sizeof again) == 0;
}

static int check_kem_key(tlx_operation *op) {
    unsigned char ciphertext[MLKEM768_CIPHERTEXT_BYTES], secret[MLKEM_SHARED_SECRET_BYTES];
    return tlx_done(encapsulate_to(op->output, ciphertext, secret) && decapsulates_to(op, ciphertext, secret));
}

static int check_encapsulated(tlx_operation *op) { return tlx_done(decapsulates_to(op, op->output, op->secret)); }

/* To a key of its own: the private key of the inputs is not in the form that BoringSSL takes. */
static int prepare_kem(tlx_operation *op, int generating) {
    op->once = generating ? kem_keygen : kem_encapsulate;
    op->check = generating ? check_kem_key : check_encapsulated;
    MLKEM768_generate_key(op->ours, NULL, &op->kem);
    return 1;
}

#else

static int prepare_kem(tlx_operation *op, int generating) { return 0; }

#endif

/* ---- setting up ----------------------------------------------------------------------------------------------- */

static int has(tlx_operation *op) { return tlx_lacks_decapsulation(op->action) == NULL; }

static const char *lacks(tlx_operation *op) { return tlx_lacks_decapsulation(op->action); }

static int prepare(tlx_operation *op, const struct tlx_inputs *inputs) {
    int generating = op->action == TLX_KEYGEN;
    if (strcmp(op->row->algorithm, "ml-kem-768") == 0)
        return tlx_done(prepare_kem(op, generating));
    op->group = op->row->group != NULL ? op->row->group() : NULL;
    op->once = generating ? keygen : derive;
    op->check = generating ? check_key : NULL;
    return tlx_done(generating || prepare_derive(op, inputs));
}

static void release(tlx_operation *op) { BN_free(op->own.scalar); }

const struct tlx_kind tlx_share = {TLX_KIND(exchanges),
                                   .room = ROOM,
                                   .tls_only = 1,
                                   .has = has,
                                   .lacks = lacks,
                                   .prepare = prepare,
                                   .release = release};

#else

const struct tlx_kind tlx_share = {.count = 0};

#endif

/* BoringSSL and AWS-LC: key shares without EVP, the calls of their libssl (ssl_key_share.cc). Every operation makes and
 * drops its points and numbers; only the private key is kept. BoringSSL's ML-KEM is called like that too.
 *
 * Only the TLS pattern is here; `openssl speed` calls EVP. OpenSSL's libssl does too, and has nothing here.
 */

#include "openssl_operation.h"

#if TLX_HAS_AEAD

enum { ROOM = 2048, POINT = 133, SECRET = 64, X25519_LENGTH = 32 };

/* One end of an agreement. */
struct share {
    BIGNUM *scalar;
    unsigned char x25519[X25519_LENGTH];
};

struct share_operation {
    tlx_operation base;
    const EC_GROUP *group; /* null: X25519 */
    struct share own;
    unsigned char peer[ROOM], secret[SECRET];
    size_t peer_length;
#ifdef MLKEM768_CIPHERTEXT_BYTES
    struct MLKEM768_private_key kem;
#endif
};

static void release(tlx_operation *base) { BN_free(((struct share_operation *)base)->own.scalar); }

/* ---- Diffie-Hellman ------------------------------------------------------------------------------------------- */

static int generate(const struct share_operation *op, struct share *share, unsigned char *out, size_t *length) {
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

static int agree(const struct share_operation *op, const struct share *share, const unsigned char *peer,
                 size_t peer_length, unsigned char *out, size_t *length) {
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

static int keygen(tlx_operation *base) {
    struct share_operation *op = (struct share_operation *)base;
    return generate(op, &op->own, base->output, &base->output_length);
}

/* Two parties must come to one secret with the fresh key. */
static int check_key(tlx_operation *base) {
    struct share_operation *op = (struct share_operation *)base;
    struct share other = {NULL, {0}};
    unsigned char public[POINT], ours[SECRET + 2], theirs[SECRET + 2];
    size_t public_length, our_length = 0, their_length = 0;
    int same = generate(op, &other, public, &public_length)
               && agree(op, &op->own, public, public_length, ours, &our_length)
               && agree(op, &other, base->output, base->output_length, theirs, &their_length)
               && our_length == their_length && memcmp(ours, theirs, our_length) == 0;
    BN_free(other.scalar);
    return same;
}

static int derive(tlx_operation *base) {
    struct share_operation *op = (struct share_operation *)base;
    return agree(op, &op->own, op->peer, op->peer_length, base->output, &base->output_length);
}

static int prepare_derive(struct share_operation *op, const struct tlx_inputs *inputs) {
    const unsigned char *der = inputs->private_key.data;
    EVP_PKEY *key = d2i_AutoPrivateKey(NULL, &der, (long)inputs->private_key.length);
    size_t length = X25519_LENGTH;
    int done = 0;
    if (key != NULL && inputs->peer.length <= ROOM) {
        if (op->group == NULL) {
            done = EVP_PKEY_get_raw_private_key(key, op->own.x25519, &length);
        } else {
            op->own.scalar = BN_dup(EC_KEY_get0_private_key(EVP_PKEY_get0_EC_KEY(key)));
            done = op->own.scalar != NULL;
        }
        memcpy(op->peer, inputs->peer.data, inputs->peer.length);
        op->peer_length = inputs->peer.length;
    }
    EVP_PKEY_free(key);
    return done;
}

/* ---- key encapsulation ---------------------------------------------------------------------------------------- */

#ifdef MLKEM768_CIPHERTEXT_BYTES

static int kem_keygen(tlx_operation *base) {
    struct share_operation *op = (struct share_operation *)base;
    MLKEM768_generate_key(base->output, NULL, &op->kem);
    base->output_length = MLKEM768_PUBLIC_KEY_BYTES;
    return 1;
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

static int kem_encapsulate(tlx_operation *base) {
    struct share_operation *op = (struct share_operation *)base;
    base->output_length = MLKEM768_CIPHERTEXT_BYTES;
    return encapsulate_to(op->peer, base->output, op->secret);
}

static int decapsulates_to(const struct share_operation *op, const unsigned char *ciphertext,
                           const unsigned char *secret) {
    unsigned char again[MLKEM_SHARED_SECRET_BYTES];
    return MLKEM768_decap(again, ciphertext, MLKEM768_CIPHERTEXT_BYTES, &op->kem)
           && memcmp(again, secret, sizeof again) == 0;
}

static int check_kem_key(tlx_operation *base) {
    struct share_operation *op = (struct share_operation *)base;
    unsigned char ciphertext[MLKEM768_CIPHERTEXT_BYTES], secret[MLKEM_SHARED_SECRET_BYTES];
    return encapsulate_to(base->output, ciphertext, secret) && decapsulates_to(op, ciphertext, secret);
}

static int check_encapsulated(tlx_operation *base) {
    struct share_operation *op = (struct share_operation *)base;
    return decapsulates_to(op, base->output, op->secret);
}

/* To a key of its own: the private key of the inputs is not in the form that BoringSSL takes. */
static int prepare_kem(struct share_operation *op, int keygen) {
    op->base.once = keygen ? kem_keygen : kem_encapsulate;
    op->base.check = keygen ? check_kem_key : check_encapsulated;
    MLKEM768_generate_key(op->peer, NULL, &op->kem);
    return 1;
}

static int has_kem(void) { return 1; }

#else

static int prepare_kem(struct share_operation *op, int keygen) {
    (void)op, (void)keygen;
    return 0;
}

/* AWS-LC's libssl calls its KEM through EVP. */
static int has_kem(void) { return -1; }

#endif

/* ---- choice --------------------------------------------------------------------------------------------------- */

int tlx_share_has(const char *algorithm) { return strcmp(algorithm, "ml-kem-768") == 0 ? has_kem() : 1; }

int tlx_share_new(const char *algorithm, const char *operation, const struct tlx_inputs *inputs,
                  tlx_operation **made) {
    struct share_operation *op = (struct share_operation *)tlx_operation_alloc(sizeof *op, ROOM, inputs);
    int key = strcmp(operation, "keygen") == 0, done;
    if (op == NULL)
        return tlx_fail("allocating a key exchange operation");
    op->base.release = release;
    if (strcmp(algorithm, "ecdh-p256") == 0)
        op->group = EC_group_p256();
    else if (strcmp(algorithm, "ecdh-p384") == 0)
        op->group = EC_group_p384();
    if (strcmp(algorithm, "ml-kem-768") == 0) {
        done = prepare_kem(op, key);
    } else {
        op->base.once = key ? keygen : derive;
        op->base.check = key ? check_key : NULL;
        done = key || prepare_derive(op, inputs);
    }
    if (!done) {
        tlx_operation_free(&op->base);
        return tlx_fail(algorithm);
    }
    *made = &op->base;
    return TLX_OK;
}

#else

int tlx_share_has(const char *algorithm) {
    (void)algorithm;
    return -1;
}

int tlx_share_new(const char *algorithm, const char *operation, const struct tlx_inputs *inputs,
                  tlx_operation **made) {
    (void)operation, (void)inputs, (void)made;
    return tlx_unsupported(algorithm);
}

#endif

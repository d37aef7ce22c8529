/* GnuTLS: signatures. Only the key is kept, as a credentials object keeps it; RSA signs as TLS 1.3 does: PSS,
 * SHA-256, a salt as long as the digest.
 */

#include "gnutls_operation.h"

#include "../common/signature.h"

static const struct scheme {
    const char *algorithm;
    gnutls_sign_algorithm_t id;
    int fixed; /* the same signature every time */
} schemes[] = {
    {"rsa-2048", GNUTLS_SIGN_RSA_PSS_RSAE_SHA256, 0},
    {"rsa-3072", GNUTLS_SIGN_RSA_PSS_RSAE_SHA256, 0},
    {"rsa-4096", GNUTLS_SIGN_RSA_PSS_RSAE_SHA256, 0},
    {"ecdsa-p256", GNUTLS_SIGN_ECDSA_SECP256R1_SHA256, 0},
    {"ecdsa-p384", GNUTLS_SIGN_ECDSA_SECP384R1_SHA384, 0},
    {"ed25519", GNUTLS_SIGN_EDDSA_ED25519, 1},
};

enum { SIGNATURE_ROOM = 1024 };

struct signature_operation {
    tlx_operation base;
    gnutls_privkey_t private;
    gnutls_pubkey_t public;
};

static int has(tlx_operation *base) {
    gnutls_sign_algorithm_t id = ((const struct scheme *)base->row)->id;
    const gnutls_sign_algorithm_t *list = gnutls_sign_list();
    while (*list != 0 && *list != id)
        list++;
    return *list == id;
}

/* The library allocates each signature, as it does in a handshake. */
static int sign(tlx_operation *base) {
    struct signature_operation *op = (struct signature_operation *)base;
    gnutls_datum_t message = {base->message, (unsigned)base->length}, signature = {NULL, 0};
    int code =
        gnutls_privkey_sign_data2(op->private, ((const struct scheme *)base->row)->id, 0, &message, &signature);
    if (code >= 0 && signature.size > SIGNATURE_ROOM)
        code = GNUTLS_E_SHORT_MEMORY_BUFFER;
    if (code >= 0) {
        memcpy(base->output, signature.data, signature.size);
        base->output_length = signature.size;
    }
    gnutls_free(signature.data);
    return code;
}

static int verify(tlx_operation *base) {
    gnutls_datum_t message = {base->message, (unsigned)base->length};
    gnutls_datum_t signature = {base->signature, (unsigned)base->signature_length};
    return gnutls_pubkey_verify_data2(((struct signature_operation *)base)->public,
                                      ((const struct scheme *)base->row)->id, 0, &message, &signature);
}

static int prepare(tlx_operation *base, const struct tlx_inputs *inputs) {
    struct signature_operation *op = (struct signature_operation *)base;
    gnutls_datum_t pem = tlx_datum(inputs->signing_key);
    int code = gnutls_privkey_init(&op->private);
    if (code >= 0)
        code = gnutls_pubkey_init(&op->public);
    if (code >= 0)
        code = gnutls_privkey_import_x509_raw(op->private, &pem, GNUTLS_X509_FMT_PEM, NULL, 0);
    if (code >= 0)
        code = gnutls_pubkey_import_privkey(op->public, op->private, 0, 0);
    return code < 0 ? code : tlx_signature_start(base, sign, verify, ((const struct scheme *)base->row)->fixed);
}

static void release(tlx_operation *base) {
    struct signature_operation *op = (struct signature_operation *)base;
    if (op->private != NULL)
        gnutls_privkey_deinit(op->private);
    if (op->public != NULL)
        gnutls_pubkey_deinit(op->public);
}

const struct tlx_kind tlx_signature = {TLX_KIND(schemes, struct signature_operation),
                                       .room = SIGNATURE_ROOM,
                                       .has = has,
                                       .prepare = prepare,
                                       .release = release};

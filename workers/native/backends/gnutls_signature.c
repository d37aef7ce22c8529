/* GnuTLS: signatures. Only the key is kept, as a credentials object keeps it; RSA signs as TLS 1.3 does: PSS,
 * SHA-256, a salt as long as the digest.
 */

#include "gnutls_backend.h"

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

struct tlx_operation {
    struct tlx_operation_base;
    const struct scheme *row;
    gnutls_privkey_t private;
    gnutls_pubkey_t public;
};

static int has(tlx_operation *op) {
    const gnutls_sign_algorithm_t *list = gnutls_sign_list();
    while (*list != 0 && *list != op->row->id)
        list++;
    return *list == op->row->id;
}

/* The library allocates each signature, as it does in a handshake. */
static int sign(tlx_operation *op) {
    gnutls_datum_t message = {op->message, (unsigned)op->length}, signature = {NULL, 0};
    int code = gnutls_privkey_sign_data2(op->private, op->row->id, 0, &message, &signature);
    if (code >= 0 && signature.size > SIGNATURE_ROOM)
        code = GNUTLS_E_SHORT_MEMORY_BUFFER;
    if (code >= 0) {
        memcpy(op->output, signature.data, signature.size);
        op->output_length = signature.size;
    }
    gnutls_free(signature.data);
    return code;
}

static int verify(tlx_operation *op) {
    gnutls_datum_t message = {op->message, (unsigned)op->length};
    gnutls_datum_t signature = {op->signature, (unsigned)op->signature_length};
    return gnutls_pubkey_verify_data2(op->public, op->row->id, 0, &message, &signature);
}

static int prepare(tlx_operation *op, const struct tlx_inputs *inputs) {
    gnutls_datum_t pem = tlx_datum(inputs->signing_key);
    return gnutls_privkey_init(&op->private)
           ?: gnutls_pubkey_init(&op->public)
           ?: gnutls_privkey_import_x509_raw(op->private, &pem, GNUTLS_X509_FMT_PEM, NULL, 0)
           ?: gnutls_pubkey_import_privkey(op->public, op->private, 0, 0)
           ?: tlx_signature_start(op, sign, verify, op->row->fixed);
}

static void release(tlx_operation *op) {
    if (op->private != NULL)
        gnutls_privkey_deinit(op->private);
    if (op->public != NULL)
        gnutls_pubkey_deinit(op->public);
}

const struct tlx_kind tlx_signature = {
    TLX_KIND(schemes), .room = SIGNATURE_ROOM, .has = has, .prepare = prepare, .release = release};

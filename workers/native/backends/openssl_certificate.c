/* OpenSSL: what is read before connections: a bundle of roots, and one certificate. */

#include "openssl_operation.h"

enum { NUMBER_ROOM = 64 };

struct certificate_operation {
    tlx_operation base;
    unsigned count; /* of the certificates in the bundle that was loaded last */
};

static int load(tlx_operation *);
static int parse(tlx_operation *);
static int load_and_tell(tlx_operation *);
static int parse_and_tell(tlx_operation *);

int tlx_certificate_has(const char *algorithm) {
    return strcmp(algorithm, "ca-bundle") == 0 || strcmp(algorithm, "certificate") == 0 ? 1 : -1;
}

int tlx_certificate_new(const char *algorithm, int speed, const struct tlx_inputs *inputs, tlx_operation **made) {
    int bundle = strcmp(algorithm, "ca-bundle") == 0;
    struct certificate_operation *op;
    if (speed)
        return tlx_unsupported("certificates in `openssl speed`");
    op = (struct certificate_operation *)tlx_operation_alloc(sizeof *op, NUMBER_ROOM, inputs);
    if (op == NULL)
        return tlx_fail("allocating a certificate operation");
    op->base.once = bundle ? load : parse;
    op->base.tell = bundle ? load_and_tell : parse_and_tell;
    *made = &op->base;
    return TLX_OK;
}

/* As SSL_CTX_load_verify_file does it: every block of the PEM is decoded first, then the certificates are added. */
static int load(tlx_operation *base) {
    struct certificate_operation *op = (struct certificate_operation *)base;
    BIO *pem = BIO_new_mem_buf(base->message, base->length);
    X509_STORE *store = X509_STORE_new();
    STACK_OF(X509_INFO) *found = pem && store ? PEM_X509_INFO_read_bio(pem, NULL, NULL, NULL) : NULL;
    int done = found != NULL;
    op->count = 0;
    for (size_t i = 0; done && i < (size_t)sk_X509_INFO_num(found); i++) {
        X509 *certificate = sk_X509_INFO_value(found, (int)i)->x509;
        if (certificate == NULL)
            continue;
        done = X509_STORE_add_cert(store, certificate);
        op->count++;
    }
    sk_X509_INFO_pop_free(found, X509_INFO_free);
    X509_STORE_free(store);
    BIO_free(pem);
    return done;
}

static int load_and_tell(tlx_operation *base) {
    struct certificate_operation *op = (struct certificate_operation *)base;
    if (!load(base))
        return 0;
    for (int i = 0; i < 4; i++)
        base->output[i] = (unsigned char)(op->count >> (24 - 8 * i));
    base->output_length = 4;
    return 1;
}

static X509 *parsed(const tlx_operation *base) {
    const unsigned char *der = base->message;
    return d2i_X509(NULL, &der, base->length);
}

static int parse(tlx_operation *base) {
    X509 *certificate = parsed(base);
    X509_free(certificate);
    return certificate != NULL;
}

static int parse_and_tell(tlx_operation *base) {
    X509 *certificate = parsed(base);
    BIGNUM *number = certificate ? ASN1_INTEGER_to_BN(X509_get0_serialNumber(certificate), NULL) : NULL;
    int done = number != NULL && BN_num_bytes(number) <= NUMBER_ROOM;
    if (done)
        base->output_length = (size_t)BN_bn2bin(number, base->output);
    BN_free(number);
    X509_free(certificate);
    return done;
}

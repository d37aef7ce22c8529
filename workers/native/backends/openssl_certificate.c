/* OpenSSL: what is read before connections: a bundle of roots, and one certificate. */

#include "openssl_operation.h"

enum { NUMBER_ROOM = 64 };

struct certificate_operation {
    tlx_operation base;
    unsigned count; /* of the certificates in the bundle that was loaded last */
};

static const char *lacks(tlx_operation *base) { return base->speed ? "certificates in `openssl speed`" : NULL; }

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
    return tlx_done(done);
}

static int load_and_answer(tlx_operation *base) {
    int error = load(base);
    tlx_answer_count(base, ((struct certificate_operation *)base)->count);
    return error;
}

static X509 *parsed(const tlx_operation *base) {
    const unsigned char *der = base->message;
    return d2i_X509(NULL, &der, (long)base->length);
}

static int parse(tlx_operation *base) {
    X509 *certificate = parsed(base);
    X509_free(certificate);
    return tlx_done(certificate != NULL);
}

static int parse_and_answer(tlx_operation *base) {
    X509 *certificate = parsed(base);
    BIGNUM *number = certificate ? ASN1_INTEGER_to_BN(X509_get0_serialNumber(certificate), NULL) : NULL;
    int done = number != NULL && BN_num_bytes(number) <= NUMBER_ROOM;
    if (done)
        base->output_length = (size_t)BN_bn2bin(number, base->output);
    BN_free(number);
    X509_free(certificate);
    return tlx_done(done);
}

static const struct call {
    const char *algorithm;
    int (*once)(tlx_operation *);
    int (*answer)(tlx_operation *);
} calls[] = {{"ca-bundle", load, load_and_answer}, {"certificate", parse, parse_and_answer}};

static int prepare(tlx_operation *base, const struct tlx_inputs *inputs) {
    const struct call *call = base->row;
    (void)inputs;
    base->once = call->once;
    base->answer = call->answer;
    return 0;
}

const struct tlx_kind tlx_certificate = {
    TLX_KIND(calls, struct certificate_operation), .room = NUMBER_ROOM, .lacks = lacks, .prepare = prepare};

/* OpenSSL: what is read before connections: a bundle of roots, and one certificate. */

#include "openssl_backend.h"

#include "../common/call.h"

enum { NUMBER_ROOM = 64 };

static const char *lacks(tlx_operation *op) { return op->speed ? "certificates in `openssl speed`" : NULL; }

/* As SSL_CTX_load_verify_file does it: every block of the PEM is decoded first, then the certificates are added. */
static int load(tlx_operation *op) {
    BIO *pem = BIO_new_mem_buf(op->message, op->length);
    X509_STORE *store = X509_STORE_new();
    STACK_OF(X509_INFO) *found = pem && store ? PEM_X509_INFO_read_bio(pem, NULL, NULL, NULL) : NULL;
    int done = found != NULL;
    uint32_t count = 0;
    for (size_t i = 0; done && i < (size_t)sk_X509_INFO_num(found); i++) {
        X509 *certificate = sk_X509_INFO_value(found, (int)i)->x509;
        if (certificate == NULL)
            continue;
        done = X509_STORE_add_cert(store, certificate);
        count++;
    }
    sk_X509_INFO_pop_free(found, X509_INFO_free);
    X509_STORE_free(store);
    BIO_free(pem);
    tlx_answer_count(op, count);
    return tlx_done(done);
}

static X509 *parsed(const tlx_operation *op) {
    const unsigned char *der = op->message;
    return d2i_X509(NULL, &der, (long)op->length);
}

static int parse(tlx_operation *op) {
    X509 *certificate = parsed(op);
    X509_free(certificate);
    return tlx_done(certificate != NULL);
}

static int parse_and_answer(tlx_operation *op) {
    X509 *certificate = parsed(op);
    BIGNUM *number = certificate ? ASN1_INTEGER_to_BN(X509_get0_serialNumber(certificate), NULL) : NULL;
    int done = number != NULL && BN_num_bytes(number) <= NUMBER_ROOM;
    if (done)
        op->output_length = (size_t)BN_bn2bin(number, op->output);
    BN_free(number);
    X509_free(certificate);
    return tlx_done(done);
}

static const struct tlx_call calls[] = {{"ca-bundle", load, NULL}, {"certificate", parse, parse_and_answer}};

const struct tlx_kind tlx_certificate = {
    TLX_KIND(calls), .room = NUMBER_ROOM, .lacks = lacks, .prepare = tlx_prepare_call};

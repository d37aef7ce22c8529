/* GnuTLS: what is read before any connection: a CA bundle and a certificate. */

#include "gnutls_operation.h"

enum { SERIAL_ROOM = 64 };

static int load(tlx_operation *);
static int parse(tlx_operation *);

int tlx_certificates_has(const char *algorithm) {
    return strcmp(algorithm, "ca-bundle") == 0 || strcmp(algorithm, "certificate") == 0 ? 1 : -1;
}

int tlx_certificates_new(const char *algorithm, const struct tlx_inputs *inputs, tlx_operation **made) {
    tlx_operation *op = tlx_operation_alloc(sizeof *op, SERIAL_ROOM, inputs);
    if (op == NULL)
        return tlx_fail("allocating an operation", GNUTLS_E_MEMORY_ERROR);
    op->once = strcmp(algorithm, "ca-bundle") == 0 ? load : parse;
    *made = op;
    return TLX_OK;
}

/* A client's credentials hold the list that it verifies with. */
static int load(tlx_operation *op) {
    gnutls_datum_t pem = {op->message, (unsigned)op->length};
    gnutls_certificate_credentials_t credentials;
    int code = gnutls_certificate_allocate_credentials(&credentials);
    if (code < 0)
        return code;
    code = gnutls_certificate_set_x509_trust_mem(credentials, &pem, GNUTLS_X509_FMT_PEM);
    gnutls_certificate_free_credentials(credentials);
    for (int i = 0; code >= 0 && i < 4; i++)
        op->output[i] = (unsigned char)((unsigned)code >> (8 * (3 - i)));
    op->output_length = 4;
    return code;
}

/* A serial number is a signed INTEGER, so that a zero may stand in front. */
static int parse(tlx_operation *op) {
    gnutls_datum_t der = {op->message, (unsigned)op->length};
    unsigned char serial[SERIAL_ROOM];
    size_t length = sizeof serial, zeros = 0;
    gnutls_x509_crt_t certificate;
    int code = gnutls_x509_crt_init(&certificate);
    if (code < 0)
        return code;
    code = gnutls_x509_crt_import(certificate, &der, GNUTLS_X509_FMT_DER);
    if (code >= 0)
        code = gnutls_x509_crt_get_serial(certificate, serial, &length);
    gnutls_x509_crt_deinit(certificate);
    if (code < 0)
        return code;
    while (zeros < length && serial[zeros] == 0)
        zeros++;
    op->output_length = length - zeros;
    memcpy(op->output, serial + zeros, op->output_length);
    return 0;
}

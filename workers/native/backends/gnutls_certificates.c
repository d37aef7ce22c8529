/* GnuTLS: what is read before any connection: a CA bundle and a certificate. */

#include "gnutls_backend.h"

#include "../common/call.h"

enum { SERIAL_ROOM = 64 };

/* A client's credentials hold the list that it verifies with. */
static int load(tlx_operation *op) {
    gnutls_datum_t pem = {op->message, (unsigned)op->length};
    gnutls_certificate_credentials_t credentials;
    int code = gnutls_certificate_allocate_credentials(&credentials);
    if (code < 0)
        return code;
    code = gnutls_certificate_set_x509_trust_mem(credentials, &pem, GNUTLS_X509_FMT_PEM);
    gnutls_certificate_free_credentials(credentials);
    if (code >= 0)
        tlx_answer_count(op, (unsigned)code);
    return code;
}

static int parse(tlx_operation *op) {
    gnutls_datum_t der = {op->message, (unsigned)op->length};
    unsigned char serial[SERIAL_ROOM];
    size_t length = sizeof serial;
    gnutls_x509_crt_t certificate;
    int code = gnutls_x509_crt_init(&certificate);
    if (code < 0)
        return code;
    code = gnutls_x509_crt_import(certificate, &der, GNUTLS_X509_FMT_DER)
           ?: gnutls_x509_crt_get_serial(certificate, serial, &length);
    gnutls_x509_crt_deinit(certificate);
    if (code >= 0)
        tlx_answer_number(op, serial, length);
    return code;
}

static const struct tlx_call calls[] = {{"ca-bundle", load, NULL}, {"certificate", parse, NULL}};

const struct tlx_kind tlx_certificates = {TLX_KIND(calls), .prepare = tlx_prepare_call};

/* Mbed TLS: loading a CA bundle and parsing a certificate.
 *
 * The bundle becomes the list of parsed certificates that a client's configuration points at.
 */

#include "mbedtls_backend.h"

#include "../common/call.h"

/* A positive result of the library is the number of certificates that it does not take; the answer shows them. */
static int load(tlx_operation *op) {
    mbedtls_x509_crt list;
    uint32_t count = 0;
    int error;
    mbedtls_x509_crt_init(&list);
    /* The 0 behind the text belongs to it. */
    error = mbedtls_x509_crt_parse(&list, op->message, op->length + 1);
    for (const mbedtls_x509_crt *one = &list; one != NULL && one->version != 0; one = one->next)
        count++;
    mbedtls_x509_crt_free(&list);
    tlx_answer_count(op, count);
    return error;
}

static int parse(tlx_operation *op) {
    mbedtls_x509_crt certificate;
    int error;
    mbedtls_x509_crt_init(&certificate);
    error = mbedtls_x509_crt_parse_der(&certificate, op->message, op->length);
    if (error == 0)
        tlx_answer_number(op, certificate.serial.p, certificate.serial.len);
    mbedtls_x509_crt_free(&certificate);
    return error;
}

static const struct tlx_call calls[] = {{"ca-bundle", load, NULL}, {"certificate", parse, NULL}};

const struct tlx_kind mbed_certificate = {TLX_KIND(calls), .prepare = tlx_prepare_call};

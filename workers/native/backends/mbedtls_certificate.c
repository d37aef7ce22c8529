/* Mbed TLS: loading a CA bundle and parsing a certificate.
 *
 * The bundle becomes the list of parsed certificates that a client's configuration points at.
 */

#include "mbedtls_operation.h"

#include <mbedtls/x509_crt.h>
#include <string.h>

static const char BUNDLE[] = "ca-bundle", CERTIFICATE[] = "certificate";

static int load(tlx_operation *);
static int parse(tlx_operation *);

int mbed_certificate_has(const char *algorithm) {
    return strcmp(algorithm, BUNDLE) == 0 || strcmp(algorithm, CERTIFICATE) == 0 ? 1 : -1;
}

int mbed_certificate_new(const char *algorithm, const struct tlx_inputs *inputs, tlx_operation **made) {
    tlx_operation *operation = mbed_operation_alloc(sizeof *operation, 0, inputs);
    if (operation == NULL)
        return mbed_fail("allocating a certificate operation", WRONG);
    operation->once = strcmp(algorithm, BUNDLE) == 0 ? load : parse;
    *made = operation;
    return TLX_OK;
}

/* A positive result is the number of certificates that the library does not take; the answer tells of them. */
static int load(tlx_operation *operation) {
    mbedtls_x509_crt list;
    uint32_t count = 0;
    int error;
    mbedtls_x509_crt_init(&list);
    error = mbedtls_x509_crt_parse(&list, operation->message, operation->length + 1);
    for (const mbedtls_x509_crt *one = &list; one != NULL && one->version != 0; one = one->next)
        count++;
    mbedtls_x509_crt_free(&list);
    for (int i = 0; i < 4; i++)
        operation->output[i] = (unsigned char)(count >> (24 - 8 * i));
    operation->output_length = 4;
    return error < 0 ? error : 0;
}

static int parse(tlx_operation *operation) {
    mbedtls_x509_crt certificate;
    int error;
    mbedtls_x509_crt_init(&certificate);
    error = mbedtls_x509_crt_parse_der(&certificate, operation->message, operation->length);
    if (error == 0) {
        const unsigned char *serial = certificate.serial.p;
        size_t length = certificate.serial.len;
        for (; length > 0 && *serial == 0; serial++)
            length--;
        memcpy(operation->output, serial, length);
        operation->output_length = length;
    }
    mbedtls_x509_crt_free(&certificate);
    return error;
}

/* wolfSSL: a bundle of roots and a certificate, read and dropped. */

#include "wolfssl_operation.h"

#include <wolfssl/wolfcrypt/asn.h>

static _Thread_local uint32_t loaded;

static void count_loaded(unsigned char *der, int length, int type) {
    (void)der, (void)length, (void)type;
    loaded++;
}

/* A client's context, since the library does not tell what a certificate manager alone has taken. */
static int load(tlx_operation *base) {
    WOLFSSL_CTX *context = wolfSSL_CTX_new(wolfTLSv1_3_client_method());
    int result;
    if (context == NULL)
        return MEMORY_E;
    loaded = 0;
    wolfSSL_CTX_SetCACb(context, count_loaded);
    result = wolfSSL_CTX_load_verify_buffer(context, base->message, (long)base->length, WOLFSSL_FILETYPE_PEM);
    wolfSSL_CTX_free(context);
    for (int i = 0; i < 4; i++)
        base->output[i] = (unsigned char)(loaded >> (24 - 8 * i));
    base->output_length = 4;
    return result == WOLFSSL_SUCCESS ? 0 : result;
}

static int parse(tlx_operation *base) {
    DecodedCert certificate;
    int result, zeros = 0;
    wc_InitDecodedCert(&certificate, base->message, base->length, NULL);
    result = wc_ParseCert(&certificate, CERT_TYPE, NO_VERIFY, NULL);
    while (result == 0 && zeros < certificate.serialSz && certificate.serial[zeros] == 0)
        zeros++;
    if (result == 0) {
        base->output_length = (word32)(certificate.serialSz - zeros);
        memcpy(base->output, certificate.serial + zeros, base->output_length);
    }
    wc_FreeDecodedCert(&certificate);
    return result;
}

int tlx_certificate_has(const char *algorithm) {
    return strcmp(algorithm, "ca-bundle") == 0 || strcmp(algorithm, "certificate") == 0;
}

int tlx_certificate_new(const char *algorithm, const struct tlx_inputs *inputs, tlx_operation **made) {
    tlx_operation *operation = tlx_operation_alloc(sizeof *operation, 0, inputs);
    if (operation == NULL)
        return tlx_fail("allocating a certificate operation", MEMORY_E);
    operation->once = strcmp(algorithm, "certificate") == 0 ? parse : load;
    *made = operation;
    return TLX_OK;
}

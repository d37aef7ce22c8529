/* wolfSSL: a bundle of roots and a certificate, read and dropped. */

#include "wolfssl_backend.h"

#include "../common/call.h"

#include <wolfssl/wolfcrypt/asn.h>

static _Thread_local uint32_t loaded;

static void count_loaded(unsigned char *der, int length, int type) { loaded++; }

/* A client's context, since the library does not report what a certificate manager alone has taken. */
static int load(tlx_operation *op) {
    WOLFSSL_CTX *context = wolfSSL_CTX_new(wolfTLSv1_3_client_method());
    int result;
    if (context == NULL)
        return MEMORY_E;
    loaded = 0;
    wolfSSL_CTX_SetCACb(context, count_loaded);
    result = wolfSSL_CTX_load_verify_buffer(context, op->message, (long)op->length, WOLFSSL_FILETYPE_PEM);
    wolfSSL_CTX_free(context);
    tlx_answer_count(op, loaded);
    /* Its failure is 0. */
    return result == WOLFSSL_SUCCESS ? 0 : result < 0 ? result : TLX_WRONG;
}

static int parse(tlx_operation *op) {
    DecodedCert certificate;
    int result;
    wc_InitDecodedCert(&certificate, op->message, op->length, NULL);
    result = wc_ParseCert(&certificate, CERT_TYPE, NO_VERIFY, NULL);
    if (result == 0)
        tlx_answer_number(op, certificate.serial, (size_t)certificate.serialSz);
    wc_FreeDecodedCert(&certificate);
    return result;
}

static const struct tlx_call calls[] = {{"ca-bundle", load, NULL}, {"certificate", parse, NULL}};

const struct tlx_kind tlx_certificate = {TLX_KIND(calls), .prepare = tlx_prepare_call};

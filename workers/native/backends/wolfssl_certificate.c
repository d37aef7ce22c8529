/* wolfSSL: a bundle of roots and a certificate, read and dropped. */

#include "wolfssl_operation.h"

#include <wolfssl/wolfcrypt/asn.h>

static _Thread_local uint32_t loaded;

static void count_loaded(unsigned char *der, int length, int type) {
    (void)der, (void)length, (void)type;
    loaded++;
}

/* A client's context, since the library does not report what a certificate manager alone has taken. */
static int load(tlx_operation *base) {
    WOLFSSL_CTX *context = wolfSSL_CTX_new(wolfTLSv1_3_client_method());
    int result;
    if (context == NULL)
        return MEMORY_E;
    loaded = 0;
    wolfSSL_CTX_SetCACb(context, count_loaded);
    result = wolfSSL_CTX_load_verify_buffer(context, base->message, (long)base->length, WOLFSSL_FILETYPE_PEM);
    wolfSSL_CTX_free(context);
    tlx_answer_count(base, loaded);
    /* Its failure is 0. */
    return result == WOLFSSL_SUCCESS ? 0 : result < 0 ? result : TLX_WRONG;
}

static int parse(tlx_operation *base) {
    DecodedCert certificate;
    int result;
    wc_InitDecodedCert(&certificate, base->message, base->length, NULL);
    result = wc_ParseCert(&certificate, CERT_TYPE, NO_VERIFY, NULL);
    if (result == 0)
        tlx_answer_number(base, certificate.serial, (size_t)certificate.serialSz);
    wc_FreeDecodedCert(&certificate);
    return result;
}

static const struct tlx_call calls[] = {{"ca-bundle", load}, {"certificate", parse}};

const struct tlx_kind tlx_certificate = {TLX_KIND(calls, tlx_operation), .prepare = tlx_prepare_call};

/* NSS: what is read before any connection: PEM, a CA bundle and a certificate. */

#define _GNU_SOURCE

#include "nss_backend.h"

#include "../common/call.h"

#include <certdb.h>
#include <nssb64.h>

/* NSS reads Base64 and no PEM. */
int tlx_next_pem(struct tlx_bytes *text, SECItem *item) {
    static const char begin[] = "-----BEGIN ", end[] = "\n-----END ";
    const char *from = memmem(text->data, text->length, begin, sizeof begin - 1), *to;
    size_t rest = from ? text->length - (size_t)(from - (const char *)text->data) : 0;
    from = from ? memchr(from, '\n', rest) : NULL;
    if (from == NULL)
        return 0;
    rest = text->length - (size_t)(from - (const char *)text->data);
    to = memmem(from, rest, end, sizeof end - 1);
    if (to == NULL)
        return 0;
    *item = (SECItem){siBuffer, NULL, 0};
    text->data = (const unsigned char *)to + 1;
    text->length = rest - (size_t)(to + 1 - from);
    return NSSBase64_DecodeBuffer(NULL, item, from, (unsigned)(to - from)) != NULL;
}

/* Certificates that are trusted for servers, as a client needs them, in the memory of the process. */
static int load(tlx_operation *op) {
    struct tlx_bytes text = {op->message, op->length};
    CERTCertDBHandle *database = CERT_GetDefaultCertDB();
    CERTCertificate *certificates[1024];
    CERTCertTrust trust = {CERTDB_TRUSTED_CA | CERTDB_VALID_CA, 0, 0};
    unsigned count = 0;
    int done = 1;
    SECItem der;
    while (done && count < COUNT(certificates) && tlx_next_pem(&text, &der)) {
        CERTCertificate *certificate = CERT_NewTempCertificate(database, &der, NULL, PR_FALSE, PR_TRUE);
        SECITEM_FreeItem(&der, PR_FALSE);
        done = certificate != NULL && CERT_ChangeCertTrust(database, certificate, &trust) == SECSuccess;
        if (certificate != NULL)
            certificates[count++] = certificate;
    }
    tlx_answer_count(op, count);
    while (count > 0)
        CERT_DestroyCertificate(certificates[--count]);
    return tlx_done(done);
}

/* The one way that is exported also enters the certificate into the memory of the process, until it is dropped. */
static int parse(tlx_operation *op) {
    SECItem der = tlx_item(op->message, op->length);
    CERTCertificate *certificate = CERT_NewTempCertificate(CERT_GetDefaultCertDB(), &der, NULL, PR_FALSE, PR_TRUE);
    if (certificate == NULL)
        return TLX_FAILED;
    tlx_answer_number(op, certificate->serialNumber.data, certificate->serialNumber.len);
    CERT_DestroyCertificate(certificate);
    return 0;
}

static const struct tlx_call calls[] = {{"ca-bundle", load, NULL}, {"certificate", parse, NULL}};

const struct tlx_kind tlx_certificates = {TLX_KIND(calls), .prepare = tlx_prepare_call};

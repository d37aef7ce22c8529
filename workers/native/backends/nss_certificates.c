/* NSS: what is read before any connection: PEM, a CA bundle and a certificate. */

#define _GNU_SOURCE

#include "nss_operation.h"

#include <certdb.h>
#include <nssb64.h>

enum { SERIAL_ROOM = 64 };

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

static int load(tlx_operation *);
static int parse(tlx_operation *);

int tlx_certificates_has(const char *algorithm) {
    return strcmp(algorithm, "ca-bundle") == 0 || strcmp(algorithm, "certificate") == 0 ? 1 : -1;
}

int tlx_certificates_new(const char *algorithm, const struct tlx_inputs *inputs, tlx_operation **made) {
    tlx_operation *op = tlx_operation_alloc(sizeof *op, SERIAL_ROOM, inputs);
    if (op == NULL)
        return tlx_fail("allocating an operation");
    op->once = strcmp(algorithm, "ca-bundle") == 0 ? load : parse;
    *made = op;
    return TLX_OK;
}

/* Certificates that are trusted for servers, as a client needs them, in the memory of the process. */
static int load(tlx_operation *op) {
    struct tlx_bytes text = {op->message, (size_t)op->length};
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
    for (int i = 0; i < 4; i++)
        op->output[i] = (unsigned char)(count >> (8 * (3 - i)));
    op->output_length = 4;
    while (count > 0)
        CERT_DestroyCertificate(certificates[--count]);
    return done;
}

/* The one way that is exported also enters the certificate into the memory of the process, until it is dropped. A
 * serial number is a signed INTEGER, so that a zero may stand in front. */
static int parse(tlx_operation *op) {
    SECItem der = tlx_item(op->message, (size_t)op->length), serial;
    CERTCertificate *certificate = CERT_NewTempCertificate(CERT_GetDefaultCertDB(), &der, NULL, PR_FALSE, PR_TRUE);
    int done;
    if (certificate == NULL)
        return 0;
    serial = certificate->serialNumber;
    while (serial.len > 0 && serial.data[0] == 0) {
        serial.data++;
        serial.len--;
    }
    done = serial.len <= SERIAL_ROOM;
    if (done) {
        memcpy(op->output, serial.data, serial.len);
        op->output_length = serial.len;
    }
    CERT_DestroyCertificate(certificate);
    return done;
}

/* What the files of the GnuTLS backend share: the kinds of operations, and error texts. */
#ifndef GNUTLS_OPERATION_H
#define GNUTLS_OPERATION_H

#include "../common/error.h"
#include "../common/operation.h"

#include <gnutls/abstract.h>
#include <gnutls/crypto.h>
#include <gnutls/gnutls.h>
#include <gnutls/x509.h>
#include <stdlib.h>
#include <string.h>

/* Records "what: reason" as this thread's error text; returns TLX_FAILED. */
int tlx_fail(const char *what, int code);

/* The bytes as GnuTLS takes them; it has no const, and does not write to them. */
static inline gnutls_datum_t tlx_datum(struct tlx_bytes bytes) {
    return (gnutls_datum_t){(unsigned char *)bytes.data, (unsigned)bytes.length};
}

extern const struct tlx_kind tlx_cipher, tlx_hash, tlx_signature, tlx_certificates;

#endif

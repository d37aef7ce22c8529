/* What the files of the NSS backend share: the kinds of operations, imports, and error texts. */
#ifndef NSS_OPERATION_H
#define NSS_OPERATION_H

#include "../common/error.h"
#include "../common/operation.h"

#include <cert.h>
#include <keyhi.h>
#include <nss.h>
#include <pk11pub.h>
#include <prerror.h>
#include <secerr.h>
#include <stdlib.h>
#include <string.h>

/* Records "what: reason of the library" as this thread's error text; returns TLX_FAILED. */
int tlx_fail(const char *what);

/* The bytes as NSS takes them; it has no const, and does not write to them. */
static inline SECItem tlx_item(const void *data, size_t length) {
    return (SECItem){siBuffer, (unsigned char *)data, (unsigned)length};
}

/* The internal token alone: no module of the machine is asked for anything. Null with the library's error. */
PK11SymKey *tlx_import_key(CK_MECHANISM_TYPE mechanism, CK_ATTRIBUTE_TYPE operation, const void *key, size_t length);
/* A context with such a key; null with the library's error. */
PK11Context *tlx_context(CK_MECHANISM_TYPE mechanism, CK_ATTRIBUTE_TYPE operation, const void *key, size_t length,
                         const void *iv, size_t iv_length);
/* A private key from PKCS #8; the public value belongs to it. */
SECKEYPrivateKey *tlx_import_private(SECItem pkcs8, SECItem public_value);

/* The next block of a PEM text, decoded (freed with SECITEM_FreeItem(&item, PR_FALSE)); moves the text on. 1, or 0 at
 * its end. */
int tlx_next_pem(struct tlx_bytes *text, SECItem *item);

extern const struct tlx_kind tlx_cipher, tlx_hash, tlx_signature, tlx_exchange, tlx_certificates;

#endif

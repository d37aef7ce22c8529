/* What the files of the NSS backend share: error texts, the kinds of operations, configurations. */
#ifndef NSS_BACKEND_H
#define NSS_BACKEND_H

#include "../common/connection.h"
#include "../common/operation.h"

#include <cert.h>
#include <keyhi.h>
#include <nss.h>
#include <pk11pub.h>
#include <prerror.h>
#include <secerr.h>
#include <ssl.h>
#include <sslexp.h>
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

enum { CHAIN = 8, PEER_ID = 32 };

struct tlx_config {
    struct tlx_config_base;
    PRFileDesc *model; /* what connections are copied from */
    CERTCertificate *root;
    CERTCertificate *chain[CHAIN]; /* end entity first */
    size_t chain_length;
    SECKEYPrivateKey *key;
    SSLAntiReplayContext *anti_replay; /* server */
    char newest[PEER_ID];              /* client, by id: the peer of the newest session; locked with the sessions */
};

/* A layer under libssl with these methods, and what they find in its `secret`. Null without memory. */
PRFileDesc *tlx_layer_new(void *secret);

/* Whether a server of TLS 1.2 negotiates its group: TLX_OK, TLX_UNSUPPORTED or TLX_FAILED. */
int tlx_trial(struct tlx_config *config, const struct tlx_endpoint *endpoint);

/* The name of the kind of key in the tlstax vocabulary; null if it is in none. */
const char *tlx_key_name(const CERTCertificate *certificate);

#endif

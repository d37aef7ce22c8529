/* NSS: one end of connections, a model socket from which each connection is copied, and the capabilities of TLS,
 * found by configuring one.
 *
 * What is left at the library's default on purpose: signature algorithms, extended master secret, key shares, locks.
 */

#include "nss_backend.h"

#include <certdb.h>

/* The library's defence against replays: a filter of the handshakes of a window of time. Its size (as a logarithm) and
 * the number of hashes are such that thousands of handshakes a second are not taken for replays by chance. */
enum { ANTI_REPLAY_MICROSECONDS = 10000000, ANTI_REPLAY_HASHES = 4, ANTI_REPLAY_BITS = 25 };

/* ---- resumption ----------------------------------------------------------------------------------------------- */

static int set_resumption(struct tlx_config *config) {
    PRFileDesc *model = config->model;
    if (SSL_OptionSet(model, SSL_NO_CACHE, !config->resumes) != SECSuccess
        || SSL_OptionSet(model, SSL_ENABLE_SESSION_TICKETS, config->by_ticket) != SECSuccess
        || SSL_OptionSet(model, SSL_ENABLE_0RTT_DATA, config->early) != SECSuccess)
        return 0;
    if (!config->server || !config->early)
        return 1;
    /* It rejects all early data in its first window, which therefore begins in the past. */
    return SSL_CreateAntiReplayContext(PR_Now() - ANTI_REPLAY_MICROSECONDS - 1, ANTI_REPLAY_MICROSECONDS,
                                       ANTI_REPLAY_HASHES, ANTI_REPLAY_BITS, &config->anti_replay)
               == SECSuccess
           && SSL_SetAntiReplayContext(model, config->anti_replay) == SECSuccess;
}

/* ---- certificates --------------------------------------------------------------------------------------------- */

static CERTCertificate *next_certificate(struct tlx_bytes *text) {
    CERTCertificate *made;
    SECItem der;
    if (!tlx_next_pem(text, &der))
        return NULL;
    made = CERT_NewTempCertificate(CERT_GetDefaultCertDB(), &der, NULL, PR_FALSE, PR_TRUE);
    SECITEM_FreeItem(&der, PR_FALSE);
    return made;
}

/* Trust belongs to the whole process, so that a chain to the root of any other configuration passes the library. The
 * last certificate that was shown must name our root as its issuer. */
static SECStatus authenticate(void *pointer, PRFileDesc *socket, PRBool check, PRBool is_server) {
    const struct tlx_config *config = pointer;
    CERTCertList *shown;
    int ours = 0;
    if (SSL_AuthCertificate(CERT_GetDefaultCertDB(), socket, check, is_server) != SECSuccess)
        return SECFailure;
    shown = SSL_PeerCertificateChain(socket);
    if (shown != NULL && !CERT_LIST_EMPTY(shown))
        ours = SECITEM_ItemsAreEqual(&CERT_LIST_TAIL(shown)->cert->derIssuer, &config->root->derSubject);
    if (shown != NULL)
        CERT_DestroyCertList(shown);
    if (!ours)
        PR_SetError(SEC_ERROR_UNTRUSTED_ISSUER, 0);
    return ours ? SECSuccess : SECFailure;
}

static int set_root(struct tlx_config *config, struct tlx_bytes text) {
    CERTCertTrust trust = {CERTDB_TRUSTED_CA | CERTDB_VALID_CA | CERTDB_TRUSTED_CLIENT_CA, 0, 0};
    CERTCertList *anchors;
    int done;
    config->root = next_certificate(&text);
    if (config->root == NULL || CERT_ChangeCertTrust(CERT_GetDefaultCertDB(), config->root, &trust) != SECSuccess
        || SSL_AuthCertificateHook(config->model, authenticate, config) != SECSuccess)
        return 0;
    if (!config->server)
        return 1;
    anchors = CERT_NewCertList();
    done = anchors != NULL && CERT_AddCertToListTail(anchors, CERT_DupCertificate(config->root)) == SECSuccess
           && SSL_SetTrustAnchors(config->model, anchors) == SECSuccess;
    if (anchors != NULL)
        CERT_DestroyCertList(anchors);
    return done && SSL_OptionSet(config->model, SSL_REQUEST_CERTIFICATE, PR_TRUE) == SECSuccess
           && SSL_OptionSet(config->model, SSL_REQUIRE_CERTIFICATE, SSL_REQUIRE_ALWAYS) == SECSuccess;
}

static SECStatus show_certificate(void *pointer, PRFileDesc *socket, CERTDistNames *issuers, CERTCertificate **shown,
                                  SECKEYPrivateKey **key) {
    const struct tlx_config *config = pointer;
    *shown = CERT_DupCertificate(config->chain[0]);
    *key = SECKEY_CopyPrivateKey(config->key);
    return *shown != NULL && *key != NULL ? SECSuccess : SECFailure;
}

static int set_key(struct tlx_config *config, struct tlx_bytes text) {
    SECKEYPublicKey *public = CERT_ExtractPublicKey(config->chain[0]);
    SECItem pkcs8, value;
    if (public == NULL || !tlx_next_pem(&text, &pkcs8)) {
        SECKEY_DestroyPublicKey(public);
        return 0;
    }
    value = public->keyType == rsaKey ? public->u.rsa.modulus : public->u.ec.publicValue;
    config->key = tlx_import_private(pkcs8, value);
    SECITEM_FreeItem(&pkcs8, PR_FALSE);
    SECKEY_DestroyPublicKey(public);
    return config->key != NULL;
}

/* A server shows exactly what it was given; the chain of a client is what the library finds. */
static int set_chain(struct tlx_config *config, const struct tlx_endpoint *endpoint) {
    struct tlx_bytes text = endpoint->chain;
    SECItem items[CHAIN];
    CERTCertificateList list = {items, 0, NULL};
    SSLExtraServerCertData extra = {.authType = ssl_auth_null, .certChain = &list};
    while (config->chain_length < CHAIN && (config->chain[config->chain_length] = next_certificate(&text)) != NULL)
        items[list.len++] = config->chain[config->chain_length++]->derCert;
    if (config->chain_length == 0 || !set_key(config, endpoint->private_key))
        return 0;
    if (config->server)
        return SSL_ConfigServerCert(config->model, config->chain[0], config->key, &extra, sizeof extra) == SECSuccess;
    return SSL_GetClientAuthDataHook(config->model, show_certificate, config) == SECSuccess;
}

static int set_certificates(struct tlx_config *config, const struct tlx_endpoint *endpoint) {
    if (endpoint->root.length > 0 && !set_root(config, endpoint->root))
        return tlx_fail("the root certificate");
    if (endpoint->chain.length > 0 && !set_chain(config, endpoint))
        return tlx_fail("the certificate chain and its key");
    return TLX_OK;
}

/* ---- a configuration ------------------------------------------------------------------------------------------ */

static PRFileDesc *model_new(void) {
    PRFileDesc *layer = tlx_layer_new(NULL), *model = layer ? SSL_ImportFD(NULL, layer) : NULL;
    if (model == NULL && layer != NULL)
        PR_Close(layer);
    return model;
}

/* Of versions before TLS 1.2 it has some, which its policies of today forbid. */
static int set_version(PRFileDesc *model, int version) {
    if (version < TLS12)
        return 0;
    SSLVersionRange range = {(PRUint16)version, (PRUint16)version};
    return SSL_VersionRangeSet(model, &range) == SECSuccess;
}

static int set_suite(PRFileDesc *model, int suite) {
    PRBool on = PR_FALSE;
    for (int i = 0; i < SSL_GetNumImplementedCiphers(); i++)
        if (SSL_CipherPrefSet(model, SSL_GetImplementedCiphers()[i], PR_FALSE) != SECSuccess)
            return 0;
    return SSL_CipherPrefSet(model, suite, PR_TRUE) == SECSuccess
           && SSL_CipherPrefGet(model, suite, &on) == SECSuccess && on;
}

/* An end that shows an ECDSA certificate needs its curve too (tlx_certificate_curve says why the other does). */
static int set_group(PRFileDesc *model, const struct tlx_endpoint *endpoint) {
    const struct tlx_key *key = tlx_key_find(endpoint->key);
    SSLNamedGroup groups[2] = {(SSLNamedGroup)endpoint->group, ssl_grp_none};
    unsigned count = 1;
    if (endpoint->group == 0)
        return 1;
    if (endpoint->version == TLS12 && key != NULL && key->curve != 0 && key->curve != endpoint->group)
        groups[count++] = (SSLNamedGroup)key->curve;
    return SSL_NamedGroupConfig(model, groups, count) == SECSuccess;
}

static int set_model(struct tlx_config *config, const struct tlx_endpoint *endpoint) {
    PRFileDesc *model = config->model = model_new();
    if (model == NULL)
        return tlx_fail("SSL_ImportFD");
    if (!set_version(model, endpoint->version))
        return tlx_unsupported("such protocol version");
    if (!set_suite(model, endpoint->suite))
        return tlx_unsupported("such cipher suite");
    if (!set_group(model, endpoint))
        return tlx_fail("SSL_NamedGroupConfig");
    if (!tlx_has_key(endpoint->key))
        return tlx_unsupported("such certificate key");
    if (SSL_OptionSet(model, endpoint->server ? SSL_HANDSHAKE_AS_SERVER : SSL_HANDSHAKE_AS_CLIENT, PR_TRUE)
            != SECSuccess
        || SSL_OptionSet(model, SSL_ENABLE_SERVER_DHE, PR_TRUE) != SECSuccess)
        return tlx_fail("SSL_OptionSet");
    if (!set_resumption(config))
        return tlx_fail("setting up resumption");
    return set_certificates(config, endpoint);
}

static int set_up(struct tlx_config *config, const struct tlx_endpoint *endpoint) {
    int trial = config->server && config->version == TLS12 && config->group != 0;
    return set_model(config, endpoint) ?: (trial ? tlx_trial(config, endpoint) : TLX_OK);
}

const struct tlx_config_kind tlx_configs = {sizeof(struct tlx_config), set_up, &tlx_blob_kind, NULL};

void tlx_config_free(tlx_config *config) {
    if (config->model != NULL)
        PR_Close(config->model);
    if (config->anti_replay != NULL)
        SSL_ReleaseAntiReplayContext(config->anti_replay);
    if (config->root != NULL)
        CERT_DestroyCertificate(config->root);
    while (config->chain_length > 0)
        CERT_DestroyCertificate(config->chain[--config->chain_length]);
    SECKEY_DestroyPrivateKey(config->key);
    tlx_config_drop(config);
}

/* ---- names and capabilities ----------------------------------------------------------------------------------- */

const char *tlx_key_name(const CERTCertificate *certificate) {
    SECKEYPublicKey *key = certificate ? CERT_ExtractPublicKey((CERTCertificate *)certificate) : NULL;
    KeyType type = key ? SECKEY_GetPublicKeyType(key) : nullKey;
    int bits = key ? (int)SECKEY_PublicKeyStrengthInBits(key) : 0;
    SECKEY_DestroyPublicKey(key);
    if (type == rsaKey)
        return tlx_key_called(TLX_RSA, bits);
    return type == ecKey ? tlx_key_called(TLX_ECDSA, bits) : NULL;
}

/* What a fresh model takes. */
static int takes(int (*set)(PRFileDesc *, int), int number) {
    PRFileDesc *model = model_new();
    int has = model != NULL && set(model, number);
    if (model != NULL)
        PR_Close(model);
    return has;
}

/* Unknown groups are left out without a word, and then there is no ClientHello. The layer below the model drops what is
 * sent and has nothing to read. */
static int offers_group(PRFileDesc *model, int code) {
    SSLNamedGroup group = (SSLNamedGroup)code;
    return SSL_NamedGroupConfig(model, &group, 1) == SECSuccess && set_version(model, TLS13)
           && SSL_ResetHandshake(model, PR_FALSE) == SECSuccess && SSL_SetURL(model, "group.test") == SECSuccess
           && SSL_ForceHandshake(model) != SECSuccess && PR_GetError() == PR_WOULD_BLOCK_ERROR;
}

int tlx_has_version(int version) { return takes(set_version, version); }

int tlx_has_suite(int suite) { return takes(set_suite, suite); }

int tlx_has_group(int code) { return takes(offers_group, code); }

int tlx_has_key(const char *name) {
    const struct tlx_key *key = tlx_key_find(name);
    if (key == NULL || (key->type != TLX_RSA && key->type != TLX_ECDSA))
        return 0;
    return PK11_TokenExists(key->type == TLX_RSA ? CKM_RSA_PKCS_PSS : CKM_ECDSA);
}

int tlx_has_resumption(enum tlx_resumption resumption) { return resumption <= TLX_EARLY_DATA; }

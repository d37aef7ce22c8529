/* wolfSSL: one end of connections (a WOLFSSL_CTX) and the capabilities of TLS, found by configuring one.
 *
 * What is left at the library's default on purpose: buffers, signature algorithms, encrypt-then-MAC and extended master
 * secret (both on), and that a client takes an intermediate certificate that it has verified into its context.
 */

#include "wolfssl_backend.h"

#include <wolfssl/wolfcrypt/asn.h>

/* What wolfSSL_get_curve_name calls them. */
static const struct tlx_group groups[] = {
    {WOLFSSL_ECC_X25519, "X25519"},
    {WOLFSSL_ECC_SECP256R1, "SECP256R1"},
    {WOLFSSL_ECC_SECP384R1, "SECP384R1"},
    {WOLFSSL_ECC_SECP521R1, "SECP521R1"},
    {WOLFSSL_X25519MLKEM768, "X25519MLKEM768"},
    {WOLFSSL_SECP256R1MLKEM768, "SecP256r1MLKEM768"},
    {WOLFSSL_SECP384R1MLKEM1024, "SecP384r1MLKEM1024"},
    {WOLFSSL_FFDHE_2048, "FFDHE_2048"},
    {WOLFSSL_FFDHE_3072, "FFDHE_3072"},
};

static const word32 key_types[TLX_KEY_TYPES] = {
    [TLX_RSA] = RSAk,
    [TLX_ECDSA] = ECDSAk,
    [TLX_ED25519] = ED25519k,
    [TLX_ML_DSA_44] = ML_DSA_44k,
    [TLX_ML_DSA_65] = ML_DSA_65k,
    [TLX_ML_DSA_87] = ML_DSA_87k,
};

/* A context of one version alone; null if the library has it not. */
static WOLFSSL_CTX *context_of(int version, int server) {
    WOLFSSL_METHOD *method = NULL;
    if (version == TLS13)
        method = server ? wolfTLSv1_3_server_method() : wolfTLSv1_3_client_method();
    else if (version == TLS12)
        method = server ? wolfTLSv1_2_server_method() : wolfTLSv1_2_client_method();
    return method != NULL ? wolfSSL_CTX_new(method) : NULL;
}

static void *share(void *session) {
    const struct tlx_kept *kept = session;
    WOLFSSL_SESSION *copy = wolfSSL_SESSION_dup(kept->session);
    struct tlx_kept *made = copy != NULL ? malloc(sizeof *made) : NULL;
    if (made == NULL)
        wolfSSL_SESSION_free(copy);
    else
        *made = (struct tlx_kept){copy, kept->before};
    return made;
}

void tlx_kept_release(void *session) {
    struct tlx_kept *kept = session;
    wolfSSL_SESSION_free(kept->session);
    free(kept);
}

/* The last ticket of its line is used again and again. */
static int stays(const void *session) { return ((const struct tlx_kept *)session)->before >= LINEAGE; }

/* What is used again is copied, since the library writes to it. */
static const struct tlx_session_kind session_kind = {share, tlx_kept_release, stays};

/* ---- what is negotiated --------------------------------------------------------------------------------------- */

/* The library's own name of a suite, from the list of those it has; null if it has it not. */
static const char *suite_name(int suite, char *list, int room) {
    char *rest = list, *name;
    if (wolfSSL_get_ciphers(list, room) != WOLFSSL_SUCCESS)
        return NULL;
    while ((name = rest) != NULL && *name != 0) {
        byte first, second;
        int flags;
        rest = strchr(name, ':');
        if (rest != NULL)
            *rest++ = 0;
        if (wolfSSL_get_cipher_suite_from_name(name, &first, &second, &flags) == 0 && (first << 8 | second) == suite)
            return name;
    }
    return NULL;
}

static int set_suite(WOLFSSL_CTX *context, int suite) {
    char list[8192];
    const char *name = suite_name(suite, list, sizeof list);
    return name != NULL && wolfSSL_CTX_set_cipher_list(context, name) == WOLFSSL_SUCCESS;
}

static int set_group(WOLFSSL_CTX *context, const struct tlx_endpoint *endpoint) {
    int list[2] = {endpoint->group, endpoint->server ? 0 : tlx_certificate_curve(endpoint)};
    return endpoint->group == 0 || wolfSSL_CTX_set_groups(context, list, list[1] != 0 ? 2 : 1) == WOLFSSL_SUCCESS;
}

/* ---- resumption ----------------------------------------------------------------------------------------------- */

/* What the library hands over is the session that the connection goes on writing to, so a copy is kept. */
void tlx_session_keep(struct tlx_config *config, WOLFSSL_SESSION *session, int before) {
    struct tlx_kept kept = {session, before};
    if (config->version != TLS13 || before <= LINEAGE)
        tlx_sessions_keep(&config->sessions, share(&kept));
}

/* The library takes early data once for each session in its cache, which makes tickets stateful. A server that wants
 * early data in bulk keeps no cache and defends itself against replays in the application, which is asked here. */
static void forget_session(WOLFSSL_CTX *context, WOLFSSL_SESSION *session) {}

static int set_server_resumption(struct tlx_config *config) {
    WOLFSSL_CTX *context = config->context;
    if (!config->by_id)
        wolfSSL_CTX_set_session_cache_mode(context, WOLFSSL_SESS_CACHE_OFF);
    if (config->early)
        wolfSSL_CTX_sess_set_remove_cb(context, forget_session);
    if (config->version == TLS12)
        return config->by_ticket || wolfSSL_CTX_NoTicketTLSv12(context) == WOLFSSL_SUCCESS;
    if (!config->by_ticket)
        return wolfSSL_CTX_no_ticket_TLSv13(context) == 0;
    return wolfSSL_CTX_set_max_early_data(context, config->early ? 16384 : 0) >= 0;
}

static int set_resumption(struct tlx_config *config) {
    WOLFSSL_CTX *context = config->context;
    if (config->server)
        return set_server_resumption(config);
    if (!config->resumes) {
        wolfSSL_CTX_set_session_cache_mode(context, WOLFSSL_SESS_CACHE_OFF);
        return 1;
    }
    wolfSSL_CTX_set_session_cache_mode(context, WOLFSSL_SESS_CACHE_NO_INTERNAL);
    wolfSSL_CTX_sess_set_new_cb(context, tlx_session_came);
    return config->by_id || config->version == TLS13 || wolfSSL_CTX_UseSessionTicket(context) == WOLFSSL_SUCCESS;
}

/* ---- certificates --------------------------------------------------------------------------------------------- */

static int set_certificates(WOLFSSL_CTX *context, const struct tlx_endpoint *endpoint) {
    const struct tlx_bytes root = endpoint->root, chain = endpoint->chain, key = endpoint->private_key;
    int result;
    if (root.length > 0) {
        result = wolfSSL_CTX_load_verify_buffer(context, root.data, (long)root.length, WOLFSSL_FILETYPE_PEM);
        if (result != WOLFSSL_SUCCESS)
            return tlx_fail("the root certificate", result);
        wolfSSL_CTX_set_verify(context, WOLFSSL_VERIFY_PEER | WOLFSSL_VERIFY_FAIL_IF_NO_PEER_CERT, tlx_verified);
    } else {
        wolfSSL_CTX_set_verify(context, WOLFSSL_VERIFY_NONE, NULL);
    }
    if (chain.length == 0)
        return TLX_OK;
    result = wolfSSL_CTX_use_certificate_chain_buffer(context, chain.data, (long)chain.length);
    if (result != WOLFSSL_SUCCESS)
        return tlx_fail("the certificate chain", result);
    result = wolfSSL_CTX_use_PrivateKey_buffer(context, key.data, (long)key.length, WOLFSSL_FILETYPE_PEM);
    return result == WOLFSSL_SUCCESS ? TLX_OK : tlx_fail("the private key", result);
}

/* ---- a configuration ------------------------------------------------------------------------------------------ */

static int set_up(struct tlx_config *config, const struct tlx_endpoint *endpoint) {
    WOLFSSL_CTX *context = config->context = context_of(config->version, config->server);
    if (context == NULL)
        return tlx_unsupported("such protocol version");
    wolfSSL_CTX_SetIORecv(context, tlx_receive);
    wolfSSL_CTX_SetIOSend(context, tlx_send);
    if (!set_suite(context, endpoint->suite))
        return tlx_unsupported("such cipher suite");
    if (!set_group(context, endpoint))
        return tlx_unsupported("such group");
    if (!set_resumption(config))
        return tlx_fail("setting up resumption", BAD_FUNC_ARG);
    return set_certificates(context, endpoint);
}

const struct tlx_config_kind tlx_configs = {sizeof(struct tlx_config), set_up, &session_kind, NULL};

void tlx_config_free(tlx_config *config) {
    wolfSSL_CTX_free(config->context);
    tlx_config_drop(config);
}

/* ---- names and capabilities ----------------------------------------------------------------------------------- */

static int bits_of_key(const DecodedCert *certificate) {
    RsaKey rsa;
    word32 at = 0;
    int bits = 0;
    if (certificate->keyOID == ECDSAk)
        return certificate->pkCurveOID == ECC_SECP256R1_OID ? 256 : certificate->pkCurveOID == ECC_SECP384R1_OID ? 384 : 0;
    if (certificate->keyOID != RSAk || wc_InitRsaKey(&rsa, NULL) != 0)
        return 0;
    if (wc_RsaPublicKeyDecode(certificate->publicKey, &at, &rsa, certificate->pubKeySize) == 0)
        bits = 8 * wc_RsaEncryptSize(&rsa);
    wc_FreeRsaKey(&rsa);
    return bits;
}

const char *tlx_key_name(const unsigned char *der, size_t length) {
    DecodedCert certificate;
    const char *name = NULL;
    wc_InitDecodedCert(&certificate, der, (word32)length, NULL);
    if (wc_ParseCert(&certificate, CERT_TYPE, NO_VERIFY, NULL) == 0)
        for (enum tlx_key_type type = 0; type < TLX_KEY_TYPES; type++)
            if (key_types[type] == certificate.keyOID)
                name = tlx_key_called(type, bits_of_key(&certificate));
    wc_FreeDecodedCert(&certificate);
    return name;
}

int tlx_group_code(const char *name) { return tlx_group_named(groups, COUNT(groups), name); }

int tlx_has_version(int version) {
    WOLFSSL_CTX *context = context_of(version, 0);
    wolfSSL_CTX_free(context);
    return context != NULL;
}

int tlx_has_suite(int suite) {
    char list[8192];
    return suite_name(suite, list, sizeof list) != NULL;
}

int tlx_has_group(int group) {
    WOLFSSL_CTX *context = context_of(TLS13, 0);
    int has = context != NULL && wolfSSL_CTX_set_groups(context, &group, 1) == WOLFSSL_SUCCESS;
    wolfSSL_CTX_free(context);
    return has;
}

int tlx_has_key(const char *name) { return tlx_key_find(name) != NULL; }

int tlx_has_resumption(enum tlx_resumption resumption) { return resumption <= TLX_EARLY_DATA; }

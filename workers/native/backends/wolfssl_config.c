/* wolfSSL: one end of connections (a WOLFSSL_CTX) and the capabilities of TLS, found by configuring one.
 *
 * What is left at the library's default on purpose: buffers, signature algorithms, encrypt-then-MAC and extended master
 * secret (both on), and that a client takes an intermediate certificate that it has verified into its context.
 */

#include "wolfssl_config.h"

#include <wolfssl/wolfcrypt/asn.h>

static const struct group {
    int code, finite_field;
    const char *name; /* what wolfSSL_get_curve_name calls it */
} groups[] = {
    {WOLFSSL_ECC_X25519, 0, "X25519"},
    {WOLFSSL_ECC_SECP256R1, 0, "SECP256R1"},
    {WOLFSSL_ECC_SECP384R1, 0, "SECP384R1"},
    {WOLFSSL_ECC_SECP521R1, 0, "SECP521R1"},
    {WOLFSSL_X25519MLKEM768, 0, "X25519MLKEM768"},
    {WOLFSSL_SECP256R1MLKEM768, 0, "SecP256r1MLKEM768"},
    {WOLFSSL_SECP384R1MLKEM1024, 0, "SecP384r1MLKEM1024"},
    {WOLFSSL_FFDHE_2048, 1, "FFDHE_2048"},
    {WOLFSSL_FFDHE_3072, 1, "FFDHE_3072"},
};

static const struct key {
    const char *name;
    word32 oid, size; /* size: bytes of the modulus, or the curve; 0: the type has one */
    int group;
} keys[] = {
    {"rsa-2048", RSAk, 256, 0},
    {"rsa-3072", RSAk, 384, 0},
    {"rsa-4096", RSAk, 512, 0},
    {"ecdsa-p256", ECDSAk, ECC_SECP256R1_OID, WOLFSSL_ECC_SECP256R1},
    {"ecdsa-p384", ECDSAk, ECC_SECP384R1_OID, WOLFSSL_ECC_SECP384R1},
    {"ed25519", ED25519k, 0, 0},
    {"ml-dsa-44", ML_DSA_44k, 0, 0},
    {"ml-dsa-65", ML_DSA_65k, 0, 0},
    {"ml-dsa-87", ML_DSA_87k, 0, 0},
};

#define COUNT(table) (sizeof(table) / sizeof *(table))

static int set_up(struct tlx_config *, const struct tlx_endpoint *);
static int set_suite(WOLFSSL_CTX *, int suite);
static int set_group(WOLFSSL_CTX *, const struct tlx_endpoint *);
static int set_resumption(struct tlx_config *, enum tlx_resumption resumption);
static int set_certificates(WOLFSSL_CTX *, const struct tlx_endpoint *);

static const struct key *find_key(const char *name) {
    for (size_t i = 0; i < COUNT(keys); i++)
        if (strcmp(keys[i].name, name) == 0)
            return &keys[i];
    return NULL;
}

/* A context of one version alone; null if the library has it not. */
static WOLFSSL_CTX *context_of(int version, int server) {
    WOLFSSL_METHOD *method = NULL;
    if (version == TLS13)
        method = server ? wolfTLSv1_3_server_method() : wolfTLSv1_3_client_method();
    else if (version == TLS12)
        method = server ? wolfTLSv1_2_server_method() : wolfTLSv1_2_client_method();
    return method != NULL ? wolfSSL_CTX_new(method) : NULL;
}

int tlx_config_new(const struct tlx_endpoint *endpoint, tlx_config **made) {
    struct tlx_config *config = calloc(1, sizeof *config);
    int result;
    if (config == NULL)
        return tlx_fail("allocating a configuration", MEMORY_E);
    pthread_mutex_init(&config->lock, NULL);
    config->server = endpoint->server;
    config->version = endpoint->version;
    config->group = endpoint->group;
    config->record = endpoint->record;
    if (endpoint->server && find_key(endpoint->key) != NULL)
        config->own_key = find_key(endpoint->key)->name;
    if (endpoint->host != NULL && strlen(endpoint->host) < sizeof config->host)
        strcpy(config->host, endpoint->host);
    if (endpoint->early_data.length > 0 && endpoint->early_data.length <= sizeof config->early_data) {
        memcpy(config->early_data, endpoint->early_data.data, endpoint->early_data.length);
        config->early_length = endpoint->early_data.length;
    }
    config->context = context_of(endpoint->version, endpoint->server);
    result = config->context != NULL ? set_up(config, endpoint) : tlx_unsupported("such protocol version");
    if (result != TLX_OK) {
        tlx_config_free(config);
        return result;
    }
    *made = config;
    return TLX_OK;
}

void tlx_config_free(tlx_config *config) {
    if (config == NULL)
        return;
    while (config->kept > 0)
        wolfSSL_SESSION_free(config->sessions[--config->kept].session);
    free(config->sessions);
    wolfSSL_CTX_free(config->context);
    pthread_mutex_destroy(&config->lock);
    free(config);
}

static int set_up(struct tlx_config *config, const struct tlx_endpoint *endpoint) {
    WOLFSSL_CTX *context = config->context;
    wolfSSL_CTX_SetIORecv(context, tlx_receive);
    wolfSSL_CTX_SetIOSend(context, tlx_send);
    if (!set_suite(context, endpoint->suite))
        return tlx_unsupported("such cipher suite");
    if (!set_group(context, endpoint))
        return tlx_unsupported("such group");
    if (!set_resumption(config, endpoint->resumption))
        return tlx_fail("setting up resumption", BAD_FUNC_ARG);
    return set_certificates(context, endpoint);
}

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
        if (wolfSSL_get_cipher_suite_from_name(name, &first, &second, &flags) == 0
            && (first << 8 | second) == suite)
            return name;
    }
    return NULL;
}

static int set_suite(WOLFSSL_CTX *context, int suite) {
    char list[8192];
    const char *name = suite_name(suite, list, sizeof list);
    return name != NULL && wolfSSL_CTX_set_cipher_list(context, name) == WOLFSSL_SUCCESS;
}

/* RFC 8422 5.1: the groups of a TLS 1.2 client also say which curves it accepts in certificates, so the curve of an
 * ECDSA key has to be in the list, after the group that is wanted. */
static int set_group(WOLFSSL_CTX *context, const struct tlx_endpoint *endpoint) {
    const struct key *key = find_key(endpoint->key);
    int list[2] = {endpoint->group, key != NULL ? key->group : 0};
    int more = endpoint->version == TLS12 && !endpoint->server && list[1] != 0 && list[1] != list[0];
    return endpoint->group == 0 || wolfSSL_CTX_set_groups(context, list, 1 + more) == WOLFSSL_SUCCESS;
}

/* ---- resumption ----------------------------------------------------------------------------------------------- */

/* Makes room for one session more; 0 if there is none. */
static int grow(struct tlx_config *config) {
    size_t room = config->room == 0 ? 16 : config->room * 2;
    struct tlx_kept *sessions;
    if (config->kept >= SESSIONS)
        return 0;
    if (config->kept < config->room)
        return 1;
    sessions = realloc(config->sessions, sizeof *sessions * room);
    if (sessions == NULL)
        return 0;
    config->sessions = sessions;
    config->room = room;
    return 1;
}

/* What the library hands over is the session that the connection goes on writing to, so a copy is kept. */
void tlx_session_keep(struct tlx_config *config, WOLFSSL_SESSION *session, int before) {
    WOLFSSL_SESSION *copy = config->version == TLS13 && before > LINEAGE ? NULL : wolfSSL_SESSION_dup(session);
    if (copy == NULL)
        return;
    pthread_mutex_lock(&config->lock);
    if (config->version != TLS13 && config->kept > 0)
        wolfSSL_SESSION_free(config->sessions[--config->kept].session);
    if (grow(config)) {
        config->sessions[config->kept++] = (struct tlx_kept){copy, before};
        copy = NULL;
    }
    pthread_mutex_unlock(&config->lock);
    wolfSSL_SESSION_free(copy);
}

/* A TLS 1.3 ticket is used once, but for the last of its line. A session of TLS 1.2 serves any number of connections
 * until there is a newer one. What is used again is copied, since the library writes to it. */
struct tlx_kept tlx_session_take(struct tlx_config *config) {
    struct tlx_kept taken = {NULL, 0};
    pthread_mutex_lock(&config->lock);
    if (config->kept > 0) {
        taken = config->sessions[config->kept - 1];
        if (config->version == TLS13 && taken.before < LINEAGE)
            config->kept--;
        else
            taken.session = wolfSSL_SESSION_dup(taken.session);
    }
    pthread_mutex_unlock(&config->lock);
    return taken;
}

/* The library takes early data once for each session in its cache, which makes tickets stateful. A server that wants
 * early data in bulk keeps no cache and defends itself against replays in the application, which is asked here. */
static void forget_session(WOLFSSL_CTX *context, WOLFSSL_SESSION *session) { (void)context, (void)session; }

static int set_server_resumption(struct tlx_config *config, int tickets, int by_id) {
    WOLFSSL_CTX *context = config->context;
    if (!by_id)
        wolfSSL_CTX_set_session_cache_mode(context, WOLFSSL_SESS_CACHE_OFF);
    if (config->early)
        wolfSSL_CTX_sess_set_remove_cb(context, forget_session);
    if (config->version == TLS12)
        return tickets || wolfSSL_CTX_NoTicketTLSv12(context) == WOLFSSL_SUCCESS;
    if (!tickets)
        return wolfSSL_CTX_no_ticket_TLSv13(context) == 0;
    return wolfSSL_CTX_set_max_early_data(context, config->early ? 16384 : 0) >= 0;
}

static int set_resumption(struct tlx_config *config, enum tlx_resumption resumption) {
    int full = resumption == TLX_FULL, by_id = resumption == TLX_SESSION_ID;
    WOLFSSL_CTX *context = config->context;
    config->early = resumption == TLX_EARLY_DATA;
    if (config->server)
        return set_server_resumption(config, !full && !by_id, by_id);
    if (full) {
        wolfSSL_CTX_set_session_cache_mode(context, WOLFSSL_SESS_CACHE_OFF);
        return 1;
    }
    wolfSSL_CTX_set_session_cache_mode(context, WOLFSSL_SESS_CACHE_NO_INTERNAL);
    wolfSSL_CTX_sess_set_new_cb(context, tlx_session_came);
    return by_id || config->version == TLS13 || wolfSSL_CTX_UseSessionTicket(context) == WOLFSSL_SUCCESS;
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

/* ---- names and capabilities ----------------------------------------------------------------------------------- */

static word32 size_of_key(const DecodedCert *certificate) {
    RsaKey rsa;
    word32 at = 0, size = 0;
    if (certificate->keyOID == ECDSAk)
        return certificate->pkCurveOID;
    if (certificate->keyOID != RSAk || wc_InitRsaKey(&rsa, NULL) != 0)
        return 0;
    if (wc_RsaPublicKeyDecode(certificate->publicKey, &at, &rsa, certificate->pubKeySize) == 0)
        size = (word32)wc_RsaEncryptSize(&rsa);
    wc_FreeRsaKey(&rsa);
    return size;
}

const char *tlx_key_name(const unsigned char *der, size_t length) {
    DecodedCert certificate;
    const char *name = NULL;
    wc_InitDecodedCert(&certificate, der, (word32)length, NULL);
    if (wc_ParseCert(&certificate, CERT_TYPE, NO_VERIFY, NULL) == 0) {
        word32 size = size_of_key(&certificate);
        for (size_t i = 0; i < COUNT(keys); i++)
            if (keys[i].oid == certificate.keyOID && keys[i].size == size)
                name = keys[i].name;
    }
    wc_FreeDecodedCert(&certificate);
    return name;
}

int tlx_group_code(const char *name) {
    for (size_t i = 0; name != NULL && i < COUNT(groups); i++)
        if (strcmp(groups[i].name, name) == 0)
            return groups[i].code;
    return 0;
}

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

int tlx_has_key(const char *name) { return find_key(name) != NULL; }

int tlx_has_resumption(enum tlx_resumption resumption) {
    (void)resumption;
    return 1;
}

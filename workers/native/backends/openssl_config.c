/* OpenSSL: one end of connections (an SSL_CTX) and the capabilities of TLS, found by configuring one.
 *
 * What is left at the library's default on purpose: read-ahead (off), buffers (kept), signature algorithms, the order
 * of preference, encrypt-then-MAC and extended master secret (both on).
 */

#include "openssl_config.h"

static const struct group {
    int code, id; /* IANA; what tlx_negotiated_group returns */
    const char *name;
    int finite_field;
} groups[] = {
    {0x001d, TLX_GROUP_ID(0x001d, NID_X25519), "X25519", 0},
    {0x0017, TLX_GROUP_ID(0x0017, NID_X9_62_prime256v1), "P-256", 0},
    {0x0018, TLX_GROUP_ID(0x0018, NID_secp384r1), "P-384", 0},
    {0x0019, TLX_GROUP_ID(0x0019, NID_secp521r1), "P-521", 0},
    {0x11ec, TLX_GROUP_ID(0x11ec, 0), "X25519MLKEM768", 0},
    {0x11eb, TLX_GROUP_ID(0x11eb, 0), "SecP256r1MLKEM768", 0},
    {0x11ed, TLX_GROUP_ID(0x11ed, 0), "SecP384r1MLKEM1024", 0},
    {0x0100, TLX_GROUP_ID(0x0100, NID_ffdhe2048), "ffdhe2048", 1},
    {0x0101, TLX_GROUP_ID(0x0101, NID_ffdhe3072), "ffdhe3072", 1},
};

static const struct key {
    const char *name, *type;
    int bits;          /* 0: the type has one size */
    const char *curve; /* by its name in groups */
} keys[] = {
    {"rsa-2048", "RSA", 2048, NULL},
    {"rsa-3072", "RSA", 3072, NULL},
    {"rsa-4096", "RSA", 4096, NULL},
    {"ecdsa-p256", "EC", 256, "P-256"},
    {"ecdsa-p384", "EC", 384, "P-384"},
    {"ed25519", "ED25519", 0, NULL},
    {"ml-dsa-44", "ML-DSA-44", 0, NULL},
    {"ml-dsa-65", "ML-DSA-65", 0, NULL},
    {"ml-dsa-87", "ML-DSA-87", 0, NULL},
};

#define COUNT(table) (sizeof(table) / sizeof *(table))

static int set_version(SSL_CTX *, int version);
static int set_group(SSL_CTX *, const struct tlx_endpoint *);
static int set_resumption(struct tlx_config *, enum tlx_resumption resumption);
static int set_certificates(SSL_CTX *, const struct tlx_endpoint *);
static const struct group *find_group(int code);
static const struct key *find_key(const char *name);

int tlx_config_new(const struct tlx_endpoint *endpoint, tlx_config **made) {
    struct tlx_config *config = calloc(1, sizeof *config);
    int result = TLX_FAILED;
    SSL_CTX *context;
    if (config == NULL)
        return tlx_fail("allocating a configuration");
    pthread_mutex_init(&config->lock, NULL);
    config->server = endpoint->server;
    config->version = endpoint->version;
    config->suite = endpoint->suite;
    config->record = endpoint->record;
    if (endpoint->host != NULL && strlen(endpoint->host) < sizeof config->host)
        strcpy(config->host, endpoint->host);
    if (endpoint->early_data.length > 0 && endpoint->early_data.length <= sizeof config->early_data) {
        memcpy(config->early_data, endpoint->early_data.data, endpoint->early_data.length);
        config->early_length = endpoint->early_data.length;
    }
    context = config->context = SSL_CTX_new(endpoint->server ? TLS_server_method() : TLS_client_method());
    if (context == NULL) {
        result = tlx_fail("SSL_CTX_new");
    } else {
        SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER
                                      | SSL_MODE_NO_AUTO_CHAIN);
        if (!tlx_set_defaults(context))
            result = tlx_fail("setting what is the same for all contexts");
        else if (!tlx_set_suite(context, endpoint->suite)) /* first: it may set more than the suite */
            result = tlx_unsupported("such cipher suite");
        else if (!set_version(context, endpoint->version))
            result = tlx_unsupported("such protocol version");
        else if (!set_group(context, endpoint))
            result = tlx_unsupported("such group");
        else if (!SSL_CTX_set_max_send_fragment(context, endpoint->record))
            result = tlx_fail("SSL_CTX_set_max_send_fragment");
        else if (!set_resumption(config, endpoint->resumption))
            result = tlx_fail("setting up resumption");
        else
            result = set_certificates(context, endpoint);
    }
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
        SSL_SESSION_free(config->sessions[--config->kept]);
    free(config->sessions);
    SSL_CTX_free(config->context);
    pthread_mutex_destroy(&config->lock);
    free(config);
}

static int set_version(SSL_CTX *context, int version) {
    return SSL_CTX_set_min_proto_version(context, version) && SSL_CTX_set_max_proto_version(context, version);
}

/* RFC 8422 5.1: the groups of TLS 1.2 also say which curves are accepted in certificates, so the curve of an ECDSA key
 * has to be in the list of an end that verifies one, after the group that is wanted. A server that verifies none has
 * the group alone: it takes the client's first, and not every client names the group before the curve. */
static int set_group(SSL_CTX *context, const struct tlx_endpoint *endpoint) {
    const struct group *group = find_group(endpoint->group);
    const struct key *key = find_key(endpoint->key);
    const char *curve = key ? key->curve : NULL;
    char list[64];
    if (endpoint->group == 0)
        return 1;
    if (group == NULL)
        return 0;
    if (endpoint->version == TLS1_2_VERSION && group->finite_field) {
        /* Since 4.0 they are negotiated (RFC 7919). 1.1.1 does not know them by name, which does not matter. */
        SSL_CTX_set1_groups_list(context, group->name);
        return !endpoint->server || tlx_set_finite_field(context, group->id);
    }
    strcpy(list, group->name);
    if (endpoint->version == TLS1_2_VERSION && endpoint->root.length > 0 && curve != NULL
        && strcmp(curve, group->name) != 0)
        strcat(strcat(list, ":"), curve);
    return SSL_CTX_set1_groups_list(context, list) > 0;
}

/* ---- resumption ----------------------------------------------------------------------------------------------- */

/* Makes room for one session more; 0 if there is none. */
static int grow(struct tlx_config *config) {
    size_t room = config->room == 0 ? 16 : config->room * 2;
    SSL_SESSION **sessions;
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

/* A TLS 1.3 ticket is used once: the library marks its session as spent after the resumption. A session of TLS 1.2
 * serves any number of connections until there is a newer one, so the newest is enough. */
static int keep(struct tlx_config *config, SSL_SESSION *session) {
    int kept;
    pthread_mutex_lock(&config->lock);
    if (config->version != TLS1_3_VERSION && config->kept > 0)
        SSL_SESSION_free(config->sessions[--config->kept]);
    kept = grow(config);
    if (kept)
        config->sessions[config->kept++] = session;
    pthread_mutex_unlock(&config->lock);
    return kept;
}

/* TLS 1.3: tickets come after the handshake. 1: the reference is ours now; 0: it stays the library's, which frees it. */
static int keep_ticket(SSL *ssl, SSL_SESSION *session) {
    return keep(SSL_CTX_get_app_data(SSL_get_SSL_CTX(ssl)), session);
}

void tlx_session_keep(struct tlx_config *config, SSL *ssl) {
    SSL_SESSION *session = config->keeps ? SSL_get1_session(ssl) : NULL;
    if (session != NULL && !keep(config, session))
        SSL_SESSION_free(session);
}

SSL_SESSION *tlx_session_take(struct tlx_config *config) {
    SSL_SESSION *session = NULL;
    pthread_mutex_lock(&config->lock);
    if (config->kept > 0) {
        session = config->sessions[config->kept - 1];
        if (config->version == TLS1_3_VERSION)
            config->kept--;
        else
            SSL_SESSION_up_ref(session);
    }
    pthread_mutex_unlock(&config->lock);
    return session;
}

static int set_resumption(struct tlx_config *config, enum tlx_resumption resumption) {
    SSL_CTX *context = config->context;
    int full = resumption == TLX_FULL, by_id = resumption == TLX_SESSION_ID;
    config->early = resumption == TLX_EARLY_DATA;
    if (full || by_id)
        SSL_CTX_set_options(context, SSL_OP_NO_TICKET);
    if (config->early && !tlx_enable_early_data(context, config->server))
        return 0;
    if (!config->server) {
        int tickets = !full && config->version == TLS1_3_VERSION;
        config->keeps = !full && !tickets;
        /* With a client's cache, a ticket that is renewed in a resumption takes the session out of use that other connections
         * are about to offer. TLS 1.2 therefore keeps sessions by hand. */
        SSL_CTX_set_session_cache_mode(context, tickets ? SSL_SESS_CACHE_CLIENT | SSL_SESS_CACHE_NO_INTERNAL
                                                        : SSL_SESS_CACHE_OFF);
        SSL_CTX_set_app_data(context, config);
        if (tickets)
            SSL_CTX_sess_set_new_cb(context, keep_ticket);
        return 1;
    }
    SSL_CTX_set_session_cache_mode(context, by_id ? SSL_SESS_CACHE_SERVER : SSL_SESS_CACHE_OFF);
    return SSL_CTX_set_session_id_context(context, (const unsigned char *)"tlstax", 6)
           && SSL_CTX_set_num_tickets(context, full || by_id ? 0 : 1);
}

/* ---- certificates --------------------------------------------------------------------------------------------- */

static BIO *reader(struct tlx_bytes bytes) { return BIO_new_mem_buf(bytes.data, (int)bytes.length); }

static int set_root(SSL_CTX *context, const struct tlx_endpoint *endpoint) {
    BIO *pem = reader(endpoint->root);
    X509 *root = PEM_read_bio_X509(pem, NULL, NULL, NULL);
    int done = root != NULL && X509_STORE_add_cert(SSL_CTX_get_cert_store(context), root);
    X509_free(root);
    BIO_free(pem);
    SSL_CTX_set_verify(context, SSL_VERIFY_PEER | (endpoint->server ? SSL_VERIFY_FAIL_IF_NO_PEER_CERT : 0), NULL);
    return done;
}

static int set_chain(SSL_CTX *context, const struct tlx_endpoint *endpoint) {
    BIO *pem = reader(endpoint->chain);
    X509 *certificate = PEM_read_bio_X509(pem, NULL, NULL, NULL);
    int done = certificate != NULL && SSL_CTX_use_certificate(context, certificate);
    X509_free(certificate);
    while (done && (certificate = PEM_read_bio_X509(pem, NULL, NULL, NULL)) != NULL) {
        done = SSL_CTX_add1_chain_cert(context, certificate) > 0;
        X509_free(certificate);
    }
    BIO_free(pem);
    ERR_clear_error(); /* the end of the file is no error */
    return done;
}

static int set_certificates(SSL_CTX *context, const struct tlx_endpoint *endpoint) {
    const struct key *kind = find_key(endpoint->key);
    EVP_PKEY *key;
    BIO *pem;
    int done;
    if (endpoint->root.length > 0 && !set_root(context, endpoint))
        return tlx_fail("the root certificate");
    if (kind != NULL && !tlx_accept_key(context, kind->type))
        return tlx_fail("accepting the kind of key");
    if (endpoint->chain.length == 0)
        return TLX_OK;
    if (!set_chain(context, endpoint))
        return tlx_fail("the certificate chain");
    pem = reader(endpoint->private_key);
    key = tlx_read_private(pem);
    done = key != NULL && SSL_CTX_use_PrivateKey(context, key) && SSL_CTX_check_private_key(context);
    EVP_PKEY_free(key);
    BIO_free(pem);
    return done ? TLX_OK : tlx_fail("the private key");
}

/* ---- names and capabilities ----------------------------------------------------------------------------------- */

const char *tlx_key_name(EVP_PKEY *key) {
    for (size_t i = 0; key != NULL && i < COUNT(keys); i++)
        if (tlx_key_is(key, keys[i].type) && (keys[i].bits == 0 || keys[i].bits == EVP_PKEY_bits(key)))
            return keys[i].name;
    return NULL;
}

int tlx_group_code(int id) {
    for (size_t i = 0; i < COUNT(groups); i++)
        if (groups[i].id == id)
            return groups[i].code;
    return 0;
}

static const struct key *find_key(const char *name) {
    for (size_t i = 0; i < COUNT(keys); i++)
        if (strcmp(keys[i].name, name) == 0)
            return &keys[i];
    return NULL;
}

static const struct group *find_group(int code) {
    for (size_t i = 0; i < COUNT(groups); i++)
        if (groups[i].code == code)
            return &groups[i];
    return NULL;
}

int tlx_has_version(int version) {
    SSL_CTX *context = SSL_CTX_new(TLS_method());
    int has = context != NULL && set_version(context, version);
    SSL_CTX_free(context);
    ERR_clear_error();
    return has;
}

int tlx_has_suite(int suite) {
    SSL_CTX *context = SSL_CTX_new(TLS_method());
    int has;
    if (context == NULL)
        return 0;
    has = tlx_set_defaults(context) && tlx_set_suite(context, suite);
    SSL_CTX_free(context);
    ERR_clear_error();
    return has;
}

int tlx_has_group(int code) {
    const struct group *group = find_group(code);
    SSL_CTX *context = group ? SSL_CTX_new(TLS_method()) : NULL;
    /* 1.1.1 has finite fields in TLS 1.2 alone, where they are not negotiated. */
    int has = context != NULL
              && (SSL_CTX_set1_groups_list(context, group->name) > 0
                  || (group->finite_field && tlx_set_finite_field(context, group->id)));
    SSL_CTX_free(context);
    ERR_clear_error();
    return has;
}

int tlx_has_key(const char *name) {
    const struct key *key = find_key(name);
    EVP_PKEY_CTX *context = key ? tlx_pkey_by_name(key->type) : NULL;
    EVP_PKEY_CTX_free(context);
    ERR_clear_error();
    return context != NULL;
}

int tlx_has_resumption(enum tlx_resumption resumption) {
    (void)resumption;
    return 1;
}

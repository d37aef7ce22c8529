/* OpenSSL: one end of connections (an SSL_CTX) and the capabilities of TLS, found by configuring one.
 *
 * What is left at the library's default on purpose: read-ahead (off), buffers (kept), signature algorithms, the order
 * of preference, encrypt-then-MAC and extended master secret (both on).
 */

#include "openssl_backend.h"

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

/* By the names that the library gives them. */
static const char *const key_types[TLX_KEY_TYPES] = {
    [TLX_RSA] = "RSA",
    [TLX_ECDSA] = "EC",
    [TLX_ED25519] = "ED25519",
    [TLX_ML_DSA_44] = "ML-DSA-44",
    [TLX_ML_DSA_65] = "ML-DSA-65",
    [TLX_ML_DSA_87] = "ML-DSA-87",
};

/* ---- resumption ----------------------------------------------------------------------------------------------- */

/* TLS 1.3: tickets come after the handshake. 1: the reference is ours now. */
static int keep_ticket(SSL *ssl, SSL_SESSION *session) {
    struct tlx_config *config = SSL_CTX_get_app_data(SSL_get_SSL_CTX(ssl));
    tlx_sessions_keep(&config->sessions, session);
    return 1;
}

static int set_resumption(struct tlx_config *config) {
    SSL_CTX *context = config->context;
    if (!config->by_ticket)
        SSL_CTX_set_options(context, SSL_OP_NO_TICKET);
    if (config->early && !tlx_enable_early_data(context, config->server))
        return 0;
    if (!config->server) {
        int tickets = config->by_ticket && config->version == TLS13;
        config->keeps = config->resumes && !tickets;
        /* With a client's cache, a ticket that is renewed in a resumption takes the session out of use that other connections
         * are about to offer. TLS 1.2 therefore keeps sessions by hand. */
        SSL_CTX_set_session_cache_mode(context, tickets ? SSL_SESS_CACHE_CLIENT | SSL_SESS_CACHE_NO_INTERNAL
                                                        : SSL_SESS_CACHE_OFF);
        SSL_CTX_set_app_data(context, config);
        if (tickets)
            SSL_CTX_sess_set_new_cb(context, keep_ticket);
        return 1;
    }
    SSL_CTX_set_session_cache_mode(context, config->by_id ? SSL_SESS_CACHE_SERVER : SSL_SESS_CACHE_OFF);
    return SSL_CTX_set_session_id_context(context, (const unsigned char *)"tlstax", 6)
           && SSL_CTX_set_num_tickets(context, config->by_ticket ? 1 : 0);
}

/* ---- certificates --------------------------------------------------------------------------------------------- */

static BIO *reader(struct tlx_bytes bytes) { return BIO_new_mem_buf(bytes.data, (int)bytes.length); }

EVP_PKEY *tlx_read_key(struct tlx_bytes text) {
    BIO *pem = reader(text);
    EVP_PKEY *key = pem != NULL ? tlx_read_private(pem) : NULL;
    BIO_free(pem);
    return key;
}

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
    const struct tlx_key *kind = tlx_key_find(endpoint->key);
    EVP_PKEY *key;
    int done;
    if (endpoint->root.length > 0 && !set_root(context, endpoint))
        return tlx_fail("the root certificate");
    if (kind != NULL && !tlx_accept_key(context, key_types[kind->type]))
        return tlx_fail("accepting the kind of key");
    if (endpoint->chain.length == 0)
        return TLX_OK;
    if (!set_chain(context, endpoint))
        return tlx_fail("the certificate chain");
    key = tlx_read_key(endpoint->private_key);
    done = key != NULL && SSL_CTX_use_PrivateKey(context, key) && SSL_CTX_check_private_key(context);
    EVP_PKEY_free(key);
    return done ? TLX_OK : tlx_fail("the private key");
}

/* ---- a configuration ------------------------------------------------------------------------------------------ */

static void *share(void *session) { return SSL_SESSION_up_ref(session) ? session : NULL; }

static void release(void *session) { SSL_SESSION_free(session); }

static const struct tlx_session_kind session_kind = {share, release, NULL};

static int set_version(SSL_CTX *context, int version) {
    return SSL_CTX_set_min_proto_version(context, version) && SSL_CTX_set_max_proto_version(context, version);
}

/* A server of TLS 1.2 that verifies no certificate has the group alone: it takes the client's first, and not every client
 * names the group before the curve. */
static int set_group(SSL_CTX *context, const struct tlx_endpoint *endpoint) {
    const struct group *group = TLX_ROW(groups, endpoint->group);
    const struct group *curve = TLX_ROW(groups, tlx_certificate_curve(endpoint));
    char list[64];
    if (endpoint->group == 0)
        return 1;
    if (group == NULL)
        return 0;
    if (endpoint->version != TLS13 && group->finite_field) {
        /* Since 4.0 they are negotiated (RFC 7919). 1.1.1 does not know them by name, which does not matter. */
        SSL_CTX_set1_groups_list(context, group->name);
        return !endpoint->server || tlx_set_finite_field(context, group->id);
    }
    strcpy(list, group->name);
    if (curve != NULL)
        strcat(strcat(list, ":"), curve->name);
    return SSL_CTX_set1_groups_list(context, list) > 0;
}

static int set_up(struct tlx_config *config, const struct tlx_endpoint *endpoint) {
    SSL_CTX *context = config->context = SSL_CTX_new(config->server ? TLS_server_method() : TLS_client_method());
    if (context == NULL)
        return tlx_fail("SSL_CTX_new");
    SSL_CTX_set_mode(context,
                     SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER | SSL_MODE_NO_AUTO_CHAIN);
    if (!tlx_set_defaults(context))
        return tlx_fail("setting what is the same for all contexts");
    if (config->compression == TLX_DEFLATE)
        tlx_compress(context);
    if (!tlx_set_suite(context, config->suite)) /* first: it may set more than the suite */
        return tlx_unsupported("such cipher suite");
    if (!set_version(context, config->version))
        return tlx_unsupported("such protocol version");
    if (!set_group(context, endpoint))
        return tlx_unsupported("such group");
    if (!SSL_CTX_set_max_send_fragment(context, config->record))
        return tlx_fail("SSL_CTX_set_max_send_fragment");
    if (!set_resumption(config))
        return tlx_fail("setting up resumption");
    return set_certificates(context, endpoint);
}

const struct tlx_config_kind tlx_configs = {sizeof(struct tlx_config), set_up, &session_kind,
                                             tlx_when_compressed};

void tlx_config_free(tlx_config *config) {
    SSL_CTX_free(config->context);
    tlx_config_drop(config);
}

/* ---- names and capabilities ----------------------------------------------------------------------------------- */

const char *tlx_key_name(EVP_PKEY *key) {
    for (enum tlx_key_type type = 0; key != NULL && type < TLX_KEY_TYPES; type++)
        if (tlx_key_is(key, key_types[type]))
            return tlx_key_called(type, EVP_PKEY_bits(key));
    return NULL;
}

int tlx_group_code(int id) {
    for (size_t i = 0; i < COUNT(groups); i++)
        if (groups[i].id == id)
            return groups[i].code;
    return 0;
}

/* What a fresh context takes. */
static int takes(int (*set)(SSL_CTX *, int), int number) {
    SSL_CTX *context = SSL_CTX_new(TLS_method());
    int has = context != NULL && set(context, number);
    SSL_CTX_free(context);
    ERR_clear_error();
    return has;
}

static int set_any_suite(SSL_CTX *context, int suite) {
    return tlx_set_defaults(context) && tlx_set_suite(context, suite);
}

/* 1.1.1 has finite fields in TLS 1.2 alone, where they are not negotiated. */
static int set_any_group(SSL_CTX *context, int code) {
    const struct group *group = TLX_ROW(groups, code);
    return group != NULL
           && (SSL_CTX_set1_groups_list(context, group->name) > 0
               || (group->finite_field && tlx_set_finite_field(context, group->id)));
}

int tlx_has_version(int version) { return takes(set_version, version); }

int tlx_has_suite(int suite) { return takes(set_any_suite, suite); }

int tlx_has_group(int code) { return takes(set_any_group, code); }

int tlx_has_key(const char *name) {
    const struct tlx_key *key = tlx_key_find(name);
    return key != NULL && tlx_has_type(key_types[key->type]);
}

int tlx_has_resumption(enum tlx_resumption resumption) { return resumption <= TLX_EARLY_DATA; }

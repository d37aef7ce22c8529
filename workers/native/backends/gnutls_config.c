/* GnuTLS: one end of connections (credentials and priorities) and the capabilities of TLS, found by asking for them by
 * name.
 *
 * What is left at the library's default on purpose: signature algorithms, encrypt-then-MAC, extended master secret, the
 * extensions that it sends by itself.
 */

#include "gnutls_backend.h"

#include <stdio.h>

static const struct tlx_group groups[] = {
    {0x001d, "X25519"},
    {0x0017, "SECP256R1"},
    {0x0018, "SECP384R1"},
    {0x0019, "SECP521R1"},
    {0x11ec, "X25519-MLKEM768"},
    {0x11eb, "SECP256R1-MLKEM768"},
    {0x11ed, "SECP384R1-MLKEM1024"},
    {0x0100, "FFDHE2048"},
    {0x0101, "FFDHE3072"},
};

/* What gnutls_pk_get_id takes. */
static const char *const key_types[TLX_KEY_TYPES] = {
    [TLX_RSA] = "RSA",
    [TLX_ECDSA] = "EC/ECDSA",
    [TLX_ED25519] = "EdDSA (Ed25519)",
    [TLX_ML_DSA_44] = "ML-DSA-44",
    [TLX_ML_DSA_65] = "ML-DSA-65",
    [TLX_ML_DSA_87] = "ML-DSA-87",
};

struct suite {
    gnutls_kx_algorithm_t exchange; /* unknown in TLS 1.3 */
    gnutls_cipher_algorithm_t cipher;
    gnutls_mac_algorithm_t mac;
    gnutls_protocol_t least; /* version */
};

/* ---- priorities ----------------------------------------------------------------------------------------------- */

static int find_suite(int code, struct suite *found) {
    unsigned char id[2];
    for (size_t i = 0;
         gnutls_cipher_suite_info(i, id, &found->exchange, &found->cipher, &found->mac, &found->least) != NULL; i++)
        if ((id[0] << 8 | id[1]) == code)
            return 1;
    return 0;
}

static const struct tlx_group *find_group(int code) {
    const struct tlx_group *group = TLX_ROW(groups, code);
    return group != NULL && gnutls_group_get_id(group->name) != GNUTLS_GROUP_INVALID ? group : NULL;
}

/* Whether the suite, and no other, can be negotiated. */
static int is_alone(gnutls_priority_t list, int code) {
    gnutls_protocol_t least;
    unsigned char id[2];
    unsigned index;
    int result, found = 0, others = 0;
    for (unsigned i = 0;
         (result = gnutls_priority_get_cipher_suite_index(list, i, &index)) != GNUTLS_E_REQUESTED_DATA_NOT_AVAILABLE;
         i++) {
        if (result < 0 || gnutls_cipher_suite_info(index, id, NULL, NULL, NULL, &least) == NULL)
            continue;
        *((id[0] << 8 | id[1]) == code ? &found : &others) += 1;
    }
    return found == 1 && others == 0;
}

/* A list that begins with nothing and has one version, one suite and the given groups; null if it names something that
 * the library does not have. */
static gnutls_priority_t priority(int code, const struct suite *suite, const char *group_list) {
    gnutls_priority_t made = NULL;
    char text[512];
    int tls13 = suite->least == GNUTLS_TLS1_3;
    snprintf(text, sizeof text, "NONE:+VERS-%s:+%s:+%s%s%s%s:+SIGN-ALL:+CTYPE-X509:+COMP-NULL",
             tls13 ? "TLS1.3" : "TLS1.2", gnutls_cipher_get_name(suite->cipher), gnutls_mac_get_name(suite->mac),
             tls13 ? "" : ":+", tls13 ? "" : gnutls_kx_get_name(suite->exchange), group_list);
    if (gnutls_priority_init(&made, text, NULL) < 0)
        return NULL;
    if (!is_alone(made, code)) {
        gnutls_priority_deinit(made);
        return NULL;
    }
    return made;
}

static int set_priority(struct tlx_config *config, const struct tlx_endpoint *endpoint) {
    const struct tlx_group *group = find_group(endpoint->group);
    const struct tlx_group *curve = endpoint->server ? NULL : find_group(tlx_certificate_curve(endpoint));
    struct suite suite;
    char list[64] = "";
    if (!tlx_has_version(endpoint->version))
        return tlx_unsupported("such protocol version");
    if (!find_suite(endpoint->suite, &suite))
        return tlx_unsupported("such cipher suite");
    if (endpoint->group != 0 && group == NULL)
        return tlx_unsupported("such group");
    if (group != NULL)
        snprintf(list, sizeof list, ":+GROUP-%s%s%s", group->name, curve != NULL ? ":+GROUP-" : "",
                 curve != NULL ? curve->name : "");
    config->priority = priority(endpoint->suite, &suite, list);
    return config->priority != NULL ? TLX_OK : tlx_unsupported("such combination of suite and group");
}

/* ---- resumption ----------------------------------------------------------------------------------------------- */

static int remember_nothing(void *pointer, time_t until, const gnutls_datum_t *key, const gnutls_datum_t *data) {
    return 0;
}

/* The library takes early data only from a server that says where the application stores what came before. Storing
 * would make tickets stateful; a server that wants early data in bulk defends itself above TLS. */
static int set_anti_replay(struct tlx_config *config) {
    int code = gnutls_anti_replay_init(&config->anti_replay);
    if (code < 0)
        return code;
    gnutls_anti_replay_set_add_function(config->anti_replay, remember_nothing);
    return 0;
}

static int set_resumption(struct tlx_config *config) {
    int code = 0;
    if (config->server && config->by_ticket)
        code = gnutls_session_ticket_key_generate(&config->ticket_key);
    if (code >= 0 && config->server && config->early)
        code = set_anti_replay(config);
    if (config->server && config->by_id && (config->cache = tlx_cache_new()) == NULL)
        code = GNUTLS_E_MEMORY_ERROR;
    return code < 0 ? tlx_fail("setting up resumption", code) : TLX_OK;
}

/* ---- certificates --------------------------------------------------------------------------------------------- */

static int set_certificates(struct tlx_config *config, const struct tlx_endpoint *endpoint) {
    gnutls_datum_t root = tlx_datum(endpoint->root), chain = tlx_datum(endpoint->chain);
    gnutls_datum_t key = tlx_datum(endpoint->private_key);
    int code = gnutls_certificate_allocate_credentials(&config->credentials);
    if (code < 0)
        return tlx_fail("allocating credentials", code);
    config->verifies = root.size > 0;
    config->shows = chain.size > 0;
    if (root.size > 0)
        code = gnutls_certificate_set_x509_trust_mem(config->credentials, &root, GNUTLS_X509_FMT_PEM);
    if (code < 0)
        return tlx_fail("the root certificate", code);
    if (chain.size > 0)
        code = gnutls_certificate_set_x509_key_mem2(config->credentials, &chain, &key, GNUTLS_X509_FMT_PEM, NULL, 0);
    return code < 0 ? tlx_fail("the certificate chain and its key", code) : TLX_OK;
}

/* Many clients of TLS 1.2 offer no finite field (RFC 7919) and leave it to the server. */
static int set_finite_field(struct tlx_config *config, int group) {
    const gnutls_datum_t *prime = NULL, *generator = NULL;
    int code;
    if (group == 0x0100)
        prime = &gnutls_ffdhe_2048_group_prime, generator = &gnutls_ffdhe_2048_group_generator;
    if (group == 0x0101)
        prime = &gnutls_ffdhe_3072_group_prime, generator = &gnutls_ffdhe_3072_group_generator;
    if (prime == NULL)
        return TLX_OK;
    code = gnutls_dh_params_init(&config->finite_field)
           ?: gnutls_dh_params_import_raw(config->finite_field, prime, generator);
    if (code < 0)
        return tlx_fail("the finite field", code);
    gnutls_certificate_set_dh_params(config->credentials, config->finite_field);
    return TLX_OK;
}

/* ---- a configuration ------------------------------------------------------------------------------------------ */

static int configure(struct tlx_config *config, const struct tlx_endpoint *endpoint) {
    return set_priority(config, endpoint)
           ?: set_resumption(config)
           ?: set_certificates(config, endpoint)
           ?: (config->server && config->version == TLS12 ? set_finite_field(config, config->group) : TLX_OK);
}

const struct tlx_config_kind tlx_configs = {sizeof(struct tlx_config), configure, &tlx_blob_kind, NULL};

void tlx_config_free(tlx_config *config) {
    if (config->credentials != NULL)
        gnutls_certificate_free_credentials(config->credentials);
    if (config->finite_field != NULL)
        gnutls_dh_params_deinit(config->finite_field);
    if (config->priority != NULL)
        gnutls_priority_deinit(config->priority);
    if (config->anti_replay != NULL)
        gnutls_anti_replay_deinit(config->anti_replay);
    gnutls_free(config->ticket_key.data);
    tlx_cache_free(config->cache);
    tlx_config_drop(config);
}

/* ---- names and capabilities ----------------------------------------------------------------------------------- */

int tlx_version_code(gnutls_protocol_t version) {
    if (version == GNUTLS_TLS1_2)
        return TLS12;
    return version == GNUTLS_TLS1_3 ? TLS13 : 0;
}

/* A suite of TLS 1.2 is exchange, cipher and MAC; one of TLS 1.3 says nothing of the exchange. */
int tlx_suite_code(gnutls_session_t session) {
    int tls13 = gnutls_protocol_get_version(session) == GNUTLS_TLS1_3;
    struct suite suite;
    unsigned char id[2];
    for (size_t i = 0;
         gnutls_cipher_suite_info(i, id, &suite.exchange, &suite.cipher, &suite.mac, &suite.least) != NULL; i++)
        if ((suite.least == GNUTLS_TLS1_3) == tls13 && suite.cipher == gnutls_cipher_get(session)
            && suite.mac == gnutls_mac_get(session) && (tls13 || suite.exchange == gnutls_kx_get(session)))
            return id[0] << 8 | id[1];
    return 0;
}

int tlx_group_code(gnutls_group_t id) {
    for (size_t i = 0; i < COUNT(groups); i++)
        if (id != GNUTLS_GROUP_INVALID && gnutls_group_get_id(groups[i].name) == id)
            return groups[i].code;
    return 0;
}

const char *tlx_key_name(const gnutls_datum_t *der) {
    gnutls_x509_crt_t certificate;
    const char *name = NULL;
    unsigned bits;
    if (der == NULL || gnutls_x509_crt_init(&certificate) < 0)
        return NULL;
    if (gnutls_x509_crt_import(certificate, der, GNUTLS_X509_FMT_DER) >= 0) {
        int found = gnutls_x509_crt_get_pk_algorithm(certificate, &bits);
        for (enum tlx_key_type type = 0; found > 0 && type < TLX_KEY_TYPES; type++)
            if ((int)gnutls_pk_get_id(key_types[type]) == found)
                name = tlx_key_called(type, (int)bits);
    }
    gnutls_x509_crt_deinit(certificate);
    return name;
}

int tlx_has_version(int version) {
    const char *text = version == TLS13 ? "NORMAL:-VERS-ALL:+VERS-TLS1.3" : "NORMAL:-VERS-ALL:+VERS-TLS1.2";
    const unsigned *list;
    gnutls_priority_t made;
    int count, has;
    if ((version != TLS12 && version != TLS13) || gnutls_priority_init(&made, text, NULL) < 0)
        return 0;
    count = gnutls_priority_protocol_list(made, &list);
    has = count == 1 && tlx_version_code((gnutls_protocol_t)list[0]) == version;
    gnutls_priority_deinit(made);
    return has;
}

int tlx_has_suite(int code) {
    struct suite suite;
    gnutls_priority_t made = find_suite(code, &suite) ? priority(code, &suite, ":+GROUP-ALL") : NULL;
    if (made != NULL)
        gnutls_priority_deinit(made);
    return made != NULL;
}

int tlx_has_group(int code) { return find_group(code) != NULL; }

int tlx_has_key(const char *name) {
    const struct tlx_key *key = tlx_key_find(name);
    return key != NULL && gnutls_pk_get_id(key_types[key->type]) != GNUTLS_PK_UNKNOWN;
}

int tlx_has_resumption(enum tlx_resumption resumption) { return resumption <= TLX_EARLY_DATA; }

/* Mbed TLS: one end of connections (an mbedtls_ssl_config) and the capabilities of TLS, found by configuring one.
 *
 * What is left at the library's default on purpose: signature algorithms, the profile of certificates, encrypt-then-MAC
 * and extended master secret (both on).
 */

#include "mbedtls_backend.h"

#include <mbedtls/dhm.h>
#include <stdlib.h>

enum { TICKET_LIFETIME = 86400, CACHE_ENTRIES = 20000 };

static const unsigned char FFDHE2048[] = MBEDTLS_DHM_RFC7919_FFDHE2048_P_BIN;
static const unsigned char FFDHE3072[] = MBEDTLS_DHM_RFC7919_FFDHE3072_P_BIN;
static const unsigned char GENERATOR[] = {2};

static const struct group {
    int code;
    psa_key_type_t type;
    size_t bits;
    const unsigned char *prime; /* of a finite field */
    size_t prime_length;
} groups[] = {
    {0x001d, PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_MONTGOMERY), 255, NULL, 0},
    {0x0017, PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1), 256, NULL, 0},
    {0x0018, PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1), 384, NULL, 0},
    {0x0019, PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1), 521, NULL, 0},
    {0x0100, PSA_KEY_TYPE_DH_KEY_PAIR(PSA_DH_FAMILY_RFC7919), 2048, FFDHE2048, sizeof FFDHE2048},
    {0x0101, PSA_KEY_TYPE_DH_KEY_PAIR(PSA_DH_FAMILY_RFC7919), 3072, FFDHE3072, sizeof FFDHE3072},
};

static const mbedtls_pk_type_t key_types[TLX_KEY_TYPES] = {
    [TLX_RSA] = MBEDTLS_PK_RSA,
    [TLX_ECDSA] = MBEDTLS_PK_ECKEY, /* of the others there is none */
};

/* ---- resumption ----------------------------------------------------------------------------------------------- */

static void set_early_data(struct tlx_config *config) {
#ifdef MBEDTLS_SSL_EARLY_DATA
    mbedtls_ssl_conf_early_data(&config->ssl, MBEDTLS_SSL_EARLY_DATA_ENABLED);
    if (config->server)
        mbedtls_ssl_conf_max_early_data_size(&config->ssl, MBEDTLS_SSL_IN_CONTENT_LEN);
#endif
}

static int set_resumption(struct tlx_config *config) {
    mbedtls_ssl_config *ssl = &config->ssl;
    int error;
    if (config->early)
        set_early_data(config);
    if (!config->server) {
        mbedtls_ssl_conf_session_tickets(ssl, config->by_ticket ? MBEDTLS_SSL_SESSION_TICKETS_ENABLED
                                                                : MBEDTLS_SSL_SESSION_TICKETS_DISABLED);
        mbedtls_ssl_conf_tls13_enable_signal_new_session_tickets(
            ssl, MBEDTLS_SSL_TLS1_3_SIGNAL_NEW_SESSION_TICKETS_ENABLED);
        return 0;
    }
    if (config->by_id) {
        mbedtls_ssl_cache_set_max_entries(&config->cache, CACHE_ENTRIES);
        mbedtls_ssl_conf_session_cache(ssl, &config->cache, mbedtls_ssl_cache_get, mbedtls_ssl_cache_set);
    }
    if (!config->by_ticket)
        return 0;
    error = mbedtls_ssl_ticket_setup(&config->tickets, mbedtls_psa_get_random, MBEDTLS_PSA_RANDOM_STATE,
                                     MBEDTLS_CIPHER_AES_256_GCM, TICKET_LIFETIME);
    mbedtls_ssl_conf_session_tickets_cb(ssl, mbedtls_ssl_ticket_write, mbedtls_ssl_ticket_parse, &config->tickets);
    mbedtls_ssl_conf_new_session_tickets(ssl, 1);
    return error;
}

/* ---- certificates --------------------------------------------------------------------------------------------- */

/* A positive number of certificates that could not be parsed is an error too. */
static int parse(struct tlx_bytes pem, mbedtls_x509_crt *list) {
    unsigned char *text = tlx_text(pem);
    int error = text == NULL ? MBEDTLS_ERR_SSL_ALLOC_FAILED : mbedtls_x509_crt_parse(list, text, pem.length + 1);
    free(text);
    return error > 0 ? MBEDTLS_ERR_X509_INVALID_FORMAT : error;
}

static int set_certificates(struct tlx_config *config, const struct tlx_endpoint *endpoint) {
    int error = 0;
    mbedtls_ssl_conf_authmode(&config->ssl,
                              endpoint->root.length > 0 ? MBEDTLS_SSL_VERIFY_REQUIRED : MBEDTLS_SSL_VERIFY_NONE);
    if (endpoint->root.length > 0) {
        error = parse(endpoint->root, &config->root);
        mbedtls_ssl_conf_ca_chain(&config->ssl, &config->root, NULL);
    }
    if (error == 0 && endpoint->chain.length > 0) {
        error = parse(endpoint->chain, &config->chain)
                ?: mbed_read_key(endpoint->private_key, &config->private_key)
                ?: mbedtls_ssl_conf_own_cert(&config->ssl, &config->chain, &config->private_key);
    }
    return error;
}

/* ---- names and capabilities ----------------------------------------------------------------------------------- */

const char *mbed_key_name(const mbedtls_pk_context *key) {
    for (enum tlx_key_type type = TLX_RSA; type <= TLX_ECDSA; type++)
        if (key_types[type] == mbedtls_pk_get_type(key))
            return tlx_key_called(type, (int)mbedtls_pk_get_bitlen(key));
    return NULL;
}

int mbed_finite_field(const unsigned char *prime, size_t length) {
    for (size_t i = 0; i < COUNT(groups); i++)
        if (groups[i].prime_length == length && memcmp(groups[i].prime, prime, length) == 0)
            return groups[i].code;
    return 0;
}

static int makes_version(int version) {
    mbedtls_ssl_config config;
    mbedtls_ssl_context ssl;
    int error;
    mbedtls_ssl_config_init(&config);
    mbedtls_ssl_init(&ssl);
    error = mbedtls_ssl_config_defaults(&config, MBEDTLS_SSL_IS_SERVER, MBEDTLS_SSL_TRANSPORT_STREAM,
                                        MBEDTLS_SSL_PRESET_DEFAULT);
    mbedtls_ssl_conf_rng(&config, mbedtls_psa_get_random, MBEDTLS_PSA_RANDOM_STATE);
    mbedtls_ssl_conf_min_tls_version(&config, (mbedtls_ssl_protocol_version)version);
    mbedtls_ssl_conf_max_tls_version(&config, (mbedtls_ssl_protocol_version)version);
    if (error == 0)
        error = mbedtls_ssl_setup(&ssl, &config);
    mbedtls_ssl_free(&ssl);
    mbedtls_ssl_config_free(&config);
    return error == 0;
}

static int makes_key(const struct group *group) {
    psa_key_attributes_t attributes = psa_key_attributes_init();
    psa_key_id_t key = 0;
    psa_set_key_usage_flags(&attributes, PSA_KEY_USAGE_DERIVE);
    psa_set_key_algorithm(&attributes, group->prime == NULL ? PSA_ALG_ECDH : PSA_ALG_FFDH);
    psa_set_key_type(&attributes, group->type);
    psa_set_key_bits(&attributes, group->bits);
    return psa_generate_key(&attributes, &key) == PSA_SUCCESS && psa_destroy_key(key) == PSA_SUCCESS;
}

/* Found once, so that making a configuration costs what it costs without us. */
static struct capabilities {
    int tls12, tls13, session_id, ticket, early_data;
    int groups[COUNT(groups)];
} has;

void mbed_endpoint_start(void) {
    has.tls12 = makes_version(TLS12);
    has.tls13 = makes_version(TLS13);
    for (size_t i = 0; i < COUNT(groups); i++)
        has.groups[i] = makes_key(&groups[i]);
    has.session_id = mbed_has_option("MBEDTLS_SSL_CACHE_C");
    has.ticket = mbed_has_option("MBEDTLS_SSL_SESSION_TICKETS") && mbed_has_option("MBEDTLS_SSL_TICKET_C");
    has.early_data = mbed_has_option("MBEDTLS_SSL_EARLY_DATA");
}

int tlx_has_version(int version) { return version == TLS12 ? has.tls12 : version == TLS13 && has.tls13; }

int tlx_has_suite(int suite) {
    for (const int *one = mbedtls_ssl_list_ciphersuites(); *one != 0; one++)
        if (*one == suite)
            return 1;
    return 0;
}

int tlx_has_group(int code) {
    const struct group *group = TLX_ROW(groups, code);
    return group != NULL && has.groups[group - groups];
}

int tlx_has_key(const char *name) {
    const struct tlx_key *key = tlx_key_find(name);
    return key != NULL && mbedtls_pk_info_from_type(key_types[key->type]) != NULL
           && (key->curve == 0 || mbedtls_ecp_curve_info_from_tls_id((uint16_t)key->curve) != NULL);
}

int tlx_has_resumption(enum tlx_resumption resumption) {
    if (resumption == TLX_SESSION_ID)
        return has.session_id;
    if (resumption == TLX_EARLY_DATA)
        return has.early_data;
    return resumption == TLX_FULL || has.ticket;
}

/* ---- a configuration ------------------------------------------------------------------------------------------ */

/* Everything that can be freed from now on, and what cannot go wrong. */
static int set_defaults(struct tlx_config *config) {
    mbedtls_ssl_config *ssl = &config->ssl;
    int error;
    mbedtls_ssl_config_init(ssl);
    mbedtls_x509_crt_init(&config->root);
    mbedtls_x509_crt_init(&config->chain);
    mbedtls_pk_init(&config->private_key);
    mbedtls_ssl_ticket_init(&config->tickets);
    mbedtls_ssl_cache_init(&config->cache);
    error = mbedtls_ssl_config_defaults(ssl, config->server ? MBEDTLS_SSL_IS_SERVER : MBEDTLS_SSL_IS_CLIENT,
                                        MBEDTLS_SSL_TRANSPORT_STREAM, MBEDTLS_SSL_PRESET_DEFAULT);
    if (error != 0)
        return error;
    mbedtls_ssl_conf_rng(ssl, mbedtls_psa_get_random, MBEDTLS_PSA_RANDOM_STATE);
    mbedtls_ssl_conf_min_tls_version(ssl, (mbedtls_ssl_protocol_version)config->version);
    mbedtls_ssl_conf_max_tls_version(ssl, (mbedtls_ssl_protocol_version)config->version);
    config->suites[0] = config->suite;
    mbedtls_ssl_conf_ciphersuites(ssl, config->suites);
    return 0;
}

/* A server of TLS 1.2 that verifies no certificate has the group alone, and its choice is the only one there is. */
static int set_group(struct tlx_config *config, const struct tlx_endpoint *endpoint) {
    const struct group *group = TLX_ROW(groups, endpoint->group);
    if (group == NULL)
        return 0;
    config->groups[0] = (uint16_t)group->code;
    config->groups[1] = (uint16_t)tlx_certificate_curve(endpoint);
    mbedtls_ssl_conf_groups(&config->ssl, config->groups);
    if (config->version == TLS13 || group->prime == NULL)
        return 0;
    if (config->server)
        return mbedtls_ssl_conf_dh_param_bin(&config->ssl, group->prime, group->prime_length, GENERATOR,
                                             sizeof GENERATOR);
    mbedtls_ssl_conf_dhm_min_bitlen(&config->ssl, (unsigned int)group->bits);
    return 0;
}

static int set_up(struct tlx_config *config, const struct tlx_endpoint *endpoint) {
    int error = set_defaults(config);
    if (error != 0)
        return mbed_fail("mbedtls_ssl_config_defaults", error);
    if (!tlx_has_version(config->version))
        return tlx_unsupported("such protocol version");
    if (!tlx_has_suite(config->suite))
        return tlx_unsupported("such cipher suite");
    if (config->group != 0 && !tlx_has_group(config->group))
        return tlx_unsupported("such group");
    if (!tlx_has_key(endpoint->key))
        return tlx_unsupported("certificates with such a key");
    if (!tlx_has_resumption(endpoint->resumption))
        return tlx_unsupported("such resumption");
    if ((error = set_group(config, endpoint)) != 0)
        return mbed_fail("the group", error);
    if ((error = set_resumption(config)) != 0)
        return mbed_fail("setting up resumption", error);
    error = set_certificates(config, endpoint);
    return error != 0 ? mbed_fail("the certificates", error) : TLX_OK;
}

const struct tlx_config_kind tlx_configs = {sizeof(struct tlx_config), set_up, &mbed_session_kind, NULL};

void tlx_config_free(tlx_config *config) {
    mbedtls_ssl_config_free(&config->ssl);
    mbedtls_x509_crt_free(&config->root);
    mbedtls_x509_crt_free(&config->chain);
    mbedtls_pk_free(&config->private_key);
    mbedtls_ssl_ticket_free(&config->tickets);
    mbedtls_ssl_cache_free(&config->cache);
    tlx_config_drop(config);
}

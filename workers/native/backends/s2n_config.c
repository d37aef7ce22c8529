/* s2n-tls: one end of connections (an s2n_config).
 *
 * What is left at the library's default on purpose: dynamic buffers (off), one record per read and per write, the
 * depth of chains.
 */

#include "s2n_backend.h"

#include <openssl/rand.h>
#include <stdlib.h>
#include <string.h>

enum { EARLY_DATA_ROOM = 16384 };

/* ---- the cache of a server, as the library asks for it -------------------------------------------------------- */

static struct tlx_bytes bytes(const void *data, uint64_t length) { return (struct tlx_bytes){data, length}; }

static int store(struct s2n_connection *connection, void *cache, uint64_t lifetime, const void *id, uint64_t id_length,
                 const void *value, uint64_t length) {
    return tlx_cache_store(cache, bytes(id, id_length), bytes(value, length)) ? S2N_SUCCESS : S2N_FAILURE;
}

static int retrieve(struct s2n_connection *connection, void *cache, const void *id, uint64_t id_length, void *value,
                    uint64_t *length) {
    struct tlx_blob *session = tlx_cache_find(cache, bytes(id, id_length));
    int found = session != NULL && session->length <= *length;
    if (found) {
        memcpy(value, session->bytes, session->length);
        *length = session->length;
    }
    tlx_blob_release(session);
    return found ? S2N_SUCCESS : S2N_FAILURE;
}

static int forget(struct s2n_connection *connection, void *cache, const void *id, uint64_t id_length) {
    tlx_cache_remove(cache, bytes(id, id_length));
    return S2N_SUCCESS;
}

/* 1, or 0 with the library's error. */
static int use_cache(struct tlx_session_cache *cache, struct s2n_config *config) {
    return s2n_config_set_cache_store_callback(config, store, cache) == S2N_SUCCESS
           && s2n_config_set_cache_retrieve_callback(config, retrieve, cache) == S2N_SUCCESS
           && s2n_config_set_cache_delete_callback(config, forget, cache) == S2N_SUCCESS
           && s2n_config_set_session_cache_onoff(config, 1) == S2N_SUCCESS;
}

/* ---- resumption ----------------------------------------------------------------------------------------------- */

/* Each ticket of TLS 1.3, as it comes. */
static int keep_ticket(struct s2n_connection *connection, void *context, struct s2n_session_ticket *ticket) {
    struct tlx_config *config = context;
    struct tlx_blob *session;
    size_t length;
    if (s2n_session_ticket_get_data_len(ticket, &length) != S2N_SUCCESS)
        return S2N_FAILURE;
    session = tlx_blob_new(NULL, length);
    if (session == NULL || s2n_session_ticket_get_data(ticket, length, session->bytes) != S2N_SUCCESS) {
        tlx_blob_release(session);
        return S2N_FAILURE;
    }
    tlx_sessions_keep(&config->sessions, session);
    return S2N_SUCCESS;
}

static int add_key(struct s2n_config *config) {
    unsigned char name[16], key[32];
    return RAND_bytes(name, sizeof name) == 1 && RAND_bytes(key, sizeof key) == 1
           && s2n_config_add_ticket_crypto_key(config, name, sizeof name, key, sizeof key, 0) == S2N_SUCCESS;
}

static int set_resumption(struct tlx_config *config) {
    if (!config->resumes)
        return 1;
    if (config->by_ticket && s2n_config_set_session_tickets_onoff(config->config, 1) != S2N_SUCCESS)
        return 0;
    if (!config->server)
        return config->version == TLS12
               || s2n_config_set_session_ticket_cb(config->config, keep_ticket, config) == S2N_SUCCESS;
    if (config->by_id) {
        config->cache = tlx_cache_new();
        if (config->cache == NULL || !use_cache(config->cache, config->config))
            return 0;
    }
    /* The library encrypts what it gives to a cache too. */
    return add_key(config->config)
           && (!config->early
               || s2n_config_set_server_max_early_data_size(config->config, EARLY_DATA_ROOM) == S2N_SUCCESS);
}

/* ---- certificates --------------------------------------------------------------------------------------------- */

static int trust(struct s2n_config *config, struct tlx_bytes root) {
    char *pem = (char *)tlx_text(root);
    int done = pem != NULL && s2n_config_add_pem_to_trust_store(config, pem) == S2N_SUCCESS;
    free(pem);
    return done;
}

/* A server that verifies clients knows no name that they should have. */
static uint8_t any_host(const char *name, size_t length, void *context) { return 1; }

static int set_certificates(struct tlx_config *config, const struct tlx_endpoint *endpoint) {
    struct s2n_config *own = config->config;
    s2n_cert_auth_type clients = S2N_CERT_AUTH_NONE;
    if (endpoint->root.length > 0 && !trust(own, endpoint->root))
        return 0;
    if (endpoint->server && endpoint->root.length > 0) {
        clients = S2N_CERT_AUTH_REQUIRED;
        if (s2n_config_set_verify_host_callback(own, any_host, NULL) != S2N_SUCCESS)
            return 0;
    }
    if (!endpoint->server && endpoint->chain.length > 0)
        clients = S2N_CERT_AUTH_REQUIRED;
    if (s2n_config_set_client_auth_type(own, clients) != S2N_SUCCESS)
        return 0;
    if (endpoint->chain.length == 0)
        return 1;
    config->own = s2n_cert_chain_and_key_new();
    return config->own != NULL
           && s2n_cert_chain_and_key_load_pem_bytes(config->own, (uint8_t *)endpoint->chain.data,
                                                    (uint32_t)endpoint->chain.length,
                                                    (uint8_t *)endpoint->private_key.data,
                                                    (uint32_t)endpoint->private_key.length) == S2N_SUCCESS
           && s2n_config_add_cert_chain_and_key_to_store(own, config->own) == S2N_SUCCESS;
}

/* ---- a configuration ------------------------------------------------------------------------------------------ */

static int set_policy(struct tlx_config *config, const struct tlx_endpoint *endpoint) {
    const char *name = tlx_policy(endpoint->server, endpoint->version, endpoint->suite, endpoint->group, endpoint->key);
    if (!tlx_has_type(endpoint->key))
        return tlx_refuse("it has no certificates with such a key");
    if (name == NULL || s2n_config_set_cipher_preferences(config->config, name) != S2N_SUCCESS)
        return tlx_refuse("it chooses by named policy, and no two of its policies come to this version, suite, "
                               "group and key");
    return TLX_OK;
}

static int set_up(struct tlx_config *config, const struct tlx_endpoint *endpoint) {
    int result;
    config->config = s2n_config_new_minimal(); /* without the roots of the system */
    if (config->config == NULL)
        return tlx_fail("s2n_config_new_minimal");
    result = set_policy(config, endpoint);
    if (result != TLX_OK)
        return result;
    if (s2n_config_set_max_fragment_length(config->config, (uint16_t)config->record) != S2N_SUCCESS)
        return tlx_fail("s2n_config_set_max_fragment_length");
    if (!set_resumption(config))
        return tlx_fail("setting up resumption");
    return set_certificates(config, endpoint) ? TLX_OK : tlx_fail("the certificates");
}

const struct tlx_config_kind tlx_configs = {sizeof(struct tlx_config), set_up, &tlx_blob_kind, NULL};

void tlx_config_free(tlx_config *config) {
    if (config->config != NULL)
        s2n_config_free(config->config);
    if (config->own != NULL)
        s2n_cert_chain_and_key_free(config->own);
    tlx_cache_free(config->cache);
    tlx_config_drop(config);
}

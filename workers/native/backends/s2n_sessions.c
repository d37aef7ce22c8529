/* s2n-tls: the cache of a server as the library asks the application for it. */

#include "s2n_backend.h"

#include <string.h>

static struct tlx_bytes bytes(const void *data, uint64_t length) { return (struct tlx_bytes){data, length}; }

static int store(struct s2n_connection *connection, void *cache, uint64_t lifetime, const void *id, uint64_t id_length,
                 const void *value, uint64_t length) {
    (void)connection, (void)lifetime;
    return tlx_cache_store(cache, bytes(id, id_length), bytes(value, length)) ? S2N_SUCCESS : S2N_FAILURE;
}

static int retrieve(struct s2n_connection *connection, void *cache, const void *id, uint64_t id_length, void *value,
                    uint64_t *length) {
    struct tlx_blob *session = tlx_cache_find(cache, bytes(id, id_length));
    int found = session != NULL && session->length <= *length;
    (void)connection;
    if (found) {
        memcpy(value, session->bytes, session->length);
        *length = session->length;
    }
    tlx_blob_release(session);
    return found ? S2N_SUCCESS : S2N_FAILURE;
}

static int forget(struct s2n_connection *connection, void *cache, const void *id, uint64_t id_length) {
    (void)connection;
    tlx_cache_remove(cache, bytes(id, id_length));
    return S2N_SUCCESS;
}

int tlx_cache_use(struct tlx_session_cache *cache, struct s2n_config *config) {
    return s2n_config_set_cache_store_callback(config, store, cache) == S2N_SUCCESS
           && s2n_config_set_cache_retrieve_callback(config, retrieve, cache) == S2N_SUCCESS
           && s2n_config_set_cache_delete_callback(config, forget, cache) == S2N_SUCCESS
           && s2n_config_set_session_cache_onoff(config, 1) == S2N_SUCCESS;
}

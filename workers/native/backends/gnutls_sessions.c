/* GnuTLS: the cache of a server as the library asks the application for it. */

#include "gnutls_config.h"

static struct tlx_bytes bytes(gnutls_datum_t datum) { return (struct tlx_bytes){datum.data, datum.size}; }

static int store(void *cache, gnutls_datum_t key, gnutls_datum_t data) {
    return tlx_cache_store(cache, bytes(key), bytes(data)) ? 0 : GNUTLS_E_DB_ERROR;
}

static gnutls_datum_t retrieve(void *cache, gnutls_datum_t key) {
    struct tlx_blob *session = tlx_cache_find(cache, bytes(key));
    gnutls_datum_t found = {session != NULL ? gnutls_malloc(session->length) : NULL, 0};
    if (found.data != NULL) {
        memcpy(found.data, session->bytes, session->length);
        found.size = (unsigned)session->length;
    }
    tlx_blob_release(session);
    return found;
}

static int drop(void *cache, gnutls_datum_t key) {
    tlx_cache_remove(cache, bytes(key));
    return 0;
}

void tlx_cache_use(struct tlx_session_cache *cache, gnutls_session_t session) {
    gnutls_db_set_ptr(session, cache);
    gnutls_db_set_store_function(session, store);
    gnutls_db_set_retrieve_function(session, retrieve);
    gnutls_db_set_remove_function(session, drop);
}

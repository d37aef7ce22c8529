/* s2n-tls: sessions. The library keeps none: a client's are bytes that the application stores, and so is the cache of a
 * server.
 */

#include "s2n_backend.h"

#include <stdlib.h>
#include <string.h>

/* ---- a client's ----------------------------------------------------------------------------------------------- */

/* Makes room for one session more; 0 if there is none. */
static int grow(struct tlx_sessions *sessions) {
    size_t room = sessions->room == 0 ? 16 : sessions->room * 2;
    struct tlx_session **all;
    if (sessions->kept >= CLIENT_SESSIONS)
        return 0;
    if (sessions->kept < sessions->room)
        return 1;
    all = realloc(sessions->all, sizeof *all * room);
    if (all == NULL)
        return 0;
    sessions->all = all;
    sessions->room = room;
    return 1;
}

void tlx_session_keep(struct tlx_sessions *sessions, struct tlx_session *session, int newest_only) {
    pthread_mutex_lock(&sessions->lock);
    if (newest_only && sessions->kept > 0)
        free(sessions->all[--sessions->kept]);
    if (grow(sessions))
        sessions->all[sessions->kept++] = session;
    else
        free(session);
    pthread_mutex_unlock(&sessions->lock);
}

static struct tlx_session *copy(const struct tlx_session *session) {
    struct tlx_session *made = malloc(sizeof *made + session->length);
    if (made != NULL)
        memcpy(made, session, sizeof *made + session->length);
    return made;
}

struct tlx_session *tlx_session_take(struct tlx_sessions *sessions, int stays) {
    struct tlx_session *session = NULL;
    pthread_mutex_lock(&sessions->lock);
    if (sessions->kept > 0)
        session = stays ? copy(sessions->all[sessions->kept - 1]) : sessions->all[--sessions->kept];
    pthread_mutex_unlock(&sessions->lock);
    return session;
}

void tlx_sessions_free(struct tlx_sessions *sessions) {
    while (sessions->kept > 0)
        free(sessions->all[--sessions->kept]);
    free(sessions->all);
    pthread_mutex_destroy(&sessions->lock);
}

/* ---- a server's ----------------------------------------------------------------------------------------------- */

enum { ID_ROOM = 32 };

struct tlx_cache_entry {
    struct tlx_cache_entry *next;
    unsigned char id[ID_ROOM];
    uint64_t id_length;
    struct tlx_session *session;
};

/* Session ids are random, so their first bytes are as good as a hash. */
static struct tlx_cache_entry **place(struct tlx_cache *cache, const unsigned char *id, uint64_t length) {
    struct tlx_cache_entry **at = &cache->buckets[(length < 2 ? 0 : id[0] << 8 | id[1]) % BUCKETS];
    while (*at != NULL && ((*at)->id_length != length || memcmp((*at)->id, id, length) != 0))
        at = &(*at)->next;
    return at;
}

static void drop(struct tlx_cache *cache, struct tlx_cache_entry **at) {
    struct tlx_cache_entry *entry = *at;
    *at = entry->next;
    free(entry->session);
    free(entry);
    cache->kept--;
}

static struct tlx_cache_entry *new_entry(const void *id, uint64_t id_length, const void *value, uint64_t length) {
    struct tlx_cache_entry *entry = calloc(1, sizeof *entry);
    if (entry == NULL)
        return NULL;
    entry->session = malloc(sizeof *entry->session + length);
    if (entry->session == NULL) {
        free(entry);
        return NULL;
    }
    memcpy(entry->id, id, id_length);
    entry->id_length = id_length;
    memcpy(entry->session->bytes, value, length);
    entry->session->length = length;
    return entry;
}

/* A full cache takes no more: what is left out is not resumed, and that is seen. */
static int store(struct s2n_connection *connection, void *context, uint64_t lifetime, const void *id,
                 uint64_t id_length, const void *value, uint64_t length) {
    struct tlx_cache *cache = context;
    struct tlx_cache_entry *entry = id_length <= ID_ROOM ? new_entry(id, id_length, value, length) : NULL;
    struct tlx_cache_entry **at;
    (void)connection, (void)lifetime;
    if (entry == NULL)
        return S2N_FAILURE;
    pthread_mutex_lock(&cache->lock);
    at = place(cache, id, id_length);
    if (*at != NULL)
        drop(cache, at);
    if (cache->kept < SERVER_SESSIONS) {
        entry->next = *at;
        *at = entry;
        cache->kept++;
        entry = NULL;
    }
    pthread_mutex_unlock(&cache->lock);
    if (entry != NULL)
        free(entry->session);
    free(entry);
    return S2N_SUCCESS;
}

static int retrieve(struct s2n_connection *connection, void *context, const void *id, uint64_t id_length, void *value,
                    uint64_t *length) {
    struct tlx_cache *cache = context;
    struct tlx_cache_entry *entry;
    int found;
    (void)connection;
    pthread_mutex_lock(&cache->lock);
    entry = *place(cache, id, id_length);
    found = entry != NULL && entry->session->length <= *length;
    if (found) {
        memcpy(value, entry->session->bytes, entry->session->length);
        *length = entry->session->length;
    }
    pthread_mutex_unlock(&cache->lock);
    return found ? S2N_SUCCESS : S2N_FAILURE;
}

static int forget(struct s2n_connection *connection, void *context, const void *id, uint64_t id_length) {
    struct tlx_cache *cache = context;
    struct tlx_cache_entry **at;
    (void)connection;
    pthread_mutex_lock(&cache->lock);
    at = place(cache, id, id_length);
    if (*at != NULL)
        drop(cache, at);
    pthread_mutex_unlock(&cache->lock);
    return S2N_SUCCESS;
}

int tlx_cache_use(struct tlx_cache *cache, struct s2n_config *config) {
    pthread_mutex_init(&cache->lock, NULL);
    return s2n_config_set_cache_store_callback(config, store, cache) == S2N_SUCCESS
           && s2n_config_set_cache_retrieve_callback(config, retrieve, cache) == S2N_SUCCESS
           && s2n_config_set_cache_delete_callback(config, forget, cache) == S2N_SUCCESS
           && s2n_config_set_session_cache_onoff(config, 1) == S2N_SUCCESS;
}

void tlx_cache_free(struct tlx_cache *cache) {
    if (cache == NULL)
        return;
    for (size_t i = 0; i < BUCKETS; i++)
        while (cache->buckets[i] != NULL)
            drop(cache, &cache->buckets[i]);
    pthread_mutex_destroy(&cache->lock);
    free(cache);
}

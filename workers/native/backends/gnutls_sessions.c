/* GnuTLS: sessions, kept by a client in its configuration and by a server in a cache. The library leaves both to the
 * application. */

#include "gnutls_config.h"

/* The most sessions that a client keeps. More are dropped as they come. */
enum { SESSIONS = 10000 };

/* ---- the client ----------------------------------------------------------------------------------------------- */

static int grow(struct tlx_sessions *sessions) {
    size_t room = sessions->room == 0 ? 16 : sessions->room * 2;
    gnutls_datum_t *kept;
    if (sessions->count >= SESSIONS)
        return 0;
    if (sessions->count < sessions->room)
        return 1;
    kept = realloc(sessions->kept, sizeof *kept * room);
    if (kept == NULL)
        return 0;
    sessions->kept = kept;
    sessions->room = room;
    return 1;
}

void tlx_sessions_keep(struct tlx_config *config, gnutls_datum_t session) {
    struct tlx_sessions *sessions = &config->sessions;
    gnutls_datum_t dropped = session;
    pthread_mutex_lock(&sessions->lock);
    if (config->version != TLS13 && sessions->count > 0) {
        dropped = sessions->kept[0];
        sessions->kept[0] = session;
    } else if (grow(sessions)) {
        sessions->kept[sessions->count++] = session;
        dropped.data = NULL;
    }
    pthread_mutex_unlock(&sessions->lock);
    gnutls_free(dropped.data);
}

static gnutls_datum_t copy(const void *data, size_t size) {
    gnutls_datum_t made = {gnutls_malloc(size), (unsigned)size};
    if (made.data != NULL)
        memcpy(made.data, data, size);
    else
        made.size = 0;
    return made;
}

gnutls_datum_t tlx_sessions_take(struct tlx_config *config) {
    struct tlx_sessions *sessions = &config->sessions;
    gnutls_datum_t taken = {NULL, 0};
    pthread_mutex_lock(&sessions->lock);
    if (sessions->count > 0 && config->version == TLS13)
        taken = sessions->kept[--sessions->count];
    else if (sessions->count > 0)
        taken = copy(sessions->kept[0].data, sessions->kept[0].size);
    pthread_mutex_unlock(&sessions->lock);
    return taken;
}

void tlx_sessions_free(struct tlx_sessions *sessions) {
    while (sessions->count > 0)
        gnutls_free(sessions->kept[--sessions->count].data);
    free(sessions->kept);
    pthread_mutex_destroy(&sessions->lock);
}

/* ---- the server ----------------------------------------------------------------------------------------------- */

enum { SETS = 4096, WAYS = 8, ID = 32 };

/* A session id is random, so its first bytes choose the set. In a full set the oldest makes room. */
struct entry {
    unsigned char id[ID];
    gnutls_datum_t data;
};

struct tlx_cache {
    pthread_mutex_t lock;
    struct set {
        struct entry entries[WAYS];
        unsigned next;
    } sets[SETS];
};

struct tlx_cache *tlx_cache_new(void) {
    struct tlx_cache *cache = calloc(1, sizeof *cache);
    if (cache != NULL)
        pthread_mutex_init(&cache->lock, NULL);
    return cache;
}

void tlx_cache_free(struct tlx_cache *cache) {
    if (cache == NULL)
        return;
    for (size_t set = 0; set < SETS; set++)
        for (size_t way = 0; way < WAYS; way++)
            gnutls_free(cache->sets[set].entries[way].data.data);
    pthread_mutex_destroy(&cache->lock);
    free(cache);
}

static struct set *set_of(struct tlx_cache *cache, gnutls_datum_t key) {
    return &cache->sets[(key.data[0] | (unsigned)key.data[1] << 8) % SETS];
}

static struct entry *entry_of(struct set *set, gnutls_datum_t key) {
    for (size_t way = 0; way < WAYS; way++)
        if (set->entries[way].data.data != NULL && memcmp(set->entries[way].id, key.data, ID) == 0)
            return &set->entries[way];
    return NULL;
}

static int store(void *pointer, gnutls_datum_t key, gnutls_datum_t data) {
    struct tlx_cache *cache = pointer;
    gnutls_datum_t kept = copy(data.data, data.size), dropped;
    struct entry *entry;
    struct set *set;
    if (key.size != ID || kept.data == NULL) {
        gnutls_free(kept.data);
        return GNUTLS_E_DB_ERROR;
    }
    pthread_mutex_lock(&cache->lock);
    set = set_of(cache, key);
    entry = entry_of(set, key);
    if (entry == NULL)
        entry = &set->entries[set->next++ % WAYS];
    dropped = entry->data;
    memcpy(entry->id, key.data, ID);
    entry->data = kept;
    pthread_mutex_unlock(&cache->lock);
    gnutls_free(dropped.data);
    return 0;
}

static gnutls_datum_t retrieve(void *pointer, gnutls_datum_t key) {
    struct tlx_cache *cache = pointer;
    gnutls_datum_t found = {NULL, 0};
    struct entry *entry;
    if (key.size != ID)
        return found;
    pthread_mutex_lock(&cache->lock);
    entry = entry_of(set_of(cache, key), key);
    if (entry != NULL)
        found = copy(entry->data.data, entry->data.size);
    pthread_mutex_unlock(&cache->lock);
    return found;
}

static int drop(void *pointer, gnutls_datum_t key) {
    struct tlx_cache *cache = pointer;
    struct entry *entry;
    if (key.size != ID)
        return 0;
    pthread_mutex_lock(&cache->lock);
    entry = entry_of(set_of(cache, key), key);
    if (entry != NULL) {
        gnutls_free(entry->data.data);
        entry->data.data = NULL;
    }
    pthread_mutex_unlock(&cache->lock);
    return 0;
}

void tlx_cache_use(struct tlx_cache *cache, gnutls_session_t session) {
    gnutls_db_set_ptr(session, cache);
    gnutls_db_set_store_function(session, store);
    gnutls_db_set_retrieve_function(session, retrieve);
    gnutls_db_set_remove_function(session, drop);
}

#include "session_cache.h"

#include <stdlib.h>
#include <string.h>

/* An id has at most 32 bytes (RFC 5246 7.4.1.2). Together there is room for 32768 sessions, three times as many as a client
 * keeps. */
enum { SETS = 4096, WAYS = 8, ID = 32 };

struct entry {
    unsigned char id[ID];
    size_t id_length;
    struct tlx_blob *session; /* null: the entry is free */
};

/* A session id is random, so its first bytes choose the set. In a full set the oldest makes room. */
struct tlx_session_cache {
    pthread_mutex_t lock;
    struct set {
        struct entry entries[WAYS];
        unsigned next;
    } sets[SETS];
};

struct tlx_session_cache *tlx_cache_new(void) {
    struct tlx_session_cache *cache = calloc(1, sizeof *cache);
    if (cache != NULL)
        pthread_mutex_init(&cache->lock, NULL);
    return cache;
}

void tlx_cache_free(struct tlx_session_cache *cache) {
    if (cache == NULL)
        return;
    for (size_t set = 0; set < SETS; set++)
        for (size_t way = 0; way < WAYS; way++)
            tlx_blob_release(cache->sets[set].entries[way].session);
    pthread_mutex_destroy(&cache->lock);
    free(cache);
}

static struct set *set_of(struct tlx_session_cache *cache, struct tlx_bytes id) {
    return &cache->sets[(id.length < 2 ? 0 : id.data[0] | (unsigned)id.data[1] << 8) % SETS];
}

static struct entry *entry_of(struct set *set, struct tlx_bytes id) {
    for (struct entry *entry = set->entries; entry < set->entries + WAYS; entry++)
        if (entry->session != NULL && entry->id_length == id.length && memcmp(entry->id, id.data, id.length) == 0)
            return entry;
    return NULL;
}

int tlx_cache_store(struct tlx_session_cache *cache, struct tlx_bytes id, struct tlx_bytes data) {
    struct tlx_blob *session = id.length <= ID ? tlx_blob_new(data.data, data.length) : NULL, *dropped;
    struct entry *entry;
    struct set *set;
    if (session == NULL)
        return 0;
    pthread_mutex_lock(&cache->lock);
    set = set_of(cache, id);
    entry = entry_of(set, id);
    if (entry == NULL)
        entry = &set->entries[set->next++ % WAYS];
    dropped = entry->session;
    memcpy(entry->id, id.data, id.length);
    entry->id_length = id.length;
    entry->session = session;
    pthread_mutex_unlock(&cache->lock);
    tlx_blob_release(dropped);
    return 1;
}

struct tlx_blob *tlx_cache_find(struct tlx_session_cache *cache, struct tlx_bytes id) {
    struct entry *entry;
    struct tlx_blob *found;
    pthread_mutex_lock(&cache->lock);
    entry = entry_of(set_of(cache, id), id);
    found = entry != NULL ? tlx_blob_share(entry->session) : NULL;
    pthread_mutex_unlock(&cache->lock);
    return found;
}

void tlx_cache_remove(struct tlx_session_cache *cache, struct tlx_bytes id) {
    struct tlx_blob *dropped = NULL;
    struct entry *entry;
    pthread_mutex_lock(&cache->lock);
    entry = entry_of(set_of(cache, id), id);
    if (entry != NULL) {
        dropped = entry->session;
        entry->session = NULL;
    }
    pthread_mutex_unlock(&cache->lock);
    tlx_blob_release(dropped);
}

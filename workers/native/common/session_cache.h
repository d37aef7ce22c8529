/* What a server remembers by session id, for libraries that leave it to the application; shared by threads. */
#ifndef TLX_COMMON_SESSION_CACHE_H
#define TLX_COMMON_SESSION_CACHE_H

#include "../tlx.h"
#include "session_store.h"

struct tlx_session_cache;

/* Null without memory. */
struct tlx_session_cache *tlx_cache_new(void);
void tlx_cache_free(struct tlx_session_cache *cache);

/* Keeps a copy of the data in place of what the id stands for: 1, or 0 without memory or with an id that is too long. */
int tlx_cache_store(struct tlx_session_cache *cache, struct tlx_bytes id, struct tlx_bytes data);

/* What the id stands for, which the caller has to release; null if nothing. */
struct tlx_blob *tlx_cache_find(struct tlx_session_cache *cache, struct tlx_bytes id);

void tlx_cache_remove(struct tlx_session_cache *cache, struct tlx_bytes id);

#endif

/* The sessions that a client keeps for its next connections, shared by the threads of a configuration.
 *
 * A ticket of TLS 1.3 is used once (RFC 8446 C.4). A session of TLS 1.2 serves any number of connections until there is a
 * newer one, so the newest is enough.
 */
#ifndef TLX_COMMON_SESSION_STORE_H
#define TLX_COMMON_SESSION_STORE_H

#include <pthread.h>
#include <stddef.h>

struct tlx_session_kind {
    void *(*share)(void *session); /* another reference to it, or a copy; null without memory */
    void (*release)(void *session);
    int (*stays)(const void *session); /* of TLS 1.3: whether this one is used again nevertheless; null: none is */
};

struct tlx_sessions {
    pthread_mutex_t lock;
    const struct tlx_session_kind *kind;
    int single_use;
    void **kept; /* grows as they come; the newest is the last */
    size_t count, room;
};

/* Keeps the session, which belongs to the store from now on; null is none. */
void tlx_sessions_keep(struct tlx_sessions *sessions, void *session);

/* The newest session, which the caller has to release; null if there is none. */
void *tlx_sessions_take(struct tlx_sessions *sessions);

void tlx_sessions_free(struct tlx_sessions *sessions);

/* A session as bytes, for libraries that leave storing to the application. It does not change any more when it is kept. */
struct tlx_blob {
    int holders;
    size_t length;
    unsigned char bytes[];
};

extern const struct tlx_session_kind tlx_blob_kind;

/* A blob with one holder and a copy of the data, or with room for it where data is null; null without memory. */
struct tlx_blob *tlx_blob_new(const void *data, size_t length);
void *tlx_blob_share(void *blob);
/* Null is nothing to release. */
void tlx_blob_release(void *blob);

#endif

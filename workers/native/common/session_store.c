#include "session_store.h"

#include <stdlib.h>
#include <string.h>

/* The most sessions that a client keeps: one for each connection of a large load. More are dropped as they come. */
enum { SESSIONS = 10000 };

/* Makes room for one session more; 0 if there is none. */
static int grow(struct tlx_sessions *sessions) {
    size_t room = sessions->room == 0 ? 16 : sessions->room * 2;
    void **kept;
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

void tlx_sessions_keep(struct tlx_sessions *sessions, void *session) {
    void *dropped = session;
    if (session == NULL)
        return;
    pthread_mutex_lock(&sessions->lock);
    if (!sessions->single_use && sessions->count > 0) {
        dropped = sessions->kept[sessions->count - 1];
        sessions->kept[sessions->count - 1] = session;
    } else if (grow(sessions)) {
        sessions->kept[sessions->count++] = session;
        dropped = NULL;
    }
    pthread_mutex_unlock(&sessions->lock);
    if (dropped != NULL)
        sessions->kind->release(dropped);
}

void *tlx_sessions_take(struct tlx_sessions *sessions) {
    const struct tlx_session_kind *kind = sessions->kind;
    void *session = NULL;
    pthread_mutex_lock(&sessions->lock);
    if (sessions->count > 0) {
        session = sessions->kept[sessions->count - 1];
        if (sessions->single_use && (kind->stays == NULL || !kind->stays(session)))
            sessions->count--;
        else
            session = kind->share(session);
    }
    pthread_mutex_unlock(&sessions->lock);
    return session;
}

void tlx_sessions_free(struct tlx_sessions *sessions) {
    while (sessions->count > 0)
        sessions->kind->release(sessions->kept[--sessions->count]);
    free(sessions->kept);
    pthread_mutex_destroy(&sessions->lock);
}

/* ---- blobs ---------------------------------------------------------------------------------------------------- */

const struct tlx_session_kind tlx_blob_kind = {tlx_blob_share, tlx_blob_release, NULL};

struct tlx_blob *tlx_blob_new(const void *data, size_t length) {
    struct tlx_blob *blob = malloc(sizeof *blob + length);
    if (blob == NULL)
        return NULL;
    blob->holders = 1;
    blob->length = length;
    if (data != NULL)
        memcpy(blob->bytes, data, length);
    return blob;
}

void *tlx_blob_share(void *blob) {
    __atomic_add_fetch(&((struct tlx_blob *)blob)->holders, 1, __ATOMIC_RELAXED);
    return blob;
}

/* The last holder must see all that the others did with it. */
void tlx_blob_release(void *blob) {
    if (blob != NULL && __atomic_sub_fetch(&((struct tlx_blob *)blob)->holders, 1, __ATOMIC_ACQ_REL) == 0)
        free(blob);
}

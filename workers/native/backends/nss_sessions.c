/* NSS: what a client keeps of its sessions in its configuration: resumption tokens, and names of session ids. */

#include "nss_config.h"

#include <stdio.h>

/* The most tokens that are kept. More are dropped as they come. */
enum { SESSIONS = 10000 };

static int grow(struct tlx_sessions *sessions) {
    size_t room = sessions->room == 0 ? 16 : sessions->room * 2;
    SECItem *kept;
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

static SECItem copy(const unsigned char *data, size_t length) {
    SECItem made = tlx_item(malloc(length), length);
    if (made.data != NULL)
        memcpy(made.data, data, length);
    return made;
}

void tlx_sessions_keep(struct tlx_config *config, const unsigned char *token, size_t length) {
    struct tlx_sessions *sessions = &config->sessions;
    SECItem session = copy(token, length), dropped = session;
    if (session.data == NULL)
        return;
    pthread_mutex_lock(&sessions->lock);
    if (config->version != TLS13 && sessions->count > 0) {
        dropped = sessions->kept[0];
        sessions->kept[0] = session;
    } else if (grow(sessions)) {
        sessions->kept[sessions->count++] = session;
        dropped.data = NULL;
    }
    pthread_mutex_unlock(&sessions->lock);
    free(dropped.data);
}

SECItem tlx_sessions_take(struct tlx_config *config) {
    struct tlx_sessions *sessions = &config->sessions;
    SECItem taken = tlx_item(NULL, 0);
    pthread_mutex_lock(&sessions->lock);
    if (sessions->count > 0 && config->version == TLS13)
        taken = sessions->kept[--sessions->count];
    else if (sessions->count > 0)
        taken = copy(sessions->kept[0].data, sessions->kept[0].len);
    pthread_mutex_unlock(&sessions->lock);
    return taken;
}

void tlx_peer_keep(struct tlx_config *config, const char *peer) {
    pthread_mutex_lock(&config->sessions.lock);
    strcpy(config->newest, peer);
    pthread_mutex_unlock(&config->sessions.lock);
}

void tlx_peer_take(struct tlx_config *config, char *peer) {
    static _Atomic unsigned long long number;
    pthread_mutex_lock(&config->sessions.lock);
    strcpy(peer, config->newest);
    pthread_mutex_unlock(&config->sessions.lock);
    if (peer[0] == 0)
        snprintf(peer, PEER_ID, "%llu", number++);
}

void tlx_sessions_free(struct tlx_sessions *sessions) {
    while (sessions->count > 0)
        free(sessions->kept[--sessions->count].data);
    free(sessions->kept);
    pthread_mutex_destroy(&sessions->lock);
}

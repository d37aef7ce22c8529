/* NSS: which sessions in the library's own cache, where session ids are, a client's connections use. */

#include "nss_config.h"

#include <stdio.h>

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

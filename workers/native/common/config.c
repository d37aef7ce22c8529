#include "config.h"

#include "operation.h"

#include <stdlib.h>
#include <string.h>

static void copy(struct tlx_config_base *config, const struct tlx_endpoint *endpoint) {
    const struct tlx_key *key = tlx_key_find(endpoint->key);
    config->server = endpoint->server;
    config->version = endpoint->version;
    config->suite = endpoint->suite;
    config->group = endpoint->group;
    config->by_id = endpoint->resumption == TLX_SESSION_ID;
    config->resumes = endpoint->resumption != TLX_FULL;
    config->by_ticket = config->resumes && !config->by_id;
    config->early = endpoint->resumption == TLX_EARLY_DATA;
    config->record = endpoint->record;
    config->compression = endpoint->compression;
    config->key_name = key != NULL ? key->name : NULL;
    if (endpoint->host != NULL && strlen(endpoint->host) < sizeof config->host)
        strcpy(config->host, endpoint->host);
    if (endpoint->early_data.length > 0 && endpoint->early_data.length <= sizeof config->early_data) {
        memcpy(config->early_data, endpoint->early_data.data, endpoint->early_data.length);
        config->early_length = endpoint->early_data.length;
    }
}

int tlx_config_new(const struct tlx_endpoint *endpoint, tlx_config **made) {
    struct tlx_config_base *base = calloc(1, tlx_configs.size);
    tlx_config *config = (tlx_config *)base;
    int result;
    if (endpoint->compression != TLX_NO_COMPRESSION && tlx_compresses() == TLX_NEVER) {
        free(base);
        return tlx_unsupported("TLS compression");
    }
    if (base == NULL)
        return tlx_report(TLX_FAILED, "allocating a configuration: no memory");
    copy(base, endpoint);
    base->sessions.kind = tlx_configs.sessions;
    base->sessions.single_use = endpoint->version == TLS13;
    pthread_mutex_init(&base->sessions.lock, NULL);
    result = tlx_configs.set_up(config, endpoint);
    if (result == TLX_OK)
        *made = config;
    else
        tlx_config_free(config);
    tlx_forget();
    return result;
}

enum tlx_compressing tlx_compresses(void) {
    return tlx_configs.compresses != NULL ? tlx_configs.compresses() : TLX_NEVER;
}

void tlx_config_drop(tlx_config *config) {
    tlx_sessions_free(&((struct tlx_config_base *)config)->sessions);
    free(config);
}

/* One end of connections: what is the same in every library. */
#ifndef TLX_COMMON_CONFIG_H
#define TLX_COMMON_CONFIG_H

#include "error.h"
#include "key.h"
#include "lookup.h"
#include "session_store.h"

/* Versions by their code points. */
enum { TLS12 = 0x0303, TLS13 = 0x0304 };

/* A backend's struct tlx_config begins with these fields, whose meaning is that of struct tlx_endpoint. */
struct tlx_config_base {
    int server, version, suite, group;
    int resumes;                 /* any kind but a full handshake: */
    int by_id, by_ticket, early; /* by session id; by ticket or PSK; by PSK with early data */
    size_t record;
    enum tlx_compression compression;
    const char *key_name; /* in the certificates; a static text */
    char host[256];
    unsigned char early_data[1024];
    size_t early_length;
    struct tlx_sessions sessions; /* client */
};

/* What a backend defines once. */
struct tlx_config_kind {
    size_t size; /* of its struct tlx_config */
    /* Does the rest for one that is zeroed but for its base; if it does not return TLX_OK, tlx_config_free is called. */
    int (*set_up)(tlx_config *, const struct tlx_endpoint *);
    const struct tlx_session_kind *sessions; /* null where the library keeps them itself */
    enum tlx_compressing (*compresses)(void); /* null where the library has no TLS compression */
};
extern const struct tlx_config_kind tlx_configs;

/* Drops the sessions and frees the configuration itself; the last step of tlx_config_free. */
void tlx_config_drop(tlx_config *config);

#endif

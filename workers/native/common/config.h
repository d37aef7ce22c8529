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
    const char *key_name; /* in the certificates; a static text */
    char host[256];
    unsigned char early_data[1024];
    size_t early_length;
    struct tlx_sessions sessions; /* client */
};

/* Makes a configuration of so many bytes, zeroed but for its base, and lets `set_up` do the rest; `sessions` is null where
 * the library keeps them itself. What `set_up` returns; if that is not TLX_OK, tlx_config_free is called. */
int tlx_config_make(size_t size, const struct tlx_endpoint *endpoint, const struct tlx_session_kind *sessions,
                    int (*set_up)(tlx_config *, const struct tlx_endpoint *), tlx_config **made);

/* Drops the sessions and frees the configuration itself; the last step of tlx_config_free. */
void tlx_config_drop(tlx_config *config);

#endif

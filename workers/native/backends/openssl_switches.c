/* OpenSSL: doing without features of the CPU, by OPENSSL_ia32cap, and what the library says of it. */

#include "../common/ia32cap.h"
#include "openssl_operation.h"

int tlx_without(const char *wanted, char *settings, size_t room) {
    return tlx_ia32cap_without(wanted, tlx_cpu_settings(), tlx_without_assembly(), settings, room);
}

const char *tlx_is_without(void) { return tlx_ia32cap_is_without(tlx_cpu_settings(), tlx_without_assembly()); }

const char *tlx_cpu(void) { return tlx_cpu_settings(); }

// What configurations and connections of the Botan backend share.
#ifndef BOTAN_CONFIG_H
#define BOTAN_CONFIG_H

#include "botan_operation.h"

#include <botan/certstor.h>
#include <botan/credentials_manager.h>
#include <botan/pk_keys.h>
#include <botan/tls_algos.h>
#include <botan/tls_policy.h>
#include <botan/tls_session_manager.h>
#include <botan/tls_version.h>
#include <botan/x509cert.h>

struct tlx_config {
    bool server = false;
    Botan::TLS::Protocol_Version version;
    std::size_t record = 0;
    std::string host;
    std::shared_ptr<Botan::TLS::Policy> policy;
    std::shared_ptr<Botan::Credentials_Manager> credentials;
    std::shared_ptr<Botan::TLS::Session_Manager> sessions;
    const char *own_key = nullptr;
};

// The name of the kind of key in the tlstax vocabulary; null if it is in none.
const char *tlx_key_name(const Botan::Public_Key &key);

#endif

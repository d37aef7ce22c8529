/* BoringSSL alone. */
#ifndef OPENSSL_COMPAT_BORINGSSL_H
#define OPENSSL_COMPAT_BORINGSSL_H

#include <openssl/mlkem.h>

#define TLX_FAMILY "boringssl"

#define TLX_SETTINGS \
    "in TLS 1.3 its policy CNSA 2024-07 for AES-256-GCM, FIPS 2022-05 for AES-128-GCM without AES instructions, " \
    "tickets sent by an empty write"

/* It takes seeds. */
#define TLX_TAKES_RAW_PRIVATE 0

static inline const char *tlx_version_text(void) {
    static _Thread_local char text[64];
    snprintf(text, sizeof text, "%s, API %d", OpenSSL_version(OPENSSL_VERSION), BORINGSSL_API_VERSION);
    return text;
}

static inline const EVP_CIPHER *tlx_unlisted_cipher(const char *name) { return NULL; }

/* The library's own capability vector, in C++. */
extern const uint32_t tlx_cap[4] __asm__("_ZN4bssl17OPENSSL_ia32cap_PE") __attribute__((weak));

/* The suites of TLS 1.3 are not configured: a server takes the first that it prefers of all that are offered, and
 * policies are the only way to change that: CNSA prefers AES-256-GCM, FIPS leaves ChaCha20 out, which is preferred
 * where there are no AES instructions. What else FIPS sets is set again later, except the order of signature
 * algorithms. Which suite is really taken is checked after the handshake. */
static inline int tlx_set_tls13_suite(SSL_CTX *context, int suite) {
    switch (suite) {
    case 0x1301:
        return EVP_has_aes_hardware() || SSL_CTX_set_compliance_policy(context, ssl_compliance_policy_fips_202205);
    case 0x1302:
        return SSL_CTX_set_compliance_policy(context, ssl_compliance_policy_cnsa_202407);
    case 0x1303:
        return !EVP_has_aes_hardware();
    default:
        return 0;
    }
}

static inline int tlx_set_tls13_suites(SSL_CTX *context, const char *names) { return 1; }

/* As it prefers them without a policy: AES first where the CPU has instructions for it. */
static inline const char *tlx_tls13_unlisted(int index) {
    static const char *const with[] = {"TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256"};
    static const char *const without[] = {"TLS_CHACHA20_POLY1305_SHA256", "TLS_AES_128_GCM_SHA256",
                                          "TLS_AES_256_GCM_SHA384"};
    return index < 3 ? (EVP_has_aes_hardware() ? with : without)[index] : NULL;
}

static inline int tlx_pkey_id(const char *name) {
    static const struct {
        const char *name;
        int id;
    } ids[] = {
        {"EC", EVP_PKEY_EC},
        {"RSA", EVP_PKEY_RSA},
        {"ED25519", EVP_PKEY_ED25519},
        {"X25519", EVP_PKEY_X25519},
        {"ML-DSA-44", EVP_PKEY_ML_DSA_44},
        {"ML-DSA-65", EVP_PKEY_ML_DSA_65},
        {"ML-DSA-87", EVP_PKEY_ML_DSA_87},
        {"ML-KEM-768", EVP_PKEY_ML_KEM_768},
    };
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++)
        if (strcmp(ids[i].name, name) == 0)
            return ids[i].id;
    return NID_undef;
}

static inline int tlx_key_is(const EVP_PKEY *key, const char *name) { return EVP_PKEY_id(key) == tlx_pkey_id(name); }

static inline const EVP_PKEY_ALG *tlx_key_algorithm(int id) {
    switch (id) {
    case EVP_PKEY_ML_DSA_44:
        return EVP_pkey_ml_dsa_44();
    case EVP_PKEY_ML_DSA_65:
        return EVP_pkey_ml_dsa_65();
    case EVP_PKEY_ML_DSA_87:
        return EVP_pkey_ml_dsa_87();
    case EVP_PKEY_ML_KEM_768:
        return EVP_pkey_ml_kem_768();
    default:
        return NULL;
    }
}

static inline EVP_PKEY *tlx_raw_private(const char *name, struct tlx_bytes raw) { return NULL; }

static inline EVP_PKEY *tlx_raw_public(const char *name, struct tlx_bytes raw) {
    const EVP_PKEY_ALG *algorithm = tlx_key_algorithm(tlx_pkey_id(name));
    return algorithm ? EVP_PKEY_from_raw_public_key(algorithm, raw.data, raw.length) : NULL;
}

/* A PKCS #8 key of ML-DSA that holds seed and expanded key (RFC 9881 6): its parser takes the seed alone. */
static inline EVP_PKEY *tlx_read_seed(const unsigned char *der, size_t length) {
    const EVP_PKEY_ALG *kind = NULL;
    CBS all, info, algorithm, oid, key, both, seed;
    CBS_init(&all, der, length);
    if (CBS_get_asn1(&all, &info, CBS_ASN1_SEQUENCE) && CBS_get_asn1(&info, NULL, CBS_ASN1_INTEGER)
        && CBS_get_asn1(&info, &algorithm, CBS_ASN1_SEQUENCE) && CBS_get_asn1(&algorithm, &oid, CBS_ASN1_OBJECT)
        && CBS_get_asn1(&info, &key, CBS_ASN1_OCTETSTRING) && CBS_get_asn1(&key, &both, CBS_ASN1_SEQUENCE)
        && CBS_get_asn1(&both, &seed, CBS_ASN1_OCTETSTRING))
        kind = tlx_key_algorithm(OBJ_cbs2nid(&oid));
    return kind ? EVP_PKEY_from_private_seed(kind, CBS_data(&seed), CBS_len(&seed)) : NULL;
}

static inline EVP_PKEY *tlx_read_private(BIO *pem) {
    char *name = NULL, *header = NULL;
    unsigned char *der = NULL;
    const unsigned char *at;
    long length = 0;
    EVP_PKEY *key = NULL;
    if (!PEM_read_bio(pem, &name, &header, &der, &length))
        return NULL;
    at = der;
    key = d2i_AutoPrivateKey(NULL, &at, length);
    if (key == NULL)
        key = tlx_read_seed(der, (size_t)length);
    OPENSSL_free(name);
    OPENSSL_free(header);
    OPENSSL_free(der);
    return key;
}

#endif

/* s2n-tls: which named policies come to which version, suite and group, and what that means for its capabilities.
 *
 * The library has no lists of suites and groups to be set; an application names one of its policies, whose lists never
 * change. Each row names the policies of both ends that come to the combination without a second ClientHello, as short
 * as there are; the client's have no key share of another group and, for TLS 1.2, no suite of TLS 1.3. Combinations
 * that are missing are those that no two policies come to. Which policies exist is asked of the library; what a
 * connection has really come to is checked at its end.
 */

#include "s2n_backend.h"

#include <openssl/evp.h>
#include <string.h>

static const struct combination {
    int version, suite, group;
    const char *client, *server;
} combinations[] = {
    {TLS13, 0x1301, 0x001d, "AWS-CRT-SDK-TLSv1.3", "AWS-CRT-SDK-TLSv1.3"},
    {TLS13, 0x1301, 0x0017, "ELBSecurityPolicy-TLS13-1-3-FIPS-2023-04", "ELBSecurityPolicy-TLS13-1-3-FIPS-2023-04"},
    {TLS13, 0x1301, 0x0018, "ELBSecurityPolicy-TLS13-1-2-RFC9151-INTEROP1-FIPS-2023-07",
     "ELBSecurityPolicy-TLS13-1-3-FIPS-2023-04"},
    {TLS13, 0x1301, 0x11ec, "test_pq_only", "CloudFront-TLS-1-3-2025"},
    {TLS13, 0x1302, 0x001d, "AWS-CRT-SDK-TLSv1.3", "20190801"},
    {TLS13, 0x1302, 0x0017, "ELBSecurityPolicy-TLS13-1-3-FIPS-2023-04", "20190802"},
    {TLS13, 0x1302, 0x0018, "20250414", "20250414"},
    {TLS13, 0x1302, 0x11ec, "test_pq_only", "PQ-TLS-1-2-2024-10-09"},
    {TLS12, 0xc02b, 0x001d, "20240501", "CloudFront-TLS-1-2-2021"},
    {TLS12, 0xc02b, 0x0017, "ELBSecurityPolicy-FS-1-2-Res-2020-10", "ELBSecurityPolicy-FS-1-2-Res-2020-10"},
    {TLS12, 0xc02c, 0x0017, "CloudFront-Upstream-TLS-1-2", "CloudFront-Upstream-TLS-1-2"},
    {TLS12, 0xc02c, 0x0018, "ELBSecurityPolicy-FS-1-2-Res-2020-10", "ELBSecurityPolicy-TLS12-1-2-RFC9151-2024-01"},
    {TLS12, 0xc009, 0x001d, "CloudFront-Upstream-TLS-1-2", "20210825"},
    {TLS12, 0xc009, 0x0017, "20190214", "20190214"},
    {TLS12, 0xc02f, 0x001d, "20240501", "CloudFront-TLS-1-2-2021"},
    {TLS12, 0xc02f, 0x0017, "ELBSecurityPolicy-FS-1-2-Res-2020-10", "ELBSecurityPolicy-FS-1-2-Res-2020-10"},
    {TLS12, 0xc02f, 0x0018, "ELBSecurityPolicy-TLS-1-1-Res-2017-01",
     "ELBSecurityPolicy-TLS13-1-2-RFC9151-INTEROP1-FIPS-2023-07"},
    {TLS12, 0xc030, 0x001d, "20240501", "KMS-TLS-1-2-2023-06"},
    {TLS12, 0xc030, 0x0017, "KMS-FIPS-TLS-1-2-2018-10", "KMS-FIPS-TLS-1-2-2018-10"},
    {TLS12, 0xc030, 0x0018, "20210816_GCM", "20210816_GCM"},
    {TLS12, 0xcca8, 0x0017, "20190122", "20190122"},
    {TLS12, 0xc013, 0x001d, "CloudFront-Upstream-TLS-1-2", "20210825"},
    {TLS12, 0xc013, 0x0017, "20170718", "20170718"},
    {TLS12, 0xc014, 0x0017, "KMS-TLS-1-0-2018-10", "test_all_fips"},
    {TLS12, 0xc014, 0x0018, "ELBSecurityPolicy-TLS-1-1-Res-2017-01",
     "ELBSecurityPolicy-TLS13-1-2-RFC9151-INTEROP3-FIPS-2023-07"},
    {TLS12, 0x009c, 0, "20150214", "20150214"},
    {TLS12, 0x009d, 0, "ELBSecurityPolicy-TLS-1-1-Res-2017-01", "ELBSecurityPolicy-TLS12-1-2-Ext0-RFC9151-2024-01"},
    {TLS12, 0x002f, 0, "20150202", "20170816_healthcheck"},
    {TLS12, 0x0035, 0, "20170816_healthcheck", "20170816_healthcheck"},
    {TLS12, 0x000a, 0, "20150202", "test_all_tls12"},
    {TLS12, 0x0004, 0, "20141001", "test_all_tls12"},
    {TLS12, 0x0005, 0, "ELBSecurityPolicy-SSLv3-2013-12", "test_all_tls12"},
};

/* Few policies list the signatures of ML-DSA. With X25519MLKEM768 the client of these sends a share of P-256 too,
 * which is a little of its cost. */
static const struct combination with_ml_dsa[] = {
    {TLS13, 0x1301, 0x001d, "test_all_tls13", "test_all_tls13"},
    {TLS13, 0x1301, 0x11ec, "CloudFront-Upstream-TLS-1-3-2025-PQ", "CloudFront-Upstream-TLS-1-3-2025-PQ"},
};

static const struct tlx_group groups[] = {
    {0x001d, "x25519"},
    {0x0017, "secp256r1"},
    {0x0018, "secp384r1"},
    {0x0019, "secp521r1"},
    {0x11ec, "X25519MLKEM768"},
    {0x11eb, "SecP256r1MLKEM768"},
    {0x11ed, "SecP384r1MLKEM1024"},
};

int tlx_has_type(const char *key) {
    const struct tlx_key *known = tlx_key_find(key);
    return known != NULL && known->type != TLX_ED25519;
}

int tlx_group_code(const char *name) { return tlx_group_named(groups, COUNT(groups), name); }

static int is_ml_dsa(const char *key) { return strncmp(key, "ml-dsa-", 7) == 0; }

const char *tlx_policy(int server, int version, int suite, int group, const char *key) {
    const struct combination *all = is_ml_dsa(key) ? with_ml_dsa : combinations;
    size_t count = is_ml_dsa(key) ? COUNT(with_ml_dsa) : COUNT(combinations);
    for (size_t i = 0; i < count; i++)
        if (all[i].version == version && all[i].suite == suite && all[i].group == group)
            return server ? all[i].server : all[i].client;
    return NULL;
}

/* ---- capabilities --------------------------------------------------------------------------------------------- */

static int has_policy(const char *name) {
    struct s2n_config *config = s2n_config_new_minimal();
    int has = config != NULL && s2n_config_set_cipher_preferences(config, name) == S2N_SUCCESS;
    s2n_config_free(config);
    return has;
}

static int has_row(const struct combination *row) { return has_policy(row->client) && has_policy(row->server); }

/* Zero stands for any. */
static int has(int version, int suite, int group) {
    for (size_t i = 0; i < COUNT(combinations); i++) {
        const struct combination *row = &combinations[i];
        if ((version == 0 || row->version == version) && (suite == 0 || row->suite == suite)
            && (group == 0 || row->group == group) && has_row(row))
            return 1;
    }
    return 0;
}

int tlx_has_version(int version) { return has(version, 0, 0); }

int tlx_has_suite(int suite) { return has(0, suite, 0); }

int tlx_has_group(int group) { return has(0, 0, group); }

/* libcrypto makes the keys. */
int tlx_has_key(const char *name) {
    if (!tlx_has_type(name))
        return 0;
#ifdef OPENSSL_IS_AWSLC
    if (is_ml_dsa(name)) {
        EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_id(EVP_PKEY_PQDSA, NULL);
        EVP_PKEY_CTX_free(context);
        return context != NULL && has_row(&with_ml_dsa[0]);
    }
#endif
    return !is_ml_dsa(name);
}

int tlx_has_resumption(enum tlx_resumption resumption) { return resumption <= TLX_EARLY_DATA; }

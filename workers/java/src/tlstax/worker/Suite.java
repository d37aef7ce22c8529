package tlstax.worker;

import java.util.List;

/**
 * A cipher suite: its IANA name, how it authenticates, and what JSSE calls it.
 *
 * @param authentication any, ecdhe-ecdsa, ecdhe-rsa, dhe-rsa or rsa
 */
record Suite(String name, String authentication) {
    static final List<Suite> ALL = List.of(
            new Suite("TLS_AES_128_GCM_SHA256", "any"),
            new Suite("TLS_AES_256_GCM_SHA384", "any"),
            new Suite("TLS_CHACHA20_POLY1305_SHA256", "any"),
            new Suite("TLS_AES_128_CCM_SHA256", "any"),
            new Suite("TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256", "ecdhe-ecdsa"),
            new Suite("TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384", "ecdhe-ecdsa"),
            new Suite("TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256", "ecdhe-ecdsa"),
            new Suite("TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA", "ecdhe-ecdsa"),
            new Suite("TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA", "ecdhe-ecdsa"),
            new Suite("TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256", "ecdhe-ecdsa"),
            new Suite("TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA384", "ecdhe-ecdsa"),
            new Suite("TLS_ECDHE_ECDSA_WITH_3DES_EDE_CBC_SHA", "ecdhe-ecdsa"),
            new Suite("TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256", "ecdhe-rsa"),
            new Suite("TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384", "ecdhe-rsa"),
            new Suite("TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256", "ecdhe-rsa"),
            new Suite("TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA", "ecdhe-rsa"),
            new Suite("TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA", "ecdhe-rsa"),
            new Suite("TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA256", "ecdhe-rsa"),
            new Suite("TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA384", "ecdhe-rsa"),
            new Suite("TLS_ECDHE_RSA_WITH_3DES_EDE_CBC_SHA", "ecdhe-rsa"),
            new Suite("TLS_DHE_RSA_WITH_AES_128_GCM_SHA256", "dhe-rsa"),
            new Suite("TLS_DHE_RSA_WITH_AES_256_GCM_SHA384", "dhe-rsa"),
            new Suite("TLS_DHE_RSA_WITH_CHACHA20_POLY1305_SHA256", "dhe-rsa"),
            new Suite("TLS_DHE_RSA_WITH_AES_128_CBC_SHA", "dhe-rsa"),
            new Suite("TLS_DHE_RSA_WITH_AES_256_CBC_SHA", "dhe-rsa"),
            new Suite("TLS_DHE_RSA_WITH_AES_128_CBC_SHA256", "dhe-rsa"),
            new Suite("TLS_DHE_RSA_WITH_AES_256_CBC_SHA256", "dhe-rsa"),
            new Suite("TLS_DHE_RSA_WITH_3DES_EDE_CBC_SHA", "dhe-rsa"),
            new Suite("TLS_RSA_WITH_AES_128_GCM_SHA256", "rsa"),
            new Suite("TLS_RSA_WITH_AES_256_GCM_SHA384", "rsa"),
            new Suite("TLS_RSA_WITH_AES_128_CBC_SHA", "rsa"),
            new Suite("TLS_RSA_WITH_AES_256_CBC_SHA", "rsa"),
            new Suite("TLS_RSA_WITH_AES_128_CBC_SHA256", "rsa"),
            new Suite("TLS_RSA_WITH_AES_256_CBC_SHA256", "rsa"),
            new Suite("TLS_RSA_WITH_3DES_EDE_CBC_SHA", "rsa"),
            new Suite("TLS_RSA_WITH_RC4_128_MD5", "rsa"),
            new Suite("TLS_RSA_WITH_RC4_128_SHA", "rsa"),
            new Suite("TLS_RSA_WITH_NULL_MD5", "rsa"),
            new Suite("TLS_RSA_WITH_NULL_SHA256", "rsa"));

    static Suite named(String name) throws JobError {
        return ALL.stream().filter(suite -> suite.name.equals(name)).findFirst().orElseThrow(
                () -> JobError.unsupported("this worker does not know the cipher suite '" + name + "'"));
    }

    /** The IANA name of what JSSE names: suites older than TLS have kept their prefix there. */
    static String iana(String jsse) {
        return jsse.startsWith("SSL_") ? "TLS_" + jsse.substring(4) : jsse;
    }

    /** What JSSE calls the suite, if it has it. */
    String jsse(String[] supported) throws JobError {
        for (String one : supported) {
            if (iana(one).equals(name)) {
                return one;
            }
        }
        throw JobError.unsupported("JSSE has no " + name);
    }

    String version() {
        return authentication.equals("any") ? "TLSv1.3" : "TLSv1.2";
    }

    boolean fits(String key) {
        boolean rsa = key.startsWith("rsa-");
        return switch (authentication) {
            case "any" -> true;
            case "ecdhe-ecdsa" -> !rsa && !key.startsWith("ml-dsa-");
            default -> rsa;
        };
    }
}

package tlstax.worker;

import java.util.List;
import java.util.Map;

/**
 * What the two sides of a connection have to negotiate, and the words for it.
 *
 * @param version TLSv1.2 or TLSv1.3
 * @param suite the cipher suite
 * @param group the key exchange group; null with RSA key transport
 * @param key the key in the server's certificate
 */
record Params(String version, Suite suite, String group, String key) {
    static final List<String> VERSIONS = List.of("TLSv1.2", "TLSv1.3");
    static final List<String> GROUPS = List.of("X25519", "secp256r1", "secp384r1", "secp521r1", "X25519MLKEM768",
            "SecP256r1MLKEM768", "SecP384r1MLKEM1024", "ffdhe2048", "ffdhe3072");
    static final List<String> KEYS = List.of("rsa-2048", "rsa-3072", "rsa-4096", "ecdsa-p256", "ecdsa-p384",
            "ed25519", "ml-dsa-44", "ml-dsa-65", "ml-dsa-87");
    static final List<String> RESUMPTIONS = List.of("full", "session-id", "ticket", "psk", "early-data");

    static Params of(Map<String, Object> request) throws JobError {
        String group = (String) request.get("group");
        return new Params(word(request, "version", VERSIONS), Suite.named(text(request, "suite")),
                group == null ? null : word(request, "group", GROUPS), word(request, "key", KEYS));
    }

    /** A field that must be there. */
    static String text(Map<String, Object> request, String field) throws JobError {
        if (request.get(field) instanceof String text) {
            return text;
        }
        throw missing(request, field);
    }

    /** A field that must be there and be one of these; another word is of a newer vocabulary. */
    static String word(Map<String, Object> request, String field, List<String> known) throws JobError {
        String word = text(request, field);
        if (!known.contains(word)) {
            throw JobError.unsupported("this worker does not know the " + field + " '" + word + "'");
        }
        return word;
    }

    static long number(Map<String, Object> request, String field) throws JobError {
        if (request.get(field) instanceof Long number && number >= 0) {
            return number;
        }
        throw missing(request, field);
    }

    /** The bytes that a load's server adds to the head of a response; 0 where the field is absent. */
    static int padding(Map<String, Object> request) {
        return request.get("response_headers") instanceof Long bytes ? Math.toIntExact(bytes) : 0;
    }

    private static JobError missing(Map<String, Object> request, String field) {
        return JobError.failed("prepare", "a " + request.get("kind") + " case needs the field '" + field + "'");
    }

    boolean isTls13() {
        return version.equals("TLSv1.3");
    }

    /** Whether version, suite, group and key can occur together at all. */
    boolean isCoherent() {
        return suite.version().equals(version) && groupFits() && suite.fits(key);
    }

    private boolean groupFits() {
        if (suite.authentication().equals("rsa") || group == null) {
            return suite.authentication().equals("rsa") && group == null;
        }
        boolean finiteField = group.startsWith("ffdhe");
        return switch (suite.authentication()) {
            case "any" -> true;
            case "dhe-rsa" -> finiteField;
            default -> !finiteField && !group.contains("MLKEM");
        };
    }

    /** Whether the kind of resumption exists in the version. */
    static boolean fits(String resumption, String version) {
        return switch (resumption) {
            case "full" -> true;
            case "psk", "early-data" -> version.equals("TLSv1.3");
            default -> version.equals("TLSv1.2");
        };
    }

    /** What nobody can negotiate is not offered to the library. */
    void check(String resumption) throws JobError {
        if (!isCoherent()) {
            throw JobError.unsupported("TLS has no " + version + " with " + suite.name() + ", "
                    + (group == null ? "no group" : group) + " and a key of " + key);
        }
        if (!fits(resumption, version)) {
            throw JobError.unsupported(version + " has no resumption of the kind " + resumption);
        }
    }

    @Override
    public String toString() {
        return version + " " + suite.name() + " " + (group == null ? "no group" : group) + " " + key;
    }
}

package tlstax.worker;

import java.lang.reflect.Method;
import java.security.AlgorithmConstraints;
import java.security.AlgorithmParameters;
import java.security.CryptoPrimitive;
import java.security.Key;
import java.util.Locale;
import java.util.Set;
import javax.net.ssl.SSLParameters;

/**
 * Lets an engine use one key exchange group and no other. JDK 20 and later have a setting for it. Before, the groups
 * can only be chosen for the whole process, but each engine asks its constraints about each group.
 *
 * The same question, word for word, is asked about the curve of an ECDSA signature, right after those about the
 * signature itself: that one is no key exchange and is allowed.
 */
final class OneGroup implements AlgorithmConstraints {
    private static final Method SET_NAMED_GROUPS = setNamedGroups();

    private final String group;
    private final String alsoAllowed;
    private boolean askedAboutEcdsa;

    private OneGroup(String group, String alsoAllowed) {
        this.group = group;
        this.alsoAllowed = alsoAllowed;
    }

    /** How groups are chosen, for people. */
    static String how() {
        return SET_NAMED_GROUPS == null ? "SSLParameters.setAlgorithmConstraints" : "SSLParameters.setNamedGroups";
    }

    /** The JDK that mends JDK-8328046. */
    private static final int KEEPS_LEADING_ZEROS = 26;

    /** Refuses at both ends of a load what JSSE does right with itself alone. */
    static void checkLoad(Params params) throws JobError {
        if (params.isTls13() && isFiniteField(params) && Runtime.version().feature() < KEEPS_LEADING_ZEROS) {
            throw JobError.unsupported("in TLS 1.3 JSSE before JDK " + KEEPS_LEADING_ZEROS + " drops the leading zeros of a "
                    + "secret in a finite field (JDK-8328046): one handshake in 256 with another library fails");
        }
    }

    /** Refuses at the server's end of a load what not every client lets it choose. */
    static void checkServer(Params params) throws JobError {
        if (!params.isTls13() && isFiniteField(params) && !params.group().equals("ffdhe2048")) {
            throw JobError.unsupported("in TLS 1.2 JSSE's server takes ffdhe2048 for a client that offers no finite field, "
                    + "as most do, and cannot be told to take " + params.group());
        }
        String curve = certificateCurve(params);
        boolean mayComeLater = params.group() != null && params.group().startsWith("secp") && !params.group().equals(curve);
        if (SET_NAMED_GROUPS == null && !curve.isEmpty() && mayComeLater) {
            throw JobError.unsupported("in TLS 1.2 JSSE's server before JDK 20 cannot be kept from the curve of its certificate, "
                    + curve + ", where a client names it before " + params.group());
        }
    }

    private static boolean isFiniteField(Params params) {
        return params.group() != null && params.group().startsWith("ffdhe");
    }

    /** Settles the group; a group of null leaves none, and nothing needs one then. */
    static void apply(SSLParameters parameters, Params params, boolean server) {
        String group = params.group() == null ? "" : params.group().toLowerCase(Locale.ROOT);
        String curve = server ? "" : certificateCurve(params);
        if (SET_NAMED_GROUPS == null) {
            parameters.setAlgorithmConstraints(new OneGroup(group, curve));
            return;
        }
        String[] groups = params.group() == null ? new String[0] : new String[] {params.group()};
        if (!curve.isEmpty() && !curve.equals(group)) {
            groups = new String[] {params.group(), curve};
        }
        try {
            SET_NAMED_GROUPS.invoke(parameters, (Object) groups);
        } catch (ReflectiveOperationException error) {
            throw new IllegalStateException("SSLParameters.setNamedGroups", error);
        }
    }

    /** Before TLS 1.3 the client's groups are also the curves on which a certificate may be (RFC 8422 5.1). */
    private static String certificateCurve(Params params) {
        if (params.isTls13() || !params.key().startsWith("ecdsa-")) {
            return "";
        }
        return params.key().equals("ecdsa-p256") ? "secp256r1" : "secp384r1";
    }

    private static Method setNamedGroups() {
        try {
            return SSLParameters.class.getMethod("setNamedGroups", String[].class);
        } catch (NoSuchMethodException absent) {
            return null;
        }
    }

    @Override
    public boolean permits(Set<CryptoPrimitive> primitives, String algorithm, AlgorithmParameters parameters) {
        if (primitives.contains(CryptoPrimitive.SIGNATURE)) {
            askedAboutEcdsa = algorithm.endsWith("withECDSA");
            return true;
        }
        boolean afterEcdsa = askedAboutEcdsa;
        askedAboutEcdsa = false;
        if (afterEcdsa || !primitives.contains(CryptoPrimitive.KEY_AGREEMENT) || !isGroup(algorithm)) {
            return true;
        }
        return algorithm.equals(group) || algorithm.equals(alsoAllowed);
    }

    private static boolean isGroup(String algorithm) {
        return algorithm.startsWith("secp") || algorithm.startsWith("sect") || algorithm.startsWith("ffdhe")
                || algorithm.startsWith("x25519") || algorithm.startsWith("x448");
    }

    @Override
    public boolean permits(Set<CryptoPrimitive> primitives, Key key) {
        return true;
    }

    @Override
    public boolean permits(Set<CryptoPrimitive> primitives, String algorithm, Key key,
            AlgorithmParameters parameters) {
        return true;
    }
}

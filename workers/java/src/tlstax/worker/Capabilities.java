package tlstax.worker;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** What the library can do, found by doing each thing once. */
final class Capabilities {
    private static Capabilities found;

    final List<String> primitives = new ArrayList<>();
    final List<String> versions;
    final List<String> suites;
    final List<String> groups;
    final List<String> keys;
    final List<String> resumptions;

    private Capabilities(Pki pki) {
        List<Suite> working = those(Suite.ALL, suite -> works(usual(suite), "full", pki));
        suites = working.stream().map(Suite::name).toList();
        versions = working.stream().map(Suite::version).distinct().toList();
        Suite tls13 = Suite.ALL.get(0);
        groups = those(Params.GROUPS, group -> works(new Params("TLSv1.3", tls13, group, "ecdsa-p256"), "full", pki));
        keys = those(Params.KEYS, key -> works(new Params("TLSv1.3", tls13, "X25519", key), "full", pki));
        resumptions = those(Params.RESUMPTIONS, kind -> resumes(kind, pki));
        for (Algorithms.Algorithm algorithm : Algorithms.ALL) {
            for (String operation : algorithm.operations()) {
                if (computes(algorithm, operation, pki)) {
                    primitives.add(algorithm.name() + ":" + operation);
                }
            }
        }
    }

    private static <T> List<T> those(List<T> all, Predicate<T> works) {
        return all.stream().filter(works).toList();
    }

    /** What was found; the first call looks. */
    static synchronized Capabilities of(Pki pki) {
        if (found == null) {
            found = new Capabilities(pki);
        }
        return found;
    }

    /** Refuses what nobody can negotiate, and what JSSE cannot. */
    static void check(Endpoint endpoint) throws JobError {
        Params params = endpoint.params();
        params.check(endpoint.resumption());
        if (endpoint.resumption().equals("early-data")) {
            throw JobError.unsupported("JSSE has no early data");
        }
        Capabilities have = found;
        if (have == null) {
            return;
        }
        need(have.suites, "cipher suite", params.suite().name());
        need(have.keys, "certificate key", params.key());
        need(have.resumptions, "resumption", endpoint.resumption());
        if (params.group() != null) {
            need(have.groups, "group", params.group());
        }
    }

    private static void need(List<String> have, String what, String name) throws JobError {
        if (!have.contains(name)) {
            throw JobError.unsupported("JSSE of JDK " + Runtime.version().feature() + " has no " + what + " " + name);
        }
    }

    /** The usual group and key for a suite. */
    static Params usual(Suite suite) {
        boolean any = suite.fits("ecdsa-p256");
        String group = switch (suite.authentication()) {
            case "rsa" -> null;
            case "dhe-rsa" -> "ffdhe2048";
            default -> "X25519";
        };
        return new Params(suite.version(), suite, group, any ? "ecdsa-p256" : "rsa-2048");
    }

    private static boolean resumes(String resumption, Pki pki) {
        Suite suite = Suite.ALL.get(Params.fits(resumption, "TLSv1.3") ? 0 : 4);
        return works(usual(suite), resumption, pki);
    }

    private static boolean works(Params params, String resumption, Pki pki) {
        try {
            Pair.Ends ends = Pair.Ends.of(Endpoint.usual(params, pki).with(resumption));
            ends.prime(1);
            Pair.connect(ends, new Wire(), new Laps(1)).proof().check(params, resumption);
            return true;
        } catch (JobError absent) {
            return false;
        }
    }

    private static boolean computes(Algorithms.Algorithm algorithm, String operation, Pki pki) {
        try {
            Primitives.checkKnownAnswers(algorithm, operation, pki);
            return true;
        } catch (JobError absent) {
            // A wrong answer is still claimed: the known answers will fail it in the open.
            return !absent.isUnsupported();
        }
    }
}

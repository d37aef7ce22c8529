package tlstax.worker;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** The suite that the worker passes before anything of it is timed: it does what it claims, and fails where it must. */
final class Conformance {
    final Pki pki;
    final Capabilities have;
    private final PrintStream output;
    private int passed;
    private int failed;
    private int skipped;

    /** A check; what it throws as unsupported is a hole in the matrix, and skipped. */
    interface Check {
        void act() throws Exception;
    }

    private Conformance(Pki pki, PrintStream output) {
        this.pki = pki;
        this.output = output;
        have = Capabilities.of(pki);
    }

    /** Runs every check that the claims call for; whether none failed. */
    static boolean run(Pki pki, PrintStream output) {
        output.println(Desk.version() + " (java)");
        Conformance suite = new Conformance(pki, output);
        suite.check("claims", suite::claims);
        ConformancePrimitives.check(suite);
        ConformanceHandshakes.check(suite);
        ConformanceConnections.check(suite);
        ConformanceLoads.check(suite);
        output.println(suite.passed + " passed, " + suite.failed + " failed, " + suite.skipped + " skipped");
        return suite.failed == 0;
    }

    void check(String name, Check act) {
        try {
            act.act();
            passed++;
            output.println("ok    " + name);
        } catch (JobError error) {
            if (error.isUnsupported()) {
                skipped++;
                output.println("skip  " + name + ": " + error.getMessage());
            } else {
                fail(name, error.stage + ": " + error.getMessage());
            }
        } catch (Exception | StackOverflowError error) {
            fail(name, JobError.describe(error));
        }
    }

    private void fail(String name, String why) {
        failed++;
        output.println("FAIL  " + name + ": " + why);
    }

    static JobError miss(String message) {
        return JobError.failed("proof", message);
    }

    /** Whether the library says who it is, in words of our vocabulary. */
    private void claims() throws JobError {
        known(Params.VERSIONS, have.versions);
        known(Suite.ALL.stream().map(Suite::name).toList(), have.suites);
        known(Params.GROUPS, have.groups);
        known(Params.KEYS, have.keys);
        known(Params.RESUMPTIONS, have.resumptions);
        if (have.versions.isEmpty() || have.primitives.isEmpty()) {
            throw miss("the library claims nothing");
        }
    }

    private static void known(Collection<String> vocabulary, Collection<String> claimed) throws JobError {
        for (String name : claimed) {
            if (!vocabulary.contains(name)) {
                throw miss("claims '" + name + "', which is no word of the vocabulary");
            }
        }
    }

    /** Every coherent combination of what is claimed. */
    List<Params> every() {
        List<String> groups = new ArrayList<>(have.groups);
        groups.add(null);
        List<Params> all = new ArrayList<>();
        for (Suite suite : Suite.ALL) {
            if (!have.suites.contains(suite.name())) {
                continue;
            }
            for (String group : groups) {
                for (String key : have.keys) {
                    Params params = new Params(suite.version(), suite, group, key);
                    if (params.isCoherent()) {
                        all.add(params);
                    }
                }
            }
        }
        return all;
    }

    /** The combination that most servers use. */
    Params usual(String version) {
        Suite suite = Suite.ALL.get(version.equals("TLSv1.3") ? 0 : 9);
        return new Params(version, suite, "X25519", "rsa-2048");
    }

    /** The kinds of resumption that a version has. */
    List<String> kinds(String version) {
        return have.resumptions.stream().filter(kind -> Params.fits(kind, version)).toList();
    }
}

package tlstax.worker;

import java.util.Map;
import java.util.Objects;

/** What really happened, as the library says or the wire shows, to be held against the case. */
final class Proof {
    String version;
    String suite;
    String group;
    String key;
    long resumed;
    long handshakes;
    long early;
    long clientBytes;
    long serverBytes;
    Integer roundTrips;
    String answer;

    void write(Map<String, Object> answerTo) {
        answerTo.put("version", version);
        answerTo.put("suite", suite);
        answerTo.put("group", group);
        answerTo.put("key", key);
        answerTo.put("resumed", resumed);
        answerTo.put("handshakes", handshakes);
        answerTo.put("early", early);
        answerTo.put("client_bytes", clientBytes);
        answerTo.put("server_bytes", serverBytes);
        answerTo.put("round_trips", roundTrips);
        answerTo.put("answer", answer);
    }

    /** Takes one more proof of the same kind: counts add up, the rest is that of the last one. */
    Proof followedBy(Proof last) throws JobError {
        boolean alike = Objects.equals(version, last.version) && Objects.equals(suite, last.suite)
                && Objects.equals(group, last.group);
        if (!alike) {
            throw JobError.failed("proof", "one handshake negotiated something else than those before: "
                    + last.negotiated() + " after " + negotiated());
        }
        last.resumed += resumed;
        last.handshakes += handshakes;
        last.early += early;
        return last;
    }

    /** Holds it against what a case wants of its connections. */
    void check(Params params, String resumption) throws JobError {
        boolean full = resumption.equals("full");
        same("version", params.version(), version);
        same("suite", params.suite().name(), suite);
        if (full || params.isTls13()) {
            same("group", params.group(), group);
        }
        if (full || key != null) {
            same("certificate key", params.key(), key);
        }
        if (resumed != (full ? 0 : handshakes)) {
            throw JobError.failed("proof", resumed + " of " + handshakes + " handshakes were resumed, the case wants "
                    + (full ? "none" : "all"));
        }
    }

    private static void same(String what, String asked, String got) throws JobError {
        if (!Objects.equals(asked, got)) {
            throw JobError.failed("proof", "asked for " + what + " " + asked + ", the library negotiated " + got);
        }
    }

    private String negotiated() {
        return version + " " + suite + " " + group;
    }
}

package tlstax.worker;

import java.util.List;
import java.util.Map;
import java.util.Objects;

/** What really happened, as the library says or the wire shows, to be held against the case. */
final class Proof {
    /** Null where no connection was made; the certificate's key is below. */
    Negotiated negotiated;
    String key;
    long resumed;
    long handshakes;
    long clientBytes;
    long serverBytes;
    Integer roundTrips;
    /** Bytes of each flight of one handshake, the client's first; null where the bytes are not those of a handshake. */
    List<Long> flights;
    String answer;

    void write(Map<String, Object> answerTo) {
        if (negotiated != null) {
            answerTo.put("version", negotiated.version());
            answerTo.put("suite", negotiated.suite());
            answerTo.put("group", negotiated.group());
        }
        answerTo.put("key", key);
        answerTo.put("resumed", resumed);
        answerTo.put("handshakes", handshakes);
        // There is no early data here.
        answerTo.put("early", 0);
        answerTo.put("client_bytes", clientBytes);
        answerTo.put("server_bytes", serverBytes);
        answerTo.put("round_trips", roundTrips);
        if (flights != null) {
            answerTo.put("flights", flights);
        }
        answerTo.put("answer", answer);
    }

    /** Takes one more proof of the same kind: counts add up, the rest is that of the last one. */
    Proof followedBy(Proof last) throws JobError {
        if (handshakes == 0) {
            return last;
        }
        if (!negotiated.isLike(last.negotiated)) {
            throw JobError.failed("proof", "one handshake negotiated something else than those before: "
                    + last.told() + " after " + told());
        }
        last.resumed += resumed;
        last.handshakes += handshakes;
        return last;
    }

    /** Holds it against what a case wants of its connections. */
    void check(Params params, String resumption) throws JobError {
        boolean full = resumption.equals("full");
        same("version", params.version(), negotiated.version());
        same("suite", params.suite().name(), negotiated.suite());
        if (full || params.isTls13()) {
            same("group", params.group(), negotiated.group());
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

    private String told() {
        return negotiated.version() + " " + negotiated.suite() + " " + negotiated.group();
    }
}

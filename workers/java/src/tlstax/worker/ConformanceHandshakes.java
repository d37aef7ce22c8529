package tlstax.worker;

import java.util.List;

/** Whether every claimed combination of version, suite, group, key and resumption is negotiated, and nothing else. */
final class ConformanceHandshakes {
    /** Connections that are made at the same time: a client must keep as many sessions. */
    private static final int AT_ONCE = 32;

    private final Conformance checks;
    private final Pki pki;

    private ConformanceHandshakes(Conformance checks) {
        this.checks = checks;
        pki = checks.pki;
    }

    static void check(Conformance checks) {
        ConformanceHandshakes handshakes = new ConformanceHandshakes(checks);
        for (Params params : checks.every()) {
            for (String kind : checks.kinds(params.version())) {
                Endpoint endpoint = Endpoint.usual(params, checks.pki).with(kind);
                checks.check(name(endpoint), () -> negotiates(endpoint, 1));
            }
        }
        for (String version : checks.have.versions) {
            for (String key : checks.have.keys) {
                checks.every().stream().filter(one -> one.version().equals(version) && one.key().equals(key))
                        .findFirst().ifPresent(handshakes::certificates);
            }
            Params usual = checks.usual(version);
            for (String kind : checks.kinds(version)) {
                handshakes.atOnce(Endpoint.usual(usual, checks.pki).with(kind));
            }
            handshakes.contexts(usual);
            handshakes.refusals(usual);
        }
        checks.check("session id and ticket differ", handshakes::ticketsAreSent);
    }

    private static String name(Endpoint endpoint) {
        return "handshake " + endpoint.params() + " chain-" + endpoint.chain() + " " + endpoint.resumption()
                + (endpoint.mutual() ? " mutual" : "");
    }

    private static void negotiates(Endpoint endpoint, int threads) throws JobError {
        HandshakeJob job = HandshakeJob.prepare(endpoint, "shared", threads);
        job.run(2, 0).proof().check(endpoint.params(), endpoint.resumption());
    }

    private Endpoint with(Params params, int chain, boolean mutual) {
        return new Endpoint(params, chain, "full", mutual, Endpoint.LARGEST_RECORD, pki);
    }

    /** Chains of every length, and a client with a certificate; a longer flight must take more bytes. */
    private void certificates(Params params) {
        for (int chain = 2; chain <= 3; chain++) {
            Endpoint shorter = with(params, chain - 1, false);
            Endpoint longer = with(params, chain, false);
            checks.check(name(longer), () -> {
                if (proof(longer).serverBytes < proof(shorter).serverBytes + 200) {
                    throw Conformance.miss("one certificate more does not make the server's flight longer");
                }
                negotiates(longer, 1);
            });
        }
        Endpoint mutual = with(params, 1, true);
        checks.check(name(mutual), () -> {
            if (proof(mutual).clientBytes < proof(with(params, 1, false)).clientBytes + 200) {
                throw Conformance.miss("a certificate of the client does not make its flight longer");
            }
            negotiates(mutual, 1);
        });
    }

    private static Proof proof(Endpoint endpoint) throws JobError {
        return HandshakeJob.prepare(endpoint, "shared", 1).proof();
    }

    /** A ticket goes over the wire, a session id leaves the state with the server. */
    private void ticketsAreSent() throws JobError {
        Endpoint endpoint = Endpoint.usual(checks.usual("TLSv1.2"), pki);
        long id = proof(endpoint.with("session-id")).clientBytes;
        long ticket = proof(endpoint.with("ticket")).clientBytes;
        if (ticket < id + 64) {
            throw Conformance.miss("the client sends " + id + " bytes with a session id, " + ticket + " with a ticket");
        }
    }

    /** Two threads share both configurations; many connections share them at the same time. */
    private void atOnce(Endpoint endpoint) {
        checks.check(name(endpoint) + " 2 threads", () -> negotiates(endpoint, 2));
        checks.check(name(endpoint) + " " + AT_ONCE + " at once", () -> {
            Pair.Ends ends = Pair.Ends.of(endpoint);
            ends.prime(AT_ONCE);
            int wanted = endpoint.isFull() ? 0 : AT_ONCE;
            int resumed = ends.connectAtOnce(AT_ONCE);
            if (resumed != wanted) {
                throw Conformance.miss(resumed + " of " + AT_ONCE + " connections that began together were resumed");
            }
        });
        int wanted = endpoint.isFull() && !endpoint.params().isTls13() ? 2 : 1;
        checks.check("round trips " + endpoint.params().version() + " " + endpoint.resumption(), () -> {
            int counted = proof(endpoint).roundTrips;
            if (counted != wanted) {
                throw Conformance.miss(counted + " round trips were counted, there are " + wanted);
            }
        });
    }

    /** Contexts of each thread and of each connection. */
    private void contexts(Params params) {
        Endpoint endpoint = Endpoint.usual(params, pki);
        for (String contexts : List.of("per-thread", "per-connection")) {
            checks.check(name(endpoint) + " contexts " + contexts,
                    () -> HandshakeJob.prepare(endpoint, contexts, 2).run(2, 0).proof().check(params, "full"));
        }
    }

    /** What must not come to a connection. */
    private void refusals(Params params) {
        String version = params.version();
        Suite suite = params.suite();
        Suite other = Suite.ALL.get(params.isTls13() ? 1 : 10);
        String refused = "refused " + version + " ";
        checks.check(refused + "other suite",
                () -> isRefused(params, new Params(version, other, params.group(), params.key()), false));
        for (String group : List.of("secp256r1", "secp384r1")) {
            checks.check(refused + "other group " + group,
                    () -> isRefused(params, new Params(version, suite, group, params.key()), false));
        }
        checks.check(refused + "other root",
                () -> isRefused(params, new Params(version, suite, params.group(), "rsa-3072"), false));
        checks.check(refused + "client without certificate", () -> isRefused(params, params, true));
        checks.check(refused + "other version",
                () -> isRefused(params, checks.usual(params.isTls13() ? "TLSv1.2" : "TLSv1.3"), false));
    }

    private void isRefused(Params params, Params theirs, boolean mutual) throws JobError {
        Config client = new Config(false, Endpoint.usual(params, pki));
        Config server = new Config(true, with(theirs, 1, mutual));
        Pair pair;
        try {
            pair = Pair.connect(new Pair.Ends(client, server), new Wire(), new Laps(1));
        } catch (JobError right) {
            return;
        }
        throw Conformance.miss("it was accepted: " + pair.client.negotiated());
    }
}

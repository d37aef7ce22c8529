package tlstax.worker;

import java.util.HashMap;
import java.util.Map;

/** Whether both ends of a load do what they say in every batch: new connections, and those that are kept alive. */
final class ConformanceLoads {
    /** Connections that are kept alive outlast the first batch, so that the others make no handshake. */
    private static final int BATCHES = 3;
    private static final long REQUESTS = 50;
    private static final long BODY = 20_000;

    private ConformanceLoads() {
    }

    static void check(Conformance checks) {
        for (String version : checks.have.versions) {
            for (String kind : checks.kinds(version)) {
                for (long requests : new long[] {0, 1, 3}) {
                    Map<String, Object> load = load(checks.usual(version), kind, requests);
                    checks.check("load " + version + " " + kind + " " + requests + " requests on a connection",
                            () -> serves(load, checks.pki));
                }
            }
        }
    }

    private static Map<String, Object> load(Params params, String kind, long requests) {
        Map<String, Object> load = new HashMap<>(Map.of("kind", "load", "resumption", kind, "connections", 8L,
                "requests_per_connection", requests, "body", BODY, "work_us", 0L));
        load.putAll(Map.of("version", params.version(), "suite", params.suite().name(), "group", params.group(),
                "key", params.key()));
        return load;
    }

    /** The server is not warmed: nothing is timed. */
    private static void serves(Map<String, Object> load, Pki pki) throws JobError {
        LoadServer server = LoadServer.listen(load, 1, pki);
        try {
            LoadClient client = LoadClient.prepare(load, server.port(), pki);
            try {
                for (int i = 0; i < BATCHES; i++) {
                    batch(load, server, client, LoadServer.endpoint(load, pki));
                }
            } finally {
                client.release();
            }
        } finally {
            server.release();
        }
    }

    /** A batch must be proven by the client and counted alike by both ends. */
    private static void batch(Map<String, Object> load, LoadServer server, LoadClient client, Endpoint endpoint)
            throws JobError {
        Map<String, Object> before = server.usage(new HashMap<>());
        Proof proof = client.run(REQUESTS, 0).proof();
        Map<String, Object> after = server.usage(new HashMap<>());
        if (grown(before, after, "requests") != REQUESTS || grown(before, after, "bytes") != REQUESTS * BODY) {
            throw Conformance.miss(grown(before, after, "requests") + " requests were answered of " + REQUESTS);
        }
        long made = grown(before, after, "handshakes");
        long resumed = grown(before, after, "resumed");
        if (made != proof.handshakes || resumed != proof.resumed) {
            throw Conformance.miss("the client made " + proof.handshakes + " handshakes, the server " + made);
        }
        if (load.get("requests_per_connection").equals(0L) && made != 0) {
            throw Conformance.miss(made + " handshakes were made on connections that are kept alive");
        }
        proof.check(endpoint.params(), endpoint.resumption());
    }

    private static long grown(Map<String, Object> before, Map<String, Object> after, String field) {
        return (Long) after.get(field) - (Long) before.get(field);
    }
}

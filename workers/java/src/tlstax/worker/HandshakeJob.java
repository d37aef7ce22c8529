package tlstax.worker;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Handshakes in memory: client and server take turns in one thread, and each turn is timed on its own. Making and
 * dropping a connection is part of its side's cost, and so is its context where each has its own; reading the proof is
 * nobody's.
 */
final class HandshakeJob extends Job {
    /** Handshakes before the first that counts: of so many readings of proofs, one is not interrupted. */
    private static final int TRIAL = 3;

    private static final List<String> CONTEXTS = List.of("shared", "per-thread", "per-connection");

    private final Endpoint endpoint;
    private final int threads;
    /** One for all threads, or one for each; empty if each handshake makes its own. */
    private final List<Pair.Ends> kept = new ArrayList<>();
    private long shortestPause = Long.MAX_VALUE;

    private HandshakeJob(Endpoint endpoint, String contexts, int threads) throws JobError {
        this.endpoint = endpoint;
        this.threads = threads;
        boolean perConnection = contexts.equals("per-connection");
        Capabilities.check(endpoint);
        if (perConnection && !endpoint.isFull()) {
            throw JobError.unsupported("a session is resumed in the context that made it; a context for each "
                    + "connection makes none");
        }
        int count = perConnection ? 0 : contexts.equals("shared") ? 1 : threads;
        for (int i = 0; i < count; i++) {
            Pair.Ends ends = Pair.Ends.of(endpoint);
            ends.prime(count == 1 ? threads : 1);
            kept.add(ends);
        }
    }

    /** Configures both ends, gets the sessions that will be resumed, and tries one handshake. */
    static HandshakeJob prepare(Map<String, Object> request, int threads, Pki pki) throws JobError {
        Params params = Params.of(request);
        String resumption = Params.word(request, "resumption", Params.RESUMPTIONS);
        String contexts = request.containsKey("contexts") ? Params.word(request, "contexts", CONTEXTS) : "shared";
        boolean mutual = Boolean.TRUE.equals(request.get("mutual"));
        Endpoint endpoint = new Endpoint(params, Params.number(request, "chain"), resumption, mutual,
                Endpoint.LARGEST_RECORD, pki);
        HandshakeJob job = new HandshakeJob(endpoint, contexts, threads);
        job.run(new Amount(TRIAL));
        job.proof = job.run(new Amount(1)).proof();
        job.proof.check(endpoint.params(), endpoint.resumption());
        return job;
    }

    private record Share(Laps laps, Proof proof) { }

    @Override
    Batch run(Amount amount) throws JobError {
        long untimed = Math.max(amount.warmup(), threads > 1 ? 1 : 0);
        List<Share> shares = Threads.together(threads, index -> {
            shakeAll(index, new Amount(untimed));
            return index;
        }, index -> shakeAll(index, amount));
        Proof all = new Proof();
        for (Share share : shares) {
            shortestPause = Math.min(shortestPause, share.laps.shortestPause);
            all = all.followedBy(share.proof);
        }
        List<Laps> laps = shares.stream().map(Share::laps).toList();
        return new Batch(Sample.of(laps, amount.iterations(), 0, shortestPause).withSides(laps), all);
    }

    private Share shakeAll(int index, Amount amount) throws JobError {
        Wire wire = new Wire();
        Pair.Ends ends = kept.isEmpty() ? null : kept.get(Math.min(index, kept.size() - 1));
        Proof all = new Proof();
        Laps laps = new Laps(threads, amount);
        for (long i = 0; i < amount.iterations(); i++) {
            all = all.followedBy(shake(ends, wire, laps));
        }
        return new Share(laps.finish(), all);
    }

    /** One handshake, from making both ends to dropping them. */
    private Proof shake(Pair.Ends shared, Wire wire, Laps laps) throws JobError {
        wire.reset();
        Pair.Ends ends = shared == null ? Pair.Ends.timed(endpoint, laps) : shared;
        Pair pair = Pair.connect(ends, wire, laps);
        Proof one = pair.proof();
        laps.pause();
        pair.client.drop();
        laps.of(false);
        pair.server.drop();
        laps.of(true);
        laps.iterated();
        return one;
    }
}

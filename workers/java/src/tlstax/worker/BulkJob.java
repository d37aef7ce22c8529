package tlstax.worker;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Application data in memory: one side writes a buffer, then the other reads it, and each is timed on its own. */
final class BulkJob extends Job {
    /** The smallest record size that the max_fragment_length extension has (RFC 6066 4). */
    private static final int SMALLEST_RECORD = 512;

    private static final List<String> DIRECTIONS = List.of("download", "upload");

    /** What is sent: which way, in pieces of so many bytes, so many before they are read. */
    record Shape(boolean download, int write, int buffer) { }

    private final Shape shape;
    private final Pair.Ends ends;
    private final int threads;
    /** With one thread, the connection of all batches; several threads make their own in each batch. */
    private final Line line;

    private BulkJob(Endpoint endpoint, Shape shape, int threads) throws JobError {
        int record = endpoint.record();
        if (shape.write == 0 || shape.buffer == 0 || record < SMALLEST_RECORD || record > Endpoint.LARGEST_RECORD) {
            throw JobError.failed("prepare", "records must be " + SMALLEST_RECORD + " to " + Endpoint.LARGEST_RECORD
                    + " bytes, write and buffer at least 1");
        }
        this.shape = shape;
        this.threads = threads;
        ends = Pair.Ends.of(endpoint);
        Line first = new Line(ends, shape, threads);
        first.compareContents();
        proof = first.run(new Amount(1)).proof;
        proof.check(endpoint.params(), "full");
        line = threads == 1 ? first : null;
    }

    /** Establishes the connection and sends one buffer, whose contents are compared. */
    static BulkJob prepare(Map<String, Object> request, int threads, Pki pki) throws JobError {
        Params params = Params.of(request);
        boolean download = Params.word(request, "direction", DIRECTIONS).equals("download");
        int record = Math.toIntExact(Params.number(request, "record"));
        Shape shape = new Shape(download, Math.toIntExact(Params.number(request, "write")),
                Math.toIntExact(Params.number(request, "buffer")));
        return new BulkJob(Endpoint.usual(params, pki).withRecord(record), shape, threads);
    }

    private record Share(Laps laps, Proof proof) { }

    @Override
    Batch run(Amount amount) throws JobError {
        List<Share> shares = Threads.together(threads, index -> {
            Line own = line == null ? new Line(ends, shape, threads) : line;
            own.run(new Amount(line == null ? Math.max(1, amount.warmup()) : amount.warmup()));
            return own;
        }, own -> own.run(amount));
        Proof negotiated = shares.get(0).proof;
        // The handshake was before the batch, and the trial has counted it.
        negotiated.handshakes = 0;
        negotiated.resumed = 0;
        List<Laps> laps = shares.stream().map(Share::laps).toList();
        return new Batch(Sample.of(laps, amount.iterations(), shape.buffer, 0).withSides(laps), negotiated);
    }

    /** A connection, and what goes through it. */
    private static final class Line {
        private final Shape shape;
        private final int threads;
        private final Wire wire = new Wire();
        private final Pair pair;
        private final byte[] payload;
        /** The plaintext of one record, as the usual servers and clients have it. */
        private final byte[] received = new byte[Endpoint.LARGEST_RECORD];

        Line(Pair.Ends ends, Shape shape, int threads) throws JobError {
            this.shape = shape;
            this.threads = threads;
            pair = Pair.connect(ends, wire, new Laps(1));
            payload = new byte[shape.buffer];
            for (int i = 0; i < payload.length; i++) {
                // Compresses to nothing and looks like nothing: 251 is the largest prime below 256.
                payload[i] = (byte) (i % 251);
            }
        }

        Share run(Amount amount) throws JobError {
            long toServer = wire.toServer.total;
            long toClient = wire.toClient.total;
            Laps laps = new Laps(threads, amount);
            for (long i = 0; i < amount.iterations(); i++) {
                send(pair.end(shape.download));
                laps.of(shape.download);
                receive(pair.end(!shape.download));
                laps.of(!shape.download);
                laps.iterated();
            }
            laps.finish();
            long buffers = Math.max(1, amount.iterations());
            long clientBytes = (wire.toServer.total - toServer) / buffers;
            long serverBytes = (wire.toClient.total - toClient) / buffers;
            Proof proof = pair.proof();
            proof.clientBytes = clientBytes;
            proof.serverBytes = serverBytes;
            proof.roundTrips = null;
            proof.flights = null;
            return new Share(laps, proof);
        }

        private void send(Connection sender) throws JobError {
            try {
                for (int at = 0; at < payload.length;) {
                    int end = Math.min(payload.length, at + shape.write);
                    while (at < end) {
                        int written = sender.write(payload, at, end - at);
                        if (written <= 0) {
                            throw JobError.failed("run", "the sender accepts no bytes though the pipe takes all");
                        }
                        at += written;
                    }
                }
            } catch (IOException error) {
                throw JobError.failed("run", "writing application data", error);
            }
        }

        private void receive(Connection receiver) throws JobError {
            int count = 0;
            while (count < payload.length) {
                count += read(receiver);
            }
            if (count > payload.length) {
                throw JobError.failed("proof", count + " bytes arrived of " + payload.length + " that were sent");
            }
        }

        private int read(Connection receiver) throws JobError {
            try {
                int count = receiver.read(received);
                if (count <= 0) {
                    throw JobError.failed("proof", count == 0 ? "the connection was closed in the middle of data"
                            : "fewer bytes arrived than were sent");
                }
                return count;
            } catch (IOException error) {
                throw JobError.failed("run", "reading application data", error);
            }
        }

        /** Sends one buffer and looks at every byte that arrives. */
        void compareContents() throws JobError {
            send(pair.end(shape.download));
            for (int at = 0; at < payload.length;) {
                int count = read(pair.end(!shape.download));
                if (!Arrays.equals(payload, at, Math.min(payload.length, at + count), received, 0, count)) {
                    throw JobError.failed("proof", "other bytes arrived than were sent, after byte " + at);
                }
                at += count;
            }
        }
    }
}

package tlstax.worker;

import java.io.EOFException;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** What the conformance suite cannot see over the bridge: how connections end, that damage is found, what stays behind. */
final class ConnectionTests {
    /** Connections that are made one after the other to see a leak. */
    private static final int MANY = 200;

    /** What the heap may grow by meanwhile, in bytes: far less than so many connections. */
    private static final long SLACK = 2 << 20;

    /** Header, explicit nonce or initialisation vector, MAC and padding of the largest suites stay below this. */
    private static final int EXPANSION = 256;

    private ConnectionTests() {
    }

    static void add(Map<String, Tests.Test> tests, String folder) throws JobError {
        Pki pki = new Pki(folder);
        for (Params params : List.of(
                new Params("TLSv1.2", Suite.named("TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256"), "X25519", "rsa-2048"),
                new Params("TLSv1.3", Suite.named("TLS_AES_128_GCM_SHA256"), "X25519", "rsa-2048"))) {
            Endpoint endpoint = Endpoint.usual(params, pki);
            for (boolean server : new boolean[] {false, true}) {
                String from = " " + params.version() + " from " + Pair.side(server);
                tests.put("close_notify" + from, () -> closeNotify(new Open(endpoint), server));
                tests.put("truncation" + from, () -> truncation(new Open(endpoint), server));
                tests.put("damaged record" + from, () -> damagedRecord(new Open(endpoint), server));
                tests.put("oversized record" + from, () -> oversizedRecord(new Open(endpoint), server));
                tests.put("record size" + from, () -> recordSize(new Open(endpoint.withRecord(1024)), server, 1024));
                tests.put("narrow transport" + from, () -> narrowTransport(endpoint, server));
            }
            tests.put("client without certificate " + params.version(), () -> refusesMissingCertificate(endpoint));
            for (String kind : Params.RESUMPTIONS) {
                if (Params.fits(kind, params.version()) && !kind.equals("early-data")) {
                    tests.put("memory of " + MANY + " connections " + params.version() + " " + kind,
                            () -> doesNotGrow(endpoint.with(kind)));
                }
            }
        }
    }

    /** The server wants a certificate, and the client has none. */
    private static void refusesMissingCertificate(Endpoint endpoint) throws JobError {
        Endpoint strict = new Endpoint(endpoint.params(), 1, "full", true, endpoint.record(), endpoint.pki());
        Pair.Ends ends = new Pair.Ends(new Config(false, endpoint), new Config(true, strict));
        try {
            Pair.connect(ends, new Wire(), new Laps(1));
        } catch (JobError right) {
            return;
        }
        throw new AssertionError("it was accepted");
    }

    /** An established connection and its wire. */
    private static final class Open {
        private final Wire wire = new Wire();
        private final Pair pair;

        Open(Endpoint endpoint) throws JobError {
            pair = Pair.connect(Pair.Ends.of(endpoint), wire, new Laps(1));
        }

        /** What reading at the other end than this gives: a number, or the exception. */
        Object read(boolean from, byte[] buffer) {
            try {
                return pair.end(!from).read(buffer);
            } catch (IOException error) {
                return error;
            }
        }
    }

    private static void closeNotify(Open open, boolean from) throws JobError, IOException {
        byte[] words = "last words".getBytes(StandardCharsets.US_ASCII);
        open.pair.end(from).write(words, 0, words.length);
        open.pair.end(from).close();
        byte[] buffer = new byte[64];
        Object first = open.read(from, buffer);
        if (!first.equals(words.length) || !Arrays.equals(buffer, 0, words.length, words, 0, words.length)) {
            throw new AssertionError("before the close_notify, reading gave " + first);
        }
        for (String time : List.of("once", "again")) {
            Object end = open.read(from, buffer);
            if (!end.equals(0)) {
                throw new AssertionError("reading " + time + " after a close_notify gave " + end);
            }
        }
    }

    private static void truncation(Open open, boolean from) throws JobError {
        open.wire.from(from).ended = true;
        Object end = open.read(from, new byte[64]);
        if (!(end instanceof EOFException)) {
            throw new AssertionError("the end of the transport without close_notify gave " + end);
        }
    }

    private static void damagedRecord(Open open, boolean from) throws JobError, IOException {
        open.pair.end(from).write(new byte[9], 0, 9);
        Wire.Queue queue = open.wire.from(from);
        queue.bytes[queue.written - 1] ^= 1;
        mustFail(open, from, "a record with one bit changed");
    }

    /** Application data of 2^15 bytes: RFC 8446 5.2 allows 2^14 + 256, RFC 5246 6.2.3 allows 2^14 + 2048. */
    private static void oversizedRecord(Open open, boolean from) throws JobError {
        byte[] record = new byte[5 + (1 << 15)];
        System.arraycopy(new byte[] {23, 3, 3, (byte) 0x80, 0}, 0, record, 0, 5);
        open.wire.from(from).put(ByteBuffer.wrap(record));
        mustFail(open, from, "a record of 2^15 bytes");
    }

    private static void mustFail(Open open, boolean from, String what) throws JobError {
        for (String time : List.of("", " when read again")) {
            Object got = open.read(from, new byte[64]);
            if (!(got instanceof IOException)) {
                throw new AssertionError(what + " gave " + got + time);
            }
        }
    }

    /** No record that is sent is larger than the endpoint says, and there are no more of them than it takes. */
    private static void recordSize(Open open, boolean from, int record) throws JobError, IOException {
        byte[] payload = new byte[10 * record];
        for (int sent = 0; sent < payload.length;) {
            sent += open.pair.end(from).write(payload, sent, payload.length - sent);
        }
        Wire.Queue wire = open.wire.from(from);
        int records = 0;
        for (int at = wire.read; at < wire.written; records++) {
            int length = (wire.bytes[at + 3] & 0xff) << 8 | wire.bytes[at + 4] & 0xff;
            if (length > record + EXPANSION) {
                throw new AssertionError("a record is " + length + " bytes long, its plaintext may be " + record);
            }
            at += 5 + length;
        }
        if (records > payload.length / record + 2) {
            throw new AssertionError(records + " records for 10 that are full");
        }
    }

    /** A transport that takes and gives a few bytes at a time changes nothing but the number of calls. */
    private static void narrowTransport(Endpoint endpoint, boolean from) throws JobError, IOException {
        Pair.Ends ends = Pair.Ends.of(endpoint);
        Wire wire = new Wire();
        Connection client = ends.client().connect(new Narrow(wire.end(false)));
        Connection server = ends.server().connect(new Narrow(wire.end(true)));
        boolean done = false;
        for (int turn = 0; turn < 100_000 && !done; turn++) {
            boolean clientDone = client.handshake();
            done = server.handshake() && clientDone;
        }
        Connection sender = from ? server : client;
        Connection receiver = from ? client : server;
        byte[] payload = new byte[40_000];
        byte[] buffer = new byte[16_384];
        int sent = 0;
        int received = 0;
        for (int turn = 0; turn < 100_000 && received < payload.length; turn++) {
            int written = sender.write(payload, sent, payload.length - sent);
            sent += Math.max(0, written);
            received += Math.max(0, receiver.read(buffer));
        }
        if (!done || received != payload.length) {
            throw new AssertionError(received + " of " + payload.length + " bytes arrived, handshake complete: " + done);
        }
    }

    /** Takes 100 bytes and then none, in turn; gives 100 at most. */
    private static final class Narrow implements Transport {
        private static final int WIDTH = 100;
        private final Transport inner;
        private boolean full;

        Narrow(Transport inner) {
            this.inner = inner;
        }

        @Override
        public int read(ByteBuffer into) throws IOException {
            ByteBuffer some = into.slice().limit(Math.min(WIDTH, into.remaining()));
            int read = inner.read(some);
            into.position(into.position() + Math.max(0, read));
            return read;
        }

        @Override
        public int write(ByteBuffer from) throws IOException {
            full = !full;
            if (full) {
                return 0;
            }
            ByteBuffer some = from.slice().limit(Math.min(WIDTH, from.remaining()));
            int written = inner.write(some);
            from.position(from.position() + written);
            return written;
        }
    }

    /** What is left in the heap after the collector has run; the process as a whole grows when the JVM likes. */
    private static void doesNotGrow(Endpoint endpoint) throws JobError {
        Pair.Ends ends = Pair.Ends.of(endpoint);
        connect(ends, MANY / 4);
        long before = live();
        connect(ends, MANY);
        long growth = live() - before;
        if (growth > SLACK) {
            throw new AssertionError("the heap grew by " + growth + " bytes, " + growth / MANY + " each");
        }
    }

    private static void connect(Pair.Ends ends, int times) throws JobError {
        Wire wire = new Wire();
        for (int i = 0; i < times; i++) {
            wire.reset();
            Pair.connect(ends, wire, new Laps(1)).drop();
        }
    }

    private static long live() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}

package tlstax.worker;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.Arrays;
import java.util.Map;

/** The client's end of a load: one thread that keeps so many connections busy, each with one request at a time. */
final class LoadClient extends Job {
    /** Without any change on any connection for so long, the load is stuck. */
    private static final long STALL_MS = 5_000;

    private final InetSocketAddress server;
    private final Config config;
    private final long body;
    private final int padding;
    /** Requests on one connection; 0 is no limit. */
    private long requestsPerConnection;
    /** Connections whose number of requests was told, of those that are opened first. */
    private long opened;
    private final byte[] request = Http.request(false);
    private final byte[] lastRequest = Http.request(true);
    private final Selector selector;
    private final Link[] links;
    private final byte[] buffer = new byte[64 * 1024];
    private final Histogram latencies = new Histogram();
    /** What the first of the handshakes that have to be alike negotiated. */
    private Negotiated negotiated;
    /** The certificate's key, as the latest full handshake showed it. */
    private String key;
    private Tally tally = new Tally(0);

    private LoadClient(Map<String, Object> request, int port, Pki pki) throws JobError, IOException {
        server = new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), port);
        Endpoint endpoint = LoadServer.endpoint(request, pki);
        config = endpoint == null ? null : new Config(false, endpoint);
        body = Params.number(request, "body");
        padding = Params.padding(request);
        requestsPerConnection = Params.number(request, "requests_per_connection");
        links = new Link[Math.toIntExact(Params.number(request, "connections"))];
        selector = Selector.open();
    }

    /** Configures the client, gets the sessions that will be resumed, and makes one request on each connection. */
    static LoadClient prepare(Map<String, Object> request, int port, Pki pki) throws JobError {
        LoadClient client;
        try {
            client = new LoadClient(request, port, pki);
        } catch (IOException error) {
            throw JobError.failed("prepare", "a selector", error);
        }
        if (client.links.length == 0) {
            throw JobError.failed("prepare", "a load needs at least one connection");
        }
        Config config = client.config;
        if (config != null && !config.endpoint.isFull()) {
            client.prime();
        }
        client.proof = client.run(new Amount(client.links.length)).proof();
        if (config != null) {
            client.proof.check(config.endpoint.params(), config.endpoint.resumption());
        }
        return client;
    }

    /** Makes a full handshake on every connection, and closes it: as many sessions as there are connections. */
    private void prime() throws JobError {
        long requests = requestsPerConnection;
        requestsPerConnection = 1;
        load(links.length);
        requestsPerConnection = requests;
        if (negotiated != null && negotiated.ticketWithoutLifetime()) {
            throw JobError.unsupported("the server's tickets have no lifetime, as RFC 5077 3.3 allows, and JSSE drops such "
                    + "tickets");
        }
        // A resumed handshake of TLS 1.2 negotiates less.
        negotiated = null;
    }

    @Override
    Batch run(Amount amount) throws JobError {
        load(amount.warmup());
        latencies.reset();
        long[] splitBefore = Cpu.split();
        long before = Cpu.collector() + Cpu.thread();
        long started = System.nanoTime();
        load(amount.iterations());
        Sample sample = new Sample();
        sample.wall = System.nanoTime() - started;
        // What the thread has allocated is its cost too: the collector's time is the client's.
        sample.cpu = Cpu.thread() + Cpu.collector() - before;
        long[] split = Cpu.split();
        sample.iterations = amount.iterations();
        sample.user = split[0] - splitBefore[0];
        sample.system = split[1] - splitBefore[1];
        sample.client = sample.cpu;
        sample.clientUser = sample.user;
        sample.clientSystem = sample.system;
        sample.bytes = amount.iterations() * body;
        sample.latency = latencies.encode();
        return new Batch(sample, proven());
    }

    private Proof proven() {
        Proof proven = new Proof();
        proven.negotiated = negotiated;
        proven.key = key;
        proven.handshakes = tally.handshakes;
        proven.resumed = tally.resumed;
        return proven;
    }

    @Override
    void release() {
        for (int i = 0; i < links.length; i++) {
            leave(i);
        }
        try {
            selector.close();
        } catch (IOException gone) {
            // It is closed all the same.
        }
    }

    private void leave(int place) {
        Link link = links[place];
        if (link != null) {
            links[place] = null;
            link.socket.close();
        }
    }

    /** Makes so many requests, and waits for every response and for every close that follows one. */
    private void load(long wanted) throws JobError {
        tally = new Tally(wanted);
        try {
            drive();
        } catch (IOException | RuntimeException error) {
            // Connections in the middle of something are of no use to a later batch.
            for (int i = 0; i < links.length; i++) {
                leave(i);
            }
            throw JobError.failed("run", "after " + tally.done + " of " + wanted + " responses", error);
        }
    }

    private void drive() throws IOException {
        // No connection hears of a session before all have taken theirs.
        for (int place = 0; place < links.length; place++) {
            occupy(place);
        }
        for (int place = 0; place < links.length; place++) {
            pursue(place);
        }
        while (tally.done < tally.wanted || tally.closing > 0) {
            if (selector.select(STALL_MS) == 0) {
                throw new IOException("no connection moved for 5 s");
            }
            for (SelectionKey ready : selector.selectedKeys()) {
                pursue((Integer) ready.attachment());
            }
            selector.selectedKeys().clear();
        }
    }

    /** Gives a place that has nothing to do the next request, if there is one, and a connection if it has none. */
    private void occupy(int place) throws IOException {
        Link link = links[place];
        if (link == null && tally.begin()) {
            links[place] = open(place);
        } else if (link != null && link.stage == Stage.IDLE && tally.begin()) {
            link.begin();
        }
    }

    private Link open(int place) throws IOException {
        long begun = System.nanoTime();
        SocketChannel channel = SocketChannel.open();
        Socket socket = new Socket(channel, config);
        socket.watch(selector, place);
        channel.connect(server);
        return new Link(socket, begun, most());
    }

    /** Goes on with a connection until it would block or there is nothing more to ask. */
    private void pursue(int place) throws IOException {
        while (true) {
            occupy(place);
            Link link = links[place];
            if (link == null || link.stage == Stage.IDLE) {
                return;
            }
            if (!advance(link)) {
                link.socket.rest();
                return;
            }
            if (link.stage == Stage.CLOSED) {
                leave(place);
                tally.closing--;
            } else {
                tally.done++;
                latencies.record((System.nanoTime() - link.begun + 500) / 1000);
                tally.closing += link.stage == Stage.CLOSING ? 1 : 0;
            }
        }
    }

    /** Goes on until a response is complete or the connection is closed; false if it would block. */
    private boolean advance(Link link) throws IOException {
        while (true) {
            switch (link.stage) {
                case CONNECT -> {
                    if (!link.socket.isConnected()) {
                        return false;
                    }
                    link.stage = Stage.HANDSHAKE;
                }
                case HANDSHAKE -> {
                    if (!link.socket.stream.handshake()) {
                        return false;
                    }
                    note(link.socket.stream.negotiated());
                    link.stage = Stage.REQUEST;
                }
                case REQUEST -> {
                    if (!link.socket.send(link.isLast() ? lastRequest : request)) {
                        return false;
                    }
                    link.stage = Stage.HEAD;
                }
                case HEAD, BODY -> {
                    if (link.stage == Stage.BODY && link.left == 0) {
                        link.stage = link.isLast() ? Stage.CLOSING : Stage.IDLE;
                        return true;
                    }
                    int read = link.socket.stream.read(buffer);
                    if (read == Stream.AGAIN) {
                        return false;
                    }
                    link.take(buffer, read, body, padding);
                }
                default -> {
                    int read = link.socket.stream.read(buffer);
                    if (read == Stream.AGAIN) {
                        return false;
                    }
                    if (read > 0) {
                        throw new IOException("more bytes than the response has");
                    }
                    link.stage = Stage.CLOSED;
                    return true;
                }
            }
        }
    }

    /**
     * How many requests the next connection makes; 0 has no end. The first ones make fewer, each another number: connections that are
     * opened together would be renewed together for ever, and stretches with all the handshakes would follow others with none.
     */
    private long most() {
        if (requestsPerConnection < 2 || opened >= links.length) {
            return requestsPerConnection;
        }
        long fewer = requestsPerConnection * opened / links.length;
        opened++;
        return requestsPerConnection - fewer;
    }

    /** Counts a handshake, which must have negotiated the same as those before it. */
    private void note(Negotiated now) throws IOException {
        if (now == null) {
            return;
        }
        if (negotiated != null && !negotiated.isLike(now)) {
            throw new IOException("one handshake negotiated " + now + ", those before " + negotiated);
        }
        tally.handshakes++;
        tally.resumed += now.resumed() ? 1 : 0;
        key = now.key() == null ? key : now.key();
        negotiated = now;
    }

    /** What one batch is to do and has done. */
    private static final class Tally {
        private final long wanted;
        private long begun;
        private long done;
        /** Connections that wait for the server to close them. */
        private int closing;
        private long handshakes;
        private long resumed;

        Tally(long wanted) {
            this.wanted = wanted;
        }

        /** Takes the next request on; whether there is one. */
        boolean begin() {
            if (begun == wanted) {
                return false;
            }
            begun++;
            return true;
        }
    }

    private enum Stage { CONNECT, HANDSHAKE, REQUEST, HEAD, BODY, IDLE, CLOSING, CLOSED }

    private static final class Link {
        private final Socket socket;
        private Stage stage = Stage.CONNECT;
        /** Requests on it, the one on its way included. */
        private long requests = 1;
        /** The most of them; 0 has no end. */
        private final long most;
        /** When the request on its way was begun, with the connection if it was made for it. */
        private long begun;
        /** Bytes of the body that are still to come. */
        private long left;
        /** What has come of a head that is not complete. */
        private byte[] head = new byte[0];

        Link(Socket socket, long begun, long most) {
            this.socket = socket;
            this.begun = begun;
            this.most = most;
        }

        boolean isLast() {
            return requests == most;
        }

        void begin() {
            requests++;
            begun = System.nanoTime();
            stage = Stage.REQUEST;
        }

        /** Takes what was read of a response. */
        void take(byte[] bytes, int count, long body, int padding) throws IOException {
            if (count == 0) {
                throw new EOFException("the server closed the connection too early");
            }
            if (stage == Stage.BODY) {
                left -= count;
            } else {
                takeHead(bytes, count, body, padding);
            }
            if (left < 0) {
                throw new IOException("more bytes than the response has");
            }
        }

        private void takeHead(byte[] bytes, int count, long body, int padding) throws IOException {
            byte[] all = bytes;
            int available = head.length + count;
            if (head.length > 0) {
                all = Arrays.copyOf(head, available);
                System.arraycopy(bytes, 0, all, head.length, count);
            }
            Http.Head parsed = Http.parseResponse(all, available);
            if (parsed == null) {
                head = Arrays.copyOf(all, available);
                return;
            }
            if (parsed.body() != body) {
                throw new IOException("a body of " + parsed.body() + " bytes instead of " + body);
            }
            if (parsed.padding() != padding) {
                throw new IOException("a header with " + parsed.padding() + " bytes of padding instead of " + padding);
            }
            head = new byte[0];
            left = body - (available - parsed.length());
            stage = Stage.BODY;
        }
    }
}

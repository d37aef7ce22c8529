package tlstax.worker;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/** The server's end of a load: one thread that accepts, shakes hands and answers, and counts what it does. */
final class LoadServer extends Job {
    /** Connections that may wait to be accepted: more than a load opens at once. */
    private static final int BACKLOG = 4096;

    private final Config config;
    private final int body;
    private final long workNs;
    private final byte[] response;
    private final byte[] lastResponse;
    private final ServerSocketChannel listener;
    private final Selector selector;
    private final byte[] buffer = new byte[16 * 1024];
    private final Thread thread;
    private final AtomicReference<CountDownLatch> asked = new AtomicReference<>();
    private volatile boolean stopping;
    private volatile String ended;
    /** Counted by the thread; read while it rests, after it has opened a latch. */
    private long connections;
    private long handshakes;
    private long resumed;
    private long requests;
    private long ownCpu;
    /** What was used before the warm-up was over. */
    private long before;
    private final long[] splitBefore = new long[2];

    private LoadServer(Config config, int body, int padding, long workNs) throws IOException {
        this.config = config;
        this.body = body;
        this.workNs = workNs;
        response = Http.response(body, padding, false);
        lastResponse = Http.response(body, padding, true);
        listener = ServerSocketChannel.open();
        listener.bind(new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), 0), BACKLOG);
        listener.configureBlocking(false);
        selector = Selector.open();
        listener.register(selector, SelectionKey.OP_ACCEPT);
        thread = new Thread(this::serve, "load-server");
        thread.setDaemon(true);
    }

    /** Lets the server listen, and warms it with a client of its own. */
    static LoadServer prepare(Map<String, Object> request, int threads, Pki pki) throws JobError {
        LoadServer server = listen(request, threads, pki);
        try {
            LoadClient client = LoadClient.prepare(request, server.port(), pki);
            Warmup.steady(client);
            client.release();
            server.rest();
        } catch (JobError error) {
            server.release();
            throw error;
        }
        server.connections = 0;
        server.handshakes = 0;
        server.resumed = 0;
        server.requests = 0;
        server.before = server.ownCpu + Cpu.collector();
        System.arraycopy(Cpu.split(), 0, server.splitBefore, 0, 2);
        return server;
    }

    /** Lets a server that is still cold listen on a port that the system chooses. */
    static LoadServer listen(Map<String, Object> request, int threads, Pki pki) throws JobError {
        if (threads != 1) {
            throw JobError.unsupported("the server of a load has one thread, on one core");
        }
        Endpoint endpoint = endpoint(request, pki);
        if (endpoint != null) {
            OneGroup.checkServer(endpoint.params());
        }
        Config config = endpoint == null ? null : new Config(true, endpoint);
        LoadServer server;
        try {
            server = new LoadServer(config, Math.toIntExact(Params.number(request, "body")), Params.padding(request),
                    1000 * Params.number(request, "work_us"));
        } catch (IOException error) {
            throw JobError.failed("prepare", "listening on 127.0.0.1", error);
        }
        server.thread.start();
        return server;
    }

    /** What the connections of a load are; null for plain HTTP. */
    static Endpoint endpoint(Map<String, Object> request, Pki pki) throws JobError {
        if (!request.containsKey("version")) {
            return null;
        }
        String resumption = Params.word(request, "resumption", Params.RESUMPTIONS);
        Endpoint endpoint = Endpoint.usual(Params.of(request), pki).with(resumption);
        Capabilities.check(endpoint);
        OneGroup.checkLoad(endpoint.params());
        return endpoint;
    }

    int port() {
        return listener.socket().getLocalPort();
    }

    @Override
    Batch run(Amount amount) throws JobError {
        throw JobError.failed("run", "the server's end of a load cannot be run: its client is");
    }

    /** What was used and counted. The process serves one load at a time, so the collector works for this one. */
    Map<String, Object> usage(Map<String, Object> answer) throws JobError {
        rest();
        long[] split = Cpu.split();
        answer.put("cpu_ns", ownCpu + Cpu.collector() - before);
        answer.put("user_ns", split[0] - splitBefore[0]);
        answer.put("system_ns", split[1] - splitBefore[1]);
        answer.put("connections", connections);
        answer.put("handshakes", handshakes);
        answer.put("resumed", resumed);
        answer.put("requests", requests);
        answer.put("bytes", requests * body);
        return answer;
    }

    /** Waits until the thread has done everything that was ready. */
    private void rest() throws JobError {
        CountDownLatch latch = new CountDownLatch(1);
        asked.set(latch);
        selector.wakeup();
        try {
            while (!latch.await(100, TimeUnit.MILLISECONDS)) {
                if (ended != null) {
                    throw JobError.failed("run", "the server's thread has ended: " + ended);
                }
            }
        } catch (InterruptedException error) {
            throw JobError.failed("run", "waiting for the server", error);
        }
    }

    @Override
    void release() {
        stopping = true;
        selector.wakeup();
        try {
            thread.join();
        } catch (InterruptedException error) {
            Thread.currentThread().interrupt();
        }
    }

    private void serve() {
        try (selector; listener) {
            while (!stopping) {
                CountDownLatch latch = asked.get();
                if (latch == null) {
                    selector.select();
                } else if (selector.selectNow() == 0) {
                    asked.set(null);
                    ownCpu = Cpu.thread();
                    latch.countDown();
                }
                for (SelectionKey key : selector.selectedKeys()) {
                    if (key.attachment() instanceof Guest guest) {
                        attend(guest);
                    } else {
                        accept();
                    }
                }
                selector.selectedKeys().clear();
            }
            for (SelectionKey key : selector.keys()) {
                key.channel().close();
            }
            ended = "it was told to";
        } catch (IOException | RuntimeException error) {
            ended = JobError.describe(error);
        }
    }

    private void accept() throws IOException {
        SocketChannel channel;
        while ((channel = listener.accept()) != null) {
            connections++;
            Guest guest = new Guest(new Socket(channel, config));
            guest.socket.watch(selector, guest);
            attend(guest);
        }
    }

    private void attend(Guest guest) {
        boolean over;
        try {
            over = advance(guest);
        } catch (IOException | RuntimeException told) {
            // Errors are told by the client, which sees the end of the connection and counts what it did not get.
            over = true;
        }
        if (over) {
            guest.socket.close();
        } else {
            guest.socket.rest();
        }
    }

    /** Goes on until the connection would block; whether it is done with. */
    private boolean advance(Guest guest) throws IOException {
        while (true) {
            switch (guest.stage) {
                case HANDSHAKE -> {
                    if (!guest.socket.stream.handshake()) {
                        return false;
                    }
                    count(guest.socket.stream.negotiated());
                    guest.stage = Stage.REQUEST;
                }
                case REQUEST -> {
                    Http.Head head = guest.head();
                    if (head == null) {
                        int read = guest.socket.stream.read(buffer);
                        if (read <= 0) {
                            return read == 0;
                        }
                        guest.add(buffer, read);
                    } else {
                        burn();
                        guest.answer(head, head.last() ? lastResponse : response);
                    }
                }
                case RESPONSE -> {
                    if (!guest.socket.send(guest.response)) {
                        return false;
                    }
                    requests++;
                    guest.stage = guest.last ? Stage.CLOSE : Stage.REQUEST;
                }
                default -> {
                    return guest.socket.stream.close();
                }
            }
        }
    }

    private void count(Negotiated negotiated) {
        if (negotiated != null) {
            handshakes++;
            resumed += negotiated.resumed() ? 1 : 0;
        }
    }

    /** Uses so much CPU time of this thread, as the application behind a dynamic page would. */
    private void burn() {
        if (workNs > 0) {
            long end = Cpu.thread() + workNs;
            while (Cpu.thread() < end) {
                Thread.onSpinWait();
            }
        }
    }

    private enum Stage { HANDSHAKE, REQUEST, RESPONSE, CLOSE }

    private static final class Guest {
        private final Socket socket;
        private Stage stage = Stage.HANDSHAKE;
        private byte[] response;
        private boolean last;
        /** What has come of the next request. */
        private byte[] input = new byte[256];
        private int length;

        Guest(Socket socket) {
            this.socket = socket;
        }

        void add(byte[] bytes, int count) {
            if (length + count > input.length) {
                input = Arrays.copyOf(input, Math.max(2 * input.length, length + count));
            }
            System.arraycopy(bytes, 0, input, length, count);
            length += count;
        }

        Http.Head head() throws IOException {
            return length == 0 ? null : Http.parseRequest(input, length);
        }

        void answer(Http.Head head, byte[] with) {
            length -= head.length();
            System.arraycopy(input, head.length(), input, 0, length);
            last = head.last();
            response = with;
            stage = Stage.RESPONSE;
        }
    }
}

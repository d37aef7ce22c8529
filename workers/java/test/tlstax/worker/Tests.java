package tlstax.worker;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.CryptoPrimitive;
import java.util.Arrays;
import java.util.Base64;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.net.ssl.SSLParameters;

/** The worker's own tests; `java -ea` runs them, with the folder of test certificates as the argument. */
public final class Tests {
    private Tests() {
    }

    /** What throws fails. */
    interface Test {
        void run() throws Exception;
    }

    public static void main(String[] arguments) throws JobError {
        boolean asserting = false;
        assert asserting = true;
        if (!asserting || arguments.length != 1) {
            System.err.println("usage: java -ea tlstax.worker.Tests PKI_DIR");
            System.exit(2);
        }
        Map<String, Test> tests = new LinkedHashMap<>();
        tests.put("JSON is read and written", Tests::json);
        tests.put("what is not JSON is refused", Tests::notJson);
        tests.put("latencies lie where HdrHistogram has them", Tests::histogram);
        tests.put("a head may come in pieces", Tests::headsInPieces);
        tests.put("requests and responses of others are refused", Tests::otherHeads);
        tests.put("bytes arrive in order and are counted", Tests::wire);
        tests.put("parameters that cannot be are not coherent", Tests::coherent);
        tests.put("one group is permitted, and any curve in a signature", Tests::oneGroup);
        tests.put("the server's flight tells group and resumption", Tests::serverFlight);
        tests.put("a case is steady when its cost no longer falls", Tests::steady);
        tests.put("defect 5: a call that was made a few times only is not taken for a compiled one", Tests::compiled);
        tests.put("no thread starts before all are ready", Tests::threads);
        tests.put("only known features are done without", Tests::without);
        tests.put("what cannot be prepared is told", () -> unprepared(arguments[0]));
        tests.put("the server of a load counts the warm-up too, and its CPU time", () -> load(arguments[0]));
        tests.put("defect 21: what JSSE gets wrong with other libraries is refused in loads", () -> refusals(arguments[0]));
        tests.put("parts are those that were asked for and add up", () -> parts(arguments[0]));
        tests.put("a forgery is no answer", () -> forgeries(arguments[0]));
        ConnectionTests.add(tests, arguments[0]);
        int failed = 0;
        for (Map.Entry<String, Test> test : tests.entrySet()) {
            try {
                test.getValue().run();
                System.out.println("ok    " + test.getKey());
            } catch (Exception | AssertionError error) {
                failed++;
                System.out.println("FAIL  " + test.getKey());
                error.printStackTrace(System.out);
            }
        }
        System.out.println(tests.size() - failed + " passed, " + failed + " failed");
        System.exit(failed == 0 ? 0 : 1);
    }

    private static void same(Object got, Object wanted) {
        assert wanted.equals(got) : got + " instead of " + wanted;
    }

    private static void json() {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("text", "a \"quoted\" \\ line\n\u00e9");
        object.put("number", 12345678901L);
        object.put("truth", true);
        object.put("list", List.of("x", "y"));
        same(Json.read(Json.write(object)), object);
        object.put("absent", null);
        assert !Json.write(object).contains("absent");
        same(Json.read(" { \"a\" : { \"b\" : \"\\u0041\\/\" } , \"c\":[ ] } ").toString(), "{a={b=A/}, c=[]}");
    }

    private static void notJson() {
        List<String> texts =
                List.of("", "what?", "{", "{\"a\"}", "{\"a\":}", "{\"a\":1.5}", "{} {}", "{\"a\":\"\\u00\"}");
        for (String text : texts) {
            try {
                Json.read(text);
                throw new AssertionError("accepted: " + text);
            } catch (IllegalArgumentException refused) {
                assert refused.getMessage().startsWith("not JSON: ") : refused;
            }
        }
    }

    private static void histogram() {
        same(Histogram.index(1), 1);
        same(Histogram.index(2047), 2047);
        same(Histogram.index(2048), 2048);
        same(Histogram.index(2049), 2048);
        same(Histogram.index(4096), 3072);
        Histogram histogram = new Histogram();
        for (int i = 0; i < 200; i++) {
            histogram.record(3);
        }
        ByteBuffer encoded = ByteBuffer.wrap(Base64.getDecoder().decode(histogram.encode()));
        same(encoded.getInt(), 0x1c849313);
        same(encoded.getInt(), 3);
        encoded.position(40);
        // Three zeros are -3, which is 5 in zigzag; 200 is 400, in two groups of seven bits.
        same(Arrays.toString(Arrays.copyOfRange(encoded.array(), 40, 43)), Arrays.toString(new byte[] {5, -112, 3}));
    }

    private static void headsInPieces() throws IOException {
        for (boolean last : new boolean[] {false, true}) {
            byte[] request = Http.request(last);
            byte[] response = Http.response(1000, 0, last);
            int head = response.length - 1000;
            for (int length = 0; length < request.length; length++) {
                assert Http.parseRequest(request, length) == null;
            }
            for (int length = 0; length < head; length++) {
                assert Http.parseResponse(response, length) == null;
            }
            same(Http.parseRequest(request, request.length), new Http.Head(request.length, 0, 0, last));
            same(Http.parseResponse(response, response.length), new Http.Head(head, 1000, 0, last));
            byte[] padded = Http.response(1000, 8192, last);
            same(padded.length, response.length + 8192);
            same(Http.parseResponse(padded, padded.length), new Http.Head(head + 8192, 1000, 8192, last));
        }
    }

    private static void otherHeads() {
        String endless = "GET / HTTP/1.1\r\nX: " + "x".repeat(17000);
        for (String head : List.of("POST / HTTP/1.1\r\n\r\n", "GET / HTTP/1.1\r\nContent-Length: 3\r\n\r\n", endless)) {
            refused(head, () -> Http.parseRequest(head.getBytes(StandardCharsets.US_ASCII), head.length()));
        }
        for (String head : List.of("HTTP/1.1 500 No\r\n\r\n", "HTTP/1.1 200 OK\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n")) {
            refused(head, () -> Http.parseResponse(head.getBytes(StandardCharsets.US_ASCII), head.length()));
        }
    }

    private static void refused(String what, Test test) {
        try {
            test.run();
        } catch (Exception right) {
            return;
        }
        throw new AssertionError("accepted: " + what);
    }

    private static void wire() throws IOException {
        Wire wire = new Wire();
        wire.end(false).write(ByteBuffer.wrap(new byte[] {1, 2, 3}));
        wire.end(false).write(ByteBuffer.wrap(new byte[40_000]));
        ByteBuffer got = ByteBuffer.allocate(2);
        same(wire.end(true).read(got), 2);
        same(got.get(1), (byte) 2);
        same(wire.toServer.total, 40_003L);
        same(wire.end(false).read(ByteBuffer.allocate(1)), 0);
        wire.toServer.ended = true;
        same(wire.end(true).read(ByteBuffer.allocate(50_000)), 40_001);
        same(wire.end(true).read(ByteBuffer.allocate(1)), -1);
        wire.reset();
        same(wire.end(true).read(ByteBuffer.allocate(1)), 0);
    }

    private static void coherent() throws JobError {
        Suite ecdsa = Suite.named("TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256");
        Suite transport = Suite.named("TLS_RSA_WITH_RC4_128_SHA");
        assert new Params("TLSv1.2", ecdsa, "X25519", "ecdsa-p256").isCoherent();
        assert !new Params("TLSv1.3", ecdsa, "X25519", "ecdsa-p256").isCoherent();
        assert !new Params("TLSv1.2", ecdsa, "X25519", "rsa-2048").isCoherent();
        assert !new Params("TLSv1.2", ecdsa, "ffdhe2048", "ecdsa-p256").isCoherent();
        assert new Params("TLSv1.2", transport, null, "rsa-2048").isCoherent();
        assert !new Params("TLSv1.2", transport, "X25519", "rsa-2048").isCoherent();
        same(Suite.iana("SSL_RSA_WITH_RC4_128_SHA"), transport.name());
        refused("psk in TLS 1.2", () -> new Params("TLSv1.2", ecdsa, "X25519", "ecdsa-p256").check("psk"));
    }

    private static void oneGroup() {
        SSLParameters parameters = new SSLParameters();
        OneGroup.apply(parameters, new Params("TLSv1.3", Suite.ALL.get(0), "X25519", "ecdsa-p256"), false);
        java.security.AlgorithmConstraints constraints = parameters.getAlgorithmConstraints();
        if (constraints == null) {
            same(OneGroup.how(), "SSLParameters.setNamedGroups");
            return;
        }
        Set<CryptoPrimitive> agreement = EnumSet.of(CryptoPrimitive.KEY_AGREEMENT);
        Set<CryptoPrimitive> signature = EnumSet.of(CryptoPrimitive.SIGNATURE);
        assert constraints.permits(agreement, "TLS_AES_128_GCM_SHA256", null);
        assert constraints.permits(agreement, "x25519", null);
        assert !constraints.permits(agreement, "secp256r1", null);
        assert !constraints.permits(agreement, "ffdhe2048", null);
        assert constraints.permits(signature, "SHA256withECDSA", null);
        assert constraints.permits(agreement, "secp256r1", null);
        assert !constraints.permits(agreement, "secp256r1", null);
    }

    private static void serverFlight() {
        ServerFlight resumed = new ServerFlight();
        byte[] hello = hello(new byte[] {0, 43, 0, 2, 3, 4, 0, 51, 0, 4, 0, 29, 0, 0, 0, 41, 0, 2, 0, 0});
        // In two pieces, as a transport may give it, and with something encrypted behind it.
        resumed.add(hello, 0, 20);
        resumed.add(hello, 20, hello.length - 20);
        resumed.add(new byte[] {23, 3, 3, 0, 1, 11}, 0, 6);
        resumed.read();
        same(resumed.group, "X25519");
        assert resumed.resumed();

        ServerFlight full = new ServerFlight();
        hello = hello(new byte[0]);
        full.add(hello, 0, hello.length);
        byte[] rest = {22, 3, 3, 0, 12, 11, 0, 0, 0, 12, 0, 0, 4, 3, 0, 23, 0};
        full.add(rest, 0, rest.length);
        full.read();
        same(full.group, "secp256r1");
        assert !full.resumed() && !full.ticketWithoutLifetime;

        // A ticket of one byte, with a lifetime of a second and without one.
        for (byte seconds : new byte[] {1, 0}) {
            ServerFlight ticket = new ServerFlight();
            byte[] message = {22, 3, 3, 0, 11, 4, 0, 0, 7, 0, 0, 0, seconds, 0, 1, 9};
            ticket.add(message, 0, message.length);
            ticket.read();
            same(ticket.ticketWithoutLifetime, seconds == 0);
        }
    }

    /** A record with a ServerHello with these extensions. */
    private static byte[] hello(byte[] extensions) {
        int body = 2 + 32 + 1 + 2 + 1 + (extensions.length == 0 ? 0 : 2 + extensions.length);
        ByteBuffer record = ByteBuffer.allocate(5 + 4 + body);
        record.put((byte) 22).putShort((short) 0x303).putShort((short) (4 + body));
        record.putInt(2 << 24 | body).putShort((short) 0x303).put(new byte[32]).put((byte) 0).putShort((short) 0x1301);
        record.put((byte) 0);
        if (extensions.length > 0) {
            record.putShort((short) extensions.length).put(extensions);
        }
        return record.array();
    }

    private static void steady() {
        assert Warmup.isSteady(new double[] {100, 101, 99, 100}, 4);
        assert !Warmup.isSteady(new double[] {120, 110, 105, 100}, 4);
        // The newest is at place 0, the oldest at place 1.
        assert Warmup.isSteady(new double[] {102, 100, 101, 103}, 5);
        assert !Warmup.isSteady(new double[] {90, 100, 100, 100}, 5);
    }

    private static void compiled() throws JobError {
        long[] calls = new long[1];
        // As long as it is not compiled a call of 0.1 ms costs the same each time.
        Job cold = new Job() {
            @Override
            Batch run(Amount amount) {
                long iterations = amount.iterations();
                calls[0] += iterations;
                Sample sample = new Sample();
                sample.iterations = iterations;
                sample.cpu = 100_000 * iterations;
                sample.wall = sample.cpu;
                return new Batch(sample, proof);
            }
        };
        Warmup.compiled(cold);
        assert calls[0] >= 20_000 : calls[0] + " calls";
    }

    private static void threads() throws JobError {
        java.util.concurrent.atomic.AtomicInteger ready = new java.util.concurrent.atomic.AtomicInteger();
        same(Threads.together(4, index -> ready.incrementAndGet(), one -> ready.get()), List.of(4, 4, 4, 4));
        refused("an error", () -> Threads.together(3, index -> {
            if (index == 1) {
                throw JobError.failed("run", "no");
            }
            return index;
        }, one -> one));
    }

    private static void without() {
        assert List.of("aes", "clmul", "vaes", "avx2", "avx512", "sha").containsAll(Without.now()) : Without.now();
        assert Without.now().contains("vaes") || !Without.now().contains("aes");
    }

    private static Map<String, Object> ask(Desk desk, String line) {
        return desk.answer(line.replace('\'', '"'));
    }

    private static final String CONNECTION = "'library':'java','version':'TLSv1.3','suite':'TLS_AES_128_GCM_SHA256',"
            + "'group':'X25519','key':'ecdsa-p256'";

    private static Desk greeted(String pki) {
        Desk desk = new Desk();
        same(ask(desk, "{'do':'hello','protocol':2,'pki':'" + pki + "'}").get("family"), "java");
        return desk;
    }

    private static void unprepared(String pki) {
        String handshake = "{'do':'prepare','slot':7,'kind':'handshake'," + CONNECTION
                + ",'chain':1,'resumption':'psk','mutual':false}";
        same(ask(new Desk(), handshake).get("message"), "the first request must be hello");
        Desk desk = greeted(pki);
        same(ask(desk, handshake.replace("psk", "early-data")).get("is"), "unsupported");
        same(ask(desk, handshake.replace("X25519", "X448")).get("is"), "unsupported");
        same(ask(desk, handshake.replace(",'chain':1", "")).get("stage"), "prepare");
    }

    /** What is built in checks forgeries whenever it answers: a signature that is one, and one that was changed before. */
    private static void forgeries(String folder) throws Exception {
        Pki pki = new Pki(folder);
        for (String name : List.of("rsa-2048", "ecdsa-p256", "ed25519")) {
            Inputs inputs = new Inputs(Algorithms.named(name, "verify"), "verify", 0, pki);
            Operation verify = Signatures.operation(name, false, inputs);
            assert Arrays.equals(verify.answer(), Operation.CHECKED) : name;
            inputs.signature[inputs.signature.length - 1] ^= 1;
            refused(name, () -> verify.run(1));
        }
        for (String name : List.of("aes-128-gcm", "chacha20-poly1305")) {
            Inputs inputs = new Inputs(Algorithms.named(name, "decrypt"), "decrypt", 64, pki);
            Operation opened = new Aead(name, false, inputs);
            assert Arrays.equals(opened.answer(), inputs.message) : name;
            inputs.additionalData[8] ^= 1;
            refused(name, () -> opened.run(1));
        }
    }

    private static void load(String pki) {
        Desk server = greeted(pki);
        Desk client = greeted(pki);
        String load = "'kind':'load'," + CONNECTION + ",'resumption':'full','connections':3,'client':'java',"
                + "'requests_per_connection':2,'body':70000,'work_us':10}";
        Map<String, Object> ready = ask(server, "{'do':'prepare','slot':1,'end':'server'," + load);
        ask(client, "{'do':'prepare','slot':1,'end':'client','port':" + ready.get("port") + "," + load);
        Map<String, Object> before = ask(server, "{'do':'usage','slot':1}");
        same(ask(client, "{'do':'run','slot':1,'iterations':11,'warmup':2}").get("is"), "sampled");
        Map<String, Object> after = ask(server, "{'do':'usage','slot':1}");
        same((Long) after.get("requests") - (Long) before.get("requests"), 13L);
        assert (Long) after.get("cpu_ns") > (Long) before.get("cpu_ns");
        ask(client, "{'do':'release','slot':1}");
        ask(server, "{'do':'release','slot':1}");
    }

    private static void parts(String pki) {
        String run = "{'do':'run','slot':1,'iterations':12,'warmup':1";
        String prepare = "{'do':'prepare','slot':1,";
        for (String work : List.of("'kind':'primitive','op':'digest','algorithm':'sha256','size':100,'pattern':'tls'}",
                "'kind':'handshake'," + CONNECTION + ",'chain':1,'resumption':'full','mutual':false}",
                "'kind':'bulk'," + CONNECTION + ",'direction':'upload','record':16384,'write':16384,'buffer':65536}")) {
            Desk desk = greeted(pki);
            same(ask(desk, prepare + work).get("is"), "ready");
            Map<String, Object> told = ask(desk, run + ",'part':3}");
            List<String> sides = work.contains("primitive") ? List.of("") : List.of("client_", "server_");
            for (String side : sides) {
                List<?> parts = (List<?>) told.get(side + "parts_ns");
                same(parts.size(), 4);
                long sum = parts.stream().mapToLong(part -> (Long) part).sum();
                // A primitive's clock is read once more for the whole.
                assert side.isEmpty() ? sum <= (Long) told.get("wall_ns") : told.get(side + "ns").equals(sum) : told;
                assert ask(desk, run + "}").get(side + "parts_ns") == null : "parts that nobody asked for";
            }
            ask(desk, prepare + "'threads':2," + work);
            told = ask(desk, run + ",'part':3}");
            same(told.get("iterations"), 24L);
            assert told.get("parts_ns") == null && told.get("client_parts_ns") == null : "parts of threads overlap";
        }
    }

    private static void refusals(String pki) {
        Desk desk = greeted(pki);
        String prepare = "{'do':'prepare','slot':1,'end':'server','kind':'load','resumption':'full','connections':1,"
                + "'client':'java','requests_per_connection':1,'body':1,'work_us':0,'key':'rsa-2048',";
        Map<String, Object> tls12 = ask(desk, prepare
                + "'version':'TLSv1.2','suite':'TLS_DHE_RSA_WITH_AES_128_GCM_SHA256','group':'ffdhe3072'}");
        same(tls12.get("is"), "unsupported");
        Map<String, Object> curve = ask(desk, prepare.replace("rsa-2048", "ecdsa-p256")
                + "'version':'TLSv1.2','suite':'TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256','group':'secp384r1'}");
        same(curve.get("is"), Runtime.version().feature() < 20 ? "unsupported" : "ready");
        Map<String, Object> tls13 = ask(desk, prepare
                + "'version':'TLSv1.3','suite':'TLS_AES_128_GCM_SHA256','group':'ffdhe2048'}");
        same(tls13.get("is"), Runtime.version().feature() < 26 ? "unsupported" : "ready");
    }
}

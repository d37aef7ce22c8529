package tlstax.worker;

import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What the worker keeps between requests, and what it answers to each. */
final class Desk {
    private static final int PROTOCOL = 2;

    private static final String IDLE = "the memory of a connection lies in the JVM's heap, which grows and shrinks as "
            + "the collector decides: the growth of the process says nothing about it";

    /** Bytes of the messages that come before longer ones. */
    private static final long SHORT_MESSAGE = 1024;

    private Pki pki;
    private final Map<Long, Job> jobs = new HashMap<>();

    /** The answer to one line; null to bye. */
    Map<String, Object> answer(String line) {
        Map<String, Object> request;
        try {
            request = Json.read(line);
        } catch (IllegalArgumentException error) {
            return failed(0, JobError.failed("prepare", error.getMessage() + ": " + shortened(line)));
        }
        long slot = request.get("slot") instanceof Long number ? number : 0;
        try {
            return answer(request, slot);
        } catch (JobError error) {
            return failed(slot, error);
        } catch (RuntimeException | StackOverflowError | OutOfMemoryError error) {
            return failed(slot, JobError.failed("run", "the worker: " + JobError.describe(error)));
        }
    }

    private static String shortened(String line) {
        return line.length() > 200 ? line.substring(0, 200) : line;
    }

    private Map<String, Object> answer(Map<String, Object> request, long slot) throws JobError {
        return switch (String.valueOf(request.get("do"))) {
            case "hello" -> {
                pki = new Pki(Params.text(request, "pki"));
                yield hello();
            }
            case "prepare" -> prepare(request, slot);
            case "run" -> run(request, slot);
            case "usage" -> usage(slot);
            case "release" -> {
                drop(slot);
                yield about("released", slot);
            }
            case "bye" -> null;
            default -> throw JobError.failed("prepare", "there is no request '" + request.get("do") + "'");
        };
    }

    private static Map<String, Object> about(String is, long slot) {
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("is", is);
        answer.put("slot", slot);
        return answer;
    }

    static Map<String, Object> failed(long slot, JobError error) {
        Map<String, Object> answer = about(error.isUnsupported() ? "unsupported" : "failed", slot);
        if (error.isUnsupported()) {
            answer.put("reason", error.getMessage());
        } else {
            answer.put("stage", error.stage);
            answer.put("message", error.getMessage());
        }
        return answer;
    }

    private Map<String, Object> hello() {
        Capabilities have = Capabilities.of(pki);
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("is", "hello");
        answer.put("protocol", PROTOCOL);
        answer.put("family", "java");
        answer.put("version", version());
        answer.put("build", build());
        answer.put("cpu", "");
        answer.put("primitives", have.primitives);
        answer.put("patterns", List.of("tls"));
        answer.put("versions", have.versions);
        answer.put("suites", have.suites);
        answer.put("groups", have.groups);
        answer.put("keys", have.keys);
        answer.put("resumptions", have.resumptions);
        answer.put("loads", List.of("response-headers"));
        answer.put("without", Without.now());
        return answer;
    }

    static String version() {
        return "JSSE of " + System.getProperty("java.vm.name").replace(" 64-Bit Server VM", "") + " "
                + System.getProperty("java.runtime.version") + " (" + System.getProperty("java.vendor") + ")";
    }

    private static String build() {
        return System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version") + ", "
                + System.getProperty("java.vm.info") + "; flags: "
                + String.join(" ", ManagementFactory.getRuntimeMXBean().getInputArguments())
                + "; set by the worker: jdk.tls.disabledAlgorithms = " + Main.DISABLED
                + ", jdk.tls.legacyAlgorithms empty, one group by " + OneGroup.how()
                + ", tickets on for ticket and psk only, full handshakes invalidate their session before it is kept";
    }

    private Map<String, Object> prepare(Map<String, Object> request, long slot) throws JobError {
        if (pki == null) {
            throw JobError.failed("prepare", "the first request must be hello");
        }
        // A slot that is prepared anew gives up its threads and ports first.
        drop(slot);
        Job job;
        try {
            job = made(request);
        } catch (JobError error) {
            // The trial run is part of getting ready.
            throw "run".equals(error.stage) ? error.at("prepare") : error;
        } catch (ArithmeticException tooLarge) {
            throw JobError.failed("prepare", "a size is larger than any array of Java");
        }
        jobs.put(slot, job);
        Map<String, Object> answer = about("ready", slot);
        if (job instanceof LoadServer server) {
            answer.put("port", server.port());
        }
        job.proof.write(answer);
        return answer;
    }

    private Job made(Map<String, Object> request) throws JobError {
        int threads = request.containsKey("threads") ? Math.toIntExact(Params.number(request, "threads")) : 1;
        if (threads == 0) {
            throw JobError.failed("prepare", "a case needs at least one thread");
        }
        String kind = Params.text(request, "kind");
        boolean hasEnd = request.containsKey("end");
        if (hasEnd != kind.equals("load")) {
            throw JobError.failed("prepare", hasEnd ? "only a load has ends" : "a load needs an end: client or server");
        }
        return switch (kind) {
            case "primitive" -> primitive(request, threads);
            case "handshake" -> warm(HandshakeJob.prepare(request, threads, pki));
            case "bulk" -> warm(BulkJob.prepare(request, threads, pki));
            case "idle" -> throw JobError.unsupported(IDLE);
            case "load" -> load(request, threads);
            default -> throw JobError.unsupported("this worker does not know cases of the kind '" + kind + "'");
        };
    }

    /**
     * A long message is preceded by shorter ones: the JVM counts calls, and code that is not compiled yet makes too few of
     * them with long messages.
     */
    private Job primitive(Map<String, Object> request, int threads) throws JobError {
        PrimitiveJob job = PrimitiveJob.prepare(request, threads, pki);
        if (Params.number(request, "size") > SHORT_MESSAGE) {
            Map<String, Object> shorter = new HashMap<>(request);
            shorter.put("size", SHORT_MESSAGE);
            Warmup.compiled(PrimitiveJob.prepare(shorter, threads, pki));
        }
        Warmup.compiled(job);
        return job;
    }

    private Job load(Map<String, Object> request, int threads) throws JobError {
        if ("upload".equals(request.get("direction"))) {
            throw JobError.unsupported("loads of this worker are downloads");
        }
        if (Params.word(request, "end", List.of("client", "server")).equals("server")) {
            return LoadServer.prepare(request, threads, pki);
        }
        return warm(LoadClient.prepare(request, Math.toIntExact(Params.number(request, "port")), pki));
    }

    private static Job warm(Job job) throws JobError {
        Warmup.steady(job);
        return job;
    }

    private Map<String, Object> run(Map<String, Object> request, long slot) throws JobError {
        long part = request.containsKey("part") ? Params.number(request, "part") : 0;
        Job.Amount amount =
                new Job.Amount(Params.number(request, "iterations"), Params.number(request, "warmup"), part);
        Job.Batch batch = job(slot).run(amount);
        Map<String, Object> answer = about("sampled", slot);
        batch.sample().write(answer);
        batch.proof().write(answer);
        return answer;
    }

    private Map<String, Object> usage(long slot) throws JobError {
        if (job(slot) instanceof LoadServer server) {
            return server.usage(about("usage", slot));
        }
        throw JobError.failed("run", "only the server's end of a load counts its usage");
    }

    private Job job(long slot) throws JobError {
        Job job = jobs.get(slot);
        if (job == null) {
            throw JobError.failed("run", "no case is prepared in this slot");
        }
        return job;
    }

    private void drop(long slot) {
        Job old = jobs.remove(slot);
        if (old != null) {
            old.release();
        }
    }
}

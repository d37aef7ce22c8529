package tlstax.worker;

import java.util.List;
import java.util.Map;

/** What one batch took; what does not apply is null. */
final class Sample {
    long iterations;
    long wall;
    long cpu;
    Long user;
    Long system;
    long bytes;
    Long client;
    Long clientUser;
    Long clientSystem;
    Long server;
    String latency;
    /** What each part of a batch in one thread took. */
    Parts parts;

    /** What threads took together that did so many iterations each, with so many bytes in each iteration. */
    static Sample of(List<Laps> all, long iterations, long bytes, long shortestPause) {
        Sample sample = new Sample();
        sample.iterations = iterations * all.size();
        sample.bytes = sample.iterations * bytes;
        long from = Long.MAX_VALUE;
        long to = Long.MIN_VALUE;
        for (Laps laps : all) {
            from = Math.min(from, laps.started);
            to = Math.max(to, laps.ended);
            sample.cpu += laps.cpu(shortestPause);
        }
        sample.wall = to - from;
        sample.parts = all.size() == 1 ? all.get(0).parts : null;
        return sample;
    }

    /** Tells what each side took of it. */
    Sample withSides(List<Laps> all) {
        client = all.stream().mapToLong(laps -> laps.client).sum();
        server = all.stream().mapToLong(laps -> laps.server).sum();
        return this;
    }

    void write(Map<String, Object> answer) {
        answer.put("iterations", iterations);
        answer.put("wall_ns", wall);
        answer.put("cpu_ns", cpu);
        answer.put("user_ns", user);
        answer.put("system_ns", system);
        answer.put("bytes", bytes);
        answer.put("client_ns", client);
        answer.put("client_user_ns", clientUser);
        answer.put("client_system_ns", clientSystem);
        answer.put("server_ns", server);
        answer.put("latency", latency);
        if (parts != null) {
            parts.write(answer);
        }
    }
}

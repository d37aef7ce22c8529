package tlstax.worker;

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
    }
}

package tlstax.worker;

import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** What successive parts of a batch took, in lists that were made before it began. */
final class Parts {
    /** Iterations in a part; 0 where none are told. */
    final long each;
    private final long[] whole;
    private final long[] client;
    private final long[] server;
    private int told;
    /** Iterations in the part in hand, and what the sides had taken when it began. */
    private long done;
    private long clientBefore;
    private long serverBefore;
    private boolean hasSides;

    Parts(Job.Amount amount) {
        each = amount.part();
        int room = each == 0 ? 0 : Math.toIntExact(amount.iterations() / each);
        whole = new long[room];
        client = new long[room];
        server = new long[room];
    }

    /** A part of work without sides has taken so long. */
    void took(long time) {
        whole[told++] = time;
    }

    /** An iteration of work with two sides is over, which have taken so long since the batch began. */
    void iterated(long byClient, long byServer) {
        if (++done == each) {
            hasSides = true;
            client[told] = byClient - clientBefore;
            server[told++] = byServer - serverBefore;
            clientBefore = byClient;
            serverBefore = byServer;
            done = 0;
        }
    }

    void write(Map<String, Object> answer) {
        answer.put("parts_ns", hasSides ? null : list(whole));
        answer.put("client_parts_ns", hasSides ? list(client) : null);
        answer.put("server_parts_ns", hasSides ? list(server) : null);
    }

    private List<Long> list(long[] parts) {
        return told == 0 ? null : Arrays.stream(parts, 0, told).boxed().toList();
    }
}

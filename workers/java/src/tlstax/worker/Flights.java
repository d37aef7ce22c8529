package tlstax.worker;

import java.util.ArrayList;
import java.util.List;

/** The bytes of each flight of a handshake, the client's first. */
final class Flights {
    private final List<Long> bytes = new ArrayList<>();
    private long byClient;
    private long byServer;

    /**
     * Takes in what a side has put on the wire since it was last asked. A side that sends more before it hears of the other
     * goes on with its flight.
     */
    void note(boolean server, Wire wire) {
        long total = wire.from(server).total;
        long more = total - (server ? byServer : byClient);
        if (server) {
            byServer = total;
        } else {
            byClient = total;
        }
        if (more == 0) {
            return;
        }
        if (bytes.isEmpty() && server) {
            // A server that begins comes after a flight of nothing.
            bytes.add(0L);
        }
        if (bytes.size() % 2 == (server ? 1 : 0)) {
            bytes.add(more);
        } else {
            bytes.set(bytes.size() - 1, bytes.get(bytes.size() - 1) + more);
        }
    }

    List<Long> bytes() {
        return List.copyOf(bytes);
    }
}

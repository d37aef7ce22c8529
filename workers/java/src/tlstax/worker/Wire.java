package tlstax.worker;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** A transport in memory: two queues of bytes between two ends that live in one thread. */
final class Wire {
    final Queue toServer = new Queue();
    final Queue toClient = new Queue();

    Transport end(boolean server) {
        return server ? new End(toServer, toClient) : new End(toClient, toServer);
    }

    /** What a side has sent and the other has not read. */
    Queue from(boolean server) {
        return server ? toClient : toServer;
    }

    /** Makes the wire as new, but keeps its memory. */
    void reset() {
        toServer.reset();
        toClient.reset();
    }

    private record End(Queue incoming, Queue outgoing) implements Transport {
        @Override
        public int read(ByteBuffer into) {
            return incoming.take(into);
        }

        @Override
        public int write(ByteBuffer from) {
            return outgoing.put(from);
        }
    }

    /** Bytes on their way; the memory is used again once all is read. */
    static final class Queue {
        byte[] bytes = new byte[16 * 1024];
        int read;
        int written;
        boolean ended;
        long total;

        int put(ByteBuffer from) {
            int count = from.remaining();
            if (written + count > bytes.length) {
                bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, written + count));
            }
            from.get(bytes, written, count);
            written += count;
            total += count;
            return count;
        }

        private int take(ByteBuffer into) {
            int count = Math.min(into.remaining(), written - read);
            if (count == 0) {
                return ended ? -1 : 0;
            }
            into.put(bytes, read, count);
            read += count;
            if (read == written) {
                read = 0;
                written = 0;
            }
            return count;
        }

        private void reset() {
            read = 0;
            written = 0;
            total = 0;
            ended = false;
        }
    }
}

package tlstax.worker;

import java.io.IOException;
import java.nio.ByteBuffer;

/** A connection as a load uses it: TLS, or plain HTTP, which shows what everything else costs. */
interface Stream {
    /** The transport has nothing to give or takes nothing now. */
    int AGAIN = -2;

    /** Goes on with the handshake; whether it is complete on this side. */
    boolean handshake() throws IOException;

    /** Reads plaintext: a number of bytes, 0 at the end, or AGAIN. */
    int read(byte[] buffer) throws IOException;

    /** Writes plaintext: bytes accepted, or AGAIN if none. What was accepted and not sent goes with the next call. */
    int write(byte[] data, int offset, int length) throws IOException;

    /** Says that nothing more comes; whether that has gone out. */
    boolean close() throws IOException;

    /** What was negotiated; null without TLS. */
    default Negotiated negotiated() {
        return null;
    }

    /** Ends the connection without a word. */
    default void drop() {
    }

    record Plain(Transport transport) implements Stream {
        @Override
        public boolean handshake() {
            return true;
        }

        @Override
        public int read(byte[] buffer) throws IOException {
            int read = transport.read(ByteBuffer.wrap(buffer));
            return read == 0 ? AGAIN : Math.max(0, read);
        }

        @Override
        public int write(byte[] data, int offset, int length) throws IOException {
            int written = transport.write(ByteBuffer.wrap(data, offset, length));
            return written == 0 && length > 0 ? AGAIN : written;
        }

        @Override
        public boolean close() {
            // The end of the transport says all there is to say.
            return true;
        }
    }
}

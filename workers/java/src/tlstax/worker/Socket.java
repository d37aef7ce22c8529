package tlstax.worker;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;

/** One end of a TCP connection on 127.0.0.1, as a transport and as something that a selector waits for. */
final class Socket implements Transport {
    /** The bytes that are handed to the library at once. */
    private static final int PIECE = 64 * 1024;

    /** What goes through it, with TLS where there is a configuration. */
    final Stream stream;
    private final SocketChannel channel;
    private SelectionKey key;
    /** Whether the last write found no room, so that something waits in the library to be sent. */
    private boolean blocked;
    /** Bytes of the message on its way that the library has taken. */
    private int sent;

    Socket(SocketChannel channel, Config config) throws IOException {
        this.channel = channel;
        stream = config == null ? new Stream.Plain(this) : config.connect(this);
        channel.configureBlocking(false);
        // A response must not wait for the acknowledgement of its first part.
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    }

    void watch(Selector selector, Object whose) throws IOException {
        key = channel.register(selector, SelectionKey.OP_READ, whose);
    }

    /** Whether the connection is there; a client's may still be on its way. */
    boolean isConnected() throws IOException {
        boolean connected = channel.isConnected() || channel.finishConnect();
        want(connected ? SelectionKey.OP_READ : SelectionKey.OP_CONNECT);
        return connected;
    }

    /** Chooses what to wait for, after everything was done that can be done now. */
    void rest() {
        if (channel.isConnected()) {
            want(blocked ? SelectionKey.OP_READ | SelectionKey.OP_WRITE : SelectionKey.OP_READ);
        }
    }

    private void want(int operations) {
        if (key.isValid() && key.interestOps() != operations) {
            key.interestOps(operations);
        }
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
        return channel.read(into);
    }

    @Override
    public int write(ByteBuffer from) throws IOException {
        int written = channel.write(from);
        blocked = from.hasRemaining();
        return written;
    }

    /** Sends a message, or the rest of it; whether all of it has left the library. */
    boolean send(byte[] message) throws IOException {
        while (sent < message.length) {
            int accepted = stream.write(message, sent, Math.min(PIECE, message.length - sent));
            if (accepted == Stream.AGAIN) {
                return false;
            }
            sent += accepted;
        }
        if (blocked) {
            stream.write(message, 0, 0);
        }
        sent = blocked ? sent : 0;
        return !blocked;
    }

    void close() {
        stream.drop();
        try {
            channel.close();
        } catch (IOException gone) {
            // It is closed all the same.
        }
    }
}

package tlstax.worker;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.PublicKey;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.util.Locale;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;

/** One TLS connection: an SSLEngine between a transport and its user. No call blocks. */
final class Connection implements Stream {
    /** No packet buffer grows beyond this; the largest records that JSSE takes are shorter. */
    private static final int LARGEST_BUFFER = 64 * 1024;

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final Config config;
    private final SSLEngine engine;
    private final Transport transport;
    private final int slot;
    private final ServerFlight flight = new ServerFlight();
    private final int record;
    private ByteBuffer incoming;
    private ByteBuffer outgoing;
    /** Plaintext of a record that did not fit into the reader's buffer. */
    private ByteBuffer left = NOTHING;
    private boolean established;
    private IOException broken;
    private boolean refusesSession;

    Connection(Config config, SSLEngine engine, Transport transport, int slot) {
        this.config = config;
        this.engine = engine;
        this.transport = transport;
        this.slot = slot;
        record = config.endpoint.record();
        refusesSession = config.endpoint.isFull();
        int packet = engine.getSession().getPacketBufferSize();
        incoming = ByteBuffer.allocate(packet).limit(0);
        outgoing = ByteBuffer.allocate(packet);
    }

    @Override
    public boolean handshake() throws IOException {
        while (flush()) {
            switch (engine.getHandshakeStatus()) {
                case NEED_TASK -> runTasks();
                case NEED_WRAP -> wrap(NOTHING);
                case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> {
                    if (!unwrapHandshake()) {
                        return false;
                    }
                }
                default -> {
                    established = true;
                    return true;
                }
            }
        }
        return false;
    }

    private boolean unwrapHandshake() throws IOException {
        SSLEngineResult result = engine.unwrap(incoming, NOTHING);
        return switch (result.getStatus()) {
            case OK -> true;
            case BUFFER_UNDERFLOW -> fill();
            case BUFFER_OVERFLOW -> throw new IOException("application data came before the end of the handshake");
            default -> throw new IOException("the peer closed the connection during the handshake");
        };
    }

    private void runTasks() {
        Runnable task;
        while ((task = engine.getDelegatedTask()) != null) {
            task.run();
        }
        refuseSession();
    }

    /** A session that is invalid before the handshake ends is not kept, and no ticket is issued for it. */
    private void refuseSession() {
        if (refusesSession) {
            SSLSession session = engine.getHandshakeSession();
            if (session != null) {
                session.invalidate();
                refusesSession = false;
            }
        }
    }

    /** Reads plaintext: a number of bytes, 0 after the peer's close_notify, or AGAIN. */
    @Override
    public int read(byte[] buffer) throws IOException {
        if (left.hasRemaining()) {
            return takeLeft(buffer);
        }
        if (broken != null) {
            throw broken;
        }
        ByteBuffer into = ByteBuffer.wrap(buffer);
        while (!engine.isInboundDone()) {
            SSLEngineResult result = unwrap(into);
            switch (result.getStatus()) {
                case OK -> attend(result.getHandshakeStatus());
                case BUFFER_UNDERFLOW -> {
                    if (!fill()) {
                        return AGAIN;
                    }
                }
                case BUFFER_OVERFLOW -> into = ByteBuffer.allocate(engine.getSession().getApplicationBufferSize());
                default -> { }
            }
            if (result.bytesProduced() > 0) {
                if (into.array() == buffer) {
                    return result.bytesProduced();
                }
                left = into.flip();
                return takeLeft(buffer);
            }
        }
        return 0;
    }

    /** An engine that has failed says that its input is at the end, as after a close_notify: the failure is kept. */
    private SSLEngineResult unwrap(ByteBuffer into) throws IOException {
        try {
            return engine.unwrap(incoming, into);
        } catch (SSLException error) {
            broken = error;
            throw error;
        }
    }

    private int takeLeft(byte[] buffer) {
        int length = Math.min(buffer.length, left.remaining());
        left.get(buffer, 0, length);
        return length;
    }

    /** What follows from a message after the handshake, such as an answer to it. */
    private void attend(HandshakeStatus status) throws IOException {
        if (status == HandshakeStatus.NEED_TASK) {
            runTasks();
        } else if (status == HandshakeStatus.NEED_WRAP && !engine.isInboundDone() && flush()) {
            wrap(NOTHING);
            flush();
        }
    }

    @Override
    public int write(byte[] data, int offset, int length) throws IOException {
        if (!flush()) {
            return length == 0 ? 0 : AGAIN;
        }
        ByteBuffer from = ByteBuffer.wrap(data, offset, length);
        int end = offset + length;
        while (from.position() < end) {
            from.limit(Math.min(end, from.position() + record));
            wrap(from);
            if (!flush()) {
                break;
            }
        }
        return from.position() - offset;
    }

    /** Sends what is unsent, then close_notify; whether all of it has gone. */
    @Override
    public boolean close() throws IOException {
        engine.closeOutbound();
        while (flush()) {
            if (engine.isOutboundDone()) {
                return true;
            }
            wrap(NOTHING);
        }
        return false;
    }

    /** Makes one record; there is room for it, because the last one has been sent. */
    private void wrap(ByteBuffer from) throws IOException {
        SSLEngineResult result = engine.wrap(from, outgoing);
        if (result.getStatus() == SSLEngineResult.Status.BUFFER_OVERFLOW) {
            outgoing = ByteBuffer.allocate(larger(outgoing.capacity()));
        } else if (result.getStatus() == SSLEngineResult.Status.CLOSED && from.hasRemaining()) {
            throw new IOException("the connection is closed");
        }
    }

    /** Hands what is encrypted to the transport; whether all of it was taken. */
    private boolean flush() throws IOException {
        if (outgoing.position() == 0) {
            return true;
        }
        outgoing.flip();
        int begin = outgoing.position();
        transport.write(outgoing);
        if (config.server && !established) {
            flight.add(outgoing.array(), begin, outgoing.position() - begin);
        }
        outgoing.compact();
        return outgoing.position() == 0;
    }

    /** Takes more from the transport; false if there is nothing now. */
    private boolean fill() throws IOException {
        if (incoming.remaining() == incoming.capacity()) {
            incoming = ByteBuffer.allocate(larger(incoming.capacity())).put(incoming).flip();
        }
        int begin = incoming.remaining();
        incoming.compact();
        int read;
        try {
            read = transport.read(incoming);
        } finally {
            incoming.flip();
        }
        if (read < 0) {
            throw new EOFException("the transport ended without a close_notify");
        }
        if (!config.server && !established) {
            flight.add(incoming.array(), begin, read);
        }
        return read > 0;
    }

    private int larger(int capacity) throws IOException {
        int wanted = Math.max(2 * capacity, engine.getSession().getPacketBufferSize());
        if (wanted > LARGEST_BUFFER) {
            throw new IOException("a record is longer than TLS allows");
        }
        return wanted;
    }

    /** What the library says; the group and whether the session was resumed it does not, so the wire is asked. */
    @Override
    public Negotiated negotiated() {
        SSLSession session = engine.getSession();
        flight.read();
        return new Negotiated(session.getProtocol(), Suite.iana(session.getCipherSuite()), flight.group,
                config.server ? null : serverKey(session), flight.resumed(), flight.ticketWithoutLifetime);
    }

    private static String serverKey(SSLSession session) {
        try {
            return kind(session.getPeerCertificates()[0].getPublicKey());
        } catch (SSLPeerUnverifiedException none) {
            return null;
        }
    }

    /** The kind of a public key in the words of the vocabulary. */
    static String kind(PublicKey key) {
        if (key instanceof RSAPublicKey rsa) {
            return "rsa-" + rsa.getModulus().bitLength();
        }
        if (key instanceof ECPublicKey ec) {
            return "ecdsa-p" + ec.getParams().getCurve().getField().getFieldSize();
        }
        return key.getAlgorithm().equals("EdDSA") ? "ed25519" : key.getAlgorithm().toLowerCase(Locale.ROOT);
    }

    /** Ends the connection without a word; a session made in it stays usable. */
    @Override
    public void drop() {
        config.returnSlot(slot);
    }
}

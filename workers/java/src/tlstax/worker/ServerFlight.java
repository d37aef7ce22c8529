package tlstax.worker;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The server's messages in the clear, kept while the handshake lasts and read after it: JSSE tells neither the group
 * nor whether a session was resumed.
 */
final class ServerFlight {
    /** More than the clear part of any handshake here: three RSA certificates of TLS 1.2 are below 6 KiB. */
    private static final int MOST = 32 * 1024;

    private static final int HANDSHAKE = 22;
    private static final int SERVER_HELLO = 2;
    private static final int NEW_SESSION_TICKET = 4;
    private static final int CERTIFICATE = 11;
    private static final int SERVER_KEY_EXCHANGE = 12;
    private static final int PRE_SHARED_KEY = 41;
    private static final int KEY_SHARE = 51;
    private static final int NAMED_CURVE = 3;

    /** The second eight bytes of every prime of RFC 7919. */
    private static final long FFDHE = 0xadf85458a2bb4a9aL;

    private byte[] bytes = new byte[4096];
    private int length;
    private boolean isTls13;
    private boolean certificate;
    private boolean preSharedKey;
    /** Whether the server has sent a ticket of TLS 1.2 and left its lifetime open (RFC 5077 3.3). */
    boolean ticketWithoutLifetime;
    /** Of the key exchange; null if there was none. */
    String group;

    void add(byte[] more, int offset, int count) {
        int taken = Math.min(count, MOST - length);
        if (length + taken > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, length + taken));
        }
        System.arraycopy(more, offset, bytes, length, taken);
        length += taken;
    }

    /** In TLS 1.3 the server selects a pre-shared key; in TLS 1.2 it leaves its certificate away. */
    boolean resumed() {
        return isTls13 ? preSharedKey : !certificate;
    }

    /** Reads what was kept, once. */
    void read() {
        ByteBuffer messages = messages();
        while (messages.remaining() >= 4) {
            int head = messages.getInt();
            int size = head & 0xffffff;
            if (size > messages.remaining()) {
                return;
            }
            message(head >>> 24, messages.slice(messages.position(), size));
            messages.position(messages.position() + size);
        }
    }

    /** The handshake messages up to the first record that is encrypted. */
    private ByteBuffer messages() {
        ByteBuffer records = ByteBuffer.wrap(bytes, 0, length);
        ByteBuffer messages = ByteBuffer.allocate(length);
        while (records.remaining() >= 5) {
            int type = records.get();
            records.getShort();
            int size = records.getShort() & 0xffff;
            if (size > records.remaining() || type != HANDSHAKE) {
                break;
            }
            messages.put(records.slice(records.position(), size));
            records.position(records.position() + size);
        }
        return messages.flip();
    }

    private void message(int type, ByteBuffer body) {
        if (type == SERVER_HELLO) {
            serverHello(body);
        } else if (type == NEW_SESSION_TICKET) {
            ticketWithoutLifetime = body.getInt(0) == 0;
        } else if (type == CERTIFICATE) {
            certificate = true;
        } else if (type == SERVER_KEY_EXCHANGE) {
            serverKeyExchange(body);
        }
    }

    /** RFC 8446 4.1.3: version, random, session id, suite, compression, extensions. */
    private void serverHello(ByteBuffer body) {
        body.position(2 + 32);
        body.position(body.position() + 1 + body.get(body.position()));
        body.position(body.position() + 3);
        if (body.remaining() < 2) {
            return;
        }
        body.getShort();
        while (body.remaining() >= 4) {
            int extension = body.getShort() & 0xffff;
            int size = body.getShort() & 0xffff;
            if (extension == KEY_SHARE) {
                isTls13 = true;
                group = named(body.getShort(body.position()) & 0xffff);
            } else if (extension == PRE_SHARED_KEY) {
                isTls13 = true;
                preSharedKey = true;
            }
            body.position(body.position() + size);
        }
    }

    /** RFC 8422 5.4 begins with the type of the curve, RFC 5246 7.4.3 with the length of the prime. */
    private void serverKeyExchange(ByteBuffer body) {
        if (body.get(0) == NAMED_CURVE) {
            group = named(body.getShort(1) & 0xffff);
            return;
        }
        int prime = body.getShort(0) & 0xffff;
        boolean known = prime > 16 && body.getLong(2 + 8) == FFDHE;
        group = known ? "ffdhe" + 8 * prime : "a finite field of " + 8 * prime + " bits";
    }

    /** A code point of the IANA registry "TLS Supported Groups". */
    private static String named(int code) {
        return switch (code) {
            case 0x001d -> "X25519";
            case 0x0017 -> "secp256r1";
            case 0x0018 -> "secp384r1";
            case 0x0019 -> "secp521r1";
            case 0x0100 -> "ffdhe2048";
            case 0x0101 -> "ffdhe3072";
            case 0x11eb -> "SecP256r1MLKEM768";
            case 0x11ec -> "X25519MLKEM768";
            case 0x11ed -> "SecP384r1MLKEM1024";
            default -> String.format("group 0x%04x", code);
        };
    }
}

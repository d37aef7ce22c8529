package tlstax.worker;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;

/** The little HTTP/1.1 that a load needs: GET without a body, a response with a Content-Length. */
final class Http {
    /** A head longer than this is refused; ours have less than 100 bytes beside the padding. */
    private static final int LONGEST_HEAD = 16 * 1024;

    /** The field that makes the head of a response longer. */
    private static final String PADDING = "x-tlstax-padding";

    /** The bytes of its line beside the value. */
    private static final int PADDING_LINE = PADDING.length() + ": ".length() + "\r\n".length();

    private static final byte[] END = bytes("\r\n\r\n");

    private Http() {
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    private static String close(boolean last) {
        return last ? "Connection: close\r\n" : "";
    }

    /** A request, with or without the wish that it is the last one on its connection. */
    static byte[] request(boolean last) {
        return bytes("GET / HTTP/1.1\r\nHost: " + Pki.SERVER_NAME + "\r\n" + close(last) + "\r\n");
    }

    /**
     * A whole response with a body of so many bytes, which are not all the same, and a line of padding of so many bytes in its
     * head.
     */
    static byte[] response(int body, int padding, boolean last) {
        String line = padding == 0 ? "" : PADDING + ": " + "X".repeat(padding - PADDING_LINE) + "\r\n";
        byte[] head = bytes("HTTP/1.1 200 OK\r\nContent-Length: " + body + "\r\n" + line + close(last) + "\r\n");
        byte[] response = Arrays.copyOf(head, head.length + body);
        for (int i = 0; i < body; i++) {
            response[head.length + i] = (byte) (i % 251);
        }
        return response;
    }

    /**
     * The head of a message.
     *
     * @param length its length in bytes
     * @param body the bytes of the body, as it says
     * @param padding the bytes of the line of padding; 0 where there is none
     * @param last whether the connection is closed after the response
     */
    record Head(int length, long body, int padding, boolean last) { }

    /** Reads the head of a request; null if it is not complete yet. */
    static Head parseRequest(byte[] bytes, int available) throws IOException {
        String head = head(bytes, available);
        if (head == null) {
            return null;
        }
        String transfer = header(head, "transfer-encoding");
        if (!head.startsWith("GET ") || !head.contains(" HTTP/1.") || length(head, 0) != 0 || !transfer.isEmpty()) {
            throw new IOException("not a request of a load");
        }
        return new Head(head.length(), 0, 0, closes(head));
    }

    /** Reads the head of a response; null if it is not complete yet. */
    static Head parseResponse(byte[] bytes, int available) throws IOException {
        String head = head(bytes, available);
        if (head == null) {
            return null;
        }
        if (!head.startsWith("HTTP/1.") || !head.startsWith(" 200", 8)) {
            throw new IOException("not a response with status 200: " + head.lines().findFirst().orElse(""));
        }
        long body = length(head, -1);
        if (body < 0) {
            throw new IOException("a response without a Content-Length");
        }
        String value = header(head, PADDING);
        int padding = value.isEmpty() ? 0 : PADDING_LINE + value.length();
        return new Head(head.length(), body, padding, closes(head));
    }

    private static String head(byte[] bytes, int available) throws IOException {
        int searched = Math.min(available, LONGEST_HEAD);
        for (int i = 0; i + END.length <= searched; i++) {
            if (bytes[i] == '\r' && Arrays.equals(bytes, i, i + END.length, END, 0, END.length)) {
                return new String(bytes, 0, i + END.length, StandardCharsets.ISO_8859_1);
            }
        }
        if (available >= LONGEST_HEAD) {
            throw new IOException("a head of more than " + LONGEST_HEAD + " bytes");
        }
        return null;
    }

    private static long length(String head, long absent) throws IOException {
        String value = header(head, "content-length");
        try {
            return value.isEmpty() ? absent : Long.parseUnsignedLong(value);
        } catch (NumberFormatException error) {
            throw new IOException("the Content-Length is no number");
        }
    }

    /** HTTP/1.1 keeps the connection unless told otherwise; HTTP/1.0 closes it (RFC 9112 9.3). */
    private static boolean closes(String head) {
        String told = header(head, "connection");
        boolean old = head.indexOf("HTTP/1.0") >= 0 && head.indexOf("HTTP/1.0") < head.indexOf('\r');
        return told.contains("close") || old && !told.contains("keep-alive");
    }

    /** The value of a header in lower case; empty if there is none. */
    private static String header(String head, String name) {
        int line = head.indexOf("\r\n");
        while (line >= 0 && line + 2 < head.length()) {
            int begin = line + 2;
            line = head.indexOf("\r\n", begin);
            if (head.regionMatches(true, begin, name, 0, name.length()) && head.charAt(begin + name.length()) == ':') {
                return head.substring(begin + name.length() + 1, line).trim().toLowerCase(Locale.ROOT);
            }
        }
        return "";
    }
}

package tlstax.worker;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;

/** The fixed inputs of primitives: the same bytes for every library, so that each must give the same answer. */
final class Inputs {
    final byte[] key = fixed(64, 29, 11);
    final byte[] macKey = fixed(64, 53, 7);
    final byte[] iv = fixed(16, 19, 5);
    final byte[] additionalData;
    final byte[] message;
    final byte[] signature;
    final byte[] privateKey;
    final byte[] peer;
    final Pki pki;
    /** The known answer; null where the output is random or the size has none. */
    final byte[] known;

    Inputs(Algorithms.Algorithm algorithm, String operation, int size, Pki pki) throws JobError {
        this.pki = pki;
        message = message(algorithm, size, pki);
        additionalData = additionalData(message.length);
        Map<?, ?> vector = vector(algorithm.name() + ":" + operation);
        signature = hex(vector, "signature");
        privateKey = hex(vector, "private_key");
        peer = hex(vector, "peer");
        Map<?, ?> answers = vector.get("answers") instanceof Map<?, ?> map ? map : Map.of();
        Object answer = answers.get(Integer.toString(size));
        byte[] listed = answer == null ? null : HexFormat.of().parseHex((String) answer);
        known = operation.equals("decrypt") ? message : listed;
    }

    private static byte[] message(Algorithms.Algorithm algorithm, int size, Pki pki) throws JobError {
        try {
            return switch (algorithm.name()) {
                case "ca-bundle" -> pki.file("ca-bundle.pem");
                case "certificate" -> pki.file("certificate.der");
                default -> algorithm.kind().equals("signature") ? signedContent() : blocks(size, algorithm.block());
            };
        } catch (IOException error) {
            throw JobError.failed("prepare", "reading the inputs", error);
        }
    }

    /** A message of so many bytes, rounded up to whole blocks. */
    private static byte[] blocks(int size, int block) {
        return fixed((size + block - 1) / block * block, 167, 13);
    }

    /** What a TLS 1.3 server signs (RFC 8446 4.4.3), with a fixed transcript hash. */
    private static byte[] signedContent() {
        byte[] content = new byte[130];
        Arrays.fill(content, 0, 64, (byte) ' ');
        byte[] context = "TLS 1.3, server CertificateVerify\0".getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(context, 0, content, 64, context.length);
        System.arraycopy(fixed(32, 31, 17), 0, content, 98, 32);
        return content;
    }

    private static byte[] fixed(int length, int step, int start) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) (i * step + start);
        }
        return bytes;
    }

    /** A TLS 1.2 record's: sequence number 0, type, version, length of the message. */
    private static byte[] additionalData(int length) {
        int told = Math.min(length, 0xffff);
        return new byte[] {0, 0, 0, 0, 0, 0, 0, 0, 23, 3, 3, (byte) (told >> 8), (byte) told};
    }

    private static byte[] hex(Map<?, ?> vector, String field) {
        return vector.get(field) instanceof String text ? HexFormat.of().parseHex(text) : new byte[0];
    }

    private static Map<?, ?> vector(String name) {
        return Vectors.ALL.get(name) instanceof Map<?, ?> vector ? vector : Map.of();
    }

    /** What independent implementations compute from the fixed inputs, read when it is first needed. */
    private static final class Vectors {
        static final Map<String, Object> ALL = read();

        private static Map<String, Object> read() {
            try (InputStream file = Inputs.class.getResourceAsStream("/known_answers.json")) {
                return Json.read(new String(file.readAllBytes(), StandardCharsets.UTF_8));
            } catch (IOException error) {
                throw new UncheckedIOException(error);
            }
        }
    }
}

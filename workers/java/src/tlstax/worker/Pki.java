package tlstax.worker;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The test certificates and keys. A file is read once: a context that is made for each connection must not measure the
 * file system. Parsing is done anew each time, and is part of making a context.
 */
final class Pki {
    static final String SERVER_NAME = "server.test";

    private final Path directory;
    private final Map<String, byte[]> read = new ConcurrentHashMap<>();

    Pki(String directory) {
        this.directory = Path.of(directory);
    }

    byte[] file(String name) throws IOException {
        byte[] known = read.get(name);
        if (known != null) {
            return known;
        }
        byte[] bytes = Files.readAllBytes(directory.resolve(name));
        read.put(name, bytes);
        return bytes;
    }

    Certificate[] certificates(String key, String name) throws IOException, GeneralSecurityException {
        ByteArrayInputStream pem = new ByteArrayInputStream(file(key + "/" + name));
        return CertificateFactory.getInstance("X.509").generateCertificates(pem).toArray(Certificate[]::new);
    }

    PrivateKey privateKey(String key, String name) throws IOException, GeneralSecurityException {
        PKCS8EncodedKeySpec encoded = new PKCS8EncodedKeySpec(der(file(key + "/" + name)));
        return KeyFactory.getInstance(algorithm(key)).generatePrivate(encoded);
    }

    /** What JCA calls the algorithm of a kind of key. */
    static String algorithm(String key) {
        if (key.startsWith("rsa-")) {
            return "RSA";
        }
        if (key.startsWith("ecdsa-")) {
            return "EC";
        }
        return key.equals("ed25519") ? "Ed25519" : key.toUpperCase(Locale.ROOT);
    }

    /** The bytes between the first pair of armour lines. */
    private static byte[] der(byte[] pem) {
        String text = new String(pem, StandardCharsets.US_ASCII);
        int begin = text.indexOf('\n', text.indexOf("-----BEGIN ")) + 1;
        int end = text.indexOf("-----END ", begin);
        return Base64.getMimeDecoder().decode(text.substring(begin, end));
    }
}

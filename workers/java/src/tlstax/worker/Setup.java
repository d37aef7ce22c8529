package tlstax.worker;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.Collection;
import javax.net.ssl.TrustManagerFactory;

/** What is set up before connections: contexts, trusted roots, certificates. */
final class Setup {
    /** What most servers are configured for: a chain of two, and one of each of the rest. */
    private static final Params USUAL = new Params("TLSv1.3", Suite.ALL.get(0), "X25519", "ecdsa-p256");

    private Setup() {
    }

    static Operation operation(String name, Inputs inputs) throws GeneralSecurityException {
        return switch (name) {
            case "ca-bundle" -> Operation.of(() -> load(inputs.message),
                    () -> ByteBuffer.allocate(4).putInt(load(inputs.message)).array());
            case "certificate" -> {
                Parser parser = new Parser(inputs.message);
                yield Operation.of(parser::next, () -> serial(parser.next()));
            }
            default -> context(name.startsWith("server"), inputs.pki);
        };
    }

    /** A context that is made and dropped. */
    private static Operation context(boolean server, Pki pki) {
        Endpoint endpoint = new Endpoint(USUAL, 2, "full", false, Endpoint.LARGEST_RECORD, pki);
        return Operation.of(() -> new Config(server, endpoint), () -> {
            new Config(server, endpoint);
            return Operation.CHECKED;
        });
    }

    /** What a client verifies with, from so many roots. */
    static TrustManagerFactory trust(Collection<? extends Certificate> roots)
            throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        int number = 0;
        for (Certificate root : roots) {
            store.setCertificateEntry("root-" + number++, root);
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        return trust;
    }

    /** Many roots, from PEM into what a client verifies with; how many there are. */
    private static int load(byte[] pem) throws GeneralSecurityException, IOException {
        CertificateFactory factory = CertificateFactory.getInstance("X.509");
        forget(factory);
        Collection<? extends Certificate> roots = factory.generateCertificates(new ByteArrayInputStream(pem));
        trust(roots);
        return roots.size();
    }

    /** Without this every load but the first would find each certificate in the factory's cache. */
    private static void forget(CertificateFactory factory) {
        try {
            factory.generateCertificate(null);
        } catch (CertificateException cleared) {
            // The factory of the JDK empties its cache and then misses its input.
        }
    }

    /**
     * One certificate, from DER. The factory keeps certificates by their bytes, so each one differs from all before it
     * in the last bytes of its signature, which parsing does not look at.
     */
    private static final class Parser {
        private final byte[] der;
        private final CertificateFactory factory;
        private long number;

        Parser(byte[] der) throws GeneralSecurityException {
            this.der = der.clone();
            factory = CertificateFactory.getInstance("X.509");
            number = System.nanoTime();
        }

        X509Certificate next() throws GeneralSecurityException {
            number++;
            for (int at = 1; at <= 8; at++) {
                der[der.length - at] = (byte) (number >>> (8 * at - 8));
            }
            return (X509Certificate) factory.generateCertificate(new ByteArrayInputStream(der));
        }
    }

    private static byte[] serial(X509Certificate parsed) {
        byte[] serial = parsed.getSerialNumber().toByteArray();
        boolean padded = serial[0] == 0 && serial.length > 1;
        return padded ? Arrays.copyOfRange(serial, 1, serial.length) : serial;
    }
}

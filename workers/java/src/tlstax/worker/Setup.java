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

    static Operation operation(String name, Inputs inputs) throws GeneralSecurityException, JobError {
        switch (name) {
            case "ca-bundle":
                return new Bundle(inputs.message);
            case "certificate":
                return new Parse(inputs.message);
            default:
                return new Context(name.startsWith("server"), inputs.pki);
        }
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

    /** A context that is made and dropped. */
    private static final class Context implements Operation {
        private final boolean server;
        private final Endpoint endpoint;

        Context(boolean server, Pki pki) {
            this.server = server;
            endpoint = new Endpoint(USUAL, 2, "full", false, Endpoint.LARGEST_RECORD, pki);
        }

        @Override
        public void run(long n) throws JobError {
            for (long i = 0; i < n; i++) {
                new Config(server, endpoint);
            }
        }

        @Override
        public byte[] answer() throws JobError {
            run(1);
            return CHECKED;
        }
    }

    /** Many roots, from PEM into what a client verifies with. */
    private static final class Bundle implements Operation {
        private final byte[] pem;
        private int count;

        Bundle(byte[] pem) {
            this.pem = pem;
        }

        @Override
        public void run(long n) throws GeneralSecurityException, IOException {
            for (long i = 0; i < n; i++) {
                CertificateFactory factory = CertificateFactory.getInstance("X.509");
                forget(factory);
                Collection<? extends Certificate> roots = factory.generateCertificates(new ByteArrayInputStream(pem));
                count = roots.size();
                trust(roots);
            }
        }

        /** Without this every load but the first would find each certificate in the factory's cache. */
        private static void forget(CertificateFactory factory) {
            try {
                factory.generateCertificate(null);
            } catch (CertificateException cleared) {
                // The factory of the JDK empties its cache and then misses its input.
            }
        }

        @Override
        public byte[] answer() throws GeneralSecurityException, IOException {
            run(1);
            return ByteBuffer.allocate(4).putInt(count).array();
        }
    }

    /**
     * One certificate, from DER. The factory keeps certificates by their bytes, so each one differs from all before it
     * in the last bytes of its signature, which parsing does not look at.
     */
    private static final class Parse implements Operation {
        private final byte[] der;
        private final CertificateFactory factory;
        private X509Certificate parsed;
        private long number;

        Parse(byte[] der) throws GeneralSecurityException {
            this.der = der.clone();
            factory = CertificateFactory.getInstance("X.509");
            number = System.nanoTime();
        }

        @Override
        public void run(long n) throws GeneralSecurityException {
            for (long i = 0; i < n; i++) {
                number++;
                for (int at = 1; at <= 8; at++) {
                    der[der.length - at] = (byte) (number >>> (8 * at - 8));
                }
                parsed = (X509Certificate) factory.generateCertificate(new ByteArrayInputStream(der));
            }
        }

        @Override
        public byte[] answer() throws GeneralSecurityException {
            run(1);
            byte[] serial = parsed.getSerialNumber().toByteArray();
            boolean padded = serial[0] == 0 && serial.length > 1;
            return padded ? Arrays.copyOfRange(serial, 1, serial.length) : serial;
        }
    }
}

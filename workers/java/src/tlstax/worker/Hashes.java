package tlstax.worker;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Message digests and message authentication codes. */
final class Hashes {
    private Hashes() {
    }

    /** What JCA calls a hash: sha256 is SHA-256. */
    private static String jca(String name) {
        return name.equals("md5") ? "MD5" : "SHA-" + name.substring(3);
    }

    /** Update and finish on one object. */
    static final class Digest implements Operation {
        private final MessageDigest digest;
        private final byte[] message;
        private final byte[] output;

        Digest(String name, Inputs inputs) throws GeneralSecurityException {
            digest = MessageDigest.getInstance(jca(name));
            message = inputs.message;
            output = new byte[digest.getDigestLength()];
        }

        @Override
        public void run(long n) throws GeneralSecurityException {
            for (long i = 0; i < n; i++) {
                digest.update(message, 0, message.length);
                digest.digest(output, 0, output.length);
            }
        }

        @Override
        public byte[] answer() throws GeneralSecurityException {
            run(1);
            return output.clone();
        }
    }

    /** The key is set once, each message starts anew. */
    static final class Hmac implements Operation {
        private final Mac mac;
        private final byte[] message;
        private final byte[] output;

        Hmac(String name, Inputs inputs) throws GeneralSecurityException {
            mac = Mac.getInstance("HmacSHA" + name.substring("hmac-sha".length()));
            mac.init(new SecretKeySpec(inputs.macKey, 0, mac.getMacLength(), mac.getAlgorithm()));
            message = inputs.message;
            output = new byte[mac.getMacLength()];
        }

        @Override
        public void run(long n) throws GeneralSecurityException {
            for (long i = 0; i < n; i++) {
                mac.update(message, 0, message.length);
                mac.doFinal(output, 0);
            }
        }

        @Override
        public byte[] answer() throws GeneralSecurityException {
            run(1);
            return output.clone();
        }
    }
}

package tlstax.worker;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.SignatureException;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.PSSParameterSpec;

/** Signatures of TLS 1.3: a new object for each, as JSSE makes one. */
final class Signatures {
    private static final PSSParameterSpec PSS =
            new PSSParameterSpec("SHA-256", "MGF1", MGF1ParameterSpec.SHA256, 32, 1);

    private Signatures() {
    }

    private static Signature begun(String name) throws GeneralSecurityException {
        if (name.startsWith("rsa-")) {
            Signature signature = Signature.getInstance("RSASSA-PSS");
            signature.setParameter(PSS);
            return signature;
        }
        switch (name) {
            case "ecdsa-p256":
                return Signature.getInstance("SHA256withECDSA");
            case "ecdsa-p384":
                return Signature.getInstance("SHA384withECDSA");
            case "ed25519":
                return Signature.getInstance("Ed25519");
            default:
                return Signature.getInstance(Pki.algorithm(name));
        }
    }

    /** JDKs that have them differ in the form of their keys. */
    private static void refusePostQuantum(String name) throws JobError, GeneralSecurityException {
        if (!name.contains("-dsa-")) {
            return;
        }
        begun(name);
        throw JobError.unsupported("this worker is for the interfaces of JDK 17, which have no " + name);
    }

    private static PublicKey publicKey(String name, Pki pki) throws GeneralSecurityException, IOException {
        return pki.certificates(name, "server-1.pem")[0].getPublicKey();
    }

    private static boolean verifies(String name, PublicKey key, byte[] message, byte[] signature)
            throws GeneralSecurityException {
        Signature verifying = begun(name);
        verifying.initVerify(key);
        verifying.update(message);
        return verifying.verify(signature);
    }

    /** Signing with the server's key. */
    static final class Sign implements Operation {
        private final String name;
        private final PrivateKey key;
        private final PublicKey publicKey;
        private final byte[] message;

        Sign(String name, Inputs inputs) throws GeneralSecurityException, IOException, JobError {
            refusePostQuantum(name);
            this.name = name;
            key = inputs.pki.privateKey(name, "server.key");
            publicKey = Signatures.publicKey(name, inputs.pki);
            message = inputs.message;
        }

        @Override
        public void run(long n) throws GeneralSecurityException {
            for (long i = 0; i < n; i++) {
                sign();
            }
        }

        private byte[] sign() throws GeneralSecurityException {
            Signature signing = begun(name);
            signing.initSign(key);
            signing.update(message);
            return signing.sign();
        }

        @Override
        public byte[] answer() throws GeneralSecurityException {
            byte[] signature = sign();
            if (!verifies(name, publicKey, message, signature)) {
                throw new SignatureException("the library does not verify its own signature");
            }
            return Algorithms.isFixed(name, "sign") ? signature : CHECKED;
        }
    }

    /** Verifying a signature that another implementation made. */
    static final class Verify implements Operation {
        private final String name;
        private final PublicKey key;
        private final byte[] message;
        private final byte[] signature;

        Verify(String name, Inputs inputs) throws GeneralSecurityException, IOException, JobError {
            refusePostQuantum(name);
            this.name = name;
            key = publicKey(name, inputs.pki);
            message = inputs.message;
            signature = inputs.signature;
        }

        @Override
        public void run(long n) throws GeneralSecurityException {
            for (long i = 0; i < n; i++) {
                if (!verifies(name, key, message, signature)) {
                    throw new SignatureException("the signature does not verify");
                }
            }
        }

        @Override
        public byte[] answer() throws GeneralSecurityException {
            refuseForgery();
            run(1);
            return CHECKED;
        }

        /** The last byte belongs to a number in every format, never to a tag or a length. */
        private void refuseForgery() throws GeneralSecurityException {
            byte[] forged = signature.clone();
            forged[forged.length - 1] ^= 1;
            boolean passes;
            try {
                passes = verifies(name, key, message, forged);
            } catch (SignatureException refused) {
                return;
            }
            if (passes) {
                throw new SignatureException("a signature with one bit changed passes");
            }
        }
    }
}

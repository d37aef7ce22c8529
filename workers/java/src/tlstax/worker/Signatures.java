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

    /** Signing with the server's key, or verifying a signature that another implementation made with it. */
    static Operation operation(String name, boolean sign, Inputs inputs)
            throws GeneralSecurityException, IOException, JobError {
        refusePostQuantum(name);
        PublicKey publicKey = inputs.pki.certificates(name, "server-1.pem")[0].getPublicKey();
        byte[] message = inputs.message;
        if (!sign) {
            return Operation.of(() -> verify(name, publicKey, message, inputs.signature), () -> {
                refuseForgery(name, publicKey, message, inputs.signature);
                verify(name, publicKey, message, inputs.signature);
                return Operation.CHECKED;
            });
        }
        PrivateKey key = inputs.pki.privateKey(name, "server.key");
        return Operation.of(() -> sign(name, key, message), () -> {
            byte[] signature = sign(name, key, message);
            if (!verifies(name, publicKey, message, signature)) {
                throw new SignatureException("the library does not verify its own signature");
            }
            return Algorithms.isFixed(name, "sign") ? signature : Operation.CHECKED;
        });
    }

    private static Signature begun(String name) throws GeneralSecurityException {
        if (name.startsWith("rsa-")) {
            Signature signature = Signature.getInstance("RSASSA-PSS");
            signature.setParameter(PSS);
            return signature;
        }
        return Signature.getInstance(switch (name) {
            case "ecdsa-p256" -> "SHA256withECDSA";
            case "ecdsa-p384" -> "SHA384withECDSA";
            default -> Pki.algorithm(name);
        });
    }

    /** JDKs that have them differ in the form of their keys. */
    private static void refusePostQuantum(String name) throws JobError, GeneralSecurityException {
        if (!name.contains("-dsa-")) {
            return;
        }
        begun(name);
        throw JobError.unsupported("this worker is for the interfaces of JDK 17, which have no " + name);
    }

    private static byte[] sign(String name, PrivateKey key, byte[] message) throws GeneralSecurityException {
        Signature signing = begun(name);
        signing.initSign(key);
        signing.update(message);
        return signing.sign();
    }

    private static boolean verifies(String name, PublicKey key, byte[] message, byte[] signature)
            throws GeneralSecurityException {
        Signature verifying = begun(name);
        verifying.initVerify(key);
        verifying.update(message);
        return verifying.verify(signature);
    }

    private static Void verify(String name, PublicKey key, byte[] message, byte[] signature)
            throws GeneralSecurityException {
        if (!verifies(name, key, message, signature)) {
            throw new SignatureException("the signature does not verify");
        }
        return null;
    }

    /** The last byte belongs to a number in every format, never to a tag or a length. */
    private static void refuseForgery(String name, PublicKey key, byte[] message, byte[] signature)
            throws GeneralSecurityException {
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

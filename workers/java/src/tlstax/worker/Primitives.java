package tlstax.worker;

import java.security.GeneralSecurityException;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import javax.crypto.NoSuchPaddingException;

/** Sets operations up with JCA and JCE, the interfaces that JSSE itself uses. */
final class Primitives {
    private Primitives() {
    }

    static Operation operation(Algorithms.Algorithm algorithm, String operation, String pattern, Inputs inputs)
            throws JobError {
        if (!pattern.equals("tls")) {
            throw JobError.unsupported("the JDK has no counterpart of the call pattern '" + pattern + "'");
        }
        try {
            return make(algorithm, operation, inputs);
        } catch (NoSuchAlgorithmException | NoSuchPaddingException absent) {
            throw JobError.unsupported("JDK " + Runtime.version().feature() + " has no " + algorithm.name()
                    + " for applications: " + absent.getMessage());
        } catch (Exception error) {
            throw JobError.failed("prepare", algorithm.name() + ":" + operation, error);
        }
    }

    private static Operation make(Algorithms.Algorithm algorithm, String operation, Inputs inputs) throws Exception {
        String name = algorithm.name();
        boolean encrypt = operation.equals("encrypt");
        return switch (algorithm.kind()) {
            case "aead" -> new Aead(name, encrypt, inputs);
            case "cipher" -> cipher(name, encrypt, inputs);
            case "hash" -> new Hashes.Digest(name, inputs);
            case "mac" -> new Hashes.Hmac(name, inputs);
            case "kdf" -> Hkdf.operation(name, inputs);
            case "signature" -> Signatures.operation(name, operation.equals("sign"), inputs);
            case "agreement" -> operation.equals("keygen") ? Agreements.keygen(name) : Agreements.derive(name, inputs);
            case "setup" -> Setup.operation(name, inputs);
            default -> throw JobError.unsupported("this worker is for the interfaces of JDK 17, which have no " + name);
        };
    }

    private static Operation cipher(String name, boolean encrypt, Inputs inputs) throws GeneralSecurityException {
        if (name.equals("rc4")) {
            return new Rc4(encrypt, inputs);
        }
        return name.contains("hmac") ? new CbcHmac(name, encrypt, inputs) : new Cbc(name, encrypt, inputs);
    }

    /** Holds the operation against what independent implementations compute. */
    static void checkKnownAnswers(Algorithms.Algorithm algorithm, String operation, Pki pki) throws JobError {
        for (int size : algorithm.knownSizes()) {
            Inputs inputs = new Inputs(algorithm, operation, size, pki);
            byte[] answer = tryOut(operation(algorithm, operation, "tls", inputs));
            boolean isFixed = Algorithms.isFixed(algorithm.name(), operation) && inputs.known != null;
            byte[] expected = isFixed ? inputs.known : Operation.CHECKED;
            if (!Arrays.equals(answer, expected)) {
                throw JobError.failed("proof", algorithm.name() + ":" + operation + " of " + size + " bytes gives "
                        + shown(answer) + ", the known answer is " + shown(expected));
            }
        }
    }

    /** The operation's answer, which must be the same before and after it has run. */
    static byte[] tryOut(Operation operation) throws JobError {
        try {
            byte[] before = operation.answer();
            operation.run(3);
            byte[] after = operation.answer();
            if (!Arrays.equals(before, after)) {
                throw JobError.failed("proof",
                        "the answer was " + shown(before) + " and, after 3 runs, " + shown(after));
            }
            return before;
        } catch (Exception error) {
            throw JobError.failed("prepare", "the trial", error);
        }
    }

    static String shown(byte[] answer) {
        boolean checked = Arrays.equals(answer, Operation.CHECKED);
        return checked ? "'checked by inverse'" : HexFormat.of().formatHex(answer);
    }
}

package tlstax.worker;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.security.spec.AlgorithmParameterSpec;
import java.util.Arrays;

/**
 * HKDF by javax.crypto.KDF, which JDK 17 does not have: found by name at run time. A new object for each derivation.
 */
final class Hkdf {
    private final Method getInstance;
    private final Method ofExtract;
    private final Method addIkm;
    private final Method addSalt;
    private final Method thenExpand;
    private final Method deriveData;
    private final String algorithm;
    private final int length;
    private final byte[] material;
    private final byte[] salt;

    static Operation operation(String name, Inputs inputs) throws JobError {
        Hkdf hkdf = new Hkdf(name, inputs);
        return Operation.of(hkdf::derive, hkdf::derive);
    }

    private Hkdf(String name, Inputs inputs) throws JobError {
        boolean is256 = name.endsWith("256");
        algorithm = is256 ? "HKDF-SHA256" : "HKDF-SHA384";
        length = is256 ? 32 : 48;
        material = Arrays.copyOf(inputs.key, 32);
        salt = Arrays.copyOf(inputs.macKey, length);
        try {
            Class<?> kdf = Class.forName("javax.crypto.KDF");
            Class<?> spec = Class.forName("javax.crypto.spec.HKDFParameterSpec");
            Class<?> builder = Class.forName("javax.crypto.spec.HKDFParameterSpec$Builder");
            getInstance = kdf.getMethod("getInstance", String.class);
            deriveData = kdf.getMethod("deriveData", AlgorithmParameterSpec.class);
            ofExtract = spec.getMethod("ofExtract");
            addIkm = builder.getMethod("addIKM", byte[].class);
            addSalt = builder.getMethod("addSalt", byte[].class);
            thenExpand = builder.getMethod("thenExpand", byte[].class, int.class);
        } catch (ReflectiveOperationException absent) {
            throw JobError.unsupported("JDK " + Runtime.version().feature()
                    + " has no key derivation for applications: javax.crypto.KDF is absent");
        }
    }

    private byte[] derive() throws ReflectiveOperationException {
        Object builder = ofExtract.invoke(null);
        addIkm.invoke(builder, material);
        addSalt.invoke(builder, salt);
        Object spec = thenExpand.invoke(builder, new byte[0], length);
        try {
            return (byte[]) deriveData.invoke(getInstance.invoke(null, algorithm), spec);
        } catch (InvocationTargetException error) {
            throw new ReflectiveOperationException(JobError.describe(error.getCause()), error);
        }
    }
}

package tlstax.worker;

import java.security.GeneralSecurityException;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;

/** RC4: one stream over all messages. */
final class Rc4 implements Operation {
    private final SecretKey key;
    private final int mode;
    private final Cipher stream;
    private final byte[] input;
    private final byte[] output;

    Rc4(boolean encrypt, Inputs inputs) throws GeneralSecurityException {
        key = new SecretKeySpec(inputs.key, 0, 16, "ARCFOUR");
        mode = encrypt ? Cipher.ENCRYPT_MODE : Cipher.DECRYPT_MODE;
        stream = begun(mode);
        input = encrypt ? inputs.message : begun(Cipher.ENCRYPT_MODE).update(inputs.message);
        output = new byte[input.length];
    }

    private Cipher begun(int mode) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("ARCFOUR");
        cipher.init(mode, key);
        return cipher;
    }

    @Override
    public void run(long n) throws GeneralSecurityException {
        for (long i = 0; i < n; i++) {
            stream.update(input, 0, input.length, output, 0);
        }
    }

    @Override
    public byte[] answer() throws GeneralSecurityException {
        return begun(mode).update(input);
    }
}

package tlstax.worker;

import java.security.GeneralSecurityException;
import java.util.Arrays;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/** Block ciphers in CBC mode, without padding and without a MAC: a new initialisation vector per message. */
final class Cbc implements Operation {
    private final SecretKey key;
    private final boolean encrypt;
    private final Cipher cipher;
    private final byte[] first;
    private final byte[] iv;
    private final byte[] input;
    private final byte[] output;
    private long record;

    Cbc(String name, boolean encrypt, Inputs inputs) throws GeneralSecurityException {
        boolean triple = name.startsWith("3des");
        int keyLength = triple ? 24 : name.startsWith("aes-128") ? 16 : 32;
        key = new SecretKeySpec(inputs.key, 0, keyLength, triple ? "DESede" : "AES");
        cipher = Cipher.getInstance(triple ? "DESede/CBC/NoPadding" : "AES/CBC/NoPadding");
        this.encrypt = encrypt;
        first = Arrays.copyOf(inputs.iv, triple ? 8 : 16);
        iv = first.clone();
        output = new byte[inputs.message.length];
        input = encrypt ? inputs.message : encrypted(inputs.message);
    }

    private byte[] encrypted(byte[] message) throws GeneralSecurityException {
        cipher.init(Cipher.ENCRYPT_MODE, key, new IvParameterSpec(first));
        return cipher.doFinal(message);
    }

    @Override
    public void run(long n) throws GeneralSecurityException {
        int mode = encrypt ? Cipher.ENCRYPT_MODE : Cipher.DECRYPT_MODE;
        for (long i = 0; i < n; i++) {
            if (encrypt) {
                xorNumber(first, ++record, iv);
            }
            cipher.init(mode, key, new IvParameterSpec(iv));
            cipher.doFinal(input, 0, input.length, output, 0);
        }
    }

    /** The initialisation vector or nonce of a record: the first one, with the record's number in its last 8 bytes. */
    static void xorNumber(byte[] first, long record, byte[] iv) {
        int offset = iv.length - 8;
        for (int i = 0; i < 8; i++) {
            iv[offset + i] = (byte) (first[offset + i] ^ (record >>> (56 - 8 * i)));
        }
    }

    @Override
    public byte[] answer() throws GeneralSecurityException {
        if (encrypt) {
            return encrypted(input);
        }
        run(1);
        return output.clone();
    }
}

package tlstax.worker;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.SecretKey;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/** MAC-then-encrypt as in RFC 5246 6.2.3.2, composed of a cipher and a MAC as JSSE composes it. */
final class CbcHmac implements Operation {
    private static final int BLOCK = 16;

    private final SecretKey key;
    private final boolean encrypt;
    private final Cipher cipher;
    private final Mac mac;
    private final byte[] additionalData;
    private final byte[] first;
    private final byte[] iv;
    private final byte[] message;
    private final byte[] sealed;
    private final byte[] plain;
    private final byte[] output;
    private long record;

    CbcHmac(String name, boolean encrypt, Inputs inputs) throws GeneralSecurityException {
        key = new SecretKeySpec(inputs.key, 0, name.startsWith("aes-128") ? 16 : 32, "AES");
        cipher = Cipher.getInstance("AES/CBC/NoPadding");
        mac = Mac.getInstance(name.endsWith("sha1") ? "HmacSHA1" : "HmacSHA256");
        mac.init(new SecretKeySpec(inputs.macKey, 0, mac.getMacLength(), mac.getAlgorithm()));
        this.encrypt = encrypt;
        additionalData = inputs.additionalData;
        first = inputs.iv;
        iv = first.clone();
        message = inputs.message;
        int unpadded = message.length + mac.getMacLength();
        plain = new byte[(unpadded / BLOCK + 1) * BLOCK];
        output = new byte[plain.length];
        sealed = seal().clone();
    }

    @Override
    public void run(long n) throws GeneralSecurityException {
        for (long i = 0; i < n; i++) {
            if (encrypt) {
                Cbc.xorNumber(first, ++record, iv);
                seal();
            } else {
                open();
            }
        }
    }

    private byte[] seal() throws GeneralSecurityException {
        System.arraycopy(message, 0, plain, 0, message.length);
        mac.update(additionalData);
        mac.update(plain, 0, message.length);
        mac.doFinal(plain, message.length);
        int end = message.length + mac.getMacLength();
        Arrays.fill(plain, end, plain.length, (byte) (plain.length - end - 1));
        cipher.init(Cipher.ENCRYPT_MODE, key, new IvParameterSpec(iv));
        cipher.doFinal(plain, 0, plain.length, output, 0);
        return output;
    }

    private int open() throws GeneralSecurityException {
        cipher.init(Cipher.DECRYPT_MODE, key, new IvParameterSpec(first));
        cipher.doFinal(sealed, 0, sealed.length, output, 0);
        int padding = output[output.length - 1] & 0xff;
        int length = output.length - 1 - padding - mac.getMacLength();
        int wrong = length < 0 ? 1 : 0;
        for (int i = output.length - 1 - padding; i < output.length && wrong == 0; i++) {
            wrong |= output[i] ^ padding;
        }
        if (wrong == 0) {
            mac.update(additionalData);
            mac.update(output, 0, length);
            byte[] expected = mac.doFinal();
            byte[] got = Arrays.copyOfRange(output, length, length + expected.length);
            wrong = MessageDigest.isEqual(expected, got) ? 0 : 1;
        }
        if (wrong != 0) {
            throw new AEADBadTagException("padding or MAC is wrong");
        }
        return length;
    }

    @Override
    public byte[] answer() throws GeneralSecurityException {
        if (!encrypt) {
            return Arrays.copyOf(output, open());
        }
        System.arraycopy(first, 0, iv, 0, iv.length);
        return seal().clone();
    }
}

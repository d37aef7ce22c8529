package tlstax.worker;

import java.security.GeneralSecurityException;
import java.security.SignatureException;
import java.security.spec.AlgorithmParameterSpec;
import java.util.Arrays;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/** Authenticated encryption as JSSE does it per record: the nonce and key are set with init, then data and tag. */
final class Aead implements Operation {
    private static final int TAG = 16;

    private final String transformation;
    private final SecretKey key;
    private final boolean encrypt;
    private final Cipher cipher;
    private final byte[] iv;
    private final byte[] nonce;
    private final byte[] additionalData;
    private final byte[] message;
    /** Records 0 and 1, opened in turn: the JDK refuses ChaCha20 one nonce twice in a row, even to decrypt. */
    private final byte[][] sealed;
    private final byte[] output;
    private long record;

    Aead(String name, boolean encrypt, Inputs inputs) throws GeneralSecurityException {
        transformation = transformation(name);
        int length = name.startsWith("aes-128") ? 16 : 32;
        key = new SecretKeySpec(inputs.key, 0, length, name.startsWith("aes") ? "AES" : "ChaCha20");
        this.encrypt = encrypt;
        iv = Arrays.copyOf(inputs.iv, 12);
        nonce = iv.clone();
        additionalData = inputs.additionalData;
        cipher = Cipher.getInstance(transformation);
        message = inputs.message;
        sealed = new byte[][] {seal(0), seal(1)};
        output = new byte[message.length + TAG];
    }

    private static String transformation(String name) {
        return switch (name) {
            case "chacha20-poly1305" -> "ChaCha20-Poly1305";
            case "aes-128-ccm" -> "AES/CCM/NoPadding";
            default -> "AES/GCM/NoPadding";
        };
    }

    private AlgorithmParameterSpec spec(byte[] nonce) {
        return transformation.startsWith("AES") ? new GCMParameterSpec(8 * TAG, nonce) : new IvParameterSpec(nonce);
    }

    /** With a cipher of its own, because the JDK refuses the same nonce twice in one. */
    private byte[] seal(long number) throws GeneralSecurityException {
        Cbc.xorNumber(iv, number, nonce);
        Cipher sealing = Cipher.getInstance(transformation);
        sealing.init(Cipher.ENCRYPT_MODE, key, spec(nonce));
        sealing.updateAAD(additionalData);
        return sealing.doFinal(message);
    }

    @Override
    public void run(long n) throws GeneralSecurityException {
        for (long i = 0; i < n; i++) {
            record++;
            if (encrypt) {
                Cbc.xorNumber(iv, record, nonce);
                one(Cipher.ENCRYPT_MODE, message);
            } else {
                int which = (int) record & 1;
                Cbc.xorNumber(iv, which, nonce);
                one(Cipher.DECRYPT_MODE, sealed[which]);
            }
        }
    }

    private void one(int mode, byte[] input) throws GeneralSecurityException {
        cipher.init(mode, key, spec(nonce));
        cipher.updateAAD(additionalData);
        cipher.doFinal(input, 0, input.length, output, 0);
    }

    @Override
    public byte[] answer() throws GeneralSecurityException {
        if (encrypt) {
            return seal(0);
        }
        refuseForgery();
        run(1);
        return Arrays.copyOf(output, message.length);
    }

    /** The tag covers the additional data: with other data than it was made for it must not pass. */
    private void refuseForgery() throws GeneralSecurityException {
        additionalData[8] ^= 1;
        try {
            run(1);
        } catch (AEADBadTagException right) {
            return;
        } finally {
            additionalData[8] ^= 1;
        }
        throw new SignatureException("a record with other additional data passes");
    }
}

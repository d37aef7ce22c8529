package tlstax.worker;

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.interfaces.ECKey;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.ECParameterSpec;
import java.security.spec.ECPoint;
import java.security.spec.ECPublicKeySpec;
import java.security.spec.NamedParameterSpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.XECPublicKeySpec;
import java.util.Arrays;
import java.util.concurrent.Callable;
import javax.crypto.KeyAgreement;

/** Diffie-Hellman: new objects for each key share and each secret, as JSSE makes them. */
final class Agreements {
    private Agreements() {
    }

    private static byte[] secret(String name, PrivateKey ours, PublicKey theirs) throws GeneralSecurityException {
        KeyAgreement agreement = KeyAgreement.getInstance(name.equals("x25519") ? "X25519" : "ECDH");
        agreement.init(ours);
        agreement.doPhase(theirs, true);
        return agreement.generateSecret();
    }

    /** A key pair, as for each key share. */
    static Operation keygen(String name) {
        return Operation.of(() -> generate(name), () -> {
            KeyPair a = generate(name);
            KeyPair b = generate(name);
            byte[] one = secret(name, a.getPrivate(), b.getPublic());
            byte[] other = secret(name, b.getPrivate(), a.getPublic());
            if (!Arrays.equals(one, other)) {
                throw new GeneralSecurityException("two new key pairs do not agree on a secret");
            }
            return Operation.CHECKED;
        });
    }

    private static KeyPair generate(String name) throws GeneralSecurityException {
        if (name.equals("x25519")) {
            return KeyPairGenerator.getInstance("X25519").generateKeyPair();
        }
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec(name.equals("ecdh-p256") ? "secp256r1" : "secp384r1"));
        return generator.generateKeyPair();
    }

    /** The peer's public value is read, and checked by the library, each time. */
    static Operation derive(String name, Inputs inputs) throws GeneralSecurityException {
        KeyFactory keys = KeyFactory.getInstance(name.equals("x25519") ? "X25519" : "EC");
        PrivateKey ours = keys.generatePrivate(new PKCS8EncodedKeySpec(inputs.privateKey));
        byte[] peer = inputs.peer;
        Callable<byte[]> derive = ours instanceof ECKey key
                ? () -> secret(name, ours, point(peer, key.getParams()))
                : () -> secret(name, ours, coordinate(peer));
        return Operation.of(derive, derive);
    }

    private static PublicKey point(byte[] peer, ECParameterSpec curve) throws GeneralSecurityException {
        int length = (peer.length - 1) / 2;
        BigInteger x = new BigInteger(1, peer, 1, length);
        BigInteger y = new BigInteger(1, peer, 1 + length, length);
        return KeyFactory.getInstance("EC").generatePublic(new ECPublicKeySpec(new ECPoint(x, y), curve));
    }

    private static PublicKey coordinate(byte[] peer) throws GeneralSecurityException {
        byte[] bigEndian = new byte[peer.length];
        for (int i = 0; i < peer.length; i++) {
            bigEndian[i] = peer[peer.length - 1 - i];
        }
        BigInteger u = new BigInteger(1, bigEndian);
        return KeyFactory.getInstance("X25519").generatePublic(new XECPublicKeySpec(NamedParameterSpec.X25519, u));
    }
}

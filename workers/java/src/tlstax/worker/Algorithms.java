package tlstax.worker;

import java.util.ArrayList;
import java.util.List;

/** The algorithms and operations of the vocabulary, and what is the same for all libraries about them. */
final class Algorithms {
    private Algorithms() {
    }

    record Algorithm(String name, String kind, List<String> operations) {
        /** Whether a message of some size is worked on. */
        boolean isSized() {
            return List.of("aead", "cipher", "hash", "mac").contains(kind);
        }

        /** The length that a message must be a multiple of. */
        int block() {
            return switch (name) {
                case "aes-128-cbc", "aes-256-cbc" -> 16;
                case "3des-cbc" -> 8;
                default -> 1;
            };
        }

        /** The sizes at which an answer is known: whole blocks and, where it can be, an odd length. */
        int[] knownSizes() {
            if (!isSized()) {
                return new int[] {0};
            }
            return block() == 1 ? new int[] {64, 61} : new int[] {64};
        }
    }

    static final List<Algorithm> ALL = all();

    private static List<Algorithm> all() {
        List<Algorithm> all = new ArrayList<>();
        add(all, "aead", List.of("encrypt", "decrypt"), "aes-128-gcm", "aes-256-gcm", "aes-128-ccm",
                "chacha20-poly1305");
        add(all, "cipher", List.of("encrypt", "decrypt"), "aes-128-cbc", "aes-256-cbc", "aes-128-cbc-hmac-sha1",
                "aes-256-cbc-hmac-sha1", "aes-128-cbc-hmac-sha256", "aes-256-cbc-hmac-sha256", "3des-cbc", "rc4");
        add(all, "hash", List.of("digest"), "md5", "sha1", "sha256", "sha384", "sha512");
        add(all, "mac", List.of("mac"), "hmac-sha1", "hmac-sha256", "hmac-sha384");
        add(all, "kdf", List.of("derive"), "hkdf-sha256", "hkdf-sha384");
        add(all, "signature", List.of("sign", "verify"), "rsa-2048", "rsa-3072", "rsa-4096", "ecdsa-p256",
                "ecdsa-p384", "ed25519", "ml-dsa-44", "ml-dsa-65", "ml-dsa-87", "slh-dsa-sha2-128f");
        add(all, "agreement", List.of("keygen", "derive"), "ecdh-p256", "ecdh-p384", "x25519");
        add(all, "kem", List.of("keygen", "encapsulate", "decapsulate"), "ml-kem-768");
        add(all, "setup", List.of("create"), "server-context", "client-context");
        add(all, "setup", List.of("load"), "ca-bundle");
        add(all, "setup", List.of("parse"), "certificate");
        return List.copyOf(all);
    }

    private static void add(List<Algorithm> all, String kind, List<String> operations, String... names) {
        for (String name : names) {
            all.add(new Algorithm(name, kind, operations));
        }
    }

    static Algorithm named(String name, String operation) throws JobError {
        Algorithm found = ALL.stream().filter(algorithm -> algorithm.name.equals(name)).findFirst().orElseThrow(
                () -> JobError.unsupported("this worker does not know the algorithm '" + name + "'"));
        if (!found.operations.contains(operation)) {
            throw JobError.unsupported("there is no operation " + operation + " of " + name);
        }
        return found;
    }

    /** Whether the output is the same for every library; otherwise the library's own inverse checks it. */
    static boolean isFixed(String algorithm, String operation) {
        return switch (operation) {
            case "keygen", "encapsulate", "verify", "create" -> false;
            case "sign" -> algorithm.equals("ed25519");
            default -> true;
        };
    }
}

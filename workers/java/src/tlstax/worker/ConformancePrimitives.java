package tlstax.worker;

/** Whether primitives compute what they must. */
final class ConformancePrimitives {
    /** Sizes around which libraries change their code path: one block, a packet, a whole record. */
    private static final int[] SIZES = {16, 1350, 16_384};
    private static final int[] UNSIZED = {0};

    private ConformancePrimitives() {
    }

    static void check(Conformance checks) {
        for (Algorithms.Algorithm algorithm : Algorithms.ALL) {
            for (String operation : algorithm.operations()) {
                String name = algorithm.name() + ":" + operation;
                if (!checks.have.primitives.contains(name)) {
                    checks.check("unclaimed " + name, () -> isRefused(checks.pki, algorithm, operation));
                    continue;
                }
                checks.check("known answer " + name,
                        () -> Primitives.checkKnownAnswers(algorithm, operation, checks.pki));
                checks.check("runs " + name + " tls", () -> runs(checks.pki, algorithm, operation));
                if (operation.equals("verify")) {
                    checks.check("forgery " + name, () -> refusesForgery(checks.pki, algorithm));
                }
                if (algorithm.kind().equals("aead") && operation.equals("decrypt")) {
                    checks.check("forged tag " + name, () -> refusesForgedTag(checks.pki, algorithm));
                }
            }
        }
    }

    /** What is not claimed is a hole with a reason, and no failure. */
    private static void isRefused(Pki pki, Algorithms.Algorithm algorithm, String operation) throws JobError {
        Inputs inputs = new Inputs(algorithm, operation, algorithm.isSized() ? 64 : 0, pki);
        Primitives.operation(algorithm, operation, "tls", inputs);
        throw Conformance.miss("the library has it and does not claim it");
    }

    /** It runs at several sizes and on two threads. */
    private static void runs(Pki pki, Algorithms.Algorithm algorithm, String operation) throws JobError {
        for (int size : algorithm.isSized() ? SIZES : UNSIZED) {
            PrimitiveJob.prepare(algorithm, operation, "tls", size, 2, pki).run(5, 1);
        }
    }

    /** A signature with one bit changed must not pass. */
    private static void refusesForgery(Pki pki, Algorithms.Algorithm algorithm) throws JobError {
        Inputs forged = new Inputs(new Inputs(algorithm, "verify", 0, pki));
        Operation operation = Primitives.operation(algorithm, "verify", "tls", forged);
        try {
            operation.run(1);
        } catch (Exception refused) {
            return;
        }
        throw Conformance.miss("a signature with one bit changed passes");
    }

    /** The tag covers the additional data: with other data than it was made for it must not pass. */
    private static void refusesForgedTag(Pki pki, Algorithms.Algorithm algorithm) throws JobError {
        Inputs inputs = new Inputs(algorithm, "decrypt", 64, pki);
        Operation operation = Primitives.operation(algorithm, "decrypt", "tls", inputs);
        inputs.additionalData[8] ^= 1;
        try {
            operation.run(1);
        } catch (Exception refused) {
            return;
        }
        throw Conformance.miss("a record with other additional data passes");
    }
}

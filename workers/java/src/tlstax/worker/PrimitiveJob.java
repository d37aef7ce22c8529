package tlstax.worker;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/** Runs one cryptographic operation, on one or several threads. */
final class PrimitiveJob extends Job {
    /** How many bytes of the end of an output prove it. */
    private static final int PROVEN = 16;

    private final int size;
    private final List<Operation> operations = new ArrayList<>();

    private PrimitiveJob(int size) {
        this.size = size;
    }

    /** Checks the known answers, then sets the operation up for each thread and tries it. */
    static PrimitiveJob prepare(Map<String, Object> request, int threads, Pki pki) throws JobError {
        String operation = Params.text(request, "op");
        Algorithms.Algorithm algorithm = Algorithms.named(Params.text(request, "algorithm"), operation);
        int size = Math.toIntExact(Params.number(request, "size"));
        String pattern = Params.text(request, "pattern");
        Inputs inputs = new Inputs(algorithm, operation, size, pki);
        PrimitiveJob job = new PrimitiveJob(size);
        byte[] first = null;
        for (int i = 0; i < threads; i++) {
            Operation one = Primitives.operation(algorithm, operation, pattern, inputs);
            if (i == 0) {
                Primitives.checkKnownAnswers(algorithm, operation, pki);
            }
            byte[] answer = Primitives.tryOut(one);
            if (first != null && !Arrays.equals(first, answer)) {
                throw JobError.failed("proof", "the threads' answers to the same input differ");
            }
            first = answer;
            job.operations.add(one);
        }
        byte[] tail = Arrays.copyOfRange(first, Math.max(0, first.length - PROVEN), first.length);
        job.proof.answer = HexFormat.of().formatHex(tail);
        return job;
    }

    @Override
    Batch run(Amount amount) throws JobError {
        List<Laps> laps = Threads.together(operations.size(), index -> {
            Operation operation = operations.get(index);
            call(operation, amount.warmup());
            return operation;
        }, operation -> {
            Laps timed = new Laps(operations.size(), amount);
            call(operation, amount.iterations(), timed);
            return timed.finish();
        });
        return new Batch(Sample.of(laps, amount.iterations(), size, 0), proof);
    }

    /** Calls it part by part; what is left over, or all where no parts are told, at once. */
    private static void call(Operation operation, long times, Laps timed) throws JobError {
        long left = times;
        for (long each = timed.parts.each; each > 0 && left >= each; left -= each) {
            call(operation, each);
            timed.part();
        }
        call(operation, left);
    }

    private static void call(Operation operation, long times) throws JobError {
        try {
            operation.run(times);
        } catch (Exception error) {
            throw JobError.failed("run", "the operation", error);
        }
    }
}

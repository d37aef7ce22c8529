package tlstax.worker;

import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;

/**
 * Runs a case until the compilers of the JVM have nothing more to gain: until the cost of an iteration no longer falls
 * over successive short blocks, and the compilers have come to rest.
 */
final class Warmup {
    /** CPU time of a block: many times what one compilation waits for. */
    private static final long PRIMITIVE_BLOCK_NS = 15_000_000;
    private static final long CONNECTION_BLOCK_NS = 100_000_000;

    /** In so many blocks the cost may not have fallen by more than this. */
    private static final int BLOCKS = 4;
    private static final double STEADY = 0.05;

    /** The compilers rest when they take no more than this share of a block's elapsed time. */
    private static final double RESTING = 0.2;

    /** The orchestrator waits for 20 s, and slower machines exist. */
    private static final long PATIENCE_NS = 10_000_000_000L;

    /**
     * The JVM compiles for good what was called some 15,000 times (Tier4CompileThreshold), and before that a cost can stand
     * still for long.
     */
    private static final long COMPILED = 20_000;

    /** A call that takes so long that this is not reached in this time has loops inside, which are counted as calls are. */
    private static final long LONG_ENOUGH_NS = 1_000_000_000L;

    /** In the environment of a process of which nothing is timed. */
    private static final String UNTIMED = "TLSTAX_UNTIMED";

    private static final CompilationMXBean COMPILERS = ManagementFactory.getCompilationMXBean();

    private Warmup() {
    }

    /** Runs single calls until they are compiled and steady, or for as long as there is patience. */
    static void compiled(Job primitive) throws JobError {
        steady(primitive, PRIMITIVE_BLOCK_NS, COMPILED);
    }

    /** Runs handshakes, data or requests until they are steady, or for as long as there is patience. */
    static void steady(Job connections) throws JobError {
        steady(connections, CONNECTION_BLOCK_NS, 0);
    }

    private static void steady(Job job, long blockNs, long least) throws JobError {
        if (System.getenv(UNTIMED) != null) {
            return;
        }
        long begun = System.nanoTime();
        long deadline = begun + PATIENCE_NS;
        long calls = 0;
        double[] costs = new double[BLOCKS];
        long iterations = 1;
        int blocks = 0;
        while (System.nanoTime() < deadline) {
            long compiled = COMPILERS.getTotalCompilationTime();
            Sample sample = job.run(new Job.Amount(iterations)).sample();
            calls += sample.iterations;
            if (sample.cpu < blockNs / 2) {
                double wanted = (double) blockNs * iterations / Math.max(1, sample.cpu);
                iterations = (long) Math.max(iterations + 1, Math.min(wanted, 8.0 * iterations));
                continue;
            }
            costs[blocks++ % BLOCKS] = (double) sample.cpu / sample.iterations;
            double compiling = 1e6 * (COMPILERS.getTotalCompilationTime() - compiled) / sample.wall;
            boolean isCounted = calls >= least || System.nanoTime() - begun >= LONG_ENOUGH_NS;
            if (isCounted && blocks >= BLOCKS && compiling <= RESTING && isSteady(costs, blocks)) {
                return;
            }
        }
    }

    /** Whether the oldest of the last blocks was hardly dearer than the cheapest of them. */
    static boolean isSteady(double[] costs, int blocks) {
        double oldest = costs[blocks % costs.length];
        double cheapest = oldest;
        for (double cost : costs) {
            cheapest = Math.min(cheapest, cost);
        }
        return oldest <= cheapest * (1 + STEADY);
    }
}

package tlstax.worker;

/** A case that is ready to be run in batches. */
interface Job {
    /** What a batch took and proved. */
    record Batch(Sample sample, Proof proof) { }

    /** Runs `warmup` iterations untimed and then `iterations` timed ones, on each thread of the case. */
    Batch run(long iterations, long warmup) throws JobError;

    /** What the trial run proved. */
    Proof proof();

    /** Gives up threads and ports. */
    default void release() {
    }
}

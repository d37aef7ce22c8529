package tlstax.worker;

/** A case that is ready to be run in batches. */
abstract class Job {
    /** What a batch took and proved. */
    record Batch(Sample sample, Proof proof) { }

    /** What the trial run proved. */
    Proof proof = new Proof();

    /** Runs `warmup` iterations untimed and then `iterations` timed ones, on each thread of the case. */
    abstract Batch run(long iterations, long warmup) throws JobError;

    /** Gives up threads and ports. */
    void release() {
    }
}

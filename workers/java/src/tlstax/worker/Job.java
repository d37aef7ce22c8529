package tlstax.worker;

/** A case that is ready to be run in batches. */
abstract class Job {
    /** What is asked for at once: `warmup` iterations untimed, then so many timed ones, told in parts; of 0: as one. */
    record Amount(long iterations, long warmup, long part) {
        Amount(long iterations) {
            this(iterations, 0, 0);
        }
    }

    /** What a batch took and proved. */
    record Batch(Sample sample, Proof proof) { }

    /** What the trial run proved. */
    Proof proof = new Proof();

    /** Runs a batch of so many iterations on each thread of the case. */
    abstract Batch run(Amount amount) throws JobError;

    /** Gives up threads and ports. */
    void release() {
    }
}

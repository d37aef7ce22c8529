package tlstax.worker;

/** Time told apart by contiguous readings of one clock: what passes between two readings belongs to one side. */
final class Laps {
    private final boolean alone;
    final long started;
    private long last;
    long client;
    long server;
    private long paused;
    private long pauses;
    long shortestPause = Long.MAX_VALUE;
    /** The end, moved forward by the pauses. */
    long ended;
    /** CPU time of the thread before, and then in between. */
    private long thread;
    final Parts parts;

    /**
     * Begins to tell the sides apart, in one of so many threads that do. Alone, elapsed time is CPU time until the
     * thread is preempted; several threads wait for each other, and only the CPU clock tells what a side took.
     */
    Laps(int threads) {
        this(threads, new Job.Amount(0));
    }

    /** Tells the parts of a batch too, unless several threads do it: theirs would overlap. */
    Laps(int threads, Job.Amount amount) {
        alone = threads == 1;
        parts = new Parts(alone ? amount : new Job.Amount(0));
        thread = Cpu.thread();
        started = System.nanoTime();
        last = now();
    }

    private long now() {
        return alone ? System.nanoTime() : Cpu.thread();
    }

    private long lap() {
        long now = now();
        long lap = now - last;
        last = now;
        return lap;
    }

    /** What passed since the last reading was of this side. */
    void of(boolean isServer) {
        if (isServer) {
            server += lap();
        } else {
            client += lap();
        }
    }

    /** What passed since the last reading was a part of work without sides. */
    void part() {
        parts.took(lap());
    }

    /** An iteration of work with two sides is over. */
    void iterated() {
        parts.iterated(client, server);
    }

    /** What passed since the last reading was the harness's. */
    void pause() {
        long lap = lap();
        paused += lap;
        pauses++;
        shortestPause = Math.min(shortestPause, lap);
    }

    /** Reads the clocks at the end, as close to the last lap as can be. */
    Laps finish() {
        ended = System.nanoTime() - paused;
        thread = Cpu.thread() - thread;
        return this;
    }

    /** The thread's CPU time without the pauses, each taken at the shortest: a longer one was interrupted. */
    long cpu(long shortest) {
        return pauses == 0 ? thread : Math.max(0, thread - pauses * shortest);
    }
}

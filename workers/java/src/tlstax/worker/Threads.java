package tlstax.worker;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Several threads that start their timed work at the same moment. */
final class Threads {
    private Threads() {
    }

    /** What a thread gets ready outside the measurement. */
    interface Ready<S> {
        S get(int index) throws JobError;
    }

    /** What it does when all are ready. */
    interface Timed<S, T> {
        T get(S state) throws JobError;
    }

    /**
     * Runs `ready` and then `timed` on so many threads; no thread begins `timed` before all are ready. A single thread
     * is the calling one. Java cannot bind threads to cores, so the scheduler spreads them.
     */
    static <S, T> List<T> together(int threads, Ready<S> ready, Timed<S, T> timed) throws JobError {
        if (threads == 1) {
            List<T> result = new ArrayList<>();
            result.add(timed.get(ready.get(0)));
            return result;
        }
        AtomicInteger missing = new AtomicInteger(threads);
        List<Worker<S, T>> workers = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            Worker<S, T> worker = new Worker<>(i, ready, timed, missing);
            worker.start();
            workers.add(worker);
        }
        List<T> results = new ArrayList<>();
        JobError first = null;
        for (Worker<S, T> worker : workers) {
            JobError error = worker.ended();
            first = first == null ? error : first;
            results.add(worker.result);
        }
        if (first != null) {
            throw first;
        }
        return results;
    }

    private static final class Worker<S, T> extends Thread {
        private final int index;
        private final Ready<S> ready;
        private final Timed<S, T> timed;
        private final AtomicInteger missing;
        private T result;
        private JobError error;

        Worker(int index, Ready<S> ready, Timed<S, T> timed, AtomicInteger missing) {
            super("batch-" + index);
            this.index = index;
            this.ready = ready;
            this.timed = timed;
            this.missing = missing;
        }

        @Override
        public void run() {
            S state = null;
            boolean isReady = false;
            try {
                state = ready.get(index);
                isReady = true;
            } catch (JobError | RuntimeException failure) {
                error = asError(failure);
            }
            missing.decrementAndGet();
            // Awake: to be woken takes longer than many a thing that is timed.
            while (missing.get() > 0) {
                Thread.yield();
            }
            if (!isReady) {
                return;
            }
            try {
                result = timed.get(state);
            } catch (JobError | RuntimeException failure) {
                error = asError(failure);
            }
        }

        private static JobError asError(Exception failure) {
            return failure instanceof JobError known ? known : JobError.failed("run", "the worker's thread", failure);
        }

        private JobError ended() {
            boolean interrupted = false;
            while (true) {
                try {
                    join();
                    break;
                } catch (InterruptedException again) {
                    interrupted = true;
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
            return error;
        }
    }
}

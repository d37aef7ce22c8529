package tlstax.worker;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;

/** Several threads that start their timed work at the same moment. */
final class Threads {
    private Threads() {
    }

    /** What a thread makes of its number, or of what it got ready. */
    interface Step<A, B> {
        B take(A of) throws JobError;
    }

    /**
     * Runs `ready` and then `timed` on so many threads; no thread begins `timed` before all are ready. A single thread
     * is the calling one. Java cannot bind threads to cores, so the scheduler spreads them.
     */
    static <S, T> List<T> together(int threads, Step<Integer, S> ready, Step<S, T> timed) throws JobError {
        List<T> results = new ArrayList<>();
        if (threads == 1) {
            results.add(timed.take(ready.take(0)));
            return results;
        }
        AtomicInteger missing = new AtomicInteger(threads);
        List<FutureTask<T>> tasks = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            int index = i;
            FutureTask<T> task = new FutureTask<>(() -> timed.take(whenAllAre(ready, index, missing)));
            new Thread(task, "batch-" + index).start();
            tasks.add(task);
        }
        JobError first = null;
        for (FutureTask<T> task : tasks) {
            try {
                results.add(result(task));
            } catch (ExecutionException ended) {
                first = first == null ? JobError.failed("run", "the worker's thread", ended.getCause()) : first;
            }
        }
        if (first != null) {
            throw first;
        }
        return results;
    }

    /** Waits for the end of a task, whoever interrupts: it works on what the caller goes on with. */
    private static <T> T result(FutureTask<T> task) throws ExecutionException {
        boolean interrupted = false;
        while (true) {
            try {
                T result = task.get();
                if (interrupted) {
                    Thread.currentThread().interrupt();
                }
                return result;
            } catch (InterruptedException again) {
                interrupted = true;
            }
        }
    }

    private static <S> S whenAllAre(Step<Integer, S> ready, int index, AtomicInteger missing) throws JobError {
        S state;
        try {
            state = ready.take(index);
        } finally {
            missing.decrementAndGet();
        }
        // Awake: to be woken takes longer than many a thing that is timed.
        while (missing.get() > 0) {
            Thread.yield();
        }
        return state;
    }
}

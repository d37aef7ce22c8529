package tlstax.worker;

import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;

/** CPU clocks: of the calling thread, and of the thread of the JVM that collects garbage. */
final class Cpu {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final long TICK_NS = 10_000_000;

    private static final Account STAT = new Account("/proc/self/stat");
    private static final Account COLLECTOR = new Account(collectorTask() + "/schedstat");

    private Cpu() {
    }

    /** CPU time of the calling thread: the scheduler's nanosecond account. */
    static long thread() {
        return THREADS.getCurrentThreadCpuTime();
    }

    /** CPU time of the serial collector, by the scheduler's account. */
    static long collector() throws JobError {
        return Long.parseLong(COLLECTOR.fields()[0]);
    }

    /** User and system time of the whole process, in ticks, so coarse. */
    static long[] split() throws JobError {
        String[] fields = STAT.fields();
        // The name of the program, the second field, is one word: the launcher says java.
        return new long[] {TICK_NS * Long.parseLong(fields[13]), TICK_NS * Long.parseLong(fields[14])};
    }

    /** The serial collector works in the thread that the JVM stops all others with. */
    private static String collectorTask() {
        File[] tasks = new File("/proc/self/task").listFiles();
        for (File task : tasks == null ? new File[0] : tasks) {
            try {
                if (Files.readString(task.toPath().resolve("comm")).strip().equals("VM Thread")) {
                    return task.getPath();
                }
            } catch (IOException gone) {
                // A thread that has ended in the meantime is not the one.
            }
        }
        return "/proc/self/task/none";
    }

    /** A file of the kernel's that is read again and again. */
    private static final class Account {
        private final String path;
        private final byte[] bytes = new byte[1024];
        private RandomAccessFile file;

        Account(String path) {
            this.path = path;
        }

        synchronized String[] fields() throws JobError {
            try {
                if (file == null) {
                    file = new RandomAccessFile(path, "r");
                }
                file.seek(0);
                int length = file.read(bytes);
                return new String(bytes, 0, Math.max(0, length), StandardCharsets.ISO_8859_1).split(" ");
            } catch (IOException error) {
                throw JobError.failed("run", "reading " + path, error);
            }
        }
    }
}

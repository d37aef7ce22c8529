package tlstax.worker;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;

/**
 * Latencies in microseconds up to a minute, to three digits, in the layout of HdrHistogram: buckets of twice the width
 * of the one before, each in 1024 steps, the first one in 2048.
 */
final class Histogram {
    private static final long HIGHEST = 60_000_000;
    private static final int DIGITS = 3;
    private static final int HALF_BITS = 10;
    private static final int HALF = 1 << HALF_BITS;

    /** The encoding is V2, not compressed; the counts are in numbers of up to nine bytes. */
    private static final int COOKIE = 0x1c849303 | 0x10;

    private final long[] counts = new long[index(HIGHEST) + 1];

    void reset() {
        Arrays.fill(counts, 0);
    }

    void record(long micros) {
        counts[index(Math.max(1, Math.min(HIGHEST, micros)))]++;
    }

    static int index(long value) {
        int bucket = Long.SIZE - Long.numberOfLeadingZeros(value | (2 * HALF - 1)) - (HALF_BITS + 1);
        return ((bucket + 1) << HALF_BITS) + (int) (value >>> bucket) - HALF;
    }

    /** V2 encoding, base64. */
    String encode() {
        int used = counts.length;
        while (used > 1 && counts[used - 1] == 0) {
            used--;
        }
        ByteBuffer payload = ByteBuffer.allocate(9 * used + 9);
        for (int i = 0; i < used;) {
            int zeros = 0;
            while (i + zeros < used && counts[i + zeros] == 0) {
                zeros++;
            }
            // A run of zeros is one negative number.
            zigZag(payload, zeros > 1 ? -zeros : counts[i]);
            i += Math.max(1, zeros);
        }
        payload.flip();
        ByteBuffer all = ByteBuffer.allocate(40 + payload.remaining());
        all.putInt(COOKIE).putInt(payload.remaining()).putInt(0).putInt(DIGITS);
        all.putLong(1).putLong(HIGHEST).putDouble(1.0).put(payload);
        return Base64.getEncoder().encodeToString(all.array());
    }

    /** Seven bits to a byte, the lowest first, and all eight in the ninth. */
    private static void zigZag(ByteBuffer out, long number) {
        long rest = (number << 1) ^ (number >> 63);
        for (int i = 0; i < 8; i++) {
            if (rest >>> 7 == 0) {
                out.put((byte) rest);
                return;
            }
            out.put((byte) (rest | 0x80));
            rest >>>= 7;
        }
        out.put((byte) rest);
    }
}

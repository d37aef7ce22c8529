package tlstax.worker;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;

/** A primitive that is set up and can be run any number of times. */
interface Operation {
    /** The answer of an operation whose output is random and passed the library's own inverse. */
    byte[] CHECKED = "checked by inverse".getBytes(StandardCharsets.US_ASCII);

    /** Does the operation `n` times; the loop is in here so that nothing but the library is called. */
    void run(long n) throws Exception;

    /** Does the operation once, from its first nonce, and gives its whole output. */
    byte[] answer() throws Exception;

    /** An operation of microseconds and more, beside which the call of `once` is nothing. */
    static Operation of(Callable<?> once, Callable<byte[]> answer) {
        return new Operation() {
            /** Kept, so that the work for it is done. */
            private Object last;

            @Override
            public void run(long n) throws Exception {
                for (long i = 0; i < n; i++) {
                    last = once.call();
                }
            }

            @Override
            public byte[] answer() throws Exception {
                return answer.call();
            }
        };
    }
}

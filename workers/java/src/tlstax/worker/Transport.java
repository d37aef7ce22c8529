package tlstax.worker;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Bytes to and from the peer. It never blocks. */
interface Transport {
    /** Takes what there is: a number of bytes, 0 if there is nothing now, -1 at the end. */
    int read(ByteBuffer into) throws IOException;

    /** Sends as much as there is room for. */
    int write(ByteBuffer from) throws IOException;
}

package tlstax.worker;

import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.security.Security;
import java.util.Map;

/** The worker's end of the protocol: reads requests line by line, does them one after the other, and answers. */
public final class Main {
    private static final String HELP = """
            A worker of tlstax: measures the TLS library of the JDK. It is started by `tlstax`, not by hand.

            Usage:
              (no arguments)          answer requests on standard input, one JSON object per line; see docs/protocol.md
              --help                  print this
            """;

    /** Versions that nobody asks for stay off; suites are only ever offered one by one. */
    static final String DISABLED = "SSLv3, TLSv1, TLSv1.1";

    private Main() {
    }

    public static void main(String[] arguments) throws IOException {
        Security.setProperty("jdk.tls.disabledAlgorithms", DISABLED);
        Security.setProperty("jdk.tls.legacyAlgorithms", "");
        OutputStream output = new FileOutputStream(FileDescriptor.out);
        // Answers and nothing else go to standard output, whatever a library may print.
        System.setOut(System.err);
        if (arguments.length == 1 && arguments[0].equals("--help")) {
            new PrintStream(output, true, StandardCharsets.UTF_8).print(HELP);
        } else if (arguments.length == 0) {
            System.exit(converse(output));
        } else {
            System.err.println("unknown arguments: " + String.join(" ", arguments) + "\n\n" + HELP);
            System.exit(2);
        }
    }

    private static int converse(OutputStream output) throws IOException {
        String unmet = Without.unmet();
        if (unmet != null) {
            say(output, Desk.failed(0, JobError.unsupported(unmet)));
            return 1;
        }
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        Desk desk = new Desk();
        String line;
        while ((line = input.readLine()) != null) {
            if (line.isBlank()) {
                continue;
            }
            Map<String, Object> answer = desk.answer(line);
            if (answer == null) {
                break;
            }
            say(output, answer);
        }
        return 0;
    }

    /** One write for the whole line: the reader waits for its end. */
    private static void say(OutputStream output, Map<String, Object> answer) throws IOException {
        output.write((Json.write(answer) + "\n").getBytes(StandardCharsets.UTF_8));
        output.flush();
    }
}

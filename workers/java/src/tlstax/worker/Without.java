package tlstax.worker;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/**
 * Doing without features of the CPU. The launcher gives the JVM its flags for what TLSTAX_WITHOUT asks for; here they
 * are read back from the JVM, which turns off with each what cannot be without it. A feature that the CPU does not have
 * is done without in any case.
 */
final class Without {
    private static final List<String> ALL = List.of("aes", "clmul", "vaes", "avx2", "avx512", "sha", "asm");

    private Without() {
    }

    /** What the JVM does without. */
    static List<String> now() {
        Set<String> cpu = cpu();
        return ALL.stream().filter(name -> !uses(name, cpu)).toList();
    }

    private static boolean uses(String name, Set<String> cpu) {
        return switch (name) {
            case "aes" -> is("UseAES");
            case "clmul" -> is("UseCLMUL");
            case "vaes" -> is("UseAES") && number("UseAVX") > 2 && cpu.contains("vaes");
            case "avx2" -> number("UseAVX") > 1;
            case "avx512" -> number("UseAVX") > 2;
            case "sha" -> cpu.contains("sha_ni");
            default -> true;
        };
    }

    /** Why a wanted feature cannot be done without; null if all that is wanted is. */
    static String unmet() {
        String wanted = System.getenv().getOrDefault("TLSTAX_WITHOUT", "");
        List<String> without = now();
        for (String name : wanted.split("[, ]+")) {
            if (name.isEmpty() || without.contains(name)) {
                continue;
            }
            return ALL.contains(name) ? reason(name) : "TLSTAX_WITHOUT: unknown feature '" + name + "'";
        }
        return null;
    }

    private static String reason(String name) {
        return switch (name) {
            case "sha" -> "the JVM has no switch for the SHA extensions alone: -XX:-UseSHA also turns its AVX2 code off";
            case "vaes" -> "the JVM has no switch for vector AES alone: it goes with 'avx2', 'avx512' or 'aes'";
            case "asm" -> "there is no build of the JVM without its generated machine code";
            default -> "the JVM still uses '" + name + "': its flags were not set by the launcher";
        };
    }

    private static Set<String> cpu() {
        try {
            String text = Files.readString(Path.of("/proc/cpuinfo"), StandardCharsets.ISO_8859_1);
            int begin = text.indexOf("flags");
            int end = text.indexOf('\n', Math.max(0, begin));
            return begin < 0 ? Set.of() : Set.of(text.substring(text.indexOf(':', begin) + 1, end).trim().split(" "));
        } catch (IOException | IllegalArgumentException error) {
            // Without the list every feature counts as there.
            return Set.of("vaes", "sha_ni");
        }
    }

    static boolean is(String flag) {
        return option(flag).equals("true");
    }

    private static int number(String flag) {
        String value = option(flag);
        return value.isEmpty() ? 0 : Integer.parseInt(value);
    }

    /** The value of a flag of this JVM; empty if it has no such flag. */
    private static String option(String flag) {
        try {
            return ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class).getVMOption(flag).getValue();
        } catch (IllegalArgumentException absent) {
            return "";
        }
    }
}

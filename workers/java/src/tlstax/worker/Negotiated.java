package tlstax.worker;

import java.util.Objects;

/**
 * What one side says was negotiated; null where it does not say.
 *
 * @param ticketWithoutLifetime whether the server has sent a ticket that JSSE drops
 */
record Negotiated(String version, String suite, String group, String key, boolean resumed,
        boolean ticketWithoutLifetime) {
    /** Whether both have the same version, suite and group. */
    boolean isLike(Negotiated other) {
        return Objects.equals(version, other.version) && Objects.equals(suite, other.suite)
                && Objects.equals(group, other.group);
    }
}

package tlstax.worker;

/**
 * What one side says was negotiated; null where it does not say.
 *
 * @param ticketWithoutLifetime whether the server has sent a ticket that JSSE drops
 */
record Negotiated(String version, String suite, String group, String key, boolean resumed,
        boolean ticketWithoutLifetime) { }

package tlstax.worker;

/**
 * What one end of a connection is to be.
 *
 * @param params what must be negotiated; nothing else may be
 * @param chain certificates that the server sends, end entity included, root excluded
 * @param resumption full, session-id, ticket or psk
 * @param mutual whether the client sends a certificate and the server verifies it
 * @param record the largest plaintext in a record that this end sends
 * @param pki test certificates and keys
 */
record Endpoint(Params params, long chain, String resumption, boolean mutual, int record, Pki pki) {
    /** The largest plaintext in a record that TLS allows (RFC 8446 5.1). */
    static final int LARGEST_RECORD = 16 * 1024;

    /** With the usual values where a workload does not say. */
    static Endpoint usual(Params params, Pki pki) {
        return new Endpoint(params, 1, "full", false, LARGEST_RECORD, pki);
    }

    boolean isFull() {
        return resumption.equals("full");
    }

    Endpoint with(String otherResumption) {
        return new Endpoint(params, chain, otherResumption, mutual, record, pki);
    }

    Endpoint withRecord(int otherRecord) {
        return new Endpoint(params, chain, resumption, mutual, otherRecord, pki);
    }
}

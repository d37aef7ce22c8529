package tlstax.worker;

/** What one side says was negotiated; null where it does not say. */
record Negotiated(String version, String suite, String group, String key, boolean resumed) { }

package tlstax.worker;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.NoSuchAlgorithmException;
import java.security.cert.Certificate;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManager;

/** A configured end, from which connections are made; shared by threads. */
final class Config {
    private static final char[] PASSWORD = "test only".toCharArray();

    /** Where a session of TLS 1.2 is kept: it serves any number of connections. */
    private static final int ONLY_SLOT = 443;

    final boolean server;
    final Endpoint endpoint;
    private final SSLContext context;
    private final String suite;

    /**
     * JSSE keeps one session for each host and port, and takes it out for a connection of TLS 1.3. So that there can be
     * as many as there are connections, each connection has a port number of its own, which is advice to the session
     * cache and nothing else. Those that no connection has now:
     */
    private final Deque<Integer> slots = new ConcurrentLinkedDeque<>();
    private final AtomicInteger nextSlot = new AtomicInteger(1);

    Config(boolean server, Endpoint endpoint) throws JobError {
        this.server = server;
        this.endpoint = endpoint;
        try {
            context = newContext(endpoint.resumption());
            context.init(keys(), trust(), null);
            suite = endpoint.params().suite().jsse(context.getSupportedSSLParameters().getCipherSuites());
        } catch (NoSuchAlgorithmException absent) {
            throw JobError.unsupported("JDK " + Runtime.version().feature() + " has no keys of the kind "
                    + endpoint.params().key() + ": " + absent.getMessage());
        } catch (GeneralSecurityException | IOException error) {
            throw JobError.failed("prepare", "making a context", error);
        }
        if (endpoint.isFull()) {
            // 0 would be no limit. What a peer stores unasked is at most one.
            context.getClientSessionContext().setSessionCacheSize(1);
            context.getServerSessionContext().setSessionCacheSize(1);
        }
    }

    /** Whether a context knows tickets is read from two properties of the process while it is made. */
    private static synchronized SSLContext newContext(String resumption) throws NoSuchAlgorithmException {
        String tickets = Boolean.toString(resumption.equals("ticket") || resumption.equals("psk"));
        System.setProperty("jdk.tls.client.enableSessionTicketExtension", tickets);
        System.setProperty("jdk.tls.server.enableSessionTicketExtension", tickets);
        return SSLContext.getInstance("TLS");
    }

    private KeyManager[] keys() throws GeneralSecurityException, IOException {
        if (!server && !endpoint.mutual()) {
            return new KeyManager[0];
        }
        String kind = endpoint.params().key();
        String chain = server ? "server-" + endpoint.chain() + ".pem" : "client.pem";
        String key = server ? "server.key" : "client.key";
        Pki pki = endpoint.pki();
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        store.setKeyEntry("own", pki.privateKey(kind, key), PASSWORD, pki.certificates(kind, chain));
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, PASSWORD);
        return keys.getKeyManagers();
    }

    /** An empty list trusts nobody; null would trust the roots of the machine. */
    private TrustManager[] trust() throws GeneralSecurityException, IOException {
        if (server && !endpoint.mutual()) {
            return new TrustManager[0];
        }
        Certificate[] root = endpoint.pki().certificates(endpoint.params().key(), "root.pem");
        return Setup.trust(List.of(root)).getTrustManagers();
    }

    /** Makes a new connection over a transport, before its handshake. */
    Connection connect(Transport transport) throws IOException {
        int slot = takeSlot();
        SSLEngine engine = slot == 0 ? context.createSSLEngine() : context.createSSLEngine(Pki.SERVER_NAME, slot);
        engine.setUseClientMode(!server);
        SSLParameters parameters = new SSLParameters(new String[] {suite}, new String[] {endpoint.params().version()});
        OneGroup.apply(parameters, endpoint.params(), server);
        if (server) {
            parameters.setNeedClientAuth(endpoint.mutual());
        } else {
            parameters.setServerNames(List.of(new SNIHostName(Pki.SERVER_NAME)));
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
        }
        engine.setSSLParameters(parameters);
        engine.beginHandshake();
        return new Connection(this, engine, transport, slot);
    }

    /** The place of a session that nobody uses now, or a new place; 0 where no session is kept. */
    private int takeSlot() {
        if (server || endpoint.isFull()) {
            return 0;
        }
        if (!endpoint.params().isTls13()) {
            return ONLY_SLOT;
        }
        Integer free = slots.pollFirst();
        return free == null ? nextSlot.getAndIncrement() : free;
    }

    /** A connection has ended, and may have left a session in its place. */
    void returnSlot(int slot) {
        if (slot != 0 && endpoint.params().isTls13()) {
            slots.addFirst(slot);
        }
    }
}

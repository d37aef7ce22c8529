package tlstax.worker;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** A client and a server that talk over a wire in one thread. */
final class Pair {
    /** How often each side gets its turn before a handshake counts as stuck; a handshake needs three turns at most. */
    private static final int TURNS = 16;

    private final Wire wire;
    final Connection client;
    final Connection server;
    private boolean clientDone;
    private boolean serverDone;
    private int roundTrips;
    private final Flights flights = new Flights();

    record Ends(Config client, Config server) {
        static Ends of(Endpoint endpoint) throws JobError {
            return timed(endpoint, new Laps(1));
        }

        /** Makes both ends and charges each side with its own. */
        static Ends timed(Endpoint endpoint, Laps laps) throws JobError {
            Capabilities.check(endpoint);
            Config client = new Config(false, endpoint);
            laps.of(false);
            Config server = new Config(true, endpoint);
            laps.of(true);
            return new Ends(client, server);
        }

        /**
         * Makes so many full handshakes of which each begins before the first is complete, so that the client holds a
         * session for as many later ones.
         */
        void prime(int sessions) throws JobError {
            if (client.endpoint.isFull()) {
                return;
            }
            Laps laps = new Laps(1);
            List<Pair> begun = new ArrayList<>();
            for (int i = 0; i < sessions; i++) {
                begun.add(new Pair(this, new Wire(), laps));
            }
            for (Pair pair : begun) {
                pair.complete(this, laps);
            }
            begun.forEach(Pair::drop);
        }

        /** Whether tickets come after the handshake and the client has to read once to get them. */
        private boolean ticketsFollow() {
            return !client.endpoint.isFull() && client.endpoint.params().isTls13();
        }
    }

    /** Makes both ends and lets each have its first turn. */
    private Pair(Ends ends, Wire wire, Laps laps) throws JobError {
        this.wire = wire;
        client = connect(ends.client, wire);
        clientDone = turn(client, false);
        flights.note(false, wire);
        laps.of(false);
        server = connect(ends.server, wire);
        serverDone = turn(server, true);
        flights.note(true, wire);
        laps.of(true);
    }

    /** Makes both ends over a wire and completes their handshake. */
    static Pair connect(Ends ends, Wire wire, Laps laps) throws JobError {
        Pair pair = new Pair(ends, wire, laps);
        pair.complete(ends, laps);
        return pair;
    }

    private static Connection connect(Config config, Wire wire) throws JobError {
        try {
            return config.connect(wire.end(config.server));
        } catch (IOException | RuntimeException error) {
            throw JobError.failed("run", "making a " + side(config.server), error);
        }
    }

    /** Lets the ends take turns until both are done, and lets the client take its tickets. */
    private void complete(Ends ends, Laps laps) throws JobError {
        for (int turn = 0; turn < TURNS; turn++) {
            if (!clientDone) {
                roundTrips++;
                clientDone = turn(client, false);
                flights.note(false, wire);
                laps.of(false);
            }
            if (!serverDone) {
                serverDone = turn(server, true);
                flights.note(true, wire);
                laps.of(true);
            }
            if (clientDone && serverDone) {
                if (ends.ticketsFollow()) {
                    takeTickets();
                    laps.of(false);
                }
                return;
            }
        }
        throw JobError.failed("run", "the handshake is stuck: the " + side(clientDone) + " waits for ever");
    }

    private static boolean turn(Connection connection, boolean server) throws JobError {
        try {
            return connection.handshake();
        } catch (IOException | RuntimeException error) {
            throw JobError.failed("run", "the " + side(server) + "'s handshake", error);
        }
    }

    private void takeTickets() throws JobError {
        try {
            if (client.read(new byte[64]) != Connection.AGAIN) {
                throw JobError.failed("run", "the client read something after the handshake that nobody wrote");
            }
        } catch (IOException error) {
            throw JobError.failed("run", "the client's reading of tickets", error);
        }
    }

    /** What both sides say was negotiated, as a proof about one handshake. */
    Proof proof() throws JobError {
        Negotiated ours = client.negotiated();
        Negotiated theirs = server.negotiated();
        if (ours.resumed() != theirs.resumed() || !ours.isLike(theirs)) {
            throw JobError.failed("proof", "the two sides disagree: client " + ours + ", server " + theirs);
        }
        Proof proof = new Proof();
        proof.negotiated = ours;
        proof.key = ours.key();
        proof.resumed = ours.resumed() ? 1 : 0;
        proof.handshakes = 1;
        proof.clientBytes = wire.toServer.total;
        proof.serverBytes = wire.toClient.total;
        proof.roundTrips = roundTrips;
        // Whatever went out after the last turn.
        flights.note(false, wire);
        flights.note(true, wire);
        proof.flights = flights.bytes();
        return proof;
    }

    /** The side that sends, or the other. */
    Connection end(boolean isServer) {
        return isServer ? server : client;
    }

    void drop() {
        client.drop();
        server.drop();
    }

    static String side(boolean server) {
        return server ? "server" : "client";
    }
}

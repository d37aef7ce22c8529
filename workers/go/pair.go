package main

import (
	"errors"
	"io"
)

type ends struct {
	client, server *config
	resumption     string
	version        string
}

// newEnds makes both ends and charges each side with its own.
func newEnds(e endpoint, l *laps) (*ends, error) {
	clientEnd, err := newConfig(client, e)
	if err != nil {
		return nil, err
	}
	l.charge(client)
	serverEnd, err := newConfig(server, e)
	if err != nil {
		return nil, err
	}
	l.charge(server)
	return &ends{clientEnd, serverEnd, e.resumption, e.Version}, nil
}

// prime makes so many full handshakes of which each begins before the first is complete, so that the client holds a
// session for as many later ones.
func (e *ends) prime(sessions int) error {
	if e.resumption == full {
		return nil
	}
	l := startLaps(1)
	var pairs []*pair
	defer func() {
		for _, p := range pairs {
			p.drop(l)
		}
	}()
	for range sessions {
		p := e.pair(newWire())
		pairs = append(pairs, p)
		if err := p.begin(l); err != nil {
			return err
		}
	}
	for _, p := range pairs {
		if err := p.complete(l); err != nil {
			return err
		}
	}
	return nil
}

// pair is a client and a server that take turns.
type pair struct {
	ends           *ends
	wire           *wire
	client, server *connection
	clientDone     bool
	serverDone     bool
	// How often the client waited for the server before its handshake was complete.
	roundTrips uint32
	flights    flights
}

func (e *ends) pair(w *wire) *pair { return &pair{ends: e, wire: w} }

// connect makes both ends over a wire and completes their handshake.
func (e *ends) connect(w *wire, l *laps) (*pair, error) {
	p := e.pair(w)
	err := p.begin(l)
	if err == nil {
		err = p.complete(l)
	}
	if err != nil {
		p.drop(l)
		return nil, err
	}
	return p, nil
}

// begin makes both ends and lets each have its first turn.
func (p *pair) begin(l *laps) error {
	var err error
	p.client = p.ends.client.connect(p.wire.end(client))
	if p.clientDone, err = p.turn(p.client); err != nil {
		return err
	}
	l.charge(client)
	p.server = p.ends.server.connect(p.wire.end(server))
	if p.serverDone, err = p.turn(p.server); err != nil {
		return err
	}
	l.charge(server)
	return nil
}

// turns is how often each side gets its turn before a handshake counts as stuck.
const turns = 16

// complete lets the ends take turns until both are done, and lets the client take its tickets.
func (p *pair) complete(l *laps) error {
	var err error
	for range turns {
		if !p.clientDone {
			p.roundTrips++
			if p.clientDone, err = p.turn(p.client); err != nil {
				return err
			}
			l.charge(client)
		}
		if !p.serverDone {
			if p.serverDone, err = p.turn(p.server); err != nil {
				return err
			}
			l.charge(server)
		}
		if p.clientDone && p.serverDone {
			return p.takeTickets(l)
		}
	}
	return failed("run", "the handshake is stuck: one side waits for ever")
}

func (p *pair) turn(c *connection) (bool, error) {
	done, err := c.handshake()
	p.flights.note(c.config.side, p.wire)
	return done, at("run", "the "+c.config.side+"'s handshake", err)
}

func (p *pair) takeTickets(l *laps) error {
	if p.ends.resumption == full || p.ends.version != "TLSv1.3" {
		return nil
	}
	var buffer [64]byte
	_, err := p.client.read(buffer[:])
	l.charge(client)
	switch {
	case errors.Is(err, errWouldBlock):
		return nil
	case err == nil:
		return failed("run", "the client read application data that nobody wrote")
	case errors.Is(err, io.EOF):
		return failed("run", "the server closed the connection after the handshake")
	}
	return at("run", "the client's reading of tickets", err)
}

// drop ends both sides; each is charged with its own.
func (p *pair) drop(l *laps) {
	if p.client != nil {
		p.client.drop()
	}
	p.client = nil
	l.charge(client)
	if p.server != nil {
		p.server.drop()
	}
	p.server = nil
	l.charge(server)
}

// proof is what both sides say was negotiated, about one handshake.
func (p *pair) proof() (proof, error) {
	clientSays, err := describe(p.client.tls)
	if err != nil {
		return proof{}, at("proof", "the client", err)
	}
	serverSays, err := describe(p.server.tls)
	if err != nil {
		return proof{}, at("proof", "the server", err)
	}
	// The server's peer is the client, which shows another certificate or none.
	key := clientSays.Key
	clientSays.Key, serverSays.Key = "", ""
	if clientSays != serverSays {
		return proof{}, failed("proof", "the two sides disagree: client %+v, server %+v", clientSays, serverSays)
	}
	clientSays.Key = key
	all, trips := clientSays.proof(), p.roundTrips
	all.ClientBytes, all.ServerBytes = p.wire.from(client).total, p.wire.from(server).total
	all.RoundTrips = &trips
	sent := p.flights
	// Whatever went out after the last turn.
	sent.note(client, p.wire)
	sent.note(server, p.wire)
	all.Flights = sent.bytes
	return all, nil
}

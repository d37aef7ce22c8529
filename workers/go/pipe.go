package main

import (
	"errors"
	"io"
	"net"
	"os"
	"time"
)

// wire is two queues of bytes between a client and a server that live in one thread.
type wire struct {
	toServer, toClient queue
}

func newWire() *wire {
	w := &wire{}
	w.toServer.bytes = make([]byte, 0, room)
	w.toClient.bytes = make([]byte, 0, room)
	return w
}

// room holds the flights of most handshakes, so that growing is not timed with them.
const room = 16 * 1024

// from is the queue of what a side sends.
func (w *wire) from(side string) *queue {
	if side == client {
		return &w.toServer
	}
	return &w.toClient
}

func opposite(side string) string {
	if side == client {
		return server
	}
	return client
}

// reset makes the wire as new, but keeps its memory.
func (w *wire) reset() {
	for _, q := range []*queue{&w.toServer, &w.toClient} {
		*q = queue{bytes: q.bytes[:0]}
	}
}

func (w *wire) end(side string) *pipeEnd {
	return &pipeEnd{incoming: w.from(opposite(side)), outgoing: w.from(side)}
}

// queue holds bytes on their way; bytes[read:] is not read yet.
type queue struct {
	bytes []byte
	read  int
	total uint64
	ended bool
}

// inFlight is what the other side has not read yet, to be looked at, changed or cut by a check.
func (q *queue) inFlight() []byte { return q.bytes[q.read:] }

func (q *queue) take(buffer []byte) int {
	length := copy(buffer, q.bytes[q.read:])
	q.read += length
	if q.read == len(q.bytes) {
		q.bytes, q.read = q.bytes[:0], 0
	}
	return length
}

// pipeEnd is one end of a wire, as crypto/tls wants its transport. It has no deadlines and closing it does nothing.
type pipeEnd struct {
	incoming, outgoing *queue
	// What is done when nothing is there to be read: gives the turn away, and tells whether to look again.
	wait func() bool
}

// errWouldBlock is what a read returns that nobody may wait in. crypto/tls keeps a connection usable after an error that
// calls itself temporary, as this one of deadlines does.
var errWouldBlock = os.ErrDeadlineExceeded

var errDropped = errors.New("the connection was dropped in its handshake")

func (p *pipeEnd) Read(buffer []byte) (int, error) {
	for {
		if length := p.incoming.take(buffer); length > 0 || len(buffer) == 0 {
			return length, nil
		}
		if p.incoming.ended {
			return 0, io.EOF
		}
		if p.wait == nil {
			return 0, errWouldBlock
		}
		if !p.wait() {
			return 0, errDropped
		}
	}
}

func (p *pipeEnd) Write(data []byte) (int, error) {
	p.outgoing.bytes = append(p.outgoing.bytes, data...)
	p.outgoing.total += uint64(len(data))
	return len(data), nil
}

func (p *pipeEnd) Close() error                     { return nil }
func (p *pipeEnd) LocalAddr() net.Addr              { return pipeAddress }
func (p *pipeEnd) RemoteAddr() net.Addr             { return pipeAddress }
func (p *pipeEnd) SetDeadline(time.Time) error      { return nil }
func (p *pipeEnd) SetReadDeadline(time.Time) error  { return nil }
func (p *pipeEnd) SetWriteDeadline(time.Time) error { return nil }

var pipeAddress = &net.UnixAddr{Name: "memory", Net: "memory"}

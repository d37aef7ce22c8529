package main

import (
	"bytes"
	"errors"
	"math"
)

// smallestRecord is the smallest that the max_fragment_length extension has (RFC 6066 4).
const smallestRecord = 512

// bulkJob sends buffers through an established connection: one side writes one, then the other reads it.
type bulkJob struct {
	workload *workload
	ends     *ends
	// With one thread, the connection of all batches; several threads make their own in each batch.
	line *line
}

func prepareBulk(c *workload, files *pki) (prepared, error) {
	if c.Write < 1 || c.Buffer < 1 || c.Record < smallestRecord || c.Record > largestRecord {
		return prepared{}, failed("prepare", "records must be %d to %d bytes, write and buffer at least 1; "+
			"the case has %d, %d and %d", smallestRecord, largestRecord, c.Record, c.Write, c.Buffer)
	}
	e := usualEndpoint(c.params, files)
	e.record = int(c.Record)
	ends, err := newEnds(e, startLaps(1))
	if err != nil {
		return prepared{}, err
	}
	made := &bulkJob{workload: c, ends: ends}
	first, err := made.connect()
	if err != nil {
		return prepared{}, err
	}
	if err := first.compareContents(); err != nil {
		return prepared{}, err
	}
	proven, err := first.run(whole(1), int(c.Threads))
	if err != nil {
		return prepared{}, err
	}
	if c.Threads == 1 {
		made.line = first
	}
	return prepared{job: made, proof: proven.proof}, proven.proof.check(c.params, full)
}

func (j *bulkJob) run(asked batch) (sample, proof, error) {
	threads, warmup := int(j.workload.Threads), asked.warmup
	batches, err := together(threads,
		func(int) (*line, error) {
			ready := j.line
			if ready == nil {
				var err error
				if ready, err = j.connect(); err != nil {
					return nil, err
				}
				warmup = max(warmup, 1)
			}
			_, err := ready.run(whole(warmup), threads)
			return ready, err
		},
		func(ready *line) (share, error) { return ready.run(asked, threads) })
	if err != nil {
		return sample{}, proof{}, err
	}
	took := summed(batches, math.MaxInt64)
	took.Iterations = asked.iterations * uint64(len(batches))
	took.Bytes = took.Iterations * uint64(j.workload.Buffer)
	// The handshake was before the batch, and the trial has counted it.
	return took, batches[0].proof.uncounted(), nil
}

// line is a connection, and what goes through it.
type line struct {
	wire             *wire
	sender, receiver *connection
	proof            proof
	write            int
	payload          []byte
	received         []byte
}

func (j *bulkJob) connect() (*line, error) {
	w := newWire()
	p, err := j.ends.connect(w, startLaps(1))
	if err != nil {
		return nil, err
	}
	proven, err := p.proof()
	if err != nil {
		return nil, err
	}
	// Its bytes will be those of a buffer, which comes in no flights.
	proven.Flights = nil
	made := &line{
		wire: w, sender: p.server, receiver: p.client, proof: proven, write: int(j.workload.Write),
		payload: make([]byte, j.workload.Buffer), received: make([]byte, largestRecord),
	}
	if j.workload.Direction == "upload" {
		made.sender, made.receiver = p.client, p.server
	}
	// Compresses to nothing and looks like nothing: 251 is the largest prime below 256.
	for at := range made.payload {
		made.payload[at] = byte(at % 251)
	}
	return made, nil
}

func (l *line) run(asked batch, threads int) (share, error) {
	sentByClient, sentByServer := l.wire.from(client).total, l.wire.from(server).total
	timed := startLaps(threads).inParts(asked)
	for range asked.iterations {
		if err := l.send(); err != nil {
			return share{}, err
		}
		timed.charge(l.sender.config.side)
		if err := l.receive(); err != nil {
			return share{}, err
		}
		timed.charge(l.receiver.config.side)
		timed.iterated()
	}
	timed.finish()
	proven := l.proof
	proven.ClientBytes = (l.wire.from(client).total - sentByClient) / max(asked.iterations, 1)
	proven.ServerBytes = (l.wire.from(server).total - sentByServer) / max(asked.iterations, 1)
	return share{timed, proven}, nil
}

// send writes all of the payload in pieces of the write size.
func (l *line) send() error {
	for rest := l.payload; len(rest) > 0; {
		piece := rest[:min(l.write, len(rest))]
		if err := l.sender.write(piece); err != nil {
			return at("run", "writing application data", err)
		}
		rest = rest[len(piece):]
	}
	return nil
}

// receive reads as many bytes as were sent, and not one more.
func (l *line) receive() error {
	received := 0
	for received < len(l.payload) {
		read, err := l.readSome()
		if err != nil {
			return err
		}
		received += read
	}
	if received > len(l.payload) {
		return failed("proof", "%d bytes arrived of %d that were sent", received, len(l.payload))
	}
	return nil
}

func (l *line) readSome() (int, error) {
	read, err := l.receiver.read(l.received)
	if errors.Is(err, errWouldBlock) {
		return 0, failed("proof", "fewer bytes arrived than were sent")
	}
	return read, at("run", "reading application data", err)
}

// compareContents sends one buffer and looks at every byte that arrives.
func (l *line) compareContents() error {
	if err := l.send(); err != nil {
		return err
	}
	for rest := l.payload; len(rest) > 0; {
		read, err := l.readSome()
		if err != nil {
			return err
		}
		if read > len(rest) || !bytes.Equal(rest[:read], l.received[:read]) {
			return failed("proof", "other bytes arrived than were sent, after byte %d", len(l.payload)-len(rest))
		}
		rest = rest[read:]
	}
	return nil
}

package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
)

const (
	// many connections are made one after the other to see a leak.
	many = 200
	// slack is what the process may grow by meanwhile: far less than so many connections.
	slack = 2 << 20
	// expansion is more than header, explicit nonce, MAC and padding of any suite here.
	expansion = 256
)

func (c *checks) connections() {
	for _, suite := range c.hello.Suites {
		at := slices.IndexFunc(c.every(), func(one params) bool { return one.suite == suite })
		for _, direction := range []string{"download", "upload"} {
			if at >= 0 {
				c.check("bulk "+suite+" "+direction, func() error { return c.carries(c.every()[at], direction) })
			}
		}
	}
	for _, version := range c.hello.Versions {
		usual, claimed := c.usual(version)
		if !claimed {
			continue
		}
		for _, side := range []string{client, server} {
			for _, one := range []struct {
				what   string
				record int
				act    func(*open, string) error
			}{
				{"close_notify", largestRecord, closeNotify},
				{"truncation inside a record", largestRecord, truncatedRecord},
				{"truncation", largestRecord, truncation},
				{"damaged record", largestRecord, damagedRecord},
				{"oversized record", largestRecord, oversizedRecord},
				{"record size", 1024, recordSize},
			} {
				c.check(fmt.Sprintf("%s %s from %s", one.what, version, side), func() error {
					made, err := c.open(usual, one.record)
					if err != nil {
						return err
					}
					return one.act(made, side)
				})
			}
		}
		c.check(fmt.Sprintf("memory of %d connections %s", many, version), func() error { return c.doesNotGrow(usual) })
		for _, side := range []string{client, server} {
			c.check(fmt.Sprintf("idle %s %s", version, side), func() error { return c.idles(usual, side) })
		}
	}
}

// carries sends sizes that fit nothing: the last write, the last record and the last read are all partial.
func (c *checks) carries(p params, direction string) error {
	for _, sizes := range [][3]int{{16384, 16384, 65536}, {1024, 1000, 70001}, {16384, 100000, 250007}} {
		w := &workload{
			params: p, threads: 1, direction: direction, record: sizes[0], write: sizes[1], buffer: sizes[2],
		}
		made, err := prepareBulk(w, c.pki)
		if err != nil {
			return err
		}
		if _, _, err := made.job.run(2, 1); err != nil {
			return err
		}
	}
	return nil
}

// open is an established connection and its wire.
type open struct {
	pair *pair
}

func (c *checks) open(p params, record int) (*open, error) {
	e := usualEndpoint(p, c.pki)
	e.record = record
	both, err := newEnds(e, startLaps(1))
	if err != nil {
		return nil, err
	}
	made, err := both.connect(newWire(), startLaps(1))
	return &open{made}, err
}

// from is the sender and the receiver of what a side sends.
func (o *open) from(side string) (sender, receiver *connection) {
	if side == client {
		return o.pair.client, o.pair.server
	}
	return o.pair.server, o.pair.client
}

func closeNotify(o *open, side string) error {
	sender, receiver := o.from(side)
	if err := sender.write([]byte("last words")); err != nil {
		return err
	}
	if err := sender.close(); err != nil {
		return err
	}
	buffer := make([]byte, 64)
	read, err := receiver.read(buffer)
	if err != nil || !bytes.Equal(buffer[:read], []byte("last words")) {
		return fmt.Errorf("before the close_notify, reading gave %d bytes, %v", read, err)
	}
	for range 2 {
		if read, err := receiver.read(buffer); read != 0 || !errors.Is(err, io.EOF) {
			return fmt.Errorf("reading after a close_notify gave %d bytes, %v", read, err)
		}
	}
	return nil
}

func truncatedRecord(o *open, side string) error {
	sender, receiver := o.from(side)
	if err := sender.write([]byte("something")); err != nil {
		return err
	}
	queue := o.pair.wire.from(side)
	queue.bytes = queue.bytes[:len(queue.bytes)-1]
	queue.ended = true
	if read, err := receiver.read(make([]byte, 64)); read != 0 || !errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("the end of the transport inside a record gave %d bytes, %v", read, err)
	}
	return nil
}

func truncation(o *open, side string) error {
	o.pair.wire.from(side).ended = true
	_, receiver := o.from(side)
	read, err := receiver.read(make([]byte, 64))
	if read == 0 && errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return skip("crypto/tls takes the end of the transport between two records for the end of the data, " +
			"with or without a close_notify")
	}
	if err == nil {
		return fmt.Errorf("the end of the transport without close_notify gave %d bytes", read)
	}
	return nil
}

func damagedRecord(o *open, side string) error {
	sender, _ := o.from(side)
	if err := sender.write([]byte("something")); err != nil {
		return err
	}
	flight := o.pair.wire.from(side).inFlight()
	flight[len(flight)-1] ^= 1
	return mustFail(o, side, "a record with one bit changed")
}

func oversizedRecord(o *open, side string) error {
	// Application data of 2^15 bytes: RFC 8446 5.2 allows 2^14 + 256, RFC 5246 6.2.3 allows 2^14 + 2048.
	queue := o.pair.wire.from(side)
	queue.bytes = append(queue.bytes, 23, 3, 3, 0x80, 0)
	queue.bytes = append(queue.bytes, make([]byte, 1<<15)...)
	return mustFail(o, side, "a record of 2^15 bytes")
}

func mustFail(o *open, side, what string) error {
	_, receiver := o.from(side)
	read, err := receiver.read(make([]byte, 64))
	if err == nil || errors.Is(err, errWouldBlock) || errors.Is(err, io.EOF) {
		return fmt.Errorf("%s gave %d bytes, %v", what, read, err)
	}
	return nil
}

// recordSize looks whether no record is larger than the endpoint says, and whether there are no more than it takes.
func recordSize(o *open, side string) error {
	const record, payload = 1024, 10 * 1024
	sender, _ := o.from(side)
	if err := sender.write(make([]byte, payload)); err != nil {
		return err
	}
	records := 0
	for flight := o.pair.wire.from(side).inFlight(); len(flight) >= 5; records++ {
		length := int(flight[3])<<8 | int(flight[4])
		if length > record+expansion {
			return fmt.Errorf("a record is %d bytes long, its plaintext may be %d", length, record)
		}
		flight = flight[min(5+length, len(flight)):]
	}
	if records < payload/record || records > payload/record+2 {
		return fmt.Errorf("%d records for %d that are full", records, payload/record)
	}
	return nil
}

func (c *checks) doesNotGrow(p params) error {
	both, err := newEnds(usualEndpoint(p, c.pki), startLaps(1))
	if err != nil {
		return err
	}
	wire := newWire()
	connect := func(times int) error {
		for range times {
			wire.reset()
			made, err := both.connect(wire, startLaps(1))
			if err != nil {
				return err
			}
			made.drop(startLaps(1))
		}
		return nil
	}
	if err := connect(many / 4); err != nil {
		return err
	}
	before, err := resident()
	if err != nil {
		return err
	}
	if err := connect(many); err != nil {
		return err
	}
	after, err := resident()
	if err == nil && after > before+slack {
		err = fmt.Errorf("the process grew by %d bytes, %d each", after-before, (after-before)/many)
	}
	return err
}

func (c *checks) idles(p params, side string) error {
	made, err := prepareIdle(&workload{params: p, threads: 1, side: side, connections: many}, c.pki)
	if err != nil {
		return err
	}
	took, _, err := made.job.run(1, 0)
	if err == nil && (took.Iterations != many || took.Bytes < many*1024) {
		err = fmt.Errorf("%d connections took %d bytes of memory", took.Iterations, took.Bytes)
	}
	return err
}

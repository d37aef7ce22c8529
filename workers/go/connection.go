package main

import (
	"crypto/tls"
	"io"
	"iter"
	"net"
)

// connection is one end in memory. crypto/tls blocks in a handshake until the peer has answered, so each handshake runs
// in a coroutine of its own, which gives its turn away where a goroutine would wait for its socket. The switch is
// direct, without the scheduler, so whoever resumes a coroutine can time its turn.
type connection struct {
	tls     *tls.Conn
	config  *config
	end     *pipeEnd
	next    func() (struct{}, bool)
	stop    func()
	err     error
	waiting bool
}

func (c *config) connect(end *pipeEnd) *connection {
	return &connection{tls: c.over(end), config: c, end: end}
}

// over makes a connection of crypto/tls over any transport.
func (c *config) over(transport net.Conn) *tls.Conn {
	if c.side == client {
		return tls.Client(transport, c.tls)
	}
	return tls.Server(transport, c.tls)
}

// handshake goes on with the handshake and tells whether it is complete on this side.
func (c *connection) handshake() (bool, error) {
	offer13(c.config.suite13)
	if c.next == nil {
		c.next, c.stop = iter.Pull(c.shake)
	}
	_, c.waiting = c.next()
	return !c.waiting, c.err
}

// shake is the body of the coroutine.
func (c *connection) shake(yield func(struct{}) bool) {
	c.end.wait = func() bool { return yield(struct{}{}) }
	c.err = c.tls.Handshake()
	c.end.wait = nil
}

// keep lets a goroutine wait for the peer's next bytes, as that of an idle connection does.
func (c *connection) keep() {
	c.next, c.stop = iter.Pull(func(yield func(struct{}) bool) {
		c.end.wait = func() bool { return yield(struct{}{}) }
		_, c.err = c.tls.Read(make([]byte, 1))
		c.end.wait = nil
	})
	_, c.waiting = c.next()
}

// drop ends a coroutine that still waits. The rest is the garbage collector's.
func (c *connection) drop() {
	if c.waiting {
		c.waiting = false
		c.stop()
	}
}

// read reads plaintext: io.EOF after the peer's close_notify, errWouldBlock if nothing has come.
func (c *connection) read(buffer []byte) (int, error) { return readSome(c.tls, buffer) }

// readSome reads what is there. crypto/tls may tell of the end together with the last bytes; then the next call tells
// it again.
func readSome(from io.Reader, buffer []byte) (int, error) {
	read, err := from.Read(buffer)
	if read > 0 {
		return read, nil
	}
	return read, err
}

// write hands data over in pieces of at most one record: crypto/tls has no setting for a smaller record than TLS's
// largest.
func (c *connection) write(data []byte) error { return writeRecords(c.tls, data, c.config.record) }

func writeRecords(to io.Writer, data []byte, record int) error {
	if record >= largestRecord {
		_, err := to.Write(data)
		return err
	}
	for len(data) > 0 {
		piece := data[:min(record, len(data))]
		if _, err := to.Write(piece); err != nil {
			return err
		}
		data = data[len(piece):]
	}
	return nil
}

// close sends close_notify.
func (c *connection) close() error { return c.tls.CloseWrite() }

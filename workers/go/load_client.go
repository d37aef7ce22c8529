package main

import (
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"sync/atomic"
	"time"
)

// stall is how long a load may go without a response.
const stall = 5 * time.Second

// loadClient is the client's end of a load: a goroutine for each connection, each with one request at a time.
type loadClient struct {
	config   *config
	workload *workload
	address  string
	request  []byte
	last     []byte
	links    []*link

	// Connections whose number of requests was told, of those that are opened first.
	opened              uint64
	wanted, begun, done atomic.Int64
	mutex               sync.Mutex
	// What all handshakes have negotiated, and how many the batch has made: connections that are kept alive prove what they
	// are in every batch, with or without a handshake.
	proof     proof
	latencies histogram
	trouble   error
}

// link is one connection, which stays open between batches where the case keeps it alive.
type link struct {
	job      *loadClient
	socket   net.Conn
	stream   net.Conn
	requests uint64
	// The most of them; 0 has no end.
	most   uint64
	buffer []byte
}

func prepareLoadClient(w *workload, port uint16, files *pki) (prepared, error) {
	if w.Connections < 1 {
		return prepared{}, failed("prepare", "a load needs at least one connection")
	}
	useProcessors(1)
	made := &loadClient{
		workload: w, address: fmt.Sprintf("127.0.0.1:%d", port),
		request: httpRequest(false), last: httpRequest(true),
	}
	for range w.Connections {
		made.links = append(made.links, &link{job: made, buffer: make([]byte, largestRecord)})
	}
	var err error
	if made.config, err = w.config(client, files); err != nil {
		return prepared{}, err
	}
	if err := made.prime(); err != nil {
		return prepared{}, err
	}
	return tried(made, uint64(w.Connections), w.params, w.Resumption)
}

// prime makes a full handshake on every connection and closes it: as many sessions as there are connections. From then
// on each connection takes a session when it is made and leaves one before it ends.
func (c *loadClient) prime() error {
	if c.config == nil || c.workload.Resumption == full {
		return nil
	}
	requests := c.workload.PerConn
	c.workload.PerConn = 1
	c.config.sessions.hide(true)
	err := c.load(uint64(len(c.links)))
	c.config.sessions.hide(false)
	c.workload.PerConn = requests
	// A resumed handshake of TLS 1.2 negotiates less.
	c.proof = proof{}
	return err
}

func (c *loadClient) run(asked batch) (sample, proof, error) {
	iterations := asked.iterations
	if err := c.load(asked.warmup); err != nil {
		return sample{}, proof{}, err
	}
	gc, before, start := collected(), processUsage(), monotonic()
	if err := c.load(iterations); err != nil {
		return sample{}, proof{}, err
	}
	wall, used := monotonic()-start, processUsage().since(before)
	return sample{
		Iterations: iterations, WallNs: max(wall, 1), CPUNs: used.Total, UserNs: &used.User, SystemNs: &used.System,
		ClientNs: &used.Total, ClientUser: &used.User, ClientSystem: &used.System,
		Bytes: iterations * uint64(c.workload.Body), Latency: c.latencies.encode(), GcNs: collected() - gc,
	}, c.proof, nil
}

// load makes so many requests, and waits for every response and for every close that follows one.
func (c *loadClient) load(wanted uint64) error {
	c.wanted.Store(int64(wanted))
	c.begun.Store(0)
	c.done.Store(0)
	c.proof, c.trouble = c.proof.uncounted(), nil
	c.latencies.reset()
	if wanted == 0 {
		return nil
	}
	if c.config != nil {
		offer13(c.config.suite13)
	}
	stop := make(chan struct{})
	var watcher, workers sync.WaitGroup
	watcher.Go(func() { c.watch(stop) })
	for _, one := range c.links {
		workers.Go(func() {
			for c.begun.Add(1) <= c.wanted.Load() {
				if err := one.exchange(); err != nil {
					c.fail(err)
					return
				}
			}
		})
	}
	workers.Wait()
	close(stop)
	watcher.Wait()
	if c.trouble == nil {
		return nil
	}
	// Connections in the middle of something are of no use to a later batch.
	_ = c.Close()
	return failed("run", "%v (after %d of %d responses)", c.trouble, c.done.Load(), wanted)
}

// watch ends a load in which nothing moves any more.
func (c *loadClient) watch(stop chan struct{}) {
	for last := int64(-1); ; {
		select {
		case <-stop:
			return
		case <-time.After(stall):
		}
		if done := c.done.Load(); done != last {
			last = done
			continue
		}
		c.fail(errors.New("no response came for 5 s"))
		c.mutex.Lock()
		for _, one := range c.links {
			if one.socket != nil {
				_ = one.socket.SetDeadline(time.Unix(1, 0))
			}
		}
		c.mutex.Unlock()
	}
}

// fail keeps the first error and lets no request begin any more.
func (c *loadClient) fail(err error) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.trouble == nil {
		c.trouble = err
	}
	c.wanted.Store(0)
}

// Close drops all connections.
func (c *loadClient) Close() error {
	for _, one := range c.links {
		one.drop()
	}
	return nil
}

func (l *link) drop() {
	l.job.mutex.Lock()
	socket := l.socket
	l.socket, l.stream, l.requests = nil, nil, 0
	l.job.mutex.Unlock()
	if socket != nil {
		_ = socket.Close()
	}
}

// exchange makes a request on the connection, which is made for it if there is none.
func (l *link) exchange() error {
	begun := monotonic()
	if l.stream == nil {
		if err := l.open(); err != nil {
			return err
		}
	}
	l.requests++
	last := l.requests == l.most
	request := l.job.request
	if last {
		request = l.job.last
	}
	if _, err := l.stream.Write(request); err != nil {
		return fmt.Errorf("sending a request: %w", err)
	}
	if err := l.response(); err != nil {
		return fmt.Errorf("reading a response: %w", err)
	}
	micros := (monotonic() - begun + 500) / 1000
	l.job.mutex.Lock()
	l.job.latencies.record(micros)
	l.job.mutex.Unlock()
	l.job.done.Add(1)
	if !last {
		return nil
	}
	read, err := readSome(l.stream, l.buffer)
	if read > 0 || !errors.Is(err, io.EOF) {
		return fmt.Errorf("waiting for the server to close: %d bytes, %v", read, err)
	}
	l.drop()
	return nil
}

// most is how many requests the next connection makes; 0 has no end. The first ones make fewer, each another number: connections that are
// opened together would be renewed together for ever, and stretches with all the handshakes would follow others with none.
func (c *loadClient) most() uint64 {
	all := uint64(c.workload.PerConn)
	if all < 2 || c.opened >= uint64(len(c.links)) {
		return all
	}
	fewer := all * c.opened / uint64(len(c.links))
	c.opened++
	return all - fewer
}

func (l *link) open() error {
	socket, err := net.Dial("tcp4", l.job.address)
	if err != nil {
		return fmt.Errorf("connecting: %w", err)
	}
	l.job.mutex.Lock()
	l.socket, l.stream, l.most = socket, socket, l.job.most()
	l.job.mutex.Unlock()
	if l.job.config == nil {
		return nil
	}
	secure := l.job.config.over(socket)
	l.stream = secure
	if err := secure.Handshake(); err != nil {
		return fmt.Errorf("shaking hands: %w", err)
	}
	says, err := describe(secure)
	if err != nil {
		return err
	}
	l.job.mutex.Lock()
	defer l.job.mutex.Unlock()
	l.job.proof, err = l.job.proof.followedBy(says.proof())
	return err
}

// response reads one whole response, and not a byte more.
func (l *link) response() error {
	filled, left := 0, 0
	for {
		read, err := readSome(l.stream, l.buffer[filled:])
		if err != nil {
			return err
		}
		filled += read
		parsed, err := parseHead(l.buffer[:filled])
		if err != nil {
			return err
		}
		if parsed == nil {
			continue
		}
		if !isOK(parsed) || parsed.body != int(l.job.workload.Body) {
			return fmt.Errorf("'%s' with a body of %d bytes", parsed.first, parsed.body)
		}
		if wanted := int(l.job.workload.Padding); parsed.padding != wanted {
			return fmt.Errorf("a header with %d bytes of padding instead of %d", parsed.padding, wanted)
		}
		left = parsed.length + parsed.body - filled
		break
	}
	for left > 0 {
		read, err := readSome(l.stream, l.buffer)
		if err != nil {
			return err
		}
		left -= read
	}
	if left < 0 {
		return errors.New("more bytes than the response has")
	}
	return nil
}

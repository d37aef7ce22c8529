package main

import (
	"net"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// loadServer is the server's end of a load: a goroutine for each connection, as Go servers have it, on the processors
// that the process may use.
type loadServer struct {
	config   *config
	listener net.Listener
	workload *workload
	response []byte
	last     []byte

	before                                             usageSplit
	connections, handshakes, resumed, requests, served atomic.Uint64
	// Goroutines that do not wait for the peer.
	busy  atomic.Int64
	mutex sync.Mutex
	open  map[net.Conn]struct{}
	ended bool
}

func prepareLoadServer(w *workload, files *pki) (prepared, error) {
	if w.Threads != 1 {
		return prepared{}, unsupported("the server of a load has one thread, on one core")
	}
	made := &loadServer{
		workload: w, response: httpResponse(w.Body, w.Padding, false), last: httpResponse(w.Body, w.Padding, true),
		open: map[net.Conn]struct{}{},
	}
	var err error
	if made.config, err = w.config(server, files); err != nil {
		return prepared{}, err
	}
	useProcessors(1)
	if made.listener, err = net.Listen("tcp4", "127.0.0.1:0"); err != nil {
		return prepared{}, failed("prepare", "listening on 127.0.0.1: %v", err)
	}
	made.before = processUsage()
	go made.accept()
	port := uint16(made.listener.Addr().(*net.TCPAddr).Port)
	return prepared{job: made, port: &port}, nil
}

func (*loadServer) run(batch) (sample, proof, error) {
	return sample{}, proof{}, failed("run", "the server's end of a load cannot be run: its client is")
}

// usage waits until every goroutine waits for its peer: whoever asks wants the account of all that has happened before.
func (s *loadServer) usage() (usage, error) {
	const rest, patience = 50 * time.Microsecond, 20_000
	for tries := 0; s.busy.Load() != 0 && tries < patience; tries++ {
		time.Sleep(rest)
	}
	return usage{
		processUsage().since(s.before),
		s.connections.Load(), s.handshakes.Load(), s.resumed.Load(), s.requests.Load(), s.served.Load(),
	}, nil
}

// Close ends the server and its connections.
func (s *loadServer) Close() error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.ended = true
	for one := range s.open {
		_ = one.Close()
	}
	return s.listener.Close()
}

func (s *loadServer) accept() {
	for {
		socket, err := s.listener.Accept()
		if err != nil {
			return
		}
		s.connections.Add(1)
		s.busy.Add(1)
		go s.serve(socket)
	}
}

// seated keeps a connection so that it can be closed from outside; not after the end.
func (s *loadServer) seated(socket net.Conn) bool {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if !s.ended {
		s.open[socket] = struct{}{}
	}
	return !s.ended
}

func (s *loadServer) serve(socket net.Conn) {
	defer s.busy.Add(-1)
	defer func() {
		_ = socket.Close()
		s.mutex.Lock()
		defer s.mutex.Unlock()
		delete(s.open, socket)
	}()
	if !s.seated(socket) {
		return
	}
	connection := net.Conn(&watched{socket, &s.busy})
	if s.config != nil {
		offer13(s.config.suite13)
		secure := s.config.over(connection)
		// Errors are told by the client, which sees the end of the connection.
		if secure.Handshake() != nil {
			return
		}
		s.handshakes.Add(1)
		if secure.ConnectionState().DidResume {
			s.resumed.Add(1)
		}
		connection = secure
	}
	s.answer(connection)
	// Sends close_notify.
	_ = connection.Close()
}

// readBuffer is as large as that of the usual Go servers.
const readBuffer = 4 * 1024

// answer serves requests until the last one or the end.
func (s *loadServer) answer(connection net.Conn) {
	buffer, filled := make([]byte, readBuffer), 0
	for {
		request, err := parseHead(buffer[:filled])
		if request == nil && err == nil && filled < len(buffer) {
			read, err := readSome(connection, buffer[filled:])
			if err != nil {
				return
			}
			filled += read
			continue
		}
		if request == nil || !isGet(request) {
			_, _ = connection.Write([]byte(badRequest))
			return
		}
		filled = copy(buffer, buffer[request.length:filled])
		burn(int64(s.workload.WorkUs) * 1000)
		if !s.respond(connection, request.last) || request.last {
			return
		}
	}
}

// respond counts first: when the client has the response, the server's account must have it too.
func (s *loadServer) respond(connection net.Conn, last bool) bool {
	bytes := s.response
	if last {
		bytes = s.last
	}
	s.requests.Add(1)
	s.served.Add(uint64(s.workload.Body))
	if _, err := connection.Write(bytes); err != nil {
		s.requests.Add(^uint64(0))
		s.served.Add(-uint64(s.workload.Body))
		return false
	}
	return true
}

// watched is a connection whose goroutine counts as busy unless it waits for the peer.
type watched struct {
	net.Conn
	busy *atomic.Int64
}

// Read waits for the peer.
func (w *watched) Read(buffer []byte) (int, error) {
	w.busy.Add(-1)
	defer w.busy.Add(1)
	return w.Conn.Read(buffer)
}

// burn uses so much CPU time, as the application behind a dynamic page would.
func burn(work int64) {
	if work == 0 {
		return
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	spun := 0
	for end := threadCPU() + work; threadCPU() < end; {
		// Reading the clock is a system call: most of the time should be the application's own.
		for range 2000 {
			spun++
		}
	}
	runtime.KeepAlive(&spun)
}

package main

import (
	"crypto/tls"
	"sync"
)

// sessions is a client's store for one server. A ticket of TLS 1.3 is taken out when it is offered, since it is good
// for one connection; a session of TLS 1.2 is used again. The store that crypto/tls brings keeps one for each server
// name, so of connections that begin together only one would be resumed.
type sessions struct {
	mutex     sync.Mutex
	singleUse bool
	kept      []*tls.ClientSessionState
	// While it is set no session is offered, so that each handshake is a full one and leaves a session.
	hidden bool
}

// Get is called by crypto/tls at the beginning of a handshake.
func (s *sessions) Get(string) (*tls.ClientSessionState, bool) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	last := len(s.kept) - 1
	if last < 0 || s.hidden {
		return nil, false
	}
	session := s.kept[last]
	if s.singleUse {
		s.kept[last] = nil
		s.kept = s.kept[:last]
	}
	return session, true
}

// Put is called by crypto/tls with a new session, or with none after a failure.
func (s *sessions) Put(_ string, session *tls.ClientSessionState) {
	if session == nil {
		return
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if !s.singleUse {
		s.kept = s.kept[:0]
	}
	s.kept = append(s.kept, session)
}

func (s *sessions) hide(hidden bool) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.hidden = hidden
}

package main

// source is where the handshakes of a case get their contexts.
type source struct {
	endpoint endpoint
	// One for all threads, or one for each; empty if each handshake makes its own.
	kept []*ends
}

// newSource makes the contexts that are kept, with a session for each handshake that will be resumed.
func newSource(contexts string, e endpoint, threads int) (*source, error) {
	s := &source{endpoint: e}
	number := 1
	switch contexts {
	case shared:
	case perThread:
		number = threads
	case perConnection:
		if e.resumption != full {
			return nil, unsupported("a session is resumed in the context that made it; a context for each " +
				"connection makes none")
		}
		// Tells early what cannot be made.
		_, err := newEnds(e, startLaps(1))
		return s, err
	default:
		return nil, unsupported("there is no sharing of contexts of the kind " + contexts)
	}
	for range number {
		made, err := newEnds(e, startLaps(1))
		if err != nil {
			return nil, err
		}
		// One that all threads share needs a session for each of them.
		if err := made.prime(threads / number); err != nil {
			return nil, err
		}
		s.kept = append(s.kept, made)
	}
	return s, nil
}

// of is what a thread makes its next connection from; each side is charged with what is made anew.
func (s *source) of(thread int, l *laps) (*ends, error) {
	if len(s.kept) == 0 {
		return newEnds(s.endpoint, l)
	}
	return s.kept[min(thread, len(s.kept)-1)], nil
}

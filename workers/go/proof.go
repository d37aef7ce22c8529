package main

// proof is what was really negotiated or computed.
type proof struct {
	params
	Resumed    uint64 `json:"resumed"`
	Handshakes uint64 `json:"handshakes"`
	// Always 0: nothing here has early data.
	Early       uint64  `json:"early"`
	ClientBytes uint64  `json:"client_bytes"`
	ServerBytes uint64  `json:"server_bytes"`
	RoundTrips  *uint32 `json:"round_trips,omitempty"`
	// Bytes of each flight of one handshake, the client's first; none where the bytes are not those of a handshake.
	Flights []uint64 `json:"flights,omitempty"`
	Answer  string   `json:"answer,omitempty"`
}

// followedBy is the proof of some handshakes and more of the same kind: counts add up, the rest is that of the last.
func (p proof) followedBy(last proof) (proof, error) {
	if p.Version == "" {
		return last, nil
	}
	if p.Version != last.Version || p.Suite != last.Suite || p.Group != last.Group {
		return p, failed("proof", "one handshake negotiated %s %s %s, those before %s %s %s",
			last.Version, last.Suite, last.Group, p.Version, p.Suite, p.Group)
	}
	last.Resumed += p.Resumed
	last.Handshakes += p.Handshakes
	return last, nil
}

// uncounted is what was negotiated, without the handshakes in which it was.
func (p proof) uncounted() proof {
	p.Resumed, p.Handshakes = 0, 0
	return p
}

// check compares what happened with what the case wants.
func (p proof) check(wanted params, resumption string) error {
	abbreviated := resumption != full && wanted.Version == "TLSv1.2"
	for _, one := range []struct{ what, asked, got string }{
		{"version", wanted.Version, p.Version},
		{"suite", wanted.Suite, p.Suite},
		{"group", wanted.Group, p.Group},
		{"certificate key", wanted.Key, p.Key},
	} {
		if one.what == "group" && abbreviated || one.what == "certificate key" && one.got == "" && resumption != full {
			continue
		}
		if one.asked != one.got {
			return failed("proof", "asked for %s '%s', the library negotiated '%s'", one.what, one.asked, one.got)
		}
	}
	resumed := uint64(0)
	if resumption != full {
		resumed = p.Handshakes
	}
	if p.Resumed != resumed {
		return failed("proof", "%d of %d handshakes were resumed, the case wants %d", p.Resumed, p.Handshakes, resumed)
	}
	return nil
}

// parts are what successive parts of a batch took, in nanoseconds: of work with two sides each, of other work the whole.
type parts struct {
	Whole  []int64 `json:"parts_ns,omitempty"`
	Client []int64 `json:"client_parts_ns,omitempty"`
	Server []int64 `json:"server_parts_ns,omitempty"`
}

// sample is what one batch of work took.
type sample struct {
	Iterations   uint64 `json:"iterations"`
	WallNs       int64  `json:"wall_ns"`
	CPUNs        int64  `json:"cpu_ns"`
	Bytes        uint64 `json:"bytes"`
	UserNs       *int64 `json:"user_ns,omitempty"`
	SystemNs     *int64 `json:"system_ns,omitempty"`
	ClientNs     *int64 `json:"client_ns,omitempty"`
	ServerNs     *int64 `json:"server_ns,omitempty"`
	ClientUser   *int64 `json:"client_user_ns,omitempty"`
	ClientSystem *int64 `json:"client_system_ns,omitempty"`
	Latency      string `json:"latency,omitempty"`
	parts
	// What the garbage collector took of CPU time meanwhile, as the runtime estimates it at the end of each cycle.
	// The protocol has no such field; whoever does not know it passes over it.
	GcNs int64 `json:"gc_ns"`
}

package main

import "encoding/json"

// protocol is the version of the protocol with the orchestrator, docs/protocol.md.
const protocol = 1

// request is a line from the orchestrator. Fields that are not known here are passed over.
type request struct {
	Do         string  `json:"do"`
	Protocol   uint32  `json:"protocol"`
	Pki        string  `json:"pki"`
	Slot       uint32  `json:"slot"`
	End        *string `json:"end"`
	Port       *uint16 `json:"port"`
	Iterations uint64  `json:"iterations"`
	Warmup     uint64  `json:"warmup"`
	flatCase
}

// flatCase is a case as one row of optional fields; which are there depends on the kind.
type flatCase struct {
	Kind        string  `json:"kind"`
	Threads     *uint16 `json:"threads"`
	Op          *string `json:"op"`
	Algorithm   *string `json:"algorithm"`
	Size        *uint32 `json:"size"`
	Pattern     *string `json:"pattern"`
	Version     *string `json:"version"`
	Suite       *string `json:"suite"`
	Group       *string `json:"group"`
	Key         *string `json:"key"`
	Chain       *uint8  `json:"chain"`
	Resumption  *string `json:"resumption"`
	Mutual      *bool   `json:"mutual"`
	Contexts    *string `json:"contexts"`
	Direction   *string `json:"direction"`
	Record      *uint32 `json:"record"`
	Write       *uint32 `json:"write"`
	Buffer      *uint32 `json:"buffer"`
	Side        *string `json:"side"`
	Connections *uint32 `json:"connections"`
	PerConn     *uint32 `json:"requests_per_connection"`
	Body        *uint32 `json:"body"`
	WorkUs      *uint32 `json:"work_us"`
	Padding     uint32  `json:"response_headers"`
}

// hello is what the worker says of itself.
type hello struct {
	Is          string   `json:"is"`
	Protocol    uint32   `json:"protocol"`
	Family      string   `json:"family"`
	Version     string   `json:"version"`
	Build       string   `json:"build"`
	CPU         string   `json:"cpu"`
	Primitives  []string `json:"primitives"`
	Patterns    []string `json:"patterns"`
	Versions    []string `json:"versions"`
	Suites      []string `json:"suites"`
	Groups      []string `json:"groups"`
	Keys        []string `json:"keys"`
	Resumptions []string `json:"resumptions"`
	Without     []string `json:"without"`
	Loads       []string `json:"loads"`
}

// The answers about a case.
type (
	ready struct {
		Is   string  `json:"is"`
		Slot uint32  `json:"slot"`
		Port *uint16 `json:"port,omitempty"`
		proof
	}
	sampled struct {
		Is   string `json:"is"`
		Slot uint32 `json:"slot"`
		sample
		proof
	}
	refused struct {
		Is     string `json:"is"`
		Slot   uint32 `json:"slot"`
		Reason string `json:"reason"`
	}
	broken struct {
		Is      string `json:"is"`
		Slot    uint32 `json:"slot"`
		Stage   string `json:"stage"`
		Message string `json:"message"`
	}
	accounted struct {
		Is   string `json:"is"`
		Slot uint32 `json:"slot"`
		usage
	}
	released struct {
		Is   string `json:"is"`
		Slot uint32 `json:"slot"`
	}
)

// usage is what the server's end of a load has used and counted since it was prepared.
type usage struct {
	CPUNs       int64  `json:"cpu_ns"`
	UserNs      int64  `json:"user_ns"`
	SystemNs    int64  `json:"system_ns"`
	Connections uint64 `json:"connections"`
	Handshakes  uint64 `json:"handshakes"`
	Resumed     uint64 `json:"resumed"`
	Requests    uint64 `json:"requests"`
	Bytes       uint64 `json:"bytes"`
}

// encode makes one line.
func encode(answer any) []byte {
	line, err := json.Marshal(answer)
	if err != nil {
		panic("every answer is made of strings and numbers: " + err.Error())
	}
	return append(line, '\n')
}

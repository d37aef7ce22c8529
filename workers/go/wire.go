package main

import "encoding/json"

// protocol is the version of the protocol with the orchestrator, docs/protocol.md.
const protocol = 2

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
	// Iterations in each part of the batch that is told by itself; 0: only the whole is told.
	Part uint64 `json:"part"`
	workload
}

// hello is what the worker says of itself.
type hello struct {
	Is       string `json:"is"`
	Protocol uint32 `json:"protocol"`
	Family   string `json:"family"`
	Version  string `json:"version"`
	Build    string `json:"build"`
	CPU      string `json:"cpu"`
	abilities
	Without []string `json:"without"`
	Loads   []string `json:"loads"`
}

// abilities are what the library was found to have.
type abilities struct {
	Primitives  []string `json:"primitives"`
	Patterns    []string `json:"patterns"`
	Versions    []string `json:"versions"`
	Suites      []string `json:"suites"`
	Groups      []string `json:"groups"`
	Keys        []string `json:"keys"`
	Resumptions []string `json:"resumptions"`
}

// The answers about a case.
type (
	// How each begins.
	about struct {
		Is   string `json:"is"`
		Slot uint32 `json:"slot"`
	}
	ready struct {
		about
		Port *uint16 `json:"port,omitempty"`
		proof
	}
	sampled struct {
		about
		sample
		proof
	}
	refused struct {
		about
		Reason string `json:"reason"`
	}
	broken struct {
		about
		Stage   string `json:"stage"`
		Message string `json:"message"`
	}
	accounted struct {
		about
		usage
	}
)

// usage is what the server's end of a load has used and counted since it was prepared.
type usage struct {
	usageSplit
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

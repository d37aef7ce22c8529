package main

import (
	"encoding/json"
	"fmt"
	"slices"
)

// workload is a case as one row of fields; which are there depends on the kind.
type workload struct {
	Kind    string `json:"kind"`
	Threads uint16 `json:"threads"`
	// Primitive.
	Op        string `json:"op"`
	Algorithm string `json:"algorithm"`
	Size      uint32 `json:"size"`
	Pattern   string `json:"pattern"`
	// Connections; without TLS in a load over plain HTTP.
	params
	Chain       uint8  `json:"chain"`
	Resumption  string `json:"resumption"`
	Mutual      bool   `json:"mutual"`
	Contexts    string `json:"contexts"`
	Direction   string `json:"direction"`
	Record      uint32 `json:"record"`
	Write       uint32 `json:"write"`
	Buffer      uint32 `json:"buffer"`
	Side        string `json:"side"`
	Connections uint32 `json:"connections"`
	// 0 is no limit.
	PerConn uint32 `json:"requests_per_connection"`
	Body    uint32 `json:"body"`
	Padding uint32 `json:"response_headers"`
	WorkUs  uint32 `json:"work_us"`
	plain   bool
	// All fields of the row, to see which are absent.
	given map[string]any
}

// needed are the fields that must be there, by the kind of case. Cases with TLS need the negotiated ones before them.
var (
	needed = map[string][]string{
		"primitive": {"op", "algorithm", "size", "pattern"},
		"handshake": {"chain", "resumption", "mutual"},
		"bulk":      {"direction", "record", "write", "buffer"},
		"idle":      {"side", "connections"},
		"load":      {"resumption", "connections", "requests_per_connection", "body", "work_us"},
	}
	neededWithTLS = []string{"version", "suite", "key"}
)

// parse reads a request.
func parse(line []byte) (*request, error) {
	asked := &request{workload: workload{Threads: 1, Resumption: full, Contexts: shared}}
	if err := json.Unmarshal(line, asked); err != nil {
		return asked, err
	}
	return asked, json.Unmarshal(line, &asked.given)
}

// checkRow refuses a row that is not complete for its kind, or has words that this worker does not know.
func (w *workload) checkRow() error {
	if w.Threads == 0 {
		return failed("prepare", "a case needs at least one thread")
	}
	fields, known := needed[w.Kind]
	if !known {
		return unsupported("there is no kind of case '" + w.Kind + "'")
	}
	w.plain = w.Kind == "load" && w.given["version"] == nil
	if w.Kind != "primitive" && !w.plain {
		fields = slices.Concat(neededWithTLS, fields)
	}
	for _, field := range fields {
		if w.given[field] == nil {
			return failed("prepare", "a %s case needs the field '%s'", w.Kind, field)
		}
	}
	if w.Kind == "bulk" && w.Direction != "download" && w.Direction != "upload" {
		return unsupported(fmt.Sprintf("there is no direction '%s'", w.Direction))
	}
	if w.Kind == "load" && w.Direction == "upload" {
		return unsupported("loads of this worker are downloads")
	}
	if w.Kind == "idle" && w.Side != client && w.Side != server {
		return unsupported(fmt.Sprintf("there is no side '%s'", w.Side))
	}
	return nil
}

// config is that of an end of a load; none for plain HTTP.
func (w *workload) config(side string, files *pki) (*config, error) {
	if w.plain {
		return nil, nil
	}
	e := usualEndpoint(w.params, files)
	e.resumption = w.Resumption
	return newConfig(side, e)
}

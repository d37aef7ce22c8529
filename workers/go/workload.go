package main

import "fmt"

// workload is a case, read from a request and complete for its kind.
type workload struct {
	kind    string
	threads int
	// Primitive.
	op, algorithm, pattern string
	size                   int
	// Connections; without TLS in a load over plain HTTP.
	params
	plain           bool
	chain           int
	resumption      string
	mutual          bool
	contexts        string
	direction       string
	record          int
	write           int
	buffer          int
	side            string
	connections     int
	requestsPerConn uint64
	body            int
	padding         int
	workUs          int
}

// field takes a field that the kind needs; of absent ones the first is told.
func field[T any](missing *string, name string, value *T) T {
	if value != nil {
		return *value
	}
	if *missing == "" {
		*missing = name
	}
	var none T
	return none
}

func number(missing *string, name string, value *uint32) int { return int(field(missing, name, value)) }

// read makes a workload of a row.
func (f *flatCase) read() (*workload, error) {
	w := &workload{kind: f.Kind, threads: 1, resumption: full, contexts: shared}
	if f.Threads != nil {
		w.threads = int(*f.Threads)
	}
	if w.threads == 0 {
		return nil, failed("prepare", "a case needs at least one thread")
	}
	missing := ""
	switch f.Kind {
	case "primitive":
		w.op = field(&missing, "op", f.Op)
		w.algorithm = field(&missing, "algorithm", f.Algorithm)
		w.size = number(&missing, "size", f.Size)
		w.pattern = field(&missing, "pattern", f.Pattern)
	case "handshake":
		w.params = f.params(&missing)
		w.chain = int(field(&missing, "chain", f.Chain))
		w.resumption = field(&missing, "resumption", f.Resumption)
		w.mutual = field(&missing, "mutual", f.Mutual)
		if f.Contexts != nil {
			w.contexts = *f.Contexts
		}
	case "bulk":
		w.params = f.params(&missing)
		w.direction = field(&missing, "direction", f.Direction)
		w.record = number(&missing, "record", f.Record)
		w.write = number(&missing, "write", f.Write)
		w.buffer = number(&missing, "buffer", f.Buffer)
	case "idle":
		w.params = f.params(&missing)
		w.side = field(&missing, "side", f.Side)
		w.connections = number(&missing, "connections", f.Connections)
	case "load":
		f.readLoad(w, &missing)
	default:
		return nil, unsupported("there is no kind of case '" + f.Kind + "'")
	}
	if missing != "" {
		return nil, failed("prepare", "a %s case needs the field '%s'", f.Kind, missing)
	}
	return w, w.checkWords()
}

func (f *flatCase) readLoad(w *workload, missing *string) {
	w.plain = f.Version == nil
	if !w.plain {
		w.params = f.params(missing)
	}
	w.resumption = field(missing, "resumption", f.Resumption)
	w.connections = number(missing, "connections", f.Connections)
	w.requestsPerConn = uint64(field(missing, "requests_per_connection", f.PerConn))
	w.body = number(missing, "body", f.Body)
	w.padding = int(f.Padding)
	w.workUs = number(missing, "work_us", f.WorkUs)
}

func (f *flatCase) params(missing *string) params {
	p := params{
		version: field(missing, "version", f.Version),
		suite:   field(missing, "suite", f.Suite),
		key:     field(missing, "key", f.Key),
	}
	if f.Group != nil {
		p.group = *f.Group
	}
	return p
}

// checkWords refuses words that this worker does not know.
func (w *workload) checkWords() error {
	if w.kind == "bulk" && w.direction != "download" && w.direction != "upload" {
		return unsupported(fmt.Sprintf("there is no direction '%s'", w.direction))
	}
	if w.kind == "idle" && w.side != client && w.side != server {
		return unsupported(fmt.Sprintf("there is no side '%s'", w.side))
	}
	return nil
}

package main

import (
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
)

// idleJob makes connections that do nothing and tells what each takes in memory; one side of each is kept.
//
// The figure is the growth of the proportional set size. Garbage is collected and free memory given back before both
// readings: what is left is what a server with idle connections keeps once the collector has run. A kept connection
// has its goroutine with it, which waits for the next bytes as that of a Go server does.
type idleJob struct {
	workload *workload
	ends     *ends
}

func prepareIdle(c *workload, files *pki) (prepared, error) {
	if c.Connections < 1 {
		return prepared{}, failed("prepare", "idle connections: there must be at least one")
	}
	ends, err := newEnds(usualEndpoint(c.params, files), startLaps(1))
	if err != nil {
		return prepared{}, err
	}
	made := &idleJob{c, ends}
	// One generation goes before, so that the runtime has its tables before anything is read.
	return tried(made, 1, c.params, full)
}

// run makes one generation, however many iterations are asked for.
func (j *idleJob) run(batch) (sample, proof, error) {
	useProcessors(1)
	kept := make([]*connection, 0, j.workload.Connections)
	defer func() {
		for _, one := range kept {
			one.drop()
		}
	}()
	w := newWire()
	var all proof
	before, err := resident()
	if err != nil {
		return sample{}, proof{}, err
	}
	timed := startLaps(1)
	for range j.workload.Connections {
		one, proven, err := j.one(w)
		if err != nil {
			return sample{}, proof{}, err
		}
		kept = append(kept, one)
		all = proven
	}
	timed.finish()
	after, err := resident()
	if err != nil {
		return sample{}, proof{}, err
	}
	all.Handshakes = uint64(j.workload.Connections)
	runtime.KeepAlive(w)
	took := summed([]share{{laps: timed}}, 0)
	return sample{
		Iterations: all.Handshakes, WallNs: took.WallNs, CPUNs: took.CPUNs, GcNs: took.GcNs,
		Bytes: after - min(before, after),
	}, all, nil
}

// one makes a connection and lets its goroutine wait on a wire of its own, for it must not read what is another's.
func (j *idleJob) one(w *wire) (*connection, proof, error) {
	w.reset()
	p, err := j.ends.connect(w, startLaps(1))
	if err != nil {
		return nil, proof{}, err
	}
	proven, err := p.proof()
	if err != nil {
		return nil, proof{}, err
	}
	kept := p.server
	if j.workload.Side == client {
		kept = p.client
	}
	kept.end.incoming, kept.end.outgoing = &queue{}, &queue{}
	kept.keep()
	return kept, proven, nil
}

// resident is the proportional set size of this process without garbage.
func resident() (uint64, error) {
	// Twice: what a finalizer or cleanup freed in the first collection goes in the second.
	debug.FreeOSMemory()
	debug.FreeOSMemory()
	const path = "/proc/self/smaps_rollup"
	text, err := os.ReadFile(path)
	if err != nil {
		return 0, failed("run", "%v", err)
	}
	for line := range strings.Lines(string(text)) {
		var kilobytes uint64
		if _, err := fmt.Sscanf(line, "Pss: %d kB", &kilobytes); err == nil {
			return kilobytes * 1024, nil
		}
	}
	return 0, failed("run", "%s has no proportional set size", path)
}

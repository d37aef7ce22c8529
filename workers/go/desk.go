package main

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"math"
)

// batch is what is asked for at once.
type batch struct {
	// So many iterations untimed, and then so many timed ones.
	warmup, iterations uint64
	// How many of them make a part that is told by itself; 0: only the whole is told.
	part uint64
}

// whole is a batch that is told as one, without a warm-up.
func whole(iterations uint64) batch { return batch{iterations: iterations} }

// job is a prepared case. Everything that is not to be timed was done when it was made.
type job interface {
	// run does a batch, on each thread of the case.
	run(asked batch) (sample, proof, error)
}

// prepared is a case after its trial run.
type prepared struct {
	job   job
	proof proof
	port  *uint16
}

// tried is a case whose trial run proves what is wanted. Without TLS nothing is.
func tried(made job, iterations uint64, wanted params, resumption string) (prepared, error) {
	_, proven, err := made.run(whole(iterations))
	if err != nil || wanted.Version == "" {
		return prepared{job: made, proof: proven}, err
	}
	return prepared{job: made, proof: proven}, proven.check(wanted, resumption)
}

// desk is what the worker keeps between requests.
type desk struct {
	pki  *pki
	jobs map[uint32]job
}

// converse answers requests until bye or the end of the input.
func converse(input io.Reader, output io.Writer) error {
	d := &desk{jobs: map[uint32]job{}}
	defer d.releaseAll()
	lines := bufio.NewScanner(input)
	lines.Buffer(nil, math.MaxInt)
	for lines.Scan() {
		line := lines.Bytes()
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		var answer any
		if asked, malformed := parse(line); malformed != nil {
			answer = refusal(asked.Slot, failed("prepare", "not a message of protocol %d: %v", protocol, malformed))
		} else if asked.Do == "bye" {
			return nil
		} else {
			answer = d.answer(asked)
		}
		if _, err := output.Write(encode(answer)); err != nil {
			return err
		}
	}
	return lines.Err()
}

func (d *desk) answer(asked *request) any {
	answer, err := guarded(func() (any, error) { return d.do(asked) })
	if err != nil {
		return refusal(asked.Slot, err)
	}
	return answer
}

func (d *desk) do(asked *request) (any, error) {
	switch asked.Do {
	case "hello":
		d.pki = newPki(asked.Pki)
		return introduce(d.pki), nil
	case "prepare":
		return d.prepare(asked)
	case "run":
		held, err := d.job(asked.Slot)
		if err != nil {
			return nil, err
		}
		took, proven, err := held.run(batch{asked.Warmup, asked.Iterations, asked.Part})
		return sampled{about{"sampled", asked.Slot}, took, proven}, at("run", "the batch", err)
	case "usage":
		held, err := d.job(asked.Slot)
		if err != nil {
			return nil, err
		}
		serving, is := held.(*loadServer)
		if !is {
			return nil, failed("run", "only the server's end of a load counts its usage")
		}
		counted, err := serving.usage()
		return accounted{about{"usage", asked.Slot}, counted}, err
	case "release":
		d.release(asked.Slot)
		return about{"released", asked.Slot}, nil
	}
	return nil, failed("prepare", "there is no request '%s'", asked.Do)
}

func (d *desk) job(slot uint32) (job, error) {
	held, is := d.jobs[slot]
	if !is {
		return nil, failed("run", "no case is prepared in this slot")
	}
	return held, nil
}

func (d *desk) prepare(asked *request) (any, error) {
	if d.pki == nil {
		return nil, failed("prepare", "the first request must be hello")
	}
	// A slot that is prepared anew gives up its goroutines and ports first.
	d.release(asked.Slot)
	if err := asked.checkRow(); err != nil {
		return nil, err
	}
	made, err := d.make(asked)
	var failure *failure
	if errors.As(err, &failure) && failure.stage == "run" {
		// The trial run is part of getting ready.
		return nil, failed("prepare", "%s", failure.message)
	}
	if err != nil {
		return nil, at("prepare", "getting ready", err)
	}
	d.jobs[asked.Slot] = made.job
	return ready{about{"ready", asked.Slot}, made.port, made.proof}, nil
}

func (d *desk) make(asked *request) (prepared, error) {
	w := &asked.workload
	if w.Kind == "load" {
		switch {
		case asked.End == nil:
			return prepared{}, failed("prepare", "a load needs an end: client or server")
		case *asked.End == server:
			return prepareLoadServer(w, d.pki)
		case *asked.End == client && asked.Port != nil:
			return prepareLoadClient(w, *asked.Port, d.pki)
		}
		return prepared{}, failed("prepare", "the client of a load needs the server's port")
	}
	if asked.End != nil {
		return prepared{}, failed("prepare", "only a load has ends")
	}
	switch w.Kind {
	case "primitive":
		return preparePrimitive(w, d.pki)
	case "handshake":
		return prepareHandshake(w, d.pki)
	case "bulk":
		return prepareBulk(w, d.pki)
	}
	return prepareIdle(w, d.pki)
}

func (d *desk) release(slot uint32) {
	if closing, is := d.jobs[slot].(io.Closer); is {
		// What could not be closed is gone with the process.
		_ = closing.Close()
	}
	delete(d.jobs, slot)
}

func (d *desk) releaseAll() {
	for slot := range d.jobs {
		d.release(slot)
	}
}

func refusal(slot uint32, err error) any {
	var hole unsupported
	if errors.As(err, &hole) {
		return refused{about{"unsupported", slot}, string(hole)}
	}
	var known *failure
	if errors.As(err, &known) {
		return broken{about{"failed", slot}, known.stage, known.message}
	}
	return broken{about{"failed", slot}, "run", err.Error()}
}

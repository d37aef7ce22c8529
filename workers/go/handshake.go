package main

import "math"

// handshakeJob makes handshakes of one kind in memory: client and server take turns, and each turn is timed on its own.
type handshakeJob struct {
	contexts      *source
	threads       int
	shortestPause int64
}

// trialHandshakes come before the first that counts: of so many readings of proofs, one is not interrupted.
const trialHandshakes = 3

func prepareHandshake(c *workload, files *pki) (prepared, error) {
	if c.Chain < 1 || c.Chain > 3 {
		return prepared{}, unsupported("a chain has 1 to 3 certificates")
	}
	e := endpoint{c.params, c.Chain, c.Resumption, c.Mutual, largestRecord, files}
	contexts, err := newSource(c.Contexts, e, int(c.Threads))
	if err != nil {
		return prepared{}, err
	}
	made := &handshakeJob{contexts, int(c.Threads), math.MaxInt64}
	if _, _, err = made.run(whole(trialHandshakes)); err != nil {
		return prepared{}, err
	}
	return tried(made, 1, c.params, c.Resumption)
}

type shaker struct {
	job   *handshakeJob
	index int
	wire  *wire
}

func (j *handshakeJob) run(asked batch) (sample, proof, error) {
	warmup := asked.warmup
	// A new thread's first handshake sets up what is kept per thread.
	if j.threads > 1 {
		warmup = max(warmup, 1)
	}
	batches, err := together(j.threads,
		func(index int) (*shaker, error) {
			s := &shaker{j, index, newWire()}
			_, err := s.shake(whole(warmup))
			return s, err
		},
		func(s *shaker) (share, error) { return s.shake(asked) })
	if err != nil {
		return sample{}, proof{}, err
	}
	var all proof
	for _, one := range batches {
		j.shortestPause = min(j.shortestPause, one.laps.shortestPause)
		if all, err = all.followedBy(one.proof); err != nil {
			return sample{}, proof{}, err
		}
	}
	took := summed(batches, j.shortestPause)
	took.Iterations = asked.iterations * uint64(j.threads)
	return took, all, nil
}

func (s *shaker) shake(asked batch) (share, error) {
	var all proof
	l := startLaps(s.job.threads).inParts(asked)
	for range asked.iterations {
		one, err := s.once(l)
		if err != nil {
			return share{}, err
		}
		if all, err = all.followedBy(one); err != nil {
			return share{}, err
		}
	}
	l.finish()
	return share{l, all}, nil
}

// once makes one handshake, from making both ends to dropping them.
func (s *shaker) once(l *laps) (proof, error) {
	s.wire.reset()
	contexts, err := s.job.contexts.of(s.index, l)
	if err != nil {
		return proof{}, err
	}
	p, err := contexts.connect(s.wire, l)
	if err != nil {
		return proof{}, err
	}
	proven, err := p.proof()
	l.pause()
	p.drop(l)
	l.iterated()
	return proven, err
}

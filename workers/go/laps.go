package main

import "math"

// laps tells times apart by contiguous readings of one clock: what passes between two readings belongs to one side,
// or to the harness, which pauses to read proofs.
//
// Alone, elapsed time is CPU time until the process is preempted: with one processor for Go code, what the garbage
// collector and the scheduler do in between falls to the side whose turn it is. Several threads wait for each other:
// then only the thread's CPU clock tells what a side took.
type laps struct {
	clock         func() int64
	alone         bool
	started       int64
	last          int64
	ended         int64
	client        int64
	server        int64
	paused        int64
	pauses        int64
	shortestPause int64
	// Accounts of the whole process at the start and at the end.
	before, after account
	// Iterations in a part, 0 where none are told, and in the one in hand.
	part, done uint64
	// What the sides had taken when the part in hand began.
	clientBefore, serverBefore int64
	told                       parts
}

// account is what the process has used: CPU time, and the garbage collector's part of it.
type account struct {
	process, gc int64
}

func startLaps(threads int) *laps {
	clock := monotonic
	if threads > 1 {
		clock = threadCPU
	}
	gc := collected()
	l := &laps{clock: clock, shortestPause: math.MaxInt64, before: account{processCPU(), gc}, alone: threads == 1}
	l.started = monotonic()
	l.last = clock()
	return l
}

// inParts tells each part of a batch too, unless several threads do it: theirs would overlap.
func (l *laps) inParts(asked batch) *laps {
	if l.alone && asked.part > 0 {
		l.part = asked.part
		room := asked.iterations / asked.part
		l.told = parts{make([]int64, 0, room), make([]int64, 0, room), make([]int64, 0, room)}
	}
	return l
}

// iterated says that an iteration of work with two sides is over.
func (l *laps) iterated() {
	l.done++
	if l.done == l.part {
		l.told.Client = append(l.told.Client, l.client-l.clientBefore)
		l.told.Server = append(l.told.Server, l.server-l.serverBefore)
		l.clientBefore, l.serverBefore, l.done = l.client, l.server, 0
	}
}

// repeat does an operation so many times.
func (l *laps) repeat(one operation, times uint64) error {
	if l.part > 0 {
		for range times / l.part {
			if err := repeat(one, l.part); err != nil {
				return err
			}
			l.told.Whole = append(l.told.Whole, l.lap())
		}
		times %= l.part
	}
	return repeat(one, times)
}

func (l *laps) lap() int64 {
	now := l.clock()
	lap := now - l.last
	l.last = now
	return lap
}

// charge gives a side what passed since the last reading.
func (l *laps) charge(side string) {
	if side == client {
		l.client += l.lap()
	} else {
		l.server += l.lap()
	}
}

// pause takes what passed since the last reading as the harness's.
func (l *laps) pause() {
	lap := l.lap()
	l.paused += lap
	l.pauses++
	l.shortestPause = min(l.shortestPause, lap)
}

// finish reads the clocks at the end, as close to the last lap as can be.
func (l *laps) finish() {
	l.ended = monotonic()
	l.after.process = processCPU()
	l.after.gc = collected()
}

// share is what one of the threads did of a batch.
type share struct {
	laps  *laps
	proof proof
}

// summed is the sample of all threads: what each side took, and the whole.
//
// The whole is the process's CPU time without the pauses, each of which counts as much as the shortest: it is the same
// few instructions each time, and a longer one was interrupted. With several threads, what the process used beside
// them, above all for the garbage collector, is shared out in the proportion of the sides.
func summed(all []share, shortestPause int64) sample {
	start, end := int64(math.MaxInt64), int64(math.MinInt64)
	from, to := all[0].laps.before, all[0].laps.after
	clientTime, serverTime, pauses := int64(0), int64(0), int64(0)
	for _, one := range all {
		l := one.laps
		start, end = min(start, l.started), max(end, l.ended-l.paused)
		from.process, from.gc = min(from.process, l.before.process), min(from.gc, l.before.gc)
		to.process, to.gc = max(to.process, l.after.process), max(to.gc, l.after.gc)
		clientTime += l.client
		serverTime += l.server
		pauses += l.pauses
	}
	whole := max(to.process-from.process-shortestPause*pauses, 1)
	if sum := clientTime + serverTime; len(all) > 1 && sum > 0 {
		share := float64(whole) / float64(sum)
		clientTime, serverTime = int64(float64(clientTime)*share), int64(float64(serverTime)*share)
	}
	var told parts
	if len(all) == 1 {
		told = all[0].laps.told
	}
	return sample{
		WallNs: max(end-start, 1), CPUNs: whole, ClientNs: &clientTime, ServerNs: &serverTime, GcNs: to.gc - from.gc,
		parts: told,
	}
}

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
	return &laps{
		clock: clock, shortestPause: math.MaxInt64, started: monotonic(),
		before: account{processCPU(), gc}, last: clock(),
	}
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
	l.after.process = processCPU()
	l.ended = monotonic()
	l.after.gc = collected()
}

// part is what one of the threads did.
type part struct {
	laps  *laps
	proof proof
}

// summed is the sample of all threads: what each side took, and the whole.
//
// The whole is the process's CPU time without the pauses, each of which counts as much as the shortest: it is the same
// few instructions each time, and a longer one was interrupted. With several threads, what the process used beside
// them, above all for the garbage collector, is shared out in the proportion of the sides.
func summed(all []part, shortestPause int64) sample {
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
	return sample{
		WallNs: max(end-start, 1), CPUNs: whole, ClientNs: &clientTime, ServerNs: &serverTime, GcNs: to.gc - from.gc,
	}
}

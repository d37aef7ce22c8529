package main

import (
	"math/bits"
	"runtime"
	"runtime/metrics"
	"sync"
	"sync/atomic"

	"golang.org/x/sys/unix"
)

// together runs ready and then timed on so many threads; no thread begins timed before all are ready.
//
// A single thread is the calling goroutine, alone on one processor, so that the garbage collector takes turns with it
// and its time can be read from the same clock. Several are threads of their own, each bound to a core.
func together[S, T any](threads int, ready func(index int) (S, error), timed func(S) (T, error)) ([]T, error) {
	useProcessors(threads)
	if threads == 1 {
		state, err := ready(0)
		if err != nil {
			return nil, err
		}
		result, err := timed(state)
		return []T{result}, err
	}
	results, errs := make([]T, threads), make([]error, threads)
	var missing atomic.Int64
	var done sync.WaitGroup
	missing.Store(int64(threads))
	cores := availableCores()
	for index := range threads {
		done.Go(func() {
			// A goroutine that ends locked takes its thread with it, and the binding to a core.
			runtime.LockOSThread()
			bindThread(cores[index%len(cores)])
			state, err := guarded(func() (S, error) { return ready(index) })
			for missing.Add(-1); missing.Load() > 0; {
				runtime.Gosched()
			}
			if err == nil {
				results[index], err = guarded(func() (T, error) { return timed(state) })
			}
			errs[index] = err
		})
	}
	done.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return results, nil
}

// useProcessors lets Go code run on one processor, or on all that this process may use.
func useProcessors(threads int) {
	wanted := 1
	if threads > 1 {
		wanted = len(availableCores())
	}
	// Every change stops the world, so none is made for nothing.
	if runtime.GOMAXPROCS(0) != wanted {
		runtime.GOMAXPROCS(wanted)
	}
}

// guarded turns a panic into an error: it is a failure of one case and not of the worker.
func guarded[T any](act func() (T, error)) (result T, err error) {
	defer func() {
		if panicked := recover(); panicked != nil {
			err = failed("run", "the worker panicked: %v", panicked)
		}
	}()
	return act()
}

// availableCores are the CPUs that this process may use, as at its start.
var availableCores = sync.OnceValue(func() []int {
	var set unix.CPUSet
	if unix.SchedGetaffinity(0, &set) != nil {
		return []int{0}
	}
	var cores []int
	for core := range len(set) * bits.UintSize {
		if set.IsSet(core) {
			cores = append(cores, core)
		}
	}
	return cores
})

// bindThread binds the calling thread to a core; where the system forbids it, the scheduler decides.
func bindThread(core int) {
	var set unix.CPUSet
	set.Set(core)
	_ = unix.SchedSetaffinity(0, &set)
}

// collected is the CPU time of the garbage collector up to the end of its last cycle, as the runtime estimates it.
func collected() int64 {
	reading := []metrics.Sample{{Name: "/cpu/classes/gc/total:cpu-seconds"}}
	metrics.Read(reading)
	if reading[0].Value.Kind() != metrics.KindFloat64 {
		return 0
	}
	return int64(reading[0].Value.Float64() * 1e9)
}

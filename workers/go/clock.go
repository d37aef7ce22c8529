package main

import (
	"syscall"
	"time"
	"unsafe"
)

// Clocks of clock_gettime(2), which package syscall does not name.
const (
	processCPUTime = 2
	threadCPUTime  = 3
)

var epoch = time.Now()

// monotonic is the time since the start of the program in nanoseconds; it is read without a system call.
func monotonic() int64 { return int64(time.Since(epoch)) }

// threadCPU is the CPU time of the calling thread; a caller that compares two readings is locked to its thread.
func threadCPU() int64 { return readClock(threadCPUTime) }

// processCPU is the CPU time of all threads of this process, those of the garbage collector included.
func processCPU() int64 { return readClock(processCPUTime) }

func readClock(id uintptr) int64 {
	var now syscall.Timespec
	// It cannot fail: both clocks exist in every kernel that Go runs on, and the pointer is valid.
	_, _, _ = syscall.RawSyscall(syscall.SYS_CLOCK_GETTIME, id, uintptr(unsafe.Pointer(&now)), 0)
	return now.Nano()
}

// usageSplit is CPU time with its parts in user space and in the kernel.
type usageSplit struct {
	Total  int64 `json:"cpu_ns"`
	User   int64 `json:"user_ns"`
	System int64 `json:"system_ns"`
}

// processUsage splits the process's CPU time in the proportion that getrusage(2) gives.
func processUsage() usageSplit {
	total := processCPU()
	var usage syscall.Rusage
	// It cannot fail: the pointer is valid.
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &usage)
	user, system := usage.Utime.Nano(), usage.Stime.Nano()
	if user+system == 0 {
		return usageSplit{Total: total, User: total}
	}
	part := int64(float64(total) * (float64(user) / float64(user+system)))
	return usageSplit{total, part, total - part}
}

// since is what was used after an earlier reading. Each reading was scaled on its own, so a part can seem to shrink.
func (u usageSplit) since(before usageSplit) usageSplit {
	total := u.Total - before.Total
	user := min(max(u.User-before.User, 0), total)
	return usageSplit{total, user, total - user}
}

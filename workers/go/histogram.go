package main

import (
	"encoding/base64"
	"encoding/binary"
	"math"
	"math/bits"
)

// histogram counts latencies in microseconds, from one to a minute, to three digits: the buckets of HdrHistogram.
type histogram struct {
	counts []uint64
	top    int
}

const (
	longestLatency = 60_000_000
	latencyDigits  = 3
	// 2 x 10^3 values are told apart singly; the next power of two is the size of a bucket.
	subBucketBits = 11
	subBuckets    = 1 << subBucketBits
	// The cookie of the V2 encoding, with the word size that it is written with.
	cookieV2 = 0x1c849303 | 0x10
)

// index is the place of a value: each bucket after the first has the upper half of its values only.
func index(value uint64) int {
	bucket := bits.Len64(value|(subBuckets-1)) - subBucketBits
	return (bucket+1)<<(subBucketBits-1) + int(value>>bucket) - subBuckets/2
}

func (h *histogram) record(micros int64) {
	at := index(uint64(min(max(micros, 1), longestLatency)))
	if h.counts == nil {
		h.counts = make([]uint64, index(longestLatency)+1)
	}
	h.counts[at]++
	h.top = max(h.top, at)
}

// reset forgets all values and keeps the memory.
func (h *histogram) reset() {
	if h.counts != nil {
		clear(h.counts[:h.top+1])
	}
	h.top = 0
}

// encode is HdrHistogram's V2 encoding, base64.
func (h *histogram) encode() string {
	var payload []byte
	for at := 0; h.counts != nil && at <= h.top; {
		zeros := 0
		for at+zeros <= h.top && h.counts[at+zeros] == 0 {
			zeros++
		}
		if zeros > 0 {
			payload = binary.AppendVarint(payload, -int64(zeros))
			at += zeros
			continue
		}
		payload = binary.AppendVarint(payload, int64(h.counts[at]))
		at++
	}
	encoded := binary.BigEndian.AppendUint32(nil, cookieV2)
	encoded = binary.BigEndian.AppendUint32(encoded, uint32(len(payload)))
	encoded = binary.BigEndian.AppendUint32(encoded, 0)
	encoded = binary.BigEndian.AppendUint32(encoded, latencyDigits)
	encoded = binary.BigEndian.AppendUint64(encoded, 1)
	encoded = binary.BigEndian.AppendUint64(encoded, longestLatency)
	encoded = binary.BigEndian.AppendUint64(encoded, math.Float64bits(1))
	return base64.StdEncoding.EncodeToString(append(encoded, payload...))
}

package main

import (
	"slices"
	"testing"
)

func TestFlightsAlternateAndBeginWithTheClient(t *testing.T) {
	for _, one := range []struct {
		turns  []string
		counts []int
		want   []uint64
	}{
		{[]string{client, server, client}, []int{5, 7, 3}, []uint64{5, 7, 3}},
		{[]string{client, server, client, server}, []int{5, 0, 3, 7}, []uint64{8, 7}},
		{[]string{server, client}, []int{7, 5}, []uint64{0, 7, 5}},
		{nil, nil, nil},
	} {
		w, got := newWire(), flights{}
		for place, side := range one.turns {
			w.from(side).total += uint64(one.counts[place])
			got.note(side, w)
		}
		if !slices.Equal(got.bytes, one.want) {
			t.Errorf("%v of %v: %v, not %v", one.counts, one.turns, got.bytes, one.want)
		}
	}
}

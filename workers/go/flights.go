package main

// flights are the bytes of each flight of a handshake, the client's first.
type flights struct {
	bytes []uint64
	// What those of the client and of the server come to.
	sent [2]uint64
}

// note takes in what a side has put on the wire since it was last asked. A side that sends more before it hears of the
// other goes on with its flight.
func (f *flights) note(side string, w *wire) {
	ofServer := 0
	if side == server {
		ofServer = 1
	}
	total := w.from(side).total
	more := total - f.sent[ofServer]
	f.sent[ofServer] = total
	if more == 0 {
		return
	}
	if len(f.bytes)%2 == ofServer {
		f.bytes = append(f.bytes, more)
	} else if len(f.bytes) > 0 {
		f.bytes[len(f.bytes)-1] += more
	} else {
		// A server that begins comes after a flight of nothing.
		f.bytes = append(f.bytes, 0, more)
	}
}

package main

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

var testPki = newPki("../../pki")

func talk(t *testing.T, lines ...string) []map[string]any {
	t.Helper()
	var output bytes.Buffer
	if err := converse(strings.NewReader(strings.Join(lines, "\n")), &output); err != nil {
		t.Fatal(err)
	}
	var answers []map[string]any
	for line := range strings.Lines(output.String()) {
		var answer map[string]any
		if err := json.Unmarshal([]byte(line), &answer); err != nil {
			t.Fatal(err)
		}
		answers = append(answers, answer)
	}
	return answers
}

const (
	askHello  = `{"do":"hello","protocol":2,"pki":"../../pki","news":[1]}`
	askDigest = `{"do":"prepare","slot":7,"kind":"primitive","op":"digest","algorithm":"sha256",` +
		`"size":100,"pattern":"tls"}`
	askHandshake = `{"do":"prepare","slot":8,"kind":"handshake","version":"TLSv1.3",` +
		`"suite":"TLS_AES_256_GCM_SHA384","group":"X25519","key":"ecdsa-p256","chain":2,` +
		`"resumption":"full","mutual":true,"contexts":"per-connection"}`
)

func TestBadRequestsAreAnsweredWithTheirSlot(t *testing.T) {
	answers := talk(t, askDigest, "what?", askHello,
		`{"do":"prepare","slot":3,"kind":"handshake"}`,
		strings.Replace(askDigest, "sha256", "sha3", 1),
		strings.Replace(askHandshake, "full", "early-data", 1),
		strings.Replace(askHandshake, "full", "session-id", 1),
		`{"do":"prepare","slot":3,"kind":"dance"}`)
	for place, wanted := range []string{
		"failed", "failed", "hello", "failed", "unsupported", "unsupported", "unsupported", "unsupported",
	} {
		if answers[place]["is"] != wanted {
			t.Error(wanted, answers[place])
		}
	}
	if answers[3]["slot"] != 3.0 || !strings.Contains(answers[3]["message"].(string), "version") {
		t.Error(answers[3])
	}
}

func TestAWrongAnswerIsNoFigure(t *testing.T) {
	known := vectors()["sha256:digest"]
	original := known.Answers["61"]
	known.Answers["61"] = hexBytes("wrong")
	defer func() { known.Answers["61"] = original }()
	a, _ := algorithmNamed("sha256")
	var failure *failure
	if err := checkKnownAnswers(a, "digest", testPki); !errors.As(err, &failure) || failure.stage != "proof" {
		t.Error(err)
	}
}

func TestAResumptionWithoutASessionIsSeen(t *testing.T) {
	e := usualEndpoint(usualParams, testPki)
	e.resumption = psk
	both, err := newEnds(e, startLaps(1))
	if err != nil {
		t.Fatal(err)
	}
	unprimed := &handshakeJob{contexts: &source{endpoint: e, kept: []*ends{both}}, threads: 1}
	_, proven, err := unprimed.run(whole(2))
	if err != nil || proven.Resumed != 1 || proven.check(usualParams, psk) == nil {
		t.Error(proven, err)
	}
}

func TestMissingAndSurplusBytesAreSeen(t *testing.T) {
	w := &workload{params: usualParams, Threads: 1, Direction: "upload", Record: 16384, Write: 1000, Buffer: 6}
	both, err := newEnds(usualEndpoint(usualParams, testPki), startLaps(1))
	if err != nil {
		t.Fatal(err)
	}
	sending, err := (&bulkJob{workload: w, ends: both}).connect()
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range []struct{ sent, told string }{{"12345", "fewer bytes"}, {"1234567", "7 bytes arrived"}} {
		if err := sending.sender.write([]byte(one.sent)); err != nil {
			t.Fatal(err)
		}
		if err := sending.receive(); err == nil || !strings.Contains(err.Error(), one.told) {
			t.Error(one, err)
		}
		_, _ = sending.receiver.read(sending.received)
	}
}

func TestTurnsAddUpAndPausesAreTakenAtTheirShortest(t *testing.T) {
	l := &laps{client: 300, server: 600, paused: 100, pauses: 4, started: 10, ended: 1110}
	l.after.process = 1000
	if took := summed([]share{{laps: l}}, 10); took.CPUNs != 960 || *took.ClientNs != 300 || took.WallNs != 1000 {
		t.Error(took)
	}
	// With two threads, what the process used beside them is shared out.
	if took := summed([]share{{laps: l}, {laps: l}}, 10); took.CPUNs != 920 || *took.ClientNs+*took.ServerNs > 920 {
		t.Error(took, *took.ClientNs, *took.ServerNs)
	}
}

func TestAHeadMayComeInPieces(t *testing.T) {
	for _, last := range []bool{false, true} {
		whole := httpRequest(last)
		for end := range whole {
			if parsed, err := parseHead(whole[:end]); parsed != nil || err != nil {
				t.Fatal(end, parsed, err)
			}
		}
		parsed, err := parseHead(whole)
		if err != nil || !isGet(parsed) || parsed.last != last || parsed.length != len(whole) {
			t.Error(parsed, err)
		}
		response := httpResponse(1000, 0, last)
		parsed, err = parseHead(response)
		if err != nil || !isOK(parsed) || parsed.last != last || parsed.length+1000 != len(response) {
			t.Error(parsed, err)
		}
		padded := httpResponse(1000, 8192, last)
		parsed, err = parseHead(padded)
		if err != nil || parsed.padding != 8192 || len(padded) != len(response)+8192 || parsed.body != 1000 {
			t.Error(parsed, err)
		}
	}
	if _, err := parseHead(bytes.Repeat([]byte{'x'}, longestHead+1)); err == nil {
		t.Error("an endless head is read")
	}
}

func TestTheHistogramIsThatOfHdrHistogram(t *testing.T) {
	// The buckets: single values up to 2047, then pairs, then fours.
	for value, place := range map[uint64]int{
		1: 1, 2047: 2047, 2048: 2048, 2049: 2048, 4095: 3071, 4096: 3072, 4099: 3072,
	} {
		if index(value) != place {
			t.Error(value, index(value), place)
		}
	}
	var h histogram
	for _, micros := range []int64{3, 3, 5} {
		h.record(micros)
	}
	encoded, err := base64.StdEncoding.DecodeString(h.encode())
	if err != nil {
		t.Fatal(err)
	}
	// Three zeros, two, one zero, one: zigzag LEB128.
	if payload := encoded[40:]; !bytes.Equal(payload, []byte{5, 4, 1, 2}) {
		t.Error(payload)
	}
	h.reset()
	if again, _ := base64.StdEncoding.DecodeString(h.encode()); len(again) != 41 {
		t.Error(again)
	}
	if binary.BigEndian.Uint32(encoded) != 0x1c849313 || binary.BigEndian.Uint32(encoded[4:]) != 4 {
		t.Error(encoded[:8])
	}
}

func TestAClientWithoutAServerIsToldOf(t *testing.T) {
	w := &workload{Kind: "load", Threads: 1, plain: true, Resumption: full, Connections: 2}
	if _, err := prepareLoadClient(w, 1, testPki); err == nil || !strings.Contains(err.Error(), "connecting") {
		t.Error(err)
	}
}

func TestOneErrorOrPanicEndsAllThreads(t *testing.T) {
	ready := func(index int) (int, error) { return index, nil }
	_, err := together(2, ready, func(index int) (int, error) {
		if index == 1 {
			panic("oh")
		}
		return index, nil
	})
	if err == nil || !strings.Contains(err.Error(), "panicked: oh") {
		t.Error(err)
	}
	all, err := together(3, ready, ready)
	if err != nil || len(all) != 3 || all[2] != 2 {
		t.Error(all, err)
	}
}

func TestPartsAreThoseThatWereAskedForAndAddUp(t *testing.T) {
	bulk := `{"do":"prepare","slot":9,"kind":"bulk","version":"TLSv1.3","suite":"TLS_AES_128_GCM_SHA256",` +
		`"group":"X25519","key":"ecdsa-p256","direction":"download","record":16384,"write":16384,"buffer":65536}`
	run := `{"do":"run","slot":SLOT,"iterations":12,"warmup":1,"part":3}`
	for _, one := range []struct{ prepare, slot, parts, whole string }{
		{askHandshake, "8", "client_parts_ns", "client_ns"}, {askHandshake, "8", "server_parts_ns", "server_ns"},
		{bulk, "9", "client_parts_ns", "client_ns"}, {bulk, "9", "server_parts_ns", "server_ns"},
		{askDigest, "7", "parts_ns", ""},
	} {
		asked := strings.Replace(run, "SLOT", one.slot, 1)
		answers := talk(t, askHello, one.prepare, asked, strings.Replace(asked, `,"part":3`, "", 1))
		told, _ := answers[2][one.parts].([]any)
		sum := 0.0
		for _, part := range told {
			sum += part.(float64)
		}
		// What the clock of a primitive's batch is read for once more is not in its parts.
		if len(told) != 4 || one.whole != "" && sum != answers[2][one.whole] || sum > answers[2]["wall_ns"].(float64) {
			t.Error(one.parts, answers[2])
		}
		if _, is := answers[3][one.parts]; is {
			t.Error("parts that nobody asked for", answers[3])
		}
		threads := strings.Replace(one.prepare, `"slot"`, `"threads":2,"slot"`, 1)
		if answers = talk(t, askHello, threads, asked); answers[2][one.parts] != nil || answers[2]["is"] != "sampled" {
			t.Error("parts of two threads overlap", answers[2])
		}
	}
}

package main

import (
	"bytes"
	_ "embed" // for the known answers
	"encoding/hex"
	"encoding/json"
	"strconv"
	"sync"
)

// inputs are the fixed inputs of a primitive: the same bytes for every library, so that every library must give the
// same answer. They are those of crates/worker/src/inputs.rs, where each is described.
type inputs struct {
	key, macKey []byte
	iv          []byte
	header      []byte
	message     []byte
	signature   []byte
	privateKey  []byte
	peer        []byte
	pki         *pki
}

func newInputs(a algorithm, op string, size int, files *pki) (*inputs, error) {
	vector := vectorOf(a.name, op)
	in := &inputs{
		key: fixed(64, 29, 11), macKey: fixed(64, 53, 7), iv: fixed(16, 19, 5),
		signature: vector.Signature, privateKey: vector.PrivateKey, peer: vector.Peer, pki: files,
	}
	var err error
	switch {
	case a.name == "ca-bundle":
		in.message, err = files.read("ca-bundle.pem")
	case a.name == "certificate":
		in.message, err = files.read("certificate.der")
	case a.class == classSignature:
		in.message = signedContent()
	default:
		in.message = fixed((size+a.block-1)/a.block*a.block, 167, 13)
	}
	length := min(len(in.message), 0xffff)
	in.header = []byte{0, 0, 0, 0, 0, 0, 0, 0, 23, 3, 3, byte(length >> 8), byte(length)}
	return in, err
}

func fixed(length, step, start int) []byte {
	made := make([]byte, length)
	for at := range made {
		made[at] = byte(at*step + start)
	}
	return made
}

// signedContent is what a TLS 1.3 server signs (RFC 8446 4.4.3), with a fixed transcript hash.
func signedContent() []byte {
	content := bytes.Repeat([]byte{' '}, 64)
	content = append(content, "TLS 1.3, server CertificateVerify\x00"...)
	return append(content, fixed(32, 31, 17)...)
}

// hexBytes are written in hexadecimal.
type hexBytes []byte

// UnmarshalText is called by the JSON decoder.
func (h *hexBytes) UnmarshalText(text []byte) error {
	made, err := hex.AppendDecode(nil, text)
	*h = made
	return err
}

// vector is the fixed inputs and answers of one operation that no formula gives.
type vector struct {
	PrivateKey hexBytes            `json:"private_key"`
	Peer       hexBytes            `json:"peer"`
	Signature  hexBytes            `json:"signature"`
	Answers    map[string]hexBytes `json:"answers"`
}

//go:embed known_answers.json
var knownAnswers []byte

var vectors = sync.OnceValue(func() map[string]vector {
	var all map[string]vector
	if err := json.Unmarshal(knownAnswers, &all); err != nil {
		panic("the known answers are generated, and read by a test: " + err.Error())
	}
	return all
})

func vectorOf(algorithm, op string) vector { return vectors()[algorithm+":"+op] }

// checked is the answer of an operation whose output is random and passed the library's own inverse.
var checked = []byte("checked by inverse")

// knownSizes are the message sizes at which an operation is held against a known answer: whole blocks of all ciphers,
// and where any length goes, one that is a multiple of none.
func knownSizes(a algorithm) []int {
	switch {
	case !a.isSized:
		return []int{0}
	case a.block == 1:
		return []int{64, 61}
	}
	return []int{64}
}

// expected is what an operation must answer on these inputs.
func (in *inputs) expected(a algorithm, op string, size int) []byte {
	if !a.isFixed(op) {
		return checked
	}
	if op == "decrypt" {
		return in.message
	}
	return vectorOf(a.name, op).Answers[strconv.Itoa(size)]
}

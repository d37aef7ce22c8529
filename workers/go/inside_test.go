package main

import (
	"bytes"
	"crypto/cipher"
	"errors"
	"fmt"
	"io"
	"slices"
	"testing"
)

// What the conformance suite cannot see over the bridge: how connections end, and that damage is found.

// expansion in bytes is more than header, explicit nonce, MAC and padding of any suite here.
const expansion = 256

// from is the sender and the receiver of what a side sends.
func (p *pair) from(side string) (sender, receiver *connection) {
	if side == client {
		return p.client, p.server
	}
	return p.server, p.client
}

func usual12() params {
	return params{"TLSv1.2", "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256", "X25519", "rsa-2048"}
}

func usual13() params { return params{"TLSv1.3", "TLS_AES_128_GCM_SHA256", "X25519", "rsa-2048"} }

func TestConnectionsEndAsTheyMustAndDamageIsFound(t *testing.T) {
	for _, one := range []struct {
		what   string
		record int
		act    func(*pair, string) error
	}{
		{"close_notify", largestRecord, closeNotify},
		{"truncation inside a record", largestRecord, truncatedRecord},
		{"damaged record", largestRecord, damagedRecord},
		{"oversized record", largestRecord, oversizedRecord},
		{"record size", 1024, recordSize},
	} {
		for _, p := range []params{usual12(), usual13()} {
			for _, side := range []string{client, server} {
				e := usualEndpoint(p, testPki)
				e.record = one.record
				both, err := newEnds(e, startLaps(1))
				if err != nil {
					t.Fatal(err)
				}
				made, err := both.connect(newWire(), startLaps(1))
				if err != nil {
					t.Fatal(err)
				}
				if err := one.act(made, side); err != nil {
					t.Errorf("%s, %s from %s: %v", one.what, p.Version, side, err)
				}
			}
		}
	}
}

func closeNotify(p *pair, side string) error {
	sender, receiver := p.from(side)
	if err := sender.write([]byte("last words")); err != nil {
		return err
	}
	if err := sender.close(); err != nil {
		return err
	}
	buffer := make([]byte, 64)
	read, err := receiver.read(buffer)
	if err != nil || !bytes.Equal(buffer[:read], []byte("last words")) {
		return fmt.Errorf("before the close_notify, reading gave %d bytes, %v", read, err)
	}
	for range 2 {
		if read, err := receiver.read(buffer); read != 0 || !errors.Is(err, io.EOF) {
			return fmt.Errorf("reading after a close_notify gave %d bytes, %v", read, err)
		}
	}
	return nil
}

// truncatedRecord ends the transport inside a record. Between two records crypto/tls takes its end for the end of the
// data, with or without a close_notify.
func truncatedRecord(p *pair, side string) error {
	sender, receiver := p.from(side)
	if err := sender.write([]byte("something")); err != nil {
		return err
	}
	queue := p.wire.from(side)
	queue.bytes = queue.bytes[:len(queue.bytes)-1]
	queue.ended = true
	if read, err := receiver.read(make([]byte, 64)); read != 0 || !errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("reading gave %d bytes, %v", read, err)
	}
	return nil
}

func damagedRecord(p *pair, side string) error {
	sender, _ := p.from(side)
	if err := sender.write([]byte("something")); err != nil {
		return err
	}
	flight := p.wire.from(side).inFlight()
	flight[len(flight)-1] ^= 1
	return mustFail(p, side)
}

func oversizedRecord(p *pair, side string) error {
	// Application data of 2^15 bytes: RFC 8446 5.2 allows 2^14 + 256, RFC 5246 6.2.3 allows 2^14 + 2048.
	queue := p.wire.from(side)
	queue.bytes = append(queue.bytes, 23, 3, 3, 0x80, 0)
	queue.bytes = append(queue.bytes, make([]byte, 1<<15)...)
	return mustFail(p, side)
}

func mustFail(p *pair, side string) error {
	_, receiver := p.from(side)
	read, err := receiver.read(make([]byte, 64))
	if err == nil || errors.Is(err, errWouldBlock) || errors.Is(err, io.EOF) {
		return fmt.Errorf("reading gave %d bytes, %v", read, err)
	}
	return nil
}

// recordSize looks whether no record is larger than the endpoint says, and whether there are no more than it takes.
func recordSize(p *pair, side string) error {
	const record, payload = 1024, 10 * 1024
	sender, _ := p.from(side)
	if err := sender.write(make([]byte, payload)); err != nil {
		return err
	}
	records := 0
	for flight := p.wire.from(side).inFlight(); len(flight) >= 5; records++ {
		length := int(flight[3])<<8 | int(flight[4])
		if length > record+expansion {
			return fmt.Errorf("a record is %d bytes long, its plaintext may be %d", length, record)
		}
		flight = flight[min(5+length, len(flight)):]
	}
	if records < payload/record || records > payload/record+2 {
		return fmt.Errorf("%d records for %d that are full", records, payload/record)
	}
	return nil
}

func TestAClientWithoutACertificateIsRefusedWhereOneIsWanted(t *testing.T) {
	for _, p := range []params{usual12(), usual13()} {
		e := usualEndpoint(p, testPki)
		both, err := newEnds(e, startLaps(1))
		if err != nil {
			t.Fatal(err)
		}
		e.mutual = true
		if both.server, err = newConfig(server, e); err != nil {
			t.Fatal(err)
		}
		if _, err := both.connect(newWire(), startLaps(1)); err == nil {
			t.Error(p.Version, "was accepted")
		}
	}
}

func TestWhatCryptoTlsListsIsClaimed(t *testing.T) {
	h := introduce(testPki)
	for what, claimed := range map[string][]string{
		"primitives": h.Primitives, "versions": h.Versions, "suites": h.Suites, "groups": h.Groups, "keys": h.Keys,
	} {
		if len(claimed) == 0 {
			t.Errorf("claims no %s", what)
		}
	}
	for _, suite := range suites {
		if has(suite.code) && !slices.Contains(h.Suites, suite.name) {
			t.Errorf("crypto/tls lists %s, and no handshake comes of it", suite.name)
		}
	}
}

func TestAForgeryIsNoAnswer(t *testing.T) {
	a, _ := algorithmNamed("ed25519")
	in, err := newInputs(a, "verify", 0, testPki)
	if err != nil {
		t.Fatal(err)
	}
	blind := (&scheme{verify: func(_, _ []byte) error { return nil }}).verifying(in)
	if _, err := blind.answer(); !errors.Is(err, errForged) {
		t.Error(err)
	}
	a, _ = algorithmNamed("aes-128-gcm")
	if in, err = newInputs(a, "decrypt", 64, testPki); err != nil {
		t.Fatal(err)
	}
	made, err := newAEAD(a, "decrypt", in)
	if err != nil {
		t.Fatal(err)
	}
	one := made.(*aead)
	one.cipher = blindCipher{one.cipher}
	if _, err := one.answer(); !errors.Is(err, errForged) {
		t.Error(err)
	}
}

// blindCipher opens whatever it is given.
type blindCipher struct{ cipher.AEAD }

func (blindCipher) Open(_, _, sealed, _ []byte) ([]byte, error) { return sealed[:len(sealed)-16], nil }

package main

import (
	"crypto/aes"
	"crypto/cipher"
	"encoding/binary"

	"golang.org/x/crypto/chacha20poly1305"
)

// aead seals or opens one message again and again. As for records, the nonce is the IV xor-ed with a number that grows.
type aead struct {
	cipher  cipher.AEAD
	in      *inputs
	opens   bool
	sealed  []byte
	out     []byte
	nonce   []byte
	counter uint64
}

func newAEAD(a algorithm, op string, in *inputs) (operation, error) {
	made, err := aeadCipher(a.name, in)
	if err != nil {
		return nil, err
	}
	one := &aead{cipher: made, in: in, opens: op == "decrypt", nonce: make([]byte, made.NonceSize())}
	one.out = make([]byte, 0, len(in.message)+made.Overhead())
	// Decryption opens the first record: its nonce stays.
	one.sealed = made.Seal(nil, one.number(0), in.message, in.header)
	return one, nil
}

func aeadCipher(name string, in *inputs) (cipher.AEAD, error) {
	switch name {
	case "aes-128-gcm", "aes-256-gcm":
		length := 16
		if name == "aes-256-gcm" {
			length = 32
		}
		block, err := aes.NewCipher(in.key[:length])
		if err != nil {
			return nil, failed("prepare", "%s: %v", name, err)
		}
		return cipher.NewGCM(block)
	case "chacha20-poly1305":
		return chacha20poly1305.New(in.key[:32])
	}
	return nil, unsupported("Go's standard library has no " + name)
}

// number is the nonce of a record.
func (a *aead) number(record uint64) []byte {
	copy(a.nonce, a.in.iv)
	low := a.nonce[len(a.nonce)-8:]
	binary.BigEndian.PutUint64(low, binary.BigEndian.Uint64(low)^record)
	return a.nonce
}

func (a *aead) once() error {
	if a.opens {
		opened, err := a.cipher.Open(a.out[:0], a.number(0), a.sealed, a.in.header)
		a.out = opened[:0]
		return err
	}
	a.counter++
	a.out = a.cipher.Seal(a.out[:0], a.number(a.counter), a.in.message, a.in.header)
	return nil
}

func (a *aead) answer() ([]byte, error) {
	if a.opens {
		if _, err := a.cipher.Open(nil, a.number(0), forged(a.sealed), a.in.header); err == nil {
			return nil, errForged
		}
		return a.cipher.Open(nil, a.number(0), a.sealed, a.in.header)
	}
	return a.cipher.Seal(nil, a.number(0), a.in.message, a.in.header), nil
}

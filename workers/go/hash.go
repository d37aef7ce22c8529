package main

import (
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"hash"
	"strings"
)

func newHash(a algorithm, _ string, in *inputs) (operation, error) {
	makers := map[string]func() hash.Hash{
		"md5": md5.New, "sha1": sha1.New, "sha256": sha256.New, "sha384": sha512.New384, "sha512": sha512.New,
	}
	kind, name, isKeyed := strings.Cut(a.name, "-")
	if !isKeyed {
		return &digest{hash: makers[a.name](), message: in.message}, nil
	}
	maker := makers[name]
	size := maker().Size()
	if kind == "hkdf" {
		return &derivation{maker, in.key[:32], in.macKey[:size], size}, nil
	}
	return &digest{hash: hmac.New(maker, in.macKey[:size]), message: in.message}, nil
}

// digest hashes or authenticates a message with one context; the key of a MAC is set once.
type digest struct {
	hash    hash.Hash
	message []byte
	out     []byte
}

func (d *digest) once() error {
	d.hash.Reset()
	d.hash.Write(d.message)
	d.out = d.hash.Sum(d.out[:0])
	return nil
}

func (d *digest) answer() ([]byte, error) {
	err := d.once()
	return d.out, err
}

// derivation is HKDF: extract and expand to the length of the hash, with empty info.
type derivation struct {
	hash         func() hash.Hash
	secret, salt []byte
	length       int
}

func (d *derivation) once() error {
	_, err := d.answer()
	return err
}

func (d *derivation) answer() ([]byte, error) {
	return hkdf.Key(d.hash, d.secret, d.salt, "", d.length)
}

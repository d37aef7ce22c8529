package main

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/sha512"
	"errors"
	"strings"
)

// scheme signs and verifies as crypto/tls does: hash and signature of the same message.
type scheme struct {
	sign   func(message []byte) ([]byte, error)
	verify func(message, signature []byte) error
}

func newSignature(a algorithm, op string, in *inputs) (operation, error) {
	switch {
	case strings.HasPrefix(a.name, "ml-dsa"):
		return nil, unsupported("Go's standard library has ML-DSA in internal packages only")
	case strings.HasPrefix(a.name, "slh-dsa"):
		return nil, unsupported("Go's standard library has no SLH-DSA")
	}
	made, err := newScheme(a.name, in.pki)
	if err != nil {
		return nil, err
	}
	if op == "sign" {
		return made.signing(in, a.isFixed(op)), nil
	}
	return made.verifying(in), nil
}

func newScheme(key string, files *pki) (*scheme, error) {
	pair, err := files.pair(key, "server-1.pem", "server.key")
	if err != nil {
		return nil, at("prepare", "the key of "+key, err)
	}
	switch private := pair.PrivateKey.(type) {
	case *rsa.PrivateKey:
		return rsaScheme(private), nil
	case *ecdsa.PrivateKey:
		return ecdsaScheme(private), nil
	case ed25519.PrivateKey:
		return ed25519Scheme(private), nil
	}
	return nil, unsupported("crypto/tls has no signatures with a key of " + key)
}

func rsaScheme(key *rsa.PrivateKey) *scheme {
	options := &rsa.PSSOptions{SaltLength: rsa.PSSSaltLengthEqualsHash, Hash: crypto.SHA256}
	return &scheme{
		sign: func(message []byte) ([]byte, error) {
			digest := sha256.Sum256(message)
			return rsa.SignPSS(rand.Reader, key, crypto.SHA256, digest[:], options)
		},
		verify: func(message, signature []byte) error {
			digest := sha256.Sum256(message)
			return rsa.VerifyPSS(&key.PublicKey, crypto.SHA256, digest[:], signature, options)
		},
	}
}

func ecdsaScheme(key *ecdsa.PrivateKey) *scheme {
	digest := func(message []byte) []byte {
		if key.Curve.Params().BitSize == 384 {
			sum := sha512.Sum384(message)
			return sum[:]
		}
		sum := sha256.Sum256(message)
		return sum[:]
	}
	return &scheme{
		sign: func(message []byte) ([]byte, error) {
			return ecdsa.SignASN1(rand.Reader, key, digest(message))
		},
		verify: func(message, signature []byte) error {
			if !ecdsa.VerifyASN1(&key.PublicKey, digest(message), signature) {
				return errWrongSignature
			}
			return nil
		},
	}
}

func ed25519Scheme(key ed25519.PrivateKey) *scheme {
	public := key.Public().(ed25519.PublicKey)
	return &scheme{
		sign: func(message []byte) ([]byte, error) { return ed25519.Sign(key, message), nil },
		verify: func(message, signature []byte) error {
			if !ed25519.Verify(public, message, signature) {
				return errWrongSignature
			}
			return nil
		},
	}
}

var errWrongSignature = errors.New("the signature is wrong")

func (s *scheme) signing(in *inputs, isFixed bool) operation {
	return calls{
		func() error { _, err := s.sign(in.message); return err },
		func() ([]byte, error) {
			signature, err := s.sign(in.message)
			if err != nil || isFixed {
				return signature, err
			}
			return checked, s.verify(in.message, signature)
		},
	}
}

func (s *scheme) verifying(in *inputs) operation {
	once := func() error { return s.verify(in.message, in.signature) }
	return calls{once, func() ([]byte, error) {
		if s.verify(in.message, forged(in.signature)) == nil {
			return nil, errForged
		}
		return checked, once()
	}}
}

package main

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/sha512"
	"crypto/tls"
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
		return &signing{made, in.message, a.isFixed(op)}, nil
	}
	return &verifying{made, in.message, in.signature}, nil
}

func newScheme(key string, files *pki) (*scheme, error) {
	chain, err := files.serverChain(key, 1)
	if err != nil {
		return nil, err
	}
	private, err := files.read(key, "server.key")
	if err != nil {
		return nil, err
	}
	pair, err := tls.X509KeyPair(chain, private)
	if err != nil {
		return nil, failed("prepare", "the key of %s: %v", key, err)
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

type signing struct {
	*scheme
	message []byte
	isFixed bool
}

func (s *signing) once() error {
	_, err := s.sign(s.message)
	return err
}

func (s *signing) answer() ([]byte, error) {
	signature, err := s.sign(s.message)
	if err != nil || s.isFixed {
		return signature, err
	}
	return checked, s.verify(s.message, signature)
}

type verifying struct {
	*scheme
	message, signature []byte
}

func (v *verifying) once() error { return v.verify(v.message, v.signature) }

func (v *verifying) answer() ([]byte, error) {
	if v.verify(v.message, forged(v.signature)) == nil {
		return nil, errForged
	}
	return checked, v.once()
}

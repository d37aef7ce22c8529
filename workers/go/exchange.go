package main

import (
	"bytes"
	"crypto/ecdh"
	"crypto/ecdsa"
	"crypto/mlkem"
	"crypto/rand"
	"crypto/x509"
	"errors"
)

var curves = map[string]ecdh.Curve{"ecdh-p256": ecdh.P256(), "ecdh-p384": ecdh.P384(), "x25519": ecdh.X25519()}

func newAgreement(a algorithm, op string, in *inputs) (operation, error) {
	curve := curves[a.name]
	if op == "keygen" {
		return calls{
			func() error { return makeKey(curve) },
			func() ([]byte, error) { return checkKey(curve) },
		}, nil
	}
	private, err := privateECDH(in.privateKey)
	if err != nil {
		return nil, failed("prepare", "the private key of %s: %v", a.name, err)
	}
	// Takes the peer's public value, which the library checks, and derives the secret.
	return repeatable(func() ([]byte, error) {
		peer, err := curve.NewPublicKey(in.peer)
		if err != nil {
			return nil, err
		}
		return private.ECDH(peer)
	}), nil
}

func privateECDH(der []byte) (*ecdh.PrivateKey, error) {
	key, err := x509.ParsePKCS8PrivateKey(der)
	if err != nil {
		return nil, err
	}
	switch key := key.(type) {
	case *ecdh.PrivateKey:
		return key, nil
	case *ecdsa.PrivateKey:
		return key.ECDH()
	}
	return nil, errors.New("it is no key of a Diffie-Hellman")
}

// makeKey makes the key pair of a key share, and its public value.
func makeKey(curve ecdh.Curve) error {
	key, err := curve.GenerateKey(rand.Reader)
	if err == nil {
		key.PublicKey().Bytes()
	}
	return err
}

// checkKey lets two fresh keys agree with each other.
func checkKey(curve ecdh.Curve) ([]byte, error) {
	ours, err := curve.GenerateKey(rand.Reader)
	if err != nil {
		return nil, err
	}
	theirs, err := curve.GenerateKey(rand.Reader)
	if err != nil {
		return nil, err
	}
	one, err := ours.ECDH(theirs.PublicKey())
	if err != nil {
		return nil, err
	}
	other, err := theirs.ECDH(ours.PublicKey())
	if err == nil && !bytes.Equal(one, other) {
		err = errDisagree
	}
	return checked, err
}

var errDisagree = errors.New("the two sides get different secrets")

// newKEM is ML-KEM-768.
func newKEM(_ algorithm, op string, in *inputs) (operation, error) {
	if op == "keygen" {
		return calls{makeKEMKey, checkKEMKey}, nil
	}
	key, err := fixedKEMKey(in)
	if err != nil {
		return nil, err
	}
	if op == "decapsulate" {
		return repeatable(func() ([]byte, error) { return key.Decapsulate(in.peer) }), nil
	}
	// The peer's share comes as bytes, so reading it is part of encapsulating.
	encapsulate := func() (secret, ciphertext []byte, err error) {
		peer, err := mlkem.NewEncapsulationKey768(in.peer)
		if err != nil {
			return nil, nil, err
		}
		secret, ciphertext = peer.Encapsulate()
		return secret, ciphertext, nil
	}
	return calls{
		func() error { _, _, err := encapsulate(); return err },
		func() ([]byte, error) {
			secret, ciphertext, err := encapsulate()
			if err != nil {
				return nil, err
			}
			return checkSecret(key, secret, ciphertext)
		},
	}, nil
}

// fixedKEMKey is the fixed decapsulation key. crypto/mlkem reads keys as seeds only (FIPS 203, algorithm 16), so it is
// made from the seed that the known answers were made from, and held against the key in the inputs.
func fixedKEMKey(in *inputs) (*mlkem.DecapsulationKey768, error) {
	seed := append(fixed(32, 3, 1), fixed(32, 5, 2)...)
	key, err := mlkem.NewDecapsulationKey768(seed)
	if err != nil {
		return nil, failed("prepare", "the seed of ML-KEM: %v", err)
	}
	if !bytes.Contains(in.privateKey, key.EncapsulationKey().Bytes()) {
		return nil, failed("prepare", "the seed of ML-KEM does not give the key of the known answers")
	}
	return key, nil
}

func makeKEMKey() error {
	key, err := mlkem.GenerateKey768()
	if err == nil {
		key.EncapsulationKey().Bytes()
	}
	return err
}

func checkKEMKey() ([]byte, error) {
	key, err := mlkem.GenerateKey768()
	if err != nil {
		return nil, err
	}
	secret, ciphertext := key.EncapsulationKey().Encapsulate()
	return checkSecret(key, secret, ciphertext)
}

func checkSecret(key *mlkem.DecapsulationKey768, secret, ciphertext []byte) ([]byte, error) {
	again, err := key.Decapsulate(ciphertext)
	if err == nil && !bytes.Equal(secret, again) {
		err = errDisagree
	}
	return checked, err
}

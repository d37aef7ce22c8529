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
		return &keyPair{curve}, nil
	}
	private, err := privateECDH(in.privateKey)
	if err != nil {
		return nil, failed("prepare", "the private key of %s: %v", a.name, err)
	}
	return &agreement{curve, private, in.peer}, nil
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

// keyPair makes the key pair of a key share, and its public value.
type keyPair struct {
	curve ecdh.Curve
}

func (k *keyPair) once() error {
	key, err := k.curve.GenerateKey(rand.Reader)
	if err == nil {
		key.PublicKey().Bytes()
	}
	return err
}

// answer lets two fresh keys agree with each other.
func (k *keyPair) answer() ([]byte, error) {
	ours, err := k.curve.GenerateKey(rand.Reader)
	if err != nil {
		return nil, err
	}
	theirs, err := k.curve.GenerateKey(rand.Reader)
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

// agreement takes the peer's public value, which the library checks, and derives the secret.
type agreement struct {
	curve   ecdh.Curve
	private *ecdh.PrivateKey
	peer    []byte
}

func (a *agreement) once() error {
	_, err := a.answer()
	return err
}

func (a *agreement) answer() ([]byte, error) {
	peer, err := a.curve.NewPublicKey(a.peer)
	if err != nil {
		return nil, err
	}
	return a.private.ECDH(peer)
}

// kem is ML-KEM-768.
type kem struct {
	do  func() error
	get func() ([]byte, error)
}

func (k *kem) once() error             { return k.do() }
func (k *kem) answer() ([]byte, error) { return k.get() }

func newKEM(op string, in *inputs) (operation, error) {
	if op == "keygen" {
		return &kem{makeKEMKey, checkKEMKey}, nil
	}
	key, err := fixedKEMKey(in)
	if err != nil {
		return nil, err
	}
	if op == "decapsulate" {
		get := func() ([]byte, error) { return key.Decapsulate(in.peer) }
		return &kem{func() error { _, err := get(); return err }, get}, nil
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
	return &kem{
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

package main

import (
	"crypto/x509"
	"encoding/binary"
	"errors"
)

// usualParams is what most servers are configured for.
var usualParams = params{"TLSv1.3", "TLS_AES_128_GCM_SHA256", "X25519", "ecdsa-p256"}

// newContext makes a configuration again and again.
func newContext(a algorithm, _ string, in *inputs) (operation, error) {
	side, e := server, usualEndpoint(usualParams, in.pki)
	e.chain = 2
	if a.name == "client-context" {
		side = client
	}
	return repeatable(func() ([]byte, error) {
		_, err := newConfig(side, e)
		return checked, err
	}), nil
}

func newBundle(_ algorithm, _ string, in *inputs) (operation, error) {
	return calls{
		func() error { _, err := loadRoots(in.message); return err },
		func() ([]byte, error) { return countRoots(in.message) },
	}, nil
}

func newCertificate(_ algorithm, _ string, in *inputs) (operation, error) {
	return calls{
		func() error { _, err := x509.ParseCertificate(in.message); return err },
		func() ([]byte, error) {
			certificate, err := x509.ParseCertificate(in.message)
			if err != nil {
				return nil, err
			}
			return certificate.SerialNumber.Bytes(), nil
		},
	}, nil
}

// loadRoots loads roots from PEM.
func loadRoots(pem []byte) (*x509.CertPool, error) {
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(pem) {
		return nil, errors.New("crypto/x509 takes no certificate from the bundle")
	}
	return pool, nil
}

func countRoots(pem []byte) ([]byte, error) {
	pool, err := loadRoots(pem)
	if err != nil {
		return nil, err
	}
	// Subjects leaves out those of the system, which are not in this pool: here it counts right.
	//lint:ignore SA1019 there is no other way to count.
	return binary.BigEndian.AppendUint32(nil, uint32(len(pool.Subjects()))), nil
}

package main

import (
	"crypto/x509"
	"encoding/binary"
	"errors"
)

// usualParams is what most servers are configured for.
var usualParams = params{"TLSv1.3", "TLS_AES_128_GCM_SHA256", "X25519", "ecdsa-p256"}

// newSetup is what is done before connections, and costs much where it is done for each of them.
func newSetup(a algorithm, in *inputs) (operation, error) {
	switch a.name {
	case "ca-bundle":
		return &bundle{in.message}, nil
	case "certificate":
		return &parsing{in.message}, nil
	}
	e := usualEndpoint(usualParams, in.pki)
	e.chain = 2
	if a.name == "client-context" {
		return &creation{client, e}, nil
	}
	return &creation{server, e}, nil
}

// creation makes a configuration and drops it.
type creation struct {
	side     string
	endpoint endpoint
}

func (c *creation) once() error {
	_, err := newConfig(c.side, c.endpoint)
	return err
}

func (c *creation) answer() ([]byte, error) { return checked, c.once() }

// bundle loads roots from PEM.
type bundle struct {
	pem []byte
}

func (b *bundle) load() (*x509.CertPool, error) {
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(b.pem) {
		return nil, errors.New("crypto/x509 takes no certificate from the bundle")
	}
	return pool, nil
}

func (b *bundle) once() error {
	_, err := b.load()
	return err
}

func (b *bundle) answer() ([]byte, error) {
	pool, err := b.load()
	if err != nil {
		return nil, err
	}
	// Subjects leaves out those of the system, which are not in this pool: here it counts right.
	//lint:ignore SA1019 there is no other way to count.
	return binary.BigEndian.AppendUint32(nil, uint32(len(pool.Subjects()))), nil
}

// parsing parses one certificate.
type parsing struct {
	der []byte
}

func (p *parsing) once() error {
	_, err := x509.ParseCertificate(p.der)
	return err
}

func (p *parsing) answer() ([]byte, error) {
	certificate, err := x509.ParseCertificate(p.der)
	if err != nil {
		return nil, err
	}
	return certificate.SerialNumber.Bytes(), nil
}

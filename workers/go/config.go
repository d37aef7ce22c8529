package main

import (
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/rsa"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"slices"
)

// largestRecord is the largest plaintext in a record that TLS allows (RFC 8446 5.1).
const largestRecord = 16 * 1024

// endpoint is what one end of a connection is to be.
type endpoint struct {
	params
	chain      uint8
	resumption string
	mutual     bool
	record     int
	pki        *pki
}

// usualEndpoint has the usual values where a workload does not say.
func usualEndpoint(p params, files *pki) endpoint {
	return endpoint{params: p, chain: 1, resumption: full, record: largestRecord, pki: files}
}

// config is a configured end, from which connections are made; shared by threads.
type config struct {
	tls      *tls.Config
	side     string
	suite13  uint16
	record   int
	sessions *sessions
}

// newConfig reads certificates and keys and offers exactly what the endpoint says.
func newConfig(side string, e endpoint) (*config, error) {
	settings, suite13, err := negotiable(e)
	if err != nil {
		return nil, err
	}
	c := &config{tls: settings, side: side, suite13: suite13, record: e.record}
	if side == server {
		return c, c.serve(e)
	}
	return c, c.dial(e)
}

// negotiable holds one version, one suite and one group.
func negotiable(e endpoint) (*tls.Config, uint16, error) {
	if err := e.check(e.resumption); err != nil {
		return nil, 0, err
	}
	switch e.resumption {
	case sessionID:
		return nil, 0, unsupported("crypto/tls keeps no sessions in the server: TLS 1.2 is resumed by ticket only")
	case earlyData:
		return nil, 0, unsupported("crypto/tls has early data for QUIC only")
	}
	version := versions[e.Version]
	settings := &tls.Config{
		MinVersion:                  version,
		MaxVersion:                  version,
		SessionTicketsDisabled:      e.resumption == full,
		DynamicRecordSizingDisabled: true,
	}
	if e.Group != "" {
		settings.CurvePreferences = []tls.CurveID{groupNamed(e.Group)}
	}
	suite, _ := suiteNamed(e.Suite)
	if !has(suite.code) {
		return nil, 0, unsupported("crypto/tls has no " + suite.name)
	}
	if suite.auth == authAny {
		return settings, suite.code, nil
	}
	settings.CipherSuites = []uint16{suite.code}
	return settings, 0, nil
}

// has tells whether the library lists a suite, be it as secure or as insecure.
func has(suite uint16) bool {
	is := func(one *tls.CipherSuite) bool { return one.ID == suite }
	return slices.ContainsFunc(tls.CipherSuites(), is) || slices.ContainsFunc(tls.InsecureCipherSuites(), is)
}

func (c *config) serve(e endpoint) error {
	err := c.present(e, fmt.Sprintf("server-%d.pem", e.chain), "server.key")
	if err != nil || !e.mutual {
		return err
	}
	c.tls.ClientAuth = tls.RequireAndVerifyClientCert
	c.tls.ClientCAs, err = e.roots()
	return err
}

// certificateCurve is what a client offers beside the group that is wanted: before TLS 1.3 its groups are also the curves
// that it accepts in certificates (RFC 8422 5.1). A server has the wanted group alone, so that it cannot choose this one.
func certificateCurve(p params) []tls.CurveID {
	curve, isECDSA := map[string]tls.CurveID{"ecdsa-p256": tls.CurveP256, "ecdsa-p384": tls.CurveP384}[p.Key]
	if !isECDSA || p.Version != "TLSv1.2" || p.Group == "" || groupName(curve) == p.Group {
		return nil
	}
	return []tls.CurveID{curve}
}

func (c *config) dial(e endpoint) error {
	c.tls.ServerName = serverName
	roots, err := e.roots()
	if err != nil {
		return err
	}
	c.tls.RootCAs = roots
	c.tls.CurvePreferences = append(c.tls.CurvePreferences, certificateCurve(e.params)...)
	if e.resumption != full {
		c.sessions = &sessions{singleUse: e.Version == "TLSv1.3"}
		c.tls.ClientSessionCache = c.sessions
	}
	if !e.mutual {
		return nil
	}
	return c.present(e, "client.pem", "client.key")
}

// present gives an end its certificate chain and private key.
func (c *config) present(e endpoint, chain, private string) error {
	certificate, err := e.pki.pair(e.Key, chain, private)
	if err == nil {
		c.tls.Certificates = []tls.Certificate{certificate}
		return nil
	}
	var known *failure
	if isPostQuantum(e.Key) && !errors.As(err, &known) {
		return unsupported(fmt.Sprintf("crypto/tls reads no key of %s: %v", e.Key, err))
	}
	return at("prepare", "the certificate and key of "+e.Key, err)
}

func (e endpoint) roots() (*x509.CertPool, error) {
	pem, err := e.pki.read(e.Key, "root.pem")
	if err != nil {
		return nil, err
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(pem) {
		return nil, unsupported("crypto/x509 takes no certificate from the root of " + e.Key)
	}
	return pool, nil
}

// negotiated is what one side says of a connection.
type negotiated struct {
	params
	resumed bool
}

// proof is that of one handshake.
func (n negotiated) proof() proof {
	p := proof{params: n.params, Handshakes: 1}
	if n.resumed {
		p.Resumed = 1
	}
	return p
}

func describe(connection *tls.Conn) (negotiated, error) {
	state := connection.ConnectionState()
	if !state.HandshakeComplete {
		return negotiated{}, errors.New("the library says that the handshake is not complete")
	}
	n := negotiated{resumed: state.DidResume}
	n.Suite = tls.CipherSuiteName(state.CipherSuite)
	for name, code := range versions {
		if code == state.Version {
			n.Version = name
		}
	}
	// The group of a resumed TLS 1.2 session is that of the handshake before it.
	if !state.DidResume || state.Version == tls.VersionTLS13 {
		n.Group = groupName(state.CurveID)
	}
	if len(state.PeerCertificates) > 0 {
		n.Key = keyName(state.PeerCertificates[0].PublicKey)
	}
	return n, nil
}

func keyName(public any) string {
	switch public := public.(type) {
	case *rsa.PublicKey:
		return fmt.Sprintf("rsa-%d", public.N.BitLen())
	case *ecdsa.PublicKey:
		return fmt.Sprintf("ecdsa-p%d", public.Curve.Params().BitSize)
	case ed25519.PublicKey:
		return "ed25519"
	}
	return ""
}

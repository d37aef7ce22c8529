package main

import (
	"crypto/tls"
	"fmt"
	"slices"
	"strings"
)

// The two sides of a connection.
const (
	client = "client"
	server = "server"
)

// Kinds of resumption.
const (
	full      = "full"
	sessionID = "session-id"
	ticket    = "ticket"
	psk       = "psk"
	earlyData = "early-data"
)

var resumptions = []string{full, sessionID, ticket, psk, earlyData}

// Which handshakes have their contexts in common.
const (
	shared        = "shared"
	perThread     = "per-thread"
	perConnection = "per-connection"
)

var versions = map[string]uint16{"TLSv1.2": tls.VersionTLS12, "TLSv1.3": tls.VersionTLS13}

// What a TLS 1.2 suite says of key exchange and authentication; TLS 1.3 leaves both open.
const (
	authAny = iota
	authECDSA
	authRSA
	authDHE
	authTransport
)

type suite struct {
	name string
	code uint16
	auth int
}

// suites are those of the tlstax vocabulary, in its order.
var suites = []suite{
	{"TLS_AES_128_GCM_SHA256", 0x1301, authAny},
	{"TLS_AES_256_GCM_SHA384", 0x1302, authAny},
	{"TLS_CHACHA20_POLY1305_SHA256", 0x1303, authAny},
	{"TLS_AES_128_CCM_SHA256", 0x1304, authAny},
	{"TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256", 0xc02b, authECDSA},
	{"TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384", 0xc02c, authECDSA},
	{"TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256", 0xcca9, authECDSA},
	{"TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA", 0xc009, authECDSA},
	{"TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA", 0xc00a, authECDSA},
	{"TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256", 0xc023, authECDSA},
	{"TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA384", 0xc024, authECDSA},
	{"TLS_ECDHE_ECDSA_WITH_3DES_EDE_CBC_SHA", 0xc008, authECDSA},
	{"TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256", 0xc02f, authRSA},
	{"TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384", 0xc030, authRSA},
	{"TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256", 0xcca8, authRSA},
	{"TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA", 0xc013, authRSA},
	{"TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA", 0xc014, authRSA},
	{"TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA256", 0xc027, authRSA},
	{"TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA384", 0xc028, authRSA},
	{"TLS_ECDHE_RSA_WITH_3DES_EDE_CBC_SHA", 0xc012, authRSA},
	{"TLS_DHE_RSA_WITH_AES_128_GCM_SHA256", 0x009e, authDHE},
	{"TLS_DHE_RSA_WITH_AES_256_GCM_SHA384", 0x009f, authDHE},
	{"TLS_DHE_RSA_WITH_CHACHA20_POLY1305_SHA256", 0xccaa, authDHE},
	{"TLS_DHE_RSA_WITH_AES_128_CBC_SHA", 0x0033, authDHE},
	{"TLS_DHE_RSA_WITH_AES_256_CBC_SHA", 0x0039, authDHE},
	{"TLS_DHE_RSA_WITH_AES_128_CBC_SHA256", 0x0067, authDHE},
	{"TLS_DHE_RSA_WITH_AES_256_CBC_SHA256", 0x006b, authDHE},
	{"TLS_DHE_RSA_WITH_3DES_EDE_CBC_SHA", 0x0016, authDHE},
	{"TLS_RSA_WITH_AES_128_GCM_SHA256", 0x009c, authTransport},
	{"TLS_RSA_WITH_AES_256_GCM_SHA384", 0x009d, authTransport},
	{"TLS_RSA_WITH_AES_128_CBC_SHA", 0x002f, authTransport},
	{"TLS_RSA_WITH_AES_256_CBC_SHA", 0x0035, authTransport},
	{"TLS_RSA_WITH_AES_128_CBC_SHA256", 0x003c, authTransport},
	{"TLS_RSA_WITH_AES_256_CBC_SHA256", 0x003d, authTransport},
	{"TLS_RSA_WITH_3DES_EDE_CBC_SHA", 0x000a, authTransport},
	{"TLS_RSA_WITH_RC4_128_MD5", 0x0004, authTransport},
	{"TLS_RSA_WITH_RC4_128_SHA", 0x0005, authTransport},
	{"TLS_RSA_WITH_NULL_MD5", 0x0001, authTransport},
	{"TLS_RSA_WITH_NULL_SHA256", 0x003b, authTransport},
}

// find is the first of a table that is meant.
func find[T any](all []T, is func(T) bool) (found T, known bool) {
	at := slices.IndexFunc(all, is)
	if at < 0 {
		return found, false
	}
	return all[at], true
}

func suiteNamed(name string) (suite, bool) {
	return find(suites, func(s suite) bool { return s.name == name })
}

func (s suite) version() string {
	if s.auth == authAny {
		return "TLSv1.3"
	}
	return "TLSv1.2"
}

// group is a named group with the code point that IANA gave it; crypto/tls knows groups by the same numbers.
type group struct {
	name string
	code tls.CurveID
}

var groups = []group{
	{"X25519", 0x001d}, {"secp256r1", 0x0017}, {"secp384r1", 0x0018}, {"secp521r1", 0x0019},
	{"X25519MLKEM768", 0x11ec}, {"SecP256r1MLKEM768", 0x11eb}, {"SecP384r1MLKEM1024", 0x11ed},
	{"ffdhe2048", 0x0100}, {"ffdhe3072", 0x0101},
}

func groupNamed(name string) tls.CurveID {
	found, _ := find(groups, func(g group) bool { return g.name == name })
	return found.code
}

func groupName(code tls.CurveID) string {
	found, _ := find(groups, func(g group) bool { return g.code == code })
	return found.name
}

func isFiniteField(group string) bool { return strings.HasPrefix(group, "ffdhe") }

func isHybrid(group string) bool { return strings.Contains(group, "MLKEM") }

// keys are the kinds of key in certificates: names of folders in pki/.
var keys = []string{
	"rsa-2048", "rsa-3072", "rsa-4096", "ecdsa-p256", "ecdsa-p384", "ed25519",
	"ml-dsa-44", "ml-dsa-65", "ml-dsa-87",
}

func isRSA(key string) bool { return strings.HasPrefix(key, "rsa-") }

func isPostQuantum(key string) bool { return strings.HasPrefix(key, "ml-dsa-") }

// params is what the two sides of a connection have to negotiate.
type params struct {
	Version string `json:"version,omitempty"`
	Suite   string `json:"suite,omitempty"`
	// Empty with RSA key transport.
	Group string `json:"group,omitempty"`
	Key   string `json:"key,omitempty"`
}

// coherent tells whether version, suite, group and key can occur together at all.
func (p params) coherent() bool {
	suite, known := suiteNamed(p.Suite)
	if !known || suite.version() != p.Version {
		return false
	}
	switch suite.auth {
	case authAny:
		return p.Group != ""
	case authECDSA:
		return p.isCurve() && !isRSA(p.Key) && !isPostQuantum(p.Key)
	case authRSA:
		return p.isCurve() && isRSA(p.Key)
	case authDHE:
		return isFiniteField(p.Group) && isRSA(p.Key)
	default:
		return p.Group == "" && isRSA(p.Key)
	}
}

func (p params) isCurve() bool { return p.Group != "" && !isFiniteField(p.Group) && !isHybrid(p.Group) }

func resumptionFits(resumption, version string) bool {
	switch resumption {
	case sessionID, ticket:
		return version == "TLSv1.2"
	case psk, earlyData:
		return version == "TLSv1.3"
	}
	return true
}

// check refuses what cannot be negotiated by anybody, and names that are none.
func (p params) check(resumption string) error {
	if !p.coherent() {
		group := p.Group
		if group == "" {
			group = "no group"
		}
		return unsupported(fmt.Sprintf("TLS has no %s with %s, %s and a key of %s", p.Version, p.Suite, group, p.Key))
	}
	if !slices.Contains(resumptions, resumption) {
		return unsupported("there is no resumption of the kind " + resumption)
	}
	if !resumptionFits(resumption, p.Version) {
		return unsupported(fmt.Sprintf("%s has no resumption of the kind %s", p.Version, resumption))
	}
	return nil
}

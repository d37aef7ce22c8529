package main

import (
	"sync"
	_ "unsafe" // for go:linkname
)

// crypto/tls has no setting for the suites of TLS 1.3: it always offers its three, and AES-128-GCM wins. So that each
// can be measured, its two lists of defaults (the second is for CPUs without AES) are set to the one suite of the case.
// The library leaves both open to linking by name; if it should close them, the build fails and no figure is wrong.

//go:linkname defaultCipherSuitesTLS13 crypto/tls.defaultCipherSuitesTLS13
var defaultCipherSuitesTLS13 []uint16

//go:linkname defaultCipherSuitesTLS13NoAES crypto/tls.defaultCipherSuitesTLS13NoAES
var defaultCipherSuitesTLS13NoAES []uint16

// allSuites13 is what the library offers of itself.
var allSuites13 = append([]uint16(nil), defaultCipherSuitesTLS13...)

var (
	offered13 uint16
	mutex13   sync.Mutex
)

// offer13 makes a suite the only one of TLS 1.3 in this process. Handshakes of two suites never overlap in time: a
// worker does one request at a time, and threads of one case have the same suite.
func offer13(suite uint16) {
	if suite == 0 {
		return
	}
	mutex13.Lock()
	defer mutex13.Unlock()
	if offered13 == suite {
		return
	}
	offered13 = suite
	defaultCipherSuitesTLS13 = []uint16{suite}
	defaultCipherSuitesTLS13NoAES = defaultCipherSuitesTLS13
}

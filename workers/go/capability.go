package main

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
)

// introduce says who the library is and what it can do, found by asking it.
func introduce(files *pki) *hello {
	can := capabilities(files)
	return &hello{
		Is: "hello", Protocol: protocol, Family: "go",
		Version:    "Go crypto/tls " + strings.TrimPrefix(runtime.Version(), "go"),
		Build:      buildText(),
		Primitives: can.primitives, Patterns: []string{"tls"},
		Versions: can.versions, Suites: can.suites, Groups: can.groups, Keys: can.keys, Resumptions: can.resumptions,
		Loads:   []string{"response-headers"},
		Without: without(),
	}
}

// buildText is what the toolchain wrote into the program, and what the worker sets.
func buildText() string {
	parts := []string{runtime.Compiler + " " + runtime.Version()}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, setting := range info.Settings {
			if !strings.HasPrefix(setting.Key, "vcs") && setting.Value != "" {
				parts = append(parts, setting.Key+"="+setting.Value)
			}
		}
		for _, module := range info.Deps {
			parts = append(parts, module.Path+" "+module.Version)
		}
	}
	set := []string{
		"GOGC=100 without memory limit", "one processor for work in one thread", "records of full size from the first",
		fmt.Sprintf("the one TLS 1.3 suite of the case in place of %d", len(allSuites13)),
	}
	if flags := os.Getenv("GODEBUG"); flags != "" {
		set = append(set, "GODEBUG="+flags)
	}
	return strings.Join(parts, ", ") + "; set by the worker: " + strings.Join(set, ", ")
}

// abilities are what the library was found to have.
type abilities struct {
	primitives, versions, suites, groups, keys, resumptions []string
}

var (
	abilitiesMutex sync.Mutex
	abilitiesOf    = map[string]*abilities{}
)

// capabilities tries every name of the vocabulary, once for each folder of keys.
func capabilities(files *pki) *abilities {
	abilitiesMutex.Lock()
	defer abilitiesMutex.Unlock()
	if known := abilitiesOf[files.folder]; known != nil {
		return known
	}
	useProcessors(1)
	can := &abilities{primitives: tryPrimitives(files)}
	for _, key := range keys {
		one := usualParams
		one.key = key
		if negotiates(one, full, files) {
			can.keys = append(can.keys, key)
		}
	}
	for _, suite := range suites {
		if negotiates(usualFor(suite), full, files) {
			can.suites = append(can.suites, suite.name)
			if !slices.Contains(can.versions, suite.version()) {
				can.versions = append(can.versions, suite.version())
			}
		}
	}
	slices.Sort(can.versions)
	for _, group := range groups {
		one := usualParams
		one.group = group.name
		if negotiates(one, full, files) {
			can.groups = append(can.groups, group.name)
		}
	}
	for _, resumption := range resumptions {
		if slices.ContainsFunc(can.versions, func(version string) bool {
			one := usualParams
			if version == "TLSv1.2" {
				one = params{version, "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256", "X25519", "ecdsa-p256"}
			}
			return negotiates(one, resumption, files)
		}) {
			can.resumptions = append(can.resumptions, resumption)
		}
	}
	abilitiesOf[files.folder] = can
	return can
}

// usualFor is a combination that the suite can occur in.
func usualFor(s suite) params {
	one := params{s.version(), s.name, "X25519", "ecdsa-p256"}
	switch s.auth {
	case authRSA:
		one.key = "rsa-2048"
	case authDHE:
		one.key, one.group = "rsa-2048", "ffdhe2048"
	case authTransport:
		one.key, one.group = "rsa-2048", ""
	}
	return one
}

// negotiates makes a handshake and tells whether it proves what was asked for.
func negotiates(p params, resumption string, files *pki) bool {
	w := &workload{params: p, threads: 1, chain: 1, resumption: resumption, contexts: shared}
	_, err := prepareHandshake(w, files)
	return err == nil
}

func tryPrimitives(files *pki) []string {
	var claimed []string
	for _, a := range algorithms {
		for _, op := range a.ops() {
			// Something that is there and fails is claimed: its failure must be seen.
			var hole unsupported
			in, err := newInputs(a, op, 64, files)
			if err == nil {
				_, err = newOperation(a, op, in)
			}
			if !errors.As(err, &hole) {
				claimed = append(claimed, a.name+":"+op)
			}
		}
	}
	return claimed
}

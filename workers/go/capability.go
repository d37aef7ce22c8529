package main

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
)

// introduce says who the library is and what it can do, found by asking it.
func introduce(files *pki) *hello {
	return &hello{
		Is: "hello", Protocol: protocol, Family: "go",
		Version:   "Go crypto/tls " + strings.TrimPrefix(runtime.Version(), "go"),
		Build:     buildText(),
		abilities: *capabilities(files),
		Loads:     []string{"response-headers"},
		Without:   without(),
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

var abilitiesOf = map[string]*abilities{}

// capabilities tries every name of the vocabulary, once for each folder of keys.
func capabilities(files *pki) *abilities {
	if known := abilitiesOf[files.folder]; known != nil {
		return known
	}
	useProcessors(1)
	can := &abilities{Primitives: tryPrimitives(files), Patterns: []string{"tls"}}
	can.Keys = slices.DeleteFunc(slices.Clone(keys), func(key string) bool {
		return !negotiates(params{usualParams.Version, usualParams.Suite, usualParams.Group, key}, full, files)
	})
	for _, suite := range suites {
		if negotiates(usualFor(suite), full, files) {
			can.Suites = append(can.Suites, suite.name)
			if !slices.Contains(can.Versions, suite.version()) {
				can.Versions = append(can.Versions, suite.version())
			}
		}
	}
	slices.Sort(can.Versions)
	for _, group := range groups {
		one := usualParams
		one.Group = group.name
		if negotiates(one, full, files) {
			can.Groups = append(can.Groups, group.name)
		}
	}
	ecdsa12, _ := suiteNamed("TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256")
	usual := map[string]params{"TLSv1.2": usualFor(ecdsa12), "TLSv1.3": usualParams}
	for _, resumption := range resumptions {
		if slices.ContainsFunc(can.Versions, func(version string) bool {
			return negotiates(usual[version], resumption, files)
		}) {
			can.Resumptions = append(can.Resumptions, resumption)
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
		one.Key = "rsa-2048"
	case authDHE:
		one.Key, one.Group = "rsa-2048", "ffdhe2048"
	case authTransport:
		one.Key, one.Group = "rsa-2048", ""
	}
	return one
}

// negotiates makes a handshake and tells whether it proves what was asked for.
func negotiates(p params, resumption string, files *pki) bool {
	w := &workload{params: p, Threads: 1, Chain: 1, Resumption: resumption, Contexts: shared}
	_, err := prepareHandshake(w, files)
	return err == nil
}

func tryPrimitives(files *pki) []string {
	var claimed []string
	for _, a := range algorithms {
		for _, op := range a.ops {
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

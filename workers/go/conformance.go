package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
)

// suite of checks that the library passes before anything of it may be timed: it does what it claims, and it fails
// where TLS says that it must.
type checks struct {
	pki                     *pki
	hello                   *hello
	output                  io.Writer
	passed, failed, skipped int
}

// skip is the reason for which a check is not made.
type skip string

func (s skip) Error() string { return string(s) }

// conform runs every check that the claims call for, and writes one line for each and one for all.
func conform(folder string, output io.Writer) bool {
	files := newPki(folder)
	c := &checks{pki: files, hello: introduce(files), output: output}
	fmt.Fprintf(output, "%s (%s)\n", c.hello.Version, c.hello.Family)
	c.check("claims", c.claims)
	c.primitives()
	c.negotiations()
	c.connections()
	c.loads()
	fmt.Fprintf(output, "%d passed, %d failed, %d skipped\n", c.passed, c.failed, c.skipped)
	return c.failed == 0
}

func (c *checks) check(name string, act func() error) {
	_, err := guarded(func() (struct{}, error) { return struct{}{}, act() })
	var hole unsupported
	var skipped skip
	switch {
	case err == nil:
		c.passed++
		fmt.Fprintf(c.output, "ok    %s\n", name)
	case errors.As(err, &skipped):
		c.skipped++
		fmt.Fprintf(c.output, "skip  %s: %s\n", name, skipped)
	case errors.As(err, &hole):
		// A combination that is refused with a reason is a hole in the matrix.
		c.skipped++
		fmt.Fprintf(c.output, "skip  %s: %s\n", name, string(hole))
	default:
		c.failed++
		fmt.Fprintf(c.output, "FAIL  %s: %v\n", name, err)
	}
}

// claims tells whether the library says who it is and can do anything at all; that each name is one of the vocabulary
// is so because only names of it are tried.
func (c *checks) claims() error {
	h := c.hello
	if h.Family == "" || h.Version == "" {
		return errors.New("does not say its family or version")
	}
	for what, claimed := range map[string][]string{
		"primitives": h.Primitives, "versions": h.Versions, "suites": h.Suites, "groups": h.Groups, "keys": h.Keys,
	} {
		if len(claimed) == 0 {
			return fmt.Errorf("claims no %s", what)
		}
	}
	// What crypto/tls lists and our vocabulary has must have come to a handshake.
	for _, suite := range suites {
		if has(suite.code) && !slices.Contains(h.Suites, suite.name) {
			return fmt.Errorf("crypto/tls lists %s, and no handshake comes of it", suite.name)
		}
	}
	return nil
}

// every is every coherent combination of what is claimed.
func (c *checks) every() []params {
	var all []params
	for _, version := range c.hello.Versions {
		for _, suite := range c.hello.Suites {
			for _, group := range append(slices.Clone(c.hello.Groups), "") {
				for _, key := range c.hello.Keys {
					one := params{version, suite, group, key}
					if one.coherent() {
						all = append(all, one)
					}
				}
			}
		}
	}
	return all
}

// usual is the combination that most servers use.
func (c *checks) usual(version string) (params, bool) {
	suite := "TLS_AES_128_GCM_SHA256"
	if version == "TLSv1.2" {
		suite = "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256"
	}
	one := params{version, suite, "X25519", "rsa-2048"}
	return one, slices.Contains(c.every(), one)
}

// The sizes around which libraries change their code path: one block, a packet, a whole record.
var checkedSizes = []int{16, 1350, 16384}

func (c *checks) primitives() {
	for _, a := range algorithms {
		for _, op := range a.ops() {
			name := a.name + ":" + op
			if !slices.Contains(c.hello.Primitives, name) {
				c.check("unclaimed "+name, func() error { return c.isUnsupported(a, op) })
				continue
			}
			c.check("known answer "+name, func() error { return checkKnownAnswers(a, op, c.pki) })
			c.check("runs "+name+" tls", func() error { return c.runs(a, op) })
			if a.class == classAEAD && op == "decrypt" {
				c.check("forgery "+name, func() error { return c.refusesForgedTag(a) })
			}
			if op == "verify" {
				c.check("forgery "+name, func() error { return c.refusesForgedSignature(a) })
			}
		}
	}
}

func (c *checks) isUnsupported(a algorithm, op string) error {
	in, err := newInputs(a, op, 64, c.pki)
	if err == nil {
		_, err = newOperation(a, op, in)
	}
	if err == nil {
		return skip("the library has it and does not claim it")
	}
	return err
}

// runs works at several sizes and on two threads.
func (c *checks) runs(a algorithm, op string) error {
	sizes := checkedSizes
	if !a.isSized() {
		sizes = []int{0}
	}
	for _, size := range sizes {
		w := &workload{kind: "primitive", threads: 2, op: op, algorithm: a.name, pattern: "tls", size: size}
		made, err := preparePrimitive(w, c.pki)
		if err != nil {
			return err
		}
		if _, _, err := made.job.run(5, 1); err != nil {
			return err
		}
	}
	return nil
}

func (c *checks) refusesForgedTag(a algorithm) error {
	in, err := newInputs(a, "decrypt", 64, c.pki)
	if err != nil {
		return err
	}
	made, err := newOperation(a, "decrypt", in)
	if err != nil {
		return err
	}
	sealed := made.(*aead).sealed
	sealed[len(sealed)-1] ^= 1
	if made.once() == nil {
		return errors.New("a tag with one bit changed passes")
	}
	return nil
}

func (c *checks) refusesForgedSignature(a algorithm) error {
	in, err := newInputs(a, "verify", 0, c.pki)
	if err != nil {
		return err
	}
	if len(in.signature) == 0 {
		return errors.New("there is no signature to forge")
	}
	// The last byte belongs to a number in every format, never to a tag or a length.
	in.signature = slices.Clone(in.signature)
	in.signature[len(in.signature)-1] ^= 1
	made, err := newOperation(a, "verify", in)
	if err == nil && made.once() == nil {
		return errors.New("a signature with one bit changed passes")
	}
	return nil
}

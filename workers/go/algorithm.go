package main

import "slices"

// class is what algorithms of one kind have in common.
type class struct {
	// Sets an operation up; the calls are those that crypto/tls makes.
	make func(a algorithm, op string, in *inputs) (operation, error)
	// Whether a message of some size is worked on.
	isSized bool
	// The operations that exist.
	ops []string
}

var (
	classAEAD        = &class{newAEAD, true, []string{"encrypt", "decrypt"}}
	classCBC         = &class{newCBC, true, []string{"encrypt", "decrypt"}}
	classStream      = &class{newStream, true, []string{"encrypt", "decrypt"}}
	classHash        = &class{newHash, true, []string{"digest"}}
	classMAC         = &class{newHash, true, []string{"mac"}}
	classKDF         = &class{newHash, false, []string{"derive"}}
	classSignature   = &class{newSignature, false, []string{"sign", "verify"}}
	classAgreement   = &class{newAgreement, false, []string{"keygen", "derive"}}
	classKEM         = &class{newKEM, false, []string{"keygen", "encapsulate", "decapsulate"}}
	classContext     = &class{newContext, false, []string{"create"}}
	classBundle      = &class{newBundle, false, []string{"load"}}
	classCertificate = &class{newCertificate, false, []string{"parse"}}
)

type algorithm struct {
	name string
	*class
	// What a message's length must be a multiple of.
	block int
}

// algorithms are those of the tlstax vocabulary, in its order.
var algorithms = slices.Concat(
	classAEAD.of(1, "aes-128-gcm", "aes-256-gcm", "aes-128-ccm", "chacha20-poly1305"),
	classCBC.of(16, "aes-128-cbc", "aes-256-cbc"),
	classCBC.of(1, "aes-128-cbc-hmac-sha1", "aes-256-cbc-hmac-sha1"),
	classCBC.of(1, "aes-128-cbc-hmac-sha256", "aes-256-cbc-hmac-sha256"),
	classCBC.of(8, "3des-cbc"),
	classStream.of(1, "rc4"),
	classHash.of(1, "md5", "sha1", "sha256", "sha384", "sha512"),
	classMAC.of(1, "hmac-sha1", "hmac-sha256", "hmac-sha384"),
	classKDF.of(1, "hkdf-sha256", "hkdf-sha384"),
	classSignature.of(1, "rsa-2048", "rsa-3072", "rsa-4096", "ecdsa-p256", "ecdsa-p384", "ed25519"),
	classSignature.of(1, "ml-dsa-44", "ml-dsa-65", "ml-dsa-87", "slh-dsa-sha2-128f"),
	classAgreement.of(1, "ecdh-p256", "ecdh-p384", "x25519"),
	classKEM.of(1, "ml-kem-768"),
	classContext.of(1, "server-context", "client-context"),
	classBundle.of(1, "ca-bundle"),
	classCertificate.of(1, "certificate"),
)

func (c *class) of(block int, names ...string) []algorithm {
	var all []algorithm
	for _, name := range names {
		all = append(all, algorithm{name, c, block})
	}
	return all
}

func algorithmNamed(name string) (algorithm, bool) {
	return find(algorithms, func(a algorithm) bool { return a.name == name })
}

// isFixed tells whether the output of an operation is the same for every library.
func (a algorithm) isFixed(op string) bool {
	switch op {
	case "keygen", "encapsulate", "verify", "create":
		return false
	case "sign":
		return a.name == "ed25519"
	}
	return true
}

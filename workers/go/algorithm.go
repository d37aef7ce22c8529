package main

import "slices"

// Classes of algorithms.
const (
	classAEAD      = "aead"
	classCipher    = "cipher"
	classHash      = "hash"
	classMAC       = "mac"
	classKDF       = "kdf"
	classSignature = "signature"
	classAgreement = "key agreement"
	classKEM       = "kem"
	classSetup     = "setup"
)

type algorithm struct {
	name, class string
	// What a message's length must be a multiple of.
	block int
	// The operations that exist for it.
	ops []string
}

var (
	crypts    = []string{"encrypt", "decrypt"}
	signs     = []string{"sign", "verify"}
	agrees    = []string{"keygen", "derive"}
	transfers = []string{"keygen", "encapsulate", "decapsulate"}
)

// algorithms are those of the tlstax vocabulary, in its order.
var algorithms = slices.Concat(
	of(classAEAD, 1, crypts, "aes-128-gcm", "aes-256-gcm", "aes-128-ccm", "chacha20-poly1305"),
	of(classCipher, 16, crypts, "aes-128-cbc", "aes-256-cbc"),
	of(classCipher, 1, crypts, "aes-128-cbc-hmac-sha1", "aes-256-cbc-hmac-sha1"),
	of(classCipher, 1, crypts, "aes-128-cbc-hmac-sha256", "aes-256-cbc-hmac-sha256"),
	of(classCipher, 8, crypts, "3des-cbc"),
	of(classCipher, 1, crypts, "rc4"),
	of(classHash, 1, []string{"digest"}, "md5", "sha1", "sha256", "sha384", "sha512"),
	of(classMAC, 1, []string{"mac"}, "hmac-sha1", "hmac-sha256", "hmac-sha384"),
	of(classKDF, 1, []string{"derive"}, "hkdf-sha256", "hkdf-sha384"),
	of(classSignature, 1, signs, "rsa-2048", "rsa-3072", "rsa-4096", "ecdsa-p256", "ecdsa-p384", "ed25519"),
	of(classSignature, 1, signs, "ml-dsa-44", "ml-dsa-65", "ml-dsa-87", "slh-dsa-sha2-128f"),
	of(classAgreement, 1, agrees, "ecdh-p256", "ecdh-p384", "x25519"),
	of(classKEM, 1, transfers, "ml-kem-768"),
	of(classSetup, 1, []string{"create"}, "server-context", "client-context"),
	of(classSetup, 1, []string{"load"}, "ca-bundle"),
	of(classSetup, 1, []string{"parse"}, "certificate"),
)

// of are algorithms that have all but their names in common.
func of(class string, block int, ops []string, names ...string) []algorithm {
	var all []algorithm
	for _, name := range names {
		all = append(all, algorithm{name, class, block, ops})
	}
	return all
}

func algorithmNamed(name string) (algorithm, bool) {
	return find(algorithms, func(a algorithm) bool { return a.name == name })
}

// isSized tells whether a message of some size is worked on.
func (a algorithm) isSized() bool {
	return slices.Contains([]string{classAEAD, classCipher, classHash, classMAC}, a.class)
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

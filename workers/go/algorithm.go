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
}

// algorithms are those of the tlstax vocabulary, in its order.
var algorithms = []algorithm{
	{"aes-128-gcm", classAEAD, 1},
	{"aes-256-gcm", classAEAD, 1},
	{"aes-128-ccm", classAEAD, 1},
	{"chacha20-poly1305", classAEAD, 1},
	{"aes-128-cbc", classCipher, 16},
	{"aes-256-cbc", classCipher, 16},
	{"aes-128-cbc-hmac-sha1", classCipher, 1},
	{"aes-256-cbc-hmac-sha1", classCipher, 1},
	{"aes-128-cbc-hmac-sha256", classCipher, 1},
	{"aes-256-cbc-hmac-sha256", classCipher, 1},
	{"3des-cbc", classCipher, 8},
	{"rc4", classCipher, 1},
	{"md5", classHash, 1},
	{"sha1", classHash, 1},
	{"sha256", classHash, 1},
	{"sha384", classHash, 1},
	{"sha512", classHash, 1},
	{"hmac-sha1", classMAC, 1},
	{"hmac-sha256", classMAC, 1},
	{"hmac-sha384", classMAC, 1},
	{"hkdf-sha256", classKDF, 1},
	{"hkdf-sha384", classKDF, 1},
	{"rsa-2048", classSignature, 1},
	{"rsa-3072", classSignature, 1},
	{"rsa-4096", classSignature, 1},
	{"ecdsa-p256", classSignature, 1},
	{"ecdsa-p384", classSignature, 1},
	{"ed25519", classSignature, 1},
	{"ml-dsa-44", classSignature, 1},
	{"ml-dsa-65", classSignature, 1},
	{"ml-dsa-87", classSignature, 1},
	{"slh-dsa-sha2-128f", classSignature, 1},
	{"ecdh-p256", classAgreement, 1},
	{"ecdh-p384", classAgreement, 1},
	{"x25519", classAgreement, 1},
	{"ml-kem-768", classKEM, 1},
	{"server-context", classSetup, 1},
	{"client-context", classSetup, 1},
	{"ca-bundle", classSetup, 1},
	{"certificate", classSetup, 1},
}

func algorithmNamed(name string) (algorithm, bool) {
	at := slices.IndexFunc(algorithms, func(a algorithm) bool { return a.name == name })
	if at < 0 {
		return algorithm{}, false
	}
	return algorithms[at], true
}

// ops are the operations that exist for the algorithm.
func (a algorithm) ops() []string {
	switch a.class {
	case classAEAD, classCipher:
		return []string{"encrypt", "decrypt"}
	case classHash:
		return []string{"digest"}
	case classMAC:
		return []string{"mac"}
	case classKDF:
		return []string{"derive"}
	case classSignature:
		return []string{"sign", "verify"}
	case classAgreement:
		return []string{"keygen", "derive"}
	case classKEM:
		return []string{"keygen", "encapsulate", "decapsulate"}
	}
	switch a.name {
	case "ca-bundle":
		return []string{"load"}
	case "certificate":
		return []string{"parse"}
	}
	return []string{"create"}
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

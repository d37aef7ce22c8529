package main

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/sha256"
	"crypto/sha512"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"

	"golang.org/x/sys/cpu"
)

const (
	// wantedWithout names the features that the library is to do without, separated by commas.
	wantedWithout = "TLSTAX_WITHOUT"
	// appliedWithout is set in the second start.
	appliedWithout = "TLSTAX_WITHOUT_APPLIED"
)

var avx512 = []string{"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl", "vpclmulqdq"}

// switches are the settings of GODEBUG that take a feature from the runtime and all packages. Nothing in Go uses vector
// AES, and the vector form of carry-less multiplication is in checksums only.
var switches = map[string][]string{
	"aes":    {"aes"},
	"clmul":  {"pclmulqdq", "vpclmulqdq"},
	"vaes":   {},
	"avx2":   append([]string{"avx2"}, avx512...),
	"avx512": avx512,
	"sha":    {"sha"},
	"asm":    nil,
}

// applySwitches starts the program anew with the environment that the wanted features take: the runtime reads GODEBUG
// before any Go code runs. Returns where nothing is to be set, or in the second start.
func applySwitches() error {
	wanted := splitNames(os.Getenv(wantedWithout))
	if len(wanted) == 0 || os.Getenv(appliedWithout) != "" {
		return nil
	}
	var settings []string
	for _, feature := range wanted {
		names, known := switches[feature]
		if !known {
			return failed("prepare", "%s: there is no feature '%s'", wantedWithout, feature)
		}
		if feature == "asm" && !isPureGo() {
			return unsupported("doing without assembly is another build of this worker: build.sh with TAGS=purego")
		}
		for _, name := range names {
			settings = append(settings, "cpu."+name+"=off")
		}
	}
	if len(settings) == 0 {
		return nil
	}
	if own := os.Getenv("GODEBUG"); own != "" {
		settings = append([]string{own}, settings...)
	}
	program, err := os.Executable()
	if err != nil {
		return failed("prepare", "cannot start the worker anew: %v", err)
	}
	environment := slices.DeleteFunc(os.Environ(), func(one string) bool { return strings.HasPrefix(one, "GODEBUG=") })
	environment = append(environment, "GODEBUG="+strings.Join(settings, ","), appliedWithout+"=1")
	return failed("prepare", "cannot start the worker anew: %v", syscall.Exec(program, os.Args, environment))
}

func splitNames(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' })
}

// without is what the library does without: shown by what its operations cost, since internal/cpu tells nobody.
func without() []string {
	lacks := append([]string{"vaes"}, slowEachTime()...)
	// AVX2 is a part of many operations, AVX-512 is used by the garbage collector alone, and neither has a cost by which it
	// could be told; this package of the same project reads CPU and GODEBUG as the runtime does.
	if !cpu.X86.HasAVX2 {
		lacks = append(lacks, "avx2")
	}
	if !cpu.X86.HasAVX512F {
		lacks = append(lacks, "avx512")
	}
	if isPureGo() {
		lacks = append(lacks, "asm")
	}
	return lacks
}

// confirmed is how often what is slow is measured again: a busy machine can make anything slow once.
const confirmed = 3

func slowEachTime() []string {
	names := slow()
	for again := 0; again < confirmed && len(names) > 0; again++ {
		now := slow()
		names = slices.DeleteFunc(names, func(name string) bool { return !slices.Contains(now, name) })
	}
	return names
}

// slow names the features whose operations cost what they cost without them.
func slow() []string {
	// Neither fails: 16 bytes are a key.
	block, _ := aes.NewCipher(make([]byte, 16))
	gcm, _ := cipher.NewGCM(block)
	out := make([]byte, probeSize, probeSize+gcm.Overhead())
	ctr := func(message []byte) { cipher.NewCTR(block, make([]byte, 16)).XORKeyStream(out, message) }
	seal := func(message []byte) { gcm.Seal(out[:0], make([]byte, gcm.NonceSize()), message, nil) }
	sha := func(message []byte) { sha256.Sum256(message) }
	sha512Cost := cheapest(func(message []byte) { sha512.Sum512(message) })
	var lacks []string
	// Without the SHA extensions SHA-256 has more rounds per byte than SHA-512, and is slower.
	for _, one := range []struct {
		feature string
		act     func([]byte)
	}{{"aes", ctr}, {"clmul", seal}, {"sha", sha}} {
		if cheapest(one.act) > sha512Cost {
			lacks = append(lacks, one.feature)
		}
	}
	return lacks
}

const probeSize = 16 * 1024

// cheapest is the shortest time of several: whatever disturbs makes it longer.
func cheapest(act func([]byte)) int64 {
	const times = 12
	message := make([]byte, probeSize)
	least := int64(1 << 62)
	for range times {
		start := monotonic()
		act(message)
		least = min(least, monotonic()-start)
	}
	return least
}

// isPureGo tells whether this build has no assembly in its cryptography.
func isPureGo() bool {
	info, ok := debug.ReadBuildInfo()
	return ok && slices.ContainsFunc(info.Settings, func(one debug.BuildSetting) bool {
		return one.Key == "-tags" && slices.Contains(splitNames(one.Value), "purego")
	})
}

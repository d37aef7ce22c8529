package main

import (
	"bytes"
	"encoding/hex"
	"errors"
	"slices"
)

// operation is a primitive that is set up and can be run any number of times.
type operation interface {
	// once does it once more.
	once() error
	// answer does it once from its beginning, with the first nonce, and returns the whole output, or checked.
	answer() ([]byte, error)
}

// calls is an operation of many microseconds, beside which one call more is nothing.
type calls struct {
	do  func() error
	get func() ([]byte, error)
}

func (c calls) once() error             { return c.do() }
func (c calls) answer() ([]byte, error) { return c.get() }

// repeatable is an operation that gives the same output each time.
func repeatable(get func() ([]byte, error)) operation {
	return calls{func() error { _, err := get(); return err }, get}
}

func newOperation(a algorithm, op string, in *inputs) (operation, error) {
	if !slices.Contains(a.ops, op) {
		return nil, unsupported("there is no operation " + op + " of " + a.name)
	}
	return a.make(a, op, in)
}

// proven is how many bytes of the end of an output prove it: the tag of an AEAD, the last block of a cipher.
const proven = 16

// trialRuns is how often an operation runs between its first answer and the one that must be the same.
const trialRuns = 3

// primitiveJob is an operation, set up once for each thread.
type primitiveJob struct {
	operations []operation
	size       int
	proof      proof
}

func preparePrimitive(c *workload, files *pki) (prepared, error) {
	a, known := algorithmNamed(c.Algorithm)
	if !known {
		return prepared{}, unsupported("there is no algorithm '" + c.Algorithm + "' here")
	}
	if c.Pattern != "tls" {
		return prepared{}, unsupported("only the OpenSSL family has the call pattern of openssl speed")
	}
	if err := checkKnownAnswers(a, c.Op, files); err != nil {
		return prepared{}, err
	}
	in, err := newInputs(a, c.Op, int(c.Size), files)
	if err != nil {
		return prepared{}, err
	}
	made := &primitiveJob{size: int(c.Size)}
	var first []byte
	for range c.Threads {
		one, err := newOperation(a, c.Op, in)
		if err != nil {
			return prepared{}, err
		}
		answer, err := tryOut(one)
		if err != nil {
			return prepared{}, err
		}
		if first == nil {
			first = answer
		}
		if !bytes.Equal(first, answer) {
			return prepared{}, failed("proof", "the threads' answers to the same input differ")
		}
		made.operations = append(made.operations, one)
	}
	made.proof.Answer = hex.EncodeToString(first[max(len(first)-proven, 0):])
	return prepared{job: made, proof: made.proof}, nil
}

// checkKnownAnswers holds an operation against what independent implementations compute.
func checkKnownAnswers(a algorithm, op string, files *pki) error {
	for _, size := range knownSizes(a) {
		in, err := newInputs(a, op, size, files)
		if err != nil {
			return err
		}
		one, err := newOperation(a, op, in)
		if err != nil {
			return err
		}
		answer, err := tryOut(one)
		if err != nil {
			return err
		}
		if expected := in.expected(a, op, size); !bytes.Equal(answer, expected) || len(answer) == 0 {
			return failed("proof", "%s:%s of %d bytes gives %s, the known answer is %s",
				a.name, op, size, shown(answer), shown(expected))
		}
	}
	return nil
}

// tryOut is the operation's answer, which must be the same before and after it has run.
func tryOut(one operation) ([]byte, error) {
	first, err := one.answer()
	if err != nil {
		return nil, at("prepare", "the first answer", err)
	}
	first = bytes.Clone(first)
	for range trialRuns {
		if err := one.once(); err != nil {
			return nil, at("run", "the trial", err)
		}
	}
	again, err := one.answer()
	if err != nil {
		return nil, at("prepare", "the second answer", err)
	}
	if !bytes.Equal(first, again) {
		return nil, failed("proof", "the answer was %s and, after %d runs, %s", shown(first), trialRuns, shown(again))
	}
	return first, nil
}

// errForged says that something passes that must not.
var errForged = errors.New("a signature or a tag with one bit changed passes")

// forged is a signature or a sealed message with one bit changed. The last byte belongs to a number or a tag in every
// format, never to a length.
func forged(authentic []byte) []byte {
	changed := bytes.Clone(authentic)
	if len(changed) > 0 {
		changed[len(changed)-1] ^= 1
	}
	return changed
}

func shown(answer []byte) string {
	if bytes.Equal(answer, checked) {
		return "'checked by inverse'"
	}
	return hex.EncodeToString(answer)
}

func (j *primitiveJob) run(asked batch) (sample, proof, error) {
	readings, err := together(len(j.operations),
		func(index int) (operation, error) {
			one := j.operations[index]
			return one, repeat(one, asked.warmup)
		},
		func(one operation) (share, error) {
			timed := startLaps(len(j.operations)).inParts(asked)
			err := timed.repeat(one, asked.iterations)
			timed.finish()
			return share{laps: timed}, err
		})
	if err != nil {
		return sample{}, proof{}, at("run", "the operation", err)
	}
	took := summed(readings, 0)
	done := asked.iterations * uint64(len(readings))
	return sample{
		Iterations: done, WallNs: took.WallNs, CPUNs: took.CPUNs, GcNs: took.GcNs,
		Bytes: done * uint64(j.size), parts: parts{Whole: took.Whole},
	}, j.proof, nil
}

func repeat(one operation, times uint64) error {
	for range times {
		if err := one.once(); err != nil {
			return err
		}
	}
	return nil
}

package main

import (
	"errors"
	"fmt"
)

// unsupported says that the library has no such thing: a hole in the matrix with its reason.
type unsupported string

func (u unsupported) Error() string { return "unsupported: " + string(u) }

// failure is something that the library has and that went wrong.
type failure struct {
	// prepare, run or proof.
	stage   string
	message string
}

func (f *failure) Error() string { return f.stage + ": " + f.message }

func failed(stage, format string, values ...any) error {
	return &failure{stage, fmt.Sprintf(format, values...)}
}

// at gives an error a stage; one that has a stage, and a hole, stay what they are.
func at(stage, doing string, err error) error {
	var hole unsupported
	var known *failure
	if err == nil || errors.As(err, &hole) || errors.As(err, &known) {
		return err
	}
	return failed(stage, "%s: %v", doing, err)
}

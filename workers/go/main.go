// The worker for Go's crypto/tls: it speaks docs/protocol.md, and holds what is Go's and nothing else.
package main

import (
	"errors"
	"fmt"
	"math"
	"os"
	"runtime/debug"
)

const help = `A worker of tlstax: measures one TLS library. It is started by ` + "`tlstax`" + `, not by hand.

Usage:
  (no arguments)          answer requests on standard input, one JSON object per line; see docs/protocol.md
  --help                  print this
`

func main() {
	// The environment must not change what the garbage collector costs.
	debug.SetGCPercent(100)
	debug.SetMemoryLimit(math.MaxInt64)
	os.Exit(run(os.Args[1:]))
}

func run(arguments []string) int {
	if err := applySwitches(); err != nil {
		var hole unsupported
		if errors.As(err, &hole) && len(arguments) == 0 {
			// Told in the conversation, so that it becomes a row that says so.
			_, _ = os.Stdout.Write(encode(refusal(0, err)))
			return 1
		}
		fmt.Fprintln(os.Stderr, "the library does not start:", err)
		return 1
	}
	switch {
	case len(arguments) == 0:
		if err := converse(os.Stdin, os.Stdout); err != nil {
			return 1
		}
		return 0
	case len(arguments) == 1 && arguments[0] == "--help":
		fmt.Print(help)
		return 0
	}
	fmt.Fprintf(os.Stderr, "unknown arguments: %q\n\n%s", arguments, help)
	return 2
}

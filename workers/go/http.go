package main

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// longestHead is refused when it is passed; our heads have less than 100 bytes beside the padding.
const longestHead = 16 * 1024

// paddingName is the field that makes the head of a response longer.
const paddingName = "x-tlstax-padding"

func httpRequest(last bool) []byte {
	return fmt.Appendf(nil, "GET / HTTP/1.1\r\nHost: %s\r\n%s\r\n", serverName, connectionHeader(last))
}

// httpResponse is a whole response with a body of so many bytes, which are not all the same, and a line of padding of so
// many bytes in its head.
func httpResponse(body, padding uint32, last bool) []byte {
	line := ""
	if padding > 0 {
		line = paddingName + ": " + strings.Repeat("X", int(padding)-paddingLine("")) + "\r\n"
	}
	response := fmt.Appendf(nil, "HTTP/1.1 200 OK\r\nContent-Length: %d\r\n%s%s\r\n", body, line,
		connectionHeader(last))
	for at := range body {
		response = append(response, byte(at%251))
	}
	return response
}

// paddingLine is the length of the field's line with a value.
func paddingLine(value string) int { return len(paddingName) + len(": ") + len(value) + len("\r\n") }

func connectionHeader(last bool) string {
	if last {
		return "Connection: close\r\n"
	}
	return ""
}

// badRequest answers what is no request that we serve.
const badRequest = "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"

var errLongHead = errors.New("the head of a message is too long")

type head struct {
	// With its empty line.
	length int
	first  string
	last   bool
	body   int
	// The bytes of the line of padding; 0 where there is none.
	padding int
}

// parseHead reads the head of a message; none if it is not complete yet.
func parseHead(received []byte) (*head, error) {
	text, _, complete := bytes.Cut(received, []byte("\r\n\r\n"))
	if !complete {
		if len(received) > longestHead {
			return nil, errLongHead
		}
		return nil, nil
	}
	first, rest, _ := strings.Cut(string(text), "\r\n")
	parsed := &head{length: len(text) + 4, first: first, body: -1}
	for rest != "" {
		var line string
		line, rest, _ = strings.Cut(rest, "\r\n")
		name, value, is := strings.Cut(line, ":")
		if !is {
			return nil, fmt.Errorf("not HTTP/1: '%s'", line)
		}
		value = strings.TrimSpace(value)
		switch strings.ToLower(name) {
		case "connection":
			parsed.last = strings.EqualFold(value, "close")
		case "content-length":
			length, err := strconv.Atoi(value)
			if err != nil || length < 0 {
				return nil, fmt.Errorf("a Content-Length of '%s'", value)
			}
			parsed.body = length
		case paddingName:
			parsed.padding = paddingLine(value)
		}
	}
	return parsed, nil
}

func isGet(h *head) bool {
	return strings.HasPrefix(h.first, "GET ") && strings.HasSuffix(h.first, " HTTP/1.1") && h.body <= 0
}

func isOK(h *head) bool { return strings.HasPrefix(h.first, "HTTP/1.1 200 ") && h.body >= 0 }

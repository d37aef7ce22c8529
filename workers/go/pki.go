package main

import (
	"crypto/tls"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// serverName is in every server certificate under pki/.
const serverName = "server.test"

// pki is the folder of test certificates and keys. A file is read once: a context that is made for each connection
// must not measure the file system.
type pki struct {
	folder string
	mutex  sync.Mutex
	files  map[string][]byte
}

func newPki(folder string) *pki { return &pki{folder: folder, files: map[string][]byte{}} }

func (p *pki) read(names ...string) ([]byte, error) {
	path := filepath.Join(append([]string{p.folder}, names...)...)
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if contents, known := p.files[path]; known {
		return contents, nil
	}
	contents, err := os.ReadFile(path)
	if err != nil {
		return nil, failed("prepare", "%v; run pki/make.sh to make it anew", err)
	}
	// The first line of a key says what it is for, and is no PEM.
	if text := string(contents); strings.HasSuffix(path, ".key") {
		if begin := strings.Index(text, "-----BEGIN"); begin > 0 {
			contents = contents[begin:]
		}
	}
	p.files[path] = contents
	return contents, nil
}

// pair is a certificate chain with its private key, from two files of the folder of a kind of key.
func (p *pki) pair(key, chain, private string) (tls.Certificate, error) {
	certificates, err := p.read(key, chain)
	if err != nil {
		return tls.Certificate{}, err
	}
	secret, err := p.read(key, private)
	if err != nil {
		return tls.Certificate{}, err
	}
	return tls.X509KeyPair(certificates, secret)
}

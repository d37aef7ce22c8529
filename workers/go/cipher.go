package main

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/des"
	"crypto/hmac"
	"crypto/rc4"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"hash"
	"strings"
)

// cbcMode is a cipher mode whose initialisation vector can be set anew, as crypto/tls uses it.
type cbcMode interface {
	cipher.BlockMode
	SetIV([]byte)
}

// cbc encrypts or decrypts messages in CBC mode, with a MAC before (RFC 5246 6.2.3.2) or without.
type cbc struct {
	encrypter, decrypter cbcMode
	mac                  hash.Hash
	in                   *inputs
	decrypts             bool
	iv                   []byte
	encrypted, buffer    []byte
}

func newCBC(a algorithm, op string, in *inputs) (operation, error) {
	block, err := cbcBlock(a.name, in)
	if err != nil {
		return nil, failed("prepare", "%s: %v", a.name, err)
	}
	one := &cbc{in: in, decrypts: op == "decrypt", iv: bytes.Clone(in.iv[:block.BlockSize()])}
	var hasIV [2]bool
	one.encrypter, hasIV[0] = cipher.NewCBCEncrypter(block, one.iv).(cbcMode)
	one.decrypter, hasIV[1] = cipher.NewCBCDecrypter(block, one.iv).(cbcMode)
	if !hasIV[0] || !hasIV[1] {
		return nil, unsupported("the CBC mode of " + a.name + " takes no new initialisation vector")
	}
	switch {
	case strings.HasSuffix(a.name, "-sha1"):
		one.mac = hmac.New(sha1.New, in.macKey[:sha1.Size])
	case strings.HasSuffix(a.name, "-sha256"):
		one.mac = hmac.New(sha256.New, in.macKey[:sha256.Size])
	}
	// Room for the MAC and a block of padding.
	one.buffer = make([]byte, 0, len(in.message)+64)
	one.encrypt()
	one.encrypted = bytes.Clone(one.buffer)
	return one, nil
}

func cbcBlock(name string, in *inputs) (cipher.Block, error) {
	switch {
	case name == "3des-cbc":
		return des.NewTripleDESCipher(in.key[:24])
	case strings.HasPrefix(name, "aes-128"):
		return aes.NewCipher(in.key[:16])
	}
	return aes.NewCipher(in.key[:32])
}

func (c *cbc) once() error {
	if c.decrypts {
		return c.decrypt()
	}
	c.iv[len(c.iv)-1]++
	c.encrypt()
	return nil
}

func (c *cbc) encrypt() {
	c.encrypter.SetIV(c.iv)
	if c.mac == nil {
		c.buffer = c.buffer[:len(c.in.message)]
		c.encrypter.CryptBlocks(c.buffer, c.in.message)
		return
	}
	c.buffer = c.sum(append(c.buffer[:0], c.in.message...), c.in.message)
	padding := c.encrypter.BlockSize() - len(c.buffer)%c.encrypter.BlockSize()
	for range padding {
		c.buffer = append(c.buffer, byte(padding-1))
	}
	c.encrypter.CryptBlocks(c.buffer, c.buffer)
}

// sum appends the MAC of the header and a message.
func (c *cbc) sum(to, message []byte) []byte {
	c.mac.Reset()
	c.mac.Write(c.in.header)
	c.mac.Write(message)
	return c.mac.Sum(to)
}

func (c *cbc) decrypt() error {
	c.decrypter.SetIV(c.iv)
	c.buffer = c.buffer[:len(c.encrypted)]
	c.decrypter.CryptBlocks(c.buffer, c.encrypted)
	if c.mac == nil {
		return nil
	}
	// Every byte of the padding is compared before anything is told.
	padding := int(c.buffer[len(c.buffer)-1]) + 1
	length := len(c.buffer) - padding - c.mac.Size()
	if length < 0 {
		return errors.New("the padding is longer than the record")
	}
	good := 1
	for _, one := range c.buffer[len(c.buffer)-padding:] {
		good &= subtle.ConstantTimeByteEq(one, byte(padding-1))
	}
	var room [sha256.Size]byte
	mac := c.sum(room[:0], c.buffer[:length])
	good &= subtle.ConstantTimeCompare(mac, c.buffer[length:length+len(mac)])
	if good != 1 {
		return errors.New("MAC or padding is wrong")
	}
	c.buffer = c.buffer[:length]
	return nil
}

func (c *cbc) answer() ([]byte, error) {
	if c.decrypts {
		err := c.decrypt()
		return c.buffer, err
	}
	copy(c.iv, c.in.iv)
	c.encrypt()
	return c.buffer, nil
}

// stream is RC4: one stream goes through all messages.
type stream struct {
	cipher *rc4.Cipher
	in     *inputs
	input  []byte
	out    []byte
}

func newStream(_ algorithm, op string, in *inputs) (operation, error) {
	one := &stream{in: in, input: in.message, out: make([]byte, len(in.message))}
	if op == "decrypt" {
		encrypted, err := one.answer()
		if err != nil {
			return nil, err
		}
		one.input = bytes.Clone(encrypted)
	}
	var err error
	one.cipher, err = rc4.NewCipher(in.key[:16])
	return one, err
}

func (s *stream) once() error {
	s.cipher.XORKeyStream(s.out, s.input)
	return nil
}

func (s *stream) answer() ([]byte, error) {
	fresh, err := rc4.NewCipher(s.in.key[:16])
	if err != nil {
		return nil, err
	}
	fresh.XORKeyStream(s.out, s.input)
	return s.out, nil
}

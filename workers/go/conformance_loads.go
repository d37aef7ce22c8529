package main

import "fmt"

// windows are the batches of a load. Connections that are kept alive outlast the first, so that the others make no handshake.
const windows = 3

// loads makes both ends of a load in this process: every kind of resumption, with and without keep-alive, and no TLS.
func (c *checks) loads() {
	for _, version := range c.hello.Versions {
		usual, claimed := c.usual(version)
		if !claimed {
			continue
		}
		for _, resumption := range c.kinds(version) {
			for _, requests := range []uint64{0, 1, 3} {
				c.load(&workload{
					kind: "load", params: usual, resumption: resumption, requestsPerConn: requests, body: 20_000,
				})
			}
		}
	}
	c.load(&workload{kind: "load", plain: true, resumption: full, requestsPerConn: 1, body: 1, workUs: 100})
}

func (c *checks) load(w *workload) {
	w.threads, w.connections = 1, 8
	version := w.version
	if w.plain {
		version = "http"
	}
	name := fmt.Sprintf("load %s %s %d requests on a connection", version, w.resumption, w.requestsPerConn)
	c.check(name, func() error { return c.serves(w) })
}

func (c *checks) serves(w *workload) error {
	listening, err := prepareLoadServer(w, c.pki)
	if err != nil {
		return err
	}
	serving := listening.job.(*loadServer)
	defer serving.Close()
	asking, err := prepareLoadClient(w, *listening.port, c.pki)
	if err != nil {
		return err
	}
	defer asking.job.(*loadClient).Close()
	for range windows {
		if err := window(w, serving, asking.job); err != nil {
			return err
		}
	}
	return nil
}

// window makes a batch of requests, which must be proven by the client and counted alike by both ends.
func window(w *workload, serving *loadServer, asking job) error {
	const requests = 50
	before, err := serving.usage()
	if err != nil {
		return err
	}
	took, proven, err := asking.run(requests, 0)
	if err != nil {
		return err
	}
	after, err := serving.usage()
	if err != nil {
		return err
	}
	if answered := after.Requests - before.Requests; answered != requests || took.Iterations != requests {
		return fmt.Errorf("%d requests were answered of %d", answered, requests)
	}
	if sent := after.Bytes - before.Bytes; sent != requests*uint64(w.body) || took.Bytes != sent {
		return fmt.Errorf("%d bytes of bodies were sent, %d received", sent, took.Bytes)
	}
	resumed, made := after.Resumed-before.Resumed, after.Handshakes-before.Handshakes
	if w.resumption == full && resumed != 0 || w.resumption != full && resumed != made {
		return fmt.Errorf("%d of %d handshakes were resumed", resumed, made)
	}
	if w.requestsPerConn == 0 && made != 0 {
		return fmt.Errorf("%d handshakes were made on connections that are kept alive", made)
	}
	if w.plain {
		return nil
	}
	return proven.check(w.params, w.resumption)
}

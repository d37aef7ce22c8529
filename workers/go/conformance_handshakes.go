package main

import (
	"errors"
	"fmt"
	"slices"
)

// atOnce is how many connections are made at the same time: a client must keep as many sessions.
const atOnce = 32

func (c *checks) negotiations() {
	for _, one := range c.every() {
		for _, resumption := range c.kinds(one.version) {
			c.handshake(&workload{params: one, threads: 1, chain: 1, resumption: resumption, contexts: shared})
		}
	}
	for _, version := range c.hello.Versions {
		for _, key := range c.hello.Keys {
			of := func(one params) bool { return one.version == version && one.key == key }
			if at := slices.IndexFunc(c.every(), of); at >= 0 {
				c.certificates(c.every()[at])
			}
		}
		usual, claimed := c.usual(version)
		if !claimed {
			continue
		}
		for _, resumption := range c.kinds(version) {
			c.sharing(usual, resumption)
		}
		c.refusals(usual)
	}
}

// kinds are the claimed kinds of resumption that a version has.
func (c *checks) kinds(version string) []string {
	var fitting []string
	for _, one := range c.hello.Resumptions {
		if resumptionFits(one, version) {
			fitting = append(fitting, one)
		}
	}
	return fitting
}

func nameOf(w *workload) string {
	group, mutual := w.group, ""
	if group == "" {
		group = "no group"
	}
	if w.mutual {
		mutual = " mutual"
	}
	return fmt.Sprintf("handshake %s %s %s %s chain-%d %s%s",
		w.version, w.suite, group, w.key, w.chain, w.resumption, mutual)
}

func (c *checks) handshake(w *workload) {
	c.check(nameOf(w), func() error { return c.proves(w) })
}

func (c *checks) proves(w *workload) error {
	made, err := prepareHandshake(w, c.pki)
	if err != nil {
		return err
	}
	_, proven, err := made.job.run(2, 0)
	if err != nil {
		return err
	}
	return proven.check(w.params, w.resumption)
}

// certificates tries chains of every length, and a client with a certificate; each certificate must take bytes.
func (c *checks) certificates(p params) {
	alone := workload{params: p, threads: 1, chain: 1, resumption: full, contexts: shared}
	trial := func(w workload) (proof, error) {
		made, err := prepareHandshake(&w, c.pki)
		return made.proof, err
	}
	for chain := 2; chain <= 3; chain++ {
		longer, shorter := alone, alone
		longer.chain, shorter.chain = chain, chain-1
		c.check(nameOf(&longer), func() error {
			with, err := trial(longer)
			if err != nil {
				return err
			}
			without, err := trial(shorter)
			if err != nil {
				return err
			}
			if with.ServerBytes < without.ServerBytes+200 {
				return errors.New("one certificate more does not make the server's flight longer")
			}
			return c.proves(&longer)
		})
	}
	mutual := alone
	mutual.mutual = true
	c.check(nameOf(&mutual), func() error {
		both, err := trial(mutual)
		if err != nil {
			return err
		}
		one, err := trial(alone)
		if err != nil {
			return err
		}
		if both.ClientBytes < one.ClientBytes+200 {
			return errors.New("a certificate of the client does not make its flight longer")
		}
		return c.proves(&mutual)
	})
}

// sharing tries what is shared: configurations by threads, by connections at the same time, and by none.
func (c *checks) sharing(p params, resumption string) {
	for _, contexts := range []string{shared, perThread, perConnection} {
		w := &workload{params: p, threads: 2, chain: 1, resumption: resumption, contexts: contexts}
		c.check(fmt.Sprintf("%s 2 threads, contexts %s", nameOf(w), contexts), func() error { return c.proves(w) })
	}
	w := &workload{params: p, chain: 1, resumption: resumption}
	c.check(fmt.Sprintf("%s %d at once", nameOf(w), atOnce), func() error {
		e := usualEndpoint(p, c.pki)
		e.resumption = resumption
		both, err := newEnds(e, startLaps(1))
		if err != nil {
			return err
		}
		if err := both.prime(atOnce); err != nil {
			return err
		}
		resumed, err := both.connectAtOnce(atOnce)
		wanted := atOnce
		if resumption == full {
			wanted = 0
		}
		if err == nil && resumed != wanted {
			err = fmt.Errorf("%d of %d connections that began together were resumed, not %d", resumed, atOnce, wanted)
		}
		return err
	})
}

// refusals is what must not come to a connection.
func (c *checks) refusals(p params) {
	find := func(differs func(other params) bool) *params {
		all := c.every()
		at := slices.IndexFunc(all, func(other params) bool { return other != p && differs(other) })
		if at < 0 {
			return nil
		}
		return &all[at]
	}
	suite := find(func(other params) bool { other.suite = p.suite; return other == p })
	group := find(func(other params) bool { other.group = p.group; return other == p })
	key := find(func(other params) bool {
		isOther := isRSA(other.key)
		other.key = p.key
		return isOther && other == p
	})
	for _, one := range []struct {
		what   string
		theirs *params
		mutual bool
	}{{"other suite", suite, false}, {"other group", group, false}, {"other root", key, false},
		{"client without certificate", &p, true}} {
		c.check(fmt.Sprintf("refused %s %s", p.version, one.what), func() error {
			return c.isRefused(p, one.theirs, one.mutual)
		})
	}
}

// isRefused tells whether a client of ours comes to no connection with a server of theirs.
func (c *checks) isRefused(ours params, theirs *params, mutual bool) error {
	if theirs == nil {
		return skip("the library claims no other")
	}
	both, err := newEnds(usualEndpoint(ours, c.pki), startLaps(1))
	if err != nil {
		return err
	}
	e := usualEndpoint(*theirs, c.pki)
	e.mutual = mutual
	if both.server, err = newConfig(server, e); err != nil {
		return err
	}
	p, err := both.connect(newWire(), startLaps(1))
	if err != nil {
		return nil
	}
	proven, err := p.proof()
	return fmt.Errorf("it was accepted: %+v, %v", proven, err)
}

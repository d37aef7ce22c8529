#!/usr/bin/env python3
"""False Start by a library that does it: GnuTLS as the client of OpenSSL, and how often it waits before its request.

What a report says of False Start (RFC 7918) is computed from handshakes without it. Here the system's GnuTLS is told to do it,
over a pair of sockets, against the OpenSSL that Python has as the server. Both take turns. Between the client's Finished and its
request the server has none: a client that sends both has not waited for the server's Finished.
"""

import argparse
import ctypes
import ctypes.util
import socket
import ssl

import program
import show

CLIENT, NONBLOCK, ENABLE_FALSE_START = 1 << 1, 1 << 3, 1 << 8
CREDENTIALS_CERTIFICATE = 1
AGAIN = -28
FLAG_FALSE_START = 1 << 5
REQUEST = b"GET / HTTP/1.1\r\nHost: server.test\r\n\r\n"
# Suites of TLS 1.2 for an ECDSA certificate, as GnuTLS and OpenSSL write them, and whether a report has a figure: RFC 7918, 5.1,
# recommends none with CBC.
SUITES = [
    ("+AES-128-GCM:+AEAD", "ECDHE-ECDSA-AES128-GCM-SHA256", True),
    ("+CHACHA20-POLY1305:+AEAD", "ECDHE-ECDSA-CHACHA20-POLY1305", True),
    ("+AES-128-CBC:+SHA1", "ECDHE-ECDSA-AES128-SHA", False),
]
TURNS = 8


def bench():
    argparse.ArgumentParser(description=__doc__.splitlines()[0]).parse_args()
    name = ctypes.util.find_library("gnutls")
    if name is None:
        raise program.Cannot("the system has no GnuTLS: apt-get install libgnutls30")
    gnutls = ctypes.CDLL(name)
    gnutls.gnutls_check_version.restype = ctypes.c_char_p
    rows, met = [], True
    for priority, suite, allowed in SUITES:
        without, with_it = (trips(gnutls, priority, suite, flag) for flag in (0, ENABLE_FALSE_START))
        computed = str(without - 1) if allowed else "-"
        met = met and (not allowed or str(with_it) == computed)
        rows.append([suite, *(show.Right(count) for count in (str(without), str(with_it), computed))])
    version = gnutls.gnutls_check_version(None).decode()
    print(f"GnuTLS {version}, {ssl.OPENSSL_VERSION}: round trips before the request\n")
    show.table(["TLS 1.2, in full", "without", "with False Start", "computed"], rows)
    print(f"\nas computed: {show.verdict(met)}")


def trips(gnutls, priority, suite, flag):
    """How often the client waits for the server before its request is with the server."""
    here, there = socket.socketpair()
    with here, there:
        here.setblocking(False)
        there.setblocking(False)
        session, credentials = client(gnutls, priority, flag, here)
        server = Server(suite, there)
        waited = 0
        try:
            while (status := gnutls.gnutls_handshake(session)) != 0:
                if status != AGAIN or waited == TURNS:
                    raise program.Cannot(f"{suite}: GnuTLS fails with {status}")
                server.turn()
                waited += 1
            if gnutls.gnutls_record_send(session, REQUEST, ctypes.c_size_t(len(REQUEST))) != len(REQUEST):
                raise program.Cannot(f"{suite}: GnuTLS does not send its request")
            did = bool(gnutls.gnutls_session_get_flags(session) & FLAG_FALSE_START)
            server.turn()
            if server.request() != REQUEST or did != (waited == 1):
                raise program.Cannot(f"{suite}: the request has not come as it was sent")
            return waited
        finally:
            gnutls.gnutls_deinit(session)
            gnutls.gnutls_certificate_free_credentials(credentials)


def client(gnutls, priority, flag, transport):
    """A session of GnuTLS that trusts everybody: only when it sends is of interest."""
    session, credentials = ctypes.c_void_p(), ctypes.c_void_p()
    words = f"NONE:+VERS-TLS1.2:+ECDHE-ECDSA:{priority}:+COMP-NULL:+SIGN-ALL:+GROUP-ALL"
    for status in (
        gnutls.gnutls_init(ctypes.byref(session), CLIENT | NONBLOCK | flag),
        gnutls.gnutls_certificate_allocate_credentials(ctypes.byref(credentials)),
        gnutls.gnutls_credentials_set(session, CREDENTIALS_CERTIFICATE, credentials),
        gnutls.gnutls_priority_set_direct(session, words.encode(), None),
    ):
        if status < 0:
            raise program.Cannot(f"GnuTLS cannot be set up for '{words}': {status}")
    gnutls.gnutls_transport_set_int2(session, transport.fileno(), transport.fileno())
    return session, credentials


class Server:
    """OpenSSL, which reads and sends in its turn only."""

    def __init__(self, suite, transport):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.maximum_version = ssl.TLSVersion.TLSv1_2
        context.options |= ssl.OP_NO_TICKET
        context.set_ciphers(suite + ":@SECLEVEL=0")
        pki = program.ROOT / "pki"
        context.load_cert_chain(pki / "ecdsa-p256/server-2.pem", pki / "ecdsa-p256/server.key")
        self.transport, self.incoming, self.outgoing = transport, ssl.MemoryBIO(), ssl.MemoryBIO()
        self.tls = context.wrap_bio(self.incoming, self.outgoing, server_side=True)

    def turn(self):
        try:
            self.incoming.write(self.transport.recv(1 << 16))
        except BlockingIOError:
            pass
        try:
            self.tls.do_handshake()
        except ssl.SSLWantReadError:
            pass
        self.transport.send(self.outgoing.read())

    def request(self):
        return self.tls.read(1 << 16)


if __name__ == "__main__":
    program.main(bench)

"""A capture of TLS bulk for bench/traffic.py: real TLS of Python's OpenSSL, in packets that are written here.

What belongs here: connections as packets, and the file. What does not: programs that read it. Handshakes and records are made once for
each kind, between two ends in memory; a connection is a copy with ports, times and addresses of its own, so that a gigabyte takes
seconds, needs no rights and no network, and one knows what is in it.
"""

import random
import ssl
import struct
from collections import Counter

import traffic_inputs
from program import ROOT

# What fits into Ethernet beside IPv4 and TCP with timestamps.
SEGMENT = 1448
BODY = 1 << 20
# Connections that go on at the same time.
TOGETHER = 32
STEP_US = 3

KEY = ROOT / "pki/ecdsa-p256"
TLS12_SUITE = "ECDHE-ECDSA-AES256-GCM-SHA384"

MAGIC, LINK_ETHERNET, SNAPLEN = 0xA1B2C3D4, 1, 262144
SYN, FIN, PUSH, ACK = 2, 1, 8, 16
APPLICATION_DATA = 23

# In a packet behind the 16 bytes of its record: Ethernet, then IPv4.
IP, TCP = 16 + 14, 16 + 14 + 20


def made(size, seed):
    path = traffic_inputs.folder() / f"tls-{size // 10**6}mb-{seed}.pcap"
    return traffic_inputs.made(path, lambda new: write(new, size, seed))


def write(path, size, seed):
    kinds = [kind for version in (ssl.TLSVersion.TLSv1_3, ssl.TLSVersion.TLSv1_2) for kind in both(version)]
    draw, counts, at, port, written = random.Random(seed), Counter(), traffic_inputs.BEGIN * 10**6, 1024, 24
    with path.open("wb") as file:
        file.write(struct.pack("<IHHiIII", MAGIC, 2, 4, 0, 0, SNAPLEN, LINK_ETHERNET))
        while written < size:
            group = []
            for kind in draw.choices(kinds, [4, 40, 2, 6], k=TOGETHER):
                group.append(kind.connection(port))
                counts[kind] += 1
                port = 1024 + (port - 1023) % 60_000
            mixed, at = interleaved(group, at)
            written += file.write(mixed)
    return {kind.key: (number, number * kind.sent) for kind, number in counts.items()}


def interleaved(group, at):
    """The packets of some connections in turn, each with its time."""
    out, waiting = bytearray(), [iter(packets) for packets in group]
    while waiting:
        for packets in list(waiting):
            packet = next(packets, None)
            if packet is None:
                waiting.remove(packets)
                continue
            struct.pack_into("<II", packet, 0, *divmod(at, 10**6))
            out += packet
            at += STEP_US
    return out, at


class Kind:
    """A connection with its packets, but for ports and times."""

    def __init__(self, key, flights):
        self.key = key
        self.sent = application_data(flights)
        self.packets = packets(flights)

    def connection(self, port):
        """The same from another port of the client."""
        found = []
        for is_out, packet in self.packets:
            packet = bytearray(packet)
            struct.pack_into(">H", packet, TCP + (2 if is_out else 0), port)
            found.append(packet)
        return found


def application_data(flights):
    """Bytes of the server's records of application data behind its first flight: in TLS 1.3 some of that looks alike."""
    stream, sent = b"".join([data for is_out, data in flights if is_out][1:]), 0
    while stream:
        length = 5 + int.from_bytes(stream[3:5], "big")
        sent += length * (stream[0] == APPLICATION_DATA)
        stream = stream[length:]
    return sent


def both(version):
    """A full connection and one that resumes its session."""
    client, server = contexts(version)
    protocol = "TLSv1.3" if version == ssl.TLSVersion.TLSv1_3 else "TLSv1.2"
    session, kinds = None, []
    for resumed in (".", "r"):
        flights, end = talk(client, server, session)
        suite = end.cipher()[0]
        if end.session_reused != (resumed == "r"):
            raise AssertionError(f"{protocol}: the session was {'not ' * (resumed == 'r')}resumed")
        session = end.session
        kinds.append(Kind((protocol, suite, resumed), flights))
    return kinds


def contexts(version):
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(KEY / "server-2.pem", KEY / "server.key")
    client = ssl.create_default_context(cafile=KEY / "root.pem")
    for one in (client, server):
        one.minimum_version = one.maximum_version = version
        one.set_ciphers(TLS12_SUITE)
    return client, server


def talk(client_context, server_context, session):
    """What both ends send, in order, as (is it the server's, bytes), and the client's end afterwards."""
    to_client, to_server = ssl.MemoryBIO(), ssl.MemoryBIO()
    client = client_context.wrap_bio(to_client, to_server, server_hostname="server.test", session=session)
    server = server_context.wrap_bio(to_server, to_client, server_side=True)
    flights = []

    def carry(step, end, bio):
        """One step of an end; what it sends stays in the other's buffer and is noted."""
        before = Tap(bio)
        try:
            return step()
        except ssl.SSLWantReadError:
            return None
        finally:
            sent = before.taken()
            if sent:
                flights.append((end is server, sent))

    for _ in range(4):
        carry(client.do_handshake, client, to_server)
        carry(server.do_handshake, server, to_client)
    carry(lambda: client.write(b"GET / HTTP/1.1\r\nHost: server.test\r\n\r\n"), client, to_server)
    carry(lambda: server.read(1 << 16), server, to_client)
    for _ in range(BODY // 16384):
        carry(lambda: server.write(bytes(16384)), server, to_client)
    while carry(lambda: client.read(1 << 16), client, to_server):
        pass
    return flights, client


class Tap:
    """What is added to a buffer of one end until it is asked for; it stays there."""

    def __init__(self, bio):
        self.bio, self.pending = bio, bio.pending

    def taken(self):
        whole = self.bio.read()
        self.bio.write(whole)
        return whole[self.pending :]


def packets(flights):
    """A connection as (is it the server's, record with packet): three for its beginning, segments with an ACK for every two of them,
    and its end."""
    found, sequence = [], {False: 1_000_000, True: 9_000_000}

    def add(is_out, flags, data=b""):
        number = sequence[is_out]
        found.append((is_out, packet(is_out, flags, number, 0 if flags == SYN else sequence[not is_out], data)))
        sequence[is_out] = number + len(data) + (1 if flags & (SYN | FIN) else 0)

    add(False, SYN)
    add(True, SYN | ACK)
    add(False, ACK)
    unconfirmed = 0
    for is_out, data in flights:
        for begin in range(0, len(data), SEGMENT):
            add(is_out, ACK | PUSH, data[begin : begin + SEGMENT])
            unconfirmed += is_out
            if unconfirmed == 2:
                add(False, ACK)
                unconfirmed = 0
    add(False, FIN | ACK)
    add(True, FIN | ACK)
    add(False, ACK)
    return found


CLIENT, SERVER = bytes([192, 0, 2, 1]), bytes([192, 0, 2, 2])
# No operation twice, timestamps.
OPTIONS = bytes([1, 1, 8, 10]) + bytes(8)


def packet(is_out, flags, number, confirmed, data):
    ports = (443, 0) if is_out else (0, 443)
    tcp = struct.pack(">HHIIBBHHH", *ports, number, confirmed, 8 << 4, flags, 512, 0, 0) + OPTIONS
    addresses = SERVER + CLIENT if is_out else CLIENT + SERVER
    length = 20 + len(tcp) + len(data)
    ip = struct.pack(">BBHHHBBH", 0x45, 0, length, 0, 0x4000, 64, 6, 0) + addresses
    ip = ip[:10] + struct.pack(">H", checksum(ip)) + ip[12:]
    frame = bytes(12) + b"\x08\x00" + ip + tcp + data
    return struct.pack("<IIII", 0, 0, len(frame), len(frame)) + frame


def checksum(header):
    total = sum(struct.unpack(f">{len(header) // 2}H", header))
    total = (total & 0xFFFF) + (total >> 16)
    return ~(total + (total >> 16)) & 0xFFFF

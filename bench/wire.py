#!/usr/bin/env python3
"""Handshakes on a real network, packet by packet, against what `tlstax report` computes of them.

tlstax counts the flights of a handshake in memory and computes packets and bytes with the headers of TCP and IP. Here as many
bytes go in as many flights through the kernel's TCP, between two network namespaces that a pair of virtual interfaces
connects, without segmentation offload, so that every packet is one of the network's. All of them are captured, from the first
SYN to the last ACK. The pair has no delay, and both ends answer at once. Nothing leaves the machine; it takes root.
"""

import argparse
import ctypes
import fcntl
import json
import multiprocessing
import os
import socket
import struct
import subprocess

import program
import show

# The promise: so many packets of each side more or fewer than were captured, of every handshake.
LIMIT = 1

CLONE_NEWNET = 0x40000000
ETH_P_ALL, ETH_P_IP, ETH_P_IPV6 = 3, 0x0800, 0x86DD
PACKET_OUTGOING = 4
SIOCETHTOOL = 0x8946
# ETHTOOL_STSO, ETHTOOL_SGSO, ETHTOOL_SGRO.
OFFLOADS = (0x1F, 0x24, 0x2C)
ADDRESSES = {4: ("10.9.0.1", "10.9.0.2", 24), 6: ("fd09::1", "fd09::2", 64)}
PORT = 4433
SECONDS = 5

fork = multiprocessing.get_context("fork")


def bench():
    arguments = parse()
    if os.geteuid() != 0:
        raise program.Cannot("network namespaces need root")
    rows, off = [], []
    with program.scratch() as folder:
        path, results = measured(folder, arguments)
        for measurement in results["measurements"]:
            flights = measurement["outcome"].get("proof", {}).get("flights", [])
            if not flights or measurement["case"]["library"] == "control":
                continue
            for mtu, version in networks(arguments):
                computed = report(folder, results, measurement, mtu, version)
                captured = replay(flights, mtu, version)
                rows += lines(measurement["id"], mtu, version, captured, computed)
                off += [abs(ours[0] - theirs[0]) for ours, theirs in zip(computed, captured)]
    if not rows:
        raise program.Cannot("no handshake has flights: build the workers anew")
    show.table(["handshake", "MTU", "IP", "side", "packets", "computed", "bytes", "computed", "off"], rows)
    print(f"\nas captured: {off.count(0)} of {len(off)} sides; furthest: {max(off)} packet(s), promised {LIMIT}: ", end="")
    print(show.verdict(max(off) <= LIMIT))


def networks(arguments):
    return [(mtu, version) for version in (4, 6) for mtu in arguments.mtu if version == 4 or mtu >= 1280]


def measured(folder, arguments):
    """Results with flights: those that were named, or of a few handshakes now."""
    if arguments.results:
        with open(arguments.results, encoding="utf-8") as file:
            return arguments.results, json.load(file)
    words = "--tls TLSv1.2,TLSv1.3 --key ecdsa-p256,rsa-2048 --resumption full,psk,ticket --mutual false,true --budget 15s"
    run = program.measure(folder, "wire", "handshake", "-l", arguments.library, *words.split())
    return folder / "wire.json", run.results


def report(folder, results, measurement, mtu, version):
    """Packets and bytes of the client and of the server, as the report on this handshake alone says."""
    path = folder / "one.json"
    path.write_text(json.dumps({**results, "measurements": [measurement]}))
    view = json.loads(program.tlstax("report", path, "--format", "json", "--mtu", mtu, "--ip", version))
    [section] = [section for section in view["sections"] if section["id"] == "wire"]
    tables = [block for block in section["blocks"] if block.get("is") == "table"]
    cells = [cell for cell in tables[-1]["rows"][0]["cells"] if cell["is"] == "quantity"]
    return [(int(cell["aside"].split()[0]), cell["value"]) for cell in cells]


def lines(name, mtu, version, captured, computed):
    for side, (packets, size), (packets_too, size_too) in zip(("client", "server"), captured, computed):
        counts = [show.Right(str(int(count))) for count in (packets, packets_too, size, size_too)]
        yield [name, show.Right(str(mtu)), str(version), side, *counts, show.deviation(size_too / size)]


# ---- two namespaces and a connection between them -----------------------------------------------------------------------


def replay(flights, mtu, version):
    """Packets and bytes of the client and of the server when a connection carries these flights."""
    here, there = fork.Pipe()
    client = fork.Process(target=run_client, args=(there, flights, mtu, version))
    client.start()
    there.close()
    try:
        return here.recv()
    except EOFError:
        raise program.Cannot("the connection between two network namespaces failed") from None
    finally:
        client.join(SECONDS)


def run_client(answer, flights, mtu, version):
    unshare()
    here, there = fork.Pipe()
    server = fork.Process(target=run_server, args=(there, flights, mtu, version))
    server.start()
    here.recv()
    ip("link", "add", "v0", "type", "veth", "peer", "name", "v1", "netns", str(server.pid))
    interface("v0", version, ADDRESSES[version][0], mtu)
    here.send("there is a link")
    here.recv()
    with socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ETH_P_ALL)) as packets:
        packets.bind(("v0", ETH_P_ALL))
        with socket.create_connection((ADDRESSES[version][1], PORT), SECONDS) as connection:
            talk(connection, flights, 0)
        server.join(SECONDS)
        answer.send(counted(packets))


def run_server(client, flights, mtu, version):
    unshare()
    client.send("the namespace is there")
    client.recv()
    interface("v1", version, ADDRESSES[version][1], mtu)
    family = socket.AF_INET6 if version == 6 else socket.AF_INET
    with socket.create_server((ADDRESSES[version][1], PORT), family=family) as listening:
        client.send("listening")
        connection, _ = listening.accept()
        with connection:
            connection.settimeout(SECONDS)
            talk(connection, flights, 1)
            connection.recv(1)
    # The last ACK of the client finds its way while this interface is there.
    client.poll(0.1)


def talk(connection, flights, own):
    """Sends every second flight and reads the others."""
    for place, size in enumerate(flights):
        if place % 2 == own:
            connection.sendall(bytes(size))
        else:
            while size:
                size -= len(connection.recv(size)) or fail("the other end is gone")


def fail(why):
    raise OSError(why)


def counted(packets):
    """What was captured of TCP, by side."""
    sides = [[0, 0], [0, 0]]
    packets.setblocking(False)
    while True:
        try:
            frame, address = packets.recvfrom(1 << 17)
        except BlockingIOError:
            return sides
        except OSError:
            # The other interface is gone; what was captured is still there.
            continue
        size = tcp_size(frame)
        side = sides[0 if address[2] == PACKET_OUTGOING else 1]
        side[0] += size > 0
        side[1] += size


def tcp_size(frame):
    """The length of the IP packet in a frame; 0 where it is not of TCP."""
    [kind] = struct.unpack("!H", frame[12:14])
    if kind == ETH_P_IP and frame[23] == socket.IPPROTO_TCP:
        return struct.unpack("!H", frame[16:18])[0]
    if kind == ETH_P_IPV6 and frame[20] == socket.IPPROTO_TCP:
        return struct.unpack("!H", frame[18:20])[0] + 40
    return 0


def unshare():
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.unshare(CLONE_NEWNET) != 0:
        raise OSError(ctypes.get_errno(), "unshare")


def interface(name, version, address, mtu):
    family, length = f"-{version}", ADDRESSES[version][2]
    ip(family, "address", "add", f"{address}/{length}", "dev", name, *(["nodad"] if version == 6 else []))
    ip("link", "set", name, "mtu", str(mtu), "up")
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
        for offload in OFFLOADS:
            value = ctypes.create_string_buffer(struct.pack("II", offload, 0))
            fcntl.ioctl(control, SIOCETHTOOL, struct.pack("16sP", name.encode(), ctypes.addressof(value)))


def ip(*words):
    subprocess.run(["ip", *words], check=True)


def parse():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("results", nargs="?", help="results with handshakes; measured now if absent")
    parser.add_argument("--library", "-l", default="openssl", help="what is measured now (openssl)")
    sizes = lambda text: [int(size) for size in text.split(",")]
    parser.add_argument("--mtu", type=sizes, default=[576, 1500, 9000], metavar="BYTES,...", help="(576,1500,9000)")
    parser.add_argument("--quick", action="store_true", help="only 1500")
    arguments = parser.parse_args()
    return argparse.Namespace(**{**vars(arguments), "mtu": [1500]} if arguments.quick else vars(arguments))


if __name__ == "__main__":
    program.main(bench)

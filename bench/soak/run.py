#!/usr/bin/python3
"""A server under load for a while: is it still well, and does anybody wait too long?

    bench/soak/run.py [--seconds 600] [--connections 256] [--idle 1000] [--slow 50] [--no-limits] [--no-attacks]

Many connections read and write without pause, beside connections that do nothing, clients that send a byte now and then, and clients
that do not take their answers. Prints the rate, p50 and p99, errors, and the memory of the server over time; it has grown if the
last quarter of the time needed more than the second. Then every limit is reached on purpose, and the attacks of bench/attacks are
repeated, each while another client measures how long it waits. Stops by itself; loopback only. Exit status 1 after an error.
"""

import argparse
import contextlib
import gzip
import os
import pathlib
import resource
import selectors
import socket
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/system"))
sys.path.insert(0, str(ROOT / "bench/attacks"))

import run as attacks  # noqa: E402
from dolmen_server import AnswerReader, Server, create_table, head_bytes, headers_for, request_bytes  # noqa: E402
from limits_test import answers_at_once, open_files  # noqa: E402

KEYS = 2_000
MIB = 1 << 20
# Clients of different addresses, so that no address has too many connections.
ADDRESSES = [f"127.0.0.{number}" for number in range(2, 18)]


def connect(server, number, receive_buffer_bytes=0):
    sock = socket.socket()
    if receive_buffer_bytes:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer_bytes)
    sock.bind((ADDRESSES[number % len(ADDRESSES)], 0))
    sock.settimeout(60)
    sock.connect(("127.0.0.1", server.port))
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return sock


def request(turn):
    """The next request of a mixed load: mostly reads and writes of single items, a few queries, batches and transactions."""
    key = {"pk": {"S": f"k{turn * 7919 % KEYS}"}}
    item = key | {"v": {"S": "x" * (100 + turn % 900)}, "n": {"N": str(turn)}}
    kind = turn % 20
    if kind < 8:
        return request_bytes("GetItem", {"TableName": "load", "Key": key})
    if kind < 13:
        return request_bytes("PutItem", {"TableName": "load", "Item": item})
    if kind < 16:
        return request_bytes("UpdateItem", {"TableName": "load", "Key": key, "UpdateExpression": "ADD n :one",
                                            "ExpressionAttributeValues": {":one": {"N": "1"}}})
    if kind < 18:
        return request_bytes("Query", {"TableName": "load", "KeyConditionExpression": "pk = :k",
                                       "ExpressionAttributeValues": {":k": key["pk"]}})
    if kind == 18:
        return request_bytes("Scan", {"TableName": "load", "Limit": 20})
    return request_bytes("TransactWriteItems", {"TransactItems": [{"Put": {"TableName": "load", "Item": item}},
                                                                  {"Put": {"TableName": "load", "Item": item | {
                                                                      "pk": {"S": f"t{turn % KEYS}"}}}}]})


class Load:
    """All busy connections, on one thread: each sends a request, waits for its answer, and goes on."""

    def __init__(self, server, connections):
        self.server, self.connections = server, connections
        self.errors, self.delays_ms = [], []

    def run_until(self, deadline):
        selector = selectors.DefaultSelector()
        turn = 0
        states = {}

        def send(sock):
            nonlocal turn
            turn += 1
            states[sock] = [time.monotonic(), b""]
            sock.sendall(request(turn))

        for number in range(self.connections):
            sock = connect(self.server, number)
            selector.register(sock, selectors.EVENT_READ)
            send(sock)
        while time.monotonic() < deadline:
            for key, _ in selector.select(1):
                sock = key.fileobj
                self._receive(sock, states[sock]) and send(sock)
        for sock in states:
            sock.close()

    def _receive(self, sock, state):
        """True when the whole answer has come."""
        state[1] += sock.recv(1 << 18)
        head, separator, body = state[1].partition(b"\r\n\r\n")
        if not separator:
            return False
        length = int(head.lower().partition(b"content-length: ")[2].split(b"\r\n")[0])
        if len(body) < length:
            return False
        self.delays_ms.append((time.monotonic() - state[0]) * 1000)
        if not head.startswith(b"HTTP/1.1 200"):
            self.errors.append(state[1][:500])
        return True


@contextlib.contextmanager
def bystanders(server, idle, slow):
    """Connections that do nothing, and clients that send or receive very slowly."""
    with contextlib.ExitStack() as stack:
        for number in range(idle):
            stack.enter_context(connect(server, number))
        senders = [stack.enter_context(connect(server, number)) for number in range(slow // 2)]
        for number in range(slow - slow // 2):
            sock = stack.enter_context(connect(server, number, 2048))
            sock.sendall(request_bytes("GetItem", {"TableName": "load", "Key": {"pk": {"S": "big"}}}) * 20)
        stop = threading.Event()

        def trickle():
            text = request_bytes("ListTables", {})
            turn = 0
            while not stop.wait(0.5):
                for number, sock in enumerate(senders):
                    try:
                        sock.sendall(text[turn % len(text):turn % len(text) + 1])
                    except OSError:  # The server has had enough of it.
                        senders[number] = stack.enter_context(connect(server, number))
                        senders[number].sendall(text[:1])
                turn += 1

        thread = threading.Thread(target=trickle)
        thread.start()
        try:
            yield
        finally:
            stop.set()
            thread.join()


def percentile(values, share):
    values = sorted(values)
    return values[min(int(len(values) * share), len(values) - 1)] if values else float("nan")


def soak(server, options):
    load = Load(server, options.connections)
    memory = []
    stop = threading.Event()

    def watch():
        while not stop.wait(options.seconds / 40):
            memory.append(server.memory_bytes())

    with bystanders(server, options.idle, options.slow):
        watcher = threading.Thread(target=watch)
        watcher.start()
        try:
            load.run_until(time.monotonic() + options.seconds)
        finally:
            stop.set()
            watcher.join()
    print(f"load average {os.getloadavg()[0]:.1f}, {options.seconds} s, {options.connections} busy, {options.idle} idle and {options.slow} slow connections")
    print(f"requests  {len(load.delays_ms)} ({len(load.delays_ms) / options.seconds:.0f} a second), errors {len(load.errors)}")
    print(f"delay     p50 {percentile(load.delays_ms, 0.5):.1f} ms, p99 {percentile(load.delays_ms, 0.99):.1f} ms, "
          f"longest {max(load.delays_ms, default=0):.1f} ms")
    print("memory    " + " ".join(str(bytes_now >> 20) for bytes_now in memory) + " MB")
    quarter = max(len(memory) // 4, 1)
    if len(memory) > 4:
        print(f"growth    {(max(memory[-quarter:]) - max(memory[quarter:2 * quarter])) / MIB:+.1f} MB from the second quarter "
              "of the time to the last")
    for error in load.errors[:3]:
        print(f"error     {error}")
    return not load.errors


# ---- Limits ----

def answer_to(sock, *pieces):
    """The status of the first answer, or what became of the connection."""
    try:
        for piece in pieces:
            sock.sendall(piece)
        reader = AnswerReader(sock)
        answer = reader.next()
        reader.close()
        return "closed" if answer is None else str(answer.status)
    except (ConnectionError, BrokenPipeError):
        return "closed"
    except TimeoutError:
        return "nothing"


def trickle(sock, first, pause_s=0.3):
    sock.sendall(first)
    sock.settimeout(pause_s)
    for _ in range(200):
        try:
            sock.sendall(b"a")
            return str(sock.recv(100).split()[1].decode())
        except (TimeoutError, BlockingIOError):
            continue
        except (ConnectionError, BrokenPipeError, IndexError):
            return "closed"
    return "nothing"


def hold_bodies(server, stack):
    """Unfinished bodies of 8 MiB, until one is refused."""
    head = head_bytes(["POST / HTTP/1.1", "Host: localhost", f"Content-Length: {9 * MIB}"])
    for number in range(100):
        sock = stack.enter_context(connect(server, number))
        sock.settimeout(0.3)
        with contextlib.suppress(TimeoutError):
            answer = answer_to(sock, head + b" " * (8 * MIB))
            if answer != "nothing":
                return answer
    return "nothing"


def crowd(server, stack, count):
    """The answers to so many connections from one address."""
    socks = []
    for _ in range(count):
        sock = stack.enter_context(socket.create_connection(("127.0.0.1", server.port), 10, ("127.0.0.40", 0)))
        sock.sendall(request_bytes("ListTables", {}))
        socks.append(sock)
    return sorted({answer_to(sock) for sock in socks})


def greedy(server, stack):
    """Clients that ask for much and take nothing, until another is refused."""
    for number in range(64):
        sock = stack.enter_context(connect(server, number, 2048))
        sock.sendall(request_bytes("GetItem", {"TableName": "load", "Key": {"pk": {"S": "big"}}}) * 20)
    other = stack.enter_context(connect(server, 1))
    return {answer_to(other, request_bytes("ListTables", {})) for _ in range(50)}


def at_once(server, requests):
    """The answers to requests on as many connections at the same time, again until there are different ones."""
    found = set()
    for _ in range(50):
        found |= {str(answer.status) for answer in answers_at_once(server, requests)}
        if len(found) > 1:
            break
    return found


def large_request():
    body = gzip.compress(b'{"Unknown": "' + b"x" * 4_000_000 + b'"}', 1)
    return head_bytes(["POST / HTTP/1.1", "Host: localhost", f"Content-Length: {len(body)}", "Content-Encoding: gzip",
                       *(f"{name}: {value}" for name, value in headers_for("ListTables").items())]) + body


def put_requests():
    return [request_bytes("PutItem", {"TableName": "load", "Item": {"pk": {"S": f"k{number}"}, "v": {"S": "x" * 2000}}})
            for number in range(64)]


def without_files(server, stack):
    """Connections when the process may open no more files, and after that."""
    pid = server.process.pid
    soft, hard = resource.prlimit(pid, resource.RLIMIT_NOFILE)
    resource.prlimit(pid, resource.RLIMIT_NOFILE, (open_files(server) + 1, hard))
    late = [stack.enter_context(connect(server, number)) for number in range(4)]
    late[-1].settimeout(1)
    before = answer_to(late[-1], request_bytes("ListTables", {}))
    resource.prlimit(pid, resource.RLIMIT_NOFILE, (soft, hard))
    late[-1].settimeout(60)
    return f"{before},{answer_to(late[-1])}"


LIMITS = [
    ("connections_max", ["--connections-max", "8", "--connections-per-address-max", "8"], lambda s, x: crowd(s, x, 12)),
    ("connections_per_address_max", ["--connections-per-address-max", "8"], lambda s, x: crowd(s, x, 12)),
    ("idle_seconds_max", ["--idle-seconds-max", "1"], lambda s, x: answer_to(x.enter_context(connect(s, 0)))),
    ("head_seconds_max", ["--head-seconds-max", "1"],
     lambda s, x: trickle(x.enter_context(connect(s, 0)), b"POST / HTTP/1.1\r\nHost: ")),
    ("request_seconds_max", ["--request-seconds-max", "1"],
     lambda s, x: trickle(x.enter_context(connect(s, 0)), b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 999\r\n\r\n")),
    ("answer_seconds_max and request_memory_bytes_max",
     ["--answer-seconds-max", "1", "--request-memory-bytes-max", "4000000"], greedy),
    ("header_bytes_max", [], lambda s, x: answer_to(x.enter_context(connect(s, 0)), head_bytes(
        ["GET / HTTP/1.1", "Host: a", "X: " + "x" * 20_000]))),
    ("body_bytes_max", [], lambda s, x: answer_to(x.enter_context(connect(s, 0)), head_bytes(
        ["POST / HTTP/1.1", "Host: a", f"Content-Length: {17 * MIB}"]))),
    ("request_memory_bytes_max", [], hold_bodies),
    ("requests_in_flight_max", ["--requests-in-flight-max", "2"], lambda s, x: at_once(s, [large_request()] * 64)),
    ("large_requests_waiting_max", ["--large-requests-waiting-max", "1"],
     lambda s, x: at_once(s, [large_request()] * 64)),
    ("commit_queue_bytes_max", ["--commit-queue-bytes-max", "1024"], lambda s, x: at_once(s, put_requests())),
    ("descriptors_kept", [], without_files),
]


def limits():
    print(f"\n{'limit':<50}{'answer':>16}{'memory':>9}{'wait ms':>9}")
    for name, flags, reach in LIMITS:
        with contextlib.ExitStack() as stack:
            folder = stack.enter_context(tempfile.TemporaryDirectory())
            server = stack.enter_context(Server(pathlib.Path(folder) / "data", flags=flags))
            fill(server)
            with attacks.Other(server, may_be_refused=True) as other:
                answer = reach(server, stack)
            shown = answer if isinstance(answer, str) else ",".join(sorted(answer))
            print(f"{name:<50}{shown:>16}{server.memory_max_bytes() >> 20:>6} MB{other.longest_ms:>9.0f}", flush=True)


def fill(server):
    create_table(server, "load")
    create_table(server, "small")
    server.must("PutItem", {"TableName": "small", "Item": {"pk": {"S": "a"}}})
    server.must("PutItem", {"TableName": "load", "Item": {"pk": {"S": "big"}, "v": {"S": "x" * 390_000}}})


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seconds", type=int, default=600)
    parser.add_argument("--connections", type=int, default=256)
    parser.add_argument("--idle", type=int, default=1000)
    parser.add_argument("--slow", type=int, default=50)
    parser.add_argument("--no-limits", action="store_true")
    parser.add_argument("--no-attacks", action="store_true")
    options = parser.parse_args()
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    with tempfile.TemporaryDirectory() as folder, Server(pathlib.Path(folder) / "data") as server:
        fill(server)
        fine = soak(server, options)
    if not options.no_limits:
        limits()
    if not options.no_attacks:
        print()
        attacks.run_all([])
    sys.exit(0 if fine else 1)


if __name__ == "__main__":
    main()

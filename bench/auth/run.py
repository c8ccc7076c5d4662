#!/usr/bin/python3
"""What signatures and TLS cost: CPU time of the server for one request with auth off, enforced, and with TLS.

    bench/auth/run.py [--rounds 20] [--requests 4000] [--connections 8] [--json FILE]

Four servers run, without a disk, and get the same GetItem of an item of 1 KB and the same PutItem of such an item, in short
alternating rounds, so that other activity of the machine affects all of them alike. Every request is signed as by an SDK and
connections stay open. CPU time is that of all threads of the server; the smallest of all rounds is what counts, because
everything else on the machine only adds to it. Also says what a new connection costs. Loopback only.
"""

import argparse
import datetime
import json
import os
import pathlib
import re
import ssl
import statistics
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests/system"), str(ROOT / "bench")]

from dolmen_server import Server, head_bytes, run, target_of  # noqa: E402
from signing import signed_headers  # noqa: E402

ITEM = {"pk": {"S": "a"}, "v": {"S": "x" * 1000}}
BODIES = {"GetItem": {"TableName": "things", "Key": {"pk": {"S": "a"}}}, "PutItem": {"TableName": "things", "Item": ITEM}}


def signed_request(operation, body, key):
    """The bytes of a request that is valid for five minutes."""
    payload = json.dumps(body).encode()
    headers = signed_headers(target_of(operation), payload, key)
    return head_bytes(["POST / HTTP/1.1", f"Content-Length: {len(payload)}",
                       *(f"{name}: {value}" for name, value in headers.items())]) + payload


def cpu_us(server):
    tasks = pathlib.Path(f"/proc/{server.process.pid}/task").iterdir()
    return sum(int((task / "schedstat").read_text().split()[0]) for task in tasks) / 1e3


class Measured:
    """A server in one of the four forms."""

    def __init__(self, folder, key, auth, tls):
        self.name = f"auth {auth}" + (", TLS" if tls else "")
        flags = ["--auth", auth, *(["--access", str(folder / "access.yaml")] if auth == "enforce" else [])]
        if tls:
            flags += ["--tls-cert", str(folder / "cert.pem"), "--tls-key", str(folder / "key.pem")]
        self.server, self.key, self.times = Server(flags=flags), key, {}
        self._tls = ssl.create_default_context(cafile=str(folder / "cert.pem")) if tls else None
        self.server.start()

    def connect(self):
        sock = self.server.connect()
        return self._tls.wrap_socket(sock, server_hostname="localhost") if self._tls else sock

    def must(self, operation, body):
        with self.connect() as sock:
            self.exchange([sock], signed_request(operation, body, self.key), 1)

    @staticmethod
    def exchange(socks, request, rounds):
        for _ in range(rounds):
            for sock in socks:
                sock.sendall(request)
            for sock in socks:
                answer = sock.recv(1 << 16)
                while True:
                    head, complete, body = answer.partition(b"\r\n\r\n")
                    if complete and len(body) >= int(re.search(rb"(?i)content-length: (\d+)", head)[1]):
                        break
                    answer += sock.recv(1 << 16)
                assert answer.startswith(b"HTTP/1.1 200"), answer

    def measure(self, operation, options):
        """The CPU time of a request on connections that are open."""
        request = signed_request(operation, BODIES[operation], self.key)
        socks = [self.connect() for _ in range(options.connections)]
        self.exchange(socks, request, 10)
        before = cpu_us(self.server)
        turns = options.requests // options.connections
        self.exchange(socks, request, turns)
        self.times.setdefault(operation, []).append((cpu_us(self.server) - before) / (turns * options.connections))
        for sock in socks:
            sock.close()

    def measure_connections(self, count=100):
        before = cpu_us(self.server)
        for _ in range(count):
            self.must("GetItem", BODIES["GetItem"])
        self.times.setdefault("connection and GetItem", []).append((cpu_us(self.server) - before) / count)


def report(servers, options):
    print(f"{datetime.datetime.now(datetime.timezone.utc):%Y-%m-%dT%H:%M}, load average {os.getloadavg()[0]:.1f}, "
          f"{options.rounds} rounds of {options.requests} requests on {options.connections} connections; CPU us of the server")
    print(f"{'':<26}{'':<20}{'least':>8}{'median':>8}{'more':>8}")
    for operation in servers[0].times:
        plain = min(servers[0].times[operation])
        for server in servers:
            times = server.times[operation]
            print(f"{operation:<26}{server.name:<20}{min(times):>8.1f}{statistics.median(times):>8.1f}{min(times) - plain:>+8.1f}")
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps({server.name: server.times for server in servers}, indent=1))


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--requests", type=int, default=4000)
    parser.add_argument("--connections", type=int, default=8)
    parser.add_argument("--json", help="file for the times of all rounds")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        made = run("access", "create", "--file", folder / "access.yaml", "--role", "admin", "--json")
        assert made.code == 0, made.err
        printed = json.loads(made.out)
        key = {"id": printed["id"], "secret": printed["secret"]}
        made = run("tls", "self-signed", "--name", "localhost", "--cert", folder / "cert.pem", "--key", folder / "key.pem")
        assert made.code == 0, made.err
        servers = [Measured(folder, key, auth, tls) for tls in (False, True) for auth in ("off", "enforce")]
        try:
            for server in servers:
                server.must("CreateTable", {"TableName": "things", "BillingMode": "PAY_PER_REQUEST",
                                            "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
                                            "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}]})
                server.must("PutItem", BODIES["PutItem"])
            for _ in range(options.rounds):
                for operation in BODIES:
                    for server in servers:
                        server.measure(operation, options)
                for server in servers:
                    server.measure_connections()
            report(servers, options)
        finally:
            for server in servers:
                server.server.close()


if __name__ == "__main__":
    main()

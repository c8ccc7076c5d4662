"""A server with many connections that do nothing: what the others notice of them."""

import resource
import socket
import sys

import bodies
from load import load, write_requests
from programs import dolmen
from scenarios import SCENARIOS
from servers import Server

ADDRESSES = [f"127.0.0.{number}" for number in range(2, 18)]  # Each has its own ports.
SECONDS, ROUNDS = 1, 3


def open_idle(server, count):
    """Connections that send nothing. They are closed by the server at last."""
    found = []
    for number in range(count):
        sock = socket.socket()
        sock.bind((ADDRESSES[number % len(ADDRESSES)], 0))
        sock.connect(("127.0.0.1", server.port))
        found.append(sock)
    return found


def measure(work, most):
    """Pairs of a number of idle connections and what was seen beside them."""
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    if limit != resource.RLIM_INFINITY and limit < most + 1_000:
        print(f"skipped: {most:,} connections (a process may open only {limit:,} files)", flush=True)
        most = max(limit - 1_000, 0)
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))
    scenario = next(one for one in SCENARIOS if one.name == "get")
    server = Server("dolmen-os", work, command=lambda port, folder: dolmen(
        port, "--data", folder, "--durability", "os", "--connections-per-address-max", "10000"))
    rows, idle = [], []
    try:
        server.start()
        server.create(bodies.CREATE_TABLE)
        server.put_all(bodies.puts())
        requests = work / "gets.requests"
        write_requests(scenario, server, bodies.gets(), requests)
        for count in sorted({0, most // 10, most}):
            idle += open_idle(server, count - len(idle))
            load(scenario, server, requests, SECONDS)
            rounds = [load(scenario, server, requests, SECONDS) for _ in range(ROUNDS)]
            seen = sorted(rounds, key=lambda once: once["cpu_us"])[ROUNDS // 2]
            rows.append((count, seen | {"memory_mb": server.rss_mb()}))
            print(count, rows[-1][1], file=sys.stderr, flush=True)
    finally:
        for sock in idle:
            sock.close()
        server.stop()
    return rows

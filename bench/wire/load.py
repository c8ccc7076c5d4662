"""One round of load on one server: wrk for those that speak DynamoDB's protocol, redis-benchmark for Redis."""

import csv
import io
import json
import pathlib
import resource
import subprocess

from bodies import ITEM_BYTES, PARTITIONS, ITEMS_PER_PARTITION
from servers import target_of
from programs import Broken

LOAD_SCRIPT = pathlib.Path(__file__).with_name("load.lua")
REDIS_REQUESTS_PER_S = 50_000  # redis-benchmark is told how many requests to send, not for how long.
REDIS_TESTS = {"GetItem": "get", "PutItem": "set"}


def write_requests(scenario, server, bodies, file):
    """The file that load.lua reads."""
    with open(file, "w") as out:
        for body in bodies:
            payload = json.dumps(body).encode()
            headers = {name.lower(): value for name, value in server.headers(scenario.operation, payload).items()}
            out.write(f"{headers['x-amz-date']}\t{headers['authorization']}\t{payload.decode()}\n")


def load(scenario, server, requests, seconds):
    """Puts the server under load for a time; what was seen."""
    cpu_before, client_before = server.cpu_s(), children_cpu_s()
    counted = (run_redis if server.name == "redis" else run_wrk)(scenario, server, requests, seconds)
    client_s = children_cpu_s() - client_before
    # Deferred work of the server is part of the cost of a request.
    server.await_quiet()
    cpu_s = server.cpu_s() - cpu_before
    duration_s = counted["duration_us"] / 1e6
    return {
        "requests": counted["requests"],
        "requests_per_s": counted["requests"] / duration_s,
        "p50_ms": counted["p50_us"] / 1000,
        "p99_ms": counted["p99_us"] / 1000,
        "cpu_us": cpu_s * 1e6 / counted["requests"],
        "client_cores": client_s / duration_s,
    }


def run_client(command, seconds):
    try:
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=seconds + 30)
    except subprocess.TimeoutExpired as late:
        raise Broken(f"{command[0]} was to end after {seconds} s and had not after {late.timeout} s") from late
    if done.returncode != 0:
        raise Broken(f"{command[0]} ended with status {done.returncode}: {done.stderr.strip()}")
    return done.stdout


def run_wrk(scenario, server, requests, seconds):
    out = run_client(["wrk", "--threads", "1", "--connections", scenario.connections, "--duration", f"{seconds}s",
                      "--timeout", "10s", "--latency", "--script", LOAD_SCRIPT, server.url, "--",
                      target_of(scenario.operation), requests], seconds)
    counted = json.loads(out.splitlines()[-1])
    if counted["refused"] or counted["broken"] or not counted["requests"]:
        raise Broken(f"{counted['refused']} answers other than 2xx, {counted['broken']} broken connections, "
                     f"of {counted['requests']} requests; its log ends with: {server.log_end(5)}")
    return counted


def run_redis(scenario, server, requests, seconds):
    count = REDIS_REQUESTS_PER_S * seconds
    out = run_client(["redis-benchmark", "-h", "127.0.0.1", "-p", server.port, "-c", scenario.connections, "-n", count,
                      "-d", ITEM_BYTES, "-r", PARTITIONS * ITEMS_PER_PARTITION, "-t", REDIS_TESTS[scenario.operation],
                      "--csv"], seconds)
    row = list(csv.DictReader(io.StringIO(out)))[-1]
    return {"requests": count, "duration_us": count / float(row["rps"]) * 1e6,
            "p50_us": float(row["p50_latency_ms"]) * 1000, "p99_us": float(row["p99_latency_ms"]) * 1000}


def children_cpu_s():
    """CPU time of the children that have ended: of the client, as the servers are still running."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime

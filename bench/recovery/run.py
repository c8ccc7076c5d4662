#!/usr/bin/python3
"""How long a killed server takes until it answers again.

    bench/recovery/run.py [--gigabytes 1] [--log-megabytes 64] [--vectors 1000000] [--rounds 3] [--json FILE]

Items of 1 KB that do not compress are imported until the store has its size; more are written until its log is nearly as long as it
ever gets, and the server is killed. Vectors of 128 numbers are imported into an index, which is in memory and has to be built again. Each
round recovers a copy of what the kill left, up to the first answer of a read and, with vectors, of a search. The files are in the
page cache. Data goes below build/bench; a gigabyte needs three there. `--vectors 0` leaves the vectors out.

The log of a server has at most 32 MB, since what it holds is in files by then. log_report makes a store of the same size with a longer log, below the
tables, and opens that.
"""

import argparse
import json
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "bench"), str(ROOT / "tests/system")]
from dolmen_server import BINARY, Server, clean_environment, create_table  # noqa: E402
from files import sizes_of  # noqa: E402
from machine import describe_machine  # noqa: E402

THINGS, VECTORS, DIMENSIONS = "things", "vectors", 128
# A log is ended when it has this share of the longest that was seen.
LOG_SHARE = 0.9


def bytes_of(folder, pattern="*"):
    return sum(sizes_of(folder, pattern))


def things(first):
    dice = random.Random(first)
    for number in range(first, sys.maxsize):
        yield {"id": f"thing-{number}", "text": dice.randbytes(480).hex()}


def vectors(first):
    """Near one of 1,000 centres, as vectors of texts and pictures are. No two of the first 10^8 are alike."""
    dice, number = random.Random(1), first
    centres = [[dice.gauss(0, 1) for _ in range(DIMENSIONS)] for _ in range(1000)]
    starts = 100_003
    noise = [dice.gauss(0, 0.3) for _ in range(starts + DIMENSIONS)]
    while True:
        centre, start = centres[number % len(centres)], number * 7919 % starts
        yield {"id": f"vector-{number}", "v": [round(a + b, 4) for a, b in zip(centre, noise[start:start + DIMENSIONS])]}
        number += 1


class Import:
    """`dolmen import` of items into a table, until it has so many or is told to stop."""

    def __init__(self, server, table, items, count):
        self._process = subprocess.Popen([BINARY, "import", table, "--from", "-", "--endpoint", server.url], stdin=subprocess.PIPE,
                                         stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env=clean_environment("/dev/null") | {
                                             "AWS_ACCESS_KEY_ID": "bench", "AWS_SECRET_ACCESS_KEY": "bench", "AWS_REGION": "us-east-1"})
        self._stop = False
        self._thread = threading.Thread(target=self._feed, args=(items, count))
        self._thread.start()

    def _feed(self, items, count):
        try:
            for number, item in enumerate(items):
                if number == count or self._stop:
                    break
                self._process.stdin.write(json.dumps(item) + "\n")
            self._process.stdin.close()
        except BrokenPipeError:
            pass

    def is_running(self):
        return self._process.poll() is None

    def end(self):
        self._thread.join()
        errors = self._process.stderr.read()
        if self._process.wait() != 0:
            sys.exit(f"the import failed: {errors[-2000:]}")

    def kill(self):
        self._stop = True
        self._process.kill()
        self._process.wait()
        self._thread.join()


def kill_with_a_long_log(server, data, table, items):
    """Writes on until the log is nearly as long as it gets, and kills the server."""
    longest, more = 0, Import(server, table, items, sys.maxsize)
    deadline = time.monotonic() + 600
    while time.monotonic() < deadline and more.is_running():
        now = bytes_of(data, "*.log")
        # A log that was ended has shown how long it gets.
        if longest > now * 2 and longest > 1e6:
            break
        longest = max(longest, now)
        time.sleep(0.02)
    while time.monotonic() < deadline and more.is_running() and bytes_of(data, "*.log") < longest * LOG_SHARE:
        time.sleep(0.005)
    server.process.kill()
    more.kill()


def recover(data, copy, requests):
    """The milliseconds from the start of a server on a copy of the data to the first answers of requests."""
    shutil.copytree(data, copy)
    try:
        began, found = time.monotonic(), {}
        with Server(data=copy) as server:
            for name, (operation, body, is_right) in requests.items():
                answer = server.must(operation, body)
                found[f"{name}_ms"] = (time.monotonic() - began) * 1000
                assert is_right(answer), f"{operation} gave {json.dumps(answer)[:500]}"
            found["memory_mb"] = server.memory_bytes() / 1e6
        return found
    finally:
        shutil.rmtree(copy)


def measured(name, work, options, items, count, requests, with_long_log=False, **settings):
    """What the recovery of a store with one table takes; the table has the name of the measurement."""
    data = work / name
    with Server(data=data, flags=["--durability", "os"]) as server:
        create_table(server, name, partition="id", **settings)
        Import(server, name, items(0), count).end()
        if with_long_log:
            kill_with_a_long_log(server, data, name, items(count))
        server.kill()
    found = {"store_mb": bytes_of(data) / 1e6, "log_mb": bytes_of(data, "*.log") / 1e6, "imported": count}
    rounds = [recover(data, work / "copy", requests) for _ in range(options.rounds)]
    shutil.rmtree(data)
    for field in rounds[0]:
        found[field] = sorted(one[field] for one in rounds)[len(rounds) // 2]
    print(f"{name}: " + json.dumps({field: round(value, 1) for field, value in found.items()}), flush=True)
    return found


def measured_log(work, options):
    """What opening a store takes whose log is longer than that of a server."""
    program, data, length = pathlib.Path(BINARY).with_name("log_report"), work / "log", str(options.log_megabytes)
    subprocess.run([program, "fill", data, str(int(options.gigabytes * 1000)), length], check=True)
    rounds = []
    for _ in range(options.rounds):
        shutil.copytree(data, work / "copy")
        opened = subprocess.run([program, "open", work / "copy", length], check=True, capture_output=True, text=True)
        rounds.append(json.loads(opened.stdout))
        shutil.rmtree(work / "copy")
    shutil.rmtree(data)
    found = sorted(rounds, key=lambda one: one["open_ms"])[len(rounds) // 2]
    print(f"log: {json.dumps(found)}", flush=True)
    return found


def get(name, key):
    return ("GetItem", {"TableName": name, "Key": {"id": {"S": key}}, "ConsistentRead": True}, lambda answer: "Item" in answer)


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--gigabytes", type=float, default=1)
    parser.add_argument("--log-megabytes", type=int, default=64)
    parser.add_argument("--vectors", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", type=pathlib.Path)
    options = parser.parse_args()
    folder = ROOT / "build/bench"
    folder.mkdir(parents=True, exist_ok=True)
    found = {"machine": describe_machine(folder)}
    with tempfile.TemporaryDirectory(dir=folder) as work:
        work = pathlib.Path(work)
        if options.gigabytes:
            found[THINGS] = measured(THINGS, work, options, things, int(options.gigabytes * 1e6), {"get": get(THINGS, "thing-7")},
                                     with_long_log=True)
            found["log"] = measured_log(work, options)
        if options.vectors:
            index = {"IndexName": "near", "VectorAttribute": {"AttributeName": "v"}, "Dimensions": DIMENSIONS,
                     "DistanceFunction": "EUCLIDEAN", "Projection": {"ProjectionType": "KEYS_ONLY"}}
            sought = [{"N": str(x)} for x in next(vectors(7))["v"]]
            search = ("SearchVectors", {"TableName": VECTORS, "IndexName": "near", "TopK": 1, "SearchVector": sought},
                      lambda answer: answer["SearchResults"][0]["Item"]["id"]["S"] == "vector-7")
            found[VECTORS] = measured(VECTORS, work, options, vectors, options.vectors, {"get": get(VECTORS, "vector-7"), "search": search},
                                      VectorIndexes=[index])
    if options.json:
        options.json.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()

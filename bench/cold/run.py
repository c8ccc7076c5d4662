#!/usr/bin/python3
"""How long reads wait for the disk: of one item, and of 25 at once, when nothing is in memory.

    bench/cold/run.py [--items 200000] [--requests 100] [--rounds 3] [--json FILE]

Items of 1 KB that do not compress are put into a store below build/bench. Before each kind of request the server is started again and the kernel
forgets the files of the store. One client reads items at random, which are rarely in a block that was read before.
Environment:
  DOLMEN_BIN    the dolmen program (default: build/release/bin/dolmen)
  OTHER_DOLMEN  another one to compare with, in turns (default: none)
"""

import argparse
import json
import os
import pathlib
import random
import statistics
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "bench"), str(ROOT / "tests/system")]
import dolmen_server  # noqa: E402
from connection import Connection  # noqa: E402
from machine import describe_machine  # noqa: E402

TABLE, BATCH = "cold", 25


def item_of(number):
    return {"id": {"S": f"item-{number}"}, "text": {"S": random.Random(number).randbytes(480).hex()}}


def fill(folder, items):
    with dolmen_server.Server(folder) as server:
        connection = Connection(server.port)
        connection.must("CreateTable", {"TableName": TABLE, "BillingMode": "PAY_PER_REQUEST",
                                        "AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "S"}],
                                        "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}]})
        for first in range(0, items, BATCH):
            connection.must("BatchWriteItem", {"RequestItems": {TABLE: [
                {"PutRequest": {"Item": item_of(number)}} for number in range(first, first + BATCH)]}})
        server.stop()  # which leaves all of it in files


def forget(folder):
    """The kernel drops what it has of the files, which must be on the disk."""
    for path in pathlib.Path(folder).rglob("*"):
        if path.is_file():
            file = os.open(path, os.O_RDONLY)
            os.fsync(file)
            os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)
            os.close(file)


def bodies_of(operation, items, dice):
    def keys(count):
        return [{"id": {"S": f"item-{number}"}} for number in dice.sample(range(items), count)]

    while True:
        if operation == "GetItem":
            yield {"TableName": TABLE, "Key": keys(1)[0]}
        elif operation == "BatchGetItem":
            yield {"RequestItems": {TABLE: {"Keys": keys(BATCH)}}}
        else:
            yield {"TransactItems": [{"Get": {"TableName": TABLE, "Key": key}} for key in keys(BATCH)]}


def waits(program, folder, operation, options, dice):
    """Milliseconds of each request."""
    forget(folder)
    found = []
    dolmen_server.BINARY = program
    with dolmen_server.Server(folder) as server:
        connection = Connection(server.port)
        connection.must("ListTables", {})
        for _, body in zip(range(options.requests), bodies_of(operation, options.items, dice)):
            begin = time.perf_counter()
            connection.must(operation, body)
            found.append((time.perf_counter() - begin) * 1000)
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--items", type=int, default=200_000)
    parser.add_argument("--requests", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE")
    options = parser.parse_args()
    if options.items % BATCH or options.items < 1000:
        parser.error(f"--items: {options.items} is not a multiple of {BATCH} from 1,000")
    programs = {"dolmen": dolmen_server.BINARY} | ({"beside": os.environ["OTHER_DOLMEN"]} if "OTHER_DOLMEN" in os.environ else {})
    base = ROOT / "build/bench"
    base.mkdir(parents=True, exist_ok=True)
    dice, found = random.Random(1), {}
    with tempfile.TemporaryDirectory(prefix="cold-", dir=base) as folder:
        machine = describe_machine(folder)
        fill(folder, options.items)
        for _ in range(options.rounds):
            for operation in ("GetItem", "BatchGetItem", "TransactGetItems"):
                for name, program in programs.items():
                    found.setdefault((operation, name), []).extend(waits(program, folder, operation, options, dice))
    result = {"machine": machine, "waits": []}
    print(f"{'operation':18}{'program':10}{'p50 ms':>10}{'p99 ms':>10}")
    for (operation, name), values in found.items():
        p50, p99 = statistics.median(values), statistics.quantiles(values, n=100)[98]
        result["waits"].append({"operation": operation, "program": name, "p50_ms": p50, "p99_ms": p99})
        print(f"{operation:18}{name:10}{p50:10.2f}{p99:10.2f}")
    if options.json:
        options.json.write_text(json.dumps(result, indent=1) + "\n")


if __name__ == "__main__":
    main()

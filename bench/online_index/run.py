#!/usr/bin/python3
"""Adds an index to a table of many items while others write, and says what that costs them.

    bench/online_index/run.py                      10^6 items, five kills
    bench/online_index/run.py --items 50000        a small one

The table has an index from the start. After the items have been written, clients put, update and delete random items, each
request as soon as the one before is answered. Their latencies are measured first alone, then while a second index with the
same key is built. A third index is built while the server is killed again and again. At the end all three must have the same
rows, counts and sizes.
"""

import argparse
import json
import multiprocessing
import pathlib
import random
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/system"))

from dolmen_server import Server  # noqa: E402

TABLE = "things"
COLOURS = 5000


def index(name):
    return {"IndexName": name, "KeySchema": [{"AttributeName": "colour", "KeyType": "HASH"}],
            "Projection": {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["note"]}}


def item(number, colour, note):
    return {"pk": {"S": f"item-{number}"}, "colour": {"S": f"colour-{colour}"}, "note": {"S": note},
            "filler": {"S": "x" * 120}}


def described(server):
    return server.must("DescribeTable", {"TableName": TABLE})["Table"]


def state_of(server, name):
    return next(one for one in described(server)["GlobalSecondaryIndexes"] if one["IndexName"] == name)


# ---- Filling ----

def fill_part(port, first, last):
    server = connected(port)
    connection = server.connection()
    for at in range(first, last, 25):
        server.must("BatchWriteItem", {"RequestItems": {TABLE: [
            {"PutRequest": {"Item": item(number, number % COLOURS, "first")}} for number in range(at, min(at + 25, last))]}},
            connection)


def connected(port):
    """A server that another process has started."""
    server = Server.__new__(Server)
    server.port = port
    return server


def in_parallel(target, arguments):
    processes = [multiprocessing.Process(target=target, args=given) for given in arguments]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
        assert process.exitcode == 0, "a client failed"


def fill(server, items, clients):
    bounds = [items * i // clients for i in range(clients + 1)]
    in_parallel(fill_part, [(server.port, first, last) for first, last in zip(bounds, bounds[1:])])


# ---- Load ----

def write_until(port, items, seed, stop, patient, latencies):
    """Writes random items until told to stop. A patient client waits for a server that is down."""
    chosen, server, connection, taken = random.Random(seed), connected(port.value), None, []
    while not stop.is_set():
        number, colour = chosen.randrange(items), chosen.randrange(COLOURS)
        key = {"pk": {"S": f"item-{number}"}}
        operation, body = chosen.choice((
            ("PutItem", {"Item": item(number, colour, "put")}),
            ("UpdateItem", {"Key": key, "UpdateExpression": "SET colour = :c, note = :n",
                            "ExpressionAttributeValues": {":c": {"S": f"colour-{colour}"}, ":n": {"S": "updated"}}}),
            ("DeleteItem", {"Key": key})))
        begun = time.perf_counter()
        try:
            connection = connection or server.connection()
            server.must(operation, {"TableName": TABLE} | body, connection)
        except Exception:
            if not patient:
                raise
            connection, server.port = None, port.value
            time.sleep(0.02)
            continue
        taken.append(time.perf_counter() - begun)
    latencies.put(taken)


class Load:
    """Clients that write while the block runs. Then `taken` has all latencies."""

    def __init__(self, server, options, patient=False):
        self._stop, self._latencies = multiprocessing.Event(), multiprocessing.Queue()
        self.port = multiprocessing.Value("i", server.port)
        self._clients = [multiprocessing.Process(target=write_until, args=(
            self.port, options.items, options.seed + i, self._stop, patient, self._latencies)) for i in range(options.clients)]

    def __enter__(self):
        for client in self._clients:
            client.start()
        return self

    def __exit__(self, *_):
        self._stop.set()
        self.taken = sorted(sum((self._latencies.get() for _ in self._clients), []))
        for client in self._clients:
            client.join()

    def report(self, title, seconds):
        def at(part):
            return self.taken[min(len(self.taken) - 1, int(part * len(self.taken)))] * 1000
        print(f"{title}: {len(self.taken) / seconds:.0f} writes/s, p50 {at(.5):.2f} ms, p99 {at(.99):.2f} ms, "
              f"p99.9 {at(.999):.2f} ms")
        return at(.99)


def await_index(server, name):
    while state_of(server, name)["IndexStatus"] != "ACTIVE":
        time.sleep(0.2)


def add_index(server, name):
    server.must("UpdateTable", {"TableName": TABLE, "AttributeDefinitions": [{"AttributeName": "colour", "AttributeType": "S"}],
                                "GlobalSecondaryIndexUpdates": [{"Create": index(name)}]})


# ---- Comparing ----

def rows_of(server, name, connection):
    body = {"TableName": TABLE, "IndexName": name}
    while True:
        page = server.must("Scan", body, connection)
        yield from page["Items"]
        if "LastEvaluatedKey" not in page:
            return
        body["ExclusiveStartKey"] = page["LastEvaluatedKey"]


def check_equal(server, names):
    connections = [server.connection() for _ in names]
    count = 0
    for rows in zip(*(rows_of(server, name, connection) for name, connection in zip(names, connections)), strict=True):
        assert all(row == rows[0] for row in rows), f"row {count} differs: {json.dumps(rows)}"
        count += 1
    extents = [(state_of(server, name)["ItemCount"], state_of(server, name)["IndexSizeBytes"]) for name in names]
    assert all(extent == extents[0] for extent in extents) and extents[0][0] == count, extents
    print(f"{', '.join(names)} have the same {count} rows, counts and sizes")


def build_with_kills(server, options):
    with Load(server, options, patient=True) as load:
        add_index(server, "killed")
        for i in range(options.kills):
            rows = state_of(server, "killed")["ItemCount"]
            wanted = rows + options.items // (2 * options.kills + 2)
            while (state := state_of(server, "killed"))["ItemCount"] < wanted and state["IndexStatus"] == "CREATING":
                time.sleep(0.05)
            assert state["IndexStatus"] == "CREATING", f"the index was ready before kill {i + 1}"
            print(f"kill {i + 1} with {state['ItemCount']} rows in the index")
            server.kill()
            server.start()
            load.port.value = server.port
        await_index(server, "killed")


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--items", type=int, default=1_000_000)
    parser.add_argument("--kills", type=int, default=5)
    parser.add_argument("--clients", type=int, default=2)
    parser.add_argument("--before", type=float, default=20, metavar="SECONDS", help="how long to measure before (default: 20)")
    parser.add_argument("--seed", type=int, default=random.randrange(2**32))
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE", help="write the numbers to a file as well")
    options = parser.parse_args()
    print(f"seed {options.seed}", flush=True)
    with tempfile.TemporaryDirectory() as folder, Server(pathlib.Path(folder, "data")) as server:
        server.must("CreateTable", {
            "TableName": TABLE, "BillingMode": "PAY_PER_REQUEST", "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
            "AttributeDefinitions": [{"AttributeName": name, "AttributeType": "S"} for name in ("pk", "colour")],
            "GlobalSecondaryIndexes": [index("early")]})
        begun = time.monotonic()
        fill(server, options.items, options.clients)
        print(f"wrote {options.items} items in {time.monotonic() - begun:.0f} s", flush=True)
        with Load(server, options) as load:
            time.sleep(options.before)
        before = load.report("before", options.before)
        begun = time.monotonic()
        with Load(server, options) as load:
            add_index(server, "late")
            await_index(server, "late")
            seconds = time.monotonic() - begun
        during = load.report("during the build", seconds)
        print(f"built in {seconds:.1f} s; p99 is {during / before:.2f} times what it was", flush=True)
        check_equal(server, ["early", "late"])
        build_with_kills(server, options)
        check_equal(server, ["early", "late", "killed"])
        print("".join(line + "\n" for line in server.errors().splitlines() if "index " in line), end="")
    if options.json:
        options.json.write_text(json.dumps({"items": options.items, "p99_before_ms": before, "p99_during_ms": during,
                                            "build_seconds": seconds}))


if __name__ == "__main__":
    main()

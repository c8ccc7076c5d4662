#!/usr/bin/python3
"""The cost of a call from Python beside those from C++ and C (bench/c_api_bench.cc): GetItem and PutItem of a 1 KB item.

usage: run.py [--json FILE] [--calls N]

Each way takes turns with the others, so that other activity of the machine affects all alike; the best round counts. CPU is that
of the whole process per call; for boto3 with a server that of the client alone.
"""

import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
BINARY = pathlib.Path(os.environ.get("DOLMEN_BIN", ROOT / "build/release/bin/dolmen"))
BUILD = BINARY.resolve().parents[1]
ROUNDS = 5
ITEMS = 1000

sys.path.insert(0, str(BUILD / "python"))
import boto3  # noqa: E402
import dolmen  # noqa: E402


def key_of(number):
    return {"id": f"item-{number % ITEMS:08}"}


def item_of(number):
    return {**key_of(number), "name": "a name of some length", "count": number, "active": True, "data": "x" * 900}


def measured(call, calls):
    """Microseconds of time and of CPU per call."""
    time_ns, cpu_ns = time.perf_counter_ns(), time.process_time_ns()
    for number in range(calls):
        call(number)
    return (time.perf_counter_ns() - time_ns) / calls / 1000, (time.process_time_ns() - cpu_ns) / calls / 1000


def better(before, now):
    return now if before is None else tuple(map(min, before, now))


def client_calls(client):
    from boto3.dynamodb.types import TypeSerializer
    types = TypeSerializer()

    def typed(item):
        return {name: types.serialize(value) for name, value in item.items()}

    return {"GetItem": lambda number: client.get_item(TableName="bench", Key=typed(key_of(number))),
            "PutItem": lambda number: client.put_item(TableName="bench", Item=typed(item_of(number)))}


def cpp_and_c():
    """What the program says about C++ and C, by operation."""
    program = BUILD / "bin/c_api_bench"
    if not program.exists():
        print("skipped: C++ and C (c_api_bench is not built)")
        return {}
    out = subprocess.run([program, "--benchmark_format=json", "--benchmark_repetitions=5",
                          "--benchmark_report_aggregates_only=false"], capture_output=True, text=True, check=True).stdout
    best = {}
    for run in json.loads(out[out.index("{"):])["benchmarks"]:
        if run.get("run_type") == "iteration":
            name = run["run_name"]
            best[name] = better(best.get(name), (run["real_time"] / 1000, run["cpu_time"] / 1000))
    return best


class Server:
    def __enter__(self):
        self.process = subprocess.Popen([BINARY, "serve", "--memory", "--port", "0"], stdout=subprocess.PIPE,
                                        stderr=subprocess.STDOUT, text=True)
        for line in self.process.stdout:
            if found := re.search(r"listening on (http://\S+)", line):
                return found.group(1)
        raise SystemExit("the server did not start")

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()


def ways(store, url):
    """How to call each operation: the package's tables, its raw calls, boto3 without and with a server."""
    table = store.create_table("bench", key="id")
    table.put_all(item_of(number) for number in range(ITEMS))
    with dolmen.open(url) as served:
        served.create_table("bench", key="id").put_all(item_of(number) for number in range(ITEMS))
    remote = boto3.client("dynamodb", endpoint_url=url, region_name="us-east-1", aws_access_key_id="a",
                          aws_secret_access_key="a")
    return {
        "Python, dolmen": {"GetItem": lambda number: table.get(key_of(number)), "PutItem": lambda number: table.put(item_of(number))},
        "Python, boto3 without a server": client_calls(store.boto3_client()),
        "Python, boto3 with a server": client_calls(remote),
    }


def main():
    parser = argparse.ArgumentParser(description="Compares calls from C++, C and Python.")
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--calls", type=int, default=2000, help="of each kind in a round")
    options = parser.parse_args()
    rows = []
    native = cpp_and_c()
    for operation in ("GetItem", "PutItem"):
        for language, suffix in (("C++", "cpp"), ("C", "c")):
            if found := native.get(f"{operation[:3].lower()}_{suffix}"):
                rows.append((operation, language, *found))
    with Server() as url, dolmen.open("memory:") as store:
        all_ways = ways(store, url)
        best = {}
        for _ in range(ROUNDS):
            for name, calls in all_ways.items():
                for operation, call in calls.items():
                    now = measured(call, options.calls)
                    best[operation, name] = better(best.get((operation, name)), now)
        rows += [(operation, name, *best[operation, name]) for operation, name in sorted(best)]
    print(f"{'operation':9} {'from':31} {'us':>8} {'CPU us':>8}")
    for operation, name, taken, cpu in sorted(rows, key=lambda row: (row[0], row[2])):
        print(f"{operation:9} {name:31} {taken:8.2f} {cpu:8.2f}")
    if options.json:
        options.json.write_text(json.dumps([dict(zip(("operation", "from", "us", "cpu_us"), row)) for row in rows], indent=1))


if __name__ == "__main__":
    main()

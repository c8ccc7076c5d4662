#!/usr/bin/python3
"""Dolmen's embedded store beside RocksDB alone, SQLite and LMDB: the same rows of 1 KB, the same work, with and without syncs;
and what each room of Dolmen costs on top of an item.

    bench/embedded/run.py [--rounds 7] [--operations 20000] [--json FILE]

All stores are open in one process and take turns, operation by operation. What counts is the least CPU time of all rounds, because
everything else on the machine only adds to it; with syncs it is the median of the time that a write takes.
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench"))
from machine import describe_machine, rocksdb_of  # noqa: E402

BINARIES = ROOT / "build/release/bin"
RUN_S_MAX = 600
MEASURE = "rocksdb"  # What the others are compared with.
SYNCED = 50  # So many times fewer operations are synced.
# What a room adds: the program, its benchmark without the room, and with it.
ROOMS = [
    ("model: put of 20 attributes", "model_bench", "store_put", "typed_put"),
    ("model: get of 20 attributes", "model_bench", "store_get", "typed_get"),
    ("contract: put to a bound table", "contract_bench", "put_item/not_bound", "put_item/bound_to_a_model"),
    ("document: insert", "document_bench", "put_item", "insert/without_index"),
    ("document: insert with two indexes", "document_bench", "put_item", "insert/with_two_indexes"),
    ("relation: create", "relation_bench", "put_item", "create/alone"),
    ("relation: create with a unique value", "relation_bench", "put_item", "create/with_a_unique_value"),
    ("relation: get", "relation_bench", "get_item", "get"),
    ("entity: keys of an item of 14 attributes", "entity_bench", None, "add_keys"),
]
INSIDE = {"add_keys": 1_000}  # An iteration of these does so many operations.
US = {"ns": 1e-3, "us": 1, "ms": 1e3, "s": 1e6}


def measure_engines(durability, options, folder):
    """Rounds by engine and operation."""
    operations = options.operations if durability == "os" else max(options.operations // SYNCED, 1)
    with tempfile.TemporaryDirectory(prefix="embedded-", dir=folder) as work:
        done = subprocess.run([BINARIES / "embedded_report", work, durability, str(options.rounds), str(operations)],
                              capture_output=True, text=True, timeout=RUN_S_MAX)
    if done.returncode != 0:
        sys.exit(f"embedded_report ended with status {done.returncode}: {done.stderr[-2000:]}")
    rounds = {}
    for line in map(json.loads, done.stdout.splitlines()):
        if "skipped" in line:
            print(f"skipped: {line['skipped']} (its package is not installed)")
        else:
            rounds.setdefault((line["engine"], line["operation"]), []).append(line)
    return rounds


def summary(rounds, durability):
    for (engine, operation), found in rounds.items():
        base = rounds[MEASURE, operation]
        cpu, base_cpu = (min(one["cpu_us"] for one in side) for side in (found, base))
        wall, base_wall = (statistics.median(one["wall_us"] for one in side) for side in (found, base))
        yield {"durability": durability, "engine": engine, "operation": operation, "cpu_us": cpu, "wall_us": wall,
               "cpu_ratio": cpu / base_cpu, "wall_ratio": wall / base_wall}


def benchmark(program, folder):
    """CPU us of one iteration by the name of the benchmark."""
    out = folder / f"{program}.json"
    subprocess.run([BINARIES / program, f"--benchmark_out={out}", "--benchmark_out_format=json",
                    "--benchmark_filter=-query"], check=True, capture_output=True, timeout=RUN_S_MAX,
                   env=os.environ | {"TMPDIR": str(folder)})
    found = {}
    for one in json.loads(out.read_text())["benchmarks"]:
        if one.get("aggregate_name", "median") == "median":
            manual = "manual_time" in one["name"]
            found[one["run_name"].partition("/manual_time")[0].partition("/iterations")[0]] = (
                one["real_time" if manual else "cpu_time"] * US[one["time_unit"]])
    return found


def measure_rooms():
    with tempfile.TemporaryDirectory() as folder:
        times = {}
        for name, program, without, with_room in ROOMS:
            if program not in times:
                times[program] = benchmark(program, pathlib.Path(folder))
            yield {"room": name, "program": program, "without_us": times[program].get(without),
                   "with_us": times[program][with_room] / INSIDE.get(with_room, 1)}


def report(result):
    for one in result["engines"]:
        print(f"{one['durability']:<5}{one['operation']:<20}{one['engine']:<9}{one['cpu_us']:>9.2f} us CPU {one['wall_us']:>9.2f} us"
              f"   {one['cpu_ratio']:>5.2f} x CPU of {MEASURE} {one['wall_ratio']:>5.2f} x time")
    for one in result["rooms"]:
        without = one["without_us"]
        print(f"{one['room']:<38}{one['with_us']:>9.2f} us" + (f", {without:.2f} without it" if without else ""))


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--operations", type=int, default=20_000, help="of a round; syncs have fewer")
    parser.add_argument("--no-rooms", action="store_true", help="only the engines")
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE")
    options = parser.parse_args()
    folder = ROOT / "build/bench"
    folder.mkdir(parents=True, exist_ok=True)
    result = {"machine": describe_machine(folder) | {"rocksdb": rocksdb_of(BINARIES / "embedded_report")}, "engines": [], "rooms": []}
    for durability in ("os", "sync"):
        result["engines"] += summary(measure_engines(durability, options, folder), durability)
    if not options.no_rooms:
        result["rooms"] = list(measure_rooms())
    report(result)
    if options.json:
        options.json.write_text(json.dumps(result, indent=1) + "\n")


if __name__ == "__main__":
    main()

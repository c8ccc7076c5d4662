#!/usr/bin/python3
"""What grows when data grows: time, memory and disk from 10^4 items to 10^7, from one table to 2,500, and so on.

    bench/scale/run.py [--max 6] [--quick] [--json FILE]

Each step is a process that opens the store of the step before, which ended as if it were killed, so that its start is a recovery; it
adds items, waits until the disk has calmed down, and reads. Data goes below build/bench. `--max 7` needs about 3 GB there. Stops by
itself; the connections are on loopback.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "bench"), str(ROOT / "bench/wire")]
import connections  # noqa: E402
from machine import describe_machine, rocksdb_of  # noqa: E402

PROGRAM = ROOT / "build/release/bin/scale_report"
STEP_S_MAX = 3600
BLOCK_CACHE_BYTES = 16 << 20
TABLES_MAX = 100_000
INDEXES_MAX = 20    # DynamoDB's limit.


def step(folder, **shape):
    """One run of scale_report: what it printed, and the size of the data."""
    words = [str(word) for pair in shape.items() for word in pair]
    done = subprocess.run([PROGRAM, folder, *words], capture_output=True, text=True, timeout=STEP_S_MAX)
    if done.returncode != 0:
        sys.exit(f"scale_report {' '.join(words)} ended with status {done.returncode}: {done.stderr[-2000:]}")
    found = json.loads(done.stdout.splitlines()[-1])
    found["disk_mb"] = sum(file.stat().st_size for file in pathlib.Path(folder).rglob("*") if file.is_file()) / 1e6
    if found.get("user_mb"):
        found["amplification"] = found["written_mb"] / found["user_mb"]
    print(json.dumps(shape), json.dumps({name: round(value, 2) for name, value in found.items()}), flush=True)
    return found


def law(what, rows):
    """How much reads grew while the size did."""
    (small, first), (large, last) = rows[0], rows[-1]
    return (f"With {large:,} {what} a read of one item takes {last['get_cpu_us'] / first['get_cpu_us']:.2f} times the CPU that it takes with "
            f"{small:,}, and a page takes {last['page_cpu_us'] / first['page_cpu_us']:.2f} times as much.")


COLUMNS = {"puts_per_s": "puts/s", "get_us": "get, p50 µs", "get_p99_us": "p99 µs", "get_cpu_us": "CPU µs", "page_us": "page of 100, p50 µs",
           "page_cpu_us": "CPU µs", "memory_mb": "memory, MB", "disk_mb": "disk, MB", "amplification": "bytes written / bytes put",
           "open_ms": "recovery, ms"}


def part(text, name, rows, columns=COLUMNS, law_text=None):
    """A table for the page."""
    return {"text": text, "head": [name, *columns.values()], "law": law_text,
            "rows": [[size if isinstance(size, str) else f"{size:,}", *(found.get(column) for column in columns)]
                     for size, found in rows]}


def steps(folder, shapes):
    """Steps of one store by their size. What a step left is recovered by the next one, and at last by one that adds nothing."""
    rows = [(size, step(folder, **shape)) for size, shape in shapes.items()]
    last = list(shapes.values())[-1]
    after = step(folder, **last | {"from": last["to"], "tables_from": last.get("tables", 1), "reads": 100})
    for (_, found), (_, following) in zip(rows, [*rows[1:], (0, after)]):
        found["open_ms"] = following["open_ms"]
    return rows


def grow_items(work, most):
    """10^4 to 10^most items in partitions of 100."""
    sizes = [10 ** power for power in range(4, most + 1)]
    return steps(work / "items", {size: {"from": before, "to": size, "tables_from": min(before, 1)}
                                  for before, size in zip([0, *sizes], sizes)})


def grow_tables(work, most):
    sizes = [10 ** power for power in range(6) if 10 ** power <= most]
    return steps(work / "tables", {size: {"to": size * 20, "tables": size, "tables_from": before, "reads": 5_000}
                                   for before, size in zip([0, *sizes], sizes)})


def vary_partition(work, most):
    return [(size, step(work / f"partition-{size}", to=size, per_partition=size))
            for size in (10 ** power for power in range(4, most + 1))]


def vary_indexes(work, items):
    return [(count, step(work / f"indexes-{count}", to=items, indexes=count)) for count in (0, 1, 5, INDEXES_MAX)]


def vary_cache(work):
    """Items of 1 KB: a tenth of the block cache, as much as it holds, and ten times as much."""
    return [(f"{share:g}", step(work / f"cache-{share}", to=int(BLOCK_CACHE_BYTES * share / 1024), bytes=1000))
            for share in (0.1, 1, 10)]


def chart(file, title, unit, rows, fields):
    return {"file": file, "title": title, "unit": unit, "logarithmic": False, "series": list(fields.values()),
            "rows": [{"name": f"{size:,}", "values": [found[field] for field in fields]} for size, found in rows]}


def run(options, work):
    most = 5 if options.quick else options.max
    items = grow_items(work, most)
    tables = grow_tables(work, 100 if options.quick else TABLES_MAX)
    partition = vary_partition(work, min(most, 6))
    indexes = vary_indexes(work, 5_000 if options.quick else 50_000)
    cache = vary_cache(work)
    idle = connections.measure(work, 1_000 if options.quick else 9_900)
    put_columns = {"puts_per_s": "puts/s", "put_cpu_us": "CPU µs of a put", "amplification": "bytes written / bytes put",
                   "get_us": "get, p50 µs", "disk_mb": "disk, MB"}
    return {
        "parts": [
            part("Items of about 70 bytes in partitions of 100, written in batches of 25 by one thread, in an embedded store with "
                 "`Durability::kOs`:", "items", items, law_text=law("items", items)),
            part("Tables of 20 items each:", "tables", tables,
                 {"create_table_ms": "CreateTable, ms", "get_us": "get, p50 µs", "get_cpu_us": "CPU µs", "memory_mb": "memory, MB",
                  "disk_mb": "disk, MB", "open_ms": "recovery, ms"}, law("tables", tables)),
            part("One partition:", "items in it", partition, {name: COLUMNS[name] for name in (
                "puts_per_s", "get_us", "get_cpu_us", "page_us", "page_cpu_us")}, law("items in a partition", partition)),
            part("Indexes of everything, each by another attribute:", "indexes", indexes, put_columns,
                 f"{INDEXES_MAX} indexes cost {indexes[-1][1]['put_cpu_us'] / indexes[0][1]['put_cpu_us']:.1f} times the CPU of none."),
            part("Items of 1 KB, by how many times the block cache of 16 MB they fill:", "times the cache", cache,
                 {name: COLUMNS[name] for name in ("get_us", "get_p99_us", "get_cpu_us", "page_us", "memory_mb")}),
            part("GetItem on 16 connections of a server that has others, which are idle:", "idle connections", idle,
                 {"requests_per_s": "requests/s", "p50_ms": "p50 ms", "p99_ms": "p99 ms", "cpu_us": "CPU µs", "memory_mb": "memory, MB"}),
        ],
        "charts": [chart("query.svg", "CPU time of a read, by the size of the table", "microseconds; embedded store on disk", items,
                         {"get_cpu_us": "one item", "page_cpu_us": "page of 100 items"}),
                   chart("scale-memory.svg", "Memory and disk, by the size of the table", "MB, logarithmic; embedded store", items,
                         {"memory_mb": "memory", "disk_mb": "disk"}) | {"logarithmic": True}],
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--max", type=int, default=6, choices=range(4, 9), help="up to 10^N items (default: 6)")
    parser.add_argument("--quick", action="store_true", help="up to 10^5 items and 100 tables")
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE")
    options = parser.parse_args()
    folder = ROOT / "build/bench"
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="scale-", dir=folder) as work:
        result = {"machine": describe_machine(folder) | {"rocksdb": rocksdb_of(PROGRAM)}, **run(options, pathlib.Path(work))}
    if options.json:
        options.json.write_text(json.dumps(result, indent=1) + "\n")


if __name__ == "__main__":
    main()

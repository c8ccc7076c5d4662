"""What RocksDB alone does on this disk: the figure that synchronous writes over the wire are held against.

It is measured by `sync_writers_raw` in bench/storage_bench.cc: 64 threads, each of which commits values of 1 KB one
after the other, every commit on disk before the next; data below $TMPDIR.
"""

import json
import os
import statistics
import subprocess

from programs import ROOT, Unavailable

RAW = "raw-rocksdb"  # Its name in the tables.
STORAGE_BENCH = ROOT / "build/release/bin/storage_bench"
RUN_S_MAX = 120


def raw_sync_writes_per_second(folder):
    """The median of the benchmark's repetitions, with its data in `folder`."""
    if not STORAGE_BENCH.exists():
        raise Unavailable(f"there is no {STORAGE_BENCH}")
    command = [STORAGE_BENCH, "--benchmark_filter=^sync_writers_raw/", "--benchmark_repetitions=1",
               "--benchmark_format=json"]
    try:
        done = subprocess.run(command, env=os.environ | {"TMPDIR": str(folder)}, cwd=folder, capture_output=True,
                              text=True, timeout=RUN_S_MAX, check=True)
        # The program may print lines of its own after the JSON.
        answer, _ = json.JSONDecoder().raw_decode(done.stdout)
        return statistics.median(one["items_per_second"] for one in answer["benchmarks"]
                                 if one["run_type"] == "iteration")
    except (OSError, subprocess.SubprocessError, ValueError, LookupError) as problem:
        raise Unavailable(f"storage_bench: {problem!r}") from problem

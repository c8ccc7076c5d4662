"""What RocksDB alone does on this disk: the figure that synchronous writes over the wire are held against.

It is measured by bench/storage_bench.cc, of which this expects one benchmark whose name holds "raw" and "sync" (in any case)
and the number of writers, as in `raw_sync_put/real_time/threads:64`; which counts its writes with SetItemsProcessed, goes by
the wall clock (UseRealTime) and keeps its data below $TMPDIR.
"""

import json
import os
import re
import subprocess

from servers import ROOT, Unavailable

RAW = "raw-rocksdb"  # Its name in the tables.
STORAGE_BENCH = ROOT / "build/release/bin/storage_bench"
RUN_S_MAX = 120


def sync_writes_per_s(writers, seconds, folder):
    """Synchronous writes of 1 KB a second by so many writers whose data is in `folder`."""
    if not STORAGE_BENCH.exists():
        raise Unavailable(f"there is no {STORAGE_BENCH.relative_to(ROOT)}")

    def ask(*flags):
        return subprocess.run([STORAGE_BENCH, *flags], env=os.environ | {"TMPDIR": str(folder)}, cwd=folder,
                              capture_output=True, text=True, timeout=RUN_S_MAX, check=True).stdout

    try:
        name = next((line for line in ask("--benchmark_list_tests").splitlines() if is_raw_sync(line, writers)), None)
        if name is None:
            raise Unavailable(f"storage_bench has no benchmark of {writers} raw synchronous writers")
        answer = ask(f"--benchmark_filter=^{re.escape(name)}$", f"--benchmark_min_time={seconds}",
                     "--benchmark_format=json")
        return json.loads(answer)["benchmarks"][0]["items_per_second"]
    except (OSError, subprocess.SubprocessError, ValueError, LookupError) as problem:
        raise Unavailable(f"storage_bench: {problem!r}") from problem


def is_raw_sync(name, writers):
    lower = name.lower()
    return all(part in lower for part in ("raw", "sync", "real_time")) and re.search(rf"\b{writers}\b", lower)

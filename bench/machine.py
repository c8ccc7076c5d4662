"""The machine that a benchmark ran on, in words for its results."""

import datetime
import os
import pathlib
import platform
import subprocess


def rocksdb_of(program):
    """The RocksDB of a program of Dolmen, in words."""
    linked = subprocess.run(["ldd", program], capture_output=True, text=True).stdout
    return "Debian's RocksDB" if "librocksdb.so" in linked else "RocksDB without assertions"


def describe_machine(folder):
    """`folder` is where the data goes."""
    models = [line.split(":")[1].strip() for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines()
              if line.startswith("model name")]
    kind = subprocess.run(["stat", "-f", "-c", "%T", folder], capture_output=True, text=True).stdout.strip()
    return {
        "time": datetime.datetime.now().astimezone().isoformat(timespec="seconds"),
        "cpu": models[0] if models else platform.machine(),
        "cores": os.cpu_count(),
        "memory_gb": round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9),
        "kernel": platform.release(),
        "file_system": kind,
        "load_before": os.getloadavg()[0],
    }

#!/usr/bin/env python3
"""Measures keys, tokens and queries of entities beside the published JavaScript package, in turns, and says how many
times less CPU Dolmen takes for each. BELOW marks a ratio that misses its goal, which is not a failure; a package that
cannot be had is skipped."""

import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
BINARY = pathlib.Path(os.environ.get("DOLMEN_BIN", ROOT / "build/release/bin/dolmen")).with_name("entity_bench")
PACKAGE = pathlib.Path(os.environ.get("DOLMEN_PEERS", ROOT / "build/peers")) / "entity-manager"
GOALS = {"add_keys": 20, "dehydrate_and_compress": 15, "query/16_number": 8, "query/16_text": 8,
         "query/256_number": 8, "query/256_text": 8, "query/1024_number": 8, "query/1024_text": 8}
UNITS = {"ns": 1e-3, "us": 1, "ms": 1e3, "s": 1e6}


def measure_dolmen():
    report = json.loads(subprocess.run([BINARY, "--benchmark_format=json", "--benchmark_min_time=0.05"], check=True,
                                       capture_output=True, text=True).stdout)
    times = {entry["name"].removesuffix("/manual_time"): entry["real_time"] * UNITS[entry["time_unit"]]
             for entry in report["benchmarks"]}
    times["add_keys"] /= 1000  # It measures a thousand.
    return times


def measure_package():
    return json.loads(subprocess.run(["node", pathlib.Path(__file__).with_name("package.mjs"), PACKAGE], check=True,
                                     capture_output=True, text=True).stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--json", help="write the figures to this file")
    options = parser.parse_args()
    if not shutil.which("node") or not (PACKAGE / "node_modules").is_dir():
        print("skipped: the entity manager for JavaScript (node or the package is missing; see tools/fetch_peers)")
        return 0
    best = {name: {} for name in GOALS}
    for _ in range(options.rounds):
        for who, measured in (("dolmen", measure_dolmen()), ("package", measure_package())):
            for name in GOALS:
                best[name][who] = min(measured[name], best[name].get(who, measured[name]))
    print(f"{'case':24} {'dolmen us':>12} {'package us':>12} {'times':>8} {'goal':>6}")
    for name, goal in GOALS.items():
        times = best[name]["package"] / best[name]["dolmen"]
        best[name]["times"] = times
        print(f"{name:24} {best[name]['dolmen']:12.2f} {best[name]['package']:12.2f} {times:8.1f} {goal:6}"
              f"{'  BELOW' if times < goal else ''}")
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(best, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())

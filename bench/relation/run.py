#!/usr/bin/python3
"""Measures the delete of large families, and kills one again and again.

    bench/relation/run.py --resources 100000 --kills 10

First deletes of growing families, alone and in a table with many other resources: the time must grow with the family and
not with the table. Then a delete that is killed (kill -9) at random moments and resumed; what is left is counted."""

import argparse
import json
import pathlib
import random
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Cascade:
    def __init__(self, program, folder):
        self.program, self.data = program, str(folder)

    def command(self, action, *more):
        return [self.program, action, "--data", self.data, *map(str, more)]

    def run(self, action, *more):
        done = subprocess.run(self.command(action, *more), stdin=subprocess.DEVNULL, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"{action}: {done.stderr}")
        return json.loads(done.stdout) if done.stdout else None

    def killed(self, seconds):
        """True when the delete was killed before its end."""
        process = subprocess.Popen(self.command("delete"), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        try:
            process.wait(seconds)
            return False
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            return True


def measure(program, resources, beside):
    with tempfile.TemporaryDirectory(prefix="dolmen-cascade-") as folder:
        cascade = Cascade(program, folder)
        cascade.run("build", "--resources", resources, "--beside", beside)
        done = cascade.run("delete")
        left = cascade.run("count")
        print(f"{resources:>8} resources beside {beside:>7}: {done['seconds']:7.2f} s  "
              f"{done['resources'] / done['seconds']:8.0f} resources/s  {done['memoryMb']} MB  "
              f"{left['nodes']} records left", flush=True)
        return left["nodes"] == 0 and done["resources"] == resources


def kill_often(program, resources, kills, seed):
    random.seed(seed)
    with tempfile.TemporaryDirectory(prefix="dolmen-cascade-") as folder:
        cascade = Cascade(program, folder)
        cascade.run("build", "--resources", resources)
        before = cascade.run("count")
        longest, done = 2.0, 0
        start = time.monotonic()
        while done < kills:
            if not cascade.killed(random.uniform(0.05, longest)):
                break
            done += 1
        last = cascade.run("delete") if done == kills else None
        left = cascade.run("count")
        print(f"{resources} resources, killed {done} times (seed {seed}), {time.monotonic() - start:.1f} s in all; "
              f"records before {before}, after {left}; the last run deleted {last and last['here']}; in all {last}")
        return (left["nodes"] == 0 and left == {"nodes": 0, "Resource": 2} and last is not None
                and last["resources"] == resources and last["edges"] == resources - 1)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default=str(ROOT / "build/release/bin/relation_cascade"))
    parser.add_argument("--resources", type=int, default=100_000)
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    options = parser.parse_args()
    good = all([measure(options.program, options.resources // 10, 0),
                measure(options.program, options.resources // 10, options.resources),
                measure(options.program, options.resources, 0),
                kill_often(options.program, options.resources, options.kills, options.seed)])
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()

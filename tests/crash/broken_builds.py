#!/usr/bin/python3
"""Shows that the tests notice a broken store: builds one with deliberate defects (src/base/broken.h), and lets each be caught.

    tests/crash/broken_builds.py [DEFECT...] [--json FILE]

The build in build/release has to be finished; the broken programs are made beside it, in build/broken. Prints for each defect what
caught it and what that said. Exit status 1 when one was not caught, or when the build without a defect was accused.
"""

import argparse
import json
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))

from variants import Build  # noqa: E402

WORK = ROOT / "build/broken"
SOURCES = ["src/storage/rocks_writer.cc", "src/storage/commit_queue.cc", "src/engine/item_write.cc"]
# Killing a process loses nothing that the operating system has, so a missing sync needs a power failure, which the tests of storage
# simulate. All else is seen from outside.
TORTURE = ["tests/crash/torture.py", "--store", "served", "--cycles", "20", "--seed", "1"]
POWER_LOSS = ["bin/storage_store_test", "--gtest_brief=1", "--gtest_filter=PowerCut.*"]
CATCHERS = {
    "none": [TORTURE, POWER_LOSS],
    "skip-sync": [POWER_LOSS],
    "answer-before-commit": [TORTURE],
    "drop-index-write": [TORTURE],
    "lose-stream-record": [TORTURE],
    "forget-count": [TORTURE],
    "keep-deleted-vector": [TORTURE],
}


def build():
    made = Build()
    objects = [made.compile(group, group.read_text(), WORK / f"{group.stem}.o", flags=["-DDOLMEN_BROKEN_BUILD"])
               for group in sorted({made.group_of(source) for source in SOURCES})]
    for program in ("dolmen", "storage_store_test"):
        made.link(program, objects, WORK / "bin" / program)


def caught(command, defect):
    """What the program says about the defect; None when it is content."""
    if command[0].startswith("bin/"):
        command = [str(WORK / command[0]), *command[1:]]
    environment = os.environ | {"DOLMEN_BIN": str(WORK / "bin/dolmen")} | ({} if defect == "none" else {"DEFECT_OF_DOLMEN": defect})
    done = subprocess.run(command, cwd=ROOT, env=environment, text=True, capture_output=True, stdin=subprocess.DEVNULL)
    if done.returncode == 0:
        return None
    said = re.search(r"VIOLATION in cycle \d+: .*|\[  FAILED  \] .*", done.stdout)
    if not said or "does not open" in said.group(0):
        sys.exit(f"{command[0]} failed by itself, not because of {defect}: {(done.stdout + done.stderr)[-2000:]}")
    return said.group(0)[:300]


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("defects", nargs="*", help=f"of {', '.join(CATCHERS)} (default: all)")
    parser.add_argument("--json", type=pathlib.Path)
    options = parser.parse_args()
    build()
    good, told = True, {}
    for defect in options.defects or CATCHERS:
        for command in CATCHERS[defect]:
            said = caught(command, defect)
            good = good and (said is not None) == (defect != "none")
            print(f"{defect}: {'not caught' if said is None else 'caught'} by {command[0]}{'' if said is None else f': {said}'}", flush=True)
            told[f"{defect} by {command[0]}"] = said
    if options.json:
        options.json.write_text(json.dumps(told, indent=1))
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()

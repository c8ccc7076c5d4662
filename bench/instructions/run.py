#!/usr/bin/python3
"""Counts the instructions that a server takes for a request, with callgrind, and compares them with those that are kept.

Instructions are the same from run to run within about a percent, whatever else the machine does, so that a change that makes a
request more expensive is noticed. One connection, one network thread, everything in memory.

  run.py                  count, compare with kept.json; status 1 when a scenario takes more than the tolerance allows
  run.py --update WHAT    count, and keep the result with a few words on what changed; writes docs/instructions.md again
  run.py get put          only these scenarios
Environment:
  DOLMEN_BIN    the dolmen program (default: build/release/bin/dolmen)
"""

import argparse
import contextlib
import datetime
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.append(str(ROOT / "tests/system"))
import counted  # noqa: E402
from connection import Connection  # noqa: E402
from dolmen_server import encode  # noqa: E402

KEPT = HERE / "kept.json"
PAGE = ROOT / "docs/instructions.md"
BINARY = os.environ.get("DOLMEN_BIN", str(ROOT / "build/release/bin/dolmen"))
TOLERANCE = 0.10  # Other machines have other instructions for the same work: simdjson and the C library choose by processor.
WARM_UP = 30
START_S = 120


class CountedServer:
    """A server under callgrind."""

    def __init__(self, folder):
        self._folder = folder
        port_file = folder / "port"
        self._process = subprocess.Popen(
            ["valgrind", "--tool=callgrind", "--callgrind-out-file=" + str(folder / "out"), BINARY, "serve", "--memory",
             "--threads", "1", "--port", "0", "--port-file", str(port_file)],
            cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=(folder / "log").open("w"))
        end = time.monotonic() + START_S
        while not port_file.exists() or not port_file.read_text().strip():
            if self._process.poll() is not None or time.monotonic() > end:
                sys.exit("the server does not start under callgrind: " + (folder / "log").read_text()[-2000:])
            time.sleep(0.1)
        self.connection = Connection(int(port_file.read_text()))

    def control(self, *arguments):
        subprocess.run(["callgrind_control", *arguments, str(self._process.pid)], check=True, capture_output=True)

    def count(self, name):
        """The instructions since the last call of `control("--zero")`."""
        before = set(self._folder.glob("out.*"))
        self.control("--dump=" + name)
        dump, = set(self._folder.glob("out.*")) - before
        return int(re.search(r"^(?:totals|summary): (\d+)", dump.read_text(), re.MULTILINE)[1])

    def stop(self):
        self.connection.close()
        self._process.kill()
        self._process.wait()


def measure(server, scenario):
    bodies = [encode(body) for body in scenario.bodies()]

    def send(count):
        for number in range(count):
            server.connection.send(scenario.operation, bodies[number % len(bodies)])
            server.connection.receive()

    send(WARM_UP)
    server.control("--zero")
    send(scenario.requests)
    return round(server.count(scenario.name) / scenario.requests)


def table_of(history):
    """The page: a row for each scenario, a column for each time that counts were kept."""
    lines = ["# Instructions",
             "",
             "How many instructions a server takes for a request, counted by callgrind: one connection, one network thread, everything in",
             "memory. The time of a request varies with the machine and with what else it does; its instructions do not. CI counts them again and",
             f"fails when a request takes {TOLERANCE:.0%} more than the last column. `./dev bench instructions` counts them; after a change that is meant to cost",
             "more or less, `bench/instructions/run.py --update \"what changed\"` keeps the new counts and writes this page.",
             "",
             "| request | " + " | ".join(f"{entry['date']}: {entry['what']}" for entry in history) + " |",
             "|---" * (len(history) + 1) + "|"]
    for scenario in counted.SCENARIOS:
        counts = [entry["counts"].get(scenario.name) for entry in history]
        lines.append(f"| {scenario.name} | " + " | ".join("" if count is None else f"{count:,}" for count in counts) + " |")
    return "\n".join(lines) + "\n"


def compare(counts, kept):
    """Prints a table; the scenarios that take too many instructions."""
    worse = []
    print(f"{'request':24}{'now':>12}{'kept':>12}")
    for name, now in counts.items():
        before = kept.get(name)
        note = "" if before is None else f"{now / before - 1:+8.1%}"
        if before is not None and now > before * (1 + TOLERANCE):
            worse.append(name)
            note += "  too many"
        print(f"{name:24}{now:12,}{before or 0:12,}{note}")
    return worse


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("scenarios", nargs="*", help="only these")
    parser.add_argument("--update", metavar="WHAT", help="keep the counts, with a few words on what changed")
    parser.add_argument("--json", metavar="FILE", help="write the counts to a file")
    options = parser.parse_args()
    names = [scenario.name for scenario in counted.SCENARIOS]
    if unknown := set(options.scenarios) - set(names):
        parser.error(f"{', '.join(sorted(unknown))}: not a scenario; there are {', '.join(names)}")
    if not shutil.which("callgrind_control"):
        print("skipped: instructions (valgrind is not installed)")
        return 0
    history = json.loads(KEPT.read_text()) if KEPT.exists() else []
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        server = CountedServer(pathlib.Path(folder))
        stack.callback(server.stop)
        for operation, body in counted.set_up():
            server.connection.must(operation, body)
        counts = {scenario.name: measure(server, scenario) for scenario in counted.SCENARIOS
                  if not options.scenarios or scenario.name in options.scenarios}
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(counts, indent=1) + "\n")
    worse = compare(counts, history[-1]["counts"] if history else {})
    if options.update:
        date = datetime.datetime.now(datetime.timezone.utc).date().isoformat()
        history.append({"date": date, "what": options.update, "counts": counts})
        KEPT.write_text(json.dumps(history, indent=1) + "\n")
        PAGE.write_text(table_of(history))
        return 0
    if worse:
        print(f"FAILED: {', '.join(worse)} took over {TOLERANCE:.0%} more instructions than what is kept in {KEPT.relative_to(ROOT)}")
    return 1 if worse else 0


if __name__ == "__main__":
    sys.exit(main())

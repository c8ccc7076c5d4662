#!/usr/bin/python3
"""Runs the system tests: every *_test.py beside this file, each in a fresh folder and against the built program.

A test is a program that exits 0 when all is well. A line "skipped: reason" in its output says what it could not do here.
It finds in its environment:
  DOLMEN_BIN    the dolmen program
  DOLMEN_ROOT   the project's root
  DOLMEN_PEERS  the folder where `./dev` puts other implementations; what is missing there is to be skipped
and credentials that are good for nothing, so that no test can reach a real account.

With TEST_SECOND_CHANCE in the environment, a test that failed is run once more. When it passes then, it counts as passed, and what it
said the first time is printed: how threads and processes meet is up to the machine.
"""

import argparse
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

# The system's interpreter, which has the libraries that Debian packages; another one on PATH may not.
PYTHON = "/usr/bin/python3"
ROOT = pathlib.Path(__file__).resolve().parents[2]


def environment(binary, folder):
    return os.environ | {
        "DOLMEN_BIN": str(binary),
        "DOLMEN_ROOT": str(ROOT),
        "DOLMEN_PEERS": str(ROOT / "build/peers"),
        "AWS_ACCESS_KEY_ID": "local",
        "AWS_SECRET_ACCESS_KEY": "local",
        "AWS_DEFAULT_REGION": "us-east-1",
        "AWS_EC2_METADATA_DISABLED": "true",
        "HOME": folder,
        "TMPDIR": folder,
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONUNBUFFERED": "1",
    }


def run(test, binary, timeout_s):
    """Runs one test and whatever it starts; nothing of it is left when this returns. True and its output when it passed."""
    with tempfile.TemporaryDirectory(prefix="dolmen-", ignore_cleanup_errors=True) as folder:
        work = pathlib.Path(folder, "work")
        work.mkdir()
        # A file and not a pipe: a server that outlives its test would keep a pipe open.
        with open(pathlib.Path(folder, "output"), "w+b") as output:
            process = subprocess.Popen([PYTHON, test], cwd=work, env=environment(binary, str(work)),
                                       stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT,
                                       start_new_session=True)
            try:
                passed = process.wait(timeout_s) == 0
                verdict = "" if passed else f"exit status {process.returncode}\n"
            except subprocess.TimeoutExpired:
                passed, verdict = False, f"stopped after {timeout_s} s\n"
            finally:
                end_group(process)
            output.seek(0)
            return passed, output.read().decode(errors="replace") + verdict


def end_group(process):
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()


def main():
    parser = argparse.ArgumentParser(description="Runs the system tests.")
    parser.add_argument("names", nargs="*", help="tests to run, such as crash_test (default: all)")
    parser.add_argument("--binary", type=pathlib.Path, default=ROOT / "build/release/bin/dolmen")
    parser.add_argument("--folder", type=pathlib.Path, default=pathlib.Path(__file__).parent)
    parser.add_argument("--timeout", type=float, default=300, metavar="SECONDS", help="for each test (default: 300)")
    parser.add_argument("--output", action="store_true", help="print also what tests say that pass")
    options = parser.parse_args()

    tests = sorted(options.folder.resolve().glob("*_test.py"))
    unknown = set(options.names) - {test.stem for test in tests}
    if unknown:
        parser.error(f"no such test: {', '.join(sorted(unknown))}")

    passed = failed = skipped = 0
    for test in tests:
        if options.names and test.stem not in options.names:
            continue
        start = time.monotonic()
        good, output = run(test, options.binary.absolute(), options.timeout)
        if not good and os.environ.get("TEST_SECOND_CHANCE"):
            print(f"again {test.stem}: it failed and gets a second chance; the first time it said:")
            print("".join(f"  {line}\n" for line in output.splitlines()), end="", flush=True)
            good, output = run(test, options.binary.absolute(), options.timeout)
        skips = [line for line in output.splitlines() if line.startswith("skipped:")]
        print(f"{'ok' if good else 'FAILED'} {test.stem} ({time.monotonic() - start:.1f} s)")
        shown = skips if good and not options.output else output.splitlines()
        print("".join(f"  {line}\n" for line in shown), end="", flush=True)
        passed, failed, skipped = passed + good, failed + (not good), skipped + len(skips)
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()

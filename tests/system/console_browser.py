"""Opens the pages of the web console in Chromium: the tests of console/e2e, driven by Node.js. Shared by console_*_test.py."""

import os
import pathlib
import re
import shutil
import subprocess

from dolmen_server import ROOT, PATIENCE_S, Server

CONSOLE = ROOT / "console"
NODE_MIN = 20
# Tests of console/e2e that run together; console_pages_test.py has all others, so that none is forgotten.
DATA = ("tables", "query", "auth")
MODELS = ("models", "entities", "documents", "relations", "leases")
EVERY_PAGE = ("small", "keyboard")
ROBUST = ("robust",)


def has_console():
    """Whether the program was built with the console."""
    with Server() as server:
        return "console at " in server.greeting


def run_in_console(*command, timeout_s):
    """Runs a command in console/; its output. Fails unless it succeeds."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("AWS_")}
    done = subprocess.run(command, cwd=CONSOLE, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, timeout=timeout_s)
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(command)} ended with {done.returncode}\n{done.stdout[-20000:]}")
    return done.stdout


def missing():
    """What this machine lacks to open the pages; empty when it has everything."""
    if not shutil.which("chromium"):
        return "there is no chromium (packages of the group console)"
    if not shutil.which("node"):
        return "there is no node (package nodejs)"
    version = re.match(r"v(\d+)", subprocess.run(["node", "--version"], capture_output=True, text=True).stdout)
    if not version or int(version.group(1)) < NODE_MIN:
        return f"driving the browser needs Node.js {NODE_MIN}"
    if not (CONSOLE / "node_modules/playwright-core").exists():
        return "npm has not fetched the packages of the console"
    return "" if has_console() else "the server was built without the console"


def all_names():
    return sorted(path.name.removesuffix(".test.mjs") for path in CONSOLE.glob("e2e/*.test.mjs"))


def open_pages(*names):
    """Runs the tests e2e/NAME.test.mjs, or says why not. Measurements that they print are printed."""
    if lack := missing():
        return print(f"skipped: {lack}")
    out = run_in_console("node", "--test", "--test-concurrency=1", *(str(pathlib.Path("e2e", f"{name}.test.mjs")) for name in names),
                         timeout_s=20 * PATIENCE_S)
    for line in re.findall(r"^# (to the end of .*|bundle .*)$", out, re.M):
        print(line)

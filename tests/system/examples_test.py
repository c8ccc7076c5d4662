#!/usr/bin/python3
"""The examples in Python and JavaScript do what they say, each against a server of its own; those in C++ are tests of
CMake. No example is longer than a newcomer reads."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

from dolmen_server import PATIENCE_S, ROOT, Server, clean_environment

EXAMPLES = ROOT / "examples"
LINES_MAX = 150
PEERS = pathlib.Path(os.environ.get("DOLMEN_PEERS", ROOT / "build/peers"))
MODULES = PEERS / "aws-sdk-js/node_modules"
NEWEST = PEERS / "aws-sdk-js-newest/node_modules"


class ExamplesTest(unittest.TestCase):
    def run_example(self, command, promised):
        with Server() as server:
            # Some take the server's address as an argument, others as the SDKs do.
            environment = clean_environment(os.devnull) | {"AWS_ENDPOINT_URL_DYNAMODB": server.url}
            done = subprocess.run([*command, server.url], env=environment, stdin=subprocess.DEVNULL,
                                  capture_output=True, text=True, timeout=2 * PATIENCE_S)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn(promised, done.stdout)

    def test_boto3(self):
        self.run_example([sys.executable, EXAMPLES / "notes_boto3.py"], "bob has written 20 notes, the last at 57")

    def run_javascript(self, name, modules, promised):
        if not shutil.which("node") or not (modules / "@aws-sdk/lib-dynamodb").exists():
            print(f"skipped: examples/{name} (there is no node, or no AWS SDK for JavaScript; tools/fetch_peers fetches it)")
            return
        with tempfile.TemporaryDirectory() as folder:
            # Where `npm install` would put the SDK.
            (pathlib.Path(folder) / "node_modules").symlink_to(modules)
            self.run_example(["node", shutil.copy(EXAMPLES / name, folder)], promised)

    def test_javascript(self):
        self.run_javascript("notes.mjs", MODULES, "the stream has 22 changes, 1 of them a removal")

    def test_vectors_in_javascript(self):
        self.run_javascript("semantic_search.mjs", NEWEST, "  0.632  dolmen: A dolmen is an old grave of upright stones")

    def test_the_programs_in_cpp_work_on_a_server(self):
        """In CMake they run in memory."""
        programs = pathlib.Path(os.environ.get("DOLMEN_BIN", ROOT / "build/release/bin/dolmen")).parent
        for name, promised in [("notes", "found: set in stone"), ("relations", "too late"), ("changes", "REMOVE apples"),
                               ("totals", "worth 35"), ("secrets", "in the table: a map of 4 attributes"),
                               ("semantic_search", "0.513  bread: Bread is baked at home")]:
            program = programs / f"example_{name}"
            with self.subTest(name):
                if not program.exists():
                    print(f"skipped: {program.name} (it is not built)")
                    continue
                self.run_example([program], promised)

    def test_examples_are_short(self):
        sources = [path for path in EXAMPLES.iterdir() if path.suffix in (".cc", ".h", ".py", ".mjs", ".c")]
        self.assertGreater(len(sources), 10)
        for path in sources:
            self.assertLess(len(path.read_text().splitlines()), LINES_MAX + 1, path.name)


if __name__ == "__main__":
    unittest.main()

#!/usr/bin/python3
"""Runs the conformance tests of Store against servers: a Dolmen server, and others as foreign endpoints. What each of
those lacks is in tests/engines/lacks.json. engines_test.py does the same, and more, with the newest of them."""

import json
import os
import pathlib
import subprocess
import unittest

from dolmen_server import BINARY, ROOT, Server
from foreign_servers import Dynalite, DynamoDbLocal

PROGRAM = pathlib.Path(BINARY).with_name("store_conformance")
LACKS = json.loads((ROOT / "tests/engines/lacks.json").read_text())
TIMEOUT_S = 120


class StoreConformanceTest(unittest.TestCase):
    def run_against(self, url, lacking=()):
        command = [PROGRAM, "--gtest_brief=1", "--store", url]
        if lacking:
            command.append("--gtest_filter=-" + ":".join(entry["test"] for entry in lacking))
        finished = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=TIMEOUT_S,
                                  env=os.environ)
        self.assertEqual(finished.returncode, 0, finished.stdout + finished.stderr)

    def run_foreign(self, kind, name):
        missing = kind.why_missing()
        if missing:
            print(f"skipped: {kind.name} ({missing})")
            return
        with kind() as server:
            self.run_against(server.url, [lack for lack in LACKS[name] if lack["suite"] == "store"])

    def test_a_dolmen_server(self):
        with Server() as server:
            self.run_against(server.url)

    def test_dynalite(self):
        self.run_foreign(Dynalite, "dynalite")

    def test_dynamodb_local(self):
        self.run_foreign(DynamoDbLocal, "DynamoDB Local 1.25.1")


if __name__ == "__main__":
    unittest.main()

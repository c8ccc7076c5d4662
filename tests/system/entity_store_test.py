#!/usr/bin/python3
"""Runs the tests of entities against servers: what they find is the same wherever the table is."""

import pathlib
import subprocess
import unittest

from dolmen_server import BINARY, Server
from foreign_servers import DynamoDbLocal

PROGRAM = pathlib.Path(BINARY).with_name("entity_store_test")
TIMEOUT_S = 120


class EntityStoreTest(unittest.TestCase):
    def run_against(self, url, *options):
        finished = subprocess.run([PROGRAM, "--gtest_brief=1", "--store", url, *options], stdin=subprocess.DEVNULL,
                                  capture_output=True, text=True, timeout=TIMEOUT_S)
        self.assertEqual(finished.returncode, 0, finished.stdout + finished.stderr)

    def test_a_dolmen_server(self):
        with Server() as server:
            self.run_against(server.url, "--gtest_filter=-*every_page_size*")

    def test_dynamodb_local(self):
        missing = DynamoDbLocal.why_missing()
        if missing:
            print(f"skipped: {DynamoDbLocal.name} ({missing})")
            return
        with DynamoDbLocal() as server:
            # It has no vector indexes.
            self.run_against(server.url, "--gtest_filter=-*every_page_size*:EntityVectorsTest.*")


if __name__ == "__main__":
    unittest.main()

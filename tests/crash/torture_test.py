#!/usr/bin/python3
"""A short dose of tests/crash/torture.py: one run that is the same every time, and new ones of every kind of store. `./dev crash`
gives larger doses."""

import os
import pathlib
import random
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from actor import Book, item_size  # noqa: E402
from stores import Violation  # noqa: E402

SEED = int(os.environ.get("DOLMEN_SEED", random.SystemRandom().randrange(1 << 32)))


class TortureTest(unittest.TestCase):
    def torture(self, kind, seed, cycles):
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([sys.executable, str(HERE / "torture.py"), "--store", kind, "--seed", str(seed), "--cycles", str(cycles),
                                   "--folder", folder], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)
        print(done.stdout, end="", flush=True)
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn(f"{cycles} kills and ", done.stdout)

    def test_a_server_keeps_its_promises(self):
        self.torture("served", 1, 15)
        self.torture("served", SEED, 15)

    def test_an_embedded_store_keeps_its_promises(self):
        self.torture("embedded", SEED, 10)

    def test_a_store_that_is_served_and_embedded_by_turns_keeps_its_promises(self):
        self.torture("mixed", SEED, 10)


class BookTest(unittest.TestCase):
    def settle(self, rows, pending, found):
        book = Book()
        book.rows, book.pending = dict(rows), pending
        book.settle(found, "somebody")
        return book.rows

    def test_a_write_without_an_answer_may_be_there_or_not(self):
        change = {"a": 2, "b": None}
        self.assertEqual(self.settle({"a": 1, "b": 1}, [change], {"a": 2}), {"a": 2})
        self.assertEqual(self.settle({"a": 1, "b": 1}, [change], {"a": 1, "b": 1}), {"a": 1, "b": 1})

    def test_a_write_that_is_there_in_part_is_a_violation(self):
        for found in ({"a": 2, "b": 1}, {"a": 1}):
            with self.assertRaisesRegex(Violation, "in part"):
                self.settle({"a": 1, "b": 1}, [{"a": 2, "b": None}], found)

    def test_what_was_acknowledged_and_is_not_there_is_a_violation(self):
        for rows, found in (({"a": 1}, {}), ({"a": 1}, {"a": 0}), ({}, {"a": 1})):
            with self.assertRaisesRegex(Violation, "a is "):
                self.settle(rows, [], found)

    def test_sizes_are_those_of_dynamodb(self):
        self.assertEqual(item_size({"pk": {"S": "ab"}, "n": {"N": "1200"}, "s": {"SS": ["x", "yz"]}}), 2 + 2 + 1 + 2 + 1 + 3)


if __name__ == "__main__":
    print(f"seed {SEED}; DOLMEN_SEED={SEED} repeats it", flush=True)
    unittest.main()

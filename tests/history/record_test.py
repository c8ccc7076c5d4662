#!/usr/bin/python3
"""A short dose of tests/history/record.py; `./dev crash` gives larger ones."""

import os
import pathlib
import random
import subprocess
import sys
import unittest

SEED = int(os.environ.get("DOLMEN_SEED", random.SystemRandom().randrange(1 << 32)))


class RecordTest(unittest.TestCase):
    def test_histories_with_kills_are_linearisable_and_serialisable(self):
        done = subprocess.run([sys.executable, str(pathlib.Path(__file__).with_name("record.py")), "--histories", "15", "--seed", str(SEED)],
                              text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)
        print(done.stdout, end="", flush=True)
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn("15 histories", done.stdout)


if __name__ == "__main__":
    print(f"seed {SEED}; DOLMEN_SEED={SEED} repeats it", flush=True)
    unittest.main()

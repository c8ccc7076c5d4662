#!/usr/bin/python3
"""Every deliberate defect is caught (tests/crash/broken_builds.py)."""

import os
import pathlib
import subprocess
import sys
import unittest


class BrokenBuildsTest(unittest.TestCase):
    def test_every_defect_is_caught_and_nothing_else_is_accused(self):
        # The programs are made from the build that is tested.
        if not pathlib.Path(os.environ["DOLMEN_BIN"]).parents[1].joinpath("compile_commands.json").exists():
            print("skipped: the program that is tested was not built here")
            return
        done = subprocess.run([sys.executable, str(pathlib.Path(__file__).with_name("broken_builds.py"))], text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)
        print(done.stdout, end="", flush=True)
        self.assertEqual(done.returncode, 0, done.stdout)


if __name__ == "__main__":
    unittest.main()

#!/usr/bin/env python3
"""Tests of tests/system/run.py, the runner of the system tests."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import unittest

RUNNER = pathlib.Path(__file__).resolve().parents[1] / "tests/system/run.py"


class SystemRunner(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def write(self, name, text):
        pathlib.Path(self.folder.name, name).write_text(text)

    def run_tests(self, *arguments, second_chance=""):
        run = subprocess.run([sys.executable, RUNNER, "--folder", self.folder.name, *arguments], capture_output=True, text=True,
                             env=os.environ | {"AWS_ACCESS_KEY_ID": "real", "TEST_SECOND_CHANCE": second_chance})
        self.assertEqual(run.stderr, "")
        return run.returncode, re.sub(r" \([0-9.]+ s\)", "", run.stdout).splitlines()

    def test_counts_what_passed_failed_and_was_skipped(self):
        self.write("a_test.py", "print('quiet'); print('skipped: no peer')")
        self.write("b_test.py", "print('loud'); raise SystemExit(3)")
        self.write("helper.py", "raise SystemExit(1)")
        self.assertEqual(self.run_tests(), (1, ["ok a_test", "  skipped: no peer", "FAILED b_test", "  loud",
                                                "  exit status 3", "1 passed, 1 failed, 1 skipped"]))
        self.assertEqual(self.run_tests("a_test")[0], 0)

    def test_a_second_chance_is_given_once_and_told(self):
        been = pathlib.Path(self.folder.name, "been")
        self.write("a_test.py", f"import pathlib\nbeen = pathlib.Path({str(been)!r})\nprint('in here')\n"
                                "if not been.exists():\n    been.touch()\n    raise SystemExit(3)\n")
        again = "again a_test: it failed and gets a second chance; the first time it said:"
        self.assertEqual(self.run_tests(second_chance="1"),
                         (0, [again, "  in here", "  exit status 3", "ok a_test", "1 passed, 0 failed, 0 skipped"]))
        been.unlink()
        self.assertEqual(self.run_tests()[0], 1)
        self.write("a_test.py", "raise SystemExit(3)")
        self.assertEqual(self.run_tests(second_chance="1"),
                         (1, [again, "  exit status 3", "FAILED a_test", "  exit status 3", "0 passed, 1 failed, 0 skipped"]))

    def test_an_empty_folder_passes(self):
        self.assertEqual(self.run_tests(), (0, ["0 passed, 0 failed, 0 skipped"]))

    def test_every_test_has_a_fresh_folder_and_false_credentials(self):
        for name in ("a_test.py", "b_test.py"):
            self.write(name, "import os\nassert os.listdir() == [] and os.environ['HOME'] == os.getcwd()\n"
                             "assert os.environ['AWS_ACCESS_KEY_ID'] == 'local'\n"
                             "assert os.environ['DOLMEN_BIN'] == '/bin/true', os.environ['DOLMEN_BIN']\n"
                             "open('left', 'w')\n")
        self.assertEqual(self.run_tests("--binary", "/bin/true"),
                         (0, ["ok a_test", "ok b_test", "2 passed, 0 failed, 0 skipped"]))

    def test_a_test_that_hangs_is_stopped(self):
        self.write("a_test.py", "print('waiting'); import signal; signal.pause()")
        self.assertEqual(self.run_tests("--timeout", "0.5"),
                         (1, ["FAILED a_test", "  waiting", "  stopped after 0.5 s", "0 passed, 1 failed, 0 skipped"]))

    def test_a_server_left_behind_is_ended(self):
        left = pathlib.Path(self.folder.name, "pid")
        self.write("a_test.py", "import subprocess\n"
                                f"open({str(left)!r}, 'w').write(str(subprocess.Popen(['sleep', '1000']).pid))\n")
        self.assertEqual(self.run_tests()[0], 0)
        deadline = time.monotonic() + 10
        while pathlib.Path("/proc", left.read_text()).exists() and not self.is_zombie(left.read_text()):
            self.assertLess(time.monotonic(), deadline, "the server still runs")

    def is_zombie(self, pid):
        try:
            return " Z " in pathlib.Path("/proc", pid, "stat").read_text()
        except OSError:
            return True


if __name__ == "__main__":
    unittest.main()

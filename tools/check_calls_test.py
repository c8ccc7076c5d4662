#!/usr/bin/env python3
"""Shows that tools/check_calls reports the calls that tools/calls.txt forbids, and nothing else."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

CHECKER = pathlib.Path(__file__).resolve().parent / "check_calls"
RULES = "# Calls.\nstrtod:\nclock::now: base\nsystem_clock::now: base\nrandom_device: base\n"


class CheckCalls(unittest.TestCase):
    def check(self, files):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in ({"tools/calls.txt": RULES} | files).items():
                path = pathlib.Path(folder, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            run = subprocess.run([sys.executable, CHECKER, "--root", folder], capture_output=True, text=True)
        return run.returncode, run.stdout.splitlines()

    def test_a_forbidden_call_is_named_with_its_place(self):
        self.assertEqual(self.check({"src/value/a.cc": "\ndouble d = std::strtod(text, nullptr);\n"}),
                         (1, ["src/value/a.cc:2: calls strtod, which tools/calls.txt allows nobody"]))

    def test_a_call_is_allowed_in_its_room_alone(self):
        text = "auto n = std::chrono::system_clock::now();\nauto r = std::random_device{}();\n"
        self.assertEqual(self.check({"src/base/a.cc": text})[0], 0)
        code, lines = self.check({"include/dolmen/a.h": text})
        self.assertEqual(code, 1)
        self.assertEqual(len(lines), 2)

    def test_the_clock_of_files_is_a_clock(self):
        self.assertEqual(self.check({"src/isr/a.cc": "auto n = fs::file_time_type::clock::now();"})[0], 1)

    def test_tests_comments_texts_members_and_steady_clocks_are_left_alone(self):
        self.assertEqual(self.check({
            "src/value/a_test.cc": "strtod(x);",
            "src/value/test_b.h": "strtod(x);",
            "src/value/c.cc": '// strtod(x)\nauto s = "strtod(x)"; y.strtod(x); my_strtod(x); const int n = 1\'000;\n'
                              "auto t = std::chrono::steady_clock::now();\n"}),
            (0, ["calls: 4 names, 1 files, in order"]))


if __name__ == "__main__":
    unittest.main()

#!/usr/bin/python3
"""`dolmen scenario run --driver`: the example drivers carry scenarios out against a server, and drivers that do it
wrong, or do not keep to the protocol, are found out."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import unittest

from dolmen_server import BINARY, PATIENCE_S, ROOT, Server, clean_environment

PEERS = pathlib.Path(os.environ.get("DOLMEN_PEERS", ROOT / "build/peers"))
MODULES = PEERS / "aws-sdk-js/node_modules"
ESBUILD = PEERS / "esbuild/node_modules/.bin/esbuild"
PYTHON = ROOT / "examples/drivers/driver.py"
TYPESCRIPT = ROOT / "examples/drivers/driver.ts"


def judge(server, driver, *more, scenarios="contract"):
    """What the suite says of a driver: its exit code, and for each scenario its verdict and why."""
    done = subprocess.run([BINARY, "scenario", "run", "--models", "contract/models", "--scenarios", str(scenarios),
                           "--endpoint", server.url, "--driver", str(driver), "--json", *more],
                          cwd=ROOT, env=clean_environment(os.devnull) | {"NODE_PATH": str(MODULES)}, text=True,
                          stdin=subprocess.DEVNULL, capture_output=True, timeout=4 * PATIENCE_S)
    report = json.loads(done.stdout)
    verdict = lambda each: "ok" if each["passed"] else "skip" if each["skipped"] else "FAIL"
    return done.returncode, {each["name"].removeprefix("dolmen."): (verdict(each), each["message"])
                             for each in report.get("scenarios", [])}, report


def compiled():
    """The driver in TypeScript as a command; nothing when it cannot be had here, with the reason."""
    if not shutil.which("node"):
        return None, "there is no node (package nodejs)"
    if not (MODULES / "@aws-sdk/client-dynamodb").exists() or not ESBUILD.exists():
        return None, "there is no AWS SDK for JavaScript or no esbuild (tools/fetch_peers fetches them from npm)"
    out = pathlib.Path("driver.cjs").absolute()
    subprocess.run([ESBUILD, TYPESCRIPT, "--platform=node", "--format=cjs", f"--outfile={out}", "--log-level=warning"],
                   check=True)
    return f"node {out}", None


class Examples(unittest.TestCase):
    def assert_passes(self, command, wanted, *more):
        with Server() as server:
            code, verdicts, _ = judge(server, command, *more)
        self.assertEqual([name for name, (verdict, _) in verdicts.items() if verdict == "FAIL"], [], verdicts)
        self.assertEqual(code, 0)
        passed = {name for name, (verdict, _) in verdicts.items() if verdict == "ok"}
        self.assertLessEqual(wanted, passed, verdicts)
        # The rest is skipped for a reason.
        self.assertTrue(all(why for verdict, why in verdicts.values() if verdict == "skip"))

    def test_python(self):
        self.assert_passes(PYTHON, {"cursors", "empty_is_left_out", "json_blobs", "life_of_an_item",
                                    "numbers_are_exact", "operators", "queries", "seeded_by_another",
                                    "times_belong_to_the_library"})

    def test_typescript(self):
        command, missing = compiled()
        if missing:
            print(f"skipped: the driver in TypeScript: {missing}")
            return
        wanted = {"empty_is_left_out", "life_of_an_item", "numbers_are_exact", "seeded_by_another",
                  "times_belong_to_the_library"}
        self.assert_passes(command, wanted)
        # What Python writes, TypeScript reads.
        self.assert_passes(command, {"seeded_by_another"}, "--seed-driver", str(PYTHON))


class Mistakes(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Server().__enter__()

    @classmethod
    def tearDownClass(cls):
        cls.server.__exit__(None, None, None)

    def broken(self, change):
        """The driver in Python with a fault."""
        text = PYTHON.read_text()
        old, new = change
        self.assertIn(old, text)
        path = pathlib.Path("broken.py")
        path.write_text(text.replace(old, new))
        return f"/usr/bin/python3 {path.absolute()}"

    def verdict(self, change, scenario):
        code, verdicts, _ = judge(self.server, self.broken(change), scenarios=f"contract/p0/{scenario}.yml")
        self.assertEqual(code, 1)
        verdict, why = verdicts[scenario]
        self.assertEqual(verdict, "FAIL")
        return why

    def test_an_implementation_that_forgets_the_version_fails(self):
        change = ('clauses = [f"ADD {expressions.name(version)} {expressions.typed({\'N\': \'1\'})}"]', "clauses = []")
        self.assertEqual(self.verdict(change, "life_of_an_item"), "step 5 (get): version is 0, not 1")

    def test_an_implementation_that_returns_something_else_than_it_stored_fails(self):
        change = ('return {"item": self.logical(found["Item"])}',
                  'return {"item": self.logical(found["Item"]) | {"status": "changed"}}')
        self.assertEqual(self.verdict(change, "life_of_an_item"), 'step 3 (get): status is "changed", not "packed"')

    def test_an_implementation_that_keeps_what_is_empty_fails(self):
        change = ("return value in (None,", "return value in (None,) and value in (None,")
        self.assertIn("the stored item has name", self.verdict(change, "empty_is_left_out"))

    def test_a_driver_that_can_do_nothing_has_not_passed(self):
        change = ('known = ("create", "get"', 'known = ("get"')
        code, verdicts, report = judge(self.server, self.broken(change), scenarios="contract/p0/life_of_an_item.yml")
        self.assertEqual((code, report["passed"], report["failed"], report["skipped"]), (1, 0, 0, 1))
        self.assertEqual(verdicts["life_of_an_item"], ("skip", "step 1 (create): the op create"))

    def test_what_is_not_in_the_protocol_is_told(self):
        for script, why in (
                ("import sys; sys.stdin.readline(); print('hello')", "not in the protocol: line 1, column 1: this is not a JSON value"),
                ("import sys; sys.stdin.readline(); print('{\"id\": 7}')", "not in the protocol: its id is not 1"),
                ("import sys; sys.stdin.readline(); print('{\"id\": 1, \"nam\": 2}')", 'not in the protocol: "nam" is not known'),
                ("import sys; sys.stdin.readline(); print('{\"id\": 1}')", "not in the protocol: name must be text"),
                ("pass", "the driver ended without an answer|does not read any more"),
                ("import time; time.sleep(60)", "the driver did not answer within 1000 ms")):
            with self.subTest(script):
                path = pathlib.Path("strange.py")
                path.write_text(script)
                done = subprocess.run([BINARY, "scenario", "run", "--models", "contract/models", "--scenarios",
                                       "contract", "--endpoint", self.server.url, "--driver-timeout", "1", "--driver",
                                       f"/usr/bin/python3 {path.absolute()}"], cwd=ROOT, text=True,
                                      env=clean_environment(os.devnull), stdin=subprocess.DEVNULL, capture_output=True,
                                      timeout=PATIENCE_S)
                self.assertEqual((done.returncode != 0, done.stdout), (True, ""))
                self.assertTrue(re.search(why, done.stderr), done.stderr)

    def test_a_driver_needs_an_endpoint(self):
        done = subprocess.run([BINARY, "scenario", "run", "--models", "contract/models", "--scenarios", "contract",
                               "--driver", "cat"], cwd=ROOT, env=clean_environment(os.devnull), capture_output=True,
                              text=True, timeout=PATIENCE_S)
        self.assertEqual(done.returncode, 2)
        self.assertIn("--endpoint", done.stderr)


if __name__ == "__main__":
    unittest.main()

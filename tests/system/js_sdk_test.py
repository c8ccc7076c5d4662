#!/usr/bin/python3
"""The AWS SDK for JavaScript (v3) works as with AWS: js/*.test.cjs, each against a server of its own."""

import os
import pathlib
import shutil
import subprocess
import unittest

from dolmen_server import PATIENCE_S, ROOT, Server, clean_environment
from model_client import PROGRAM

MODULES = pathlib.Path(os.environ.get("DOLMEN_PEERS", ROOT / "build/peers")) / "aws-sdk-js/node_modules"
NEWEST = MODULES.parents[1] / "aws-sdk-js-newest/node_modules"
FAMILIES = sorted(pathlib.Path(__file__).with_name("js").glob("*.test.cjs"))


class JavaScriptSdkTest(unittest.TestCase):
    def test_each_family_of_operations(self):
        self.assertGreater(len(FAMILIES), 0)
        for family in FAMILIES:
            with self.subTest(family.name), Server() as server:
                environment = clean_environment(os.devnull) | {
                    "DOLMEN_URL": server.url, "SDK_MODULES": str(MODULES), "SDK_NEWEST": str(NEWEST), "MODEL_CLIENT": str(PROGRAM),
                    "MODELS": str(ROOT / "tests/models/user.yml")}
                done = subprocess.run(["node", "--test", "--test-reporter=spec", family], env=environment,
                                      stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=4 * PATIENCE_S)
                self.assertEqual(done.returncode, 0, f"{done.stdout}\n{done.stderr}")


if __name__ == "__main__":
    if not shutil.which("node"):
        print("skipped: there is no node (package nodejs)")
    elif not (MODULES / "@aws-sdk/client-dynamodb-streams").exists():
        print("skipped: there is no AWS SDK for JavaScript (tools/fetch_peers fetches it)")
    else:
        unittest.main()

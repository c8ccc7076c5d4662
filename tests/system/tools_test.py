#!/usr/bin/python3
"""Tools that people already use with DynamoDB work unchanged: ElectroDB, DynamoDB-Toolbox, Dynamoose, OneTable, dynamodb-admin
and PynamoDB, each against a server of its own (tools/). tools/fetch_peers fetches them from npm and PyPI."""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import unittest

from dolmen_server import PATIENCE_S, ROOT, Server, clean_environment

FOLDER = pathlib.Path(__file__).with_name("tools")
PEERS = pathlib.Path(os.environ.get("DOLMEN_PEERS", ROOT / "build/peers"))
MODULES = PEERS / "tools/node_modules"
PYNAMODB = PEERS / "pynamodb"


def node_version():
    said = subprocess.run(["node", "--version"], capture_output=True, text=True, check=True).stdout
    return int(said.strip().lstrip("v").partition(".")[0])


def why_missing(package, node_min=18):
    if not shutil.which("node"):
        return "there is no node (package nodejs)"
    if not (MODULES / package / "package.json").exists():
        return "it is not in build/peers; tools/fetch_peers gets it"
    if node_version() < node_min:
        return f"it needs Node.js {node_min}"
    return None


class ToolsTest(unittest.TestCase):
    def run_tool(self, name, command, environment):
        with Server() as server:
            done = subprocess.run(command, env=clean_environment(os.devnull) | {"DOLMEN_URL": server.url} | environment,
                                  stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=4 * PATIENCE_S)
            self.assertEqual(done.returncode, 0, f"{name}\n{done.stdout}\n{done.stderr}")

    def run_script(self, package, script, node_min=18):
        reason = why_missing(package, node_min)
        if reason:
            print(f"skipped: {package} ({reason})")
            return
        version = json.loads((MODULES / package / "package.json").read_text())["version"]
        self.run_tool(f"{package} {version}", ["node", "--test", "--test-reporter=spec", FOLDER / script],
                      {"TOOL_MODULES": str(MODULES), "PATH": os.environ["PATH"]})

    def test_electrodb(self):
        self.run_script("electrodb", "electrodb.test.cjs")

    def test_dynamodb_toolbox(self):
        self.run_script("dynamodb-toolbox", "dynamodb_toolbox.test.cjs")

    def test_dynamoose(self):
        self.run_script("dynamoose", "dynamoose.test.cjs")

    def test_onetable(self):
        self.run_script("dynamodb-onetable", "onetable.test.cjs")

    def test_dynamodb_admin(self):
        self.run_script("dynamodb-admin", "dynamodb_admin.test.cjs", node_min=20)

    def test_pynamodb(self):
        if not (PYNAMODB / "pynamodb").exists():
            print("skipped: pynamodb (it is not in build/peers; tools/fetch_peers gets it)")
            return
        self.run_tool("pynamodb", [sys.executable, FOLDER / "pynamodb_flow.py"], {"PYTHONPATH": str(PYNAMODB)})


if __name__ == "__main__":
    unittest.main()

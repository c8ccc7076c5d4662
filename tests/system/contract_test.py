#!/usr/bin/python3
"""`dolmen scenario run` and `dolmen model diff`: on every kind of store, and what they say when something is wrong."""

import json
import pathlib
import unittest
import xml.etree.ElementTree

from dolmen_server import ROOT, Server, run
from foreign_servers import DynamoDbLocal

SCENARIOS = sorted((ROOT / "contract").glob("p?/*.yml"))
MODELS = "contract/models"

SCENARIO = """name: "own.wrong"
dms_version: "0.1"
model: "Parcel"
table: {{ name: "parcels_contract" }}
steps:
  - op: create
    item: {{ pk: "P", sk: "S", name: "lamp" }}
    expect: {expect}
"""


class Run(unittest.TestCase):
    def contract(self, *arguments, scenarios="contract"):
        return run("scenario", "run", "--models", MODELS, "--scenarios", str(scenarios), *arguments, cwd=ROOT)

    def assert_all_passed(self, finished):
        self.assertEqual((finished.code, finished.err), (0, ""), finished.out)
        *lines, summary = finished.out.splitlines()
        self.assertEqual(len(lines), len(SCENARIOS))
        self.assertEqual(summary, f"{len(SCENARIOS)} passed, 0 failed")

    def test_in_memory(self):
        self.assert_all_passed(self.contract("--memory"))

    def test_on_disk(self):
        self.assert_all_passed(self.contract("--data", str(pathlib.Path("data").absolute())))

    def test_on_a_server(self):
        with Server() as server:
            self.assert_all_passed(self.contract("--endpoint", server.url))

    def test_on_dynamodb_local(self):
        """What AWS's own program answers is what the scenarios say."""
        if missing := DynamoDbLocal.why_missing():
            print(f"skipped: {missing}")
            return
        with DynamoDbLocal() as server:
            self.assert_all_passed(self.contract("--endpoint", server.url))

    def failure(self, text, *more):
        folder = pathlib.Path("scenarios")
        folder.mkdir(exist_ok=True)
        (folder / "wrong.yml").write_text(text)
        finished = self.contract(*more, scenarios=folder.absolute())
        self.assertEqual(finished.code, 1)
        self.assertEqual(finished.out.splitlines()[-1], "0 passed, 1 failed")
        return finished.out.splitlines()[0]

    def test_unmet_expectations_are_failures(self):
        for expect, why in (
                ('{ error: "ErrConditionFailed" }', "expected ErrConditionFailed, but it succeeded"),
                ("{ ok: false }", "expected a failure, but it succeeded"),
                ('{ item_contains: { name: "desk" } }', 'name is "lamp", not "desk"'),
                ("{ item_contains: { weight: 1 } }", "weight is missing"),
                ('{ item_has_fields: ["weight"] }', "the stored item has no weight"),
                ('{ item_missing_fields: ["name"] }', "the stored item has name"),
                ('{ raw_attribute_types: { name: "N" } }', "name is stored as S, not N"),
                ('{ item_field_equals_var: { name: "unsaved" } }', "no step has saved unsaved")):
            with self.subTest(expect):
                self.assertEqual(self.failure(SCENARIO.format(expect=expect)),
                                 f"FAIL  own.wrong: step 1 (create): {why}")

    def test_a_table_that_the_run_did_not_make_is_left_alone_unless_told(self):
        with Server() as server:
            server.must("CreateTable", {"TableName": "parcels_contract", "BillingMode": "PAY_PER_REQUEST",
                                        "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
                                        "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}]})
            server.must("PutItem", {"TableName": "parcels_contract", "Item": {"pk": {"S": "precious"}}})
            one = ROOT / "contract/p0/life_of_an_item.yml"
            refused = self.contract("--endpoint", server.url, scenarios=one)
            self.assertEqual(refused.code, 1)
            self.assertIn("table parcels_contract exists and was not made by this run, so it was left alone", refused.out)
            kept = server.must("GetItem", {"TableName": "parcels_contract", "Key": {"pk": {"S": "precious"}}})
            self.assertIn("Item", kept)
            told = self.contract("--endpoint", server.url, "--drop-tables", scenarios=one)
            self.assertEqual((told.code, told.out), (0, "ok    dolmen.life_of_an_item\n1 passed, 0 failed\n"))
            self.assertEqual(server.must("ListTables", {})["TableNames"], [])

    def test_a_scenario_that_says_something_unknown_fails(self):
        line = self.failure(SCENARIO.format(expect="{ okay: true }"))
        self.assertIn('wrong.yml: 8:15: "okay" is not allowed here', line)
        self.assertIn('8:15: "count" is not allowed here', self.failure(SCENARIO.format(expect="{ count: 0 }")))
        self.assertIn("the op is not known", self.failure(SCENARIO.format(expect="{}").replace("create", "creat")))
        self.assertIn("no file declares the model Box", self.failure(SCENARIO.format(expect="{}").replace("Parcel", "Box")))

    def test_json_has_the_same_in_it(self):
        finished = self.contract("--json")
        report = json.loads(finished.out)
        self.assertEqual((finished.code, report["passed"], report["failed"]), (0, len(SCENARIOS), 0))
        self.assertEqual({entry["passed"] for entry in report["scenarios"]}, {True})

    def test_junit_has_the_same_in_it(self):
        report = pathlib.Path("report.xml").absolute()
        self.assertEqual(self.contract("--junit", str(report)).code, 0)
        suite = xml.etree.ElementTree.parse(report).getroot().find("testsuite")
        self.assertEqual((suite.get("tests"), suite.get("failures"), suite.get("skipped")), (str(len(SCENARIOS)), "0", "0"))
        self.assertEqual({case.get("classname") for case in suite}, {"p0", "p1", "p2"})
        self.failure(SCENARIO.format(expect='{ item_contains: { name: "<desk>" } }'), "--junit", str(report))
        failure = xml.etree.ElementTree.parse(report).getroot().find("testsuite/testcase/failure")
        self.assertIn('name is "lamp", not "<desk>"', failure.get("message"))

    def test_no_scenarios_are_no_success(self):
        pathlib.Path("empty").mkdir(exist_ok=True)
        finished = self.contract(scenarios=pathlib.Path("empty").absolute())
        self.assertEqual(finished.code, 2)
        self.assertIn("holds no YAML or JSON files", finished.err)

    def test_the_former_name_still_works_and_tells_the_new_one(self):
        finished = run("contract", "run", "--models", MODELS, "--scenarios", SCENARIOS[0], cwd=ROOT)
        self.assertEqual((finished.code, finished.err),
                         (0, 'dolmen: "dolmen contract run" is now called "dolmen scenario run"\n'))
        self.assertIn("1 passed, 0 failed\n", finished.out)

    def test_two_stores_are_a_wrong_question(self):
        self.assertEqual(self.contract("--memory", "--data", "x").code, 2)


class Diff(unittest.TestCase):
    def test_a_table_on_disk_is_compared_with_the_model(self):
        data = str(pathlib.Path("tables").absolute())
        diff = lambda *flags: run("model", "diff", "tests/models/user.yml", "--data", data, *flags, cwd=ROOT)
        nowhere = diff()
        self.assertEqual((nowhere.code, nowhere.out), (1, ""))
        self.assertIn(f'the directory "{data}" does not exist', nowhere.err)
        self.assertFalse(pathlib.Path(data).exists())
        with Server(data=data) as server:
            server.must("CreateTable", {"TableName": "pages", "BillingMode": "PAY_PER_REQUEST",
                                        "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
                                        "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}]})
            self.assertIn("another process", diff().err)
            server.stop()
        self.assertIn("PageMetadata in table pages: no difference\n", diff().out)
        report = json.loads(diff("--json").out)
        self.assertEqual(report["tables"][0], {"models": ["User"], "table": "users",
                                               "differences": ["the table does not exist"]})
        self.assertEqual(report["tables"][1]["differences"], [])

    def test_no_difference_is_success(self):
        data = str(pathlib.Path("same").absolute())
        with Server(data=data) as server:
            server.must("CreateTable", {
                "TableName": "parcels", "BillingMode": "PAY_PER_REQUEST",
                "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"},
                                         {"AttributeName": "sk", "AttributeType": "S"},
                                         {"AttributeName": "status", "AttributeType": "S"},
                                         {"AttributeName": "weight", "AttributeType": "N"}],
                "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
                "GlobalSecondaryIndexes": [{"IndexName": "by-status", "Projection": {"ProjectionType": "ALL"},
                                            "KeySchema": [{"AttributeName": "status", "KeyType": "HASH"},
                                                          {"AttributeName": "weight", "KeyType": "RANGE"}]}]})
            diff = lambda *where: run("model", "diff", "contract/models/parcel.yml", *where, cwd=ROOT)
            finished = diff("--endpoint", server.url)
            self.assertEqual((finished.code, finished.out),
                             (1, "Parcel in table parcels: time to live: wanted ttl, is none\n"))
            server.must("UpdateTimeToLive", {"TableName": "parcels", "TimeToLiveSpecification": {
                "AttributeName": "ttl", "Enabled": True}})
            finished = diff("--endpoint", server.url)
            self.assertEqual((finished.code, finished.out), (0, "Parcel in table parcels: no difference\n"))
            server.stop()
        finished = diff("--data", data)
        self.assertEqual((finished.code, finished.out), (0, "Parcel in table parcels: no difference\n"))

    def test_missing_tables_are_differences(self):
        missing = run("model", "diff", "tests/models/user.yml", "--memory", cwd=ROOT)
        self.assertEqual((missing.code, missing.err), (1, ""))
        self.assertEqual(missing.out, "User in table users: the table does not exist\n"
                                      "PageMetadata in table pages: the table does not exist\n")

    def test_an_endpoint_is_never_taken_for_a_directory(self):
        finished = run("model", "diff", str(ROOT / "tests/models/user.yml"), "--endpoint", "localhost8000")
        self.assertEqual(finished.code, 2)
        self.assertIn('"localhost8000" is not the address of a server; try "http://127.0.0.1:8000"', finished.err)
        self.assertFalse(pathlib.Path("localhost8000").exists())

    def test_a_broken_model_is_told_with_its_places(self):
        finished = run("model", "diff", "tests/models/broken/version.yml", "--memory", cwd=ROOT)
        self.assertEqual(finished.code, 1)
        self.assertIn("tests/models/broken/version.yml:1:14: dms_version must be a string", finished.err)

    def test_a_live_table_is_compared_with_the_model(self):
        with Server() as server:
            diff = lambda: run("model", "diff", "contract/models/parcel.yml", "--endpoint", server.url, cwd=ROOT)
            missing = diff()
            self.assertEqual((missing.code, missing.out), (1, "Parcel in table parcels: the table does not exist\n"))
            server.must("CreateTable", {"TableName": "parcels", "BillingMode": "PAY_PER_REQUEST",
                                        "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
                                        "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}]})
            other = diff()
            self.assertEqual(other.code, 1)
            self.assertIn("Parcel in table parcels: sort key: wanted sk (S), is none\n", other.out)
            self.assertIn("Parcel in table parcels: global index by-status is missing\n", other.out)


if __name__ == "__main__":
    unittest.main()

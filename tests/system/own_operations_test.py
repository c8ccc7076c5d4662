#!/usr/bin/python3
"""Operations of Dolmen's own on a running server: switching the fault lab, looking at backups, verifying stored items against a contract."""

import pathlib
import tempfile
import unittest

from dolmen_server import Server, run

OWN = "Dolmen_20261115."
MODEL = """dms_version: "0.1"
models:
  - name: "Note"
    table: { name: "notes" }
    keys:
      partition: { attribute: "pk", type: "S" }
    attributes:
      - { attribute: "pk", type: "S", required: true, roles: ["pk"] }
      - { attribute: "stars", type: "N", format: "int", optional: true }
"""


def make_notes(server, count=10):
    server.must("CreateTable", {"TableName": "notes", "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
                                "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
                                "BillingMode": "PAY_PER_REQUEST"})
    for number in range(count):
        stars = {"S": "many"} if number % 3 == 0 else {"N": str(number)}
        server.must("PutItem", {"TableName": "notes", "Item": {"pk": {"S": f"n{number}"}, "stars": stars}})


class Faults(unittest.TestCase):
    def test_rules_are_switched_while_the_server_runs(self):
        with Server() as server:
            make_notes(server, 1)
            described = server.must(OWN + "DescribeFaults", {})
            self.assertEqual((described["counts"], "plan" in described), ({}, False))
            plan = {"seed": 7, "rules": [{"fault": "throttle", "operations": ["PutItem"]}]}
            changed = server.must(OWN + "UpdateFaults", {"plan": plan})
            self.assertEqual((changed["seed"], changed["number"], changed["plan"]), (7, 0, plan))
            put = {"TableName": "notes", "Item": {"pk": {"S": "a"}}}
            self.assertEqual(server.call("PutItem", put).type, "ProvisionedThroughputExceededException")
            server.must("GetItem", {"TableName": "notes", "Key": {"pk": {"S": "a"}}})
            self.assertEqual(server.must(OWN + "DescribeFaults", {})["counts"], {"throttle": 1})
            server.must(OWN + "UpdateFaults", {"plan": {"rules": []}})
            server.must("PutItem", put)

    def test_a_plan_that_cannot_be_changes_nothing(self):
        with Server() as server:
            make_notes(server, 1)
            server.must(OWN + "UpdateFaults", {"plan": {"rules": [{"fault": "throttle", "operations": ["PutItem"]}]}})
            for plan in ({"rules": [{"fault": "nonsense"}]}, {"rules": [{"fault": "throttle", "probability": 2}]}, {"rule": []}):
                self.assertEqual(server.call(OWN + "UpdateFaults", {"plan": plan}).status, 400, plan)
            self.assertEqual(server.call(OWN + "UpdateFaults", {}).status, 400)
            self.assertEqual(server.call("PutItem", {"TableName": "notes", "Item": {"pk": {"S": "a"}}}).status, 400)


class Backups(unittest.TestCase):
    def test_backups_are_listed_and_verified(self):
        with tempfile.TemporaryDirectory() as folder:
            backups = pathlib.Path(folder, "backups")
            with Server(pathlib.Path(folder, "data"), ["--backups", str(backups)]) as server:
                make_notes(server)
                self.assertEqual(server.must(OWN + "ListStoreBackups", {}), {"Backups": []})
                made = server.must(OWN + "CreateStoreBackup", {})
                listed = server.must(OWN + "ListStoreBackups", {})["Backups"]
                self.assertEqual([(each["Id"], each["Bytes"], each["Complete"]) for each in listed], [(made["Id"], made["Bytes"], True)])
                self.assertGreater(listed[0]["Created"], 1_700_000_000)
                verified = server.must(OWN + "VerifyStoreBackup", {"Id": made["Id"]})
                self.assertEqual(verified, {"Id": made["Id"], "Problems": []})
                damaged = max((path for path in backups.rglob("*.sst")), key=lambda path: path.stat().st_size)
                damaged.write_bytes(damaged.read_bytes()[:-1])
                problems = server.must(OWN + "VerifyStoreBackup", {"Id": made["Id"]})["Problems"]
                self.assertEqual(len(problems), 1)
                self.assertIn(damaged.name.split(".")[0].split("_")[0], problems[0])
                for wrong in (99, "x", None):
                    self.assertEqual(server.call(OWN + "VerifyStoreBackup", {"Id": wrong}).status, 400, wrong)

    def test_a_server_without_a_place_for_them_says_so(self):
        with Server() as server:
            for operation in ("ListStoreBackups", "VerifyStoreBackup", "CreateStoreBackup"):
                self.assertIn("--backups DIR", server.call(OWN + operation, {"Id": 1} if operation == "VerifyStoreBackup" else {}).message)


class Contracts(unittest.TestCase):
    def walk(self, server, **what):
        checked, keys, start, pages = 0, [], {}, 0
        while True:
            page = server.must(OWN + "VerifyContract", {"table": "notes", "limit": 4} | what | start)
            checked, pages = checked + page["checked"], pages + 1
            self.assertEqual(page["violating"], len(page["items"]))
            keys += [item["key"]["pk"]["S"] for item in page["items"]]
            if "next" not in page:
                return checked, sorted(keys), pages
            start = {"start": page["next"]}

    def test_stored_items_are_looked_at_page_by_page(self):
        with Server() as server:
            make_notes(server)
            definition = {"models": [{"file": "note.yml", "text": MODEL}]}
            checked, keys, pages = self.walk(server, **definition)
            self.assertEqual((checked, keys), (10, ["n0", "n3", "n6", "n9"]))
            self.assertGreaterEqual(pages, 3)
            first = server.must(OWN + "VerifyContract", {"table": "notes"} | definition)["items"][0]
            self.assertEqual(first["kind"], "model Note")
            self.assertEqual([(each["path"], bool(each["rule"]), bool(each["message"])) for each in first["violations"]], [("stars", True, True)])
            server.must(OWN + "BindContract", {"table": "notes", "version": "v1", "mode": "warn"} | definition)
            self.assertEqual(self.walk(server, version="v1")[:2], (10, ["n0", "n3", "n6", "n9"]))

    def test_what_cannot_be_understood_is_refused(self):
        with Server() as server:
            make_notes(server, 1)
            models = [{"file": "note.yml", "text": MODEL}]
            for wrong in ({"table": "notes"}, {"table": "notes", "version": "v9"}, {"table": "none", "models": models},
                          {"table": "notes", "models": models, "limit": 0}, {"table": "notes", "models": models, "limit": 1001},
                          {"table": "notes", "models": models, "version": "v1"}, {"table": "notes", "models": models, "start": {"pk": 1}},
                          {"table": "notes", "models": models, "more": 1}):
                self.assertEqual(server.call(OWN + "VerifyContract", wrong).status, 400, wrong)


class Roles(unittest.TestCase):
    def test_where_keys_are_asked_for_nothing_goes_wrong_on_purpose(self):
        # Refused before anything else: without a key nobody gets as far as the operation.
        with tempfile.TemporaryDirectory() as folder:
            access = pathlib.Path(folder, "access.yaml")
            run("access", "create", "--file", access, "--role", "admin")
            with Server(flags=["--auth", "enforce", "--access", str(access)]) as server:
                self.assertEqual(server.call(OWN + "UpdateFaults", {"plan": {"rules": []}}).status, 400)


if __name__ == "__main__":
    unittest.main()

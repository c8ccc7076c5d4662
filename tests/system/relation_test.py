#!/usr/bin/python3
"""`dolmen relation`: the walk through docs/relation.md, deletes that are interrupted, and stores of every kind."""

import json
import os
import pathlib
import subprocess
import unittest
import xml.etree.ElementTree

from dolmen_server import BINARY, ROOT, Server, clean_environment, run
from foreign_servers import Dynalite, DynamoDbLocal

TYPES = ROOT / "examples/company.yml"
TORTURE = pathlib.Path(BINARY).with_name("relation_torture")
SYSTEM = "urn:pp:System::main"
ACCOUNT = "urn:pp:System.Account::acme"
TEAM = "urn:pp:System.Account.Team::paint"
JOB = "urn:pp:System.Account.Job::j1"
ADA = "urn:pp:System.User::ada"


class Relation(unittest.TestCase):
    def setUp(self):
        self.store = ["--data", str(pathlib.Path(f"data-{self._testMethodName}").absolute())]

    def relation(self, action, *arguments, types=TYPES):
        return run("relation", action, *arguments, *self.store, *(["--types", types] if types else []))

    def good(self, action, *arguments, **options):
        finished = self.relation(action, *arguments, **options)
        self.assertEqual((finished.code, finished.err), (0, ""), finished.out)
        return finished.out

    def refused(self, code, action, *arguments, **options):
        finished = self.relation(action, *arguments, "--json", **options)
        self.assertEqual((finished.code, finished.err), (1, ""), finished.out)
        self.assertEqual(json.loads(finished.out)["error"], code)

    def json(self, action, *arguments, **options):
        return json.loads(self.good(action, *arguments, "--json", **options))

    def make_company(self):
        self.good("create", "System", "--id", "main", "--set", "name=Company")
        self.good("create", "System.Account", "--id", "acme", "--parent", SYSTEM, "--unique", "name=Acme")
        self.good("create", "System.Account.Team", "--id", "paint", "--parent", ACCOUNT, "--set", "name=<Painters>")
        self.good("create", "System.User", "--id", "ada", "--unique", "email=ada@example.org", "--set", "name=Ada")
        self.good("create", "System.Account.Job", "--id", "j1", "--parent", TEAM, "--unique", "code=J1",
                  "--set", "title=Paint the fence", "--set-json", "hours=1.5")
        self.good("join", ADA, TEAM, "--conveys")

    def test_the_walk_through_the_documentation(self):
        self.make_company()
        self.refused("UniqueViolation", "create", "System.Account", "--id", "copy", "--unique", "name=ACME")
        date = self.json("get", ACCOUNT)["createdAt"][:10]
        self.assertEqual(self.good("tree", SYSTEM), f"""System  Company
└─ System.Account  Acme  created {date}
   └─ System.Account.Team  <Painters>  created {date}
      └─ System.Account.Job  Paint the fence  created {date}
""")
        self.assertEqual(self.good("authorization", ADA).splitlines(), [ADA, TEAM, ACCOUNT, SYSTEM])
        self.assertEqual(self.good("delete", ACCOUNT, "--dry-run"),
                         "would delete 3 resources, 3 edges, 1 memberships, 2 unique values\n")
        self.assertEqual(self.good("delete", ACCOUNT),
                         "deleted 3 resources, 3 edges, 1 memberships, 2 unique values\n")
        self.assertEqual(self.good("verify", "--all"), "3 examined, 0 findings\n")
        self.refused("ResourceNotFound", "get", JOB)

    def test_every_list_and_change(self):
        self.make_company()
        job = self.json("get", JOB)
        self.assertEqual(job["attributes"], {"title": "Paint the fence", "hours": 1.5, "code": "J1"})
        self.assertEqual((job["account"], job["parent"], job["schemaVersion"]), (ACCOUNT, TEAM, 2))
        self.assertEqual(self.json("children", ACCOUNT)["urns"], [TEAM])
        self.assertEqual(self.json("ancestors", JOB)["urns"], [SYSTEM, ACCOUNT, TEAM])
        self.assertEqual([each["urn"] for each in self.json("descendants", SYSTEM)["descendants"]],
                         [ACCOUNT, TEAM, JOB])
        self.assertEqual(self.json("parent", JOB), {"parent": TEAM})
        self.assertEqual(self.json("members", TEAM)["memberships"][0]["member"], ADA)
        self.assertEqual(self.json("collections", ADA)["memberships"][0]["collection"], TEAM)
        self.assertEqual([each["urn"] for each in self.json("account", ACCOUNT)["resources"]], [JOB, TEAM])
        self.assertEqual(len(self.json("account", ACCOUNT, "--type", "System.Account.Job")["resources"]), 1)
        self.assertEqual(self.json("reach", TEAM)["urns"], [TEAM, JOB, ADA])
        self.assertEqual(self.json("find", "System.User", "email", "ADA@example.org")["owner"], ADA)
        self.assertEqual(self.json("values", "System.Account.Job", "code", "--account", ACCOUNT)["values"][0]["owner"], JOB)
        self.assertEqual(self.json("get", JOB, ADA, "urn:pp:System::none")[2], None)

        changed = self.json("update", JOB, "--set", "title=New", "--remove", "hours", "--if-updated-at", job["updatedAt"])
        self.assertEqual(changed["attributes"], {"title": "New", "code": "J1"})
        self.refused("ConditionFailed", "update", JOB, "--set", "title=Old", "--if-updated-at", job["updatedAt"])
        self.assertEqual(self.json("attach", JOB, ACCOUNT), {"changed": True})
        self.refused("Cycle", "attach", ACCOUNT, ACCOUNT)
        self.assertEqual(self.json("detach", JOB), {"changed": True})
        self.assertEqual(self.json("leave", ADA, TEAM), {"changed": True})
        self.good("reserve", "System.User", "email", "boss@example.org")
        self.good("transfer", "System.User", "email", "boss@example.org", "--to", ADA)
        self.assertEqual(self.good("release", "System.User", "email", "nobody@example.org"), "the value is not reserved\n")
        self.refused("ResourceInUse", "delete", ACCOUNT, "--restrict")
        self.assertEqual(self.json("purge", ACCOUNT, "--dry-run")["deleted"]["resources"], 3)
        self.assertEqual(self.json("purge", ACCOUNT)["deleted"]["resources"], 3)
        self.assertEqual(self.json("deletes"), {"jobs": []})
        self.assertEqual(self.json("resume"), {"jobs": []})

    def test_pages(self):
        self.good("create", "System", "--id", "main")
        for i in range(5):
            self.good("create", "System.User", "--id", f"u{i}", "--parent", SYSTEM)
        urns, token = [], ""
        while True:
            page = self.json("children", SYSTEM, "--limit", "2", *(["--token", token] if token else []))
            self.assertLessEqual(len(page["urns"]), 2)
            urns, token = urns + page["urns"], page["token"]
            if not token:
                break
        self.assertEqual(urns, [f"urn:pp:System.User::u{i}" for i in range(5)])
        self.refused("InvalidPageToken", "children", SYSTEM, "--token", "nonsense")

    def test_the_picture_is_svg_with_a_box_for_each(self):
        self.make_company()
        file = pathlib.Path("company.svg").absolute()
        self.good("graph", SYSTEM, "--svg", "--output", file)
        picture = xml.etree.ElementTree.fromstring(file.read_text())
        boxes = [each.text for each in picture.iter("{http://www.w3.org/2000/svg}title")]
        for urn in (SYSTEM, ACCOUNT, TEAM, JOB, ADA):
            self.assertIn(urn, boxes)
        self.assertTrue(self.good("graph", TEAM, "--svg").startswith("<svg "))
        self.assertEqual(len(self.json("graph", SYSTEM)["edges"]), 3)
        self.assertEqual(len(self.json("graph", SYSTEM)["memberships"]), 1)
        self.assertEqual(self.relation("graph", SYSTEM).code, 2)

    def test_older_versions_are_rewritten(self):
        old = pathlib.Path("old.yml").absolute()
        old.write_text(TYPES.read_text().partition("    schema_version: 2")[0])
        self.good("create", "System.Account", "--id", "acme", types=old)
        self.good("create", "System.Account.Job", "--id", "j1", "--parent", ACCOUNT, "--set", "name=Paint", types=old)
        self.assertEqual(self.json("get", JOB)["attributes"], {"title": "Paint", "state": "open"})
        self.assertEqual(self.json("rewrite", "--below", ACCOUNT), {"rewritten": 1, "unchanged": 1})
        self.refused("SchemaVersion", "get", JOB, types=old)

    def test_without_types_every_type_is_taken(self):
        self.good("create", "Any.Type", "--id", "1", "--unique", "name=x", types=None)
        self.refused("UniqueViolation", "create", "Any.Type", "--id", "2", "--unique", "name=x", types=None)
        self.good("update", "urn:pp:Any.Type::1", "--set", "name=y", types=None)
        self.good("create", "Any.Type", "--id", "2", "--unique", "name=x", types=None)

    def test_a_server(self):
        with Server() as server:
            self.store = ["--endpoint", server.url]
            self.make_company()
            self.assertEqual(self.json("delete", SYSTEM)["deleted"]["resources"], 4)

    def test_a_store_without_transactions_is_refused(self):
        if Dynalite.why_missing():
            print(f"skipped: dynalite ({Dynalite.why_missing()})")
            return
        with Dynalite() as server:
            self.store = ["--endpoint", server.url]
            finished = self.relation("create", "System")
            self.assertEqual(finished.code, 1)
            self.assertIn("has no transactions", finished.err)


class Torture(unittest.TestCase):
    def torture(self, url, operations):
        finished = subprocess.run([TORTURE, "--ops", str(operations), "--endpoint", url], stdin=subprocess.DEVNULL,
                                  env=clean_environment(os.devnull), capture_output=True, text=True, timeout=200)
        self.assertEqual(finished.returncode, 0, finished.stdout + finished.stderr)
        self.assertEqual(finished.stdout.splitlines()[-1], f"{operations} operations, 0 violations")

    def test_a_dolmen_server(self):
        with Server() as server:
            self.torture(server.url, 400)

    def test_dynamodb_local(self):
        if DynamoDbLocal.why_missing():
            print(f"skipped: DynamoDB Local ({DynamoDbLocal.why_missing()})")
            return
        with DynamoDbLocal() as server:
            self.torture(server.url, 100)


if __name__ == "__main__":
    unittest.main()

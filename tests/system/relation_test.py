#!/usr/bin/python3
"""`dolmen relation`: the walk through docs/relation.md, deletes that are interrupted, and stores of every kind."""

import json
import os
import pathlib
import random
import signal
import subprocess
import time
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

    def refused(self, code, action, *arguments, status=1, **options):
        finished = self.relation(action, *arguments, "--json", **options)
        self.assertEqual((finished.code, finished.err), (status, ""), finished.out)
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
                         "would delete 3 resources, 3 edges, 1 memberships, 2 unique values\n"
                         "referring to it: 1 children and 2 resources of the account\n")
        deleted = self.relation("delete", ACCOUNT)
        self.assertEqual((deleted.code, deleted.out),
                         (0, "deleted 3 resources, 3 edges, 1 memberships, 2 unique values\n"), deleted.err)
        self.assertEqual(self.good("verify", "--all"), "4 examined, 0 findings\n")
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
        page = self.json("reach", TEAM, "--limit", "2")
        self.assertEqual(self.json("reach", TEAM, "--limit", "2", "--token", page["token"])["urns"], [ADA])
        self.assertEqual(sorted(self.good("list", "--roots").splitlines()), [ADA, SYSTEM])
        self.assertEqual(self.json("list", "--type", "System.Account.Job")["resources"], [job])
        self.assertEqual(self.json("children", TEAM, "--resources")["resources"], [job])
        self.assertEqual(self.good("children", TEAM, "--type", "System.User"), "")
        self.assertEqual(self.good("members", TEAM, "--type", "System.User"), ADA + "\n")
        self.assertEqual(self.json("collections", ADA, "--resources")["resources"][0]["urn"], TEAM)
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

    def test_those_that_refer_to_an_account_are_refused_or_reassigned(self):
        self.make_company()
        other = "urn:pp:System.Account::bolt"
        self.good("create", "System.Account", "--id", "bolt", "--parent", SYSTEM)
        self.refused("ResourceInUse", "delete", ACCOUNT, "--restrict")
        self.refused("InvalidArgument", "delete", ACCOUNT, "--restrict", "--reassign-to", other, status=2)
        self.refused("AccountMismatch", "reassign", JOB, "--account", other)
        self.assertEqual(self.good("reassign", JOB, "--account", other, "--parent", other),
                         f"gave 1 resources to {other}\n")
        self.good("reassign", JOB, "--account", ACCOUNT, "--parent", TEAM)
        plan = self.json("delete", ACCOUNT, "--reassign-to", other, "--dry-run")
        self.assertEqual((plan["deleted"]["resources"], plan["references"]), (1, {"children": 1, "ofAccount": 2}))
        self.assertEqual(self.json("delete", ACCOUNT, "--reassign-to", other)["references"], plan["references"])
        self.assertEqual((self.json("get", JOB)["account"], self.json("get", TEAM)["parent"]), (other, other))
        self.assertEqual(self.json("find", "System.Account.Job", "code", "J1", "--account", other)["owner"], JOB)
        self.assertEqual(self.json("verify", "--all")["findings"], [])

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
        words = [each.text for each in picture.iter("{http://www.w3.org/2000/svg}text")]
        self.assertEqual(words[0], "System Company: 4 resources, 1 other, 1 membership")
        self.assertEqual(words[-3:], ["parent to child", "collection to member", "the same, conveys authorisation"])
        self.assertEqual(len(list(picture.iter("{http://www.w3.org/2000/svg}marker"))), 2)
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


def node_records(node, parent, height):
    """A resource as the program writes it, and the edge to it."""
    urn, time = f"urn:pp:Node::{node}", "2026-11-02T10:15:30.123Z"
    record = {"PK": {"S": f"Resource#{urn}"}, "SK": {"S": f"Resource#{urn}"}, "_recordType": {"S": "Resource"},
              "_resourceType": {"S": "Node"}, "_id": {"S": node}, "urn": {"S": urn}, "_schemaVersion": {"N": "1"},
              "_createdAt": {"S": time}, "_updatedAt": {"S": time}, "_links": {"N": "100" if height else "0"},
              "_memberOf": {"N": "0"}, "_height": {"N": str(height)}}
    if not parent:
        return [record]
    above = f"urn:pp:Node::{parent}"
    edge = {"PK": {"S": f"Parent#{above}"}, "SK": {"S": f"Child#{urn}"}, "parentUrn": {"S": above},
            "childUrn": {"S": urn}, "_recordType": {"S": "ParentChildRelationship"}, "_createdAt": {"S": time}}
    return [record | {"_parentUrn": {"S": above}}, edge]


class Killed(unittest.TestCase):
    """kill -9 in the middle of a delete on disk."""
    ROOT_URN, CHILDREN, GRANDCHILDREN = "urn:pp:Node::root", 30, 40

    def setUp(self):
        self.seed = random.randrange(1 << 32)
        print(f"seed {self.seed}")
        self.random = random.Random(self.seed)
        self.data = pathlib.Path(f"data-{self._testMethodName}").absolute()
        self.store = ["--data", str(self.data)]
        self.build()

    def relation(self, action, *arguments):
        return run("relation", action, *arguments, *self.store)

    def build(self):
        self.assertEqual(self.relation("create", "Other", "--id", "stays").code, 0)
        records = node_records("root", None, 2)
        for i in range(self.CHILDREN):
            records += node_records(f"c{i}", "root", 1)
            for k in range(self.GRANDCHILDREN):
                records += node_records(f"c{i}-{k}", f"c{i}", 0)
        with Server(data=self.data) as server:
            for first in range(0, len(records), 25):
                puts = [{"PutRequest": {"Item": item}} for item in records[first:first + 25]]
                server.must("BatchWriteItem", {"RequestItems": {"system": puts}})
            self.assertEqual(server.stop().code, 0)
        self.assertEqual(json.loads(self.relation("verify", "--all", "--json").out)["findings"], [])

    def killed(self, *arguments):
        """Kills the program when it has said that it deletes. False when it had ended by then."""
        process = subprocess.Popen([BINARY, "relation", *arguments, *self.store], env=clean_environment(os.devnull),
                                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        with process:
            process.stderr.read(1)
            time.sleep(self.random.uniform(0, 0.03))
            process.kill()
            return process.wait() == -signal.SIGKILL

    def expect_whole(self):
        found = self.relation("verify", "--all", "--json", "--no-resume")
        self.assertEqual((found.code, json.loads(found.out)["findings"]), (0, []), found.err)

    def pending(self):
        return json.loads(self.relation("deletes", "--json").out)["jobs"]

    def interrupt(self):
        self.assertTrue(self.killed("delete", self.ROOT_URN), "the delete ended before it was killed")
        self.assertEqual([job["root"] for job in self.pending()], [self.ROOT_URN])
        self.expect_whole()

    def expect_gone(self):
        self.assertEqual(self.pending(), [])
        self.expect_whole()
        self.assertEqual(self.relation("list").out, "urn:pp:Other::stays\n")
        # The resource that stays, and the queue of jobs.
        self.assertEqual(json.loads(self.relation("verify", "--all", "--json").out)["examined"], 2)

    def test_a_delete_that_is_killed_again_and_again_is_resumed(self):
        self.interrupt()
        for _ in range(3):
            if not self.killed("resume"):
                break
            self.expect_whole()
        self.assertEqual(self.relation("resume").code, 0)
        self.expect_gone()

    def test_whoever_opens_the_store_next_completes_it(self):
        self.interrupt()
        shown = self.relation("get", "urn:pp:Other::stays")
        self.assertEqual(shown.code, 0)
        self.assertIn(f"cascade of {self.ROOT_URN}", shown.err)
        self.expect_gone()

    def test_a_watcher_completes_what_others_left_at_a_server(self):
        self.interrupt()
        with Server(data=self.data, flags=["--no-resume"]) as server:
            watcher = subprocess.Popen([BINARY, "relation", "resume", "--watch", "--interval", "1", "--json",
                                        "--endpoint", server.url], env=clean_environment(os.devnull), text=True,
                                       stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            with watcher:
                self.assertEqual(json.loads(watcher.stdout.readline())["root"], self.ROOT_URN)
                watcher.send_signal(signal.SIGTERM)
                self.assertEqual((watcher.wait(), watcher.stderr.read()), (0, ""))
            self.assertEqual(server.stop().code, 0)
        self.expect_gone()


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

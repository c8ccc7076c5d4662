#!/usr/bin/python3
"""`dolmen model apply`, `diff`, `compat` and `check` of folders, with several models on one table; and `contract bind
--dry-run`, on Dolmen and on servers that know nothing of contracts."""

import json
import pathlib
import re
import unittest

import boto3

from dolmen_server import Server, run
from foreign_servers import DynamoDbLocal

KEY = 'keys: { partition: { attribute: "pk", type: "S" } }'
MODELS = {
    "users.yml": f"""dms_version: "0.1"
models:
  - name: "User"
    table: {{ name: "shared" }}
    {KEY}
    attributes:
      - {{ attribute: "pk", type: "S", required: true }}
      - {{ attribute: "email", type: "S" }}
      - {{ attribute: "name", type: "S", required: true }}
    indexes: [{{ name: "by-email", type: "GSI", partition: {{ attribute: "email", type: "S" }} }}]
""",
    "sessions.yml": f"""dms_version: "0.1"
models:
  - name: "Session"
    table: {{ name: "shared" }}
    {KEY}
    attributes:
      - {{ attribute: "pk", type: "S", required: true }}
      - {{ attribute: "owner", type: "S" }}
      - {{ attribute: "ends", type: "N", roles: ["ttl"] }}
    indexes: [{{ name: "by-owner", type: "GSI", partition: {{ attribute: "owner", type: "S" }} }}]
""",
}


class Tables(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.folder = pathlib.Path(f"models-{self.id().rpartition('.')[2]}").absolute()
        self.folder.mkdir()
        for name, text in MODELS.items():
            (self.folder / name).write_text(text)

    def model(self, verb, *arguments):
        return run("model", verb, *arguments)

    def test_check_takes_folders(self):
        checked = self.model("check", self.folder)
        self.assertEqual((checked.code, checked.out), (0, "2 models in 2 files, no errors\n"))
        (self.folder / "wrong.yml").write_text("dms_version: 1\n")
        checked = self.model("check", self.folder, self.folder / "users.yml")
        self.assertEqual(checked.code, 1)
        self.assertIn(f"{self.folder}/wrong.yml:1:14: error: ", checked.out)
        empty = pathlib.Path("empty")
        empty.mkdir(exist_ok=True)
        self.assertEqual(self.model("check", empty).code, 1)

    def test_diff_and_apply_look_at_the_union_of_the_models(self):
        with Server() as server:
            self.check_union(server, "Session, User in table shared")

    def test_the_same_on_dynamodb_local(self):
        if missing := DynamoDbLocal.why_missing():
            print(f"skipped: {missing}")
            return
        with DynamoDbLocal() as server:
            self.check_union(server, "Session, User in table shared")

    def check_union(self, server, who):
        at = ("--endpoint", server.url)
        users = self.folder / "users.yml"
        self.assertEqual(self.model("apply", users, *at)[:2], (0, "table shared: create the table\n"))
        self.assertEqual(self.model("diff", users, *at)[:2], (0, "User in table shared: no difference\n"))
        differs = self.model("diff", self.folder, *at)
        self.assertEqual(differs.code, 1)
        self.assertEqual(differs.out, f"{who}: global index by-owner is missing\n"
                                      f"{who}: time to live: wanted ends, is none\n")
        dry = self.model("apply", self.folder, "--dry-run", *at)
        self.assertEqual((dry.code, dry.out), (0, "table shared: would add global index by-owner\n"
                                                  "table shared: would set the time to live to ends\n"))
        self.assertEqual(self.model("diff", self.folder, *at).code, 1, "a dry run changes nothing")
        report = json.loads(self.model("apply", self.folder, "--json", *at).out)
        self.assertEqual(report, {"applied": True, "impossible": [], "changes": [
            {"table": "shared", "change": "add global index by-owner"},
            {"table": "shared", "change": "set the time to live to ends"}]})
        self.assertEqual(self.model("diff", self.folder, *at)[:2], (0, f"{who}: no difference\n"))
        self.assertEqual(self.model("apply", self.folder, *at)[:2], (0, "nothing to change\n"))
        # What one model does not need is another's.
        self.assertEqual(self.model("apply", users, *at)[:2], (0, "nothing to change\n"))

    def test_what_cannot_be_changed_is_told_and_nothing_is_changed(self):
        with Server() as server:
            at = ("--endpoint", server.url)
            self.model("apply", self.folder / "users.yml", *at)
            changed = MODELS["sessions.yml"].replace(KEY, 'keys: { partition: { attribute: "owner", type: "S" } }')
            (self.folder / "users.yml").unlink()
            (self.folder / "sessions.yml").write_text(changed)
            done = self.model("apply", self.folder, *at)
            self.assertEqual(done.code, 1)
            self.assertIn("impossible: table shared: partition key: wanted owner (S), is pk (S)\n", done.out)
            self.assertIn("table shared: would add global index by-owner\n", done.out)
            table = server.must("DescribeTable", {"TableName": "shared"})["Table"]
            self.assertEqual([each["IndexName"] for each in table["GlobalSecondaryIndexes"]], ["by-email"])

    def test_models_that_cannot_share_a_table_are_told(self):
        (self.folder / "sessions.yml").write_text(
            MODELS["sessions.yml"].replace(KEY, 'keys: { partition: { attribute: "owner", type: "S" } }'))
        done = self.model("diff", self.folder, "--memory")
        self.assertEqual(done.code, 1)
        self.assertIn("models Session and User cannot share a table: the key of table shared", done.err)

    def test_on_disk_as_well(self):
        data = pathlib.Path("applied").absolute()
        self.assertEqual(self.model("apply", self.folder, "--data", data)[:2], (0, "table shared: create the table\n"))
        self.assertEqual(self.model("diff", self.folder, "--data", data).code, 0)

    def test_compat_says_what_breaks_readers_and_writers(self):
        new = pathlib.Path("new.yml").absolute()
        new.write_text(MODELS["users.yml"].replace('"email", type: "S" }', '"email", type: "S", required: true }'))
        done = self.model("compat", self.folder / "users.yml", new)
        self.assertEqual((done.code, done.out),
                         (1, "User: breaks writers: attributes.email.required is now required; old writers may leave it out\n"
                             "1 breaking change\n"))
        report = json.loads(self.model("compat", new, self.folder / "users.yml", "--json").out)
        self.assertEqual((report["compatible"], report["changes"][0]["breaks"]), (False, "readers"))
        same = self.model("compat", new, new)
        self.assertEqual((same.code, same.out.split(":")[0]), (0, "compatible"))


class DryRun(unittest.TestCase):
    def check(self, server):
        client = boto3.client("dynamodb", endpoint_url=server.url)
        client.create_table(TableName="drafts", BillingMode="PAY_PER_REQUEST",
                            AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"}],
                            KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}])
        for i in range(30):
            item = {"pk": {"S": f"{i:02}"}} | ({"name": {"S": "x"}} if i % 3 else {})
            client.put_item(TableName="drafts", Item=item)
        models = pathlib.Path("drafts.yml").absolute()
        models.write_text(MODELS["users.yml"])
        bind = lambda *more: run("contract", "bind", "--table", "drafts", "--version", "v1", "--models", models,
                                 "--endpoint", server.url, "--dry-run", *more)
        found = bind()
        self.assertEqual((found.code, found.err), (0, ""))
        *lines, count, nothing = found.out.splitlines()
        self.assertEqual((count, nothing), ("30 stored items were checked; 10 break the contract", "nothing was bound"))
        keys = {re.search(r'pk "(\d+)"', line)[1] for line in lines}
        self.assertEqual(keys, {f"{i:02}" for i in range(0, 30, 3)})
        self.assertTrue(all("name (required): expected S, found nothing" in line for line in lines))
        # Page by page, all of them come once.
        seen, start, pages = [], (), 0
        while True:
            page = json.loads(bind("--limit", "3", "--json", *start).out)
            self.assertLessEqual(len(page["violations"]), 3)
            seen += page["violations"]
            pages += 1
            if "next" not in page:
                break
            start = ("--start", page["next"])
        self.assertEqual(sorted(seen), sorted(lines))
        self.assertGreaterEqual(pages, 4)
        wrong = bind("--start", "nonsense")
        self.assertEqual(wrong.code, 2)
        self.assertIn('--start: "nonsense" is not what an earlier check printed', wrong.err)

    def test_on_dolmen(self):
        with Server() as server:
            self.check(server)
            self.assertEqual(run("contract", "status", "--endpoint", server.url).out, "no table is bound\n")

    def test_on_dynamodb_local_which_knows_no_contracts(self):
        if missing := DynamoDbLocal.why_missing():
            print(f"skipped: {missing}")
            return
        with DynamoDbLocal() as server:
            self.check(server)


if __name__ == "__main__":
    unittest.main()

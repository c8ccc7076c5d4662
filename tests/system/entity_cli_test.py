#!/usr/bin/python3
"""`dolmen entity get|put|update|remove|query|migrate`: entities in a terminal, on a directory and at servers."""

import json
import os
import pathlib
import unittest

from dolmen_server import Server, run
from foreign_servers import DynamoDbLocal

ROOT = pathlib.Path(os.environ["DOLMEN_ROOT"])
YOUNG = """hashKey: pk
rangeKey: sk
entities:
  user:
    timestampProperty: created
    uniqueProperty: userId
generatedProperties:
  unsharded:
    lastNameRK: [lastName, userId]
indexes:
  created: {hashKey: pk, rangeKey: created}
propertyTranscodes: {created: timestamp, lastName: string, userId: string}
"""
# The same with two indexes of names, one of which holds nothing but keys, and, since long ago, 16 shards.
GROWN = YOUNG.replace("    uniqueProperty: userId\n", "    uniqueProperty: userId\n    shardBumps: [{timestamp: 1000, charBits: 4, chars: 1}]\n") \
    .replace("indexes:\n", "indexes:\n  lastName: {hashKey: pk, rangeKey: lastNameRK}\n  onlyKeys: {hashKey: pk, rangeKey: lastNameRK, projections: []}\n") \
    .replace("lastNameRK: [lastName, userId]", "lastNameRK: [lastName, created]")


class EntityCliTest(unittest.TestCase):
    def setUp(self):
        pathlib.Path("young.yml").write_text(YOUNG)
        pathlib.Path("grown.yml").write_text(GROWN)

    def everything(self, *store):
        def entity(verb, *arguments, config="young.yml", code=0):
            finished = run("entity", verb, *arguments, "--config", config, "--table", "people", *store)
            self.assertEqual(finished.code, code, finished.out + finished.err)
            return finished

        made = entity("migrate").out
        self.assertEqual(made, "people is ready: 0 items looked at, 0 changed, 0 moved, 0 refused, 0 indexes added\n")
        for i in range(25):
            name = "Lovelace" if i % 5 == 0 else "Hopper"
            entity("put", "user", json.dumps({"userId": f"u{i}", "created": 900 + 10 * i, "lastName": name, "tags": ["x", i]}))
        self.assertIn("The conditional request failed", entity("put", "user", '{"userId":"u3","created":5}', "--new", code=1).err)
        shown = entity("get", "user", "u3").out
        self.assertEqual(shown, 'created = 930\nlastName = "Hopper"\ntags = ["x",3]\nuserId = "u3"\n')
        item = json.loads(entity("get", "user", "u3", "--json").out)["item"]
        self.assertEqual((item["pk"], item["sk"], item["lastNameRK"]), ("user!", "userId#u3", "lastName#Hopper|userId#u3"))

        # What the table lacks by the new config comes with a migration, and then nothing is left to do.
        grown = json.loads(entity("migrate", "--json", config="grown.yml").out)
        self.assertEqual(grown, {"table": "people", "scanned": 26, "foreign": 1, "changed": 10, "moved": 15, "refused": 0, "indexes": 2})
        self.assertEqual(json.loads(entity("migrate", "--json", config="grown.yml").out)["scanned"], 0)
        self.assertEqual(json.loads(entity("migrate", "--json", "--all", config="grown.yml").out)["changed"], 0)

        now = json.loads(entity("update", "user", "u20", "--set", "lastName=King", "--set-json", "score=7", "--remove", "tags",
                                "--json", config="grown.yml").out)["item"]
        self.assertEqual((now["lastNameRK"], now["score"], "tags" in now), ("lastName#King|created#1100", 7, False))
        moved = json.loads(entity("update", "user", "u20", "--set-json", "created=999", "--json", config="grown.yml").out)["item"]
        self.assertEqual((moved["pk"], now["pk"] == "user!"), ("user!", False))
        self.assertIn("there is nothing to update", entity("update", "user", "u20", config="grown.yml", code=2).err)
        self.assertIn("cannot be updated", entity("update", "user", "u20", "--set", "userId=x", config="grown.yml", code=2).err)
        self.assertEqual(entity("remove", "user", "u20", config="grown.yml").out, "removed\n")
        self.assertEqual(entity("remove", "user", "u20", config="grown.yml").out, "there is no such user\n")
        self.assertEqual(json.loads(entity("get", "user", "u20", "--json", config="grown.yml", code=1).out)["error"], "ItemNotFound")

        self.queries(lambda *arguments, code=0: entity("query", "user", *arguments, config="grown.yml", code=code))

    def queries(self, query):
        table = query("--index", "lastName", "--range", "lastName = Lovelace", "--sort", "-created", "--limit", "100")
        lines = table.out.splitlines()
        self.assertEqual(lines[0].split(), ["userId", "created", "lastName", "tags"])
        self.assertEqual([line.split()[0] for line in lines[1:]], ["u15", "u10", "u5", "u0"])
        self.assertEqual(len({line.index("Lovelace") for line in lines[1:]}), 1, "columns are aligned")
        self.assertEqual(table.err, "4 entities\n")

        # What the keys of an index say is shown although it holds no properties.
        keys = query("--index", "onlyKeys", "--range", "lastName == Lovelace", "--sort", "created").out.splitlines()
        self.assertEqual([line.split() for line in keys[:2]], [["userId", "created", "lastName"], ["u0", "900", "Lovelace"]])
        self.assertIn("it takes =, <, <=, >, >=, between", query("--index", "created", "--range", "created != 5", code=2).err)

        # Page tokens out and in.
        seen, token = [], []
        while True:
            page = json.loads(query("--index", "created", "--limit", "7", "--merge", "--json", *token).out)
            seen += [item["userId"] for item in page["items"]]
            if not page["hasMore"]:
                break
            token = ["--token", page["pageToken"]]
        self.assertEqual(seen, [f"u{i}" for i in range(25) if i != 20])
        told = query("--index", "created", "--limit", "7", "--merge").err
        self.assertRegex(told, r"^7 entities; continue with --token \S+\n$")
        self.assertEqual(query("--index", "created", "--token", "nonsense", code=1).out, "")

        found = json.loads(query("--index", "created", "--range", "created between 950 1000", "--filter", "lastName <> Lovelace",
                                 "--project", "userId", "--all", "--sort", "userId", "--json").out)
        self.assertEqual(found["items"], [{"userId": f"u{i}"} for i in (6, 7, 8, 9)])
        self.assertIn("is made of lastName, created", query("--index", "lastName", "--range", "lastNameRK = x", code=2).err)
        self.assertIn('"created" is not a condition', query("--index", "created", "--range", "created", code=2).err)
        self.assertEqual(query("--index", "created", "--range", "created > 99999").out, "")

    def test_a_directory(self):
        self.everything("--data", "data")

    def test_a_dolmen_server(self):
        with Server() as server:
            self.everything("--endpoint", server.url)

    def test_dynamodb_local(self):
        missing = DynamoDbLocal.why_missing()
        if missing:
            print(f"skipped: {DynamoDbLocal.name} ({missing})")
            return
        with DynamoDbLocal() as server:
            self.everything("--endpoint", server.url)

    def test_what_is_wrong_is_said_before_anything_is_opened(self):
        pathlib.Path("bad.yml").write_text("hashKey: pk\n")
        finished = run("entity", "get", "user", "ada", "--config", "bad.yml", "--table", "people", "--data", "nowhere")
        self.assertEqual(finished.code, 1)
        self.assertIn("bad.yml:1:1", finished.err)
        self.assertFalse(pathlib.Path("nowhere").exists())
        finished = run("entity", "get", "user", "ada", "--config", "young.yml", "--table", "people", "--data", "nowhere")
        self.assertIn('the directory "nowhere" does not exist', finished.err)
        self.assertEqual(run("entity", "get", "user", "ada", "--table", "people").code, 2)


if __name__ == "__main__":
    unittest.main()

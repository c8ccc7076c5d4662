#!/usr/bin/python3
"""Strict documents: `dolmen schema`, `dolmen document` and Dolmen_20261115.*, on disk, on a server and at an endpoint of
DynamoDB."""

import json
import pathlib
import re
import subprocess
import unittest

from dolmen_server import BINARY, ROOT, DidNotStart, Server, create_table, encode, headers_for, read_answer, run
from foreign_servers import DynamoDbLocal

USERS = {
    "schema_id": "users", "schema_version": "v1",
    "fields": {
        "_id": {"type": "string", "required": True},
        "email": {"type": "string", "required": True},
        "age": {"type": "int", "required": False},
    },
}
REF = {"schema_id": "users", "schema_version": "v1"}
FLAGS = ("--schema", "users", "--version", "v1")


def call(server, operation, body):
    connection = server.connection()
    try:
        headers = headers_for(operation) | {"X-Amz-Target": f"Dolmen_20261115.{operation}"}
        connection.request("POST", "/", encode(body), headers)
        return read_answer(connection)
    finally:
        connection.close()


def must(server, operation, body):
    answer = call(server, operation, body)
    assert answer.status == 200, answer.body
    return answer.json()


class OverTheWire(unittest.TestCase):
    def test_documents_live_by_their_schema(self):
        with Server(data=pathlib.Path("data").absolute()) as server:
            self.assertEqual(must(server, "PublishSchema", {"schema": USERS}), REF)
            must(server, "CreateIndex", REF | {"field": "age"})
            for i in range(5):
                must(server, "InsertDocument", REF | {"document": {"_id": f"u{i}", "email": "a@b", "age": 20 + i}})
            self.assertEqual(must(server, "GetDocument", REF | {"_id": "u1"})["document"]["age"], 21)
            must(server, "UpdateDocument", REF | {"document": {"_id": "u1", "email": "new"}})
            self.assertEqual(must(server, "DeleteDocument", REF | {"_id": "u2"})["deleted"], True)
            self.assertEqual(must(server, "DeleteDocument", REF | {"_id": "u2"}), {"deleted": False})
            server.kill()
            server.start()
            self.assertIn("recovered: ", server.greeting)
            question = REF | {"filter": {"age": {"$gte": 0}}, "limit": 2, "sort": [{"field": "age", "order": "desc"}]}
            page = must(server, "QueryDocuments", question)
            self.assertEqual([document["_id"] for document in page["documents"]], ["u4", "u3"])
            page = must(server, "QueryDocuments", question | {"cursor": page["cursor"]})
            self.assertEqual([document["_id"] for document in page["documents"]], ["u0"])
            self.assertEqual(must(server, "ExplainQuery", question)["scan"], "index_range")
            self.assertEqual(must(server, "ListIndexes", REF), {"indexes": [{"field": "age", "state": "ready"}]})
            self.assertEqual(must(server, "DescribeSchema", REF)["schema_id"], "users")

    def test_writers_say_which_revision_they_have_seen(self):
        with Server() as server:
            must(server, "PublishSchema", {"schema": USERS})
            must(server, "PublishSchema", {"schema": USERS | {"schema_version": "v2"}})
            first = must(server, "InsertDocument", REF | {"document": {"_id": "u1", "email": "a"}})["revision"]
            self.assertEqual(must(server, "GetDocument", REF | {"_id": "u1"})["revision"], first)
            update = REF | {"document": {"_id": "u1", "email": "b"}, "expected_revision": first}
            second = must(server, "UpdateDocument", update)["revision"]
            for operation, body in (("UpdateDocument", update), ("MoveDocument", update | {"to_version": "v2"}),
                                    ("DeleteDocument", REF | {"_id": "u1", "expected_revision": first})):
                answer = call(server, operation, body)
                self.assertEqual((answer.status, answer.type), (400, "ConditionalCheckFailedException"), operation)
            page = must(server, "ListDocuments", REF)
            self.assertEqual(page, {"documents": [{"_id": "u1", "email": "b"}], "revisions": [second]})
            question = REF | {"filter": {"_id": "u1"}, "limit": 1}
            self.assertEqual(must(server, "QueryDocuments", question)["revisions"], [second])
            move = update | {"to_version": "v2", "expected_revision": second, "_id": "u1"}
            third = must(server, "MoveDocument", move)["revision"]
            self.assertEqual(call(server, "GetDocument", REF | {"_id": "u1"}).type, "DOCUMENT_NOT_FOUND")
            there = REF | {"schema_version": "v2", "_id": "u1"}
            self.assertEqual(must(server, "GetDocument", there)["revision"], third)
            gone = must(server, "DeleteDocument", there | {"expected_revision": third})
            self.assertEqual(gone, {"deleted": True, "revision": third})
            for body, name in ((move | {"to_version": "v1"}, "QUERY_INVALID"), (move | {"to_version": "v9"}, "UNKNOWN_SCHEMA_VERSION"),
                               (REF | {"document": {}}, "SCHEMA_REQUIRED"), (move, "DOCUMENT_NOT_FOUND"),
                               (move | {"expected_revision": 7}, "QUERY_INVALID")):
                self.assertEqual(call(server, "MoveDocument", body).type, name, body)

    def test_the_openapi_file_lists_the_operations_that_there_are(self):
        listed = re.findall(r"^  /#(\w+):$", (ROOT / "docs/documents-openapi.yaml").read_text(), re.M)
        sources = [(ROOT / f"src/{room}/operations.cc").read_text() for room in ("document", "contract", "entity", "relation")]
        self.assertEqual(sorted(listed), sorted(re.findall(r'{"([A-Z][A-Za-z]+)", \w+}', "".join(sources))))
        with Server() as server:
            for operation in listed:
                self.assertNotEqual(call(server, operation, {"nonsense": 1}).type, "UnknownOperationException")
            self.assertEqual(call(server, "Nonsense", {}).type, "UnknownOperationException")

    def test_errors_have_the_names_of_the_specification_in_one_order(self):
        with Server() as server:
            must(server, "PublishSchema", {"schema": USERS})
            for body, name in (
                    ({}, "SCHEMA_REQUIRED"),
                    ({"schema_id": "users"}, "SCHEMA_REQUIRED"),
                    ({"schema_version": "v1"}, "SCHEMA_REQUIRED"),
                    ({"schema_id": "users", "schema_version": ["v1", "v2"]}, "SCHEMA_REQUIRED"),
                    ({"schema_id": "users", "schema_version": 1}, "UNKNOWN_SCHEMA_VERSION"),
                    ({"schema_id": "users", "schema_version": 1.5}, "SCHEMA_REQUIRED"),
                    ({"schema_id": "orders", "schema_version": "v1", "document": 1}, "UNKNOWN_SCHEMA"),
                    ({"schema_id": "users", "schema_version": "*", "document": 1}, "UNKNOWN_SCHEMA_VERSION"),
                    (REF | {"document": {"_id": "u1", "email": 42, "nick": "x"}}, "SCHEMA_VALIDATION_FAILED"),
                    (REF | {"document": {"_id": "u1", "email": "x"}, "upsert": True}, "QUERY_INVALID")):
                answer = call(server, "InsertDocument", body)
                self.assertEqual((answer.status, answer.type), (400, name), body)
            refused = call(server, "InsertDocument", REF | {"document": {"_id": "u1", "email": 42, "nick": "x"}}).json()
            self.assertEqual([(d["path"], d["rule"]) for d in refused["details"]], [("email", "type"), ("nick", "undeclared")])
            self.assertEqual((refused["code"], refused["invariant"]), ("SCHEMA_VALIDATION_FAILED", "S4"))
            self.assertEqual(call(server, "PublishSchema", {"schema": USERS}).type, "SCHEMA_IMMUTABLE")
            self.assertEqual(call(server, "PublishSchema", {"schema": {"schema_id": "a"}}).type, "SCHEMA_INVALID")
            self.assertEqual(call(server, "GetDocument", REF | {"_id": "u1"}).type, "DOCUMENT_NOT_FOUND")
            self.assertEqual(call(server, "QueryDocuments", REF | {"filter": {"age": 1}, "limit": 1}).type, "QUERY_INVALID")
            self.assertEqual(call(server, "DropEverything", {}).type, "UnknownOperationException")
            self.assertEqual(call(server, "ListSchemas", "{").type, "SerializationException")

    def test_the_part_of_a_query_that_is_wrong_is_named(self):
        with Server() as server:
            must(server, "PublishSchema", {"schema": USERS})
            for body, code, part in (
                    ({"filter": {"nick": 1}, "limit": 1}, "QUERY_INVALID", "filter.nick"),
                    ({"filter": {"age": 1}, "limit": 1}, "QUERY_INVALID", "filter.age"),
                    ({"filter": "{", "limit": 1}, "QUERY_INVALID", "filter"),
                    ({"limit": 1}, "QUERY_INVALID", "filter"),
                    ({"filter": {"_id": "a"}}, "QUERY_INVALID", "limit"),
                    ({"filter": {"_id": "a"}, "limit": "1"}, "QUERY_INVALID", "limit"),
                    ({"filter": {"_id": "a"}, "limit": 1, "sort": "age"}, "QUERY_INVALID", "sort"),
                    ({"filter": {"_id": "a"}, "limit": 1, "cursor": 7}, "QUERY_INVALID", "cursor"),
                    ({"filter": {"_id": "a"}, "limit": 1, "cursor": "x"}, "QUERY_INVALID", "cursor")):
                refused = call(server, "QueryDocuments", REF | body).json()
                self.assertEqual((refused["code"], refused["details"][0]["path"]), (code, part), body)
                self.assertTrue(refused["message"].startswith(part + ": "), refused)
            unknown = call(server, "QueryDocuments", REF | {"filter": {"_id": "a"}, "limit": 1, "colour": 7}).json()
            self.assertEqual((unknown["code"], unknown["details"][0]["path"]), ("QUERY_INVALID", "colour"))
            self.assertEqual(call(server, "QueryDocuments", {"schema_id": "no", "schema_version": "v1", "filter": "{"}).type,
                             "UNKNOWN_SCHEMA")

    def test_versions_can_be_integers_and_indexes_can_be_dropped_and_built_again(self):
        with Server() as server:
            for version, name in ((3, None), (2, "SCHEMA_INVALID"), ("3", "SCHEMA_IMMUTABLE"), (4, None)):
                answer = call(server, "PublishSchema", {"schema": USERS | {"schema_version": version}})
                self.assertEqual(answer.type if name else answer.json()["schema_version"], name or str(version))
            ref = {"schema_id": "users", "schema_version": 3}
            must(server, "InsertDocument", ref | {"document": {"_id": "u1", "email": "x" * 600, "age": 7}})
            self.assertEqual(must(server, "GetDocument", ref | {"schema_version": "3", "_id": "u1"})["document"]["age"], 7)
            refused = call(server, "CreateIndex", ref | {"field": "email"})
            self.assertEqual(refused.type, "SCHEMA_VALIDATION_FAILED")
            self.assertEqual(must(server, "ListIndexes", ref), {"indexes": []})
            must(server, "CreateIndex", ref | {"field": "age"})
            must(server, "RebuildIndex", ref | {"field": "age"})
            self.assertEqual(must(server, "DropIndex", ref | {"field": "age"}), {"dropped": True})
            while must(server, "ListIndexes", ref)["indexes"]:
                pass
            self.assertEqual(must(server, "DropIndex", ref | {"field": "age"}), {"dropped": False})
            self.assertEqual(call(server, "RebuildIndex", ref | {"field": "age"}).type, "QUERY_INVALID")
            must(server, "MoveDocument", ref | {"to_version": 4, "document": {"_id": "u1", "email": "x"}})

    def test_no_client_of_tables_can_reach_the_documents(self):
        with Server() as server:
            must(server, "PublishSchema", {"schema": USERS})
            self.assertEqual(server.must("ListTables", {}), {"TableNames": []})
            for operation, body in (("DescribeTable", {}), ("Scan", {}), ("DeleteTable", {}),
                                    ("PutItem", {"Item": {"pk": {"S": "x"}, "sk": {"B": "AA=="}}})):
                answer = server.call(operation, {"TableName": "dolmen:documents"} | body)
                self.assertEqual((answer.status, answer.type), (400, "ValidationException"), operation)
            with self.assertRaises(AssertionError):
                create_table(server, "dolmen:documents")

    def test_a_changed_schema_file_refuses_the_start(self):
        data = pathlib.Path("refused").absolute()
        with Server(data=data) as server:
            must(server, "PublishSchema", {"schema": USERS})
            must(server, "InsertDocument", REF | {"document": {"_id": "u1", "email": "x"}})
        file = data / "metadata/schemas/schema_users_v1.json"
        published = file.read_bytes()
        file.write_bytes(published.replace(b"email", b"mail_"))
        refused = Server(data=data)
        with self.assertRaisesRegex(DidNotStart, "schema_users_v1.json was changed after it was published"):
            refused.start()
        refused.close()
        file.write_bytes(published)
        with Server(data=data) as server:
            self.assertEqual(must(server, "GetDocument", REF | {"_id": "u1"})["document"]["email"], "x")


class Migrations(unittest.TestCase):
    """`dolmen document migrate` while others write, and when it is killed."""

    def setUp(self):
        self.server = Server()
        self.server.start()
        self.addCleanup(self.server.close)
        for version in ("v1", "v2"):
            must(self.server, "PublishSchema", {"schema": USERS | {"schema_version": version}})

    def insert(self, count):
        lines = [json.dumps({"_id": f"i{i:05}", "email": "x", "age": i}) for i in range(count)]
        pathlib.Path("many.jsonl").write_text("\n".join(lines))
        self.assertEqual(run("document", "import", "many.jsonl", *FLAGS, "--endpoint", self.server.url).code, 0)

    def ids(self, version):
        found, question = [], {"schema_id": "users", "schema_version": version, "limit": 1000}
        while True:
            page = must(self.server, "ListDocuments", question)
            found += [document["_id"] for document in page["documents"]]
            if "cursor" not in page:
                return found
            question["cursor"] = page["cursor"]

    def migrate(self, command):
        return ("document", "migrate", *FLAGS, "--to", "v2", "--endpoint", self.server.url, "--command", command)

    def test_a_migration_that_was_killed_goes_on_with_the_same_command(self):
        count = 2000
        self.insert(count)
        # The command waits for its second page, so that the migration is killed between the two.
        command = "if [ -e paused ]; then touch waiting; while [ ! -e go ]; do sleep 0.05; done; fi; touch paused; cat"
        process = subprocess.Popen([BINARY, *self.migrate(command)], stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while not pathlib.Path("waiting").exists():
            self.assertIsNone(process.poll())
        process.kill()
        process.wait()
        moved, left = self.ids("v2"), self.ids("v1")
        self.assertTrue(moved and left)
        self.assertEqual(sorted(moved + left), [f"i{i:05}" for i in range(count)])
        pathlib.Path("go").touch()
        again = run(*self.migrate(command), "--json")
        self.assertEqual(json.loads(again.out), {"moved": len(left), "gone": 0, "rejected": 0, "dry_run": False})
        self.assertEqual((len(self.ids("v2")), self.ids("v1")), (count, []))

    def test_documents_that_change_meanwhile_are_read_again_and_none_is_lost(self):
        self.insert(10)
        # What the command is given has been read; then others write.
        verb = f"{BINARY} document %s {' '.join(FLAGS)} --endpoint {self.server.url}"
        update = verb % "update" + """ '{"_id":"i00003","email":"new"}'"""
        command = f"[ -e done ] || {{ touch done; {update}; {verb % 'delete'} i00004; }} >&2; cat"
        done = run(*self.migrate(command), "--json")
        self.assertEqual(json.loads(done.out), {"moved": 9, "gone": 1, "rejected": 0, "dry_run": False}, done.err)
        there = {"schema_id": "users", "schema_version": "v2", "_id": "i00003"}
        self.assertEqual(must(self.server, "GetDocument", there)["document"], {"_id": "i00003", "email": "new"})
        self.assertEqual((len(self.ids("v2")), self.ids("v1")), (9, []))


class InATerminal(unittest.TestCase):
    def setUp(self):
        pathlib.Path("users.json").write_text(json.dumps(USERS))

    def everything(self, *store):
        published = run("schema", "publish", "users.json", *store)
        self.assertEqual((published.code, published.out), (0, "published users v1\n"), published.err)
        again = run("schema", "publish", "users.json", *store)
        self.assertEqual(again.code, 1)
        self.assertIn("users v1 has been published", again.err)
        self.assertIn("users v1", run("schema", "list", *store).out)
        self.assertEqual(json.loads(run("schema", "show", "users", "v1", "--json", *store).out)["text"], json.dumps(USERS))
        inserted = run("document", "insert", *FLAGS, '{"_id":"u1","email":"a","age":3}', *store).out
        self.assertRegex(inserted, "^inserted, revision [0-9a-f]{16}\n$")
        expected = ("--expected-revision", inserted.split()[-1])
        updated = run("document", "update", *FLAGS, '{"_id":"u1","email":"b","age":4}', *expected, *store).out
        self.assertRegex(updated, "^updated, revision [0-9a-f]{16}\n$")
        again = run("document", "update", *FLAGS, '{"_id":"u1","email":"c"}', *expected, "--json", *store)
        self.assertEqual((again.code, json.loads(again.out)["error"]), (1, "ConditionFailed"))
        self.assertEqual(run("document", "delete", *FLAGS, "u1", *expected, *store).code, 1)
        got = run("document", "get", *FLAGS, "u1", *store)
        self.assertEqual((got.out, got.err), ('{"_id":"u1","email":"b","age":4}\n', f"revision {updated.split()[-1]}\n"))
        listed = run("document", "list", *FLAGS, *store)
        self.assertEqual((listed.out, listed.err), ('{"_id":"u1","email":"b","age":4}\n', "1 document\n"))
        bad = run("document", "insert", *FLAGS, '{"_id":"u2","email":null}', *store)
        self.assertEqual(bad.code, 1)
        self.assertIn("email: expected string, found null (null)", bad.err)
        self.assertEqual(json.loads(run("document", "get", "u1", "--json", *store).out)["error"], "SCHEMA_REQUIRED")
        self.assertEqual(run("document", "create-index", *FLAGS, "age", *store).code, 0)
        self.import_lines(*store)
        found = run("document", "query", *FLAGS, "--filter", '{"age":{"$gte":4}}', "--sort", "age", "--limit", "2", *store)
        self.assertEqual([json.loads(line)["_id"] for line in found.out.splitlines()], ["i4", "u1"], found.err)
        self.assertIn("--cursor ", found.err)
        plan = run("document", "explain", *FLAGS, "--filter", '{"nick":1}', "--limit", "1", *store)
        self.assertIn('"rejected"', plan.out)
        self.change_indexes(*store)
        self.export(*store)
        self.migrate(*store)
        self.assertEqual(run("document", "delete", *FLAGS, "u1", *store).out, "deleted\n")

    def change_indexes(self, *store):
        again = run("document", "rebuild-index", *FLAGS, "age", *store)
        self.assertEqual((again.code, again.out), (0, "built the index on age again\n"), again.err)
        self.assertEqual(json.loads(run("document", "indexes", *FLAGS, *store).out), {"indexes": [{"field": "age", "state": "ready"}]})
        self.assertEqual(run("document", "drop-index", *FLAGS, "age", *store).out, "dropped the index on age\n")
        self.assertEqual(json.loads(run("document", "indexes", *FLAGS, *store).out), {"indexes": []})
        self.assertEqual(run("document", "drop-index", *FLAGS, "age", *store).out, "there is no index on age\n")
        missing = json.loads(run("document", "rebuild-index", *FLAGS, "age", "--json", *store).out)
        self.assertEqual((missing["error"], missing["details"][0]["path"]), ("QUERY_INVALID", "field"))

    def export(self, *store):
        listed = run("document", "list", *FLAGS, "--limit", "1000", *store).out
        exported = run("document", "export", *FLAGS, *store)
        self.assertEqual((exported.code, exported.out), (0, listed), exported.err)
        pathlib.Path("one.jsonl").unlink(missing_ok=True)
        to_file = run("document", "export", *FLAGS, "--to", "one.jsonl", "--json", *store)
        self.assertEqual(json.loads(to_file.out), {"exported": len(listed.splitlines())})
        self.assertEqual(pathlib.Path("one.jsonl").read_text(), listed)
        self.assertIn("one.jsonl exists", run("document", "export", *FLAGS, "--to", "one.jsonl", *store).err)
        folder = pathlib.Path(f"all-{abs(hash(store))}")
        self.assertEqual(run("document", "export", "--all", "--to", folder, *store).code, 0)
        self.assertEqual(sorted(file.name for file in folder.iterdir()),
                         ["schema_users_v1.json", "schema_users_v2.json", "users_v1.jsonl", "users_v2.jsonl"])
        self.assertEqual((folder / "users_v1.jsonl").read_text(), listed)
        self.assertEqual((folder / "schema_users_v1.json").read_text(), json.dumps(USERS))
        self.assertEqual(run("document", "export", "--all", *store).code, 2)

    def migrate(self, *store):
        fields = dict(USERS["fields"], active={"type": "bool", "required": True})
        fields["mail"] = fields.pop("email")
        pathlib.Path("users3.json").write_text(json.dumps(USERS | {"schema_version": "v3", "fields": fields}))
        self.assertEqual(run("schema", "publish", "users3.json", *store).code, 0)
        all_of = lambda version: [json.loads(line) for line in run(
            "document", "list", "--schema", "users", "--version", version, "--limit", "1000", *store).out.splitlines()]
        before = all_of("v1")
        migrate = ("document", "migrate", *FLAGS, "--to", "v3", *store)
        pathlib.Path("to_v3.yml").write_text("rename: {email: mail}\nadd: {active: true}\n")
        pathlib.Path("bad.yml").write_text("rename: {email: post}\n")
        bad = run(*migrate, "--mapping", "bad.yml")
        self.assertEqual(bad.code, 1)
        self.assertIn("bad.yml:1:17: users v3 has no field post", bad.err)
        dry = run(*migrate, "--mapping", "to_v3.yml", "--dry-run")
        self.assertEqual((dry.code, dry.out), (0, f"{len(before)} would move, 0 gone, 0 rejected\n"), dry.err)
        self.assertEqual(all_of("v1"), before)
        unfit = json.loads(run(*migrate, "--dry-run", "--rejected", "unfit.jsonl", "--json").out)
        self.assertEqual(unfit, {"moved": 0, "gone": 0, "rejected": len(before), "dry_run": True})
        pathlib.Path("some.py").write_text(
            "import json, sys\n"
            "for line in sys.stdin:\n"
            "    document = json.loads(line)\n"
            "    if document['_id'] != 'u1':\n"
            "        document['mail'] = document.pop('email')\n"
            "        document['active'] = document['age'] > 20\n"
            "    print(json.dumps(document))\n")
        some = "/usr/bin/python3 some.py"
        moved = run(*migrate, "--command", some, "--rejected", "unfit.jsonl")
        self.assertEqual((moved.code, moved.out), (1, f"{len(before) - 1} moved, 0 gone, 1 rejected; see unfit.jsonl\n"), moved.err)
        self.assertIn(f"users v1 to v3  {len(before)} documents", moved.err)
        rejected = json.loads(pathlib.Path("unfit.jsonl").read_text())
        self.assertEqual((rejected["_id"], [r["path"] for r in rejected["reasons"]]), ("u1", ["active", "email", "mail"]))
        self.assertEqual([d["_id"] for d in all_of("v1")], ["u1"])
        self.assertIn({"_id": "i30", "mail": "x", "age": 30, "active": True}, all_of("v3"))
        on = json.loads(run(*migrate, "--mapping", "to_v3.yml", "--json").out)
        self.assertEqual(on, {"moved": 1, "gone": 0, "rejected": 0, "dry_run": False})
        away = ("document", "migrate", "--schema", "users", "--version", "v3", "--to", "v1", *store)
        few = run(*away, "--command", "head -n 1")
        self.assertEqual(few.code, 1)
        self.assertIn(f"has printed 1 lines for {len(before)} documents", few.err)
        self.assertIn('"false" has failed with status 1', run(*away, "--command", "false").err)
        self.assertEqual(len(all_of("v3")), len(before))
        back = run("document", "move", "--schema", "users", "--version", "v3", "--to", "v1", '{"_id":"u1","email":"b"}', *store)
        self.assertRegex(back.out, "^moved, revision [0-9a-f]{16}\n$")

    def import_lines(self, *store):
        lines = [json.dumps({"_id": f"i{i}", "email": "x", "age": i}) for i in range(40)]
        lines[7] = '{"_id":"i7","email":7}'
        lines[8] = "not JSON"
        lines[9] = '{"_id":"u1","email":"taken"}'
        pathlib.Path("users.jsonl").write_text("\n".join(lines) + "\n\n")
        nothing = run("document", "import", "users.jsonl", *FLAGS, "--all-or-none", *store)
        self.assertEqual((nothing.code, nothing.out),
                         (1, "0 imported, 0 unchanged, 3 rejected; see users.jsonl.rejected.jsonl\n"), nothing.err)
        self.import_all_or_none(*store)
        done = run("document", "import", "users.jsonl", *FLAGS, *store)
        self.assertEqual((done.code, done.out),
                         (1, "37 imported, 0 unchanged, 3 rejected; see users.jsonl.rejected.jsonl\n"), done.err)
        self.assertIn("100 %  40 documents", done.err)
        rejected = [json.loads(line) for line in pathlib.Path("users.jsonl.rejected.jsonl").read_text().splitlines()]
        self.assertEqual([(r["line"], r["reasons"][0]["rule"], r["text"]) for r in rejected],
                         [(8, "type", lines[7]), (9, "json", lines[8]), (10, "id_unique", lines[9])])
        again = json.loads(run("document", "import", "users.jsonl", *FLAGS, "--json", *store).out)
        self.assertEqual(again, {"imported": 0, "unchanged": 37, "rejected": 3})
        unknown = run("document", "import", "users.jsonl", "--schema", "users", "--version", "v9", "--json", *store)
        self.assertEqual(json.loads(unknown.out)["error"], "UNKNOWN_SCHEMA_VERSION")

    def import_all_or_none(self, *store):
        def reasons(*lines):
            pathlib.Path("few.jsonl").write_text("\n".join(lines))
            done = run("document", "import", "few.jsonl", *FLAGS, "--all-or-none", "--json", *store)
            counts = json.loads(done.out)
            if done.code == 0:
                return counts
            self.assertEqual(counts["imported"], 0)
            rejected = pathlib.Path("few.jsonl.rejected.jsonl").read_text().splitlines()
            return [(r["line"], r["reasons"][0]["rule"]) for r in map(json.loads, rejected)]
        one, other = '{"_id":"few","email":"a","age":-1}', '{"_id":"few","email":"b"}'
        self.assertEqual(reasons('{"_id":"free","email":"a"}', one, other), [(3, "id_unique")])
        self.assertEqual(run("document", "get", *FLAGS, "free", *store).code, 1)
        self.assertEqual(reasons(one, '{"email":"a","age":-1,"_id":"few"}'), {"imported": 1, "unchanged": 1, "rejected": 0})
        self.assertEqual(reasons(one), {"imported": 0, "unchanged": 1, "rejected": 0})
        self.assertEqual(reasons('{"_id":"free","email":"a"}', other), [(2, "id_unique")])
        pathlib.Path("users2.json").write_text(json.dumps(USERS | {"schema_version": "v2"}))
        self.assertEqual(run("schema", "publish", "users2.json", *store).code, 0)
        elsewhere = '{"_id":"elsewhere","email":"a"}'
        self.assertEqual(run("document", "insert", "--schema", "users", "--version", "v2", elsewhere, *store).code, 0)
        self.assertEqual(reasons('{"_id":"free","email":"a"}', elsewhere), [(2, "id_unique")])
        self.assertEqual(run("document", "get", *FLAGS, "free", *store).code, 1)

    def test_on_disk(self):
        self.everything("--data", str(pathlib.Path("cli").absolute()))

    def test_on_a_server(self):
        with Server() as server:
            self.everything("--endpoint", server.url)
            self.assertEqual(must(server, "ListSchemas", {})["schemas"][0]["schema_id"], "users")

    def test_on_a_table_of_dynamodb(self):
        missing = DynamoDbLocal.why_missing()
        if missing:
            print(f"skipped: {missing}")
            return
        with DynamoDbLocal() as server:
            self.everything("--endpoint", server.url)

    def test_validation_needs_no_store(self):
        self.assertEqual(run("schema", "validate", "users.json").code, 0)
        pathlib.Path("documents.jsonl").write_text('{"_id":"1","email":"x"}\n{"_id":"2"}\n')
        checked = run("schema", "validate", "users.json", "--documents", "documents.jsonl")
        self.assertEqual(checked.code, 1)
        self.assertIn("documents.jsonl:2: email: string is required and missing (required)", checked.out)
        pathlib.Path("bad.json").write_text('{"schema_id": "a"}')
        bad = run("schema", "validate", "bad.json")
        self.assertEqual(bad.code, 1)
        self.assertIn("bad.json:1:1: \"fields\" is missing", bad.err)


if __name__ == "__main__":
    unittest.main()

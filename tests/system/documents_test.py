#!/usr/bin/python3
"""Strict documents: `dolmen schema`, `dolmen document` and Dolmen_20261115.*, on disk, on a server and at an endpoint of
DynamoDB."""

import json
import pathlib
import re
import unittest

from dolmen_server import ROOT, DidNotStart, Server, create_table, encode, headers_for, read_answer, run
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
            self.assertEqual(must(server, "DeleteDocument", REF | {"_id": "u2"}), {"deleted": True})
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

    def test_the_openapi_file_lists_the_operations_that_there_are(self):
        listed = re.findall(r"^  /#(\w+):$", (ROOT / "docs/documents-openapi.yaml").read_text(), re.M)
        sources = [(ROOT / f"src/{room}/operations.cc").read_text() for room in ("document", "contract")]
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
                    ({"schema_id": "users", "schema_version": 1}, "SCHEMA_REQUIRED"),
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
        self.assertEqual(run("document", "insert", *FLAGS, '{"_id":"u1","email":"a","age":3}', *store).out, "inserted\n")
        self.assertEqual(run("document", "update", *FLAGS, '{"_id":"u1","email":"b","age":4}', *store).out, "updated\n")
        self.assertEqual(run("document", "get", *FLAGS, "u1", *store).out, '{"_id":"u1","email":"b","age":4}\n')
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
        self.assertEqual(run("document", "delete", *FLAGS, "u1", *store).out, "deleted\n")

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

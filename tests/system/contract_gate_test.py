#!/usr/bin/python3
"""Tables that are bound to models: what boto3 writes to them, and `dolmen contract bind|status|unbind`."""

import decimal
import json
import pathlib
import unittest

import botocore.exceptions

from dolmen_server import Server, run

MODELS = """dms_version: "0.1"
models:
  - name: "Note"
    table: { name: "notes" }
    keys: { partition: { attribute: "pk", type: "S" } }
    attributes:
      - { attribute: "pk", type: "S", required: true, roles: ["pk"] }
      - { attribute: "text", type: "S", required: true }
      - { attribute: "stars", type: "N", format: "int" }
      - { attribute: "secret", type: "S", encryption: {} }
      - { attribute: "version", type: "N", format: "int", roles: ["version"] }
"""


def make_table(client):
    client.create_table(TableName="notes", KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}],
                        AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"}],
                        BillingMode="PAY_PER_REQUEST")


class BoundTable(unittest.TestCase):
    def setUp(self):
        self.file = pathlib.Path("notes.yml").absolute()
        self.file.write_text(MODELS)

    def bind(self, server, *flags):
        return run("contract", "bind", "--table", "notes", "--version", "v1", "--models", self.file, "--endpoint",
                   server.url, *flags)

    def refused(self, *expected):
        """A context in which a ValidationException with all of `expected` in its message is raised."""
        test = self

        class Refused:
            def __enter__(self):
                return self

            def __exit__(self, kind, error, _):
                test.assertIsNotNone(error, "it was not refused")
                test.assertEqual(error.response["Error"]["Code"], "ValidationException")
                for part in ("model Note", *expected):
                    test.assertIn(part, error.response["Error"]["Message"])
                return True
        return Refused()

    def test_boto3_is_told_what_is_wrong_however_it_writes(self):
        data = pathlib.Path("bound").absolute()
        with Server(data=data) as server:
            make_table(server.client())
            bound = self.bind(server)
            self.assertEqual((bound.code, bound.err), (0, ""))
            self.assertIn("0 stored items were checked", bound.out)
            self.write(server)
            server.kill()
            server.start()
            with self.refused("text (required): expected S, found nothing"):
                server.resource().Table("notes").put_item(Item={"pk": "z"})
            status = json.loads(run("contract", "status", "--json", "--endpoint", server.url).out)["contracts"][0]
            self.assertEqual((status["table"], status["mode"], status["refused"]), ("notes", "enforce", 1))
            self.assertEqual(run("contract", "unbind", "--table", "notes", "--endpoint", server.url).code, 0)
            server.resource().Table("notes").put_item(Item={"pk": "z"})
            server.stop()
        status = run("contract", "status", "--table", "notes", "--data", data)
        self.assertEqual(status.code, 0, status.err)
        self.assertIn("notes  not bound", status.out)

    def write(self, server):
        client, table = server.client(), server.resource().Table("notes")
        table.put_item(Item={"pk": "a", "text": "hello", "version": 3})
        with self.refused("stars (type): expected N, found S"):
            table.put_item(Item={"pk": "b", "text": "x", "stars": "many"})
        with self.refused("text (required): expected S, found nothing"):
            table.put_item(Item={"pk": "b"})
        with self.refused("secret (encrypted): expected an encrypted envelope", "found S"):
            table.put_item(Item={"pk": "b", "text": "x", "secret": "hunter2"})
        with self.refused("version (version): expected more than 3", "found 3", "read the item again"):
            table.put_item(Item={"pk": "a", "text": "from an old copy", "version": 3})
        with self.refused("version (version): expected more than 3", "found 3"):
            table.update_item(Key={"pk": "a"}, UpdateExpression="SET #t = :t, version = :v",
                              ExpressionAttributeNames={"#t": "text"},
                              ExpressionAttributeValues={":t": "from an old copy", ":v": 3})
        with self.refused("stars (format): expected a whole number, found 0.5"):
            table.update_item(Key={"pk": "a"}, UpdateExpression="SET stars = :s",
                              ExpressionAttributeValues={":s": decimal.Decimal("0.5")})
        with self.refused("more (undeclared)"):
            client.batch_write_item(RequestItems={"notes": [
                {"PutRequest": {"Item": {"pk": {"S": "c"}, "text": {"S": "x"}, "more": {"BOOL": True}}}}]})
        with self.assertRaises(client.exceptions.TransactionCanceledException) as canceled:
            client.transact_write_items(TransactItems=[
                {"Put": {"TableName": "notes", "Item": {"pk": {"S": "c"}, "text": {"S": "x"}}}},
                {"Put": {"TableName": "notes", "Item": {"pk": {"S": "d"}, "text": {"N": "1"}}}}])
        reasons = canceled.exception.response["CancellationReasons"]
        self.assertEqual([reason["Code"] for reason in reasons], ["None", "ValidationError"])
        self.assertIn("text (type): expected S, found N", reasons[1]["Message"])
        self.assertEqual(client.scan(TableName="notes")["Count"], 1)

    def test_write_policies_hold_for_boto3(self):
        policy = 'write_policy: { mode: "write_once" }\n    keys:'
        self.file.write_text(MODELS.replace('"0.1"', '"0.2"').replace("keys:", policy))
        with Server() as server:
            make_table(server.client())
            self.assertEqual(self.bind(server).code, 0)
            table = server.resource().Table("notes")
            note = {"pk": "a", "text": "once", "version": 0}
            table.put_item(Item=note)
            with self.refused("(write_policy)", "found a change"):
                table.put_item(Item={**note, "text": "twice", "version": 1})
            with self.refused("(write_policy)", "found a change"):
                table.update_item(Key={"pk": "a"}, UpdateExpression="SET stars = :s",
                                  ExpressionAttributeValues={":s": 1})
            with self.refused("(write_policy)", "found a delete"):
                table.delete_item(Key={"pk": "a"})
            with self.refused("(write_policy)", "found a delete"):
                server.client().batch_write_item(RequestItems={"notes": [{"DeleteRequest": {"Key": {"pk": {"S": "a"}}}}]})
            self.assertEqual(table.get_item(Key={"pk": "a"})["Item"], note)

    def test_warnings_are_counted_and_logged(self):
        with Server() as server:
            make_table(server.client())
            self.assertEqual(self.bind(server, "--mode", "warn").code, 0)
            server.resource().Table("notes").put_item(Item={"pk": "a"})
            status = run("contract", "status", "--table", "notes", "--endpoint", server.url)
            self.assertIn("refused 0, warned 1", status.out)
            self.assertIn("warning 1:", server.stop().err)

    def test_stored_items_are_counted_before_anything_is_enforced(self):
        with Server() as server:
            make_table(server.client())
            server.resource().Table("notes").put_item(Item={"pk": "a"})
            refused = self.bind(server)
            self.assertEqual(refused.code, 1)
            self.assertIn("1 of 1 stored items break the contract", refused.err)
            looked = json.loads(self.bind(server, "--dry-run", "--json").out)
            self.assertEqual((looked["bound"], looked["checked"], looked["violating"]), (False, 1, 1))
            self.assertEqual(self.bind(server, "--accept-violations").code, 0)


class Kinds(unittest.TestCase):
    """Which models and schemas the flags mean, and how they are told apart."""

    MODELS = """dms_version: "0.1"
models:
""" + "".join(f"""  - name: "{name}"
    table: {{ name: "notes" }}
    keys: {{ partition: {{ attribute: "pk", type: "S" }} }}
    attributes:
      - {{ attribute: "pk", type: "S", required: true }}
      - {{ attribute: "{field}", type: "S", required: true }}
""" for name, field in (("Note", "text"), ("Tag", "colour")))

    def setUp(self):
        self.server = Server()
        self.server.start()
        self.addCleanup(self.server.close)
        make_table(self.server.client())
        self.file = pathlib.Path("kinds.yml").absolute()
        self.file.write_text(self.MODELS)

    def bind(self, *flags):
        return run("contract", "bind", "--table", "notes", "--version", "v1", "--endpoint", self.server.url, *flags)

    def put(self, **item):
        try:
            self.server.resource().Table("notes").put_item(Item=item)
            return ""
        except botocore.exceptions.ClientError as error:
            return error.response["Error"]["Message"]

    def test_models_that_nothing_tells_apart_are_refused(self):
        for flags in ((), ("--model", "Note", "--model", "Tag"), ("--prefix", "Note=N#")):
            refused = self.bind("--models", self.file, *flags)
            self.assertEqual(refused.code, 1)
            self.assertIn("nothing distinguishes the items of model", refused.err)

    def test_a_discriminator_holds_the_name_of_a_model(self):
        flags = ("--models", self.file, "--model", "Note", "--model", "Tag", "--discriminator", "kind")
        self.assertEqual(self.bind(*flags).code, 0)
        self.assertEqual(self.put(pk="a", kind="Tag", colour="red"), "")
        self.assertIn("model Tag: colour (required)", self.put(pk="a", kind="Tag"))
        self.assertIn("kind (kind): expected", self.put(pk="a", kind="tag", colour="red"))

    def test_a_folder_of_models_is_taken_as_a_whole(self):
        folder = pathlib.Path("folder of models").absolute()
        folder.mkdir()
        beginning, *models = self.MODELS.split("  - name")
        for name, model in zip(("a.yml", "b.yml"), models):
            (folder / name).write_text(f"{beginning}  - name{model}")
        self.assertEqual(self.bind("--models", folder, "--discriminator", "kind").code, 0)
        status = json.loads(run("contract", "status", "notes", "--json", "--endpoint", self.server.url).out)
        self.assertEqual(status["kinds"], ["model Note", "model Tag"])

    def test_models_and_a_published_schema_are_told_apart_by_prefixes(self):
        schema = {"schema_id": "users", "schema_version": "v1", "fields": {
            "_id": {"type": "string", "required": True}, "age": {"type": "int", "required": True}}}
        flags = ("--models", self.file, "--prefix", "Note=N#", "--prefix", "Tag=T#", "--schema", "users:v1",
                 "--prefix", "users:v1=U#")
        self.assertIn("UNKNOWN_SCHEMA", self.bind(*flags, "--json").out)
        pathlib.Path("users.json").write_text(json.dumps(schema))
        published = run("schema", "publish", "users.json", "--endpoint", self.server.url)
        self.assertEqual(published.code, 0, published.err)
        bound = self.bind(*flags)
        self.assertEqual(bound.code, 0, bound.err)
        self.assertEqual(self.put(pk="U#1", _id="1", age=7), "")
        self.assertIn("schema users v1: age (type): expected int (N), found S", self.put(pk="U#1", _id="1", age="7"))
        self.assertIn("model Tag: colour (required)", self.put(pk="T#1"))
        self.assertIn("pk (kind)", self.put(pk="X#1"))
        shown = run("contract", "status", "--table", "notes", "--version", "v1", "--endpoint", self.server.url)
        self.assertIn("schema_id users schema_version v1 partition_prefix U#", shown.out)
        self.assertIn(self.MODELS, shown.out)
        self.assertIn(json.dumps(schema), shown.out)

    def test_a_flag_that_names_no_kind_or_names_one_twice_is_refused(self):
        self.assertIn("has no model or schema Nobody", self.bind("--models", self.file, "--prefix", "Nobody=N#").err)
        twice = self.bind("--models", self.file, "--prefix", "Note=N#", "--prefix", "Note=M#")
        self.assertIn("Note has been given a value before", twice.err)


if __name__ == "__main__":
    unittest.main()

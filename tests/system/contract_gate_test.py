#!/usr/bin/python3
"""Tables that are bound to models: what boto3 writes to them, and `dolmen contract bind|status|unbind`."""

import decimal
import json
import pathlib
import unittest

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
        with self.refused("version (version): expected more than 3", "found 3", "read it again"):
            table.put_item(Item={"pk": "a", "text": "from an old copy", "version": 3})
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

    def test_warnings_are_counted_and_logged(self):
        with Server() as server:
            make_table(server.client())
            self.assertEqual(self.bind(server, "--mode", "warn").code, 0)
            server.resource().Table("notes").put_item(Item={"pk": "a"})
            status = run("contract", "status", "--table", "notes", "--endpoint", server.url)
            self.assertIn("refused 0, warned 1", status.out)
            self.assertIn("dolmen: warning 1:", server.errors())

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


if __name__ == "__main__":
    unittest.main()

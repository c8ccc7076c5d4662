#!/usr/bin/python3
"""Entities over the wire (Dolmen_20261115.*): a program in any language uses them with plain HTTP and JSON."""

import json
import http.client
import pathlib
import unittest

from dolmen_server import Server, headers_for, run

CONFIG = {
    "hashKey": "pk", "rangeKey": "sk",
    "entities": {
        "user": {"timestampProperty": "created", "uniqueProperty": "userId",
                 "shardBumps": [{"timestamp": 1000, "charBits": 4, "chars": 1}, {"timestamp": 2000, "charBits": 4, "chars": 2}]},
        "email": {"timestampProperty": "created", "uniqueProperty": "email"},
    },
    "generatedProperties": {"unsharded": {"lastNameRK": ["lastName", "created"]}},
    "indexes": {"created": {"hashKey": "pk", "rangeKey": "created"}, "lastName": {"hashKey": "pk", "rangeKey": "lastNameRK"}},
    "propertyTranscodes": {"created": "timestamp", "email": "string", "lastName": "string", "userId": "string"},
}
PEOPLE = {"table": "people"}
USER = PEOPLE | {"entity": "user"}
ADA = {"userId": {"S": "ada"}}


def user(name, created, last="Lovelace"):
    return {"userId": {"S": name}, "created": {"N": str(created)}, "lastName": {"S": last}}


class EntityWireTest(unittest.TestCase):
    def setUp(self):
        self.server = Server(data=pathlib.Path(self._testMethodName).absolute())
        self.server.start()
        self.addCleanup(self.server.close)

    def post(self, operation, body):
        """Nothing but HTTP: a POST with a target and JSON."""
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port)
        headers = headers_for(operation) | {"X-Amz-Target": f"Dolmen_20261115.{operation}"}
        connection.request("POST", "/", json.dumps(body), headers)
        answer = connection.getresponse()
        text = json.loads(answer.read())
        connection.close()
        return answer.status, text

    def must(self, operation, body):
        status, answer = self.post(operation, body)
        self.assertEqual(status, 200, answer)
        return answer

    def refused(self, operation, body):
        status, answer = self.post(operation, body)
        self.assertEqual(status, 400, answer)
        return answer["__type"].split("#")[1], answer

    def test_entities_live_and_move(self):
        made = self.must("BindEntities", PEOPLE | {"config": CONFIG})
        self.assertEqual((made["table"], made["scanned"], made["indexes"]), ("people", 0, 0))
        self.assertEqual(self.must("DescribeEntities", PEOPLE)["config"]["hashKey"], "pk")
        stored = self.must("PutEntity", USER | {"item": user("ada", 500)})["item"]
        self.assertEqual((stored["pk"], stored["lastNameRK"]), ({"S": "user!"}, {"S": "lastName#Lovelace|created#500"}))
        self.assertEqual(self.must("GetEntity", USER | {"item": ADA})["item"], stored)
        moved = self.must("UpdateEntity", USER | {"item": ADA, "set": {"created": {"N": "2500"}, "lastName": {"S": "King"}},
                                                  "add": {"visits": {"N": "3"}}})["item"]
        self.assertEqual(len(moved["pk"]["S"]), len("user!00"))
        self.assertEqual((moved["lastNameRK"]["S"], moved["visits"]), ("lastName#King|created#2500", {"N": "3"}))
        # Any client of DynamoDB sees one copy, and the row with the config.
        items = self.server.must("Scan", {"TableName": "people"})["Items"]
        self.assertEqual(sorted(item["sk"]["S"] for item in items), ["dolmen:config", "userId#ada"])
        wrong = USER | {"item": ADA, "condition": [{"operation": "=", "property": "lastName", "values": [{"S": "x"}]}]}
        self.assertEqual(self.refused("RemoveEntity", wrong)[0], "ConditionalCheckFailedException")
        self.assertEqual(self.must("RemoveEntity", USER | {"item": ADA}), {"removed": True})
        self.assertEqual(self.must("RemoveEntity", USER | {"item": ADA}), {"removed": False})
        self.assertEqual(self.must("GetEntity", USER | {"item": ADA}), {})

    def test_queries_over_all_shards_page_by_page(self):
        self.must("BindEntities", PEOPLE | {"text": json.dumps(CONFIG)})
        for i in range(40):
            self.must("PutEntity", USER | {"item": user(f"u{i}", 900 + 50 * i, "Lovelace" if i % 4 else "Hopper")})
        question = USER | {"indexes": [{"index": "created"}], "limit": 9, "merge": True}
        seen, page = [], self.must("QueryEntities", question)
        while True:
            seen += [item["userId"]["S"] for item in page["items"]]
            if not page["has_more"]:
                break
            self.server.kill()
            self.server.start()
            page = self.must("QueryEntities", question | {"page_token": page["page_token"]})
        self.assertEqual(seen, [f"u{i}" for i in range(40)])
        hoppers = self.must("QueryEntities", USER | {
            "indexes": [{"index": "lastName", "range": [{"operation": "=", "property": "lastName", "values": [{"S": "Hopper"}]}],
                         "filter": [{"operation": "between", "property": "userId", "values": [{"S": "u0"}, {"S": "u2"}]}]}],
            "sort": [{"property": "created", "descending": True}], "project": ["userId"], "limit": 1000})
        self.assertEqual(hoppers["items"], [{"userId": {"S": name}} for name in ("u16", "u12", "u0")])
        # The same page in a terminal, with the token of the wire.
        pathlib.Path("config.json").write_text(json.dumps(CONFIG))
        token = self.must("QueryEntities", question)["page_token"]
        printed = run("entity", "query", "user", "--index", "created", "--limit", "9", "--merge", "--token", token, "--json",
                      "--config", "config.json", "--table", "people", "--endpoint", self.server.url)
        self.assertEqual([item["userId"] for item in json.loads(printed.out)["items"]], [f"u{i}" for i in range(9, 18)], printed.err)

    def test_a_transaction_is_all_or_nothing(self):
        self.must("BindEntities", PEOPLE | {"config": CONFIG})
        email = {"email": {"S": "ada@example.org"}, "created": {"N": "1500"}, "userId": {"S": "ada"}}
        free = [{"operation": "attribute_not_exists", "property": "email"}]
        writes = [{"action": "put", "entity": "user", "item": user("ada", 1500)},
                  {"action": "put", "entity": "email", "item": email, "condition": free}]
        self.assertEqual(self.must("TransactEntities", PEOPLE | {"writes": writes}), {})
        writes[0]["item"] = user("ada", 2500)
        name, answer = self.refused("TransactEntities", PEOPLE | {"writes": writes})
        self.assertEqual((name, [reason["Code"] for reason in answer["CancellationReasons"]]),
                         ("TransactionCanceledException", ["None", "ConditionalCheckFailed"]))
        self.assertEqual(self.must("GetEntity", USER | {"item": ADA})["item"]["created"], {"N": "1500"})
        self.must("TransactEntities", PEOPLE | {"writes": [
            {"action": "update", "entity": "user", "item": ADA, "set": {"created": {"N": "2500"}}},
            {"action": "remove", "entity": "email", "item": {"email": email["email"]}}]})
        self.assertEqual(self.must("GetEntity", USER | {"item": ADA})["item"]["created"], {"N": "2500"})

    def test_a_table_grows_to_a_new_config(self):
        young = json.loads(json.dumps(CONFIG))
        del young["entities"]["user"]["shardBumps"], young["generatedProperties"], young["indexes"]["lastName"]
        self.must("BindEntities", PEOPLE | {"config": young})
        for i in range(20):
            self.must("PutEntity", USER | {"item": user(f"u{i}", 900 + 100 * i)})
        grown = self.must("BindEntities", PEOPLE | {"config": CONFIG})
        self.assertEqual((grown["scanned"], grown["changed"], grown["moved"], grown["indexes"]), (21, 1, 19, 1))
        self.assertEqual(self.must("BindEntities", PEOPLE | {"config": CONFIG})["scanned"], 0)
        found = self.must("QueryEntities", USER | {"indexes": [{"index": "lastName"}], "limit": 1000})
        self.assertEqual(found["count"], 20)

    def test_errors_have_names_and_say_where(self):
        self.must("BindEntities", PEOPLE | {"config": CONFIG})
        for operation, body, name in (
                ("GetEntity", {"table": "nowhere", "entity": "user", "item": ADA}, "ResourceNotFoundException"),
                ("GetEntity", USER | {"table": "dolmen:documents", "item": ADA}, "ValidationException"),
                ("BindEntities", {"table": "dolmen:documents", "config": CONFIG}, "ValidationException"),
                ("GetEntity", USER | {"entity": "nobody", "item": ADA}, "ValidationException"),
                ("GetEntity", USER | {"item": {}}, "InvalidEntity"),
                ("GetEntity", USER, "InvalidEntity"),
                ("GetEntity", {"entity": "user"}, "QUERY_INVALID"),
                ("GetEntity", USER | {"item": ADA, "colour": 1}, "QUERY_INVALID"),
                ("GetEntity", USER | {"item": {"userId": "ada"}}, "SerializationException"),
                ("PutEntity", USER | {"item": ADA}, "InvalidEntity"),
                ("UpdateEntity", USER | {"item": ADA, "set": {"x": {"S": "y"}}}, "ItemNotFound"),
                ("UpdateEntity", USER | {"item": ADA}, "QUERY_INVALID"),
                ("UpdateEntity", USER | {"item": ADA, "set": {"pk": {"S": "y"}}}, "ValidationException"),
                ("QueryEntities", USER, "QUERY_INVALID"),
                ("QueryEntities", USER | {"indexes": [{"index": "created"}], "page_token": "x"}, "InvalidPageToken"),
                ("QueryEntities", USER | {"indexes": [{"index": "created"}], "limit": "many"}, "QUERY_INVALID"),
                ("QueryEntities", USER | {"indexes": [{"index": "created", "range": [{"operation": "contains", "property": "created"}]}]},
                 "ValidationException"),
                ("TransactEntities", PEOPLE | {"writes": [{"action": "burn", "entity": "user", "item": ADA}]}, "QUERY_INVALID"),
                ("BindEntities", PEOPLE | {"config": {"hashKey": ""}}, "InvalidEntityConfig"),
                ("BindEntities", PEOPLE, "QUERY_INVALID")):
            self.assertEqual(self.refused(operation, body)[0], name, (operation, body))
        answer = self.refused("PutEntity", USER | {"item": user("a|b", 5)})[1]
        self.assertEqual((answer["code"], answer["details"][0]["path"]), ("InvalidEntity", "userId"))
        answer = self.refused("BindEntities", PEOPLE | {"config": {"throttle": 0, "colour": 1}})[1]
        self.assertGreaterEqual(len(answer["details"]), 3)
        # A table that is nobody's.
        self.server.must("CreateTable", {"TableName": "other", "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}],
                                         "AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "S"}],
                                         "BillingMode": "PAY_PER_REQUEST"})
        name, answer = self.refused("GetEntity", {"table": "other", "entity": "user", "item": ADA})
        self.assertEqual((name, answer["message"]), ("ItemNotFound", "the table other has no entities"))


if __name__ == "__main__":
    unittest.main()

#!/usr/bin/python3
"""The parameters from before there were expressions: the cases of legacy_cases.json, and what goes beyond one request."""

import json
import pathlib
import unittest

from data_files import message_of
from dolmen_server import ServerTest, create_table

CASES = json.loads(pathlib.Path(__file__).with_name("legacy_cases.json").read_text())


def index(name, partition, sort):
    return {"IndexName": name, "Projection": {"ProjectionType": "KEYS_ONLY"},
            "KeySchema": [{"AttributeName": partition, "KeyType": "HASH"}, {"AttributeName": sort, "KeyType": "RANGE"}]}


def condition(operator, *values):
    return {"ComparisonOperator": operator, "AttributeValueList": list(values)}


def equal(text):
    return condition("EQ", {"S": text})


class LegacyTest(ServerTest):
    """One server with the tables of the data file, and one client, for all tests of a class."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.client = cls.server.client()
        cls.addClassCleanup(cls.client.close)
        create_table(cls.server, "singles")
        create_table(cls.server, "compared")
        create_table(cls.server, "pairs", sort="sk", types="SN",
                     AttributeDefinitions=[{"AttributeName": name, "AttributeType": kind}
                                           for name, kind in (("pk", "S"), ("sk", "N"), ("l", "S"), ("g", "S"))],
                     LocalSecondaryIndexes=[index("by_l", "pk", "l")],
                     GlobalSecondaryIndexes=[index("by_g", "g", "sk")])

    def must(self, operation, **body):
        return self.server.must(operation, body, self.connection)

    def call(self, operation, body):
        return self.server.call(operation, body, self.connection)

    def assert_refused(self, answer, message):
        self.assertEqual((400, "ValidationException", message), (answer.status, answer.type, answer.message))

    def replace(self, key, item):
        """Puts an item under a key, or makes sure that there is none."""
        if item is None:
            self.must("DeleteItem", TableName="singles", Key=key)
        else:
            self.must("PutItem", TableName="singles", Item=key | item)


class TheDataFile(LegacyTest):
    def test_requests_are_refused_in_the_words_of_dynamodb(self):
        for case in CASES["refused"]:
            with self.subTest(case["rule"], operation=case["operation"], body=case["body"]):
                self.assert_refused(self.call(case["operation"], case["body"]),
                                    message_of(case, case["operation"], self.TEXTS))

    def test_bad_conditions_are_refused_wherever_they_stand(self):
        key = {"pk": {"S": "a"}}
        for case in CASES["bad_conditions"]:
            conditions = {"a": case["condition"]}
            for operation, body in (
                    ("Scan", {"ScanFilter": conditions}),
                    ("Query", {"KeyConditions": {"pk": equal("a")}, "QueryFilter": conditions}),
                    ("Query", {"KeyConditions": conditions}),
                    ("PutItem", {"Item": key, "Expected": conditions}),
                    ("UpdateItem", {"Key": key, "Expected": conditions}),
                    ("DeleteItem", {"Key": key, "Expected": conditions})):
                with self.subTest(operation=operation, body=body):
                    self.assert_refused(self.call(operation, body | {"TableName": "missing"}),
                                        message_of(case | {"introduced": True}, operation, self.TEXTS))

    def test_bad_entries_of_expected_are_refused(self):
        for case in CASES["bad_expected"]:
            for operation, body in (("PutItem", {"Item": {"pk": {"S": "a"}}}), ("UpdateItem", {"Key": {"pk": {"S": "a"}}}),
                                    ("DeleteItem", {"Key": {"pk": {"S": "a"}}})):
                with self.subTest(operation=operation, entry=case["entry"]):
                    body |= {"TableName": "missing", "Expected": {"a": case["entry"]}}
                    self.assert_refused(self.call(operation, body),
                                        message_of(case | {"introduced": True}, operation, self.TEXTS))

    def test_comparisons_hold_in_filters_and_in_expected_alike(self):
        key = {"pk": {"S": "comparisons"}}
        for case in CASES["comparisons"]:
            with self.subTest(**case):
                item = key | ({} if case["value"] is None else {"a": case["value"]})
                self.must("PutItem", TableName="compared", Item=item)
                conditions = {"a": case["condition"]}
                scanned = self.must("Scan", TableName="compared", ScanFilter=conditions)
                queried = self.must("Query", TableName="compared", QueryFilter=conditions,
                                    KeyConditions={"pk": equal("comparisons")})
                put = self.call("PutItem", {"TableName": "compared", "Item": item, "Expected": conditions})
                self.assertEqual([case["holds"]] * 3, [scanned["Count"] == 1, queried["Count"] == 1, put.status == 200])
                if not case["holds"]:
                    self.assertEqual(("ConditionalCheckFailedException", "The conditional request failed"),
                                     (put.type, put.message))

    def test_attribute_updates(self):
        key = {"pk": {"S": "updates"}}
        for case in CASES["updates"]:
            with self.subTest(case["rule"]):
                self.replace(key, case["item"])
                answer = self.call("UpdateItem", {"TableName": "singles", "Key": key, "ReturnValues": "ALL_NEW",
                                                  "AttributeUpdates": case["updates"]})
                if "message" in case:
                    self.assert_refused(answer, message_of(case, "UpdateItem", self.TEXTS))
                    expected = case["item"]
                else:
                    self.assertEqual(200, answer.status, answer.body)
                    expected = case["result"]
                    self.assertEqual(None if expected is None else key | expected, answer.json().get("Attributes"))
                found = self.must("GetItem", TableName="singles", Key=key).get("Item")
                self.assertEqual(None if expected is None else key | expected, found)


class TheDataFileInOlderTexts(TheDataFile):
    """The same in the layer of DynamoDB that some still need."""

    TEXTS = "older"


class WithTheSdk(LegacyTest):
    def setUp(self):
        for number in range(1, 6):
            self.client.put_item(TableName="pairs", Item={
                "pk": {"S": "a"}, "sk": {"N": str(number)}, "g": {"S": "g"}, "l": {"S": f"l{6 - number}"},
                "x": {"N": str(number % 2)}, "a.b": {"S": "dotted"}, "size": {"S": "reserved"}})
        for number, text in enumerate(("b", "ba", "bab", "c")):
            self.client.put_item(TableName="pairs", Item={"pk": {"S": "l"}, "sk": {"N": str(number)}, "l": {"S": text}})

    def numbers(self, **arguments):
        return [int(item["sk"]["N"]) for item in self.client.query(TableName="pairs", **arguments)["Items"]]

    def test_key_conditions_choose_a_range(self):
        partition = {"pk": equal("a")}
        self.assertEqual([1, 2, 3, 4, 5], self.numbers(KeyConditions=partition))
        self.assertEqual([5, 4], self.numbers(KeyConditions=partition, ScanIndexForward=False, Limit=2))
        for operator, bounds, expected in (("EQ", [3], [3]), ("LT", [3], [1, 2]), ("LE", [3], [1, 2, 3]), ("GT", [3], [4, 5]),
                                           ("GE", [3], [3, 4, 5]), ("BETWEEN", [2, 4], [2, 3, 4]), ("EQ", [9], [])):
            values = [{"N": str(bound)} for bound in bounds]
            with self.subTest(operator):
                self.assertEqual(expected, self.numbers(KeyConditions=partition | {"sk": condition(operator, *values)}))

    def test_key_conditions_on_indexes(self):
        items = self.client.query(TableName="pairs", IndexName="by_l", KeyConditions={
            "pk": equal("l"), "l": condition("BEGINS_WITH", {"S": "ba"})})["Items"]
        self.assertEqual(["ba", "bab"], [item["l"]["S"] for item in items])
        self.assertEqual([4, 5], self.numbers(IndexName="by_g", KeyConditions={
            "g": equal("g"), "sk": condition("GT", {"N": "3"})}))

    def test_key_conditions_go_with_expressions_that_use_any_placeholders(self):
        items = self.client.query(
            TableName="pairs", KeyConditions={"pk": equal("a"), "sk": condition("GE", {"N": "2"})},
            FilterExpression="x = :00000000", ProjectionExpression="#00000000",
            ExpressionAttributeNames={"#00000000": "sk"}, ExpressionAttributeValues={":00000000": {"N": "1"}})["Items"]
        self.assertEqual([{"sk": {"N": "3"}}, {"sk": {"N": "5"}}], items)

    def test_filters_are_joined_by_the_conditional_operator(self):
        conditions = {"x": condition("EQ", {"N": "1"}), "l": condition("EQ", {"S": "l2"})}
        arguments = {"KeyConditions": {"pk": equal("a")}, "QueryFilter": conditions}
        self.assertEqual([], self.numbers(**arguments))
        self.assertEqual([], self.numbers(**arguments, ConditionalOperator="AND"))
        self.assertEqual([1, 3, 4, 5], self.numbers(**arguments, ConditionalOperator="OR"))
        answer = self.client.scan(TableName="pairs", ScanFilter=conditions, ConditionalOperator="OR")
        self.assertEqual((4, 9), (answer["Count"], answer["ScannedCount"]))
        self.assertEqual(1, self.client.scan(TableName="pairs", ScanFilter={
            "sk": condition("EQ", {"N": "2"}), "pk": equal("a")})["Count"])

    def test_more_conditions_and_alternatives_than_expressions_may_have(self):
        absent = {f"absent{number}": condition("NULL") for number in range(5000)}
        many = {"x": condition("IN", *({"N": str(number)} for number in range(1, 1001)))}
        self.assertEqual([1, 3, 5], self.numbers(KeyConditions={"pk": equal("a")}, QueryFilter=absent | many))
        wide = {"AttributesToGet": [*absent, "x"], "Key": {"pk": {"S": "a"}, "sk": {"N": "1"}}}
        self.assertEqual({"x": {"N": "1"}}, self.client.get_item(TableName="pairs", **wide)["Item"])
        self.client.update_item(TableName="singles", Key={"pk": {"S": "wide"}}, AttributeUpdates={
            name: {"Value": {"N": "1"}} for name in absent})
        self.assertEqual(5001, len(self.client.get_item(TableName="singles", Key={"pk": {"S": "wide"}})["Item"]))

    def test_attributes_to_get_are_names_and_not_paths(self):
        wanted, expected = ["a.b", "size", "absent"], {"a.b": {"S": "dotted"}, "size": {"S": "reserved"}}
        key = {"pk": {"S": "a"}, "sk": {"N": "1"}}
        self.assertEqual(expected, self.client.get_item(TableName="pairs", Key=key, AttributesToGet=wanted)["Item"])
        batch = self.client.batch_get_item(RequestItems={"pairs": {"Keys": [key], "AttributesToGet": wanted}})
        self.assertEqual([expected], batch["Responses"]["pairs"])
        queried = self.client.query(TableName="pairs", KeyConditions={"pk": equal("a"), "sk": condition("EQ", {"N": "1"})},
                                    AttributesToGet=wanted, Select="SPECIFIC_ATTRIBUTES")
        self.assertEqual([expected], queried["Items"])
        scanned = self.client.scan(TableName="pairs", ScanFilter={"size": equal("reserved")}, AttributesToGet=wanted)
        self.assertEqual([expected] * 5, scanned["Items"])
        self.assertEqual({}, self.client.get_item(TableName="pairs", Key=key, AttributesToGet=["absent"])["Item"])

    def test_attributes_to_get_fetch_from_the_table_what_a_local_index_lacks(self):
        items = self.client.query(TableName="pairs", IndexName="by_l", KeyConditions={"pk": equal("a")},
                                  AttributesToGet=["x", "l"], Limit=2)["Items"]
        self.assertEqual([{"x": {"N": "1"}, "l": {"S": "l1"}}, {"x": {"N": "0"}, "l": {"S": "l2"}}], items)

    def test_keys_that_did_not_fit_come_back_with_their_attributes_to_get(self):
        keys = [{"pk": {"S": f"large{number}"}} for number in range(45)]
        for key in keys:
            self.client.put_item(TableName="singles", Item=key | {"text": {"S": "x" * 400_000}, "a": {"N": "1"}})
        asked = {"Keys": keys, "AttributesToGet": ["text", "pk"], "ConsistentRead": True}
        found = []
        while asked:
            answer = self.client.batch_get_item(RequestItems={"singles": asked})
            found += answer["Responses"]["singles"]
            rest = answer["UnprocessedKeys"].get("singles")
            self.assertTrue(rest is None or len(found) < 45)
            if rest:
                self.assertEqual({**asked, "Keys": rest["Keys"]}, rest)
            asked = rest
        self.assertEqual({("pk", "text")}, {tuple(sorted(item)) for item in found})
        self.assertEqual(45, len(found))
        for key in keys:
            self.client.delete_item(TableName="singles", Key=key)

    def test_expected_guards_every_write(self):
        key = {"pk": {"S": "guarded"}}
        failed = self.client.exceptions.ConditionalCheckFailedException
        self.client.put_item(TableName="singles", Item=key | {"v": {"N": "1"}}, Expected={"pk": {"Exists": False}})
        with self.assertRaises(failed):
            self.client.put_item(TableName="singles", Item=key, Expected={"pk": {"Exists": False}})
        self.client.update_item(TableName="singles", Key=key, AttributeUpdates={"v": {"Action": "ADD", "Value": {"N": "1"}}},
                                Expected={"v": {"Value": {"N": "1"}}, "w": {"Exists": False}})
        # Debian's boto3 is older than ReturnValuesOnConditionCheckFailure.
        answer = self.call("UpdateItem", {
            "TableName": "singles", "Key": key, "AttributeUpdates": {"v": {"Value": {"N": "9"}}},
            "Expected": {"v": {"Exists": True, "Value": {"N": "1"}}, "w": {"Exists": False}},
            "ReturnValuesOnConditionCheckFailure": "ALL_OLD"})
        self.assertEqual(("ConditionalCheckFailedException", key | {"v": {"N": "2"}}), (answer.type, answer.json()["Item"]))
        either = {"v": {"ComparisonOperator": "GT", "Value": {"N": "5"}}, "pk": condition("NOT_NULL")}
        with self.assertRaises(failed):
            self.client.delete_item(TableName="singles", Key=key, Expected=either)
        self.client.delete_item(TableName="singles", Key=key, Expected=either, ConditionalOperator="OR")
        self.assertNotIn("Item", self.client.get_item(TableName="singles", Key=key))
        self.client.put_item(TableName="singles", Item=key, Expected={})
        self.client.delete_item(TableName="singles", Key=key)

    def test_updates_return_what_they_touched(self):
        key = {"pk": {"S": "returned"}}
        updates = {"a": {"Value": {"N": "1"}}, "b": {"Action": "ADD", "Value": {"SS": ["x"]}}, "c": {"Action": "DELETE"}}
        self.client.put_item(TableName="singles", Item=key | {"c": {"N": "1"}, "d": {"N": "1"}})

        def returned(which):
            return self.client.update_item(TableName="singles", Key=key, AttributeUpdates=updates,
                                           ReturnValues=which).get("Attributes")
        self.assertEqual({"c": {"N": "1"}}, returned("UPDATED_OLD"))
        self.assertEqual({"a": {"N": "1"}, "b": {"SS": ["x"]}}, returned("UPDATED_NEW"))
        self.assertEqual(key | {"a": {"N": "1"}, "b": {"SS": ["x"]}, "d": {"N": "1"}}, returned("ALL_OLD"))
        self.client.delete_item(TableName="singles", Key=key)

    def test_updates_move_items_in_indexes(self):
        key = {"pk": {"S": "moving"}, "sk": {"N": "1"}}
        for state in ("first", "second"):
            self.client.update_item(TableName="pairs", Key=key, AttributeUpdates={"g": {"Value": {"S": state}}})
            self.assertEqual([1], self.numbers(IndexName="by_g", KeyConditions={"g": equal(state)}))
        self.assertEqual([], self.numbers(IndexName="by_g", KeyConditions={"g": equal("first")}))
        self.client.update_item(TableName="pairs", Key=key, AttributeUpdates={"g": {"Action": "DELETE"}})
        self.assertEqual([], self.numbers(IndexName="by_g", KeyConditions={"g": equal("second")}))
        self.client.delete_item(TableName="pairs", Key=key)


class OnTheWire(LegacyTest):
    def test_of_members_with_the_same_name_the_last_one_counts(self):
        answer = self.call("UpdateItem", '{"TableName":"singles","Key":{"pk":{"S":"twice"}},"ReturnValues":"ALL_NEW",'
                                         '"AttributeUpdates":{"a":{"Value":{"N":"1"}},"a":{"Value":{"N":"2"}}},'
                                         '"Expected":{"a":{"Value":{"N":"1"}},"a":{"Exists":false}}}')
        self.assertEqual({"pk": {"S": "twice"}, "a": {"N": "2"}}, answer.json().get("Attributes"), answer.body)

    def test_an_item_that_is_too_large_is_reported_before_expected(self):
        self.assert_refused(self.call("PutItem", {"TableName": "missing", "Expected": {"a": {}}, "Item": {
            "pk": {"S": "a"}, "text": {"S": "x" * 410_000}}}), "Item size has exceeded the maximum allowed size")

    def test_parameters_of_other_operations_are_not_looked_at(self):
        key, scan = {"pk": {"S": "other"}}, {"TableName": "pairs"}
        self.must("PutItem", TableName="singles", Item=key | {"a": {"N": "1"}})
        for number in range(3):
            self.must("PutItem", TableName="pairs", Item={"pk": {"S": "a"}, "sk": {"N": str(number)}})
        forward = self.must("Scan", **scan)["Items"]
        for other in ({"ScanIndexForward": False}, {"ScanIndexForward": 1}, {"KeyConditionExpression": "pk = :x"},
                      {"KeyConditionExpression": 1}, {"KeyConditions": 1}, {"QueryFilter": 1}):
            with self.subTest(**other):
                self.assertEqual(forward, self.must("Scan", **scan, **other)["Items"])
        for other in ({"ExpressionAttributeValues": {":v": {"N": "1"}}}, {"ExpressionAttributeValues": 1}, {"Expected": 1}):
            with self.subTest(**other):
                get = {"TableName": "singles", "Key": key, "ProjectionExpression": "a"} | other
                self.assertEqual({"a": {"N": "1"}}, self.must("GetItem", **get)["Item"])
                got = self.must("TransactGetItems", TransactItems=[{"Get": get}])
                self.assertEqual([{"Item": {"a": {"N": "1"}}}], got["Responses"])
        put = {"TableName": "singles", "Item": key, "UpdateExpression": 1, "AttributeUpdates": 1}
        self.must("TransactWriteItems", TransactItems=[{"Put": put}])
        self.must("PutItem", **put)


if __name__ == "__main__":
    unittest.main()

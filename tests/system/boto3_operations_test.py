#!/usr/bin/python3
"""Every operation through boto3 with its options: what it returns, what it costs, and the exceptions it raises."""

import contextlib
import decimal
import unittest

from boto3.dynamodb.conditions import Attr, Key
from boto3.dynamodb.types import Binary
from botocore.exceptions import ClientError

from dolmen_server import ServerTest

TABLE = {
    "BillingMode": "PAY_PER_REQUEST",
    "KeySchema": [{"AttributeName": "customer", "KeyType": "HASH"}, {"AttributeName": "number", "KeyType": "RANGE"}],
    "AttributeDefinitions": [{"AttributeName": name, "AttributeType": kind} for name, kind in (
        ("customer", "S"), ("number", "N"), ("day", "S"), ("state", "S"))],
    "LocalSecondaryIndexes": [{
        "IndexName": "by-day", "Projection": {"ProjectionType": "KEYS_ONLY"},
        "KeySchema": [{"AttributeName": "customer", "KeyType": "HASH"}, {"AttributeName": "day", "KeyType": "RANGE"}]}],
    "GlobalSecondaryIndexes": [{
        "IndexName": "by-state", "Projection": {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["note"]},
        "KeySchema": [{"AttributeName": "state", "KeyType": "HASH"}]}],
}
COUNT = 12


def order(customer, number):
    return {"customer": customer, "number": number, "day": f"day{number % 3}", "state": "open" if number % 2 else "paid",
            "note": "n", "secret": "s"}


def wire_key(customer, number):
    return {"customer": {"S": customer}, "number": {"N": str(number)}}


class OperationsTest(ServerTest):
    """One server for all tests of a class, and a table of its own for each."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.client = cls.server.client()
        cls.resource = cls.server.resource()

    def setUp(self):
        self.name = self.id().rpartition(".")[2][:255]
        self.table = self.resource.create_table(TableName=self.name, **TABLE)
        self.table.wait_until_exists()

    def fill(self):
        with self.table.batch_writer() as batch:
            for number in range(COUNT):
                batch.put_item(order("ada", number))

    @contextlib.contextmanager
    def refused(self, name, message):
        """The client and the resource have classes of their own for each exception, of the same name."""
        with self.assertRaises(ClientError) as caught:
            yield caught
        error = caught.exception.response["Error"]
        self.assertEqual((error["Code"], error["Message"]), (name, message))
        self.assertEqual(type(caught.exception).__name__, getattr(self.client.exceptions, name, ClientError).__name__)
        self.assertEqual(caught.exception.response["ResponseMetadata"]["HTTPStatusCode"], 400)

    def invalid(self, message):
        return self.refused("ValidationException", message)


class Writes(OperationsTest):
    def test_an_update_returns_what_was_asked_for(self):
        key = {"customer": "ada", "number": 1}
        before = key | {"a": 1, "tree": {"x": 1, "y": 2}}
        after = key | {"a": 2, "tree": {"x": 9, "y": 2}}
        for wanted, attributes in {"NONE": None, "ALL_OLD": before, "ALL_NEW": after,
                                   "UPDATED_OLD": {"a": 1, "tree": {"x": 1}},
                                   "UPDATED_NEW": {"a": 2, "tree": {"x": 9}}}.items():
            with self.subTest(wanted):
                self.table.put_item(Item=before)
                updated = self.table.update_item(Key=key, ReturnValues=wanted, UpdateExpression="SET tree.x = :n ADD a :one",
                                                 ExpressionAttributeValues={":n": 9, ":one": 1})
                self.assertEqual(updated.get("Attributes"), attributes)

    def test_values_come_back_as_boto3s_types(self):
        item = {"customer": "ada", "number": 1, "decimal": decimal.Decimal("1.25"), "binary": Binary(b"\x00\xff"),
                "strings": {"a", "b"}, "numbers": {1, decimal.Decimal("2.5")}, "binaries": {Binary(b"a"), Binary(b"b")}}
        self.table.put_item(Item=item)
        got = self.table.get_item(Key={"customer": "ada", "number": 1}, ConsistentRead=True)["Item"]
        self.assertEqual(got, item)
        self.assertIsInstance(got["binary"], Binary)
        self.assertIsInstance(got["decimal"], decimal.Decimal)
        self.assertIsInstance(got["numbers"], set)

    def test_conditions_can_be_built_in_python(self):
        self.table.put_item(Item=order("ada", 1))
        key = {"customer": "ada", "number": 1}
        holds = [Attr("state").eq("open"), Attr("note").exists() & Attr("missing").not_exists(), Attr("number").between(1, 2),
                 Attr("state").is_in(["paid", "open"]), Attr("day").begins_with("day"), Attr("note").contains("n"),
                 ~Attr("state").eq("paid"), Attr("note").size().eq(1), Attr("note").attribute_type("S"),
                 Attr("state").ne("paid") | Attr("missing").exists()]
        for condition in holds:
            with self.subTest(condition.expression_format):
                self.table.update_item(Key=key, UpdateExpression="SET seen = :y", ConditionExpression=condition,
                                       ExpressionAttributeValues={":y": True})
                with self.refused("ConditionalCheckFailedException", "The conditional request failed"):
                    self.table.delete_item(Key=key, ConditionExpression=~condition)
        self.assertTrue(self.table.get_item(Key=key)["Item"]["seen"])

    def test_a_batch_writer_puts_deletes_and_forgets_repetitions(self):
        with self.table.batch_writer(overwrite_by_pkeys=["customer", "number"]) as batch:
            for number in range(60):
                batch.put_item(Item=order("ada", number))
                batch.put_item(Item=order("ada", number) | {"note": "second"})
            batch.delete_item(Key={"customer": "ada", "number": 0})
        items = self.table.query(KeyConditionExpression=Key("customer").eq("ada"))["Items"]
        self.assertEqual([item["number"] for item in items], list(range(1, 60)))
        self.assertEqual({item["note"] for item in items}, {"second"})

    def test_writes_tell_their_capacity_and_item_collection(self):
        put = self.table.put_item(Item=order("ada", 1), ReturnConsumedCapacity="INDEXES", ReturnItemCollectionMetrics="SIZE")
        one = {"CapacityUnits": 1.0}
        self.assertEqual(put["ConsumedCapacity"], {
            "TableName": self.name, "CapacityUnits": 3.0, "Table": one, "LocalSecondaryIndexes": {"by-day": one},
            "GlobalSecondaryIndexes": {"by-state": one}})
        self.assertEqual(put["ItemCollectionMetrics"]["ItemCollectionKey"], {"customer": "ada"})
        low, high = put["ItemCollectionMetrics"]["SizeEstimateRangeGB"]
        self.assertTrue(0 <= low <= high)
        deleted = self.table.delete_item(Key={"customer": "ada", "number": 1}, ReturnConsumedCapacity="TOTAL")
        self.assertEqual(deleted["ConsumedCapacity"], {"TableName": self.name, "CapacityUnits": 3.0})


class Reads(OperationsTest):
    def test_paginators_go_on_where_they_were_told_to_stop(self):
        self.fill()
        for operation, arguments in (("query", {"KeyConditionExpression": "customer = :c",
                                                "ExpressionAttributeValues": {":c": {"S": "ada"}}}), ("scan", {})):
            with self.subTest(operation):
                paginator = self.client.get_paginator(operation)
                seen, token = [], None
                for _ in range(COUNT):
                    page = paginator.paginate(TableName=self.name, **arguments, PaginationConfig={
                        "MaxItems": 5, "PageSize": 2, "StartingToken": token}).build_full_result()
                    seen += [int(item["number"]["N"]) for item in page["Items"]]
                    token = page.get("NextToken")
                    if token is None:
                        break
                self.assertEqual(sorted(seen), list(range(COUNT)))

    def test_what_is_selected_is_returned(self):
        self.fill()
        ada = Key("customer").eq("ada")
        counted = self.table.query(KeyConditionExpression=ada, Select="COUNT")
        self.assertEqual((counted["Count"], counted["ScannedCount"], "Items" in counted), (COUNT, COUNT, False))
        projected = self.table.query(IndexName="by-day", KeyConditionExpression=ada, Select="ALL_PROJECTED_ATTRIBUTES")
        self.assertEqual(projected["Items"][0].keys(), {"customer", "number", "day"})
        fetched = self.table.query(IndexName="by-day", KeyConditionExpression=ada & Key("day").eq("day2"),
                                   Select="ALL_ATTRIBUTES", Limit=1)
        self.assertEqual(fetched["Items"], [order("ada", 2)])
        specific = self.table.scan(Select="SPECIFIC_ATTRIBUTES", ProjectionExpression="note", Limit=1)
        self.assertEqual(specific["Items"], [{"note": "n"}])
        with self.invalid("One or more parameter values were invalid: Select type ALL_ATTRIBUTES is not supported for global "
                          "secondary index by-state because its projection type is not ALL"):
            self.table.scan(IndexName="by-state", Select="ALL_ATTRIBUTES")

    def test_reads_tell_their_capacity(self):
        self.fill()
        ada = Key("customer").eq("ada")
        for consistent, units in ((False, 0.5), (True, 1.0)):
            got = self.table.query(KeyConditionExpression=ada, ConsistentRead=consistent, ReturnConsumedCapacity="TOTAL")
            self.assertEqual(got["ConsumedCapacity"], {"TableName": self.name, "CapacityUnits": units})
        got = self.table.scan(IndexName="by-state", ReturnConsumedCapacity="INDEXES")
        self.assertEqual(got["ConsumedCapacity"], {
            "TableName": self.name, "CapacityUnits": 0.5, "Table": {"CapacityUnits": 0.0},
            "GlobalSecondaryIndexes": {"by-state": {"CapacityUnits": 0.5}}})

    def test_errors_of_reads_have_dynamodbs_words(self):
        with self.invalid("The table does not have the specified index: none"):
            self.table.scan(IndexName="none")
        with self.invalid("Query condition missed key schema element: customer"):
            self.table.query(KeyConditionExpression=Key("number").eq(1))
        with self.invalid("Consistent reads are not supported on global secondary indexes"):
            self.table.scan(IndexName="by-state", ConsistentRead=True)
        with self.invalid("The Segment parameter is zero-based and must be less than parameter TotalSegments"):
            self.table.scan(Segment=2, TotalSegments=2)
        with self.refused("ResourceNotFoundException", "Requested resource not found"):
            self.resource.Table("missing").scan()


class Batches(OperationsTest):
    def test_the_resource_gets_and_writes_batches(self):
        written = self.resource.batch_write_item(
            RequestItems={self.name: [{"PutRequest": {"Item": order("ada", n)}} for n in range(3)]},
            ReturnConsumedCapacity="TOTAL", ReturnItemCollectionMetrics="SIZE")
        self.assertEqual(written["UnprocessedItems"], {})
        self.assertEqual(written["ConsumedCapacity"], [{"TableName": self.name, "CapacityUnits": 9.0}])
        self.assertEqual(written["ItemCollectionMetrics"][self.name][0]["ItemCollectionKey"], {"customer": "ada"})
        got = self.resource.batch_get_item(ReturnConsumedCapacity="TOTAL", RequestItems={self.name: {
            "Keys": [{"customer": "ada", "number": n} for n in (0, 2, 99)], "ConsistentRead": True,
            "ProjectionExpression": "#n", "ExpressionAttributeNames": {"#n": "number"}}})
        self.assertEqual(sorted(item["number"] for item in got["Responses"][self.name]), [0, 2])
        self.assertEqual((got["UnprocessedKeys"], got["ConsumedCapacity"]),
                         ({}, [{"TableName": self.name, "CapacityUnits": 3.0}]))

    def test_errors_of_batches_have_dynamodbs_words(self):
        put = {"PutRequest": {"Item": order("ada", 1)}}
        with self.invalid("Provided list of item keys contains duplicates"):
            self.resource.batch_write_item(RequestItems={self.name: [put, put]})
        with self.refused("ResourceNotFoundException", "Requested resource not found"):
            self.resource.batch_write_item(RequestItems={"missing": [put]})
        with self.invalid("The provided key element does not match the schema"):
            self.resource.batch_get_item(RequestItems={self.name: {"Keys": [{"customer": "ada"}]}})


class Transactions(OperationsTest):
    def put(self, number, **more):
        item = wire_key("ada", number) | {"v": {"N": str(number)}}
        return {"Put": {"TableName": self.name, "Item": item} | more}

    def test_reasons_come_in_order_and_with_their_items(self):
        self.client.transact_write_items(TransactItems=[self.put(1), self.put(2)])
        fails = {"ConditionExpression": "attribute_not_exists(customer)"}
        message = ("Transaction cancelled, please refer cancellation reasons for specific reasons "
                   "[None, ConditionalCheckFailed, ConditionalCheckFailed]")
        with self.refused("TransactionCanceledException", message) as caught:
            self.client.transact_write_items(TransactItems=[
                self.put(3), self.put(1, ReturnValuesOnConditionCheckFailure="ALL_OLD", **fails), self.put(2, **fails)])
        failed = {"Code": "ConditionalCheckFailed", "Message": "The conditional request failed"}
        self.assertEqual(caught.exception.response["CancellationReasons"], [
            {"Code": "None"}, failed | {"Item": wire_key("ada", 1) | {"v": {"N": "1"}}}, failed])
        self.assertNotIn("Item", self.client.get_item(TableName=self.name, Key=wire_key("ada", 3)))

    def test_all_four_actions_happen_together_and_tell_their_capacity(self):
        self.client.transact_write_items(TransactItems=[self.put(1), self.put(2), self.put(3)])
        at = {"TableName": self.name}
        written = self.client.transact_write_items(ReturnConsumedCapacity="TOTAL", ReturnItemCollectionMetrics="SIZE",
                                                   TransactItems=[
            {"ConditionCheck": at | {"Key": wire_key("ada", 1), "ConditionExpression": "attribute_exists(customer)"}},
            {"Update": at | {"Key": wire_key("ada", 2), "UpdateExpression": "ADD v :v",
                             "ExpressionAttributeValues": {":v": {"N": "40"}}}},
            {"Delete": at | {"Key": wire_key("ada", 3)}}, self.put(4)])
        self.assertEqual(written["ConsumedCapacity"], [{"TableName": self.name, "CapacityUnits": 8.0, "WriteCapacityUnits": 8.0}])
        self.assertEqual(written["ItemCollectionMetrics"][self.name][0]["ItemCollectionKey"], {"customer": {"S": "ada"}})
        got = self.client.transact_get_items(ReturnConsumedCapacity="TOTAL", TransactItems=[
            {"Get": at | {"Key": wire_key("ada", n), "ProjectionExpression": "v"}} for n in (1, 2, 3, 4)])
        self.assertEqual(got["Responses"], [{"Item": {"v": {"N": "1"}}}, {"Item": {"v": {"N": "42"}}}, {},
                                            {"Item": {"v": {"N": "4"}}}])
        self.assertEqual(got["ConsumedCapacity"], [{"TableName": self.name, "CapacityUnits": 8.0, "ReadCapacityUnits": 8.0}])

    def test_the_capacity_of_a_transaction_is_told_for_the_table_and_each_index(self):
        item = wire_key("ada", 1) | {"day": {"S": "d"}, "state": {"S": "open"}}
        written = self.client.transact_write_items(ReturnConsumedCapacity="INDEXES", TransactItems=[
            {"Put": {"TableName": self.name, "Item": item}}])["ConsumedCapacity"]
        one, two = ({"CapacityUnits": units, "WriteCapacityUnits": units} for units in (1.0, 2.0))
        self.assertEqual(written, [{"TableName": self.name, "CapacityUnits": 4.0, "WriteCapacityUnits": 4.0, "Table": two,
                                    "LocalSecondaryIndexes": {"by-day": one}, "GlobalSecondaryIndexes": {"by-state": one}}])
        got = self.client.transact_get_items(ReturnConsumedCapacity="INDEXES", TransactItems=[
            {"Get": {"TableName": self.name, "Key": wire_key("ada", n)}} for n in (1, 2)])["ConsumedCapacity"]
        four = {"CapacityUnits": 4.0, "ReadCapacityUnits": 4.0}
        self.assertEqual(got, [{"TableName": self.name, "Table": four} | four])

    def test_an_action_may_have_placeholders_and_no_expression(self):
        self.client.transact_write_items(TransactItems=[self.put(1, ExpressionAttributeNames={"#a": "a"},
                                                                 ExpressionAttributeValues={":a": {"N": "1"}})])
        self.assertIn("Item", self.client.get_item(TableName=self.name, Key=wire_key("ada", 1)))

    def test_a_repeated_transaction_costs_the_reading_of_its_items(self):
        def transact():
            return self.client.transact_write_items(ClientRequestToken="repeated", ReturnConsumedCapacity="TOTAL",
                                                    TransactItems=[self.put(1), self.put(2)])["ConsumedCapacity"]
        self.assertEqual(transact(), [{"TableName": self.name, "CapacityUnits": 4.0, "WriteCapacityUnits": 4.0}])
        self.assertEqual(transact(), [{"TableName": self.name, "CapacityUnits": 4.0, "ReadCapacityUnits": 4.0}])

    def test_a_token_of_another_request_is_refused(self):
        self.client.transact_write_items(ClientRequestToken="token", TransactItems=[self.put(1)])
        self.client.transact_write_items(ClientRequestToken="token", TransactItems=[self.put(1)])
        with self.assertRaises(self.client.exceptions.IdempotentParameterMismatchException):
            self.client.transact_write_items(ClientRequestToken="token", TransactItems=[self.put(2)])


if __name__ == "__main__":
    unittest.main(warnings="ignore")  # boto3 leaves its sockets to the garbage collector.

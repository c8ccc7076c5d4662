#!/usr/bin/python3
"""The AWS command line works against the server. It is slow to start, so each test tells a whole story."""

import concurrent.futures
import pathlib
import unittest

from aws_cli import AWS, AwsCli
from dolmen_server import create_table


class AwsCliTest(AwsCli):
    def test_the_life_of_a_table_that_survives_a_crash(self):
        created = self.aws("create-table", "--table-name", "Music",
                           "--attribute-definitions", "AttributeName=Artist,AttributeType=S",
                           "AttributeName=Year,AttributeType=N",
                           "--key-schema", "AttributeName=Artist,KeyType=HASH", "AttributeName=Year,KeyType=RANGE",
                           "--billing-mode", "PAY_PER_REQUEST")["TableDescription"]
        self.assertEqual(created["TableStatus"], "CREATING")
        self.aws("wait", "table-exists", "--table-name", "Music")
        described = self.aws("describe-table", "--table-name", "Music")["Table"]
        self.assertEqual((described["TableStatus"], described["TableId"]), ("ACTIVE", created["TableId"]))

        key = {"Artist": {"S": "Alan Stivell"}, "Year": {"N": "1972"}}
        item = key | {"Title": {"S": "\u00c0 l'Olympia"}, "Cover": {"B": "AAH/"}, "Tags": {"SS": ["folk", "harp"]},
                      "Tracks": {"L": [{"M": {"Title": {"S": "The Wind of Keltia"}, "Live": {"BOOL": True}}},
                                       {"NULL": True}]}}
        self.assertIsNone(self.aws("put-item", "--table-name", "Music", "--item", item))

        self.server.kill()
        self.server.start()
        got = self.aws("get-item", "--table-name", "Music", "--key", key, "--consistent-read")
        self.assertEqual(got, {"Item": item})

        deleted = self.aws("delete-item", "--table-name", "Music", "--key", key, "--return-values", "ALL_OLD",
                           "--return-consumed-capacity", "TOTAL")
        self.assertEqual(deleted, {"Attributes": item,
                                   "ConsumedCapacity": {"TableName": "Music", "CapacityUnits": 1.0}})
        dropped = self.aws("delete-table", "--table-name", "Music")["TableDescription"]
        self.assertEqual((dropped["TableStatus"], dropped["TableId"]), ("DELETING", created["TableId"]))
        self.aws("wait", "table-not-exists", "--table-name", "Music")

    def test_a_listing_in_pages_is_whole(self):
        names = [f"table{i}" for i in range(5)]
        for name in names:
            create_table(self.server, name)
        self.assertEqual(self.aws("list-tables", "--page-size", "2"), {"TableNames": names})

    def make_orders(self):
        """A table with indexes and twelve items of one customer."""
        create_table(self.server, "orders", "customer", "number", "SN", AttributeDefinitions=[
            {"AttributeName": name, "AttributeType": kind} for name, kind in
            (("customer", "S"), ("number", "N"), ("state", "S"), ("day", "S"))], LocalSecondaryIndexes=[{
                "IndexName": "by-day", "Projection": {"ProjectionType": "ALL"}, "KeySchema": [
                    {"AttributeName": "customer", "KeyType": "HASH"}, {"AttributeName": "day", "KeyType": "RANGE"}]}],
            GlobalSecondaryIndexes=[{
                "IndexName": "by-state", "Projection": {"ProjectionType": "KEYS_ONLY"},
                "KeySchema": [{"AttributeName": "state", "KeyType": "HASH"}]}])
        for number in range(12):
            self.server.must("PutItem", {"TableName": "orders", "Item": self.order(number)})

    @staticmethod
    def key(number):
        return {"customer": {"S": "ada"}, "number": {"N": str(number)}}

    @classmethod
    def order(cls, number):
        return cls.key(number) | {"day": {"S": f"day{number % 3}"}, "state": {"S": "open" if number % 2 else "paid"}}

    def test_a_query_and_a_scan_are_paged_filtered_and_printed_as_asked(self):
        self.make_orders()
        ada = ["--table-name", "orders", "--key-condition-expression", "customer = :c",
               "--expression-attribute-values", {":c": {"S": "ada"}}]
        numbers = ["--query", "Items[].number.N"]
        scan = ["scan", "--table-name", "orders"]
        whole, pages, backwards, counted, projected, by_state, segments, capacity = self.aws_all(
            ["query", *ada, *numbers], ["query", *ada, "--page-size", "5", *numbers],
            ["query", *ada, "--no-scan-index-forward", *numbers], ["query", *ada, "--select", "COUNT"],
            ["query", *ada, "--projection-expression", "#n, #s", "--expression-attribute-names",
             {"#n": "number", "#s": "state"}, "--max-items", "1"],
            [*scan, "--index-name", "by-state", "--filter-expression", "#s = :s", "--expression-attribute-names",
             {"#s": "state"}, "--expression-attribute-values", {":s": {"S": "open"}}, "--query", "[Count, ScannedCount]"],
            [*scan, "--segment", "0", "--total-segments", "1", "--query", "Count"],
            ["query", *ada, "--index-name", "by-day", "--return-consumed-capacity", "INDEXES", "--consistent-read",
             "--query", "ConsumedCapacity"])
        self.assertEqual(whole, [str(number) for number in range(12)])
        self.assertEqual((pages, backwards), (whole, whole[::-1]))
        self.assertEqual(counted, {"Count": 12, "ScannedCount": 12, "ConsumedCapacity": None})
        self.assertEqual(projected["Items"], [{"number": {"N": "0"}, "state": {"S": "paid"}}])
        self.assertEqual((by_state, segments), ([6, 12], 12))
        self.assertEqual(capacity, {"TableName": "orders", "CapacityUnits": 1.0, "Table": {"CapacityUnits": 0.0},
                                    "LocalSecondaryIndexes": {"by-day": {"CapacityUnits": 1.0}}})

        first = self.aws(*scan, "--max-items", "5", "--page-size", "2")
        rest = self.aws(*scan, "--starting-token", first["NextToken"])
        self.assertEqual([item["number"]["N"] for item in first["Items"] + rest["Items"]], whole)
        text = self.run_aws("query", *ada, "--query", "Items[0].state.S", "--output", "text")
        self.assertEqual((text.code, text.out), (0, "paid\n"))

    def test_updates_batches_and_transactions_do_what_they_say(self):
        self.make_orders()
        updated, written, transacted = self.aws_all(
            ["update-item", "--table-name", "orders", "--key", self.key(1), "--update-expression", "SET amount = :t REMOVE #d",
             "--expression-attribute-names", {"#d": "day"}, "--expression-attribute-values", {":t": {"N": "5"}},
             "--condition-expression", "attribute_exists(#d)", "--return-values", "ALL_NEW",
             "--return-item-collection-metrics", "SIZE"],
            ["batch-write-item", "--request-items", {"orders": [{"PutRequest": {"Item": self.order(20)}},
                                                                {"DeleteRequest": {"Key": self.key(2)}}]},
             "--return-consumed-capacity", "TOTAL"],
            ["transact-write-items", "--client-request-token", "token", "--return-consumed-capacity", "TOTAL",
             "--transact-items", [{"Put": {"TableName": "orders", "Item": self.key(30)}},
                                  {"ConditionCheck": {"TableName": "orders", "Key": self.key(3),
                                                      "ConditionExpression": "attribute_exists(customer)"}},
                                  {"Update": {"TableName": "orders", "Key": self.key(4), "UpdateExpression": "REMOVE x"}},
                                  {"Delete": {"TableName": "orders", "Key": self.key(5)}}]])
        self.assertEqual(updated["Attributes"], self.key(1) | {"amount": {"N": "5"}, "state": {"S": "open"}})
        self.assertEqual(updated["ItemCollectionMetrics"]["ItemCollectionKey"], {"customer": {"S": "ada"}})
        self.assertEqual(written["UnprocessedItems"], {})
        self.assertEqual(written["ConsumedCapacity"], [{"TableName": "orders", "CapacityUnits": 6.0}])
        self.assertEqual(transacted["ConsumedCapacity"][0]["TableName"], "orders")
        batch, transaction = self.aws_all(
            ["batch-get-item", "--request-items", {"orders": {"Keys": [self.key(number) for number in (1, 2, 20, 30, 5)],
                                                              "ProjectionExpression": "#n",
                                                              "ExpressionAttributeNames": {"#n": "number"}}}],
            ["transact-get-items", "--transact-items", [{"Get": {"TableName": "orders", "Key": self.key(number)}}
                                                        for number in (30, 5)]])
        self.assertEqual(sorted(item["number"]["N"] for item in batch["Responses"]["orders"]), ["1", "20", "30"])
        self.assertEqual(transaction, {"Responses": [{"Item": self.key(30)}, {}]})

    def test_errors_are_printed_with_their_name_and_message(self):
        self.make_orders()
        fails = ["--condition-expression", "attribute_not_exists(customer)"]
        at = ["--table-name", "orders"]
        cases = (
            (["get-item", "--table-name", "missing", "--key", self.key(1)], "GetItem", "ResourceNotFoundException",
             "Requested resource not found"),
            (["describe-table", "--table-name", "missing"], "DescribeTable", "ResourceNotFoundException",
             "Requested resource not found: Table: missing not found"),
            (["put-item", *at, "--item", self.order(1), *fails], "PutItem", "ConditionalCheckFailedException",
             "The conditional request failed"),
            (["get-item", *at, "--key", {"customer": {"S": "ada"}}], "GetItem", "ValidationException",
             "The provided key element does not match the schema"),
            (["transact-write-items", "--transact-items", [
                {"Put": {"TableName": "orders", "Item": self.key(40)}},
                {"ConditionCheck": {"TableName": "orders", "Key": self.key(41),
                                    "ConditionExpression": "attribute_exists(customer)"}}]],
             "TransactWriteItems", "TransactionCanceledException",
             "Transaction cancelled, please refer cancellation reasons for specific reasons [None, ConditionalCheckFailed]"),
        )
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            for (_, operation, name, message), finished in zip(cases, pool.map(lambda case: self.run_aws(*case[0]), cases)):
                with self.subTest(operation, error=name):
                    self.assertEqual((finished.code, finished.out, finished.err.strip()), (
                        254, "", f"An error occurred ({name}) when calling the {operation} operation: {message}"))


if __name__ == "__main__":
    if pathlib.Path(AWS).exists():
        unittest.main()
    print(f"skipped: there is no {AWS} (package awscli)")

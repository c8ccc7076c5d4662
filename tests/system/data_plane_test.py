#!/usr/bin/python3
"""Updates, queries, indexes, batches and transactions through the AWS SDK for Python."""

import concurrent.futures
import decimal
import unittest

from boto3.dynamodb.conditions import Attr, Key

from dolmen_server import Server

TABLE = {
    "TableName": "orders",
    "BillingMode": "PAY_PER_REQUEST",
    "KeySchema": [{"AttributeName": "customer", "KeyType": "HASH"}, {"AttributeName": "number", "KeyType": "RANGE"}],
    "AttributeDefinitions": [{"AttributeName": name, "AttributeType": kind} for name, kind in (
        ("customer", "S"), ("number", "N"), ("day", "S"), ("state", "S"), ("total", "N"))],
    "LocalSecondaryIndexes": [{
        "IndexName": "by-day", "Projection": {"ProjectionType": "KEYS_ONLY"},
        "KeySchema": [{"AttributeName": "customer", "KeyType": "HASH"}, {"AttributeName": "day", "KeyType": "RANGE"}]}],
    "GlobalSecondaryIndexes": [{
        "IndexName": "by-state", "Projection": {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["note"]},
        "KeySchema": [{"AttributeName": "state", "KeyType": "HASH"}, {"AttributeName": "total", "KeyType": "RANGE"}]}, {
        "IndexName": "by-state-and-day", "Projection": {"ProjectionType": "ALL"},
        "KeySchema": [{"AttributeName": "state", "KeyType": "HASH"}, {"AttributeName": "day", "KeyType": "HASH"},
                      {"AttributeName": "customer", "KeyType": "RANGE"}, {"AttributeName": "number", "KeyType": "RANGE"}]}],
}


class DataPlaneTest(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.server = Server()
        self.server.start()
        self.addCleanup(self.server.close)
        self.client = self.server.client()
        self.server.must("CreateTable", TABLE)  # Debian's boto3 is older than keys of several attributes.
        self.table = self.server.resource().Table("orders")

    def fill(self):
        with self.table.batch_writer() as batch:
            for customer in "ab":
                for number in range(20):
                    batch.put_item({"customer": customer, "number": number, "day": f"d{number % 3}",
                                    "state": "open" if number % 2 else "paid", "total": number * 10, "note": "n"})

    def refused(self, code, call, **arguments):
        with self.assertRaises(self.client.exceptions.ClientError) as caught:
            call(**arguments)
        self.assertEqual(caught.exception.response["Error"]["Code"], code)
        return caught.exception.response

    def test_an_update_changes_and_returns_only_what_it_names(self):
        key = {"customer": "a", "number": 1}
        self.table.put_item(Item=key | {"entries": [1, 2, 3], "who": {"first": "Ada", "last": "L"}})
        updated = self.table.update_item(
            Key=key, UpdateExpression="SET who.#f = :f, seen = if_not_exists(seen, :zero) + :one REMOVE entries[0], entries[2]",
            ExpressionAttributeNames={"#f": "first"}, ExpressionAttributeValues={":f": "Grace", ":zero": 0, ":one": 1},
            ReturnValues="UPDATED_NEW")
        # DynamoDB looks the written paths up in the new item, and there 2 has moved to entries[0].
        self.assertEqual(updated["Attributes"], {"who": {"first": "Grace"}, "seen": 1, "entries": [2]})
        self.assertEqual(self.table.get_item(Key=key)["Item"],
                         key | {"entries": [2], "who": {"first": "Grace", "last": "L"}, "seen": 1})

    def test_an_update_that_only_removes_creates_nothing(self):
        key = {"customer": "a", "number": 1}
        self.table.update_item(Key=key, UpdateExpression="REMOVE x")
        self.assertNotIn("Item", self.table.get_item(Key=key))
        self.table.update_item(Key=key)
        self.assertEqual(self.table.get_item(Key=key)["Item"], key)

    def test_a_failed_condition_changes_nothing_and_can_show_the_item(self):
        self.table.put_item(Item={"customer": "a", "number": 1, "v": 1})
        self.refused("ConditionalCheckFailedException", self.table.put_item,
                     Item={"customer": "a", "number": 1, "v": 2}, ConditionExpression="attribute_not_exists(customer)")
        answer = self.server.call("DeleteItem", {
            "TableName": "orders", "Key": {"customer": {"S": "a"}, "number": {"N": "1"}}, "ConditionExpression": "v = :v",
            "ExpressionAttributeValues": {":v": {"N": "7"}}, "ReturnValuesOnConditionCheckFailure": "ALL_OLD"})
        self.assertEqual(answer.status, 400)
        self.assertEqual(answer.json()["Item"], {"customer": {"S": "a"}, "number": {"N": "1"}, "v": {"N": "1"}})

    def test_a_query_follows_its_key_condition_order_and_filter(self):
        self.fill()
        found = self.table.query(KeyConditionExpression=Key("customer").eq("a") & Key("number").between(5, 9),
                                 FilterExpression=Attr("state").eq("open"), ScanIndexForward=False)
        self.assertEqual([int(item["number"]) for item in found["Items"]], [9, 7, 5])
        self.assertEqual((found["Count"], found["ScannedCount"]), (3, 5))

    def test_pages_put_together_are_the_unpaged_result(self):
        self.fill()
        for operation, arguments in (("query", {"KeyConditionExpression": "customer = :c",
                                                "ExpressionAttributeValues": {":c": {"S": "b"}}}),
                                     ("query", {"IndexName": "by-state", "KeyConditionExpression": "#s = :s",
                                                "ExpressionAttributeNames": {"#s": "state"},
                                                "ExpressionAttributeValues": {":s": {"S": "open"}}}),
                                     ("scan", {}), ("scan", {"IndexName": "by-day"})):
            with self.subTest(operation, **arguments):
                whole = getattr(self.client, operation)(TableName="orders", **arguments)["Items"]
                pages = self.client.get_paginator(operation).paginate(
                    TableName="orders", PaginationConfig={"PageSize": 3}, **arguments)
                self.assertEqual([item for page in pages for item in page["Items"]], whole)
                self.assertGreaterEqual(len(whole), 20)

    def test_a_query_for_one_item_can_be_paged_to_its_end(self):
        self.fill()
        pages = self.client.get_paginator("query").paginate(
            TableName="orders", PaginationConfig={"PageSize": 1}, KeyConditionExpression="customer = :c AND #n = :n",
            ExpressionAttributeNames={"#n": "number"}, ExpressionAttributeValues={":c": {"S": "a"}, ":n": {"N": "1"}})
        self.assertEqual([page["Count"] for page in pages], [1, 0])

    def test_an_index_carries_its_projection_and_follows_the_item(self):
        self.fill()
        found = self.table.query(IndexName="by-state", KeyConditionExpression=Key("state").eq("paid") & Key("total").lt(30))
        self.assertEqual(found["Items"][0].keys(), {"customer", "number", "state", "total", "note"})
        self.assertEqual([int(item["total"]) for item in found["Items"]], [0, 0, 20, 20])
        self.table.update_item(Key={"customer": "a", "number": 0}, UpdateExpression="REMOVE #s",
                               ExpressionAttributeNames={"#s": "state"})
        self.table.delete_item(Key={"customer": "b", "number": 0})
        found = self.table.query(IndexName="by-state", KeyConditionExpression=Key("state").eq("paid") & Key("total").lt(30))
        self.assertEqual([int(item["total"]) for item in found["Items"]], [20, 20])

    def test_a_local_index_fetches_what_it_does_not_carry(self):
        self.fill()
        found = self.table.query(IndexName="by-day", KeyConditionExpression=Key("customer").eq("a") & Key("day").eq("d1"),
                                 ProjectionExpression="note")
        self.assertEqual(found["Items"], [{"note": "n"}] * 7)

    def test_an_index_key_may_have_several_attributes(self):
        self.fill()
        answer = self.server.must("Query", {
            "TableName": "orders", "IndexName": "by-state-and-day", "KeyConditionExpression": "#s = :s AND #d = :d AND customer = :c",
            "ExpressionAttributeNames": {"#s": "state", "#d": "day"}, "ProjectionExpression": "customer",
            "ExpressionAttributeValues": {":s": {"S": "open"}, ":d": {"S": "d0"}, ":c": {"S": "a"}}})
        self.assertEqual(answer["Count"], 3)

    def test_key_conditions_may_name_all_attributes_of_such_a_key(self):
        self.fill()
        equals = {"state": {"S": "open"}, "day": {"S": "d0"}, "customer": {"S": "b"}}
        conditions = {name: {"ComparisonOperator": "EQ", "AttributeValueList": [value]} for name, value in equals.items()}
        conditions["number"] = {"ComparisonOperator": "GT", "AttributeValueList": [{"N": "3"}]}
        got = self.server.must("Query", {"TableName": "orders", "IndexName": "by-state-and-day", "KeyConditions": conditions})
        self.assertEqual([item["number"]["N"] for item in got["Items"]], ["9", "15"])

    def test_the_segments_of_a_scan_are_the_whole_table_once(self):
        self.fill()
        for _ in range(3):
            self.table.put_item(Item={"customer": f"more{_}", "number": 1})
        seen = []
        for segment in range(4):
            seen += [(item["customer"], item["number"]) for item in
                     self.table.scan(Segment=segment, TotalSegments=4)["Items"]]
        self.assertEqual(len(seen), 43)
        self.assertEqual(len(set(seen)), 43)

    def test_a_transaction_happens_wholly_or_not_at_all(self):
        put = {"Put": {"TableName": "orders", "Item": {"customer": {"S": "t"}, "number": {"N": "1"}}}}
        check = {"ConditionCheck": {"TableName": "orders", "Key": {"customer": {"S": "t"}, "number": {"N": "2"}},
                                    "ConditionExpression": "attribute_exists(customer)"}}
        response = self.refused("TransactionCanceledException", self.client.transact_write_items, TransactItems=[put, check])
        self.assertEqual([reason["Code"] for reason in response["CancellationReasons"]], ["None", "ConditionalCheckFailed"])
        self.assertEqual(self.table.scan()["Items"], [])
        self.refused("ValidationException", self.client.transact_write_items, TransactItems=[put, put])
        self.client.transact_write_items(TransactItems=[put])
        got = self.client.transact_get_items(TransactItems=[
            {"Get": {"TableName": "orders", "Key": {"customer": {"S": "t"}, "number": {"N": str(n)}}}} for n in (1, 2)])
        self.assertEqual([bool(answer) for answer in got["Responses"]], [True, False])

    def test_a_client_token_makes_a_transaction_happen_once(self):
        def add(amount):
            return self.client.transact_write_items(ClientRequestToken="token", TransactItems=[{"Update": {
                "TableName": "orders", "Key": {"customer": {"S": "t"}, "number": {"N": "1"}}, "UpdateExpression": "ADD v :v",
                "ExpressionAttributeValues": {":v": {"N": amount}}}}])
        add("1")
        add("1")
        self.assertEqual(self.table.get_item(Key={"customer": "t", "number": 1})["Item"]["v"], 1)
        self.refused("IdempotentParameterMismatchException", add, amount="2")

    def test_counters_lose_nothing_under_concurrency(self):
        def add(_):
            self.client.update_item(TableName="orders", Key={"customer": {"S": "c"}, "number": {"N": "1"}},
                                    UpdateExpression="ADD v :one", ExpressionAttributeValues={":one": {"N": "1"}})
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            list(pool.map(add, range(400)))
        self.assertEqual(self.table.get_item(Key={"customer": "c", "number": 1})["Item"]["v"], decimal.Decimal(400))

    def test_a_batch_gets_what_is_there_and_refuses_repetition(self):
        self.fill()
        keys = [{"customer": {"S": "a"}, "number": {"N": str(n)}} for n in (1, 2, 99)]
        got = self.client.batch_get_item(RequestItems={"orders": {"Keys": keys, "ProjectionExpression": "note"}})
        self.assertEqual(got["Responses"]["orders"], [{"note": {"S": "n"}}] * 2)
        self.assertEqual(got["UnprocessedKeys"], {})
        self.refused("ValidationException", self.client.batch_get_item, RequestItems={"orders": {"Keys": keys + keys[:1]}})


if __name__ == "__main__":
    unittest.main()

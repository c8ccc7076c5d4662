#!/usr/bin/python3
"""DynamoDB Streams through boto3 and on the wire: what a consumer written for AWS does and sees."""

import base64
import contextlib
import http.client
import json
import os
import pathlib
import random
import re
import tempfile
import threading
import unittest

from botocore.exceptions import ClientError

from dolmen_server import PATIENCE_S, Server, ServerTest, encode, headers_for, read_answer

TABLE = {
    "BillingMode": "PAY_PER_REQUEST",
    "KeySchema": [{"AttributeName": "customer", "KeyType": "HASH"}, {"AttributeName": "number", "KeyType": "RANGE"}],
    "AttributeDefinitions": [{"AttributeName": "customer", "AttributeType": "S"},
                             {"AttributeName": "number", "AttributeType": "N"}],
}
SHARDS = 4
SEED = int(os.environ.get("DOLMEN_SEED", random.SystemRandom().randrange(1 << 32)))
MISSING_ARN = "arn:aws:dynamodb:us-east-1:000000000000:table/orders/stream/2020-01-01T00:00:00.000"


def key_of(number, customer="ada"):
    return {"customer": {"S": customer}, "number": {"N": str(number)}}


class StreamsTest(ServerTest):
    """One server for all tests of a class, and a table with a stream for each."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.client = cls.server.client()
        cls.streams = cls.server.streams_client()

    def setUp(self):
        self.name = self.id().rpartition(".")[2]
        self.arn = self.make(self.name)

    def make(self, name, view="NEW_AND_OLD_IMAGES"):
        made = self.client.create_table(TableName=name, **TABLE,
                                        StreamSpecification={"StreamEnabled": True, "StreamViewType": view})
        self.client.get_waiter("table_exists").wait(TableName=name)
        return made["TableDescription"]["LatestStreamArn"]

    def shards(self, arn):
        return self.streams.describe_stream(StreamArn=arn)["StreamDescription"]["Shards"]

    def iterator(self, arn, shard, kind="TRIM_HORIZON", **more):
        return self.streams.get_shard_iterator(StreamArn=arn, ShardId=shard, ShardIteratorType=kind,
                                               **more)["ShardIterator"]

    def records(self, arn):
        """Every record of a stream, page by page, shard by shard."""
        found = []
        for shard in self.shards(arn):
            iterator = self.iterator(arn, shard["ShardId"])
            while iterator:
                page = self.streams.get_records(ShardIterator=iterator, Limit=3)
                found += page["Records"]
                iterator = page.get("NextShardIterator") if page["Records"] else None
        return found

    def refused(self, name, message, function, **parameters):
        with self.assertRaises(ClientError) as caught:
            function(**parameters)
        self.assertEqual((caught.exception.response["Error"]["Code"], caught.exception.response["Error"]["Message"]),
                         (name, message))

    def test_a_description_names_the_stream(self):
        table = self.client.describe_table(TableName=self.name)["Table"]
        self.assertEqual(table["StreamSpecification"], {"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"})
        self.assertEqual(table["LatestStreamArn"], f"{table['TableArn']}/stream/{table['LatestStreamLabel']}")
        self.assertRegex(table["LatestStreamLabel"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}$")
        stream = self.streams.describe_stream(StreamArn=self.arn)["StreamDescription"]
        self.assertEqual(stream["StreamStatus"], "ENABLED")
        self.assertEqual(stream["StreamViewType"], "NEW_AND_OLD_IMAGES")
        self.assertEqual(stream["StreamLabel"], table["LatestStreamLabel"])
        self.assertEqual(stream["TableName"], self.name)
        self.assertEqual(stream["KeySchema"], TABLE["KeySchema"])
        self.assertAlmostEqual(stream["CreationRequestDateTime"].timestamp(), table["CreationDateTime"].timestamp(),
                               delta=60)
        self.assertEqual(len(stream["Shards"]), SHARDS)
        self.assertEqual(sorted(shard["ShardId"] for shard in stream["Shards"]),
                         [shard["ShardId"] for shard in stream["Shards"]])
        for shard in stream["Shards"]:
            self.assertRegex(shard["ShardId"], r"^shardId-\d{20}-[0-9a-f]{8}$")
            self.assertEqual(list(shard["SequenceNumberRange"]), ["StartingSequenceNumber"])
            self.assertNotIn("ParentShardId", shard)

    def test_a_small_table_with_provisioned_throughput_has_one_shard(self):
        small = TABLE | {"BillingMode": "PROVISIONED", "TableName": "small",
                         "ProvisionedThroughput": {"ReadCapacityUnits": 5, "WriteCapacityUnits": 5}}
        arn = self.client.create_table(**small, StreamSpecification={
            "StreamEnabled": True, "StreamViewType": "NEW_IMAGE"})["TableDescription"]["LatestStreamArn"]
        for number in range(20):
            self.client.put_item(TableName="small", Item=key_of(number, customer=f"customer {number}"))
        [shard] = self.shards(arn)
        records = self.streams.get_records(ShardIterator=self.iterator(arn, shard["ShardId"]))["Records"]
        self.assertEqual([record["dynamodb"]["Keys"]["number"]["N"] for record in records],
                         [str(number) for number in range(20)])

    def test_records_have_everything_that_aws_gives(self):
        item = key_of(1) | {"text": {"S": "x"}}
        changed = key_of(1) | {"text": {"S": "yy"}}
        self.client.put_item(TableName=self.name, Item=item)
        self.client.put_item(TableName=self.name, Item=item)
        self.client.put_item(TableName=self.name, Item=changed)
        self.client.delete_item(TableName=self.name, Key=key_of(1))
        records = self.records(self.arn)
        self.assertEqual([record["eventName"] for record in records], ["INSERT", "MODIFY", "REMOVE"])
        key_bytes = len("customer") + len("ada") + len("number") + 2
        for record, (new, old, size) in zip(records, ((item, None, key_bytes + 5), (changed, item, 2 * key_bytes + 11),
                                                      (None, changed, key_bytes + 6)), strict=True):
            self.assertRegex(record["eventID"], r"^[0-9a-f]{32}$")
            self.assertEqual(record["eventVersion"], "1.1")
            self.assertEqual(record["eventSource"], "aws:dynamodb")
            self.assertEqual(record["awsRegion"], "us-east-1")
            self.assertNotIn("userIdentity", record)
            change = record["dynamodb"]
            self.assertEqual(change["Keys"], key_of(1))
            self.assertEqual(change.get("NewImage"), new)
            self.assertEqual(change.get("OldImage"), old)
            self.assertEqual(change["SizeBytes"], key_bytes + size)
            self.assertEqual(change["StreamViewType"], "NEW_AND_OLD_IMAGES")
            self.assertRegex(change["SequenceNumber"], r"^\d{21,40}$")
            self.assertEqual(change["ApproximateCreationDateTime"].microsecond, 0)
        self.assertEqual(len({record["eventID"] for record in records}), 3)
        numbers = [int(record["dynamodb"]["SequenceNumber"]) for record in records]
        self.assertEqual(sorted(set(numbers)), numbers)
        self.assertEqual(records, self.records(self.arn))

    def test_each_view_has_its_images(self):
        for view, images in (("KEYS_ONLY", set()), ("NEW_IMAGE", {"NewImage"}), ("OLD_IMAGE", {"OldImage"}),
                             ("NEW_AND_OLD_IMAGES", {"NewImage", "OldImage"})):
            with self.subTest(view):
                arn = self.make(f"{self.name}-{view}", view)
                for text in "ab":
                    self.client.put_item(TableName=f"{self.name}-{view}", Item=key_of(1) | {"text": {"S": text}})
                first, second = (record["dynamodb"] for record in self.records(arn))
                self.assertEqual(images, {name for name in second if name.endswith("Image")})
                self.assertEqual(images - {"OldImage"}, {name for name in first if name.endswith("Image")})
                self.assertEqual(first["Keys"], key_of(1))

    def test_the_changes_of_many_items_are_spread_over_the_shards(self):
        for customer in range(40):
            self.client.put_item(TableName=self.name, Item=key_of(1, f"customer {customer}"))
        found = 0
        for shard in self.shards(self.arn):
            page = self.streams.get_records(ShardIterator=self.iterator(self.arn, shard["ShardId"]))
            self.assertGreater(len(page["Records"]), 0)
            found += len(page["Records"])
        self.assertEqual(found, 40)

    def test_a_transaction_is_recorded_in_its_order_without_what_it_leaves_as_it_is(self):
        self.client.put_item(TableName=self.name, Item=key_of(7))
        self.client.transact_write_items(TransactItems=[
            {"Put": {"TableName": self.name, "Item": key_of(number)}} for number in (5, 7, 3, 9)] + [
            {"ConditionCheck": {"TableName": self.name, "Key": key_of(100),
                                "ConditionExpression": "attribute_not_exists(customer)"}}])
        with self.assertRaises(self.client.exceptions.TransactionCanceledException):
            self.client.transact_write_items(TransactItems=[
                {"Put": {"TableName": self.name, "Item": key_of(11)}},
                {"Put": {"TableName": self.name, "Item": key_of(7),
                         "ConditionExpression": "attribute_not_exists(customer)"}}])
        self.assertEqual([record["dynamodb"]["Keys"]["number"]["N"] for record in self.records(self.arn)],
                         ["7", "5", "3", "9"])

    def test_places_to_read_from(self):
        for number in range(4):
            self.client.put_item(TableName=self.name, Item=key_of(number))
        records = self.records(self.arn)
        shard = next(shard for shard in self.shards(self.arn) if self.streams.get_records(
            ShardIterator=self.iterator(self.arn, shard["ShardId"]))["Records"])
        latest = self.iterator(self.arn, shard["ShardId"], "LATEST")
        self.assertEqual(self.streams.get_records(ShardIterator=latest)["Records"], [])
        second = records[1]["dynamodb"]["SequenceNumber"]
        start = shard["SequenceNumberRange"]["StartingSequenceNumber"]
        for kind, number, expected in (("AT_SEQUENCE_NUMBER", second, records[1:]),
                                       ("AFTER_SEQUENCE_NUMBER", second, records[2:]),
                                       ("AT_SEQUENCE_NUMBER", start, records),
                                       ("AFTER_SEQUENCE_NUMBER", start, records)):
            with self.subTest(kind, number=number):
                iterator = self.iterator(self.arn, shard["ShardId"], kind, SequenceNumber=number)
                self.assertRegex(iterator, rf"^{re.escape(self.arn)}\|\d\|.+$")
                self.assertEqual(self.streams.get_records(ShardIterator=iterator)["Records"], expected)
        self.client.put_item(TableName=self.name, Item=key_of(99))
        page = self.streams.get_records(ShardIterator=latest)
        self.assertEqual(page["Records"][0]["dynamodb"]["Keys"], key_of(99))

    def test_a_deleted_table_leaves_its_stream_to_be_read_to_its_end(self):
        for number in range(3):
            self.client.put_item(TableName=self.name, Item=key_of(number))
        before = self.records(self.arn)
        self.client.delete_table(TableName=self.name)
        stream = self.streams.describe_stream(StreamArn=self.arn)["StreamDescription"]
        self.assertEqual(stream["StreamStatus"], "DISABLED")
        found = []
        for shard in stream["Shards"]:
            page = self.streams.get_records(ShardIterator=self.iterator(self.arn, shard["ShardId"]))
            self.assertNotIn("NextShardIterator", page)
            found += page["Records"]
            ending = shard["SequenceNumberRange"]["EndingSequenceNumber"]
            self.assertEqual(ending, max((record["dynamodb"]["SequenceNumber"] for record in page["Records"]),
                                         default=shard["SequenceNumberRange"]["StartingSequenceNumber"]))
        self.assertEqual(found, before)
        again = self.make(self.name)
        self.assertNotEqual(again, self.arn)
        self.assertEqual(self.records(again), [])
        listed = self.streams.list_streams(TableName=self.name)["Streams"]
        self.assertEqual([stream["StreamArn"] for stream in listed], sorted((self.arn, again)))

    def test_lists_are_paged_and_filtered(self):
        names = [f"{self.name}-{i}" for i in range(3)]
        arns = {self.make(name) for name in names} | {self.arn}
        listed, start = [], {}
        while True:
            page = self.streams.list_streams(Limit=2, **start)
            self.assertLessEqual(len(page["Streams"]), 2)
            listed += page["Streams"]
            if "LastEvaluatedStreamArn" not in page:
                break
            start = {"ExclusiveStartStreamArn": page["LastEvaluatedStreamArn"]}
        self.assertLessEqual(arns, {stream["StreamArn"] for stream in listed})
        self.assertEqual(len(listed), len({stream["StreamArn"] for stream in listed}))
        for stream in listed:
            self.assertTrue(stream["StreamArn"].endswith(f"table/{stream['TableName']}/stream/{stream['StreamLabel']}"))
        one = self.streams.list_streams(TableName=names[1])["Streams"]
        self.assertEqual([stream["TableName"] for stream in one], [names[1]])
        self.assertEqual(self.streams.list_streams(TableName="no-such-table")["Streams"], [])
        self.client.create_table(TableName=f"{self.name}-plain", **TABLE)
        self.assertEqual(self.streams.list_streams(TableName=f"{self.name}-plain")["Streams"], [])

    def test_shards_are_paged(self):
        ids = [shard["ShardId"] for shard in self.shards(self.arn)]
        page = self.streams.describe_stream(StreamArn=self.arn, Limit=3)["StreamDescription"]
        self.assertEqual([shard["ShardId"] for shard in page["Shards"]], ids[:3])
        self.assertEqual(page["LastEvaluatedShardId"], ids[2])
        rest = self.streams.describe_stream(StreamArn=self.arn, ExclusiveStartShardId=ids[2])["StreamDescription"]
        self.assertEqual([shard["ShardId"] for shard in rest["Shards"]], ids[3:])
        self.assertNotIn("LastEvaluatedShardId", rest)
        beyond = self.streams.describe_stream(StreamArn=self.arn, ExclusiveStartShardId="shardId-" + "9" * 20 + "-x")
        self.assertEqual(beyond["StreamDescription"]["Shards"], [])

    def test_what_is_not_there(self):
        shard = self.shards(self.arn)[0]["ShardId"]
        not_found = f"Requested resource not found: Stream: {MISSING_ARN} not found"
        self.refused("ResourceNotFoundException", not_found, self.streams.describe_stream, StreamArn=MISSING_ARN)
        self.refused("ResourceNotFoundException", not_found, self.streams.get_shard_iterator, StreamArn=MISSING_ARN,
                     ShardId=shard, ShardIteratorType="LATEST")
        self.refused("ResourceNotFoundException", "Requested resource not found: Shard does not exist",
                     self.streams.get_shard_iterator, StreamArn=self.arn,
                     ShardId="shardId-00000000000000000000-00000000", ShardIteratorType="LATEST")
        self.refused("ValidationException", "Invalid StreamArn", self.streams.describe_stream, StreamArn="x" * 40)

    # ---- On the wire ----

    def send(self, target, body):
        connection = self.server.connection()
        try:
            connection.request("POST", "/", encode(body), headers_for("") | {"X-Amz-Target": target})
            return read_answer(connection)
        finally:
            connection.close()

    def call_stream(self, operation, body):
        return self.send(f"DynamoDBStreams_20120810.{operation}", body)

    def expect(self, answer, kind, message):
        self.assertEqual((answer.status, answer.type, answer.message), (400, kind, message))

    def test_each_interface_has_its_own_operations(self):
        for target in ("DynamoDB_20120810.ListStreams", "DynamoDB_20120810.GetRecords",
                       "DynamoDBStreams_20120810.ListTables", "DynamoDBStreams_20120810.PutItem",
                       "DynamoDBStreams_20120810.NoSuchThing", "DynamoDBStreams_20120811.ListStreams"):
            with self.subTest(target):
                self.expect(self.send(target, {}), "UnknownOperationException", None)

    def test_parameters_are_checked(self):
        limit = "1 validation error detected: Value '{}' at 'limit' failed to satisfy constraint: Member must have value "
        low, high = limit + "greater than or equal to 1", limit + "less than or equal to {}"
        iterator = self.iterator(self.arn, self.shards(self.arn)[0]["ShardId"])
        for operation, body, largest in (("ListStreams", {}, 100), ("DescribeStream", {"StreamArn": self.arn}, 100),
                                         ("GetRecords", {"ShardIterator": iterator}, 1000)):
            with self.subTest(operation):
                self.assertEqual(self.call_stream(operation, body | {"Limit": largest}).status, 200)
                for value in (0, -1):
                    self.expect(self.call_stream(operation, body | {"Limit": value}), "ValidationException",
                                low.format(value))
                self.expect(self.call_stream(operation, body | {"Limit": largest + 1}), "ValidationException",
                            high.format(largest + 1, largest))
        self.expect(self.call_stream("DescribeStream", {}), "ValidationException",
                    "1 validation error detected: Value null at 'streamArn' failed to satisfy constraint: Member must "
                    "not be null")
        self.expect(self.call_stream("DescribeStream", {"StreamArn": "orders"}), "ValidationException",
                    "Invalid StreamArn")
        self.expect(self.call_stream("ListStreams", {"TableName": "ab"}), "ValidationException",
                    "1 validation error detected: Value 'ab' at 'tableName' failed to satisfy constraint: Member must "
                    "have length greater than or equal to 3")
        self.expect(self.call_stream("ListStreams", {"ExclusiveStartStreamArn": "x" * 40}), "ValidationException",
                    "Invalid StreamArn")
        self.expect(self.call_stream("GetRecords", {"ShardIterator": "garbage"}), "ValidationException",
                    "Invalid ShardIterator")
        self.expect(self.call_stream("DescribeStream", {"StreamArn": self.arn, "ShardFilter": {
            "Type": "CHILD_SHARDS", "ShardId": "short"}}), "ValidationException",
            "1 validation error detected: Value 'short' at 'shardFilter.shardId' failed to satisfy constraint: Member "
            "must have length greater than or equal to 28")
        self.assertEqual(self.call_stream("GetRecords", {"ShardIterator": 5}).type, "SerializationException")

    def test_the_place_of_an_iterator_is_checked(self):
        shard = self.shards(self.arn)[0]["ShardId"]
        base = {"StreamArn": self.arn, "ShardId": shard}
        invalid = "One or more parameter values were invalid: SequenceNumber "
        for kind in ("AT_SEQUENCE_NUMBER", "AFTER_SEQUENCE_NUMBER"):
            self.expect(self.call_stream("GetShardIterator", base | {"ShardIteratorType": kind}), "ValidationException",
                        f"{invalid}is required for ShardIteratorType {kind}")
            for number in ("9" * 21, "1" + "9" * 20, "x" * 21, "1" + "0" * 19 + "1"):
                self.expect(self.call_stream("GetShardIterator", base | {
                    "ShardIteratorType": kind, "SequenceNumber": number}), "ValidationException",
                    "Invalid SequenceNumber")
        for kind in ("TRIM_HORIZON", "LATEST"):
            self.expect(self.call_stream("GetShardIterator", base | {
                "ShardIteratorType": kind, "SequenceNumber": "1" + "0" * 20}), "ValidationException",
                f"{invalid}must not be specified for ShardIteratorType {kind}")
        answer = self.call_stream("GetShardIterator", base | {"ShardIteratorType": "FIRST"})
        self.assertEqual(answer.type, "ValidationException")
        self.assertIn("Value 'FIRST' at 'shardIteratorType' failed to satisfy constraint: Member must satisfy enum "
                      "value set: [", answer.message)

    def test_a_shard_filter_asks_for_the_shards_that_continue_another(self):
        shard = self.shards(self.arn)[0]["ShardId"]
        answer = self.call_stream("DescribeStream", {"StreamArn": self.arn, "ShardFilter": {
            "Type": "CHILD_SHARDS", "ShardId": shard}})
        self.assertEqual(answer.status, 200)
        self.assertEqual(answer.json()["StreamDescription"]["Shards"], [])
        self.assertEqual(answer.json()["StreamDescription"]["StreamStatus"], "ENABLED")

    def test_an_iterator_expires(self):
        iterator = self.iterator(self.arn, self.shards(self.arn)[0]["ShardId"])
        head, _, place = iterator.rpartition("|")
        # The same place, issued long ago: the shard, the number 1 and the time 0.
        self.assertEqual(base64.b64decode(place)[:2], b"\0\1")
        old = base64.b64encode(b"\0\1\0").decode()
        self.expect(self.call_stream("GetRecords", {"ShardIterator": f"{head}|{old}"}), "ExpiredIteratorException",
                    "Shard iterator has expired")

    def test_times_are_numbers(self):
        self.client.put_item(TableName=self.name, Item=key_of(1))
        for shard in self.shards(self.arn):
            body = self.call_stream("GetRecords", {"ShardIterator": self.iterator(self.arn, shard["ShardId"])}).json()
            for record in body["Records"]:
                self.assertIsInstance(record["dynamodb"]["ApproximateCreationDateTime"], int)
                self.assertEqual(json.loads(json.dumps(record)), record)


class CrashTest(unittest.TestCase):
    """kill -9 in the middle of concurrent writes: the stream and the table never disagree."""

    ROUNDS = 4
    WRITERS = 4
    ACKNOWLEDGED = 150

    def write_until_killed(self, server):
        acknowledged = threading.Semaphore(0)

        def write(writer):
            choices = random.Random(f"{SEED} {writer} {server.port}")
            try:
                with contextlib.closing(server.connection()) as connection:
                    while True:
                        key = {"id": {"S": f"{writer}-{choices.randrange(20)}"}}
                        if choices.randrange(4) == 0:
                            server.must("DeleteItem", {"TableName": "things", "Key": key}, connection)
                        else:
                            item = key | {"value": {"N": str(choices.randrange(1000))}}
                            server.must("PutItem", {"TableName": "things", "Item": item}, connection)
                        acknowledged.release()
            except (OSError, http.client.HTTPException):
                pass

        threads = [threading.Thread(target=write, args=(writer,)) for writer in range(self.WRITERS)]
        for thread in threads:
            thread.start()
        for _ in range(self.ACKNOWLEDGED):
            self.assertTrue(acknowledged.acquire(timeout=PATIENCE_S))
        server.kill()
        for thread in threads:
            thread.join()

    def replayed(self, server, arn):
        """The table as its stream tells it. Every record fits to the one before it."""
        streams, items = server.streams_client(), {}
        for shard in streams.describe_stream(StreamArn=arn)["StreamDescription"]["Shards"]:
            iterator = streams.get_shard_iterator(StreamArn=arn, ShardId=shard["ShardId"],
                                                  ShardIteratorType="TRIM_HORIZON")["ShardIterator"]
            expected = int(shard["SequenceNumberRange"]["StartingSequenceNumber"])
            while True:
                page = streams.get_records(ShardIterator=iterator)
                if not page["Records"]:
                    break
                iterator = page["NextShardIterator"]
                for record in (record["dynamodb"] for record in page["Records"]):
                    expected += 1
                    self.assertEqual(int(record["SequenceNumber"]), expected)
                    key = record["Keys"]["id"]["S"]
                    self.assertEqual(record.get("OldImage"), items.get(key))
                    items[key] = record.get("NewImage")
        return {key: item for key, item in items.items() if item}

    def test_the_stream_tells_the_table(self):
        with tempfile.TemporaryDirectory() as folder, Server(data=pathlib.Path(folder) / "data") as server:
            arn = server.must("CreateTable", {
                "TableName": "things", "BillingMode": "PAY_PER_REQUEST",
                "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}],
                "AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "S"}],
                "StreamSpecification": {"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"},
            })["TableDescription"]["LatestStreamArn"]
            for _ in range(self.ROUNDS):
                self.write_until_killed(server)
                server.start()
                items = server.must("Scan", {"TableName": "things"})["Items"]
                self.assertEqual(self.replayed(server, arn), {item["id"]["S"]: item for item in items})


if __name__ == "__main__":
    print(f"DOLMEN_SEED={SEED}")
    unittest.main()

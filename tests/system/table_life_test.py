#!/usr/bin/python3
"""The whole life of a table through boto3: made with tags and a stream, changed in every way while it has items, read
through its stream, and deleted. The parts have tests of their own; this one shows that they fit together."""

import time
import unittest

from botocore.exceptions import ClientError

from dolmen_server import ServerTest
from waiting import is_settled, wait_until

NAME = "orders"
UNITS = {"ReadCapacityUnits": 5, "WriteCapacityUnits": 5}
MORE_UNITS = {"ReadCapacityUnits": 10, "WriteCapacityUnits": 7}
TAGS = [{"Key": "team", "Value": "shop"}, {"Key": "stage", "Value": ""}]
INDEX = {
    "IndexName": "by-state", "Projection": {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["total"]},
    "KeySchema": [{"AttributeName": "state", "KeyType": "HASH"}, {"AttributeName": "number", "KeyType": "RANGE"}],
    "ProvisionedThroughput": UNITS,
}


def key(number):
    return {"customer": {"S": "ada"}, "number": {"N": str(number)}}


def order(number):
    return key(number) | {"state": {"S": "open" if number % 2 else "paid"}, "total": {"N": str(number * 10)}}


class TableLifeTest(ServerTest):
    def setUp(self):
        self.client = self.server.client()
        self.streams = self.server.streams_client()

    def described(self):
        return self.client.describe_table(TableName=NAME)["Table"]

    def settled(self):
        return wait_until(self.described, is_settled)

    def refused(self, name, message, call, **arguments):
        with self.assertRaises(ClientError) as caught:
            call(**arguments)
        error = caught.exception.response["Error"]
        self.assertEqual((error["Code"], error["Message"]), (name, message))

    def test_a_table_lives_through_every_change(self):
        self.is_made()
        self.is_written()
        self.gets_an_index()
        self.gets_other_throughput()
        self.loses_an_expired_item()
        self.is_read_through_its_stream()
        self.loses_its_index()
        self.loses_its_stream()
        self.is_deleted()

    def is_made(self):
        created = self.client.create_table(
            TableName=NAME, ProvisionedThroughput=UNITS, Tags=TAGS,
            KeySchema=[{"AttributeName": "customer", "KeyType": "HASH"}, {"AttributeName": "number", "KeyType": "RANGE"}],
            AttributeDefinitions=[{"AttributeName": "customer", "AttributeType": "S"},
                                  {"AttributeName": "number", "AttributeType": "N"}],
            StreamSpecification={"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"})["TableDescription"]
        self.assertEqual(created["TableStatus"], "CREATING")
        self.client.get_waiter("table_exists").wait(TableName=NAME)
        table = self.described()
        self.arn, self.stream_arn = table["TableArn"], table["LatestStreamArn"]
        self.assertEqual(self.stream_arn, created["LatestStreamArn"])
        self.assertEqual(self.stream_arn, f"{self.arn}/stream/{table['LatestStreamLabel']}")
        self.assertEqual(table["StreamSpecification"], {"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"})
        tags = self.client.list_tags_of_resource(ResourceArn=self.arn)["Tags"]
        self.assertCountEqual(tags, TAGS)
        # This boto3 is older than the protection of tables.
        self.server.must("UpdateTable", {"TableName": NAME, "DeletionProtectionEnabled": True})
        self.assertTrue(self.server.must("DescribeTable", {"TableName": NAME})["Table"]["DeletionProtectionEnabled"])

    def is_written(self):
        self.client.batch_write_item(RequestItems={NAME: [{"PutRequest": {"Item": order(n)}} for n in range(20)]})
        self.client.update_item(TableName=NAME, Key=key(3), UpdateExpression="SET note = :n",
                                ExpressionAttributeValues={":n": {"S": "x"}})
        self.client.delete_item(TableName=NAME, Key=key(5))
        # Has no state, so the index leaves it out.
        self.client.put_item(TableName=NAME, Item=key(100))

    def query_index(self, state):
        found = self.client.query(TableName=NAME, IndexName="by-state", KeyConditionExpression="#s = :s",
                                  ExpressionAttributeNames={"#s": "state"}, ExpressionAttributeValues={":s": {"S": state}})
        return [int(item["number"]["N"]) for item in found["Items"]]

    def gets_an_index(self):
        answer = self.client.update_table(
            TableName=NAME, AttributeDefinitions=[{"AttributeName": "state", "AttributeType": "S"},
                                                  {"AttributeName": "number", "AttributeType": "N"}],
            GlobalSecondaryIndexUpdates=[{"Create": INDEX}])["TableDescription"]
        index, = answer["GlobalSecondaryIndexes"]
        self.assertEqual((answer["TableStatus"], index["IndexStatus"], index["Backfilling"]), ("UPDATING", "CREATING", False))
        # The builder and the writers meet.
        self.client.put_item(TableName=NAME, Item=order(21))
        index, = self.settled()["GlobalSecondaryIndexes"]
        self.assertNotIn("Backfilling", index)
        self.assertEqual(index["IndexArn"], f"{self.arn}/index/by-state")
        self.assertEqual(self.query_index("open"), [1, 3, 7, 9, 11, 13, 15, 17, 19, 21])
        self.assertEqual(self.query_index("paid"), list(range(0, 20, 2)))
        self.client.update_item(TableName=NAME, Key=key(21), UpdateExpression="SET #s = :p",
                                ExpressionAttributeNames={"#s": "state"}, ExpressionAttributeValues={":p": {"S": "paid"}})
        self.assertEqual(self.query_index("paid"), [*range(0, 20, 2), 21])

    def gets_other_throughput(self):
        self.client.update_table(TableName=NAME, ProvisionedThroughput=MORE_UNITS, GlobalSecondaryIndexUpdates=[
            {"Update": {"IndexName": "by-state", "ProvisionedThroughput": MORE_UNITS}}])
        table = self.settled()
        for units in (table["ProvisionedThroughput"], table["GlobalSecondaryIndexes"][0]["ProvisionedThroughput"]):
            self.assertEqual({name: units[name] for name in UNITS}, MORE_UNITS)
            self.assertIn("LastIncreaseDateTime", units)
        self.refused("ValidationException", "The provisioned throughput for the table will not change. The requested value "
                     "equals the current value. Current ReadCapacityUnits provisioned for the table: 10. Requested "
                     "ReadCapacityUnits: 10. Current WriteCapacityUnits provisioned for the table: 7. Requested "
                     "WriteCapacityUnits: 7. Refer to the Amazon DynamoDB Developer Guide for current "
                     "limits and how to request higher limits.",
                     self.client.update_table, TableName=NAME, ProvisionedThroughput=MORE_UNITS)
        self.client.update_table(TableName=NAME, BillingMode="PAY_PER_REQUEST")
        table = self.settled()
        self.assertEqual(table["BillingModeSummary"]["BillingMode"], "PAY_PER_REQUEST")
        self.assertEqual(table["ProvisionedThroughput"]["ReadCapacityUnits"], 0)

    def loses_an_expired_item(self):
        specification = {"Enabled": True, "AttributeName": "expires"}
        answer = self.client.update_time_to_live(TableName=NAME, TimeToLiveSpecification=specification)
        self.assertEqual(answer["TimeToLiveSpecification"], specification)
        self.assertEqual(self.client.describe_time_to_live(TableName=NAME)["TimeToLiveDescription"],
                         {"TimeToLiveStatus": "ENABLED", "AttributeName": "expires"})
        now = int(time.time())
        self.expired = order(31) | {"expires": {"N": str(now - 60)}}
        self.client.put_item(TableName=NAME, Item=self.expired)
        self.client.put_item(TableName=NAME, Item=order(33) | {"expires": {"N": str(now + 10_000)}})
        wait_until(lambda: self.client.get_item(TableName=NAME, Key=key(31)), lambda answer: "Item" not in answer)
        self.assertEqual(self.query_index("open")[-1], 33)
        self.assertNotIn(31, self.query_index("open"))

    def read_stream(self):
        """The records of all shards, and whether all shards have ended."""
        records, ended = [], True
        for shard in self.streams.describe_stream(StreamArn=self.stream_arn)["StreamDescription"]["Shards"]:
            iterator = self.streams.get_shard_iterator(StreamArn=self.stream_arn, ShardId=shard["ShardId"],
                                                       ShardIteratorType="TRIM_HORIZON")["ShardIterator"]
            while iterator is not None:
                page = self.streams.get_records(ShardIterator=iterator, Limit=7)
                iterator = page.get("NextShardIterator")
                records += page["Records"]
                if not page["Records"]:
                    break
            ended = ended and iterator is None
        return records, ended

    def is_read_through_its_stream(self):
        records, _ = self.read_stream()
        events = {}
        for record in records:
            events.setdefault(int(record["dynamodb"]["Keys"]["number"]["N"]), []).append(record)
        names = {number: [record["eventName"] for record in of_item] for number, of_item in events.items()}
        self.assertEqual((names[0], names[3], names[5], names[21], names[31]), (
            ["INSERT"], ["INSERT", "MODIFY"], ["INSERT", "REMOVE"], ["INSERT", "MODIFY"], ["INSERT", "REMOVE"]))
        self.assertNotIn("userIdentity", events[5][1])
        expiry = events[31][1]
        self.assertEqual(expiry["userIdentity"], {"PrincipalId": "dynamodb.amazonaws.com", "Type": "Service"})
        self.assertEqual(expiry["dynamodb"]["OldImage"], self.expired)
        self.assertEqual(events[3][1]["dynamodb"]["NewImage"], order(3) | {"note": {"S": "x"}})
        self.assertEqual((expiry["eventSource"], expiry["awsRegion"]), ("aws:dynamodb", "us-east-1"))
        self.records = records

    def loses_its_index(self):
        answer = self.client.update_table(TableName=NAME, GlobalSecondaryIndexUpdates=[{"Delete": {"IndexName": "by-state"}}])
        self.assertEqual(answer["TableDescription"]["GlobalSecondaryIndexes"][0]["IndexStatus"], "DELETING")
        table = wait_until(self.described, lambda table: "GlobalSecondaryIndexes" not in table and is_settled(table))
        self.assertEqual([one["AttributeName"] for one in table["AttributeDefinitions"]], ["customer", "number"])
        self.refused("ValidationException", "The table does not have the specified index: by-state",
                     self.client.query, TableName=NAME, IndexName="by-state", KeyConditionExpression="customer = :c",
                     ExpressionAttributeValues={":c": {"S": "ada"}})

    def loses_its_stream(self):
        self.client.update_table(TableName=NAME, StreamSpecification={"StreamEnabled": False})
        table = self.settled()
        self.assertNotIn("StreamSpecification", table)
        self.assertEqual(table["LatestStreamArn"], self.stream_arn)
        self.client.put_item(TableName=NAME, Item=key(200))
        description = self.streams.describe_stream(StreamArn=self.stream_arn)["StreamDescription"]
        self.assertEqual(description["StreamStatus"], "DISABLED")
        self.assertEqual(self.read_stream(), (self.records, True))

    def is_deleted(self):
        self.refused("ValidationException", "Resource cannot be deleted as it is currently protected against deletion. Disable "
                     "deletion protection first.", self.client.delete_table, TableName=NAME)
        self.server.must("UpdateTable", {"TableName": NAME, "DeletionProtectionEnabled": False})
        self.client.delete_table(TableName=NAME)
        self.client.get_waiter("table_not_exists").wait(TableName=NAME)
        listed = self.streams.list_streams(TableName=NAME)["Streams"]
        self.assertEqual([stream["StreamArn"] for stream in listed], [self.stream_arn])
        self.assertEqual(self.read_stream(), (self.records, True))


if __name__ == "__main__":
    unittest.main()

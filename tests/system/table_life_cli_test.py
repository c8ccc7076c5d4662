#!/usr/bin/python3
"""The whole life of a table through the AWS command line, with a crash in its middle. The command line is slow to start, so
what another test has shown already is not repeated."""

import pathlib
import time
import unittest

from aws_cli import AWS, AwsCli
from waiting import is_settled, wait_until

TABLE = ("--table-name", "Music")


class TableLifeTest(AwsCli):
    def streams(self, *words):
        return self.aws(*words, service="dynamodbstreams")

    def described(self):
        return self.server.must("DescribeTable", {"TableName": "Music"})["Table"]

    def settled(self):
        wait_until(self.described, is_settled)
        return self.aws("describe-table", *TABLE)["Table"]

    def test_a_table_lives_through_every_change_and_a_crash(self):
        self.is_made()
        self.is_changed()
        self.server.kill()
        self.server.start()
        self.loses_an_expired_item()
        records = self.is_read_through_its_stream()
        self.is_taken_apart(records)

    def is_made(self):
        created = self.aws("create-table", *TABLE, "--billing-mode", "PAY_PER_REQUEST",
                           "--attribute-definitions", "AttributeName=Artist,AttributeType=S",
                           "--key-schema", "AttributeName=Artist,KeyType=HASH", "--tags", "Key=stage,Value=test",
                           "--stream-specification", "StreamEnabled=true,StreamViewType=OLD_IMAGE")["TableDescription"]
        self.arn, self.stream_arn = created["TableArn"], created["LatestStreamArn"]
        self.aws("wait", "table-exists", *TABLE)
        self.aws("tag-resource", "--resource-arn", self.arn, "--tags", "Key=team,Value=a b")
        self.aws("untag-resource", "--resource-arn", self.arn, "--tag-keys", "stage")
        self.aws("update-time-to-live", *TABLE, "--time-to-live-specification", "Enabled=true,AttributeName=Until")

    def is_changed(self):
        for artist, year in (("a", 1970), ("b", 1972), ("c", 1972)):
            self.server.must("PutItem", {"TableName": "Music", "Item": {"Artist": {"S": artist}, "Year": {"N": str(year)}}})
        answer = self.aws("update-table", *TABLE, "--attribute-definitions", "AttributeName=Year,AttributeType=N",
                          "--global-secondary-index-updates", [{"Create": {
                              "IndexName": "ByYear", "KeySchema": [{"AttributeName": "Year", "KeyType": "HASH"}],
                              "Projection": {"ProjectionType": "ALL"}}}])["TableDescription"]
        self.assertEqual([index["IndexStatus"] for index in answer["GlobalSecondaryIndexes"]], ["CREATING"])
        self.settled()
        units = "ReadCapacityUnits=3,WriteCapacityUnits=2"
        self.aws("update-table", *TABLE, "--billing-mode", "PROVISIONED", "--provisioned-throughput", units,
                 "--global-secondary-index-updates", [{"Update": {"IndexName": "ByYear", "ProvisionedThroughput": {
                     "ReadCapacityUnits": 4, "WriteCapacityUnits": 5}}}])
        table = self.settled()
        self.assertEqual(table["BillingModeSummary"]["BillingMode"], "PROVISIONED")
        self.assertEqual([(one["ProvisionedThroughput"]["ReadCapacityUnits"], one["ProvisionedThroughput"]["WriteCapacityUnits"])
                          for one in (table, table["GlobalSecondaryIndexes"][0])], [(3, 2), (4, 5)])
        self.aws("update-table", *TABLE, "--table-class", "STANDARD_INFREQUENT_ACCESS")
        self.assertEqual(self.settled()["TableClassSummary"]["TableClass"], "STANDARD_INFREQUENT_ACCESS")

    def loses_an_expired_item(self):
        """All that was set is as it was before the crash."""
        time_to_live, tags = self.aws_all(["describe-time-to-live", *TABLE],
                                          ["list-tags-of-resource", "--resource-arn", self.arn])
        self.assertEqual(time_to_live["TimeToLiveDescription"], {"TimeToLiveStatus": "ENABLED", "AttributeName": "Until"})
        self.assertEqual(tags, {"Tags": [{"Key": "team", "Value": "a b"}]})
        self.expired = {"Artist": {"S": "d"}, "Year": {"N": "1972"}, "Until": {"N": str(int(time.time()) - 5)}}
        self.aws("put-item", *TABLE, "--item", self.expired)
        wait_until(lambda: self.server.must("GetItem", {"TableName": "Music", "Key": {"Artist": {"S": "d"}}}),
                   lambda answer: "Item" not in answer)
        found = self.aws("query", *TABLE, "--index-name", "ByYear", "--key-condition-expression", "#y = :y",
                         "--expression-attribute-names", {"#y": "Year"}, "--expression-attribute-values", {":y": {"N": "1972"}},
                         "--query", "Items[].Artist.S")
        self.assertCountEqual(found, ["b", "c"])

    def read_stream(self):
        description = self.streams("describe-stream", "--stream-arn", self.stream_arn)["StreamDescription"]
        records = []
        for shard in description["Shards"]:
            iterator = self.streams("get-shard-iterator", "--stream-arn", self.stream_arn, "--shard-id", shard["ShardId"],
                                    "--shard-iterator-type", "TRIM_HORIZON")["ShardIterator"]
            # A few records fit into one page, so no second one is asked for.
            records += self.streams("get-records", "--shard-iterator", iterator)["Records"]
        return description["StreamStatus"], records

    def is_read_through_its_stream(self):
        status, records = self.read_stream()
        self.assertEqual(status, "ENABLED")
        self.assertEqual(sorted((record["dynamodb"]["Keys"]["Artist"]["S"], record["eventName"]) for record in records),
                         [("a", "INSERT"), ("b", "INSERT"), ("c", "INSERT"), ("d", "INSERT"), ("d", "REMOVE")])
        expiry = next(record for record in records if record["eventName"] == "REMOVE")
        self.assertEqual(expiry["userIdentity"], {"PrincipalId": "dynamodb.amazonaws.com", "Type": "Service"})
        self.assertEqual(expiry["dynamodb"]["OldImage"], self.expired)
        self.assertFalse(any("NewImage" in record["dynamodb"] for record in records))
        return records

    def is_taken_apart(self, records):
        self.aws("update-table", *TABLE, "--global-secondary-index-updates", [{"Delete": {"IndexName": "ByYear"}}])
        wait_until(self.described, lambda table: "GlobalSecondaryIndexes" not in table and is_settled(table))
        self.aws("update-table", *TABLE, "--stream-specification", "StreamEnabled=false")
        self.settled()
        again = self.run_aws("update-table", *TABLE, "--stream-specification", "StreamEnabled=false")
        self.assertEqual((again.code, again.err.strip()), (
            254, "An error occurred (ValidationException) when calling the UpdateTable operation: "
                 "Table has no stream to disable: TableName: Music"))
        self.aws("delete-table", *TABLE)
        self.aws("wait", "table-not-exists", *TABLE)
        self.assertEqual(self.read_stream(), ("DISABLED", records))
        streams = self.streams("list-streams", *TABLE)["Streams"]
        self.assertEqual([stream["StreamArn"] for stream in streams], [self.stream_arn])


if __name__ == "__main__":
    if pathlib.Path(AWS).exists():
        unittest.main()
    print(f"skipped: there is no {AWS} (package awscli)")

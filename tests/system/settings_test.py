#!/usr/bin/python3
"""What belongs to a table besides its definition, with real clients: resource policies, Contributor Insights, Kinesis
destinations; the account; and the refusals about other regions."""

import json
import pathlib
import tempfile
import time
import unittest

import botocore.exceptions
from aws_cli import AwsCli
from dolmen_server import PATIENCE_S, REGION, Server, ServerTest, create_table

ACCOUNT = "000000000000"
INVALID = "One or more parameter values were invalid: "
STREAM = f"arn:aws:kinesis:{REGION}:{ACCOUNT}:stream/changes"


def arn(table):
    return f"arn:aws:dynamodb:{REGION}:{ACCOUNT}:table/{table}"


def statement(effect, action, principal="*"):
    return {"Effect": effect, "Principal": principal, "Action": action, "Resource": "*"}


def policy(*statements):
    return json.dumps({"Version": "2012-10-17", "Statement": list(statements)}, indent=1)


class Settings(ServerTest):
    def refused(self, operation, body, kind, message):
        answer = self.server.call(operation, body)
        self.assertEqual((answer.status, answer.type, answer.message), (400, kind, message))

    def test_the_account_has_limits_and_one_endpoint(self):
        client = self.server.client()
        limits = client.describe_limits()
        self.assertEqual([limits[f"{what}Max{kind}CapacityUnits"] for what in ("Account", "Table") for kind in ("Read", "Write")],
                         [80000, 80000, 40000, 40000])
        endpoints = client.describe_endpoints()["Endpoints"]
        self.assertEqual(endpoints, [{"Address": self.server.url.split("//")[1], "CachePeriodInMinutes": 1440}])

    def test_resource_policies_are_canonical_and_have_revisions(self):
        create_table(self.server, "shared")
        where = arn("shared")
        self.refused("GetResourcePolicy", {"ResourceArn": where}, "PolicyNotFoundException",
                     f"Resource-based policy not found for the provided ResourceArn: {where}")
        text = policy(statement("Deny", ["dynamodb:DeleteTable"]))
        first = self.server.must("PutResourcePolicy", {"ResourceArn": where, "Policy": text})["RevisionId"]
        self.assertRegex(first, "^[0-9]{13}$")
        kept = self.server.must("GetResourcePolicy", {"ResourceArn": where})
        self.assertEqual(kept, {
            "RevisionId": first,
            "Policy": '{"Version":"2012-10-17","Statement":[{"Effect":"Deny","Principal":"*","Action":"dynamodb:DeleteTable",'
                      '"Resource":"*"}]}'})
        again = self.server.must("PutResourcePolicy", {"ResourceArn": where, "Policy": kept["Policy"]})
        self.assertEqual(again, {"RevisionId": first})
        self.refused("PutResourcePolicy", {"ResourceArn": where, "Policy": text, "ExpectedRevisionId": "1"},
                     "PolicyNotFoundException",
                     "Resource-based policy not found for the provided ResourceArn: Requested update for policy with revision "
                     f"id 1, but the policy associated to target table shared has revision id {first}.")
        self.refused("PutResourcePolicy", {"ResourceArn": where, "Policy": "{}"}, "ValidationException",
                     f"{INVALID}Invalid policy document: Syntax error at position (1,3)")
        everything = policy(statement("Deny", "*"))
        self.refused("PutResourcePolicy", {"ResourceArn": where, "Policy": everything}, "AccessDeniedException",
                     "The new resource policy will not allow you to update the resource policy in the future.")
        self.server.must("PutResourcePolicy", {"ResourceArn": where, "Policy": everything,
                                               "ConfirmRemoveSelfResourceAccess": True})
        gone = self.server.must("DeleteResourcePolicy", {"ResourceArn": where})
        self.assertEqual(self.server.must("DeleteResourcePolicy", {"ResourceArn": where}), gone)

    def test_a_new_table_may_bring_its_policy(self):
        create_table(self.server, "born", ResourcePolicy=policy(statement("Deny", "dynamodb:PutItem")))
        self.assertIn("dynamodb:PutItem", self.server.must("GetResourcePolicy", {"ResourceArn": arn("born")})["Policy"])

    def test_insights_are_enabled_listed_and_read(self):
        create_table(self.server, "watched", sort="sk")
        client = self.server.client()
        self.assertEqual(client.describe_contributor_insights(TableName="watched")["ContributorInsightsStatus"], "DISABLED")
        enabled = client.update_contributor_insights(TableName="watched", ContributorInsightsAction="ENABLE")
        self.assertEqual(enabled["ContributorInsightsStatus"], "ENABLING")
        for key, times in (("hot", 5), ("warm", 2)):
            for _ in range(times):
                self.server.must("GetItem", {"TableName": "watched", "Key": {"pk": {"S": key}, "sk": {"S": "1"}}})
        described = client.describe_contributor_insights(TableName="watched")
        self.assertEqual(described["ContributorInsightsStatus"], "ENABLED")
        self.assertEqual(len(described["ContributorInsightsRuleList"]), 4)
        listed = client.list_contributor_insights()["ContributorInsightsSummaries"]
        self.assertEqual([one["TableName"] for one in listed], ["watched"])
        top = self.server.must("Dolmen_20261115.DescribeTopKeys", {"TableName": "watched"})
        self.assertEqual(top["Total"], 7)
        self.assertEqual(top["PartitionKeys"], [{"Key": {"pk": {"S": "hot"}}, "Count": 5, "ErrorMax": 0},
                                                {"Key": {"pk": {"S": "warm"}}, "Count": 2, "ErrorMax": 0}])
        self.assertEqual(top["Keys"][0], {"Key": {"pk": {"S": "hot"}, "sk": {"S": "1"}}, "Count": 5, "ErrorMax": 0})
        client.update_contributor_insights(TableName="watched", ContributorInsightsAction="DISABLE")
        self.assertEqual(client.list_contributor_insights()["ContributorInsightsSummaries"], [])

    def test_legacy_global_tables_are_refused(self):
        client = self.server.client()
        with self.assertRaisesRegex(botocore.exceptions.ClientError, "version 2017.11.29 is not supported"):
            client.create_global_table(GlobalTableName="things", ReplicationGroup=[{"RegionName": REGION}])
        with self.assertRaises(client.exceptions.GlobalTableNotFoundException):
            client.describe_global_table(GlobalTableName="things")
        self.assertEqual(client.list_global_tables()["GlobalTables"], [])
        self.refused("DescribeGlobalTable", {"GlobalTableName": ""}, "ValidationException",
                     "TableName must be at least 3 characters long and at most 255 characters long")
        self.refused("UpdateTableReplicaAutoScaling", {
            "TableName": "things", "ProvisionedWriteCapacityAutoScalingUpdate": {"MinimumUnits": 1}}, "ValidationException",
            "Failed to update settings for global table with name: \u2018things\u2019: Parameters 'MaximumUnits', "
            "'ScalingPolicyUpdate' are required unless auto scaling is being disabled.")
        self.refused("DescribeTableReplicaAutoScaling", {"TableName": "things"}, "ResourceNotFoundException",
                     "Global table with name: 'things' does not exist.")

    def test_replicas_are_refused_in_the_words_of_dynamodb(self):
        create_table(self.server, "alone")

        def replicas(*updates, **more):
            return {"TableName": "alone", "ReplicaUpdates": list(updates)} | more

        create = {"Create": {"RegionName": "eu-west-1"}}
        for body, message in (
                (replicas(create), "Region eu-west-1 is not supported. The latest version of global tables are only supported "
                                   f"in the following regions: [{REGION}]"),
                (replicas({"Create": {"RegionName": REGION}}),
                 "Cannot add or delete the local region through ReplicaUpdates. Use CreateTable, DeleteTable, or UpdateTable "
                 "as required."),
                (replicas({"Delete": {"RegionName": "eu-west-1"}}),
                 "Update global table operation failed because one or more replicas were not part of the global table. "
                 "Please retry the request without these replicas: [eu-west-1]."),
                (replicas({}), "There are no actions specified in the Replica Update Action of the request."),
                (replicas(create, {"Delete": {"RegionName": "eu-west-2"}}),
                 "Update table operation with more than one create or delete replica actions not allowed"),
                (replicas(create, BillingMode="PAY_PER_REQUEST"),
                 f"{INVALID}Replica modification must be the only operation in the request"),
                (replicas(create, MultiRegionConsistency="STRONG"),
                 "Unsupported replica count for global tables with MultiRegionConsistency set to STRONG."),
                (replicas(create, GlobalTableWitnessUpdates=[{"Create": {"RegionName": "eu-west-2"}}]),
                 "MultiRegionConsistency must be set as STRONG when GlobalTableWitnessUpdates parameter is present."),
                ({"TableName": "alone", "GlobalTableSettingsReplicationMode": "ENABLED_WITH_OVERRIDES"},
                 "Value 'ENABLED_WITH_OVERRIDES' at 'GlobalTableSettingsReplicationMode' failed to satisfy constraint: Only "
                 "ENABLED and DISABLED settings replication are supported for a Regional Table.")):
            with self.subTest(message):
                self.refused("UpdateTable", body, "ValidationException", message)
        self.refused("UpdateTable", replicas(create) | {"TableName": "absent"}, "ResourceNotFoundException",
                     "Requested resource not found: Table: absent not found")
        kept = self.server.must("UpdateTable", {"TableName": "alone", "GlobalTableSettingsReplicationMode": "DISABLED"})
        self.assertEqual(kept["TableDescription"]["TableStatus"], "ACTIVE")
        answer = self.server.call("UpdateTable", {"TableName": "alone", "MultiRegionConsistency": "EVENTUAL"})
        self.assertNotIn("MultiRegionConsistency", answer.message)
        self.assertTrue(answer.message.startswith("At least one of "))


class Kinesis(unittest.TestCase):
    def test_changes_arrive_in_the_file_of_the_stream_also_after_a_crash(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            written = folder / "data/kinesis/changes-00000001.jsonl"

            def wait_for(names):
                until = time.monotonic() + PATIENCE_S
                while time.monotonic() < until:
                    if written.exists():
                        records = [json.loads(line) for line in written.read_text().splitlines()]
                        if {record["dynamodb"]["Keys"]["pk"]["S"] for record in records} >= names:
                            return records
                    time.sleep(0.02)
                raise AssertionError(f"not all of {names} arrived")

            with Server(folder / "data") as server:
                create_table(server, "things")
                client = server.client()
                enabled = client.enable_kinesis_streaming_destination(TableName="things", StreamArn=STREAM)
                self.assertEqual(enabled["DestinationStatus"], "ENABLING")
                for i in range(100):
                    client.put_item(TableName="things", Item={"pk": {"S": f"k{i}"}, "v": {"N": str(i)}})
                server.kill()
            with Server(folder / "data") as server:
                client = server.client()
                client.put_item(TableName="things", Item={"pk": {"S": "last"}})
                records = wait_for({"last", *(f"k{i}" for i in range(100))})
                self.assertEqual(set(records[0]), {"awsRegion", "eventID", "eventName", "userIdentity", "recordFormat",
                                                   "tableName", "dynamodb", "eventSource"})
                # A record may come twice after a crash, and is then the same.
                by_id = {}
                for record in records:
                    self.assertEqual(by_id.setdefault(record["eventID"], record), record)
                self.assertEqual(len(by_id), 101)
                client.disable_kinesis_streaming_destination(TableName="things", StreamArn=STREAM)
                described = client.describe_kinesis_streaming_destination(TableName="things")
                self.assertEqual(described["KinesisDataStreamDestinations"],
                                 [{"StreamArn": STREAM, "DestinationStatus": "DISABLED"}])


class CommandLine(AwsCli):
    def test_the_aws_cli_knows_the_way(self):
        self.aws("create-table", "--table-name", "things", "--billing-mode", "PAY_PER_REQUEST",
                 "--key-schema", "AttributeName=pk,KeyType=HASH",
                 "--attribute-definitions", "AttributeName=pk,AttributeType=S")
        self.assertEqual(self.aws("describe-limits")["TableMaxReadCapacityUnits"], 40000)
        self.assertEqual(self.aws("list-global-tables"), {"GlobalTables": []})
        changed = self.aws("update-contributor-insights", "--table-name", "things",
                           "--contributor-insights-action", "ENABLE")
        self.assertEqual(changed["ContributorInsightsStatus"], "ENABLING")
        self.aws("enable-kinesis-streaming-destination", "--table-name", "things", "--stream-arn", STREAM)
        listed = self.aws("describe-kinesis-streaming-destination", "--table-name", "things")
        self.assertEqual(listed["KinesisDataStreamDestinations"][0]["DestinationStatus"], "ACTIVE")


if __name__ == "__main__":
    unittest.main()

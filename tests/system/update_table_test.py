#!/usr/bin/python3
"""Tables that change: every setting through boto3 and the AWS command line, indexes that are built while others write,
and crashes in the middle."""

import json
import pathlib
import random
import re
import subprocess
import tempfile
import threading
import time
import unittest

from botocore.exceptions import ClientError

from dolmen_server import PATIENCE_S, Server, ServerTest, clean_environment, create_table

INVALID = "One or more parameter values were invalid: "
IN_USE = "Attempt to change a resource which is still in use: "


def index(name, attribute, **more):
    return {"IndexName": name, "KeySchema": [{"AttributeName": attribute, "KeyType": "HASH"}],
            "Projection": {"ProjectionType": "ALL"}} | more


def created(name, attribute, kind="S", **more):
    return {"AttributeDefinitions": [{"AttributeName": attribute, "AttributeType": kind}],
            "GlobalSecondaryIndexUpdates": [{"Create": index(name, attribute, **more)}]}


def deleted(name):
    return {"GlobalSecondaryIndexUpdates": [{"Delete": {"IndexName": name}}]}


def await_table(server, name, condition):
    """The description once it is as it should be; one that never is, is a failure."""
    deadline = time.monotonic() + 4 * PATIENCE_S
    while True:
        table = server.must("DescribeTable", {"TableName": name})["Table"]
        if condition(table):
            return table
        assert time.monotonic() < deadline, table
        time.sleep(0.01)


def is_active(table):
    return table["TableStatus"] == "ACTIVE" and all(
        one["IndexStatus"] == "ACTIVE" for one in table.get("GlobalSecondaryIndexes", []))


def scan_all(server, table, index_name):
    items, body = [], {"TableName": table, "IndexName": index_name}
    while True:
        page = server.must("Scan", body)
        items += page["Items"]
        if "LastEvaluatedKey" not in page:
            return items
        body["ExclusiveStartKey"] = page["LastEvaluatedKey"]


class Settings(ServerTest):
    def tearDown(self):
        for name in self.server.must("ListTables", {})["TableNames"]:
            await_table(self.server, name, is_active)
            self.server.must("DeleteTable", {"TableName": name})

    def describe(self, name="t-1"):
        return self.server.must("DescribeTable", {"TableName": name})["Table"]

    def update(self, **settings):
        return self.server.must("UpdateTable", {"TableName": "t-1"} | settings)["TableDescription"]

    def refused(self, message, kind="ValidationException", **settings):
        answer = self.server.call("UpdateTable", {"TableName": "t-1"} | settings)
        self.assertEqual((answer.status, answer.type, answer.message), (400, kind, message))

    def test_a_table_is_created_with_every_setting(self):
        made = create_table(self.server, "t-1", "pk", StreamSpecification={"StreamEnabled": True, "StreamViewType": "OLD_IMAGE"},
                            SSESpecification={"Enabled": True, "SSEType": "KMS", "KMSMasterKeyId": "alias/mine"},
                            TableClass="STANDARD_INFREQUENT_ACCESS", DeletionProtectionEnabled=True,
                            OnDemandThroughput={"MaxReadRequestUnits": 7}, WarmThroughput={"ReadUnitsPerSecond": 13000})
        self.assertEqual(made["WarmThroughput"],
                         {"ReadUnitsPerSecond": 13000, "WriteUnitsPerSecond": 4000, "Status": "UPDATING"})
        self.assertEqual(made["BillingModeSummary"], {"BillingMode": "PAY_PER_REQUEST"})
        table = self.describe()
        self.assertEqual(table["StreamSpecification"], {"StreamEnabled": True, "StreamViewType": "OLD_IMAGE"})
        self.assertRegex(table["LatestStreamLabel"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}$")
        self.assertEqual(table["LatestStreamArn"], f"{table['TableArn']}/stream/{table['LatestStreamLabel']}")
        self.assertEqual((table["SSEDescription"]["Status"], table["SSEDescription"]["SSEType"]), ("ENABLED", "KMS"))
        self.assertRegex(table["SSEDescription"]["KMSMasterKeyArn"], "^arn:aws:kms:us-east-1:[0-9]{12}:key/[-0-9a-f]{36}$")
        self.assertEqual(table["TableClassSummary"], {"TableClass": "STANDARD_INFREQUENT_ACCESS"})
        self.assertEqual(table["OnDemandThroughput"], {"MaxReadRequestUnits": 7})
        self.assertEqual(table["WarmThroughput"],
                         {"ReadUnitsPerSecond": 13000, "WriteUnitsPerSecond": 4000, "Status": "ACTIVE"})
        self.assertTrue(table["DeletionProtectionEnabled"])
        self.assertIn("LastUpdateToPayPerRequestDateTime", table["BillingModeSummary"])
        self.update(DeletionProtectionEnabled=False)

    def test_an_ordinary_table_is_described_without_settings(self):
        made = create_table(self.server, "t-1", "pk")
        self.assertNotIn("WarmThroughput", made)
        table = self.describe()
        self.assertEqual(set(table), {
            "AttributeDefinitions", "TableName", "KeySchema", "TableStatus", "CreationDateTime", "ProvisionedThroughput",
            "BillingModeSummary", "TableSizeBytes", "ItemCount", "TableArn", "TableId", "DeletionProtectionEnabled",
            "WarmThroughput"})
        self.assertEqual(table["WarmThroughput"],
                         {"ReadUnitsPerSecond": 12000, "WriteUnitsPerSecond": 4000, "Status": "ACTIVE"})

    def test_the_answer_to_a_deletion_tells_no_keys(self):
        create_table(self.server, "t-1", "pk")
        gone = self.server.must("DeleteTable", {"TableName": "t-1"})["TableDescription"]
        self.assertEqual(gone["TableStatus"], "DELETING")
        self.assertEqual(set(gone), {"TableName", "TableStatus", "ProvisionedThroughput", "BillingModeSummary", "TableSizeBytes",
                                     "ItemCount", "TableArn", "TableId", "DeletionProtectionEnabled"})

    def test_throughput_and_billing(self):
        create_table(self.server, "t-1", "pk", BillingMode="PROVISIONED",
                     ProvisionedThroughput={"ReadCapacityUnits": 5, "WriteCapacityUnits": 5})
        self.assertNotIn("BillingModeSummary", self.describe())
        answer = self.update(ProvisionedThroughput={"ReadCapacityUnits": 4, "WriteCapacityUnits": 6})
        self.assertEqual(answer["TableStatus"], "UPDATING")
        self.assertEqual(answer["ProvisionedThroughput"],
                         {"NumberOfDecreasesToday": 0, "ReadCapacityUnits": 5, "WriteCapacityUnits": 5})
        table = self.describe()
        self.assertEqual(table["TableStatus"], "ACTIVE")
        units = table["ProvisionedThroughput"]
        self.assertEqual((units["ReadCapacityUnits"], units["WriteCapacityUnits"], units["NumberOfDecreasesToday"]), (4, 6, 1))
        self.assertTrue({"LastIncreaseDateTime", "LastDecreaseDateTime"} <= set(units))
        self.update(BillingMode="PAY_PER_REQUEST")
        self.assertEqual(self.describe()["BillingModeSummary"]["BillingMode"], "PAY_PER_REQUEST")
        self.refused(INVALID + "ProvisionedThroughput must be specified when BillingMode is PROVISIONED",
                     BillingMode="PROVISIONED")
        self.update(BillingMode="PROVISIONED", ProvisionedThroughput={"ReadCapacityUnits": 1, "WriteCapacityUnits": 1})
        self.assertEqual(self.describe()["BillingModeSummary"]["BillingMode"], "PROVISIONED")
        self.refused("The requested ReadCapacityUnits, 40001, is above the per table maximum for the account in us-east-1. "
                     "Per table maximum: 40000. Refer to the Amazon DynamoDB Developer Guide for current limits and how to "
                     "request higher limits.", "LimitExceededException",
                     ProvisionedThroughput={"ReadCapacityUnits": 40001, "WriteCapacityUnits": 1})

    def test_what_is_wrong_with_a_request_is_said_before_the_table_is_looked_for(self):
        for settings, message in (
                ({}, "At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, GlobalSecondaryIndexUpdates, "
                     "SSESpecification, ReplicaUpdates, MultiAccountReplicaReady, ReplicaTransitRoleArn, "
                     "MultiRegionConsistency, DeletionProtectionEnabled, OnDemandThroughput, WarmThroughput or TableClass is "
                     "required"),
                ({"BillingMode": "PAY_PER_REQUEST", "GlobalSecondaryIndexUpdates": []},
                 INVALID + "List of GlobalSecondaryIndexUpdates is empty"),
                ({"GlobalSecondaryIndexUpdates": [{}]},
                 INVALID + "One of GlobalSecondaryIndexUpdate.Update, GlobalSecondaryIndexUpdate.Create, "
                           "GlobalSecondaryIndexUpdate.Delete must not be null"),
                ({"GlobalSecondaryIndexUpdates": [{"Delete": {"IndexName": "abc"}, "Update": {"IndexName": "abd"}}]},
                 INVALID + "Only one global secondary index action is allowed per GlobalSecondaryIndexUpdate object"),
                ({"GlobalSecondaryIndexUpdates": [{"Create": index("abc", "a")}]},
                 INVALID + "AttributeDefinitions is not specified for index: abc"),
                ({"GlobalSecondaryIndexUpdates": [{"Update": {"IndexName": "abc", "WarmThroughput": {}}}]},
                 INVALID + "WarmThroughput must have at least one of ReadUnitsPerSecond or WriteUnitsPerSecond specified for "
                           "index: abc"),
                ({"TableClass": "COLD"},
                 "Invalid table-class parameter provided. Please try again with a valid table-class value: [STANDARD, "
                 "STANDARD_INFREQUENT_ACCESS]."),
                ({"BillingMode": "FREE"},
                 "1 validation error detected: Value 'FREE' at 'billingMode' failed to satisfy constraint: Member must satisfy "
                 "enum value set: [PROVISIONED, PAY_PER_REQUEST]")):
            with self.subTest(settings):
                self.refused(message, **settings)
        self.refused("Requested resource not found: Table: t-1 not found", "ResourceNotFoundException", WarmThroughput={})
        self.refused("There are no actions specified in the Replica Update Action of the request.", ReplicaUpdates=[{}])
        self.refused("Requested resource not found: Table: t-1 not found", "ResourceNotFoundException",
                     ReplicaUpdates=[{"Create": {"RegionName": "eu-west-1"}}])

    def test_indexes_come_and_go(self):
        create_table(self.server, "t-1", "pk")
        for i in range(50):
            self.server.must("PutItem", {"TableName": "t-1", "Item": {"pk": {"S": str(i)}, "a": {"S": f"a{i % 3}"}, "b": {"N": "1"}}})
        answer = self.update(**created("by-a", "a", OnDemandThroughput={"MaxReadRequestUnits": 3}))
        self.assertEqual(answer["TableStatus"], "UPDATING")
        self.assertEqual([answer["GlobalSecondaryIndexes"][0][member] for member in (
            "IndexStatus", "Backfilling", "ItemCount", "IndexSizeBytes", "OnDemandThroughput")],
            ["CREATING", False, 0, 0, {"MaxReadRequestUnits": 3}])
        table = await_table(self.server, "t-1", is_active)
        self.assertNotIn("Backfilling", table["GlobalSecondaryIndexes"][0])
        self.assertEqual(table["GlobalSecondaryIndexes"][0]["ItemCount"], 50)
        self.assertEqual(len(table["AttributeDefinitions"]), 2)
        self.refused("Attempting to create an index which already exists", **created("by-a", "a"))
        self.refused("Requested resource not found: Index by-x for table t-1", "ResourceNotFoundException", **deleted("by-x"))
        # An attribute that no key needs may be defined; it is forgotten.
        more = created("by-b", "b", "N")
        more["AttributeDefinitions"].append({"AttributeName": "unused", "AttributeType": "S"})
        self.update(**more)
        await_table(self.server, "t-1", is_active)
        answer = self.update(**deleted("by-a"))
        self.assertEqual([one["IndexStatus"] for one in answer["GlobalSecondaryIndexes"]], ["DELETING", "ACTIVE"])
        answer = self.server.call("Query", {"TableName": "t-1", "IndexName": "by-a", "KeyConditionExpression": "a = :a",
                                     "ExpressionAttributeValues": {":a": {"S": "a1"}}})
        self.assertEqual(answer.message, "The table does not have the specified index: by-a")
        table = await_table(self.server, "t-1", is_active)
        self.assertEqual([one["IndexName"] for one in table["GlobalSecondaryIndexes"]], ["by-b"])
        self.assertEqual([one["AttributeName"] for one in table["AttributeDefinitions"]], ["b", "pk"])

    def test_boto3_and_its_waiters_get_along_with_a_table_that_changes(self):
        client = self.server.client()
        create_table(self.server, "t-1", "pk")
        client.update_table(TableName="t-1", **created("by-a", "a"))
        client.get_waiter("table_exists").wait(TableName="t-1", WaiterConfig={"Delay": 1})
        client.update_table(TableName="t-1", StreamSpecification={"StreamEnabled": True, "StreamViewType": "NEW_IMAGE"})
        self.assertEqual(client.describe_table(TableName="t-1")["Table"]["StreamSpecification"]["StreamViewType"], "NEW_IMAGE")
        with self.assertRaises(ClientError) as refused:
            client.update_table(TableName="t-1", StreamSpecification={"StreamEnabled": True, "StreamViewType": "KEYS_ONLY"})
        self.assertEqual(refused.exception.response["Error"]["Message"],
                         "Table already has an enabled stream: TableName: t-1")
        with self.assertRaises(client.exceptions.ResourceNotFoundException):
            client.update_table(TableName="missing", BillingMode="PAY_PER_REQUEST")

    def test_the_command_line_updates_a_table(self):
        create_table(self.server, "t-1", "pk")

        def aws(*words):
            done = subprocess.run(["/usr/bin/aws", "dynamodb", "--output", "json", *words, "--table-name", "t-1",
                                   "--endpoint-url", self.server.url], env=clean_environment(pathlib.Path.cwd()),
                                  stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=4 * PATIENCE_S)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            return json.loads(done.stdout)

        answer = aws("update-table", "--attribute-definitions", "AttributeName=a,AttributeType=S",
                     "--global-secondary-index-updates", json.dumps(created("by-a", "a")["GlobalSecondaryIndexUpdates"]))
        self.assertEqual(answer["TableDescription"]["GlobalSecondaryIndexes"][0]["IndexStatus"], "CREATING")
        await_table(self.server, "t-1", is_active)
        answer = aws("update-table", "--billing-mode", "PROVISIONED", "--provisioned-throughput",
                     "ReadCapacityUnits=2,WriteCapacityUnits=3", "--global-secondary-index-updates",
                     json.dumps([{"Update": {"IndexName": "by-a", "ProvisionedThroughput": {
                         "ReadCapacityUnits": 1, "WriteCapacityUnits": 1}}}]))
        self.assertEqual(answer["TableDescription"]["TableStatus"], "UPDATING")
        table = aws("describe-table")["Table"]
        self.assertEqual(table["ProvisionedThroughput"]["WriteCapacityUnits"], 3)
        self.assertEqual(table["GlobalSecondaryIndexes"][0]["ProvisionedThroughput"]["ReadCapacityUnits"], 1)


class Writers:
    """Puts, updates and deletes random items until it is stopped; a server that is down is no reason to end."""

    def __init__(self, server, items, seed):
        self._server, self._items, self._random = server, items, random.Random(seed)
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._stop.set()
        self._thread.join()

    def _run(self):
        while not self._stop.is_set():
            key = {"pk": {"S": str(self._random.randrange(self._items))}}
            colour = {"S": f"c{self._random.randrange(9)}"}
            operation, body = self._random.choice((
                ("PutItem", {"Item": key | {"colour": colour, "note": {"S": "put"}}}),
                ("UpdateItem", {"Key": key, "UpdateExpression": "SET colour = :c",
                                "ExpressionAttributeValues": {":c": colour}}),
                ("DeleteItem", {"Key": key})))
            try:
                self._server.must(operation, {"TableName": "things"} | body)
            except OSError:
                time.sleep(0.01)
            except Exception as error:  # A response that a crash cut off.
                if "IncompleteRead" not in repr(error) and "RemoteDisconnected" not in repr(error):
                    raise


class Crashes(unittest.TestCase):
    ITEMS = 10_000
    CRASHES = 5

    def test_an_index_that_is_built_through_crashes_equals_one_that_was_always_there(self):
        seed = random.randrange(2**32)
        print(f"seed {seed}")
        with tempfile.TemporaryDirectory() as folder, Server(pathlib.Path(folder, "data")) as server:
            server.must("CreateTable", {
                "TableName": "things", "BillingMode": "PAY_PER_REQUEST",
                "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
                "AttributeDefinitions": [{"AttributeName": name, "AttributeType": "S"} for name in ("pk", "colour")],
                "GlobalSecondaryIndexes": [index("early", "colour")]})
            for first in range(0, self.ITEMS, 25):
                server.must("BatchWriteItem", {"RequestItems": {"things": [
                    {"PutRequest": {"Item": {"pk": {"S": str(i)}, "colour": {"S": f"c{i % 9}"}}}}
                    for i in range(first, first + 25)]}})
            crashes = 0
            with Writers(server, self.ITEMS, seed):
                server.must("UpdateTable", {"TableName": "things"} | created("late", "colour"))
                while crashes < self.CRASHES:
                    count = self.late(server)["ItemCount"]
                    await_table(server, "things", lambda table: table["GlobalSecondaryIndexes"][1]["ItemCount"] > count)
                    self.assertEqual(self.late(server)["IndexStatus"], "CREATING", f"after {crashes} crashes")
                    server.kill()
                    crashes += 1
                    server.start()
                await_table(server, "things", is_active)
            early, late = (scan_all(server, "things", name) for name in ("early", "late"))
            self.assertEqual(early, late)
            indexes = server.must("DescribeTable", {"TableName": "things"})["Table"]["GlobalSecondaryIndexes"]
            self.assertEqual(*[(one["ItemCount"], one["IndexSizeBytes"]) for one in indexes])
            self.assertEqual(indexes[0]["ItemCount"], len(early))
            lines = server.errors()
            # A server that is killed right after its start may not have come to it.
            self.assertIn(len(re.findall("index late of table things is being built further", lines)), range(1, crashes + 1), lines)
            self.assertRegex(lines, r"index late of table things is ready with \d+ items")

            # A crash right after an index was deleted leaves neither the index nor its rows.
            server.must("UpdateTable", {"TableName": "things"} | deleted("late"))
            server.kill()
            server.start()
            table = await_table(server, "things", is_active)
            self.assertEqual([one["IndexName"] for one in table["GlobalSecondaryIndexes"]], ["early"])

    @staticmethod
    def late(server):
        return server.must("DescribeTable", {"TableName": "things"})["Table"]["GlobalSecondaryIndexes"][1]


if __name__ == "__main__":
    unittest.main()

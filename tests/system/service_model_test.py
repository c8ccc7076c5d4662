#!/usr/bin/python3
"""Nothing of DynamoDB's interface is silently ignored: every operation is served or refused, and every parameter of a
served operation changes the answer, be it that it has an effect or that it is refused.

The operations and parameters are those of tools/service_model.json."""

import json
import subprocess
import sys
import unittest

from dolmen_server import PATIENCE_S, REGION, ROOT, ServerTest

MODEL = ROOT / "tools/service_model.json"

KEY = {"pk": {"S": "a"}, "sk": {"N": "1"}}
ITEM = KEY | {"v": {"N": "5"}, "day": {"S": "monday"}}
OTHER = {"pk": {"S": "b"}, "sk": {"N": "1"}, "v": {"N": "6"}, "day": {"S": "friday"}}
NAMES = {"#v": "v"}
VALUES = {":v": {"N": "9"}}
FALSE = {"ConditionExpression": "v = :v", "ExpressionAttributeValues": VALUES}
SCHEMA = [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}]
BY_DAY = [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "day", "KeyType": "RANGE"}]
TABLE = {
    "TableName": "things", "BillingMode": "PAY_PER_REQUEST", "KeySchema": SCHEMA,
    "AttributeDefinitions": [{"AttributeName": name, "AttributeType": kind}
                             for name, kind in (("pk", "S"), ("sk", "N"), ("day", "S"))],
    "LocalSecondaryIndexes": [{"IndexName": "by-day", "KeySchema": BY_DAY, "Projection": {"ProjectionType": "ALL"}}],
    "GlobalSecondaryIndexes": [{"IndexName": "days", "KeySchema": [{"AttributeName": "day", "KeyType": "HASH"}],
                                "Projection": {"ProjectionType": "KEYS_ONLY"}}],
}
MADE = TABLE | {"TableName": "made"}
ADDED = {"IndexName": "added", "KeySchema": [{"AttributeName": "v", "KeyType": "HASH"}], "Projection": {"ProjectionType": "ALL"}}
ADDED_TYPES = [{"AttributeName": "v", "AttributeType": "N"}]
THROUGHPUT = {"ReadCapacityUnits": 1, "WriteCapacityUnits": 1}
EXPECTED = {"v": {"Value": {"N": "9"}}}
CONDITION = {"v": {"AttributeValueList": [{"N": "9"}], "ComparisonOperator": "EQ"}}
KEY_CONDITION = {"pk": {"AttributeValueList": [{"S": "a"}], "ComparisonOperator": "EQ"}}

SELECT = "SELECT * FROM things WHERE pk = 'a'"
SELECT_ONE = "SELECT * FROM things WHERE pk = 'a' AND sk = 1"
FALSE_UPDATE = "UPDATE things SET x = 1 WHERE pk = 'a' AND sk = 1 AND v = 9"

ARN = f"arn:aws:dynamodb:{REGION}:000000000000:table/things"
TAG = {"Key": "k", "Value": "v"}
TIME_TO_LIVE = {"Enabled": True, "AttributeName": "ends"}

# Replaced by the ARN of a backup of the table.
BACKUP = "BACKUP_ARN"
RESTORE = {"BillingModeOverride": "PROVISIONED", "GlobalSecondaryIndexOverride": [], "LocalSecondaryIndexOverride": [],
           "ProvisionedThroughputOverride": THROUGHPUT, "OnDemandThroughputOverride": {"MaxReadRequestUnits": 5},
           "SSESpecificationOverride": {"Enabled": True}, "VectorIndexOverride": [{}], "TargetTableName": None}
KEPT = {"PointInTimeRecoveryEnabled": True}

# For each served operation a request, and for each of its parameters a value that changes the answer; None leaves the
# parameter out. A pair is another request and the value.
WRITE = {"ReturnConsumedCapacity": "TOTAL", "ReturnItemCollectionMetrics": "SIZE", "ReturnValues": "ALL_OLD",
         "ConditionExpression": "attribute_not_exists(pk)", "ExpressionAttributeNames": NAMES,
         "ExpressionAttributeValues": VALUES, "Expected": EXPECTED, "ConditionalOperator": "OR",
         "ReturnValuesOnConditionCheckFailure": (FALSE, "ALL_OLD"), "TableName": None}
READ = {"TableName": None, "IndexName": "no-such-index", "Select": "COUNT", "AttributesToGet": ["v"], "Limit": 1,
        "ConsistentRead": ({"ReturnConsumedCapacity": "TOTAL"}, True), "ConditionalOperator": "OR",
        "ExclusiveStartKey": KEY, "ReturnConsumedCapacity": "TOTAL", "ProjectionExpression": "v",
        "FilterExpression": "attribute_not_exists(v)", "ExpressionAttributeNames": NAMES,
        "ExpressionAttributeValues": VALUES}
OPERATIONS = {
    "PutItem": ({"TableName": "things", "Item": ITEM}, WRITE | {"Item": None}),
    "DeleteItem": ({"TableName": "things", "Key": KEY}, WRITE | {"Key": None}),
    "UpdateItem": ({"TableName": "things", "Key": KEY}, WRITE | {
        "Key": None, "UpdateExpression": ({"ReturnValues": "ALL_NEW"}, "REMOVE v"),
        "AttributeUpdates": ({"ReturnValues": "ALL_NEW"}, {"v": {"Action": "DELETE"}})}),
    "GetItem": ({"TableName": "things", "Key": KEY}, {
        name: READ[name] for name in ("TableName", "AttributesToGet", "ConsistentRead", "ReturnConsumedCapacity",
                                      "ProjectionExpression", "ExpressionAttributeNames")} | {"Key": None}),
    "Query": ({"TableName": "things", "KeyConditionExpression": "pk = :p", "ExpressionAttributeValues": {":p": {"S": "a"}}},
              READ | {"KeyConditionExpression": None, "ScanIndexForward": False, "QueryFilter": CONDITION,
                      "KeyConditions": KEY_CONDITION}),
    "Scan": ({"TableName": "things"}, READ | {
        "ScanFilter": CONDITION, "Segment": ({"TotalSegments": 2}, 0), "TotalSegments": ({"Segment": 0}, 3)}),
    "BatchGetItem": ({"RequestItems": {"things": {"Keys": [KEY]}}},
                     {"RequestItems": None, "ReturnConsumedCapacity": "TOTAL"}),
    "BatchWriteItem": ({"RequestItems": {"things": [{"PutRequest": {"Item": ITEM}}]}}, {
        "RequestItems": None, "ReturnConsumedCapacity": "TOTAL", "ReturnItemCollectionMetrics": "SIZE"}),
    "TransactGetItems": ({"TransactItems": [{"Get": {"TableName": "things", "Key": KEY}}]},
                         {"TransactItems": None, "ReturnConsumedCapacity": "TOTAL"}),
    "TransactWriteItems": ({"TransactItems": [{"Put": {"TableName": "things", "Item": ITEM}}]}, {
        "TransactItems": None, "ReturnConsumedCapacity": "TOTAL", "ReturnItemCollectionMetrics": "SIZE",
        "ClientRequestToken": "x" * 37}),
    "ExecuteStatement": ({"Statement": SELECT}, {
        "Statement": None, "Parameters": [{"S": "a"}], "Limit": 1, "NextToken": "x", "ReturnConsumedCapacity": "TOTAL",
        "ConsistentRead": ({"ReturnConsumedCapacity": "TOTAL"}, True),
        "ReturnValuesOnConditionCheckFailure": ({"Statement": FALSE_UPDATE}, "ALL_OLD")}),
    "BatchExecuteStatement": ({"Statements": [{"Statement": SELECT_ONE}]},
                              {"Statements": None, "ReturnConsumedCapacity": "TOTAL"}),
    "ExecuteTransaction": ({"TransactStatements": [{"Statement": SELECT_ONE}]}, {
        "TransactStatements": None, "ReturnConsumedCapacity": "TOTAL", "ClientRequestToken": "x" * 37}),
    "CreateTable": (MADE, dict.fromkeys(MADE) | {
        "ProvisionedThroughput": THROUGHPUT, "StreamSpecification": {"StreamEnabled": True, "StreamViewType": "NEW_IMAGE"},
        "SSESpecification": {"Enabled": True}, "Tags": [{"Key": "#", "Value": "v"}], "DeletionProtectionEnabled": True,
        "TableClass": "STANDARD_INFREQUENT_ACCESS", "OnDemandThroughput": {"MaxReadRequestUnits": 5},
        "WarmThroughput": {"ReadUnitsPerSecond": 13000}, "ResourcePolicy": "{}", "GlobalTableSourceArn": "arn:aws:x",
        "GlobalTableSettingsReplicationMode": "ENABLED_WITH_OVERRIDES", "VectorIndexes": [{}]}),
    "UpdateTable": ({"TableName": "changed", "BillingMode": "PAY_PER_REQUEST"}, {
        "TableName": None, "BillingMode": None, "ProvisionedThroughput": THROUGHPUT,
        "AttributeDefinitions": ({"GlobalSecondaryIndexUpdates": [{"Create": ADDED}]}, ADDED_TYPES),
        "GlobalSecondaryIndexUpdates": [{"Delete": {"IndexName": "days"}}],
        "StreamSpecification": {"StreamEnabled": True, "StreamViewType": "NEW_IMAGE"}, "SSESpecification": {"Enabled": True},
        "ReplicaUpdates": [{"Delete": {"RegionName": "eu-west-1"}}], "TableClass": "STANDARD_INFREQUENT_ACCESS",
        "DeletionProtectionEnabled": True, "OnDemandThroughput": {"MaxReadRequestUnits": 5},
        "WarmThroughput": {"ReadUnitsPerSecond": 13000}, "MultiRegionConsistency": "STRONG",
        "GlobalTableWitnessUpdates": [{}], "GlobalTableSettingsReplicationMode": "ENABLED_WITH_OVERRIDES",
        "DisassociationProtectionEnabled": True, "VectorIndexUpdates": [{}]}),
    "DescribeTable": ({"TableName": "things"}, {"TableName": None}),
    "DeleteTable": ({"TableName": "dropped"}, {"TableName": None}),
    "ListTables": ({}, {"Limit": 1, "ExclusiveStartTableName": "other"}),
    "UpdateTimeToLive": ({"TableName": "dropped", "TimeToLiveSpecification": TIME_TO_LIVE},
                         {"TableName": None, "TimeToLiveSpecification": None}),
    "DescribeTimeToLive": ({"TableName": "things"}, {"TableName": None}),
    "TagResource": ({"ResourceArn": ARN, "Tags": [TAG]}, {"ResourceArn": None, "Tags": None}),
    "UntagResource": ({"ResourceArn": ARN, "TagKeys": ["k"]}, {"ResourceArn": None, "TagKeys": None}),
    "DescribeLimits": ({}, {}),
    "DescribeEndpoints": ({}, {}),
    "ListGlobalTables": ({}, {"ExclusiveStartGlobalTableName": 5, "Limit": 0, "RegionName": 5}),
    "DescribeContributorInsights": ({"TableName": "things"}, {"TableName": None, "IndexName": "days"}),
    "ListContributorInsights": ({}, {"TableName": "absent", "NextToken": 5, "MaxResults": 101}),
    "DescribeKinesisStreamingDestination": ({"TableName": "things"}, {"TableName": "other"}),
    # No token is ever given out, so only its type is looked at, as on AWS.
    "ListTagsOfResource": ({"ResourceArn": ARN}, {"ResourceArn": None, "NextToken": 5}),
    "UpdateContinuousBackups": ({"TableName": "things", "PointInTimeRecoverySpecification": KEPT},
                                {"TableName": None, "PointInTimeRecoverySpecification": None}),
    "DescribeContinuousBackups": ({"TableName": "things"}, {"TableName": None}),
    "RestoreTableToPointInTime": (
        {"SourceTableName": "things", "TargetTableName": "restored", "UseLatestRestorableTime": True}, RESTORE | {
            "SourceTableName": None, "SourceTableArn": ARN, "UseLatestRestorableTime": None, "RestoreDateTime": 1.0}),
    "CreateBackup": ({"TableName": "things", "BackupName": "nightly"}, {"TableName": None, "BackupName": "weekly"}),
    "DescribeBackup": ({"BackupArn": BACKUP}, {"BackupArn": None}),
    "ListBackups": ({}, {"TableName": "nothing", "Limit": 1, "TimeRangeLowerBound": 9e9, "TimeRangeUpperBound": 1.0,
                         "ExclusiveStartBackupArn": BACKUP, "BackupType": "SYSTEM"}),
    "DeleteBackup": ({"BackupArn": BACKUP}, {"BackupArn": None}),
    "RestoreTableFromBackup": ({"BackupArn": BACKUP, "TargetTableName": "restored"}, RESTORE | {"BackupArn": None}),
}


def in_batch_get(members):
    return "BatchGetItem", {"RequestItems": {"things": members}, "ReturnConsumedCapacity": "TOTAL"}


def in_transaction(action):
    return lambda members: ("TransactWriteItems", {"TransactItems": [{action: members}]})


def in_index(kind):
    return lambda members: ("CreateTable", MADE | {kind: [members]})


def in_change(action):
    return lambda members: ("UpdateTable", {"TableName": "changed", "AttributeDefinitions": ADDED_TYPES,
                                            "GlobalSecondaryIndexUpdates": [{action: members}]})


# The same for the structures inside of requests.
ACTION = {"TableName": None, "ConditionExpression": "attribute_not_exists(pk)", "ExpressionAttributeNames":
          ({"ConditionExpression": "attribute_exists(pk)"}, NAMES), "ExpressionAttributeValues":
          ({"ConditionExpression": "attribute_exists(pk)"}, VALUES),
          "ReturnValuesOnConditionCheckFailure": (FALSE, "ALL_OLD")}
CHECK = {"TableName": "things", "Key": KEY, "ConditionExpression": "attribute_exists(pk)"}
STRUCTURES = {
    "KeysAndAttributes": (in_batch_get, {"Keys": [KEY]}, {
        "Keys": None, "AttributesToGet": ["v"], "ConsistentRead": True, "ProjectionExpression": "v",
        "ExpressionAttributeNames": NAMES}),
    "Get": (lambda members: ("TransactGetItems", {"TransactItems": [{"Get": members}]}),
            {"TableName": "things", "Key": KEY},
            {"TableName": None, "Key": None, "ProjectionExpression": "v",
             "ExpressionAttributeNames": ({"ProjectionExpression": "v"}, NAMES)}),
    "Put": (in_transaction("Put"), {"TableName": "things", "Item": ITEM}, ACTION | {"Item": None}),
    "Delete": (in_transaction("Delete"), {"TableName": "things", "Key": KEY}, ACTION | {"Key": None}),
    "Update": (in_transaction("Update"), {"TableName": "things", "Key": KEY, "UpdateExpression": "REMOVE x"},
               ACTION | {"Key": None, "UpdateExpression": None}),
    "ConditionCheck": (in_transaction("ConditionCheck"), CHECK, ACTION | {"Key": None}),
    "GlobalSecondaryIndex": (in_index("GlobalSecondaryIndexes"), TABLE["GlobalSecondaryIndexes"][0],
                             dict.fromkeys(("IndexName", "KeySchema", "Projection")) | {
        "ProvisionedThroughput": THROUGHPUT, "OnDemandThroughput": {"MaxReadRequestUnits": 5},
        "WarmThroughput": {"ReadUnitsPerSecond": 13000}}),
    "CreateGlobalSecondaryIndexAction": (in_change("Create"), ADDED, dict.fromkeys(ADDED) | {
        "ProvisionedThroughput": THROUGHPUT, "OnDemandThroughput": {"MaxReadRequestUnits": 5},
        "WarmThroughput": {"ReadUnitsPerSecond": 13000}}),
    "UpdateGlobalSecondaryIndexAction": (
        in_change("Update"), {"IndexName": "days", "OnDemandThroughput": {"MaxWriteRequestUnits": 5}}, {
            "IndexName": None, "ProvisionedThroughput": THROUGHPUT, "OnDemandThroughput": {"MaxReadRequestUnits": 5},
            "WarmThroughput": {"ReadUnitsPerSecond": 13000}}),
    "LocalSecondaryIndex": (in_index("LocalSecondaryIndexes"), TABLE["LocalSecondaryIndexes"][0],
                            dict.fromkeys(("IndexName", "KeySchema", "Projection"))),
    "Projection": (lambda members: in_index("GlobalSecondaryIndexes")(
        TABLE["GlobalSecondaryIndexes"][0] | {"Projection": members}), {"ProjectionType": "ALL"},
        {"ProjectionType": None, "NonKeyAttributes": ["v"]}),
    "ProvisionedThroughput": (lambda members: ("CreateTable", {
        "TableName": "made", "KeySchema": SCHEMA[:1], "AttributeDefinitions": TABLE["AttributeDefinitions"][:1],
        "ProvisionedThroughput": members}), THROUGHPUT, {"ReadCapacityUnits": 2, "WriteCapacityUnits": 2}),
    "TimeToLiveSpecification": (lambda members: ("UpdateTimeToLive", {
        "TableName": "dropped", "TimeToLiveSpecification": members}), TIME_TO_LIVE, dict.fromkeys(TIME_TO_LIVE)),
    # Of a statement of a batch, AWS reads it and returns no item whatever its value.
    "BatchStatementRequest": (
        lambda members: ("BatchExecuteStatement", {"Statements": [members], "ReturnConsumedCapacity": "TOTAL"}),
        {"Statement": SELECT_ONE}, {"Statement": None, "Parameters": [{"S": "a"}], "ConsistentRead": True,
                                    "ReturnValuesOnConditionCheckFailure": "ALL_NEW"}),
    "ParameterizedStatement": (
        lambda members: ("ExecuteTransaction", {"TransactStatements": [members]}), {"Statement": SELECT_ONE},
        {"Statement": None, "Parameters": [{"S": "a"}],
         "ReturnValuesOnConditionCheckFailure": ({"Statement": FALSE_UPDATE}, "ALL_OLD")}),
    "PointInTimeRecoverySpecification": (lambda members: ("UpdateContinuousBackups", {
        "TableName": "things", "PointInTimeRecoverySpecification": members}), KEPT,
        {"PointInTimeRecoveryEnabled": False, "RecoveryPeriodInDays": 3}),
    "Tag": (lambda members: ("TagResource", {"ResourceArn": ARN, "Tags": [members]}), TAG, dict.fromkeys(TAG)),
}


def load_model():
    """The operations with their inputs, and the members of each structure in these."""
    model = json.loads(MODEL.read_text())["dynamodb"]
    members = {name: set(shape["members"]) for name, shape in model["shapes"].items() if shape["type"] == "structure"}
    return model["operations"], members


def without_moments(answer):
    """An answer without what is different each time."""
    body = answer.json() if answer.body else {}
    for description in (body.get("TableDescription", {}), body.get("Table", {})):
        for name in ("TableId", "CreationDateTime"):
            description.pop(name, None)
        description.get("BillingModeSummary", {}).pop("LastUpdateToPayPerRequestDateTime", None)
        description.get("RestoreSummary", {}).pop("RestoreDateTime", None)
    for name in ("BackupArn", "BackupCreationDateTime"):
        body.get("BackupDetails", {}).pop(name, None)
        body.get("BackupDescription", {}).get("BackupDetails", {}).pop(name, None)
    recovery = body.get("ContinuousBackupsDescription", {}).get("PointInTimeRecoveryDescription", {})
    for name in ("EarliestRestorableDateTime", "LatestRestorableDateTime"):
        recovery.pop(name, None)
    return answer.status, body


class ServiceModelTest(ServerTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.server.must("CreateTable", TABLE)
        cls.server.must("CreateTable", TABLE | {"TableName": "other"})
        cls.server.must("UpdateContinuousBackups", {"TableName": "things", "PointInTimeRecoverySpecification": KEPT})
        cls.backups = [cls.back_up() for _ in range(2)]
        cls.inputs, cls.members = load_model()

    @classmethod
    def back_up(cls):
        return cls.server.must("CreateBackup", {"TableName": "things", "BackupName": "kept"})["BackupDetails"]["BackupArn"]

    def drop(self, table):
        """Deletes a table, if there is one, as soon as its indexes allow it."""
        self.server.call("UpdateTable", {"TableName": table, "DeletionProtectionEnabled": False}, self.connection)
        while True:
            answer = self.server.call("DeleteTable", {"TableName": table}, self.connection)
            if answer.status == 200 or answer.type == "ResourceNotFoundException":
                return
            self.assertEqual(answer.type, "ResourceInUseException")

    def answer(self, operation, body):
        """The answer to a request, each time in the same state."""
        for table in ("made", "dropped", "changed", *(["restored"] if operation.startswith("Restore") else [])):
            self.drop(table)
        if operation in ("DeleteTable", "UpdateTimeToLive"):
            self.server.must("CreateTable", TABLE | {"TableName": "dropped"}, self.connection)
        if operation == "UpdateTable":
            self.server.must("CreateTable", TABLE | {"TableName": "changed"}, self.connection)
        for item in (ITEM, ITEM | {"sk": {"N": "2"}}, OTHER):
            self.server.must("PutItem", {"TableName": "things", "Item": item}, self.connection)
        if BACKUP in body.values():
            arn = self.back_up() if operation == "DeleteBackup" else self.backups[0]
            body = {name: arn if value == BACKUP else value for name, value in body.items()}
        answer = without_moments(self.server.call(operation, body, self.connection))
        if operation == "UpdateContinuousBackups":  # The structures may have ended the history.
            self.server.must("UpdateContinuousBackups", {"TableName": "things", "PointInTimeRecoverySpecification": KEPT})
        return answer

    def expect_noticed(self, request_of, base, name, value):
        """That the answer depends on whether the member is there."""
        if isinstance(value, tuple):
            base, value = base | value[0], value[1]
        if value is None:
            changed = {member: given for member, given in base.items() if member != name}
        else:
            changed = base | {name: value}
        self.assertNotEqual(self.answer(*request_of(changed)), self.answer(*request_of(base)), f"{name} is ignored")

    def test_the_tables_of_the_server_are_those_of_the_service_model(self):
        subprocess.run([sys.executable, ROOT / "tools/generate_service_model", "--check"], check=True, timeout=PATIENCE_S)

    def test_an_operation_that_is_not_served_says_so_and_the_page_knows(self):
        page = (ROOT / "docs/compatibility.md").read_text()
        for operation in sorted(self.inputs):
            with self.subTest(operation):
                answer = self.server.call(operation, {}, self.connection)
                says_so = f"### {operation}\n\nNot carried out yet" in page
                self.assertEqual(answer.status == 400 and answer.type == "UnknownOperationException", says_so)
                if says_so:
                    self.assertEqual(answer.message, f"{operation} is not supported yet")

    def test_the_page_on_compatibility_is_up_to_date(self):
        """It is written from the walk over all parameters, which fails on one that is ignored."""
        subprocess.run([sys.executable, ROOT / "tools/compatibility", "--check"], check=True, timeout=PATIENCE_S)

    def test_every_parameter_of_every_served_operation_is_noticed(self):
        for operation, (base, values) in OPERATIONS.items():
            self.assertEqual(self.answer(operation, base)[0], 200, operation)
            self.assertEqual(self.members[self.inputs[operation]] - set(values), set(), operation)
            for name, value in values.items():
                with self.subTest(operation, parameter=name):
                    self.expect_noticed(lambda body, operation=operation: (operation, body), base, name, value)

    def test_every_member_of_every_structure_in_a_request_is_noticed(self):
        for structure, (request_of, base, values) in STRUCTURES.items():
            self.assertEqual(self.answer(*request_of(base))[0], 200, structure)
            self.assertEqual(self.members[structure] - set(values), set(), structure)
            for name, value in values.items():
                with self.subTest(structure, member=name):
                    self.expect_noticed(request_of, base, name, value)

    def test_a_parameter_of_another_operation_is_passed_over(self):
        """As DynamoDB does with every member that it does not know."""
        backwards = {"TableName": "things", "ScanIndexForward": False}
        self.assertEqual(self.answer("Scan", backwards), self.answer("Scan", {"TableName": "things"}))


if __name__ == "__main__":
    unittest.main()

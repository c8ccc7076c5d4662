#!/usr/bin/python3
"""Backups and points in time with real clients: what was written comes back as it was, also after a crash."""

import datetime
import pathlib
import tempfile
import time
import unittest

from aws_cli import AwsCli
from dolmen_server import PATIENCE_S, Server, ServerTest, create_table


def wait_until_active(client, table):
    deadline = time.monotonic() + PATIENCE_S
    while (found := client.describe_table(TableName=table)["Table"])["TableStatus"] != "ACTIVE":
        assert time.monotonic() < deadline, f"{table} is {found['TableStatus']}"
        time.sleep(0.02)
    return found


def contents(client, table):
    found = {}
    for page in client.get_paginator("scan").paginate(TableName=table):
        found |= {item["pk"]["S"]: item for item in page["Items"]}
    return found


def fill(client, table, count, text="first"):
    for first in range(0, count, 25):
        puts = [{"PutRequest": {"Item": {"pk": {"S": f"key-{i}"}, "text": {"S": text}}}}
                for i in range(first, min(first + 25, count))]
        client.batch_write_item(RequestItems={table: puts})


def server_now(client, table):
    """The latest moment to which the server restores, by its own clock."""
    described = client.describe_continuous_backups(TableName=table)["ContinuousBackupsDescription"]
    return described["PointInTimeRecoveryDescription"]["LatestRestorableDateTime"]


class PointsInTime(ServerTest):
    def setUp(self):
        super().setUp()
        self.client = self.server.client()

    def keep(self, table):
        return self.client.update_continuous_backups(
            TableName=table, PointInTimeRecoverySpecification={"PointInTimeRecoveryEnabled": True})

    def refused(self, operation, request, kind, message):
        answer = self.server.call(operation, request)
        self.assertEqual((answer.status, answer.type, answer.message), (400, kind, message))

    def test_a_table_is_restored_as_it_was(self):
        create_table(self.server, "timed", "pk")
        fill(self.client, "timed", 60)
        described = self.keep("timed")["ContinuousBackupsDescription"]
        self.assertEqual(described["ContinuousBackupsStatus"], "ENABLED")
        self.assertEqual(described["PointInTimeRecoveryDescription"]["PointInTimeRecoveryStatus"], "ENABLED")
        before = contents(self.client, "timed")
        # boto3 sends whole seconds.
        moment = server_now(self.client, "timed").replace(microsecond=0) + datetime.timedelta(seconds=1)
        while server_now(self.client, "timed") <= moment:
            time.sleep(0.001)
        fill(self.client, "timed", 30, "second")
        self.client.delete_item(TableName="timed", Key={"pk": {"S": "key-50"}})
        answer = self.client.restore_table_to_point_in_time(SourceTableName="timed", TargetTableName="as-it-was",
                                                            RestoreDateTime=moment)["TableDescription"]
        self.assertEqual(answer["TableStatus"], "CREATING")
        self.assertTrue(answer["RestoreSummary"]["RestoreInProgress"])
        self.assertTrue(answer["RestoreSummary"]["SourceTableArn"].endswith(":table/timed"))
        restored = wait_until_active(self.client, "as-it-was")
        self.assertNotIn("RestoreSummary", restored)
        self.assertEqual(contents(self.client, "as-it-was"), before)
        self.client.restore_table_to_point_in_time(SourceTableName="timed", TargetTableName="as-it-is",
                                                   UseLatestRestorableTime=True)
        wait_until_active(self.client, "as-it-is")
        self.assertEqual(contents(self.client, "as-it-is"), contents(self.client, "timed"))

    def test_requests_are_refused_as_by_aws(self):
        create_table(self.server, "refusing", "pk")
        target = {"TargetTableName": "target"}
        self.refused("RestoreTableToPointInTime", target | {"SourceTableName": "refusing", "RestoreDateTime": 1.0,
                                                            "UseLatestRestorableTime": True}, "ValidationException",
                     "Invalid Request: Both RestoreDateTime and UseLatestRestorableTime cannot be set for point-in-time "
                     "restore request. Please specify only one.")
        self.refused("RestoreTableToPointInTime", target | {"SourceTableName": "refusing"}, "ValidationException",
                     "Invalid Request: Either one of RestoreDateTime or UseLatestRestorableTime must be specified, but "
                     "not both")
        latest = target | {"UseLatestRestorableTime": True}
        self.refused("RestoreTableToPointInTime", latest, "ValidationException",
                     "The parameter 'TableName' is required but was not present in the request")
        self.refused("RestoreTableToPointInTime", latest | {"SourceTableName": "missing"}, "TableNotFoundException",
                     "Table not found: missing")
        self.refused("RestoreTableToPointInTime", latest | {"SourceTableName": "refusing"},
                     "PointInTimeRecoveryUnavailableException",
                     "Point in time recovery is not enabled for table 'refusing'")
        self.keep("refusing")
        self.refused("RestoreTableToPointInTime", latest | {"SourceTableName": "refusing", "TargetTableName": "refusing"},
                     "TableAlreadyExistsException", "Table already exists: refusing")
        self.assertEqual(self.server.call("RestoreTableToPointInTime",
                                          target | {"SourceTableName": "refusing", "RestoreDateTime": 1.0}).type,
                         "InvalidRestoreTimeException")
        self.refused("DescribeContinuousBackups", {"TableName": "missing"}, "TableNotFoundException",
                     "Table not found: missing")
        self.refused("UpdateContinuousBackups",
                     {"TableName": "refusing", "PointInTimeRecoverySpecification": {
                         "PointInTimeRecoveryEnabled": False, "RecoveryPeriodInDays": 3}}, "ValidationException",
                     "Invalid Request: Cannot specify RecoveryPeriodInDays when disabling point-in-time recovery.")

    def test_the_period_can_be_changed(self):
        create_table(self.server, "period", "pk")
        for days in (3, 35, 1):
            answer = self.server.must("UpdateContinuousBackups", {
                "TableName": "period", "PointInTimeRecoverySpecification": {
                    "PointInTimeRecoveryEnabled": True, "RecoveryPeriodInDays": days}})
            recovery = answer["ContinuousBackupsDescription"]["PointInTimeRecoveryDescription"]
            self.assertEqual(recovery["RecoveryPeriodInDays"], days)


class Backups(ServerTest):
    def test_backups_come_back_after_their_table_has_gone(self):
        client = self.server.client()
        create_table(self.server, "saved", "pk")
        fill(client, "saved", 40)
        before = contents(client, "saved")
        details = client.create_backup(TableName="saved", BackupName="nightly")["BackupDetails"]
        self.assertEqual((details["BackupStatus"], details["BackupType"]), ("CREATING", "USER"))
        self.assertRegex(details["BackupArn"], r":table/saved/backup/\d{14}-[0-9a-f]{8}$")
        fill(client, "saved", 10, "second")
        client.delete_table(TableName="saved")
        described = client.describe_backup(BackupArn=details["BackupArn"])["BackupDescription"]
        self.assertEqual(described["BackupDetails"]["BackupStatus"], "AVAILABLE")
        self.assertEqual(described["SourceTableDetails"]["ItemCount"], 40)
        self.assertEqual(described["SourceTableFeatureDetails"], {})
        listed = client.list_backups(TableName="saved")["BackupSummaries"]
        self.assertEqual([backup["BackupArn"] for backup in listed], [details["BackupArn"]])
        client.restore_table_from_backup(TargetTableName="saved-again", BackupArn=details["BackupArn"])
        wait_until_active(client, "saved-again")
        self.assertEqual(contents(client, "saved-again"), before)
        deleted = client.delete_backup(BackupArn=details["BackupArn"])["BackupDescription"]["BackupDetails"]
        self.assertEqual(deleted["BackupStatus"], "DELETED")
        with self.assertRaises(client.exceptions.BackupNotFoundException):
            client.describe_backup(BackupArn=details["BackupArn"])

    def test_a_list_has_pages(self):
        client = self.server.client()
        create_table(self.server, "paged", "pk")
        arns = [client.create_backup(TableName="paged", BackupName=f"backup-{i}")["BackupDetails"]["BackupArn"]
                for i in range(5)]
        found = []
        request = {"TableName": "paged", "Limit": 2}
        while True:
            page = client.list_backups(**request)
            found += [backup["BackupArn"] for backup in page["BackupSummaries"]]
            if "LastEvaluatedBackupArn" not in page:
                break
            request["ExclusiveStartBackupArn"] = page["LastEvaluatedBackupArn"]
        self.assertEqual(found, arns)
        later = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(hours=1)
        self.assertEqual(client.list_backups(TableName="paged", TimeRangeLowerBound=later)["BackupSummaries"], [])


class Crashes(unittest.TestCase):
    def test_a_restore_goes_on_after_a_crash(self):
        with tempfile.TemporaryDirectory() as folder, Server(pathlib.Path(folder) / "data") as server:
            client = server.client()
            create_table(server, "large", "pk")
            fill(client, "large", 3000)
            client.update_continuous_backups(TableName="large", PointInTimeRecoverySpecification={
                "PointInTimeRecoveryEnabled": True})
            before = contents(client, "large")
            moment = server_now(client, "large")
            while server_now(client, "large") <= moment:
                time.sleep(0.001)
            fill(client, "large", 1000, "second")
            arn = client.create_backup(TableName="large", BackupName="nightly")["BackupDetails"]["BackupArn"]
            client.restore_table_to_point_in_time(SourceTableName="large", TargetTableName="restored",
                                                  RestoreDateTime=moment)
            for _ in range(3):
                server.kill()
                server.start()
            client = server.client()
            wait_until_active(client, "restored")
            self.assertEqual(contents(client, "restored"), before)
            client.restore_table_from_backup(TargetTableName="from-backup", BackupArn=arn)
            server.kill()
            server.start()
            client = server.client()
            wait_until_active(client, "from-backup")
            self.assertEqual(contents(client, "from-backup"), contents(client, "large"))


class CommandLine(AwsCli):
    def test_backups_with_the_aws_command_line(self):
        create_table(self.server, "notes", "pk")
        self.aws("put-item", "--table-name", "notes", "--item", {"pk": {"S": "a"}})
        made = self.aws("create-backup", "--table-name", "notes", "--backup-name", "first")["BackupDetails"]
        listed = self.aws("list-backups", "--table-name", "notes")["BackupSummaries"]
        self.assertEqual([backup["BackupName"] for backup in listed], ["first"])
        self.aws("restore-table-from-backup", "--target-table-name", "notes-2", "--backup-arn", made["BackupArn"])
        wait_until_active(self.server.client(), "notes-2")
        self.aws("update-continuous-backups", "--table-name", "notes", "--point-in-time-recovery-specification",
                 "PointInTimeRecoveryEnabled=true")
        described = self.aws("describe-continuous-backups", "--table-name", "notes")["ContinuousBackupsDescription"]
        self.assertEqual(described["PointInTimeRecoveryDescription"]["PointInTimeRecoveryStatus"], "ENABLED")
        self.aws("restore-table-to-point-in-time", "--source-table-name", "notes", "--target-table-name", "notes-3",
                 "--use-latest-restorable-time")
        wait_until_active(self.server.client(), "notes-3")
        self.aws("delete-table", "--table-name", "notes")
        system = self.aws("list-backups", "--backup-type", "SYSTEM")["BackupSummaries"]
        self.assertEqual([backup["BackupName"] for backup in system], ["notes$DeletedTableBackup"])


if __name__ == "__main__":
    unittest.main()

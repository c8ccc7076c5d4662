#!/usr/bin/python3
"""Tables that are encrypted by keys of customers: what stands in the files, keys that are unknown, missing and back, and
changes of the encryption with crashes in the middle."""

import gzip
import os
import pathlib
import random
import struct
import subprocess
import tempfile
import time
import unittest

from botocore.exceptions import ClientError

from dolmen_server import BINARY, PATIENCE_S, DidNotStart, Server, clean_environment, run

MARKER = "a-text-that-no-file-may-have"
ARN = "arn:aws:kms:us-east-1:000000000000:key/"


def encrypted(name):
    return {"Enabled": True, "SSEType": "KMS", "KMSMasterKeyId": name}


class TableKeys(unittest.TestCase):
    def setUp(self):
        self._temporary = tempfile.TemporaryDirectory()
        self.addCleanup(self._temporary.cleanup)
        self.folder = pathlib.Path(self._temporary.name)
        self.data, self.keys = self.folder / "data", self.folder / "table.keys"
        self.must_run("keys", "create", self.keys, "--id", "mine")
        self.must_run("keys", "rotate", self.keys, "--id", "other")
        self.all_keys = self.keys.read_text()
        self.server = self.open_server()

    def must_run(self, *arguments):
        done = run(*arguments)
        self.assertEqual(done.code, 0, done)
        return done

    def open_server(self, with_keys=True):
        server = Server(data=self.data, flags=["--table-keys", str(self.keys)] if with_keys else [])
        self.addCleanup(server.close)
        server.start()
        return server

    def restart(self):
        """As after kill -9."""
        self.server.kill()
        self.server.start()

    def leave_keys(self, *names):
        """Replaces the key file by one with only these keys."""
        lines = [line for line in self.all_keys.splitlines() if line.split(" ")[0] in names]
        fresh = self.folder / "fresh.keys"
        fresh.write_text("\n".join(["# keys of tables", *lines, "unused " + "0" * 64, ""]))
        fresh.chmod(0o600)
        fresh.rename(self.keys)

    def create(self, name="things", **settings):
        self.server.client().create_table(
            TableName=name, BillingMode="PAY_PER_REQUEST",
            AttributeDefinitions=[{"AttributeName": one, "AttributeType": "S"} for one in ("pk", "sk", "group", "other")],
            KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
            GlobalSecondaryIndexes=[{"IndexName": "by-group", "Projection": {"ProjectionType": "ALL"},
                                     "KeySchema": [{"AttributeName": "group", "KeyType": "HASH"}]}],
            LocalSecondaryIndexes=[{"IndexName": "by-other", "Projection": {"ProjectionType": "ALL"},
                                    "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"},
                                                  {"AttributeName": "other", "KeyType": "RANGE"}]}],
            StreamSpecification={"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"}, **settings)

    def fill(self, count, name="things", text=MARKER):
        table = self.server.resource().Table(name)
        with table.batch_writer() as batch:
            for i in range(count):
                batch.put_item(Item={"pk": f"p{i % 10}", "sk": str(i), "group": "g", "other": "o", "note": text + "x" * 50,
                                     "list": [text, {"deep": text}], "bytes": text.encode()})

    def count(self, name="things", index=None):
        found, more = 0, {"IndexName": index} if index else {}
        while True:
            page = self.server.client().scan(TableName=name, **more)
            for item in page["Items"]:
                assert item["note"]["S"].startswith(MARKER) and item["list"]["L"][1]["M"]["deep"]["S"] == MARKER, item
            found += len(page["Items"])
            if "LastEvaluatedKey" not in page:
                return found
            more["ExclusiveStartKey"] = page["LastEvaluatedKey"]

    def describe(self, name="things"):
        return self.server.must("DescribeTable", {"TableName": name})["Table"]

    def wait_for(self, condition, name="things"):
        deadline = time.monotonic() + 4 * PATIENCE_S
        while not condition(table := self.describe(name)):
            self.assertLess(time.monotonic(), deadline, table)
            time.sleep(0.02)
        return table

    def wait_until_settled(self):
        return self.wait_for(lambda table: table.get("SSEDescription", {}).get("Status") != "UPDATING")

    def update(self, specification):
        return self.server.client().update_table(TableName="things", SSESpecification=specification)["TableDescription"]

    def files_with_marker(self):
        return [str(path.relative_to(self.folder)) for path in self.folder.rglob("*")
                if path.is_file() and MARKER.encode() in path.read_bytes()]

    def assert_refused(self, kind, text, call, **parameters):
        with self.assertRaises(ClientError) as refused:
            call(**parameters)
        error = refused.exception.response["Error"]
        self.assertEqual(error["Code"], kind)
        self.assertIn(text, error["Message"])

    def environment(self):
        return clean_environment(os.devnull) | {"DOLMEN_TABLE_KEYS": str(self.keys)}

    def verb(self, *arguments, with_keys=True):
        return subprocess.run([BINARY, *map(str, arguments)], capture_output=True, text=True, timeout=4 * PATIENCE_S,
                              env=self.environment() if with_keys else clean_environment(os.devnull))

    # ---- What stands in the files ----

    def test_no_file_has_a_plain_value(self):
        self.create(SSESpecification=encrypted("alias/mine"))
        table = self.describe()
        self.assertEqual(table["SSEDescription"], {"Status": "ENABLED", "SSEType": "KMS", "KMSMasterKeyArn": ARN + "mine"})
        client = self.server.client()
        client.update_continuous_backups(TableName="things",
                                         PointInTimeRecoverySpecification={"PointInTimeRecoveryEnabled": True})
        self.fill(300)
        self.fill(300)
        self.assertEqual(self.files_with_marker(), [])
        backup = client.create_backup(TableName="things", BackupName="one")["BackupDetails"]["BackupArn"]
        client.restore_table_from_backup(TargetTableName="copy", BackupArn=backup)
        client.restore_table_to_point_in_time(SourceTableName="things", TargetTableName="past", UseLatestRestorableTime=True)
        for name in ("copy", "past"):
            self.wait_for(lambda table: table["TableStatus"] == "ACTIVE", name)
            self.assertEqual(self.count(name), 300)
            self.assertEqual(self.describe(name)["SSEDescription"]["KMSMasterKeyArn"], ARN + "mine")
        self.assertEqual(self.files_with_marker(), [])
        streams, seen = self.server.streams_client(), 0
        for shard in streams.describe_stream(StreamArn=table["LatestStreamArn"])["StreamDescription"]["Shards"]:
            iterator = streams.get_shard_iterator(StreamArn=table["LatestStreamArn"], ShardId=shard["ShardId"],
                                                  ShardIteratorType="TRIM_HORIZON")["ShardIterator"]
            while records := streams.get_records(ShardIterator=iterator)["Records"]:
                seen += sum(one["dynamodb"]["NewImage"]["note"]["S"].startswith(MARKER) for one in records)
                iterator = streams.get_shard_iterator(
                    StreamArn=table["LatestStreamArn"], ShardId=shard["ShardId"], ShardIteratorType="AFTER_SEQUENCE_NUMBER",
                    SequenceNumber=records[-1]["dynamodb"]["SequenceNumber"])["ShardIterator"]
        self.assertEqual(seen, 300)  # Putting an item again as it is changes nothing.
        self.server.stop()
        self.assertEqual(self.files_with_marker(), [])
        self.server.start()
        for index in (None, "by-group", "by-other"):
            self.assertEqual(self.count(index=index), 300)
        self.restart()
        self.assertEqual(self.count(), 300)
        self.assertEqual(self.files_with_marker(), [])

    def test_a_table_without_a_key_is_plain(self):
        # Else the test above would prove nothing.
        self.create()
        self.fill(1)
        self.assertNotEqual(self.files_with_marker(), [])

    def test_vectors_are_encrypted(self):
        numbers = [0.12345679, 0.9876543, 0.5555555, 0.3333333]
        for name, settings in (("sealed", {"SSESpecification": encrypted("mine")}), ("plain", {})):
            self.server.must("CreateTable", {
                "TableName": name, "BillingMode": "PAY_PER_REQUEST",
                "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
                "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
                "VectorIndexes": [{"IndexName": "near", "VectorAttribute": {"AttributeName": "v"}, "Dimensions": 4,
                                   "DistanceFunction": "EUCLIDEAN", "Projection": {"ProjectionType": "ALL"}}]} | settings)
            self.server.must("PutItem", {"TableName": name, "Item": {
                "pk": {"S": "1"}, "note": {"S": MARKER}, "v": {"L": [{"N": str(number)} for number in numbers]}}})
            self.restart()
            found = self.server.must("SearchVectors", {"TableName": name, "IndexName": "near", "TopK": 1,
                                                       "SearchVector": [{"N": str(number)} for number in numbers]})
            self.assertEqual(found["SearchResults"][0]["Item"]["note"], {"S": MARKER})
            vector = struct.pack("<4f", *numbers)
            has_vector = any(vector in path.read_bytes() for path in self.data.rglob("*") if path.is_file())
            self.assertEqual((has_vector, self.files_with_marker() != []), (name == "plain", name == "plain"))

    # ---- Keys that are unknown or missing ----

    def test_an_unknown_key_is_refused(self):
        self.assert_refused("ValidationException",
                            f"KMS validation error: com.amazonaws.services.kms.model.NotFoundException: Key '{ARN}nobody' does not exist",
                            self.create, SSESpecification=encrypted("nobody"))
        self.assert_refused("ValidationException", "alias/nobody is not found.", self.create,
                            SSESpecification=encrypted("alias/nobody"))
        self.create()
        self.assert_refused("ValidationException", "does not exist", self.update, specification=encrypted("nobody"))
        self.assertNotIn("SSEDescription", self.describe())

    def test_a_missing_key_closes_the_table_until_it_is_back(self):
        self.create(SSESpecification=encrypted("mine"))
        self.fill(20)
        self.create("free")
        self.leave_keys("other")
        self.restart()
        table = self.describe()
        self.assertEqual(table["TableStatus"], "INACCESSIBLE_ENCRYPTION_CREDENTIALS")
        self.assertLess(abs(table["SSEDescription"]["InaccessibleEncryptionDateTime"] - time.time()), 4 * PATIENCE_S)
        self.assertEqual(table["ItemCount"], 20)
        client, key = self.server.client(), {"pk": {"S": "p1"}, "sk": {"S": "1"}}
        for call, parameters in ((client.get_item, {"Key": key}), (client.put_item, {"Item": key}), (client.scan, {}),
                                 (client.update_item, {"Key": key}), (client.delete_item, {"Key": key})):
            self.assert_refused("AccessDeniedException", "KMS key access denied error", call, TableName="things", **parameters)
        self.assert_refused("AccessDeniedException", "KMS key access denied error", client.transact_write_items,
                            TransactItems=[{"Put": {"TableName": "things", "Item": key}}])
        self.assert_refused("AccessDeniedException", "KMS key access denied error", client.execute_statement,
                            Statement="SELECT * FROM things")
        streams, arn = self.server.streams_client(), table["LatestStreamArn"]
        refused = 0
        for shard in streams.describe_stream(StreamArn=arn)["StreamDescription"]["Shards"]:
            iterator = streams.get_shard_iterator(StreamArn=arn, ShardId=shard["ShardId"],
                                                  ShardIteratorType="TRIM_HORIZON")["ShardIterator"]
            try:
                self.assertEqual(streams.get_records(ShardIterator=iterator)["Records"], [])
            except ClientError as error:
                self.assertEqual(error.response["Error"]["Code"], "AccessDeniedException")
                refused += 1
        self.assertGreater(refused, 0)
        self.fill(5, "free")
        self.leave_keys("mine", "other")
        table = self.wait_for(lambda now: now["TableStatus"] == "ACTIVE")
        self.assertNotIn("InaccessibleEncryptionDateTime", table["SSEDescription"])
        self.assertEqual(self.count(), 20)
        self.leave_keys("other")
        self.wait_for(lambda now: now["TableStatus"] == "INACCESSIBLE_ENCRYPTION_CREDENTIALS")
        self.assert_refused("AccessDeniedException", "KMS key", client.scan, TableName="things")

    def test_a_server_without_the_file_serves_other_tables(self):
        self.create(SSESpecification=encrypted("mine"))
        self.create("free")
        self.server.kill()
        self.server = self.open_server(with_keys=False)
        self.assertEqual(self.describe()["TableStatus"], "INACCESSIBLE_ENCRYPTION_CREDENTIALS")
        self.fill(3, "free")
        self.assert_refused("ValidationException", "does not exist", self.create, name="more",
                            SSESpecification=encrypted("mine"))

    def test_a_file_that_others_can_read_is_refused(self):
        self.server.kill()
        self.keys.chmod(0o644)
        with self.assertRaises(DidNotStart) as refused:
            self.open_server()
        self.assertIn("chmod 600", str(refused.exception))

    # ---- Changes, with crashes in the middle ----

    def test_a_changed_key_replaces_the_old_one(self):
        self.create(SSESpecification=encrypted("mine"))
        self.fill(10)
        self.assertEqual(self.update(encrypted("other"))["SSEDescription"]["Status"], "UPDATING")
        self.restart()
        self.assertEqual(self.wait_until_settled()["SSEDescription"]["KMSMasterKeyArn"], ARN + "other")
        self.leave_keys("other")
        self.restart()
        self.assertEqual(self.count(), 10)

    def test_enabling_and_disabling_survive_crashes(self):
        seed = int(os.environ.get("DOLMEN_TEST_SEED", time.time_ns() % 1_000_000))
        print(f"seed {seed} (DOLMEN_TEST_SEED)")
        chance = random.Random(seed)
        self.create()
        self.server.client().update_continuous_backups(
            TableName="things", PointInTimeRecoverySpecification={"PointInTimeRecoveryEnabled": True})
        count = 3000
        self.fill(count)
        self.assertNotEqual(self.files_with_marker(), [])
        self.update(encrypted("mine"))
        for _ in range(4):
            time.sleep(chance.uniform(0, 0.15))
            self.restart()
            self.assertEqual(self.count(), count)
            self.fill(25)
        table = self.wait_until_settled()
        self.assertEqual(table["SSEDescription"]["KMSMasterKeyArn"], ARN + "mine")
        self.assertEqual(self.files_with_marker(), [])
        for index in ("by-group", "by-other"):
            self.assertEqual(self.count(index=index), count)
        self.server.stop()
        self.assertEqual(self.files_with_marker(), [])
        self.server.start()

        self.update({"Enabled": False})
        for _ in range(4):
            time.sleep(chance.uniform(0, 0.15))
            self.restart()
            self.assertEqual(self.count(), count)
        self.assertNotIn("SSEDescription", self.wait_until_settled())
        self.server.kill()
        self.server = self.open_server(with_keys=False)
        self.assertEqual(self.count(index="by-group"), count)

    # ---- The whole store ----

    def test_verify_repair_and_fork_know_encrypted_tables(self):
        self.create(SSESpecification=encrypted("mine"))
        self.fill(30)
        self.server.kill()
        done = self.verb("verify", "--data", self.data)
        self.assertEqual(done.returncode, 0, done)
        self.assertIn("is whole", done.stdout)
        done = self.verb("verify", "--data", self.data, with_keys=False)
        self.assertIn("cannot be checked, because the key that encrypts it is missing", done.stdout)
        done = self.verb("repair", self.data, self.folder / "repaired", with_keys=False)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("DOLMEN_TABLE_KEYS", done.stderr + done.stdout)
        done = self.verb("repair", self.data, self.folder / "again")
        self.assertEqual(done.returncode, 0, done)
        done = self.verb("fork", self.data, self.folder / "fork")
        self.assertEqual(done.returncode, 0, done)
        self.assertEqual(self.files_with_marker(), [])
        for name in ("again", "fork"):
            self.assertEqual((self.folder / name / "DOLMEN").read_text(), "dolmen data directory, format 2\n")
            self.data = self.folder / name
            self.server = self.open_server()
            self.assertEqual(self.count(), 30)
            self.assertEqual(self.count(index="by-group"), 30)
            self.server.kill()

    def test_exports_are_plain_and_imported_tables_encrypted(self):
        buckets = self.folder / "buckets"
        (buckets / "things").mkdir(parents=True)
        self.server.kill()
        self.server = Server(data=self.data, flags=["--table-keys", str(self.keys), "--buckets", str(buckets)])
        self.addCleanup(self.server.close)
        self.server.start()
        self.create(SSESpecification=encrypted("mine"))
        self.fill(40)
        self.server.must("UpdateContinuousBackups", {
            "TableName": "things", "PointInTimeRecoverySpecification": {"PointInTimeRecoveryEnabled": True}})
        begun = self.server.must("ExportTableToPointInTime",
                                 {"TableArn": self.describe()["TableArn"], "S3Bucket": "things"})["ExportDescription"]
        export = self.ended("DescribeExport", "ExportDescription", "ExportStatus", {"ExportArn": begun["ExportArn"]})
        self.assertEqual((export["ExportStatus"], export["ItemCount"]), ("COMPLETED", 40), export)
        data = export["ExportManifest"].replace("manifest-summary.json", "data/")
        self.assertIn(MARKER, "".join(gzip.decompress(path.read_bytes()).decode() for path in (buckets / "things" / data).iterdir()))
        begun = self.server.must("ImportTable", {
            "S3BucketSource": {"S3Bucket": "things", "S3KeyPrefix": data}, "InputFormat": "DYNAMODB_JSON",
            "InputCompressionType": "GZIP", "ClientToken": "once", "TableCreationParameters": {
                "TableName": "copy", "BillingMode": "PAY_PER_REQUEST", "SSESpecification": encrypted("other"),
                "AttributeDefinitions": [{"AttributeName": one, "AttributeType": "S"} for one in ("pk", "sk")],
                "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}]}})
        done = self.ended("DescribeImport", "ImportTableDescription", "ImportStatus",
                          {"ImportArn": begun["ImportTableDescription"]["ImportArn"]})
        self.assertEqual((done["ImportStatus"], done["ImportedItemCount"]), ("COMPLETED", 40), done)
        self.assertEqual(self.describe("copy")["SSEDescription"]["KMSMasterKeyArn"], ARN + "other")
        self.assertEqual(self.count("copy"), 40)
        self.server.close()
        self.assertEqual(self.files_with_marker(), [])

    def ended(self, operation, member, status, request):
        """What became of an export or import."""
        deadline = time.monotonic() + 4 * PATIENCE_S
        while (job := self.server.must(operation, request)[member])[status] == "IN_PROGRESS":
            self.assertLess(time.monotonic(), deadline, job)
            time.sleep(0.02)
        return job

    def test_verbs_read_encrypted_tables_of_a_directory(self):
        self.create(SSESpecification=encrypted("mine"))
        self.fill(3)
        self.server.kill()
        done = self.verb("scan", "things", "--data", self.data)
        self.assertEqual(done.returncode, 0, done)
        self.assertIn(MARKER, done.stdout)
        done = self.verb("scan", "things", "--data", self.data, with_keys=False)
        self.assertNotEqual(done.returncode, 0)
        self.assertNotIn(MARKER, done.stdout)


if __name__ == "__main__":
    unittest.main()

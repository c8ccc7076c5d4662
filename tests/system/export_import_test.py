#!/usr/bin/python3
"""Exports and imports of tables, and puts in bulk, with folders for buckets. What an export wrote is read by a small
program that knows only the layout that AWS documents. `--items N` imports N items, `--kills N` kills the server N times
meanwhile."""

import argparse
import base64
import gzip
import hashlib
import json
import pathlib
import random
import sys
import tempfile
import time
import unittest
import uuid

from dolmen_server import Server, create_table, run
from s3_server import S3Server
from waiting import wait_until

ITEMS = 20_000
KILLS = 2
ARN = "arn:aws:dynamodb:us-east-1:000000000000:table/"


def read_export(bucket, manifest_key):
    """The items of an export and its summary, from the key of its summary on."""
    def checked(key, digest):
        content = (bucket / key).read_bytes()
        assert base64.b64encode(hashlib.md5(content).digest()).decode() == digest, f"{key} is damaged"
        return content

    def with_digest(key):
        return checked(key, (bucket / key.replace(".json", ".md5")).read_text())

    summary = json.loads(with_digest(manifest_key))
    items = []
    for line in with_digest(summary["manifestFilesS3Key"]).decode().splitlines():
        entry = json.loads(line)
        content = checked(entry["dataFileS3Key"], entry["md5Checksum"])
        assert hashlib.md5(content).hexdigest() == entry["etag"]
        lines = gzip.decompress(content).decode().splitlines()
        assert len(lines) == entry["itemCount"]
        items += [json.loads(line) if line.startswith("{") else line for line in lines]
    assert len(items) == summary["itemCount"]
    return items, summary


def contents(server, table):
    found, request = {}, {"TableName": table}
    while True:
        page = server.must("Scan", request)
        found |= {json.dumps(item["id"]): item for item in page["Items"]}
        if "LastEvaluatedKey" not in page:
            return found
        request["ExclusiveStartKey"] = page["LastEvaluatedKey"]


def new_table(name, **more):
    return {"TableName": name, "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}],
            "AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "S"}], "BillingMode": "PAY_PER_REQUEST",
            **more}


class Transfers(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.buckets = self.folder / "buckets"
        self.bucket = self.buckets / "things"
        self.bucket.mkdir(parents=True)
        self.server = Server(self.folder / "data", ["--buckets", str(self.buckets)])

    def table_with_items(self, count=300):
        create_table(self.server, "source", "id")
        self.server.must("UpdateContinuousBackups", {
            "TableName": "source", "PointInTimeRecoverySpecification": {"PointInTimeRecoveryEnabled": True}})
        for i in range(count):
            item = {"id": {"S": f"k{i}"}, "n": {"N": str(i)}, "s": {"SS": ["a", "b"]}, "b": {"B": "AAE="},
                    "m": {"M": {"l": {"L": [{"NULL": True}, {"BOOL": False}, {"S": "ü\n\""}]}}}}
            self.server.must("PutItem", {"TableName": "source", "Item": item})

    def ended(self, kind, arn, patience_s=60):
        names = {"export": ("DescribeExport", "ExportArn", "ExportDescription", "ExportStatus"),
                 "import": ("DescribeImport", "ImportArn", "ImportTableDescription", "ImportStatus"),
                 "bulk": ("DescribeBulkOperation", "BulkOperationArn", "BulkOperationDescription",
                          "BulkOperationStatus")}
        operation, argument, member, status = names[kind]
        return wait_until(lambda: self.server.must(operation, {argument: arn})[member],
                          lambda described: described[status] not in ("IN_PROGRESS", "CANCELLING"),
                          patience_s)

    def export(self, **more):
        begun = self.server.must("ExportTableToPointInTime", {"TableArn": ARN + "source", "S3Bucket": "things", **more})
        return self.ended("export", begun["ExportDescription"]["ExportArn"])

    def import_table(self, name, prefix, **more):
        begun = self.server.must("ImportTable", {
            "S3BucketSource": {"S3Bucket": "things", "S3KeyPrefix": prefix}, "InputFormat": "DYNAMODB_JSON",
            "ClientToken": str(uuid.uuid4()), "TableCreationParameters": new_table(name), **more})["ImportTableDescription"]
        self.assertEqual(begun["ImportStatus"], "IN_PROGRESS")
        self.assertNotIn("ProcessedSizeBytes", begun)
        done = self.ended("import", begun["ImportArn"])
        self.assertEqual(done["TableId"], begun["TableId"])
        return done

    def test_an_export_has_the_layout_of_aws_and_comes_back(self):
        with self.server:
            self.table_with_items()
            before = contents(self.server, "source")
            done = self.export(S3Prefix="a/b")
            self.assertEqual(done["ExportStatus"], "COMPLETED")
            self.assertEqual(done["ItemCount"], 300)
            number = done["ExportArn"].rpartition("/")[2]
            self.assertEqual(done["ExportManifest"], f"a/b/AWSDynamoDB/{number}/manifest-summary.json")
            items, summary = read_export(self.bucket, done["ExportManifest"])
            self.assertEqual({json.dumps(line["Item"]["id"]): line["Item"] for line in items}, before)
            self.assertEqual(summary["version"], "2020-06-30")
            self.assertEqual(summary["outputFormat"], "DYNAMODB_JSON")
            self.assertEqual((self.bucket / f"a/b/AWSDynamoDB/{number}/_started").read_bytes(), b"")
            imported = self.import_table("copy", f"a/b/AWSDynamoDB/{number}/data/", InputCompressionType="GZIP")
            self.assertEqual((imported["ImportStatus"], imported["ImportedItemCount"]), ("COMPLETED", 300), imported)
            self.assertEqual(contents(self.server, "copy"), before)
            listed = self.server.must("ListExports", {"TableArn": ARN + "source"})["ExportSummaries"]
            self.assertEqual([export["ExportArn"] for export in listed], [done["ExportArn"]])

    def test_ion_comes_back(self):
        with self.server:
            self.table_with_items(50)
            done = self.export(ExportFormat="ION")
            lines, _ = read_export(self.bucket, done["ExportManifest"])
            self.assertTrue(all(line.startswith("$ion_1_0 {Item:{") for line in lines), lines[:2])
            data = done["ExportManifest"].replace("manifest-summary.json", "data/")
            imported = self.import_table("copy", data, InputFormat="ION", InputCompressionType="GZIP")
            self.assertEqual(imported["ImportStatus"], "COMPLETED", imported)
            self.assertEqual(contents(self.server, "copy"), contents(self.server, "source"))

    def test_an_export_of_the_past_has_what_was_there(self):
        with self.server:
            self.table_with_items(20)
            before = contents(self.server, "source")
            # A whole second, as SDKs send it.
            moment = int(time.time()) + 1
            wait_until(time.time, lambda now: now > moment + 0.01)
            for i in range(10):
                self.server.must("DeleteItem", {"TableName": "source", "Key": {"id": {"S": f"k{i}"}}})
                self.server.must("PutItem", {"TableName": "source", "Item": {"id": {"S": f"k{i + 10}"}}})
                self.server.must("PutItem", {"TableName": "source", "Item": {"id": {"S": f"new{i}"}}})
            items, _ = read_export(self.bucket, self.export(ExportTime=moment)["ExportManifest"])
            self.assertEqual({json.dumps(line["Item"]["id"]): line["Item"] for line in items}, before)
            items, _ = read_export(self.bucket, self.export()["ExportManifest"])
            self.assertEqual({json.dumps(line["Item"]["id"]): line["Item"] for line in items},
                             contents(self.server, "source"))

    def test_a_filter_selects(self):
        with self.server:
            self.table_with_items(20)
            done = self.export(FilterSpecification={
                "FilterExpression": "#n < :five", "ProjectionExpression": "id, #n",
                "ExpressionAttributeNames": {"#n": "n"}, "ExpressionAttributeValues": {":five": {"N": "5"}}})
            items, _ = read_export(self.bucket, done["ExportManifest"])
            self.assertEqual(sorted(line["Item"]["n"]["N"] for line in items), ["0", "1", "2", "3", "4"])
            self.assertEqual({tuple(line["Item"]) for line in items}, {("id", "n")})

    def test_csv_takes_types_from_the_keys(self):
        (self.bucket / "x.csv").write_text('id;age;note\na;1;"x;""y"""\nb;2;\n')
        with self.server:
            table = new_table("people", AttributeDefinitions=[{"AttributeName": "id", "AttributeType": "S"},
                                                              {"AttributeName": "age", "AttributeType": "N"}],
                              GlobalSecondaryIndexes=[{
                                  "IndexName": "by_age", "Projection": {"ProjectionType": "ALL"},
                                  "KeySchema": [{"AttributeName": "age", "KeyType": "HASH"}]}])
            done = self.import_table("people", "x.csv", InputFormat="CSV", TableCreationParameters=table,
                                     InputFormatOptions={"Csv": {"Delimiter": ";"}})
            self.assertEqual(done["ImportStatus"], "COMPLETED", done)
            self.assertEqual(contents(self.server, "people"), {
                '{"S": "a"}': {"id": {"S": "a"}, "age": {"N": "1"}, "note": {"S": 'x;"y"'}},
                '{"S": "b"}': {"id": {"S": "b"}, "age": {"N": "2"}}})
            found = self.server.must("Query", {
                "TableName": "people", "IndexName": "by_age", "KeyConditionExpression": "age = :a",
                "ExpressionAttributeValues": {":a": {"N": "2"}}})
            self.assertEqual(found["Count"], 1)

    def test_vectors_are_found_after_an_import(self):
        index = {"IndexName": "near", "VectorAttribute": {"AttributeName": "v"}, "Dimensions": 2,
                 "DistanceFunction": "EUCLIDEAN", "Projection": {"ProjectionType": "ALL"},
                 "SearchSchema": [{"AttributeName": "year", "SearchSchemaElementType": "INLINE_FILTER"}]}
        table = new_table("places", VectorIndexes=[index], AttributeDefinitions=[
            {"AttributeName": "id", "AttributeType": "S"}, {"AttributeName": "year", "AttributeType": "N"}])
        items = [{"id": {"S": str(i)}, "year": {"N": str(i % 2)}, "v": {"L": [{"N": str(i)}, {"N": "0"}]}}
                 for i in range(10)]
        (self.bucket / "v.json").write_text("".join(json.dumps({"Item": item}) + "\n" for item in items))
        with self.server:
            done = self.import_table("places", "v.json", TableCreationParameters=table)
            self.assertEqual(done["ImportStatus"], "COMPLETED", done)
            self.assertEqual(done["TableCreationParameters"]["VectorIndexes"], [index])

            def nearest():
                found = self.server.must("SearchVectors", {
                    "TableName": "places", "IndexName": "near", "SearchVector": [{"N": "4.1"}, {"N": "0"}], "TopK": 2,
                    "SearchConditionExpression": "#y = :y", "ExpressionAttributeNames": {"#y": "year"},
                    "ExpressionAttributeValues": {":y": {"N": "1"}}})
                return [one["Item"]["id"]["S"] for one in found["SearchResults"]]
            self.assertEqual(nearest(), ["5", "3"])
            self.server.kill()
            self.server.start()
            self.assertEqual(nearest(), ["5", "3"])

    def test_bad_lines_are_counted_and_logged(self):
        (self.bucket / "in").mkdir()
        (self.bucket / "in" / "1.json").write_text(
            '{"Item":{"id":{"S":"a"}}}\n{"Item":{"no":{"S":"key"}}}\n{"Item":{"id":{"S":"b"}}}\nnot json\n'
            '{"Item":{"id":{"S":"not read any more"}}}\n')
        (self.bucket / "in" / "2.json").write_text('{"Item":{"id":{"N":"1"}}}\n{"NotAnItem":{"id":{"S":"c"}}}\nnot json\n')
        with self.server:
            done = self.import_table("people", "in/")
            self.assertEqual((done["ImportStatus"], done["FailureCode"]), ("FAILED", "ItemValidationError"))
            self.assertEqual((done["ProcessedItemCount"], done["ImportedItemCount"], done["ErrorCount"]), (6, 2, 4))
            self.assertEqual(sorted(contents(self.server, "people")), ['{"S": "a"}', '{"S": "b"}'])
            log = self.folder / "data/imports" / (done["ImportArn"].rpartition("/")[2] + ".jsonl")
            lines = [json.loads(line) for line in log.read_text().splitlines()]
            self.assertEqual([line["itemS3Pointer"] for line in lines], [
                {"bucket": "things", "key": "in/1.json", "itemIndex": 1},
                {"bucket": "things", "key": "in/1.json", "itemIndex": 3},
                {"bucket": "things", "key": "in/2.json", "itemIndex": 0},
                {"bucket": "things", "key": "in/2.json", "itemIndex": 1}])
            self.assertIn("Missing the key id", lines[0]["errorMessages"][0])

    def test_the_size_of_what_was_imported_is_that_before_compression(self):
        lines = b"".join(b'{"Item":{"id":{"S":"%d"}}}\n' % number for number in range(500))
        for folder, content in (("plain", lines), ("packed", gzip.compress(lines))):
            (self.bucket / folder).mkdir()
            (self.bucket / folder / "1").write_bytes(content)
            (self.bucket / folder / "2").write_bytes(b"" if folder == "plain" else gzip.compress(b""))
        with self.server:
            plain = self.import_table("plain", "plain/")
            packed = self.import_table("packed", "packed/", InputCompressionType="GZIP")
            self.assertEqual((plain["ProcessedSizeBytes"], packed["ProcessedSizeBytes"]), (len(lines), len(lines)))
            self.assertEqual((plain["ImportedItemCount"], packed["ImportedItemCount"]), (500, 500))

    def test_what_is_wrong_with_a_bucket_ends_the_job(self):
        with self.server:
            self.table_with_items(1)
            self.assertEqual(self.export(S3Bucket="none")["FailureCode"], "S3NoSuchBucket")
            done = self.import_table("copy", "", S3BucketSource={"S3Bucket": "none"})
            self.assertEqual((done["ImportStatus"], done["FailureCode"]), ("FAILED", "S3NoSuchBucket"))
            self.assertNotIn("ProcessedSizeBytes", done)
            self.assertEqual(self.server.must("ListTables", {})["TableNames"], ["source"])
            self.assertEqual(self.import_table("empty", "nothing/")["ImportStatus"], "COMPLETED")
            self.assertEqual(self.export(S3Prefix="../../up")["ExportStatus"], "FAILED")
            (self.bucket / "link").symlink_to(self.folder)
            self.assertEqual(self.export(S3Prefix="link")["FailureCode"], "S3AccessDenied")
            self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["buckets", "data"])

    def test_refusals_are_those_of_aws(self):
        with self.server:
            create_table(self.server, "plain", "id")
            for request, kind, message in [
                    ({"TableArn": "plain"}, "ValidationException",
                     "One or more parameter values were invalid: tableArn is not a valid ARN"),
                    ({"TableArn": ""}, "ValidationException", "Invalid TableArn: Invalid Table ARN"),
                    ({"TableArn": ARN + "plain", "S3Prefix": ""}, "ValidationException",
                     "1 validation error detected: Value '' at 's3Prefix' failed to satisfy constraint: Member must have "
                     "length greater than or equal to 1"),
                    ({"TableArn": ARN + "none"}, "TableNotFoundException", f"Table not found: {ARN}none"),
                    ({"TableArn": ARN + "plain/index/i"}, "ValidationException",
                     "Invalid Request: Table ARN is invalid."),
                    ({"TableArn": ARN + "plain"}, "PointInTimeRecoveryUnavailableException",
                     "Point in time recovery is not enabled for table 'plain'"),
                    ({"TableArn": ARN + "plain", "S3SseKmsKeyId": "k"}, "ValidationException",
                     "Invalid Request: KMS Key Id is not supported for this encryption type"),
                    ({"TableArn": ARN + "plain", "ExportType": "INCREMENTAL_EXPORT"}, "ValidationException",
                     "Invalid Request: Incremental Export Specification expected when export type is set as Incremental "
                     "Export"),
                    ({"TableArn": ARN + "plain", "FilterSpecification": {}}, "ValidationException",
                     "Invalid Request: Invalid FilterSpecification: The specification can not be empty")]:
                answer = self.server.call("ExportTableToPointInTime", {"S3Bucket": "things", **request})
                self.assertEqual((answer.status, answer.type, answer.message), (400, kind, message))
            wanted = {"S3BucketSource": {"S3Bucket": "things"}, "InputFormat": "ION",
                      "TableCreationParameters": new_table("plain")}
            answer = self.server.call("ImportTable", wanted)
            self.assertEqual(answer.message, "1 validation error detected: Value null at 'clientToken' failed to satisfy "
                                             "constraint: Member must not be null")
            answer = self.server.call("ImportTable", wanted | {"ClientToken": "t", "InputFormatOptions": {"Csv": {}}})
            self.assertEqual(answer.message, "Invalid Request: Unsupported InputFormatOptions for the given input "
                                             "format: ION.")
            answer = self.server.call("ImportTable", wanted | {"ClientToken": "t"})
            self.assertEqual((answer.type, answer.message), ("ResourceInUseException", "Table already exists: plain"))

    def test_the_arn_of_a_job_is_refused_as_aws_refuses_it(self):
        def refused(kind, arn):
            answer = self.server.call(f"Describe{kind}", {f"{kind}Arn": arn})
            self.assertEqual(answer.status, 400)
            return answer.type, answer.message

        number = "01700000000000-00000000"
        denied = ("AccessDeniedException", "Access is denied")
        with self.server:
            for kind in ("Export", "Import"):
                below = f"/{kind.lower()}/{number}"
                self.assertEqual(refused(kind, f"{ARN}plain{below}"),
                                 (f"{kind}NotFoundException", f"{kind} not found: {kind} not found: {ARN}plain{below}"))
                for wrong in (f"{ARN}plain", f"{ARN}x{below}", ARN.replace("arn:", "qwerty:") + "plain"):
                    self.assertEqual(refused(kind, wrong), ("ValidationException", f"Invalid {kind} ARN"))
                for part, other in (("aws", "qwerty"), ("dynamodb", "qwerty"), ("us-east-1", "qwerty"), ("000000000000", "qwerty")):
                    self.assertEqual(refused(kind, ARN.replace(part, other) + "plain"), denied)
                    self.assertEqual(refused(kind, ARN.replace(part, other) + "plain" + below), denied)
            self.assertEqual(refused("Export", f"{ARN}plain/export/{number}".replace("us-east-1", "eu-west-1")),
                             ("ExportNotFoundException", "Export not found: Invalid export arn"))

    def test_a_token_stands_for_one_export(self):
        with self.server:
            self.table_with_items(1)
            one = self.export(ClientToken="t")
            self.assertEqual(self.export(ClientToken="t")["ExportArn"], one["ExportArn"])
            answer = self.server.call("ExportTableToPointInTime", {
                "TableArn": ARN + "source", "S3Bucket": "things", "S3Prefix": "x", "ClientToken": "t"})
            self.assertEqual(answer.type, "ExportConflictException")
            for _ in range(3):
                self.export()
            seen, request = [], {"MaxResults": 3}
            while True:
                page = self.server.must("ListExports", request)
                seen += [export["ExportArn"] for export in page["ExportSummaries"]]
                if "NextToken" not in page:
                    break
                request["NextToken"] = page["NextToken"]
            self.assertEqual(len(seen), 4)
            self.assertEqual(seen, sorted(seen, reverse=True))

    def test_bulk_puts_go_to_a_table_that_exists(self):
        lines = [{"Item": {"id": {"S": "a"}}},
                 {"Item": {"id": {"S": "old"}}, "ConditionExpression": "attribute_not_exists(id)"},
                 {"Item": {"id": {"N": "1"}}}]
        (self.bucket / "bulk.json").write_text("".join(json.dumps(line) + "\n" for line in lines))
        with self.server:
            create_table(self.server, "target", "id")
            self.server.must("PutItem", {"TableName": "target", "Item": {"id": {"S": "old"}, "x": {"N": "1"}}})
            request = {"TableName": "target",
                       "InputS3Configuration": {"S3Bucket": "things", "S3KeyPrefix": "bulk", "InputFormat": "DYNAMODB_JSON"},
                       "OutputS3Configuration": {"S3Bucket": "things", "S3KeyPrefix": "out",
                                                 "OutputType": ["ERROR", "CONDITION_CHECK_FAILURE"]}}
            begun = self.server.must("StartBulkPutItems", request)["BulkOperationDescription"]
            done = self.ended("bulk", begun["BulkOperationArn"])
            self.assertEqual((done["BulkOperationStatus"], done["ProcessedItemCount"], done["FailedItemCount"]),
                             ("COMPLETED_WITH_ERRORS", 3, 1))
            self.assertEqual(contents(self.server, "target"),
                             {'{"S": "a"}': lines[0]["Item"], '{"S": "old"}': {"id": {"S": "old"}, "x": {"N": "1"}}})
            number = begun["BulkOperationArn"].rpartition("/")[2]
            report = (self.bucket / f"out/AWSDynamoDB/{number}/report/00000001.json").read_text().splitlines()
            self.assertEqual([json.loads(line)["type"] for line in report], ["CONDITION_CHECK_FAILURE", "ERROR"])
            self.assertEqual(len(self.server.must("ListBulkOperations", {})["BulkOperationsSummaryList"]), 1)

    def test_a_killed_import_goes_on(self):
        for form in ("json", "csv"):
            with open(self.bucket / f"many.{form}", "w", encoding="utf-8") as out:
                if form == "csv":
                    out.write("id,n,text\n")
                for i in range(ITEMS):
                    text = f"text of {i} " * 8
                    out.write(f"k{i},{i},{text}\n" if form == "csv" else json.dumps(
                        {"Item": {"id": {"S": f"k{i}"}, "n": {"N": str(i)}, "text": {"S": text}}}) + "\n")
        chance = random.Random(7)
        with self.server:
            for form, kind in (("json", "DYNAMODB_JSON"), ("csv", "CSV")):
                self.import_and_kill(form, kind, chance)

    def import_and_kill(self, form, kind, chance):
        begun = time.monotonic()
        arn = self.server.must("ImportTable", {
            "S3BucketSource": {"S3Bucket": "things", "S3KeyPrefix": f"many.{form}"}, "InputFormat": kind,
            "ClientToken": form, "TableCreationParameters": new_table(form)})["ImportTableDescription"]["ImportArn"]
        peak = 0
        for _ in range(KILLS):
            enough = ITEMS * chance.random() / KILLS
            goal = min(self.progress(arn) + enough, ITEMS)
            wait_until(lambda: self.progress(arn), lambda processed: processed >= goal, 600)
            peak = max(peak, self.server.memory_max_bytes())
            self.server.kill()
            self.server.start()
        done = self.ended("import", arn, 600)
        peak = max(peak, self.server.memory_max_bytes())
        print(f"{form}: {ITEMS} items in {time.monotonic() - begun:.1f} s with {KILLS} kills, "
              f"at most {peak >> 20} MB")
        self.assertEqual((done["ImportStatus"], done["ImportedItemCount"], done["ErrorCount"]),
                         ("COMPLETED", ITEMS, 0), done)
        described = self.server.must("DescribeTable", {"TableName": form})["Table"]
        self.assertEqual((described["TableStatus"], described["ItemCount"]), ("ACTIVE", ITEMS))
        for i in chance.sample(range(ITEMS), 20):
            got = self.server.must("GetItem", {"TableName": form, "Key": {"id": {"S": f"k{i}"}}})["Item"]
            self.assertEqual(got["n"], {"S" if form == "csv" else "N": str(i)})

    def progress(self, arn):
        return self.server.must("DescribeImport", {"ImportArn": arn})["ImportTableDescription"]["ProcessedItemCount"]

    def test_a_server_with_the_protocol_of_s3_has_buckets_too(self):
        with S3Server("things") as s3:
            self.server = Server(self.folder / "data", ["--buckets", s3.url])
            with self.server:
                self.table_with_items(30)
                done = self.export(S3Prefix="p")
                self.assertEqual(done["ExportStatus"], "COMPLETED", done)
                data = done["ExportManifest"].replace("manifest-summary.json", "data/")
                imported = self.import_table("copy", data, InputCompressionType="GZIP")
                self.assertEqual(imported["ImportStatus"], "COMPLETED", imported)
                self.assertEqual(contents(self.server, "copy"), contents(self.server, "source"))
                self.assertEqual(self.export(S3Bucket="none")["FailureCode"], "S3NoSuchBucket")

    def test_a_folder_of_buckets_must_exist(self):
        done = run("serve", "--data", self.folder / "data", "--buckets", self.folder / "none")
        self.assertNotEqual(done.code, 0)
        self.assertIn("is not a folder of buckets", done.err)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--items", type=int, default=ITEMS)
    parser.add_argument("--kills", type=int, default=KILLS)
    flags, rest = parser.parse_known_args()
    ITEMS, KILLS = flags.items, flags.kills
    unittest.main(argv=[sys.argv[0], *rest])

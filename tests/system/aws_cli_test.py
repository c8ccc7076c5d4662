#!/usr/bin/python3
"""The AWS command line works against the server. It is slow to start, so each test tells a whole story."""

import json
import pathlib
import subprocess
import tempfile
import unittest

from dolmen_server import PATIENCE_S, Finished, Server, clean_environment, create_table

AWS = "/usr/bin/aws"


class AwsCliTest(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.server = Server(self.folder / "data")
        self.server.start()
        self.addCleanup(self.server.close)

    def run_aws(self, *words):
        """Runs `aws dynamodb WORDS`; a word that is not text is given as JSON."""
        texts = [word if isinstance(word, str) else json.dumps(word) for word in words]
        done = subprocess.run([AWS, "dynamodb", *texts, "--endpoint-url", self.server.url, "--output", "json"],
                              env=clean_environment(self.folder), stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, timeout=4 * PATIENCE_S)
        return Finished(done.returncode, done.stdout, done.stderr)

    def aws(self, *words):
        """A command that has to succeed; what it printed."""
        finished = self.run_aws(*words)
        self.assertEqual((finished.code, finished.err), (0, ""))
        return json.loads(finished.out) if finished.out else None

    def test_the_life_of_a_table_that_survives_a_crash(self):
        created = self.aws("create-table", "--table-name", "Music",
                           "--attribute-definitions", "AttributeName=Artist,AttributeType=S",
                           "AttributeName=Year,AttributeType=N",
                           "--key-schema", "AttributeName=Artist,KeyType=HASH", "AttributeName=Year,KeyType=RANGE",
                           "--billing-mode", "PAY_PER_REQUEST")["TableDescription"]
        self.assertEqual(created["TableStatus"], "CREATING")
        self.aws("wait", "table-exists", "--table-name", "Music")
        described = self.aws("describe-table", "--table-name", "Music")["Table"]
        self.assertEqual((described["TableStatus"], described["TableId"]), ("ACTIVE", created["TableId"]))

        key = {"Artist": {"S": "Alan Stivell"}, "Year": {"N": "1972"}}
        item = key | {"Title": {"S": "\u00c0 l'Olympia"}, "Cover": {"B": "AAH/"}, "Tags": {"SS": ["folk", "harp"]},
                      "Tracks": {"L": [{"M": {"Title": {"S": "The Wind of Keltia"}, "Live": {"BOOL": True}}},
                                       {"NULL": True}]}}
        self.assertIsNone(self.aws("put-item", "--table-name", "Music", "--item", item))

        self.server.kill()
        self.server.start()
        got = self.aws("get-item", "--table-name", "Music", "--key", key, "--consistent-read")
        self.assertEqual(got, {"Item": item})

        deleted = self.aws("delete-item", "--table-name", "Music", "--key", key, "--return-values", "ALL_OLD",
                           "--return-consumed-capacity", "TOTAL")
        self.assertEqual(deleted, {"Attributes": item,
                                   "ConsumedCapacity": {"TableName": "Music", "CapacityUnits": 1.0}})
        dropped = self.aws("delete-table", "--table-name", "Music")["TableDescription"]
        self.assertEqual((dropped["TableStatus"], dropped["TableId"]), ("DELETING", created["TableId"]))
        self.aws("wait", "table-not-exists", "--table-name", "Music")

    def test_a_listing_in_pages_is_whole(self):
        names = [f"table{i}" for i in range(5)]
        for name in names:
            create_table(self.server, name)
        self.assertEqual(self.aws("list-tables", "--page-size", "2"), {"TableNames": names})

    def test_an_error_is_printed_with_its_name_and_message(self):
        finished = self.run_aws("get-item", "--table-name", "missing", "--key", {"pk": {"S": "a"}})
        self.assertEqual((finished.code, finished.out), (254, ""))
        self.assertEqual(finished.err.strip(), "An error occurred (ResourceNotFoundException) when calling the GetItem "
                                               "operation: Requested resource not found")


if __name__ == "__main__":
    if pathlib.Path(AWS).exists():
        unittest.main()
    print(f"skipped: there is no {AWS} (package awscli)")

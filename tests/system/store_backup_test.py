#!/usr/bin/python3
"""`dolmen backup`: the whole store to a folder and back, with a server that goes on serving."""

import json
import pathlib
import subprocess
import tempfile
import threading
import unittest

from dolmen_server import BINARY, Finished, Server, clean_environment, create_table, run
from s3_server import S3Server


def contents(server, table):
    found, request = {}, {"TableName": table}
    while True:
        page = server.must("Scan", request)
        found |= {item["pk"]["S"]: item for item in page["Items"]}
        if "LastEvaluatedKey" not in page:
            return found
        request["ExclusiveStartKey"] = page["LastEvaluatedKey"]


def fill(server, table, first, count):
    for start in range(first, first + count, 25):
        puts = [{"PutRequest": {"Item": {"pk": {"S": f"key-{i}"}, "text": {"S": "t" * 200}}}}
                for i in range(start, min(start + 25, first + count))]
        server.must("BatchWriteItem", {"RequestItems": {table: puts}})


class StoreBackup(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def dolmen(self, *words):
        done = run("backup", *words)
        self.assertEqual(done.code, 0, done.err + done.out)
        return done.out

    def test_a_running_server_is_backed_up_and_comes_back(self):
        backups = self.folder / "backups"
        with Server(self.folder / "data", ["--backups", str(backups)]) as server:
            create_table(server, "things", "pk")
            fill(server, "things", 0, 1000)
            stop = threading.Event()

            def write():
                number = 0
                while not stop.is_set():
                    fill(server, "busy", number, 25)
                    number += 25

            create_table(server, "busy", "pk")
            writer = threading.Thread(target=write)
            writer.start()
            first = json.loads(self.dolmen("create", "--endpoint", server.url, "--json"))
            second = json.loads(self.dolmen("create", "--endpoint", server.url, "--json"))
            stop.set()
            writer.join()
            self.assertEqual((first["Id"], second["Id"]), (1, 2))
            before = contents(server, "things")
        self.assertEqual(self.dolmen("verify", backups), "backup 2 is whole\n")
        self.assertEqual([backup["id"] for backup in json.loads(self.dolmen("list", backups, "--json"))], [1, 2])
        self.dolmen("restore", backups, "--data", self.folder / "restored", "--id", "1")
        with Server(self.folder / "restored") as server:
            self.assertEqual(contents(server, "things"), before)
            busy = contents(server, "busy")
            # What came back of a table that was written to is one moment of it: no batch follows one that is missing.
            self.assertEqual(sorted(busy), sorted(f"key-{i}" for i in range(len(busy))))
        self.assertEqual(self.dolmen("prune", backups, "--keep", "1"), "removed 1 backups\n")

    def test_a_damaged_backup_is_refused_and_named(self):
        backups = self.folder / "backups"
        with Server(self.folder / "data") as server:
            create_table(server, "things", "pk")
            fill(server, "things", 0, 100)
        self.dolmen("create", backups, "--data", self.folder / "data")
        damaged = next((backups / "rocksdb" / "shared_checksum").iterdir())
        damaged.write_bytes(damaged.read_bytes()[:-1])
        verified = run("backup", "verify", backups)
        self.assertEqual(verified.code, 1)
        self.assertIn(damaged.name, verified.out)
        refused = run("backup", "restore", backups, "--data", self.folder / "restored")
        self.assertEqual(refused.code, 1)
        self.assertIn(damaged.name, refused.err)
        self.assertFalse((self.folder / "restored").exists())

    def test_a_server_without_a_folder_makes_no_backups(self):
        with Server() as server:
            refused = run("backup", "create", "--endpoint", server.url)
            self.assertEqual(refused.code, 1)
            self.assertIn("--backups DIR", refused.err)


    def test_backups_go_to_a_bucket_and_come_back(self):
        with S3Server("vault") as s3:
            place = "s3://vault/nightly"
            def dolmen(*words):
                return self.dolmen_at(s3.url, *words)

            with Server(self.folder / "data") as server:
                create_table(server, "things", "pk")
                fill(server, "things", 0, 2000)
                before = contents(server, "things")
            first = json.loads(dolmen("create", place, "--data", self.folder / "data", "--json"))
            put = s3.put_bytes
            second = json.loads(dolmen("create", place, "--data", self.folder / "data", "--json"))
            self.assertEqual((first["id"], second["id"]), (1, 2))
            self.assertLess(s3.put_bytes - put, put)
            self.assertEqual([backup["id"] for backup in json.loads(dolmen("list", place, "--json"))], [1, 2])
            self.assertEqual(dolmen("verify", place), "backup 2 is whole\n")
            dolmen("restore", place, "--data", self.folder / "restored", "--id", "1")
            with Server(self.folder / "restored") as server:
                self.assertEqual(contents(server, "things"), before)
            dolmen("prune", place, "--keep", "1")
            self.assertEqual([backup["id"] for backup in json.loads(dolmen("list", place, "--json"))], [2])
            self.assertEqual(dolmen("verify", place), "backup 2 is whole\n")
            victim = next(key for key in sorted(s3.objects) if "shared_checksum" in key)
            whole = s3.objects[victim]
            for damaged in (whole[:-1] + bytes([whole[-1] ^ 1]), None):
                if damaged is None:
                    del s3.objects[victim]
                else:
                    s3.objects[victim] = damaged
                found = self.run_at(s3.url, "verify", place)
                self.assertNotEqual(found.code, 0)
                self.assertIn(victim.removeprefix("vault/nightly/"), found.out)
                refused = self.run_at(s3.url, "restore", place, "--data", self.folder / "never")
                self.assertNotEqual(refused.code, 0)
                self.assertFalse((self.folder / "never").exists())

    def run_at(self, url, *words):
        done = subprocess.run([BINARY, "backup", *map(str, words)], text=True, capture_output=True, timeout=120,
                              env=clean_environment(self.folder) | {"AWS_ENDPOINT_URL_S3": url})
        return Finished(done.returncode, done.stdout, done.stderr)

    def dolmen_at(self, url, *words):
        done = self.run_at(url, *words)
        self.assertEqual(done.code, 0, done.err + done.out)
        return done.out


if __name__ == "__main__":
    unittest.main()

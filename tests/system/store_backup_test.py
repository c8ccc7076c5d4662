#!/usr/bin/python3
"""`dolmen backup`: the whole store to a folder and back, with a server that goes on serving."""

import json
import pathlib
import tempfile
import threading
import unittest

from dolmen_server import Server, create_table, run


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


if __name__ == "__main__":
    unittest.main()

#!/usr/bin/python3
"""`dolmen verify` says whether a store is whole, and `dolmen repair` saves what can be read of one that is not."""

import json
import pathlib
import shutil
import tempfile
import unittest

from dolmen_server import Server, create_table, run

TABLE = "things"
ITEMS = 300


def fill(server):
    create_table(server, TABLE, sort="sk", types="SNS", AttributeDefinitions=[
        {"AttributeName": "pk", "AttributeType": "S"}, {"AttributeName": "sk", "AttributeType": "N"},
        {"AttributeName": "kind", "AttributeType": "S"}],
        GlobalSecondaryIndexes=[{"IndexName": "by_kind", "Projection": {"ProjectionType": "ALL"}, "KeySchema": [
            {"AttributeName": "kind", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}]}],
        StreamSpecification={"StreamEnabled": True, "StreamViewType": "NEW_IMAGE"})
    server.must("UpdateTimeToLive", {"TableName": TABLE, "TimeToLiveSpecification": {"Enabled": True, "AttributeName": "expires"}})
    for i in range(ITEMS):
        server.must("PutItem", {"TableName": TABLE, "Item": {
            "pk": {"S": f"p{i % 7}"}, "sk": {"N": str(i)}, "kind": {"S": f"kind{i % 5}"}, "expires": {"N": "4000000000"},
            "pad": {"S": f"{i * 7919}" * 40}}})


def scan(data):
    with Server(data=data) as server:
        items = server.must("Scan", {"TableName": TABLE})["Items"]
        server.stop()
    return {item["sk"]["N"] for item in items}


class Verify(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.data = self.folder / "data"

    def make_store(self, with_log=False):
        with Server(data=self.data) as server:
            fill(server)
            if not with_log:
                server.stop()

    def pictures(self):
        return {path: path.read_bytes() for path in self.data.rglob("*") if path.is_file()}

    def test_a_whole_store_is_whole_offline_and_is_not_changed(self):
        self.make_store(with_log=True)
        before = self.pictures()
        done = run("verify", "--data", self.data, "--json")
        self.assertEqual((done.code, done.err), (0, ""), done.out)
        report = json.loads(done.out)
        self.assertEqual((report["whole"], report["items"], report["index_rows"], report["expiry_rows"], report["stream_records"]),
                         (True, ITEMS, ITEMS, ITEMS, ITEMS))
        self.assertEqual(self.pictures(), before)
        self.assertIn("is whole", run("verify", "--data", self.data).out)

    def test_a_running_server_is_checked_while_it_serves(self):
        with Server(data=self.data) as server:
            fill(server)
            done = run("verify", "--endpoint", server.url, "--json")
            self.assertEqual((done.code, done.err), (0, ""), done.out)
            self.assertEqual(json.loads(done.out)["items"], ITEMS)
            refused = run("verify", "--data", self.data)
            self.assertEqual(refused.code, 1)
            self.assertIn("in use", refused.err)

    def test_what_cannot_be_checked_is_an_error(self):
        self.assertEqual(run("verify", "--data", self.folder / "missing").code, 1)
        self.assertEqual(run("verify", "--endpoint", "http://127.0.0.1:1").code, 1)

    def test_a_damaged_file_is_found_and_the_rest_is_saved(self):
        self.make_store()
        largest = max((self.data / "rocksdb").glob("*.sst"), key=lambda path: path.stat().st_size)
        content = bytearray(largest.read_bytes())
        content[len(content) // 3] ^= 0x10
        largest.write_bytes(content)
        done = run("verify", "--data", self.data)
        self.assertEqual(done.code, 1, done.out)
        self.assertIn(largest.name, done.out)
        before = self.pictures()
        mended = run("repair", self.data, self.folder / "new", "--json")
        self.assertEqual(mended.code, 0, mended.out + mended.err)
        self.assertEqual(self.pictures(), before)
        report = json.loads(mended.out)
        self.assertTrue(report["losses"])
        self.assertTrue(report["check"]["whole"])
        left = scan(self.folder / "new")
        self.assertEqual(len(left), report["items"])
        self.assertEqual(run("verify", "--data", self.folder / "new").code, 0)

    def test_a_store_without_its_list_of_files_is_saved_whole(self):
        self.make_store()
        for manifest in (self.data / "rocksdb").glob("MANIFEST-*"):
            manifest.unlink()
        self.assertEqual(run("verify", "--data", self.data).code, 1)
        mended = run("repair", self.data, self.folder / "new")
        self.assertEqual(mended.code, 0, mended.out + mended.err)
        self.assertEqual(len(scan(self.folder / "new")), ITEMS)

    def test_a_store_whose_log_was_cut_is_refused_and_the_rest_is_saved(self):
        self.make_store(with_log=True)
        log = max((self.data / "rocksdb").glob("*.log"), key=lambda path: path.stat().st_size)
        with log.open("r+b") as file:
            file.truncate(log.stat().st_size // 2)
        done = run("verify", "--data", self.data)
        self.assertEqual(done.code, 1, done.out)
        self.assertIn(log.name, done.out)
        mended = run("repair", self.data, self.folder / "new")
        self.assertEqual(mended.code, 0, mended.out + mended.err)
        left = scan(self.folder / "new")
        self.assertGreater(len(left), ITEMS // 4)
        self.assertEqual(left, {str(i) for i in range(len(left))})

    def test_repair_does_not_write_over_anything(self):
        self.make_store()
        shutil.copytree(self.data, self.folder / "new")
        refused = run("repair", self.data, self.folder / "new")
        self.assertEqual(refused.code, 1)
        self.assertIn("not empty", refused.err)
        self.assertEqual(run("repair", self.data, self.data / "inside").code, 2)


if __name__ == "__main__":
    unittest.main()

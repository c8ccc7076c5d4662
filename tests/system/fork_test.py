#!/usr/bin/python3
"""`dolmen fork` makes a writable copy of a store, and changes no byte of the store."""

import hashlib
import json
import pathlib
import tempfile
import unittest

from dolmen_server import Server, create_table, run


def bytes_of(folder):
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
            for path in sorted(folder.rglob("*")) if path.is_file()}


class Fork(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        self.data, self.copy = self.folder / "data", self.folder / "copy"
        with Server(data=self.data) as server:
            client = server.client()
            create_table(server, "notes")
            for number in range(50):
                client.put_item(TableName="notes", Item={"pk": {"S": str(number)}})
            # A crash, so that the log has what the files of tables do not.
            server.kill()

    def items_of(self, folder):
        with Server(data=folder) as server:
            return server.client().scan(TableName="notes")["Count"]

    def test_is_a_store_of_its_own(self):
        before = bytes_of(self.data)
        done = run("fork", self.data, self.copy)
        self.assertEqual((done.code, done.out), (0, f"{self.copy} is a fork of {self.data}\n"), done.err)
        with Server(data=self.copy) as server:
            server.client().put_item(TableName="notes", Item={"pk": {"S": "new"}})
            self.assertEqual(server.client().scan(TableName="notes")["Count"], 51)
        self.assertEqual(bytes_of(self.data), before)
        self.assertEqual(self.items_of(self.data), 50)

    def test_is_refused_where_it_would_do_harm(self):
        with Server(data=self.data):
            done = run("fork", self.data, self.copy, "--json")
            self.assertEqual((done.code, json.loads(done.out or done.err)["error"]), (1, "DirectoryInUse"))
        self.copy.mkdir()
        (self.copy / "mine").write_text("kept")
        self.assertEqual(run("fork", self.data, self.copy).code, 1)
        self.assertEqual((self.copy / "mine").read_text(), "kept")
        self.assertEqual(run("fork", self.folder / "none", self.folder / "other").code, 1)
        self.assertFalse((self.folder / "other").exists())
        self.assertEqual(run("fork", self.data).code, 2)


if __name__ == "__main__":
    unittest.main()

#!/usr/bin/python3
"""A server whose disk is full, whose directory vanishes, or that is stopped for a while: reads go on, writes are refused with a
reason, and when the cause is gone it goes on by itself."""

import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import unittest

from dolmen_server import Server, create_table, run
from waiting import wait_until

DISK_MB = 96
BALLAST_MB = 48
TABLE = "things"


def put(server, number, size):
    return server.call("PutItem", {"TableName": TABLE, "Item": {"pk": {"S": f"k{number}"}, "pad": {"S": "x" * size}}})


def has(server, number):
    return "Item" in server.must("GetItem", {"TableName": TABLE, "Key": {"pk": {"S": f"k{number}"}}, "ConsistentRead": True,
                                             "ProjectionExpression": "pk"})


class HardTimes(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def small_disk(self):
        """A file system of its own; the tests that need one are for those who may mount it."""
        disk = self.folder / "disk"
        disk.mkdir()
        if os.geteuid() != 0 or subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={DISK_MB}m", "tmpfs", disk]).returncode != 0:
            print("skipped: a small disk cannot be mounted here")
            self.skipTest("a small disk cannot be mounted here")
        self.addCleanup(subprocess.run, ["umount", "-l", disk], check=True)
        return disk

    def test_a_full_disk_refuses_writes_until_there_is_space_again(self):
        disk = self.small_disk()
        ballast = disk / "ballast"
        ballast.write_bytes(bytes(BALLAST_MB << 20))
        with Server(data=disk / "data") as server:
            create_table(server, TABLE)
            written = 0
            while (answer := put(server, written, 300_000)).status == 200:
                written += 1
            self.assertEqual(answer.status, 503, answer.body)
            self.assertIn("disk of the server is full", answer.message)
            wait_until(server.errors, lambda said: "No space left" in said)
            self.assertGreater(written, 20)
            self.assertTrue(has(server, 0))
            self.assertTrue(has(server, written - 1))
            self.assertFalse(has(server, written))
            ballast.unlink()
            wait_until(lambda: put(server, "later", 10).status, lambda status: status == 200)
            self.assertFalse(has(server, written))
            wait_until(server.errors, lambda said: "accepts writes again" in said)
            server.kill()
            server.start()
            for number in [*range(written), "later"]:
                self.assertTrue(has(server, number), number)
            self.assertFalse(has(server, written))
            server.stop()
        checked = run("verify", "--data", disk / "data")
        self.assertEqual(checked.code, 0, checked.out + checked.err)

    def test_a_directory_that_is_deleted_is_noticed_by_the_next_write(self):
        with Server(data=self.folder / "data") as server:
            create_table(server, TABLE)
            self.assertEqual(put(server, 1, 10).status, 200)
            shutil.rmtree(self.folder / "data")
            answer = put(server, 2, 10)
            self.assertEqual(answer.status, 500, answer.body)
            self.assertTrue(has(server, 1), "reads go on")
            self.assertFalse(has(server, 2))
            wait_until(server.errors, lambda said: "deleted or moved" in said)  # The log is written beside the answers.

    def test_a_stopped_server_goes_on(self):
        with Server(data=self.folder / "data") as server:
            create_table(server, TABLE)
            self.assertEqual(put(server, 1, 10).status, 200)
            connection = server.connection()
            self.addCleanup(connection.close)
            server.process.send_signal(signal.SIGSTOP)
            connection.connect()
            server.process.send_signal(signal.SIGCONT)
            answer = server.call("ListTables", {}, connection)
            self.assertEqual(answer.status, 200)
            self.assertTrue(has(server, 1))
            self.assertEqual(put(server, 2, 10).status, 200)


if __name__ == "__main__":
    unittest.main()

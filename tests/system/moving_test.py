#!/usr/bin/python3
"""A table moves while programs use it: from a live Dolmen server to AWS's DynamoDB Local with `copy --follow`, as docs/cookbook.md tells,
and back."""

import contextlib
import random
import signal
import subprocess
import tempfile
import threading
import unittest

from dolmen_server import BINARY, PATIENCE_S, Server, clean_environment, create_table, run
from foreign_servers import DynamoDbLocal

SEED = random.randrange(2**32)
ITEMS = 400


class Writer(threading.Thread):
    """Puts, updates and deletes at random until it is told to stop."""

    def __init__(self, server):
        super().__init__()
        self._server, self._random = server, random.Random(SEED)
        self.stopping, self.writes, self.errors = threading.Event(), 0, []

    def run(self):
        with contextlib.closing(self._server.connection()) as connection:
            while not self.stopping.is_set():
                key = {"pk": {"S": f"k{self._random.randrange(ITEMS)}"}}
                operation = self._random.choice(["PutItem", "UpdateItem", "UpdateItem", "DeleteItem"])
                body = {"PutItem": {"Item": key | {"n": {"N": str(self.writes)}, "tags": {"SS": ["a", "b"]}}},
                        "UpdateItem": {"Key": key, "UpdateExpression": "ADD n :one", "ExpressionAttributeValues": {":one": {"N": "1"}}},
                        "DeleteItem": {"Key": key}}[operation]
                answer = self._server.call(operation, {"TableName": "notes"} | body, connection)
                if answer.status != 200:
                    self.errors.append(answer.body)
                    return
                self.writes += 1

    def wait_for(self, writes):
        goal = self.writes + writes
        while self.writes < goal and self.is_alive():
            self.join(0.01)


def items_of(client):
    pages = client.get_paginator("scan").paginate(TableName="notes", ConsistentRead=True)
    return {item["pk"]["S"]: item for page in pages for item in page["Items"]}


class MovingTest(unittest.TestCase):
    def test_a_live_table_moves_to_dynamodb_local_and_back(self):
        print(f"seed {SEED}")
        with Server() as dolmen, DynamoDbLocal() as local, tempfile.TemporaryDirectory() as folder:
            create_table(dolmen, "notes", StreamSpecification={"StreamEnabled": True, "StreamViewType": "NEW_IMAGE"})
            for i in range(ITEMS):
                dolmen.must("PutItem", {"TableName": "notes", "Item": {"pk": {"S": f"k{i}"}, "n": {"N": "0"}}})
            writer = Writer(dolmen)
            writer.start()
            try:
                self.copy_and_follow(dolmen, local, writer)
            finally:
                writer.stopping.set()
                writer.join()
            self.assertEqual(writer.errors, [])
            moved = self.client_of(dolmen, local)
            self.assertEqual(items_of(dolmen.client()), items_of(moved))

            # And back, into a directory.
            back = run("copy", "notes", "--from", local.url, "--to", f"{folder}/data", "--json")
            self.assertEqual(back.code, 0, back.out + back.err)
            count = run("scan", "notes", "--count", "--data", f"{folder}/data")
            self.assertEqual(int(count.out), len(items_of(moved)))

    def copy_and_follow(self, dolmen, local, writer):
        copying = subprocess.Popen([BINARY, "copy", "notes", "--from", dolmen.url, "--to", local.url, "--follow"],
                                   env=clean_environment("/"), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        try:
            lines = []
            while not lines or "following" not in lines[-1]:
                lines.append(copying.stdout.readline())
                self.assertTrue(lines[-1], lines)
            writer.wait_for(writes=300)
            # The last step of the recipe: writers stop, the rest is carried out, Ctrl-C, and both tables are compared.
            writer.stopping.set()
            writer.join()
            self.wait_until_equal(dolmen, local)
            copying.send_signal(signal.SIGINT)
            out, errors = copying.communicate(timeout=2 * PATIENCE_S)
            self.assertEqual(copying.returncode, 0, out + errors)
        finally:
            copying.kill()
            copying.communicate()

    def wait_until_equal(self, dolmen, local):
        moved, wanted = self.client_of(dolmen, local), items_of(dolmen.client())
        waiting = threading.Event()
        for _ in range(PATIENCE_S * 10):
            if items_of(moved) == wanted:
                return
            waiting.wait(0.1)
        self.fail("the copy did not become equal")

    @staticmethod
    def client_of(dolmen, local):
        client = dolmen.client()
        session_options = {"endpoint_url": local.url, "region_name": client.meta.region_name}
        import boto3.session
        return boto3.session.Session().client("dynamodb", **session_options)


if __name__ == "__main__":
    missing = DynamoDbLocal.why_missing()
    if missing:
        print(f"skipped: {missing}")
    else:
        unittest.main()

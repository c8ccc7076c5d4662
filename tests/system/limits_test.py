#!/usr/bin/python3
"""Limits that only a whole server reaches: each on purpose, with the answer that SDKs repeat, counted, and over afterwards."""

import contextlib
import gzip
import os
import pathlib
import resource
import socket
import tempfile
import time
import unittest

from dolmen_server import PATIENCE_S, AnswerReader, Server, create_table, head_bytes, headers_for, read_answer, request_bytes

THROTTLED = "ProvisionedThroughputExceededException"


def hits_of(server, limit, connection=None):
    """How often a server has reached a limit, by its own count."""
    own = connection or server.connection()
    own.request("GET", "/metrics")
    text = read_answer(own).body.decode()
    if connection is None:
        own.close()
    name = f'dolmen_limits_hit_total{{limit="{limit}"}} '
    return next(int(line[len(name):]) for line in text.splitlines() if line.startswith(name))


def answers_at_once(server, requests):
    """The answers to requests that are sent on as many connections before any answer is read."""
    with contextlib.ExitStack() as stack:
        socks = [stack.enter_context(server.connect()) for _ in requests]
        readers = [stack.enter_context(contextlib.closing(AnswerReader(sock))) for sock in socks]
        for sock, request in zip(socks, requests):
            sock.sendall(request)
        return [reader.next() for reader in readers]


def until_refused(ask):
    """The answers of the first attempt of which some are not 200."""
    deadline = time.monotonic() + PATIENCE_S
    answers = ask()
    while all(answer.status == 200 for answer in answers):
        assert time.monotonic() < deadline, "the limit was never reached"
        answers = ask()
    return answers


class Waiting(unittest.TestCase):
    def check(self, server, limit, answers, message):
        refused = [answer for answer in answers if answer.status != 200]
        self.assertLess(len(refused), len(answers), "nothing was served")
        for answer in refused:
            self.assertEqual((answer.status, answer.type), (400, THROTTLED))
            self.assertIn(message, answer.message)
        self.assertGreaterEqual(hits_of(server, limit), len(refused))

    def test_large_requests_that_wait(self):
        body = gzip.compress(b'{"Unknown": "' + b"x" * 8_000_000 + b'"}', 1)
        head = head_bytes(["POST / HTTP/1.1", "Host: localhost", f"Content-Length: {len(body)}", "Content-Encoding: gzip",
                           *(f"{name}: {value}" for name, value in headers_for("ListTables").items())])
        with Server(flags=["--large-requests-waiting-max", "1"]) as server:
            answers = until_refused(lambda: answers_at_once(server, [head + body] * 32))
            self.check(server, "large_requests_waiting_max", answers, "too many large requests are waiting")
            self.assertEqual(answers_at_once(server, [head + body])[0].status, 200)

    def test_long_reads_that_wait(self):
        scan = request_bytes("Scan", {"TableName": "things"})
        with Server(flags=["--large-requests-waiting-max", "1"]) as server:
            create_table(server, "things")
            for number in range(4):
                server.must("PutItem", {"TableName": "things", "Item": {"pk": {"S": str(number)}, "v": {"S": "x" * 300_000}}})
            answers = until_refused(lambda: answers_at_once(server, [scan] * 32))
            self.check(server, "large_requests_waiting_max", answers, "too many large requests are waiting")
            self.assertEqual(server.must("Scan", {"TableName": "things"})["Count"], 4)

    def test_writes_that_wait_for_the_disk(self):
        puts = [request_bytes("PutItem", {"TableName": "things", "Item": {"pk": {"S": str(number)}, "v": {"S": "x" * 2000}}})
                for number in range(64)]
        with tempfile.TemporaryDirectory() as folder:
            with Server(pathlib.Path(folder) / "data", flags=["--commit-queue-bytes-max", "1024"]) as server:
                create_table(server, "things")
                answers = until_refused(lambda: answers_at_once(server, puts))
                self.check(server, "commit_queue_bytes_max", answers, "the limit is 1024 bytes")
                self.assertEqual(answers_at_once(server, puts[:1])[0].status, 200)


class Tables(unittest.TestCase):
    def test_there_may_be_so_many(self):
        def create(number):
            return server.call("CreateTable", {"TableName": f"table-{number}", "BillingMode": "PAY_PER_REQUEST",
                                               "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
                                               "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}]})

        with Server(flags=["--tables-max", "3"]) as server:
            answers = [create(number) for number in range(4)]
            self.assertEqual([answer.status for answer in answers], [200, 200, 200, 400])
            self.assertEqual(answers[3].type, "LimitExceededException")
            self.assertIn("There is a limit of 3 tables per subscriber", answers[3].message)
            server.must("DeleteTable", {"TableName": "table-0"})
            self.assertEqual(create(3).status, 200)


def open_files(server):
    return len(os.listdir(f"/proc/{server.process.pid}/fd"))


class Descriptors(unittest.TestCase):
    """Connections take all the files that the process may open; the store goes on, and so do they afterwards."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.data = pathlib.Path(folder.name) / "data"
        self.sockets = contextlib.ExitStack()
        self.addCleanup(self.sockets.close)

    def start(self, before_start=None):
        self.server = Server(self.data, before_start=before_start)
        self.addCleanup(self.server.close)
        self.server.start()

    def crowd(self, count):
        for _ in range(count):
            self.sockets.enter_context(socket.create_connection(("127.0.0.1", self.server.port), PATIENCE_S))

    def serves(self, connection=None):
        """A new table is made, written and read."""
        name = f"table{time.monotonic_ns()}"
        self.server.must("CreateTable", {
            "TableName": name, "BillingMode": "PAY_PER_REQUEST", "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
            "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}]}, connection)
        self.server.must("PutItem", {"TableName": name, "Item": {"pk": {"S": "a"}}}, connection)
        return self.server.must("GetItem", {"TableName": name, "Key": {"pk": {"S": "a"}}}, connection)["Item"]

    def test_connections_leave_files_to_the_store(self):
        most = 300
        self.start(lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (most, most)))
        with contextlib.closing(self.server.connection()) as early:
            self.assertEqual(self.serves(early), {"pk": {"S": "a"}})
            self.crowd(most)
            # Half of them are for connections, and an address may have three quarters of that.
            deadline = time.monotonic() + PATIENCE_S
            while hits_of(self.server, "connections_per_address_max", early) == 0:
                self.assertLess(time.monotonic(), deadline)
            self.assertLess(open_files(self.server), most)
            self.assertEqual(self.serves(early), {"pk": {"S": "a"}})
            self.assertEqual(hits_of(self.server, "descriptors_kept", early), 0)

    def test_running_out_of_files_ends_with_the_shortage(self):
        self.start()
        with contextlib.closing(self.server.connection()) as early:
            self.assertEqual(self.serves(early), {"pk": {"S": "a"}})
            pid = self.server.process.pid
            soft, hard = resource.prlimit(pid, resource.RLIMIT_NOFILE)
            resource.prlimit(pid, resource.RLIMIT_NOFILE, (open_files(self.server) + 2, hard))
            self.crowd(8)
            deadline = time.monotonic() + PATIENCE_S
            while hits_of(self.server, "descriptors_kept", early) == 0:
                self.assertLess(time.monotonic(), deadline)
            # Who is connected is served as before.
            self.server.must("ListTables", {}, early)
            resource.prlimit(pid, resource.RLIMIT_NOFILE, (soft, hard))
            self.assertEqual(self.serves(), {"pk": {"S": "a"}})


if __name__ == "__main__":
    unittest.main()

#!/usr/bin/python3
"""What the server has acknowledged is there after a crash or a stop, and nothing is there that nobody wrote.

A crash is kill -9 in the middle of concurrent writes. DOLMEN_CRASH_ROUNDS says how many there are (default: 8), and
DOLMEN_SEED repeats the choices of an earlier run; how the threads interleave is up to the machine.
"""

import contextlib
import os
import pathlib
import random
import signal
import socket
import tempfile
import threading
import unittest

from crashes import GONE, Countdown, interrupt_some_starts
from dolmen_server import PATIENCE_S, AnswerReader, Server, create_table, request_bytes

ROUNDS = int(os.environ.get("DOLMEN_CRASH_ROUNDS", 8))
SEED = int(os.environ.get("DOLMEN_SEED", random.SystemRandom().randrange(1 << 32)))
WRITERS = 6
KEYS_PER_WRITER = 60
TABLE = "things"


def size_of(item):
    """The size of an item of strings and positive integers, as DynamoDB counts it."""
    def value_size(value):
        return len(value["S"]) if "S" in value else 1 + (len(value["N"].rstrip("0")) + 1) // 2
    return sum(len(name) + value_size(value) for name, value in item.items())


class Writer(threading.Thread):
    """One client with keys of its own. Puts and deletes without pause until the server goes away, and keeps book."""

    def __init__(self, server, number, acknowledged, seed):
        super().__init__()
        self._server = server
        self._number = number
        self._acknowledged = acknowledged  # called after every acknowledgement
        self._random = random.Random(seed)
        self._version = 0
        self.items = {}       # by key: the item that was acknowledged last; absent when that was a deletion
        self.in_flight = {}   # the one write that got no answer: its key, and the item or None
        self.problem = None

    def keys(self):
        return [f"{self._number}-{i}" for i in range(KEYS_PER_WRITER)]

    def take_over(self, other):
        """Goes on with the book of a writer of an earlier round."""
        self.items, self._version = dict(other.items), other._version

    def run(self):
        with contextlib.closing(self._server.connection()) as connection, contextlib.suppress(*GONE):
            while self.problem is None:
                self._write(connection)

    def _write(self, connection):
        key = self._random.choice(self.keys())
        deletes = key in self.items and self._random.random() < 0.2
        self._version += 1
        item = None if deletes else self._new_item(key)
        self.in_flight = {key: item}
        if deletes:
            answer = self._server.call("DeleteItem", {"TableName": TABLE, "Key": {"pk": {"S": key}}}, connection)
        else:
            answer = self._server.call("PutItem", {"TableName": TABLE, "Item": item}, connection)
        if answer.status != 200:
            self.problem = answer
            return
        self.in_flight = {}
        if deletes:
            del self.items[key]
        else:
            self.items[key] = item
        self._acknowledged()

    def _new_item(self, key):
        length = self._random.choice([0, 10, 1_000, 5_000, 60_000])
        content = f"{self._version} " * (length // 8)
        return {"pk": {"S": key}, "version": {"N": str(self._version)}, "content": {"S": content}}


class TableMaker(threading.Thread):
    """Creates and deletes tables until the server goes away."""

    def __init__(self, server, seed):
        super().__init__()
        self._server = server
        self._random = random.Random(seed)
        self.ids = {}            # by name: the TableId of a table whose creation was acknowledged
        self.in_flight = set()   # the name that got no answer
        self.problem = None

    def run(self):
        with contextlib.closing(self._server.connection()) as connection, contextlib.suppress(*GONE):
            while self.problem is None:
                self._change(connection)

    def _change(self, connection):
        name = f"table-{self._random.randrange(30)}"
        self.in_flight = {name}
        if name in self.ids:
            answer = self._server.call("DeleteTable", {"TableName": name}, connection)
        else:
            body = {"TableName": name, "BillingMode": "PAY_PER_REQUEST",
                    "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
                    "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}]}
            answer = self._server.call("CreateTable", body, connection)
        if answer.status != 200:
            self.problem = answer
            return
        self.in_flight = set()
        if self.ids.pop(name, None) is None:
            self.ids[name] = answer.json()["TableDescription"]["TableId"]


class DurabilityTest(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.data = pathlib.Path(folder.name, "data")
        self.random = random.Random(SEED)

    def load(self, server, action, acknowledged_max, earlier=()):
        """Lets the writers write; after a random number of acknowledgements does the action. Returns the writers."""
        countdown = Countdown(self.random.randrange(1, acknowledged_max), action)
        writers = [Writer(server, number, countdown, self.random.random()) for number in range(WRITERS)]
        for writer, old in zip(writers, earlier):
            writer.take_over(old)
        for writer in writers:
            writer.start()
        return writers

    def join(self, *threads):
        for thread in threads:
            thread.join()
            self.assertIsNone(thread.problem)

    def check_items(self, server, writers, in_flight_may_be_there):
        """Compares the store with the writers' books. A write that got no answer, but was done, goes on the book."""
        with contextlib.closing(server.connection()) as connection:
            for writer in writers:
                for key in writer.keys():
                    request = {"TableName": TABLE, "Key": {"pk": {"S": key}}}
                    got = server.must("GetItem", request, connection).get("Item")
                    if in_flight_may_be_there and key in writer.in_flight and got == writer.in_flight[key]:
                        self.settle(writer, key, got)
                    self.assertEqual(got, writer.items.get(key), f"seed {SEED}, key {key}")
        described = server.must("DescribeTable", {"TableName": TABLE})["Table"]
        items = [item for writer in writers for item in writer.items.values()]
        self.assertEqual(described["ItemCount"], len(items))
        self.assertEqual(described["TableSizeBytes"], sum(size_of(item) for item in items))

    @staticmethod
    def settle(writer, key, got):
        if got is None:
            writer.items.pop(key, None)
        else:
            writer.items[key] = got


class Crash(DurabilityTest):
    def crash_and_check(self, rounds, flags=()):
        server = Server(self.data, flags)
        self.addCleanup(server.close)
        server.start()
        description = create_table(server, TABLE)
        writers = []
        for _ in range(rounds):
            writers = self.load(server, server.process.kill, 300, earlier=writers)
            self.join(*writers)
            server.kill()
            interrupt_some_starts(self.random, self.data, flags)
            server.start()
            self.check_items(server, writers, in_flight_may_be_there=True)
            after = server.must("DescribeTable", {"TableName": TABLE})["Table"]
            same = ("TableId", "TableArn", "CreationDateTime", "KeySchema", "AttributeDefinitions")
            self.assertEqual([after[name] for name in same], [description[name] for name in same])
        self.assertEqual(server.stop().code, 0)
        server.start()
        self.check_items(server, writers, in_flight_may_be_there=False)

    def test_every_acknowledged_write_survives_a_kill(self):
        self.crash_and_check(ROUNDS)

    def test_every_acknowledged_write_survives_a_kill_when_durability_is_left_to_the_system(self):
        self.crash_and_check(max(2, ROUNDS // 4), ["--durability", "os"])

    def test_every_acknowledged_table_survives_a_kill(self):
        server = Server(self.data)
        self.addCleanup(server.close)
        server.start()
        create_table(server, TABLE)
        ids = {TABLE: server.must("DescribeTable", {"TableName": TABLE})["Table"]["TableId"]}
        for _ in range(max(2, ROUNDS // 2)):
            maker = TableMaker(server, self.random.random())
            maker.ids = {name: table_id for name, table_id in ids.items() if name != TABLE}
            writers = self.load(server, server.process.kill, 200)
            maker.start()
            self.join(maker, *writers)
            server.kill()
            server.start()
            names = server.must("ListTables", {})["TableNames"]
            found = {name: server.must("DescribeTable", {"TableName": name})["Table"]["TableId"] for name in names}
            certain = {name: found[name] for name in found if name not in maker.in_flight}
            acknowledged = {TABLE: ids[TABLE]} | maker.ids
            for name in maker.in_flight:
                acknowledged.pop(name, None)
            self.assertEqual(certain, acknowledged, f"seed {SEED}")
            ids = found

    def test_a_deleted_table_does_not_give_its_items_to_its_successor(self):
        with Server(self.data) as server:
            first = create_table(server, TABLE)
            server.must("PutItem", {"TableName": TABLE, "Item": {"pk": {"S": "old"}}})
            server.must("DeleteTable", {"TableName": TABLE})
            second = create_table(server, TABLE)
            self.assertNotEqual(second["TableId"], first["TableId"])
            server.kill()
            server.start()
            self.assertEqual(server.must("GetItem", {"TableName": TABLE, "Key": {"pk": {"S": "old"}}}), {})
            self.assertEqual(server.must("DescribeTable", {"TableName": TABLE})["Table"]["TableId"], second["TableId"])


class Stop(DurabilityTest):
    def start_with_table(self):
        server = Server(self.data)
        self.addCleanup(server.close)
        server.start()
        create_table(server, TABLE)
        return server

    def expect_stopped(self, finished):
        self.assertEqual((finished.code, finished.err), (0, ""))
        self.assertTrue(finished.out.endswith("\nstopped\n"), finished.out)

    def test_a_stop_answers_every_write_that_it_lets_happen(self):
        # So what got no answer was not begun: the store is exactly what the clients were told.
        server, writers = self.start_with_table(), ()
        for with_signal in (signal.SIGTERM, signal.SIGINT):
            with self.subTest(with_signal.name):
                due = threading.Event()
                writers = self.load(server, due.set, 500, earlier=writers)
                due.wait()
                finished = server.stop(with_signal)
                self.join(*writers)
                self.expect_stopped(finished)
                server.start()
                self.check_items(server, writers, in_flight_may_be_there=False)

    def test_of_pipelined_writes_a_stop_does_those_that_it_answers(self):
        server = self.start_with_table()
        keys = [f"{i:03}" for i in range(300)]
        with server.connect() as sock, contextlib.closing(AnswerReader(sock)) as reader:
            puts = [request_bytes("PutItem", {"TableName": TABLE, "Item": {"pk": {"S": key}}}) for key in keys]
            sock.sendall(b"".join(puts))
            self.assertEqual(reader.next().status, 200)
            server.process.terminate()
            answered = 1
            with contextlib.suppress(ConnectionError):
                while answer := reader.next():
                    self.assertEqual(answer.status, 200)
                    answered += 1
        server.process.communicate()
        server.start()
        there = [key for key in keys if server.must("GetItem", {"TableName": TABLE, "Key": {"pk": {"S": key}}})]
        self.assertEqual(there, keys[:answered])

    def test_connections_without_a_request_do_not_hold_up_a_stop(self):
        # Those whose request is coming in have some time; start_stop_test.py shows it.
        server = Server(self.data, flags=["--stop-seconds-max", "3600"])
        self.addCleanup(server.close)
        server.start()
        with contextlib.ExitStack() as stack:
            for _ in range(3):
                stack.enter_context(server.connect())
            self.expect_stopped(server.stop())

    def test_a_stop_is_clean_though_nobody_reads_what_the_server_prints(self):
        server = self.start_with_table()
        server.process.stdout.close()
        server.process.terminate()
        self.assertEqual(server.process.wait(PATIENCE_S), 0)

    def test_a_stopped_server_accepts_no_connection(self):
        server = self.start_with_table()
        self.expect_stopped(server.stop())
        with self.assertRaises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", server.port))

    def test_a_server_in_memory_stops_as_well_and_keeps_nothing(self):
        with Server() as server:
            create_table(server, TABLE)
            self.expect_stopped(server.stop())
            server.start()
            self.assertEqual(server.must("ListTables", {}), {"TableNames": []})


if __name__ == "__main__":
    print(f"seed {SEED}; DOLMEN_SEED={SEED} repeats it", flush=True)
    unittest.main()

#!/usr/bin/python3
"""A stream that is read from its oldest record rebuilds its table exactly, whatever moment the server is killed at.

Sixteen clients write to shared items by every operation there is, and items expire, until kill -9. Then the whole stream is
read and compared with the table, with its index, with what the clients were told, and with what a consumer had read before
the kill.

DOLMEN_CRASH_ROUNDS says how many kills there are (default: 3), and DOLMEN_SEED repeats the choices of an earlier run; how
the threads interleave is up to the machine.
"""

import contextlib
import os
import pathlib
import random
import tempfile
import threading
import time
import unittest

from connection import Connection
from crashes import GONE, Countdown, interrupt_some_starts
from dolmen_server import Server, create_table
from replay import Replay, text_of
from stream_reader import StreamReader
from waiting import wait_until

ROUNDS = int(os.environ.get("DOLMEN_CRASH_ROUNDS", 3))
SEED = int(os.environ.get("DOLMEN_SEED", random.SystemRandom().randrange(1 << 32)))
WRITERS = 16
ACKNOWLEDGED_MAX = 3000
TABLE = "things"
REFUSALS = ("ConditionalCheckFailedException", "TransactionCanceledException", "TransactionConflictException")


class Writer(threading.Thread):
    """One client. Writes without pause until the server goes away, and keeps book of what it was told."""

    def __init__(self, port, prefix, acknowledged, seed):
        super().__init__()
        self._port = port
        self._prefix = prefix
        self._acknowledged = acknowledged  # called after every acknowledgement
        self._random = random.Random(seed)
        self._count = 0
        self._own = {}            # by the number of an item that only this client writes: the write that made it what it is
        self.begun = set()        # writes that were acknowledged: the stream has to have them
        self.removed = set()      # writes whose state was removed by an acknowledged deletion
        self.refused = set()      # writes that were refused: the stream must not have them
        self.transactions = []    # (writes, removed writes) of each transaction that was not refused
        self.problem = None

    def run(self):
        ways = ((30, self._put_one), (25, self._update_one), (15, self._delete_one), (15, self._batch), (15, self._transact))
        weights, ways = zip(*ways)
        with contextlib.closing(Connection(self._port)) as self._connection, contextlib.suppress(*GONE):
            while self.problem is None:
                self._random.choices(ways, weights)[0]()

    # ---- One request each ----

    def _put_one(self):
        item = self._new_item(self._shared_key())
        if self._random.random() < 0.1:
            item["expires"] = {"N": str(int(time.time()) + self._random.choice((-100, -1, 0, 1, 10_000)))}
        body = {"TableName": TABLE, "Item": item}
        if self._random.random() < 0.2:
            body["ConditionExpression"] = "attribute_not_exists(pk)"
        self._ask("PutItem", body, [item["write"]["S"]])

    def _update_one(self):
        write, size = self._next_write(), self._random.randrange(50)
        self._ask("UpdateItem", {
            "TableName": TABLE, "Key": self._shared_key(), "UpdateExpression": "SET #w = :w, content = :c ADD updates :one",
            "ExpressionAttributeNames": {"#w": "write"},
            "ExpressionAttributeValues": {":w": {"S": write}, ":c": {"S": "c" * size}, ":one": {"N": "1"}}}, [write])
        if self._random.random() < 0.2:
            # Changes nothing, so it has no record.
            self._ask("UpdateItem", {
                "TableName": TABLE, "Key": self._shared_key(), "UpdateExpression": "SET #w = #w REMOVE nowhere",
                "ExpressionAttributeNames": {"#w": "write"}, "ConditionExpression": "attribute_exists(pk)"})

    def _delete_one(self):
        answer = self._ask("DeleteItem", {"TableName": TABLE, "Key": self._shared_key(), "ReturnValues": "ALL_OLD"})
        if answer is not None and "Attributes" in answer:
            self.removed.add(answer["Attributes"]["write"]["S"])

    def _batch(self):
        shared = self._different_shared_keys(self._random.randrange(1, 12))
        items = [self._new_item(key) for key in shared]
        puts, deletes = self._own_changes(self._random.randrange(0, 6))
        items += puts.values()
        requests = [{"PutRequest": {"Item": item}} for item in items]
        requests += [{"DeleteRequest": {"Key": self._own_key(number)}} for number in deletes]
        answer = self._ask("BatchWriteItem", {"RequestItems": {TABLE: requests}}, [item["write"]["S"] for item in items])
        if answer is not None:
            if answer["UnprocessedItems"]:
                self.problem = f"unprocessed: {answer}"
            self._settle_own(puts, deletes)

    def _transact(self):
        actions, writes = [], []
        for key in self._different_shared_keys(self._random.randrange(1, 6)):
            write = self._next_write()
            writes.append(write)
            actions.append(self._transacted(key, write))
        puts, deletes = self._own_changes(self._random.randrange(0, 4))
        removed = [self._own[number] for number in deletes]
        actions += [{"Put": {"TableName": TABLE, "Item": item}} for item in puts.values()]
        actions += [{"Delete": {"TableName": TABLE, "Key": self._own_key(number)}} for number in deletes]
        writes += [item["write"]["S"] for item in puts.values()]
        self._random.shuffle(actions)
        self.transactions.append((writes, removed))
        if self._ask("TransactWriteItems", {"TransactItems": actions}, writes) is None:
            self.transactions.pop()
        else:
            self._settle_own(puts, deletes)

    def _transacted(self, key, write):
        if self._random.random() < 0.5:
            put = {"TableName": TABLE, "Item": self._new_item(key, write)}
            if self._random.random() < 0.1:
                put["ConditionExpression"] = "attribute_not_exists(pk)"
            return {"Put": put}
        return {"Update": {"TableName": TABLE, "Key": key, "UpdateExpression": "SET #w = :w REMOVE content",
                           "ExpressionAttributeNames": {"#w": "write"}, "ExpressionAttributeValues": {":w": {"S": write}}}}

    def _ask(self, operation, body, writes=()):
        """The answer, or None when the request was refused."""
        status, answer = self._connection.call(operation, body)
        if status == 200:
            self.begun.update(writes)
            self._acknowledged()
            return answer
        if answer.get("__type", "").rpartition("#")[2] in REFUSALS:
            self.refused.update(writes)
        else:
            self.problem = f"{operation} {text_of(body)[:500]}: {status} {answer}"
        return None

    # ---- Items ----

    def _next_write(self):
        self._count += 1
        return f"{self._prefix}-{self._count}"

    def _shared_key(self):
        return {"pk": {"S": f"p{self._random.randrange(30)}"}, "sk": {"N": str(self._random.randrange(8))}}

    def _different_shared_keys(self, count):
        return list({text_of(key): key for key in (self._shared_key() for _ in range(count))}.values())

    def _own_key(self, number):
        return {"pk": {"S": self._prefix}, "sk": {"N": str(number)}}

    def _own_changes(self, count):
        """Items of this client's own to put, by their number, and numbers of those to delete."""
        numbers = self._random.sample(range(10), count)
        deletes = [number for number in numbers if number in self._own and self._random.random() < 0.5]
        return {number: self._new_item(self._own_key(number)) for number in numbers if number not in deletes}, deletes

    def _settle_own(self, puts, deletes):
        self.removed.update(self._own.pop(number) for number in deletes)
        self._own |= {number: item["write"]["S"] for number, item in puts.items()}

    def _new_item(self, key, write=None):
        length = self._random.choices((0, 20, 1_000, 30_000), (10, 10, 3, 0.1))[0]
        item = key | {"write": {"S": write or self._next_write()}, "content": {"S": "c" * length}}
        if self._random.random() < 0.7:
            item["colour"] = {"S": self._random.choice(("red", "green", "blue"))}
        return item


class Consumer(threading.Thread):
    """Follows the stream while it is written, until the server goes away."""

    def __init__(self, port, arn):
        super().__init__()
        self._port, self._arn = port, arn
        self.shards = {}
        self.problem = None

    def run(self):
        with contextlib.closing(Connection(self._port)) as connection, contextlib.suppress(*GONE):
            reader = StreamReader(connection, self._arn, page_max=100)
            self.shards = reader.shards
            try:
                while True:
                    reader.read_on()
            except AssertionError as error:
                self.problem = error


def whole_scan(connection, **options):
    items, body = [], {"TableName": TABLE} | options
    while True:
        page = connection.must("Scan", body)
        items += page["Items"]
        if "LastEvaluatedKey" not in page:
            return sorted(items, key=text_of)
        body = body | {"ExclusiveStartKey": page["LastEvaluatedKey"]}


class StreamReplayTest(unittest.TestCase):
    maxDiff = 2000

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.data = pathlib.Path(folder.name, "data")
        self.random = random.Random(SEED)
        self.server = Server(self.data)
        self.addCleanup(self.server.close)
        self.server.start()
        self.writers, self.operations = [], 0

    def make_table(self):
        definitions = [{"AttributeName": name, "AttributeType": kind}
                       for name, kind in (("pk", "S"), ("sk", "N"), ("colour", "S"), ("write", "S"))]
        index = {"IndexName": "by-colour", "Projection": {"ProjectionType": "ALL"}, "KeySchema": [
            {"AttributeName": "colour", "KeyType": "HASH"}, {"AttributeName": "write", "KeyType": "RANGE"}]}
        description = create_table(self.server, TABLE, "pk", "sk", "SN", AttributeDefinitions=definitions,
                                   GlobalSecondaryIndexes=[index],
                                   StreamSpecification={"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"})
        self.arn = description["LatestStreamArn"]
        self.server.must("UpdateTimeToLive", {
            "TableName": TABLE, "TimeToLiveSpecification": {"Enabled": True, "AttributeName": "expires"}})

    def write_until_killed(self, number):
        """One round of writing. Returns what a consumer had read when the server was killed."""
        countdown = Countdown(self.random.randrange(1, ACKNOWLEDGED_MAX), self.server.process.kill)
        writers = [Writer(self.server.port, f"r{number}w{one}", countdown, self.random.random()) for one in range(WRITERS)]
        consumer = Consumer(self.server.port, self.arn)
        for thread in (*writers, consumer):
            thread.start()
        for thread in (*writers, consumer):
            thread.join()
        self.server.kill()
        self.assertEqual([thread.problem for thread in (*writers, consumer) if thread.problem], [])
        self.writers += writers
        return consumer.shards

    def check(self, seen):
        with contextlib.closing(Connection(self.server.port)) as connection:
            reader = StreamReader(connection, self.arn)
            reader.read_on()
            while True:
                items = whole_scan(connection)
                indexed = whole_scan(connection, IndexName="by-colour")
                # Otherwise an item has expired meanwhile.
                if reader.read_on() == 0:
                    break
        replay = Replay(reader.shards, ("pk", "sk"))
        self.assertEqual(sorted(replay.items.values(), key=text_of), items)
        self.assertEqual([item for item in items if "colour" in item], indexed)
        self.check_books(replay)
        for shard, records in seen.items():
            self.assertEqual(reader.shards[shard][:len(records)], records, "what a consumer had read has changed")
        return replay, reader.shards

    def overdue(self):
        with contextlib.closing(Connection(self.server.port)) as connection:
            return [item for item in whole_scan(connection) if "expires" in item and int(item["expires"]["N"]) < time.time()]

    def check_books(self, replay):
        for writer in self.writers:
            self.assertEqual(writer.begun - replay.begun, set(), "acknowledged writes are missing")
            self.assertEqual(writer.removed - replay.removed, set(), "acknowledged deletions are missing")
            self.assertEqual(writer.refused & replay.begun, set(), "refused writes are there")
            for writes, removed in writer.transactions:
                there = {write in replay.begun for write in writes} | {write in replay.removed for write in removed}
                self.assertEqual(len(there), 1, f"a transaction is there in part: {writes} {removed}")

    def test_a_replayed_stream_is_the_table_after_every_kill(self):
        self.make_table()
        seen, begin = {}, time.monotonic()
        for number in range(ROUNDS):
            consumed = self.write_until_killed(number)
            interrupt_some_starts(self.random, self.data)
            self.server.start()
            _, now = self.check(consumed)
            for shard, records in seen.items():
                self.assertEqual(now[shard][:len(records)], records, "records of an earlier round have changed")
            seen = now
        self.server.must("PutItem", {"TableName": TABLE, "Item": {
            "pk": {"S": "last"}, "sk": {"N": "0"}, "write": {"S": "last"}, "expires": {"N": str(int(time.time()) - 10)}}})
        wait_until(self.overdue, lambda items: not items)
        replay, _ = self.check(seen)
        self.assertGreater(replay.expired, 0)
        print(f"seed {SEED}: {ROUNDS} kills, {sum(len(writer.begun) for writer in self.writers)} acknowledged writes and "
              f"{sum(len(writer.removed) for writer in self.writers)} deletions, "
              f"{sum(len(writer.transactions) for writer in self.writers)} transactions, {replay.expired} items expired; "
              f"{replay.count} records in {len(seen)} shards rebuilt {len(replay.items)} items exactly, "
              f"{time.monotonic() - begin:.0f} s")


if __name__ == "__main__":
    print(f"seed {SEED}; DOLMEN_SEED={SEED} repeats it", flush=True)
    unittest.main()

"""Streams: read on after every crash, they are the table; and what was read before a crash does not change."""

import time

from actor import Actor, Book, text_of, whole_scan
from items import check_table
from replay import Replay
from stores import Violation, expect

SESSIONS = "sessions"


def make_sessions(client):
    client.must("CreateTable", {
        "TableName": SESSIONS, "BillingMode": "PAY_PER_REQUEST",
        "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
        "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
        "StreamSpecification": {"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"}})
    client.must("UpdateTimeToLive", {
        "TableName": SESSIONS, "TimeToLiveSpecification": {"Enabled": True, "AttributeName": "expires"}})


class Follower:
    """Reads a stream from where it ended the last time."""

    def __init__(self, arn, after=None):
        self._arn = arn
        self._after = dict(after or {})   # by shard: the last sequence number that was read
        self._iterators = {}

    def position(self):
        return dict(self._after)

    def read_on(self, client):
        """The new records by shard."""
        found = {}
        for shard in self._shards(client):
            records = self._read(client, shard)
            if records:
                found[shard] = records
        return found

    def forget_iterators(self):
        self._iterators = {}

    def _shards(self, client):
        request, shards = {"StreamArn": self._arn}, []
        while True:
            described = client.must("DescribeStream", request)["StreamDescription"]
            shards += [one["ShardId"] for one in described["Shards"]]
            if "LastEvaluatedShardId" not in described:
                return shards
            request = request | {"ExclusiveStartShardId": described["LastEvaluatedShardId"]}

    def _iterator(self, client, shard):
        start = {"ShardIteratorType": "TRIM_HORIZON"}
        if shard in self._after:
            start = {"ShardIteratorType": "AFTER_SEQUENCE_NUMBER", "SequenceNumber": self._after[shard]}
        return client.must("GetShardIterator", {"StreamArn": self._arn, "ShardId": shard} | start)["ShardIterator"]

    def _read(self, client, shard):
        records = []
        if shard not in self._iterators:
            self._iterators[shard] = self._iterator(client, shard)
        while self._iterators[shard] is not None:
            page = client.must("GetRecords", {"ShardIterator": self._iterators[shard]})
            self._iterators[shard] = page.get("NextShardIterator")
            if not page["Records"]:
                break
            records += page["Records"]
            self._after[shard] = records[-1]["dynamodb"]["SequenceNumber"]
        return records


class StreamReader(Actor):
    """Reads the stream of a table while it is written. Afterwards all that was written is read and replayed."""

    def __init__(self, table, keys):
        super().__init__(f"reader-{table}")
        self._table, self._keys = table, keys
        self._replay = Replay({}, keys)

    def set_up(self, client):
        arn = client.must("DescribeTable", {"TableName": self._table})["Table"]["LatestStreamArn"]
        self._arn = arn
        self._verified = Follower(arn)
        self._live = Follower(arn)
        self._seen = {}

    def begin(self, seed, acknowledged):
        super().begin(seed, acknowledged)
        self._live = Follower(self._arn, self._verified.position())
        self._seen = {}

    def step(self, client):
        # Consumers ask now and then.
        time.sleep(0.01)
        for shard, records in self._live.read_on(client).items():
            self.operations["GetRecords"] = self.operations.get("GetRecords", 0) + 1
            self._seen.setdefault(shard, []).extend(records)

    def check(self, client):
        self._verified.forget_iterators()
        new = {}
        while True:
            self._take(self._verified.read_on(client), new)
            items, complaint = self._counted(client)
            later = self._verified.read_on(client)
            if not later:
                break
            # Otherwise an item has expired meanwhile.
            self._take(later, new)
        expect(complaint is None, complaint)
        for shard, records in self._seen.items():
            expect(new.get(shard, [])[:len(records)] == records, f"{self.name}: what was read before the crash has changed")
        self._seen = {}
        there = {text_of({key: item[key] for key in self._keys}): item for item in items}
        expect(there == self._replay.items, f"{self.name}: the stream does not lead to the table: "
                                            f"{[key for key in {*there, *self._replay.items} if there.get(key) != self._replay.items.get(key)][:3]}")
        return items

    def _counted(self, client):
        """The items of the table, and what is wrong with its counts and indexes."""
        items = whole_scan(client, self._table)
        try:
            check_table(client, self._table, items)
        except Violation as error:
            return items, str(error)
        return items, None

    def _take(self, found, new):
        for shard, records in found.items():
            new.setdefault(shard, []).extend(records)
            try:
                self._replay.go_on(shard, records)
            except AssertionError as error:
                expect(False, f"{self.name}: {error}")

    def expired(self):
        return self._replay.expired


class SessionWriter(Actor):
    """Items that expire, some at once. What has time left stays."""

    def __init__(self, name):
        super().__init__(name)
        self.book = Book()
        self._count = 0

    def step(self, client):
        self._count += 1
        key = f"{self.name}-{self.random.randrange(30)}"
        if self.random.random() < 0.2:
            change, operation, body = {key: None}, "DeleteItem", {"Key": {"pk": {"S": key}}}
        else:
            expires = int(time.time()) + self.random.choice((-100, -1, 0, 1, 10_000, 20_000, 30_000))
            item = {"pk": {"S": key}, "write": {"S": f"{self.name}-{self._count}"}, "expires": {"N": str(expires)}}
            change, operation, body = {key: item}, "PutItem", {"Item": item}
        self.book.pending = [change]
        self.ask(client, operation, {"TableName": SESSIONS} | body)
        self.book.apply(change)
        self.book.pending = []

    def check(self, client):
        found = {item["pk"]["S"]: item for item in whole_scan(client, SESSIONS) if item["pk"]["S"].startswith(self.name + "-")}
        now = time.time()
        # What may have expired is taken for what is there.
        for rows in (self.book.rows, *self.book.pending):
            for key, item in list(rows.items()):
                if item is not None and int(item["expires"]["N"]) <= now and key not in found:
                    if rows is self.book.rows:
                        del rows[key]
                    else:
                        rows[key] = None
        self.book.settle(found, self.name)

"""A client that works until the store is killed, keeps book of what it was told, and compares its book with the store afterwards."""

import json
import random

from stores import Violation, expect


def text_of(node):
    return json.dumps(node, sort_keys=True)


def error_of(answer):
    """The last part of an error's __type."""
    return answer.get("__type", "").rpartition("#")[2]


def whole_scan(client, table, **options):
    items, body = [], {"TableName": table, "ConsistentRead": "IndexName" not in options} | options
    while True:
        page = client.must("Scan", body)
        items += page["Items"]
        if "LastEvaluatedKey" not in page:
            return items
        body = body | {"ExclusiveStartKey": page["LastEvaluatedKey"]}


def size_of(value):
    """The size of a value as DynamoDB counts it. Numbers are whole and not negative."""
    ((kind, content),) = value.items()
    if kind == "N":
        return 1 + (len(content.rstrip("0")) + 1) // 2
    if kind == "S":
        return len(content.encode())
    if kind == "SS":
        return sum(len(one.encode()) for one in content)
    raise ValueError(f"the size of {kind} is not known here")


def item_size(item):
    return sum(len(name) + size_of(value) for name, value in item.items())


class Actor:
    """`step` does one thing and books it; `check` compares. The choices of an actor depend on the seed and the cycle alone."""

    def __init__(self, name):
        self.name = name
        self.operations = {}   # by name: how many were acknowledged
        self.violation = None
        self.acknowledged = lambda: None
        self.random = random.Random(0)

    def begin(self, seed, acknowledged):
        self.random = random.Random(f"{seed}/{self.name}")
        self.acknowledged = acknowledged

    def run(self, client):
        """Works until the store is gone. A broken promise ends it too."""
        try:
            while True:
                self.step(client)
        except (Violation, AssertionError) as error:
            self.violation = error

    def ask(self, client, operation, body, refusals=()):
        """The answer; or the name of the error, which has to be one of the refusals."""
        status, answer = client.call(operation, body)
        if status == 200:
            short = operation.rpartition(".")[2]
            self.operations[short] = self.operations.get(short, 0) + 1
            self.acknowledged()
            return answer
        name = error_of(answer)
        expect(name in refusals, f"{self.name}: {operation} {text_of(body)[:600]}: {status} {text_of(answer)[:600]}")
        return name

    def set_up(self, client):
        """Makes what the actor needs in a new store."""

    def step(self, client):
        raise NotImplementedError

    def check(self, client):
        raise NotImplementedError


class Book:
    """What a client knows of rows that only it writes. A change that got no answer is pending: it may be there or not, as a whole."""

    def __init__(self):
        self.rows = {}      # by key: the content that was acknowledged last
        self.pending = []   # changes without an answer: {key: content, or None when it is deleted}

    def get(self, key):
        return self.rows.get(key)

    def apply(self, change):
        for key, content in change.items():
            if content is None:
                self.rows.pop(key, None)
            else:
                self.rows[key] = content

    def settle(self, found, who):
        """`found` has the rows that are there, by key. What was pending goes on the book, or is forgotten."""
        for change in self.pending:
            there = {key: found.get(key) for key in change}
            if there == change:
                self.apply(change)
            else:
                before = {key: self.rows.get(key) for key in change}
                expect(there == before, f"{who}: a write is there in part: {text_list(there)}, neither {text_list(before)} "
                                        f"nor {text_list(change)}")
        self.pending = []
        if found == self.rows:
            return
        for key in sorted({*found, *self.rows}, key=str):
            expect(found.get(key) == self.rows.get(key),
                   f"{who}: {key} is {str(found.get(key))[:700]}, and was acknowledged as {str(self.rows.get(key))[:700]}")


def text_list(rows):
    return str(rows)[:700]

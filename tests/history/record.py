#!/usr/bin/python3
"""Records what concurrent clients ask and are answered, with kills in the middle, and lets history_check judge it.

    tests/history/record.py [--histories 20] [--seed N] [--log FILE] [--keep FOLDER]

Registers, counters, leases (conditional writes), transactions over two tables, and reads of indexes. In a history the server is killed with
SIGKILL once or twice while six clients work; the outcome of what has no answer is unknown. The choices depend on the seed; how the
threads meet is up to the machine. Prints histories, operations and a verdict; exit status 1 after a violation, and then the history is kept.
"""

import argparse
import collections
import contextlib
import itertools
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/crash"))

from actor import error_of  # noqa: E402
from stores import BINARY, GONE, Served, expect, interrupt_some_starts  # noqa: E402

CHECKER = os.environ.get("DOLMEN_HISTORY_CHECK", str(pathlib.Path(BINARY).with_name("history_check")))
CLIENTS = 6
HISTORIES_PER_STORE = 25
CANCELED = ("TransactionCanceledException", "TransactionConflictException")
CONDITION = "ConditionalCheckFailedException"
TABLES = ("objects", "alpha", "beta")


def make_tables(client):
    for table in TABLES:
        client.must("CreateTable", {
            "TableName": table, "BillingMode": "PAY_PER_REQUEST",
            "AttributeDefinitions": [{"AttributeName": name, "AttributeType": "S"} for name in ("pk", "team")],
            "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
            "GlobalSecondaryIndexes": [{"IndexName": "by-team", "Projection": {"ProjectionType": "ALL"}, "KeySchema": [
                {"AttributeName": "team", "KeyType": "HASH"}, {"AttributeName": "pk", "KeyType": "RANGE"}]}]})


def number_of(item):
    """What a history says of an item: its value, or "-"."""
    return item["value"]["N"] if item else "-"


class Recorder:
    """The lines of one history, from all its clients."""

    def __init__(self, prefix):
        self.prefix = prefix
        self.lines = []
        self.values = itertools.count(1)
        self.unknown = 0

    def take(self, name, began, ended, outcome, what):
        self.unknown += ended is None
        self.lines.append(f"{name} {began} {'-' if ended is None else ended} {outcome} {what}\n")


class Client:
    """One client, until the server is gone or enough has been done."""

    def __init__(self, recorder, seed, acknowledged, stop):
        self._recorder, self._acknowledged, self._stop = recorder, acknowledged, stop
        self._random = random.Random(seed)

    def run(self, connection):
        ways = ((20, self._register), (12, self._counter), (12, self._lease), (30, self._transaction), (10, self._team))
        weights, ways = zip(*ways)
        while not self._stop.is_set():
            self._random.choices(ways, weights)[0](connection)

    def _ask(self, connection, name, operation, body, written, refusals=()):
        """Sends a request and records it. `written` says what is recorded, given the answer, or None when there is none."""
        began = time.monotonic_ns()
        try:
            status, answer = connection.call(operation, body)
        except GONE:
            what = written(None)
            if what is not None:
                self._recorder.take(name, began, None, "unknown", what)
            raise
        ended = time.monotonic_ns()
        self._acknowledged()
        if status == 200:
            self._recorder.take(name, began, ended, "done", written(answer))
            return answer
        expect(error_of(answer) in refusals, f"{operation} {body}: {status} {answer}")
        what = written(None)
        if what is not None:
            self._recorder.take(name, began, ended, "refused", what)
        return None

    # ---- Objects ----

    def _object(self, kind, count):
        name = f"{kind}{self._random.randrange(count)}"
        return name, {"pk": {"S": f"{self._recorder.prefix}-{name}"}}

    def _item(self, key, value):
        return key | {"team": key["pk"], "value": {"N": str(value)}}

    def _register(self, connection):
        name, key = self._object("register", 3)
        kind = self._random.random()
        if kind < 0.4:
            self._read(connection, name, key)
        elif kind < 0.7:
            value = next(self._recorder.values)
            self._ask(connection, name, "PutItem", {"TableName": "objects", "Item": self._item(key, value)}, lambda _: f"write {value}")
        elif kind < 0.8:
            self._ask(connection, name, "DeleteItem", {"TableName": "objects", "Key": key}, lambda _: "write -")
        else:
            seen = self._read(connection, name, key)
            self._swap(connection, name, key, seen, str(next(self._recorder.values)))

    def _read(self, connection, name, key):
        """A read of the table or of its index."""
        if self._random.random() < 0.6:
            answer = self._ask(connection, name, "GetItem", {"TableName": "objects", "Key": key, "ConsistentRead": True},
                               lambda answer: None if answer is None else f"read {number_of(answer.get('Item'))}")
            return number_of(answer.get("Item"))
        found = self._ask(connection, name, "Query", {
            "TableName": "objects", "IndexName": "by-team", "KeyConditionExpression": "team = :t",
            "ExpressionAttributeValues": {":t": key["pk"]}},
            lambda answer: None if answer is None else f"read {number_of(next(iter(answer['Items']), None))}")
        return number_of(next(iter(found["Items"]), None))

    def _swap(self, connection, name, key, old, new):
        """Replaces a value on condition that it is still there. "-" is nothing."""
        body = {"TableName": "objects"}
        if old == "-":
            body["ConditionExpression"] = "attribute_not_exists(pk)"
        else:
            body |= {"ConditionExpression": "#v = :old", "ExpressionAttributeNames": {"#v": "value"},
                     "ExpressionAttributeValues": {":old": {"N": old}}}
        operation = "DeleteItem" if new == "-" else "PutItem"
        body |= {"Key": key} if new == "-" else {"Item": self._item(key, new)}
        return self._ask(connection, name, operation, body, lambda _: f"swap {old} {new}", (CONDITION,))

    def _counter(self, connection):
        name, key = self._object("counter", 2)
        if self._random.random() < 0.3:
            self._read(connection, name, key)
            return
        summand = self._random.randrange(1, 5)
        self._ask(connection, name, "UpdateItem", {
            "TableName": "objects", "Key": key, "UpdateExpression": "ADD #v :n SET team = :t", "ReturnValues": "UPDATED_NEW",
            "ExpressionAttributeNames": {"#v": "value"}, "ExpressionAttributeValues": {":n": {"N": str(summand)}, ":t": key["pk"]}},
            lambda answer: f"add {summand} {answer['Attributes']['value']['N'] if answer else '-'}")

    def _lease(self, connection):
        """One of many holds it: takes it when nobody has it, and gives it back."""
        name, key = self._object("lease", 2)
        holder = str(next(self._recorder.values))
        if self._swap(connection, name, key, "-", holder) is not None:
            if self._random.random() < 0.5:
                self._read(connection, name, key)
            self._swap(connection, name, key, holder, "-")
        else:
            # A holder that died with its server is put out by whoever sees it.
            seen = self._read(connection, name, key)
            if seen != "-" and self._random.random() < 0.3:
                self._swap(connection, name, key, seen, "-")

    # ---- Transactions ----

    def _keys(self, count):
        places = [(table, number) for table in ("alpha", "beta") for number in range(3)]
        return self._random.sample(places, count)

    def _key(self, place):
        return {"pk": {"S": f"{self._recorder.prefix}-{place[1]}"}}

    @staticmethod
    def _name(place):
        return f"{place[0]}{place[1]}"

    def _transaction(self, connection):
        places = self._keys(self._random.randrange(2, 5))

        def reads(answer):
            if answer is None:
                return None
            return " ".join(f"r {self._name(place)} {number_of(one.get('Item'))}" for place, one in zip(places, answer["Responses"]))

        found = self._ask(connection, "transaction", "TransactGetItems", {"TransactItems": [
            {"Get": {"TableName": place[0], "Key": self._key(place)}} for place in places]}, reads, CANCELED)
        if found is None or self._random.random() < 0.3:
            return
        actions, text = [], ""
        written = self._random.randrange(1, len(places) + 1)
        for number, (place, one) in enumerate(zip(places, found["Responses"])):
            action, what = self._action(place, number_of(one.get("Item")), number < written)
            actions.append(action)
            text += what
        self._ask(connection, "transaction", "TransactWriteItems", {"TransactItems": actions}, lambda _: text.strip(), CANCELED)

    def _action(self, place, seen, writes):
        """A write on condition that the value is still what was seen, or only the condition."""
        values = {} if seen == "-" else {":old": {"N": seen}}
        condition = "attribute_not_exists(pk)" if seen == "-" else "#v = :old"
        body = {"TableName": place[0], "Key": self._key(place), "ConditionExpression": condition}
        if not writes:
            if seen != "-":
                body |= {"ExpressionAttributeNames": {"#v": "value"}, "ExpressionAttributeValues": values}
            return {"ConditionCheck": body}, f" r {self._name(place)} {seen}"
        new = next(self._recorder.values)
        body |= {"UpdateExpression": "SET #v = :new, team = :t", "ExpressionAttributeNames": {"#v": "value"},
                 "ExpressionAttributeValues": values | {":new": {"N": str(new)}, ":t": {"S": self._recorder.prefix}}}
        return {"Update": body}, f" r {self._name(place)} {seen} w {self._name(place)} {new}"

    def _team(self, connection):
        """One page of an index is all its items at one moment."""
        table = self._random.choice(("alpha", "beta"))

        def reads(answer):
            if answer is None:
                return None
            found = {item["pk"]["S"]: item for item in answer["Items"]}
            return " ".join(f"r {table}{number} {number_of(found.get(self._key((table, number))['pk']['S']))}" for number in range(3))

        self._ask(connection, "transaction", "Query", {
            "TableName": table, "IndexName": "by-team", "KeyConditionExpression": "team = :t",
            "ExpressionAttributeValues": {":t": {"S": self._recorder.prefix}}}, reads)


class Countdown:
    def __init__(self, count, action):
        self._lock, self._left, self._action = threading.Lock(), count, action

    def __call__(self):
        with self._lock:
            self._left -= 1
            now = self._left == 0
        if now:
            self._action()


def work(store, recorder, seed, count, action, stop):
    """Lets the clients work; does the action after so many answers."""
    countdown, problems = Countdown(count, action), []

    def run(number):
        client = Client(recorder, f"{seed}/{number}", countdown, stop)
        with contextlib.suppress(*GONE), contextlib.closing(store.client()) as connection:
            try:
                client.run(connection)
            except Exception as error:
                if not isinstance(error, GONE):
                    problems.append(error)
                    stop.set()
                raise

    threads = [threading.Thread(target=run, args=(number,)) for number in range(CLIENTS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if problems:
        raise problems[0]


def record(store, seed, kills):
    """One history: its lines, and how many operations have no answer."""
    dice, recorder = random.Random(seed), Recorder(f"h{seed}")
    for number in range(kills):
        work(store, recorder, f"{seed}/{number}", dice.randrange(40, 250), store.process.kill, threading.Event())
        store.kill()
        interrupt_some_starts(store, dice)
        store.start()
    stop = threading.Event()
    work(store, recorder, f"{seed}/end", dice.randrange(40, 150), stop.set, stop)
    return recorder


def judge(recorder, seed, folder):
    """What the checker says; the history is kept when it is not good."""
    file = folder / f"history-{seed}.txt"
    file.write_text("".join(recorder.lines))
    done = subprocess.run([CHECKER, str(file)], text=True, capture_output=True, stdin=subprocess.DEVNULL)
    if done.returncode == 0:
        file.unlink()
        return "ok"
    return f"VIOLATION: {done.stdout}{done.stderr}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--histories", type=int, default=20)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32), help="of the first history; the next ones count up")
    parser.add_argument("--log", type=pathlib.Path, help="a file that gets a line of JSON for each store")
    parser.add_argument("--keep", type=pathlib.Path, default=pathlib.Path(tempfile.gettempdir()), help="where a bad history is kept")
    options = parser.parse_args()
    print(f"seed {options.seed}", flush=True)
    totals, begin = collections.Counter(), time.monotonic()
    while totals["histories"] < options.histories and not totals["violations"]:
        some = min(HISTORIES_PER_STORE, options.histories - totals["histories"])
        counts = record_in_new_store(options.seed + totals["histories"], some, options.keep)
        totals.update(counts)
        if options.log:
            with options.log.open("a") as log:
                log.write(json.dumps({"seed": options.seed + totals["histories"] - counts["histories"], **counts}) + "\n")
    print(f"{totals['histories']} histories with {totals['kills']} kills, {totals['operations']} operations, {totals['unknown']} of unknown outcome, "
          f"{time.monotonic() - begin:.0f} s: {totals['violations']} violations")
    sys.exit(1 if totals["violations"] else 0)


def record_in_new_store(first_seed, count, keep):
    totals = collections.Counter()
    with tempfile.TemporaryDirectory(prefix="dolmen-history-") as folder:
        store = Served(pathlib.Path(folder))
        try:
            store.start()
            with contextlib.closing(store.client()) as client:
                make_tables(client)
            for seed in range(first_seed, first_seed + count):
                kills = random.Random(f"kills {seed}").choice((1, 1, 2))
                recorder = record(store, seed, kills)
                verdict = judge(recorder, seed, keep)
                totals.update(histories=1, kills=kills, operations=len(recorder.lines), unknown=recorder.unknown, violations=verdict != "ok")
                if verdict != "ok":
                    print(f"seed {seed}: {verdict}", flush=True)
                    break
        finally:
            store.close()
    return totals


if __name__ == "__main__":
    main()

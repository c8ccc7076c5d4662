"""Clients of plain tables: every way to write an item, each on items of its own, and counters that all of them share."""

import uuid

from actor import Actor, Book, item_size, text_of, whole_scan
from stores import expect

THINGS, OTHERS, COUNTERS = "things", "others", "counters"
CONDITION, CANCELED = "ConditionalCheckFailedException", "TransactionCanceledException"
COLOURS = ("red", "green", "blue")
NUMBERS = 24


def key_of(table, item):
    return (table, item["pk"]["S"], item["sk"]["N"]) if table == THINGS else (table, item["pk"]["S"])


def make_tables(client):
    client.must("CreateTable", {
        "TableName": THINGS, "BillingMode": "PAY_PER_REQUEST",
        "AttributeDefinitions": [{"AttributeName": name, "AttributeType": kind} for name, kind in (
            ("pk", "S"), ("sk", "N"), ("owner", "S"), ("write", "S"))],
        "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
        "GlobalSecondaryIndexes": [{"IndexName": "by-owner", "Projection": {"ProjectionType": "ALL"}, "KeySchema": [
            {"AttributeName": "owner", "KeyType": "HASH"}, {"AttributeName": "write", "KeyType": "RANGE"}]}],
        "LocalSecondaryIndexes": [{"IndexName": "in-order", "Projection": {"ProjectionType": "KEYS_ONLY"}, "KeySchema": [
            {"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "write", "KeyType": "RANGE"}]}],
        "StreamSpecification": {"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"}})
    for table in (OTHERS, COUNTERS):
        client.must("CreateTable", {
            "TableName": table, "BillingMode": "PAY_PER_REQUEST",
            "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
            "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}]})


class ItemWriter(Actor):
    """Puts, updates, deletes, batches, transactions and statements on items that no other client writes, so that every answer
    is known in advance."""

    def __init__(self, name):
        super().__init__(name)
        self.book = Book()
        self._count = 0
        self._token = None     # of a transaction without an answer: its request, and what it does
        self.counted = set()   # additions to shared counters that were acknowledged
        self.uncertain = set() # those without an answer

    def step(self, client):
        ways = ((14, self._put), (14, self._update), (7, self._delete), (8, self._batch), (12, self._transact), (12, self._statement),
                (4, self._statements), (6, self._count_shared), (10, self._read), (6, self._read_index))
        weights, ways = zip(*ways)
        self.random.choices(ways, weights)[0](client)

    # ---- Items ----

    def _write_id(self):
        self._count += 1
        return f"{self.name}-{self._count}"

    def _key(self):
        return {"pk": {"S": self.name}, "sk": {"N": str(self.random.randrange(1, NUMBERS))}}

    def _other_key(self):
        return {"pk": {"S": f"{self.name}-{self.random.randrange(8)}"}}

    def _item(self, key):
        length = self.random.choices((0, 20, 800, 20_000), (10, 10, 4, 0.3))[0]
        item = key | {"write": {"S": self._write_id()}, "owner": {"S": self.name}, "content": {"S": "c" * length}}
        if self.random.random() < 0.6:
            item["colour"] = {"S": self.random.choice(COLOURS)}
        return item

    def _updated(self, key, item, write, content):
        """What an update makes of an item."""
        counted = int(item["n"]["N"]) if item and "n" in item else 0
        return (item or key) | {"write": {"S": write}, "owner": {"S": self.name}, "content": {"S": content},
                                "n": {"N": str(counted + 1)}}

    def _update_of(self, table, key):
        """An update and the item that it leaves."""
        write, content = self._write_id(), "u" * self.random.randrange(60)
        update = {"TableName": table, "Key": key, "UpdateExpression": "SET #w = :w, #o = :o, content = :c ADD n :one",
                  "ExpressionAttributeNames": {"#w": "write", "#o": "owner"},
                  "ExpressionAttributeValues": {":w": {"S": write}, ":o": {"S": self.name}, ":c": {"S": content}, ":one": {"N": "1"}}}
        return update, self._updated(key, self.book.get(key_of(table, key)), write, content)

    def _done(self, client, operation, body, *changes):
        """Sends a write that has to succeed. Each change is there as a whole or not at all when no answer comes."""
        self.book.pending = list(changes)
        answer = self.ask(client, operation, body)
        for change in self.book.pending:
            self.book.apply(change)
        self.book.pending = []
        return answer

    def _refused(self, client, operation, body, refusal):
        expect(self.ask(client, operation, body, (refusal,)) == refusal,
               f"{self.name}: {operation} succeeded against its condition: {text_of(body)[:600]}")

    def _put(self, client):
        item = self._item(self._key())
        body, key = {"TableName": THINGS, "Item": item}, key_of(THINGS, item)
        if self.random.random() < 0.3:
            body["ConditionExpression"] = "attribute_not_exists(pk)"
            if self.book.get(key) is not None:
                return self._refused(client, "PutItem", body, CONDITION)
        self._done(client, "PutItem", body, {key: item})

    def _update(self, client):
        key = self._key()
        update, item = self._update_of(THINGS, key)
        self._done(client, "UpdateItem", update, {key_of(THINGS, key): item})

    def _delete(self, client):
        key = self._key()
        body = {"TableName": THINGS, "Key": key, "ReturnValues": "ALL_OLD"}
        before = self.book.get(key_of(THINGS, key))
        answer = self._done(client, "DeleteItem", body, {key_of(THINGS, key): None})
        expect(answer.get("Attributes") == before, f"{self.name}: deleted {answer}, which was acknowledged as {before}")

    def _batch(self, client):
        requests, changes = {THINGS: [], OTHERS: []}, {}
        for _ in range(self.random.randrange(1, 10)):
            table = self.random.choice((THINGS, OTHERS))
            key = self._key() if table == THINGS else self._other_key()
            if key_of(table, key) in changes:
                continue
            if self.random.random() < 0.3:
                requests[table].append({"DeleteRequest": {"Key": key}})
                changes[key_of(table, key)] = None
            else:
                item = self._item(key)
                requests[table].append({"PutRequest": {"Item": item}})
                changes[key_of(table, key)] = item
        body = {"RequestItems": {table: some for table, some in requests.items() if some}}
        answer = self._done(client, "BatchWriteItem", body, *({key: item} for key, item in changes.items()))
        expect(not answer["UnprocessedItems"], f"{self.name}: unprocessed: {text_of(answer)[:500]}")

    def _transact(self, client):
        actions, change = [], {}
        for _ in range(self.random.randrange(1, 7)):
            table = self.random.choice((THINGS, OTHERS))
            key = self._key() if table == THINGS else self._other_key()
            if key_of(table, key) in change:
                continue
            kind = self.random.random()
            if kind < 0.25:
                actions.append({"Delete": {"TableName": table, "Key": key}})
                change[key_of(table, key)] = None
            elif kind < 0.6:
                update, item = self._update_of(table, key)
                actions.append({"Update": update})
                change[key_of(table, key)] = item
            else:
                item = self._item(key)
                actions.append({"Put": {"TableName": table, "Item": item}})
                change[key_of(table, key)] = item
        if self.random.random() < 0.15:
            actions.append({"ConditionCheck": {"TableName": OTHERS, "Key": {"pk": {"S": "nobody"}},
                                               "ConditionExpression": "attribute_exists(pk)"}})
            return self._refused(client, "TransactWriteItems", {"TransactItems": actions}, CANCELED)
        body = {"TransactItems": actions, "ClientRequestToken": str(uuid.UUID(int=self.random.getrandbits(128)))}
        self._token = (body, change)
        self._done(client, "TransactWriteItems", body, change)
        self._token = None

    # ---- Statements ----

    def _one_statement(self):
        """A statement, its parameters and what it changes."""
        key = self._key()
        name = key_of(THINGS, key)
        where = [key["pk"], key["sk"]]
        if self.book.get(name) is None:
            item = self._item(key)
            places = ", ".join(f"'{attribute}': ?" for attribute in item)
            return f'INSERT INTO "things" VALUE {{{places}}}', list(item.values()), {name: item}
        if self.random.random() < 0.3:
            return 'DELETE FROM "things" WHERE "pk" = ? AND "sk" = ?', where, {name: None}
        write = {"S": self._write_id()}
        return ('UPDATE "things" SET "write" = ? WHERE "pk" = ? AND "sk" = ?', [write, *where],
                {name: self.book.get(name) | {"write": write}})

    def _statement(self, client):
        text, parameters, change = self._one_statement()
        self._done(client, "ExecuteStatement", {"Statement": text, "Parameters": parameters}, change)

    def _statements(self, client):
        chosen, changes = [], {}
        for _ in range(4):
            text, parameters, change = self._one_statement()
            if not changes.keys() & change.keys():
                changes |= change
                chosen.append({"Statement": text, "Parameters": parameters})
        if self.random.random() < 0.5:
            self._done(client, "ExecuteTransaction", {"TransactStatements": chosen}, changes)
            return
        answer = self._done(client, "BatchExecuteStatement", {"Statements": chosen},
                            *({key: item} for key, item in changes.items()))
        expect(not any("Error" in one for one in answer["Responses"]), f"{self.name}: {text_of(answer)[:600]}")

    # ---- Reads ----

    def _own_things(self):
        return sorted((item for key, item in self.book.rows.items() if key[0] == THINGS), key=text_of)

    def _read(self, client):
        key = self._key()
        if self.random.random() < 0.5:
            answer = self.ask(client, "GetItem", {"TableName": THINGS, "Key": key, "ConsistentRead": True})
            expect(answer.get("Item") == self.book.get(key_of(THINGS, key)), f"{self.name}: read {answer} at {key}")
            return
        answer = self.ask(client, "Query", {
            "TableName": THINGS, "KeyConditionExpression": "pk = :p", "ConsistentRead": True,
            "ExpressionAttributeValues": {":p": {"S": self.name}}})
        expect(sorted(answer["Items"], key=text_of) == self._own_things(), f"{self.name}: a query is not what was acknowledged")

    def _read_index(self, client):
        answer = self.ask(client, "Query", {
            "TableName": THINGS, "IndexName": "by-owner", "KeyConditionExpression": "#o = :o",
            "ExpressionAttributeNames": {"#o": "owner"}, "ExpressionAttributeValues": {":o": {"S": self.name}}})
        expect(sorted(answer["Items"], key=text_of) == self._own_things(), f"{self.name}: an index is not what was acknowledged")

    # ---- Counters ----

    def _count_shared(self, client):
        """A number and the names of those who added to it change together."""
        name = self._write_id()
        self.uncertain.add(name)
        self.ask(client, "UpdateItem", {
            "TableName": COUNTERS, "Key": {"pk": {"S": f"c{self.random.randrange(3)}"}}, "UpdateExpression": "ADD n :one, adders :name",
            "ExpressionAttributeValues": {":one": {"N": "1"}, ":name": {"SS": [name]}}})
        self.uncertain.discard(name)
        self.counted.add(name)

    # ---- After a crash ----

    def check(self, client):
        raise NotImplementedError("ItemTables checks all writers at once")

    def repeat_transaction(self, client):
        """A transaction without an answer is sent again with its token: it is done once, whether it had been done or not."""
        if self._token is None:
            return
        body, change = self._token
        self._token = None
        self.ask(client, "TransactWriteItems", body)
        self.book.apply(change)


class ItemTables:
    """Compares the tables with the books of all writers, and their counts. The reader of a stream looks at the indexes."""

    def __init__(self, writers):
        self._writers = writers

    def check(self, client):
        self._check_once(client)
        repeated = [writer for writer in self._writers if writer.book is not None and writer._token is not None]
        for writer in repeated:
            writer.repeat_transaction(client)
        if repeated:
            self._check_once(client)
        self._check_counters(client)

    def _check_once(self, client):
        things, others = whole_scan(client, THINGS), whole_scan(client, OTHERS)
        for writer in self._writers:
            found = {key_of(THINGS, item): item for item in things if item["pk"]["S"] == writer.name}
            found |= {key_of(OTHERS, item): item for item in others if item["owner"]["S"] == writer.name}
            writer.book.settle(found, writer.name)
        rows = sum(len(writer.book.rows) for writer in self._writers)
        expect(rows == len(things) + len(others), f"{len(things) + len(others)} items are there, and {rows} were written")
        check_table(client, OTHERS, others)

    def _check_counters(self, client):
        names, counters = [], whole_scan(client, COUNTERS)
        for counter in counters:
            expect(counter["n"]["N"] == str(len(counter["adders"]["SS"])), f"a counter is not what was added to it: {text_of(counter)[:600]}")
            names += counter["adders"]["SS"]
        expect(len(names) == len(set(names)), "an addition is in two counters")
        for writer in self._writers:
            there = {name for name in names if name.startswith(writer.name + "-")}
            expect(writer.counted <= there, f"acknowledged additions are missing: {writer.counted - there}")
            expect(there <= writer.counted | writer.uncertain, f"additions that nobody made: {there - writer.counted}")
            writer.counted, writer.uncertain = there, set()
        check_table(client, COUNTERS, counters)


def check_table(client, table, items, sizes=True):
    """Counts, sizes and indexes of a table are what its items say."""
    described = client.must("DescribeTable", {"TableName": table})["Table"]
    expect(described["ItemCount"] == len(items), f"{table}: ItemCount is {described['ItemCount']}, there are {len(items)}")
    if sizes:
        bytes_there = sum(map(item_size, items))
        expect(described["TableSizeBytes"] == bytes_there,
               f"{table}: TableSizeBytes is {described['TableSizeBytes']}, the items have {bytes_there}")
    keys = [one["AttributeName"] for one in described["KeySchema"]]
    for index in described.get("GlobalSecondaryIndexes", []) + described.get("LocalSecondaryIndexes", []):
        if index.get("IndexStatus", "ACTIVE") == "ACTIVE":
            check_index(client, table, items, index, keys)


def check_index(client, table, items, index, table_keys):
    keys = [one["AttributeName"] for one in index["KeySchema"]]
    members = [item for item in items if all(key in item for key in keys)]
    if index["Projection"]["ProjectionType"] == "KEYS_ONLY":
        members = [{name: item[name] for name in {*keys, *table_keys}} for item in members]
    found = whole_scan(client, table, IndexName=index["IndexName"])
    missing = sorted({*map(text_of, members)} ^ {*map(text_of, found)})
    expect(not missing and len(found) == len(members),
           f"{table}: the index {index['IndexName']} has {len(found)} items, the table {len(members)}; different: {missing[:2]}")
    expect(index["ItemCount"] == len(members),
           f"{table}: ItemCount of {index['IndexName']} is {index['ItemCount']}, there are {len(members)}")

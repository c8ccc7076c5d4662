"""What administrators do while others write: tables come and go, indexes are built, tables are backed up, restored and exported."""

import gzip
import json
import time

from actor import Actor, Book, text_of, whole_scan
from bank import BANK, check_sum
from items import THINGS, check_table
from stores import expect, own

ARCHIVE = "archive"
BUSY = "ResourceInUseException"
BY_COLOUR = {"IndexName": "by-colour", "Projection": {"ProjectionType": "ALL"}, "KeySchema": [
    {"AttributeName": "colour", "KeyType": "HASH"}, {"AttributeName": "write", "KeyType": "RANGE"}]}


def plain_table(name):
    return {"TableName": name, "BillingMode": "PAY_PER_REQUEST",
            "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
            "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}]}


def wait_for(look, wanted, what, patience_s=60):
    deadline = time.monotonic() + patience_s
    while not wanted(seen := look()):
        expect(time.monotonic() < deadline, f"{what} after {patience_s} s: {str(seen)[:600]}")
        time.sleep(0.005)
    return seen


def describe(client, name):
    return client.must("DescribeTable", {"TableName": name})["Table"]


class Builder(Actor):
    """Creates and deletes tables, and an index of a table that others write."""

    def __init__(self, name):
        super().__init__(name)
        self._tables = {}          # by name: the TableId
        self._table = None         # the one that is being created or deleted
        self._indexed = False      # whether the table of things was given the index
        self._indexing = False

    def step(self, client):
        self.random.choice((self._change_table, self._change_index))(client)

    def _change_table(self, client):
        name = f"extra-{self.random.randrange(5)}"
        self._table = name
        if name in self._tables:
            if self.ask(client, "DeleteTable", {"TableName": name}, (BUSY,)) != BUSY:
                del self._tables[name]
        else:
            answer = self.ask(client, "CreateTable", plain_table(name), (BUSY,))
            if answer != BUSY:
                self._tables[name] = answer["TableDescription"]["TableId"]
        self._table = None

    def _change_index(self, client):
        self._indexing = True
        if self._indexed:
            update = {"GlobalSecondaryIndexUpdates": [{"Delete": {"IndexName": "by-colour"}}]}
        else:
            update = {"GlobalSecondaryIndexUpdates": [{"Create": BY_COLOUR}],
                      "AttributeDefinitions": [{"AttributeName": "colour", "AttributeType": "S"}, {"AttributeName": "write", "AttributeType": "S"}]}
        if self.ask(client, "UpdateTable", {"TableName": THINGS} | update, (BUSY, "LimitExceededException")) in (BUSY, "LimitExceededException"):
            self._indexing = False
            return
        self._indexed, self._indexing = not self._indexed, False

    def check(self, client):
        self._check_tables(client)
        self._check_index(client)

    def _check_tables(self, client):
        names = [name for name in client.must("ListTables", {})["TableNames"] if name.startswith("extra-")]
        wait_for(lambda: [name for name in client.must("ListTables", {})["TableNames"] if name.startswith("extra-") and
                          describe(client, name)["TableStatus"] != "ACTIVE"], lambda busy: not busy, "tables are busy")
        found = {name: describe(client, name)["TableId"] for name in names}
        certain = {name: table for name, table in found.items() if name != self._table}
        acknowledged = {name: table for name, table in self._tables.items() if name != self._table}
        expect(certain == acknowledged, f"{self.name}: the tables are {sorted(certain.items())}, acknowledged {sorted(acknowledged.items())}")
        self._tables, self._table = found, None

    def _check_index(self, client):
        described = wait_for(lambda: describe(client, THINGS), lambda table: table["TableStatus"] == "ACTIVE" and all(
            index["IndexStatus"] == "ACTIVE" for index in table["GlobalSecondaryIndexes"]), "an index is not built")
        there = any(index["IndexName"] == "by-colour" for index in described["GlobalSecondaryIndexes"])
        expect(there == self._indexed or self._indexing, f"{self.name}: the index is {'there' if there else 'gone'}, acknowledged otherwise")
        self._indexed, self._indexing = there, False


class Keeper(Actor):
    """Backs up, restores and exports tables, and sometimes the whole store."""

    def __init__(self, name, folder, exports):
        super().__init__(name)
        self._bucket = folder / "buckets/archive"
        self._with_exports = exports
        self._count = 0
        self.book = Book()         # the items of the table that is exported and restored
        self._backups = set()      # ARNs
        self._backup = None        # the name or ARN of the one that is being made or deleted
        self._restored = None      # the name of the table that is being restored, and what it has to hold
        self._restoring = False    # whether that was not acknowledged
        self._export = None        # an export that was acknowledged, and what it has to hold
        self.store_backups = 0

    def set_up(self, client):
        client.must("CreateTable", plain_table(ARCHIVE))
        client.must("UpdateContinuousBackups", {
            "TableName": ARCHIVE, "PointInTimeRecoverySpecification": {"PointInTimeRecoveryEnabled": True}})

    def step(self, client):
        ways = [(30, self._write), (6, self._change_backup), (4, self._restore_backup), (4, self._restore_moment)]
        if self._with_exports:
            ways += [(5, self._export_table), (1, self._back_up_store)]
        weights, ways = zip(*ways)
        self.random.choices(ways, weights)[0](client)

    def _write(self, client):
        self._count += 1
        key = f"k{self.random.randrange(20)}"
        item = {"pk": {"S": key}, "write": {"S": str(self._count)}} if self.random.random() < 0.8 else None
        self.book.pending = [{key: item}]
        if item is None:
            self.ask(client, "DeleteItem", {"TableName": ARCHIVE, "Key": {"pk": {"S": key}}})
        else:
            self.ask(client, "PutItem", {"TableName": ARCHIVE, "Item": item})
        self.book.apply({key: item})
        self.book.pending = []

    def _change_backup(self, client):
        self._count += 1
        if len(self._backups) >= 3:
            self._backup = sorted(self._backups)[0]
            # A restore may still read it.
            refusals = ("BackupInUseException",) if self._restored is not None else ()
            if self.ask(client, "DeleteBackup", {"BackupArn": self._backup}, refusals) not in refusals:
                self._backups.discard(self._backup)
        else:
            self._backup = f"backup-{self._count}"
            answer = self.ask(client, "CreateBackup", {"TableName": BANK, "BackupName": self._backup})
            self._backups.add(answer["BackupDetails"]["BackupArn"])
        self._backup = None

    def _restore_backup(self, client):
        if self._restored is not None or not self._backups:
            return
        self._count += 1
        self._restored, self._restoring = (f"restored-{self._count}", None), True
        self.ask(client, "RestoreTableFromBackup", {
            "BackupArn": self.random.choice(sorted(self._backups)), "TargetTableName": self._restored[0]})
        self._restoring = False

    def _restore_moment(self, client):
        if self._restored is not None:
            return
        self._count += 1
        self._restored, self._restoring = (f"restored-{self._count}", dict(self.book.rows)), True
        self.ask(client, "RestoreTableToPointInTime", {
            "SourceTableName": ARCHIVE, "TargetTableName": self._restored[0], "UseLatestRestorableTime": True})
        self._restoring = False

    def _export_table(self, client):
        if self._export is not None:
            return
        holds = dict(self.book.rows)
        arn = client.must("DescribeTable", {"TableName": ARCHIVE})["Table"]["TableArn"]
        answer = self.ask(client, "ExportTableToPointInTime", {"TableArn": arn, "S3Bucket": "archive", "S3Prefix": "e"})
        self._export = (answer["ExportDescription"]["ExportArn"], holds)

    def _back_up_store(self, client):
        self.ask(client, own("CreateStoreBackup"), {})
        self.store_backups += 1

    # ---- After a crash ----

    def check(self, client):
        items = whole_scan(client, ARCHIVE)
        self.book.settle({item["pk"]["S"]: item for item in items}, self.name)
        check_table(client, ARCHIVE, items)
        self._check_backups(client)
        self._check_restored(client)
        self._check_export(client)

    def _check_backups(self, client):
        there = {one["BackupArn"]: one["BackupName"] for one in client.must("ListBackups", {"TableName": BANK})["BackupSummaries"]}
        missing = {arn for arn in self._backups - there.keys() if arn != self._backup}
        more = {arn for arn in there.keys() - self._backups if there[arn] != self._backup}
        expect(not missing and not more, f"{self.name}: backups are missing: {missing}; nobody made {more}")
        self._backups, self._backup = set(there), None

    def _check_restored(self, client):
        if self._restored is None:
            return
        (name, holds), self._restored = self._restored, None
        if name not in client.must("ListTables", {})["TableNames"]:
            expect(self._restoring, f"{self.name}: {name} is missing, and its restore was acknowledged")
            return
        wait_for(lambda: describe(client, name)["TableStatus"], lambda status: status == "ACTIVE", f"{name} is not restored")
        items = whole_scan(client, name)
        if holds is None:
            check_sum(items, f"{name} is not a moment of its table")
        else:
            expect({item["pk"]["S"]: item for item in items} == holds, f"{self.name}: {name} has {text_of(items)[:500]}, not {text_of(holds)[:500]}")
        check_table(client, name, items)
        client.must("DeleteTable", {"TableName": name})

    def _check_export(self, client):
        if self._export is None:
            return
        (arn, holds), self._export = self._export, None
        done = wait_for(lambda: client.must("DescribeExport", {"ExportArn": arn})["ExportDescription"],
                        lambda export: export["ExportStatus"] != "IN_PROGRESS", "an export does not end")
        expect(done["ExportStatus"] == "COMPLETED", f"{self.name}: {done}")
        folder = self._bucket / "e/AWSDynamoDB" / arn.rpartition("/")[2]
        lines = [line for file in sorted(folder.glob("data/*.json.gz")) for line in gzip.decompress(file.read_bytes()).splitlines()]
        items = [json.loads(line)["Item"] for line in lines]
        expect(len(items) == done["ItemCount"] == len(holds) and {item["pk"]["S"]: item for item in items} == holds,
               f"{self.name}: the export has {text_of(items)[:500]}, not {text_of(holds)[:500]}")

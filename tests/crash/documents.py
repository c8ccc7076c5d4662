"""Strict documents: writes, moves, indexes that are built and dropped, and schemas that are published; and a table with a contract."""

import time

from actor import Actor, Book, text_of, whole_scan
from items import CONDITION, check_table
from stores import expect, own

FIELDS = {
    "v1": {"_id": {"type": "string", "required": True}, "name": {"type": "string", "required": True},
           "age": {"type": "int", "required": False}},
    "v2": {"_id": {"type": "string", "required": True}, "name": {"type": "string", "required": True},
           "age": {"type": "int", "required": True}, "tags": {"type": "array", "required": False, "element_type": {"type": "string"}}},
}
PYTHON_TYPES = {"string": str, "int": int, "array": list}


def ref(version):
    return {"schema_id": "people", "schema_version": version}


def schema(version):
    return ref(version) | {"fields": FIELDS[version]}


def is_valid(document, version):
    fields = FIELDS[version]
    return (set(document) <= set(fields) and all(name in document for name, field in fields.items() if field["required"]) and
            all(type(value) is PYTHON_TYPES[fields[name]["type"]] for name, value in document.items()))


class DocumentWriter(Actor):
    def __init__(self, name):
        super().__init__(name)
        self.book = Book()          # by _id: (version, document)
        self._schemas = {"people v1", "people v2"}
        self._publishing = None
        self._indexes = {}          # by (version, field): whether it was declared last, or dropped
        self._indexing = None

    def set_up(self, client):
        for version in FIELDS:
            client.must(own("PublishSchema"), {"schema": schema(version)})

    def step(self, client):
        ways = ((30, self._insert), (20, self._update), (15, self._move), (12, self._delete), (10, self._read), (5, self._bad),
                (3, self._publish), (6, self._index))
        weights, ways = zip(*ways)
        self.random.choices(ways, weights)[0](client)

    def _document(self, name, version):
        document = {"_id": name, "name": "n" * self.random.randrange(40)}
        if version == "v2" or self.random.random() < 0.5:
            document["age"] = self.random.randrange(100)
        if version == "v2" and self.random.random() < 0.5:
            document["tags"] = ["t"] * self.random.randrange(4)
        return document

    def _id(self):
        return f"{self.name}-{self.random.randrange(30)}"

    def _done(self, client, operation, body, change):
        self.book.pending = [change]
        answer = self.ask(client, own(operation), body)
        self.book.apply(change)
        self.book.pending = []
        return answer

    def _insert(self, client):
        name, version = self._id(), self.random.choice(("v1", "v2"))
        document = self._document(name, version)
        if self.book.get(name) is not None:
            refusal = self.ask(client, own("InsertDocument"), ref(version) | {"document": document}, ("SCHEMA_VALIDATION_FAILED",))
            expect(isinstance(refusal, str), f"{self.name}: {name} was inserted twice")
            return
        self._done(client, "InsertDocument", ref(version) | {"document": document}, {name: (version, document)})

    def _some(self):
        """A document that is there, and its version."""
        names = sorted(self.book.rows)
        if not names:
            return None, None
        name = self.random.choice(names)
        return name, self.book.get(name)[0]

    def _update(self, client):
        name, version = self._some()
        if name is not None:
            document = self._document(name, version)
            self._done(client, "UpdateDocument", ref(version) | {"document": document}, {name: (version, document)})

    def _move(self, client):
        name, version = self._some()
        if name is not None:
            to = {"v1": "v2", "v2": "v1"}[version]
            document = self._document(name, to)
            self._done(client, "MoveDocument", ref(version) | {"document": document, "to_version": to, "_id": name}, {name: (to, document)})

    def _delete(self, client):
        name, version = self._some()
        if name is not None:
            answer = self._done(client, "DeleteDocument", ref(version) | {"_id": name}, {name: None})
            expect(answer["deleted"], f"{self.name}: {name} was not there to be deleted")

    def _read(self, client):
        name, version = self._some()
        if name is not None:
            answer = self.ask(client, own("GetDocument"), ref(version) | {"_id": name})
            expect(answer["document"] == self.book.get(name)[1], f"{self.name}: read {answer}, acknowledged {self.book.get(name)}")

    def _bad(self, client):
        refusal = self.ask(client, own("InsertDocument"), ref("v1") | {"document": {"_id": "bad", "name": 7}}, ("SCHEMA_VALIDATION_FAILED",))
        expect(isinstance(refusal, str), f"{self.name}: a document that is not valid was accepted")

    def _publish(self, client):
        version = f"w{len(self._schemas)}"
        self._publishing = f"extra {version}"
        if self._publishing in self._schemas:
            return
        self.ask(client, own("PublishSchema"), {"schema": schema("v1") | {"schema_id": "extra", "schema_version": version}})
        self._schemas.add(self._publishing)
        self._publishing = None

    def _index(self, client):
        place = (self.random.choice(("v1", "v2")), "age")
        body = ref(place[0]) | {"field": place[1]}
        self._indexing = place
        if not self._indexes.get(place):
            # One that is being dropped is still there.
            self._indexes[place] = self.ask(client, own("CreateIndex"), body, ("INDEX_EXISTS",)) != "INDEX_EXISTS"
        elif self.random.random() < 0.5:
            self.ask(client, own("DropIndex"), body)
            self._indexes[place] = False
        else:
            self.ask(client, own("RebuildIndex"), body)
        self._indexing = None

    # ---- After a crash ----

    def check(self, client):
        found = {}
        for version in FIELDS:
            for document in self._all(client, "ListDocuments", ref(version) | {"limit": 500}):
                expect(is_valid(document, version), f"{self.name}: a document of {version} is not valid: {document}")
                expect(document["_id"] not in found, f"{self.name}: {document['_id']} is there in two versions")
                found[document["_id"]] = (version, document)
        self.book.settle(found, self.name)
        self._check_schemas(client)
        for version in FIELDS:
            self._check_index(client, version, "age")

    def _all(self, client, operation, body):
        documents = []
        while True:
            page = client.must(own(operation), body)
            documents += page["documents"]
            if "cursor" not in page:
                return documents
            body = body | {"cursor": page["cursor"]}

    def _check_schemas(self, client):
        there = {f"{one['schema_id']} {one['schema_version']}" for one in client.must(own("ListSchemas"), {})["schemas"]}
        maybe = {self._publishing} if self._publishing else set()
        expect(self._schemas <= there <= self._schemas | maybe, f"schemas that are there {sorted(there)}, acknowledged {sorted(self._schemas)}")
        self._schemas, self._publishing = there, None

    def _check_index(self, client, version, field):
        place, deadline = (version, field), time.monotonic() + 30
        while True:
            states = {one["field"]: one["state"] for one in client.must(own("ListIndexes"), ref(version))["indexes"]}
            if states.get(field) in (None, "ready"):
                break
            expect(time.monotonic() < deadline and states[field] != "failed", f"the index on {field} of {version} is {states[field]}")
            time.sleep(0.005)
        there = field in states
        expect(there == bool(self._indexes.get(place)) or self._indexing == place,
               f"{self.name}: the index on {field} of {version} is {'there' if there else 'gone'}, and the opposite was acknowledged")
        self._indexes[place] = there
        if self._indexing == place:
            self._indexing = None
        if there:
            found = self._all(client, "QueryDocuments", ref(version) | {
                "filter": {field: {"$gte": -1}}, "limit": 500, "sort": [{"field": field, "order": "asc"}]})
            members = sorted((doc for kind, doc in self.book.rows.values() if kind == version and field in doc),
                             key=lambda doc: (doc[field], doc["_id"]))
            expect(found == members, f"{self.name}: the index on {field} of {version} is not its documents")


MODEL = """dms_version: "0.1"
models:
  - name: "Note"
    table: { name: "notes" }
    keys: { partition: { attribute: "pk", type: "S" } }
    attributes:
      - { attribute: "pk", type: "S", required: true, roles: ["pk"] }
      - { attribute: "text", type: "S", required: true }
      - { attribute: "stars", type: "N", format: "int" }
"""
CONTRACT = {"table": "notes", "version": "c1", "mode": "enforce"}


class ContractBreaker(Actor):
    """Writes items that keep a contract, and tries some that break it, in every way."""

    def __init__(self, name):
        super().__init__(name)
        self.book = Book()

    def set_up(self, client):
        client.must("CreateTable", {
            "TableName": "notes", "BillingMode": "PAY_PER_REQUEST",
            "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
            "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}]})
        client.must(own("BindContract"), CONTRACT | {"models": [{"file": "notes.yml", "text": MODEL}]})

    def step(self, client):
        key = {"pk": {"S": f"{self.name}-{self.random.randrange(12)}"}}
        good = key | {"text": {"S": "t" * self.random.randrange(30)}, "stars": {"N": str(self.random.randrange(1, 9))}}
        kind = self.random.randrange(6)
        if kind == 0:
            bad = self.random.choice((key, good | {"stars": {"S": "many"}}, good | {"more": {"S": "x"}}))
            self._refused(client, "PutItem", {"TableName": "notes", "Item": bad}, "ValidationException")
        elif kind == 1:
            self._refused(client, "UpdateItem", {
                "TableName": "notes", "Key": key, "UpdateExpression": "SET stars = :s", "ExpressionAttributeValues": {":s": {"S": "x"}}},
                "ValidationException")
        elif kind == 2:
            self._refused(client, "TransactWriteItems", {"TransactItems": [
                {"Put": {"TableName": "notes", "Item": good}},
                {"Put": {"TableName": "notes", "Item": {"pk": {"S": f"{self.name}-other"}}}}]}, "TransactionCanceledException")
        elif kind == 3:
            self._done(client, "DeleteItem", {"TableName": "notes", "Key": key}, {key["pk"]["S"]: None})
        else:
            self._done(client, "PutItem", {"TableName": "notes", "Item": good}, {key["pk"]["S"]: good})

    def _refused(self, client, operation, body, refusal):
        expect(self.ask(client, operation, body, (refusal, CONDITION)) == refusal, f"{self.name}: a contract was broken: {text_of(body)}")

    def _done(self, client, operation, body, change):
        self.book.pending = [change]
        self.ask(client, operation, body)
        self.book.apply(change)
        self.book.pending = []

    def check(self, client):
        items = whole_scan(client, "notes")
        self.book.settle({item["pk"]["S"]: item for item in items}, self.name)
        check_table(client, "notes", items)
        looked = client.must(own("BindContract"), CONTRACT | {"dry_run": True})
        expect(looked["violating"] == 0 and looked["checked"] == len(items), f"{self.name}: items break the contract: {looked}")
        described = client.must(own("DescribeContract"), {"table": "notes"})
        expect(described["mode"] == "enforce", f"{self.name}: the contract is {described}")

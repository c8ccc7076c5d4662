"""A table with a vector index: whatever was killed, a search of everything finds the items of the table, with their distances."""

import math

from actor import Actor, Book, whole_scan
from items import check_table
from stores import expect

TABLE = "vectors"
TENANTS = ("t1", "t2")
DIMENSIONS = 4
# A search returns a hundred items at most.
NUMBERS = 40


class VectorWriter(Actor):
    def __init__(self, name):
        super().__init__(name)
        self.book = Book()

    def set_up(self, client):
        client.must("CreateTable", {
            "TableName": TABLE, "BillingMode": "PAY_PER_REQUEST",
            "AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "S"}, {"AttributeName": "tenant", "AttributeType": "S"}],
            "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}],
            "VectorIndexes": [{"IndexName": "near", "VectorAttribute": {"AttributeName": "v"}, "Dimensions": DIMENSIONS,
                               "DistanceFunction": "EUCLIDEAN", "Projection": {"ProjectionType": "ALL"},
                               "SearchSchema": [{"AttributeName": "tenant", "SearchSchemaElementType": "HASH"}]}]})

    def step(self, client):
        key = {"id": {"S": f"{self.name}-{self.random.randrange(NUMBERS)}"}}
        kind, before = self.random.random(), self.book.get(key["id"]["S"])
        if kind < 0.2:
            return self._search(client, self.random.choice(TENANTS))
        if kind < 0.45:
            return self._done(client, "DeleteItem", {"TableName": TABLE, "Key": key}, {key["id"]["S"]: None})
        if kind < 0.65 and before is not None:
            moved = {"v": self._vector(), "tenant": {"S": self.random.choice(TENANTS)}}
            return self._done(client, "UpdateItem", {
                "TableName": TABLE, "Key": key, "UpdateExpression": "SET v = :v, tenant = :t",
                "ExpressionAttributeValues": {":v": moved["v"], ":t": moved["tenant"]}}, {key["id"]["S"]: before | moved})
        item = key | {"tenant": {"S": self.random.choice(TENANTS)}}
        # Items without a vector are not in the index.
        if self.random.random() < 0.9:
            item["v"] = self._vector()
        self._done(client, "PutItem", {"TableName": TABLE, "Item": item}, {key["id"]["S"]: item})

    def _vector(self):
        return {"L": [{"N": str(self.random.randrange(-50, 50))} for _ in range(DIMENSIONS)]}

    def _done(self, client, operation, body, change):
        self.book.pending = [change]
        self.ask(client, operation, body)
        self.book.apply(change)
        self.book.pending = []

    def _search(self, client, tenant):
        asked = self._vector()
        answer = self.ask(client, "SearchVectors", {
            "TableName": TABLE, "IndexName": "near", "SearchVector": asked["L"], "TopK": 100,
            "SearchConditionExpression": "tenant = :t", "ExpressionAttributeValues": {":t": {"S": tenant}}})
        found = [(one["Item"], one["Score"]) for one in answer["SearchResults"]]
        self._compare(tenant, asked, found)

    def _compare(self, tenant, asked, found):
        there = {item["id"]["S"]: item for item, _ in found}
        members = {name: item for name, item in self.book.rows.items() if item["tenant"]["S"] == tenant and "v" in item}
        # An index that projects everything leaves out the vector.
        expect(there == {name: {"id": item["id"], "tenant": item["tenant"]} for name, item in members.items()} and len(found) == len(members),
               f"{self.name}: the vector index has {sorted(there)} of {tenant}, the table {sorted(members)}")
        scores = [float(score) for _, score in found]
        expect(scores == sorted(scores), f"{self.name}: the results are not in order: {scores}")
        for item, score in found:
            distance = math.dist(numbers(members[item["id"]["S"]]["v"]), numbers(asked))
            expect(math.isclose(distance, float(score), rel_tol=1e-5, abs_tol=1e-5), f"{self.name}: {item} has the score {score}, not {distance}")

    def check(self, client):
        items = whole_scan(client, TABLE)
        self.book.settle({item["id"]["S"]: item for item in items}, self.name)
        check_table(client, TABLE, items, sizes=False)
        for tenant in TENANTS:
            self._search(client, tenant)


def numbers(vector):
    return [float(one["N"]) for one in vector["L"]]

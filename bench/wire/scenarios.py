"""What is asked of the servers, as data: the table, its items, and the list of scenarios.

To add a scenario, add an entry to SCENARIOS; README.md in the folder above shows how.
"""

import base64
import dataclasses
import random
import string
import typing

TABLE = "bench"
PARTITIONS = 10
ITEMS_PER_PARTITION = 100
ITEM_BYTES = 1024  # As DynamoDB counts: names and values of all attributes.

CREATE_TABLE = {
    "TableName": TABLE,
    "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"},
                             {"AttributeName": "sk", "AttributeType": "N"}],
    "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
    "BillingMode": "PAY_PER_REQUEST",
}

ALL = ("dolmen-os", "dolmen-memory", "dolmen-sync", "dynalite", "dynamodb-local")
AGAINST_PEERS = ("dolmen-os", "dynalite", "dynamodb-local")


@dataclasses.dataclass(frozen=True)
class Scenario:
    name: str
    operation: str
    bodies: typing.Callable[[], list]  # The requests' bodies, which are sent in this order, again and again.
    servers: tuple = AGAINST_PEERS     # The first one is what the others are compared with.
    connections: int = 16
    check: typing.Callable[[dict], bool] = lambda answer: True  # Is this the right answer to the first body?
    budget_us: float | None = None     # CPU of the first server for one request, from the design.
    beside_raw_sync: bool = False      # In turns with RocksDB alone, under 64 synchronous writers; so 64 connections.


# ---- Items ----------------------------------------------------------------------------------------------------------

def value_bytes(value):
    """The size of an attribute value by DynamoDB's rules."""
    (kind, content), = value.items()
    if kind == "S":
        return len(content.encode())
    if kind == "N":
        return (len(content.strip("-").replace(".", "")) + 1) // 2 + 1
    if kind == "B":
        return len(base64.b64decode(content))
    if kind == "SS":
        return sum(len(text.encode()) for text in content)
    if kind == "L":
        return 3 + sum(1 + value_bytes(element) for element in content)
    if kind == "M":
        return 3 + sum(1 + len(name) + value_bytes(element) for name, element in content.items())
    return 1  # BOOL and NULL


def item_bytes(item):
    return sum(len(name) + value_bytes(value) for name, value in item.items())


def key(partition, sort):
    return {"pk": {"S": f"customer#{partition:06}"}, "sk": {"N": str(sort)}}


def item(partition, sort):
    """An item of exactly ITEM_BYTES with all the common types; the same one each time."""
    dice = random.Random(partition * ITEMS_PER_PARTITION + sort)

    def text(length):
        return "".join(dice.choices(string.ascii_letters + string.digits + " ", k=length))

    whole = key(partition, sort) | {
        "name": {"S": text(24)},
        "created": {"S": f"2026-01-{1 + sort % 28:02}T12:00:00.000000000Z"},
        "version": {"N": str(dice.randrange(1, 1000))},
        "balance": {"N": f"{dice.randrange(1, 10**9)}.25"},
        "active": {"BOOL": sort % 2 == 0},
        "tags": {"SS": sorted({"red", "blue", text(8)})},
        "address": {"M": {"street": {"S": text(20)}, "city": {"S": text(10)}, "floor": {"N": "3"},
                          "box": {"NULL": True}}},
        "scores": {"L": [{"N": str(dice.randrange(100))} for _ in range(8)]},
        "thumbnail": {"B": base64.b64encode(dice.randbytes(256)).decode()},
    }
    return whole | {"notes": {"S": text(ITEM_BYTES - item_bytes(whole) - len("notes"))}}


def shuffled_keys():
    keys = [(partition, sort) for partition in range(PARTITIONS) for sort in range(ITEMS_PER_PARTITION)]
    random.Random(1).shuffle(keys)
    return keys


def puts():
    return [{"TableName": TABLE, "Item": item(*at)} for at in shuffled_keys()]


def groups_of(size):
    keys = shuffled_keys()
    return [keys[first:first + size] for first in range(0, len(keys), size)]


# ---- Scenarios ------------------------------------------------------------------------------------------------------

SCENARIOS = [
    Scenario("get", "GetItem", servers=ALL, budget_us=12,
             bodies=lambda: [{"TableName": TABLE, "Key": key(*at)} for at in shuffled_keys()],
             check=lambda answer: item_bytes(answer["Item"]) == ITEM_BYTES),
    Scenario("put", "PutItem", servers=ALL, budget_us=18, bodies=puts),
    Scenario("put-sync-64", "PutItem", servers=("dolmen-sync",), connections=64, beside_raw_sync=True, bodies=puts),
    Scenario("update", "UpdateItem",
             bodies=lambda: [{"TableName": TABLE, "Key": key(*at), "UpdateExpression": "SET version = version + :one",
                              "ExpressionAttributeValues": {":one": {"N": "1"}}} for at in shuffled_keys()]),
    Scenario("query-100", "Query", budget_us=150,
             bodies=lambda: [{"TableName": TABLE, "KeyConditionExpression": "pk = :pk",
                              "ExpressionAttributeValues": {":pk": key(partition, 0)["pk"]}}
                             for partition in range(PARTITIONS)],
             check=lambda answer: answer["Count"] == ITEMS_PER_PARTITION),
    Scenario("transact-write-4", "TransactWriteItems", budget_us=60,
             bodies=lambda: [{"TransactItems": [{"Put": {"TableName": TABLE, "Item": item(*at)}} for at in group]}
                             for group in groups_of(4)]),
    Scenario("batch-write-25", "BatchWriteItem", budget_us=250,
             bodies=lambda: [{"RequestItems": {TABLE: [{"PutRequest": {"Item": item(*at)}} for at in group]}}
                             for group in groups_of(25)],
             check=lambda answer: not answer.get("UnprocessedItems")),
]

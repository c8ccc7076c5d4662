"""What benchmarks ask of a server, as data: tables, items, and the bodies of requests."""

import base64
import functools
import random
import string

TABLE, STREAMED, VECTORS = "bench", "bench-stream", "vectors"
PARTITIONS = 10
ITEMS_PER_PARTITION = 100
ITEM_BYTES = 1024  # As DynamoDB counts: names and values of all attributes.
SMALL_ITEM_BYTES = 600  # A smaller item has no room for attributes of all types.
LONG_TEXT = 50_000  # Longer ones repeat themselves: making one takes as long as sending it.
DIMENSIONS = 64
LATER = "4102444800"  # A time to live in the year 2100.

CREATE_TABLE = {
    "TableName": TABLE,
    "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"},
                             {"AttributeName": "sk", "AttributeType": "N"}],
    "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
    "BillingMode": "PAY_PER_REQUEST",
}
STREAM = {"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"}
VECTOR_TABLE = {
    "TableName": VECTORS, "BillingMode": "PAY_PER_REQUEST",
    "AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "S"}],
    "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}],
    "VectorIndexes": [{"IndexName": "near", "VectorAttribute": {"AttributeName": "v"}, "Dimensions": DIMENSIONS,
                       "DistanceFunction": "COSINE", "Projection": {"ProjectionType": "KEYS_ONLY"}}],
}


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


@functools.cache
def long_text():
    return "".join(random.Random(1).choices(string.ascii_letters + string.digits + " ", k=LONG_TEXT))


def key(partition, sort):
    return {"pk": {"S": f"customer#{partition:06}"}, "sk": {"N": str(sort)}}


def item(partition, sort, size=ITEM_BYTES):
    """An item of exactly `size` bytes with all the common types, if they fit; the same one each time."""
    dice = random.Random(partition * ITEMS_PER_PARTITION + sort)

    def text(length):
        if length > LONG_TEXT:
            first = dice.randrange(LONG_TEXT)
            return (long_text() * (length // LONG_TEXT + 2))[first:first + length]
        return "".join(dice.choices(string.ascii_letters + string.digits + " ", k=length))

    whole = key(partition, sort)
    if size >= SMALL_ITEM_BYTES:
        whole |= {
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
    return whole | {"notes": {"S": text(size - item_bytes(whole) - len("notes"))}}


def vector_item(number):
    vector = [((number * 31 + place * 17) % 97) / 97 for place in range(DIMENSIONS)]
    return {"id": {"S": f"v{number}"}, "v": {"L": [{"N": f"{x:.6f}"} for x in vector]}}


def shuffled_keys(partitions=PARTITIONS):
    keys = [(partition, sort) for partition in range(partitions) for sort in range(ITEMS_PER_PARTITION)]
    random.Random(1).shuffle(keys)
    return keys


def groups_of(size):
    keys = shuffled_keys()
    return [keys[first:first + size] for first in range(0, len(keys), size)]


def indexed_table(indexes, **more):
    """The table with so many indexes of everything, each by another attribute that items have."""
    names = ["name", "created", "version", "balance", "notes"][:indexes]
    kinds = {"version": "N", "balance": "N"}
    table = CREATE_TABLE | more
    if indexes:
        table |= {
            "AttributeDefinitions": [*CREATE_TABLE["AttributeDefinitions"],
                                     *({"AttributeName": name, "AttributeType": kinds.get(name, "S")} for name in names)],
            "GlobalSecondaryIndexes": [{"IndexName": f"by-{name}", "KeySchema": [{"AttributeName": name, "KeyType": "HASH"}],
                                        "Projection": {"ProjectionType": "ALL"}} for name in names]}
    return table


# ---- Requests: each function gives the bodies of one operation, to be sent in this order, again and again ------------

def gets(table=TABLE):
    return [{"TableName": table, "Key": key(*at)} for at in shuffled_keys()]


def puts(table=TABLE, size=ITEM_BYTES, **more):
    return [{"TableName": table, "Item": item(*at, size) | more} for at in shuffled_keys()]


def changing_puts(size=ITEM_BYTES, **more):
    """Each item twice, with other attributes, so that the entries of its indexes move."""
    return puts(size=size, **more) + [
        {"TableName": TABLE, "Item": item(partition, (sort + 1) % ITEMS_PER_PARTITION, size) | key(partition, sort) | more}
        for partition, sort in shuffled_keys()]


def updates(table=TABLE, **more):
    return [{"TableName": table, "Key": key(*at), "UpdateExpression": "SET version = version + :one",
             "ExpressionAttributeValues": {":one": {"N": "1"}}} | more for at in shuffled_keys()]


def queries(table=TABLE):
    return [{"TableName": table, "KeyConditionExpression": "pk = :pk",
             "ExpressionAttributeValues": {":pk": key(partition, 0)["pk"]}} for partition in range(PARTITIONS)]


def batch_gets(table=TABLE):
    return [{"RequestItems": {table: {"Keys": [key(*at) for at in group]}}} for group in groups_of(25)]


def batch_writes(table=TABLE):
    return [{"RequestItems": {table: [{"PutRequest": {"Item": item(*at)}} for at in group]}} for group in groups_of(25)]


def transact_gets(table=TABLE):
    return [{"TransactItems": [{"Get": {"TableName": table, "Key": key(*at)}} for at in group]} for group in groups_of(4)]


def transact_writes(table=TABLE):
    return [{"TransactItems": [{"Put": {"TableName": table, "Item": item(*at)}} for at in group]} for group in groups_of(4)]


def selects(table=TABLE):
    return [{"Statement": f'SELECT * FROM "{table}" WHERE pk = ? AND sk = ?', "Parameters": list(key(*at).values())}
            for at in shuffled_keys()]


def searches(table=VECTORS):
    return [{"TableName": table, "IndexName": "near", "TopK": 10, "SearchVector": vector_item(number)["v"]["L"]}
            for number in range(50)]

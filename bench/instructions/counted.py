"""The requests whose instructions are counted, as data. To add one, add an entry to SCENARIOS and run with --update."""

import dataclasses
import pathlib
import sys
import typing

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "wire"))
from scenarios import CREATE_TABLE, PARTITIONS, TABLE, groups_of, item, key, puts, shuffled_keys  # noqa: E402

WITH_ALL = "with_all"  # A table with two indexes, a stream and a time to live.
VECTORS = "vectors"
DIMENSIONS = 64


@dataclasses.dataclass(frozen=True)
class Scenario:
    name: str
    operation: str
    bodies: typing.Callable[[], list]  # Sent in this order, again and again.
    requests: int = 100                # How many are counted.


def with_all_table():
    attributes = [*CREATE_TABLE["AttributeDefinitions"], {"AttributeName": "name", "AttributeType": "S"},
                  {"AttributeName": "created", "AttributeType": "S"}]
    indexes = [{"IndexName": f"by-{name}", "KeySchema": [{"AttributeName": name, "KeyType": "HASH"}],
                "Projection": {"ProjectionType": "ALL"}} for name in ("name", "created")]
    return CREATE_TABLE | {"TableName": WITH_ALL, "AttributeDefinitions": attributes, "GlobalSecondaryIndexes": indexes,
                           "StreamSpecification": {"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"}}


def vector(number):
    return [((number * 31 + place * 17) % 97) / 97 for place in range(DIMENSIONS)]


def vector_item(number):
    return {"id": {"S": f"v{number}"}, "v": {"L": [{"N": f"{x:.6f}"} for x in vector(number)]}}


VECTOR_TABLE = {
    "TableName": VECTORS, "BillingMode": "PAY_PER_REQUEST",
    "AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "S"}],
    "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}],
    "VectorIndexes": [{"IndexName": "near", "VectorAttribute": {"AttributeName": "v"}, "Dimensions": DIMENSIONS,
                       "DistanceFunction": "COSINE", "Projection": {"ProjectionType": "KEYS_ONLY"}}],
}


def set_up():
    """What is done before anything is counted: operations with their bodies."""
    yield "CreateTable", CREATE_TABLE
    yield "CreateTable", with_all_table()
    yield "UpdateTimeToLive", {"TableName": WITH_ALL, "TimeToLiveSpecification": {"Enabled": True, "AttributeName": "ttl"}}
    yield "CreateTable", VECTOR_TABLE
    for body in puts():
        yield "PutItem", body
    for number in range(200):
        yield "PutItem", {"TableName": VECTORS, "Item": vector_item(number)}


def updates(table, **more):
    return [{"TableName": table, "Key": key(*at), "UpdateExpression": "SET version = version + :one",
             "ExpressionAttributeValues": {":one": {"N": "1"}}} | more for at in shuffled_keys()]


def with_all_puts():
    return [{"TableName": WITH_ALL, "Item": item(*at) | {"ttl": {"N": "4102444800"}}} for at in shuffled_keys()]


SCENARIOS = [
    Scenario("get", "GetItem", lambda: [{"TableName": TABLE, "Key": key(*at)} for at in shuffled_keys()]),
    Scenario("get-projection", "GetItem", lambda: [
        {"TableName": TABLE, "Key": key(*at), "ProjectionExpression": "pk, address.city, scores[0]"} for at in shuffled_keys()]),
    Scenario("get-missing", "GetItem", lambda: [{"TableName": TABLE, "Key": key(999, 1)}]),
    Scenario("put", "PutItem", puts),
    Scenario("put-conditional", "PutItem", lambda: [
        body | {"ConditionExpression": "attribute_exists(pk)"} for body in puts()]),
    Scenario("put-refused", "PutItem", lambda: [{"TableName": TABLE, "Item": {"pk": {"S": "no sort key"}}}]),
    Scenario("put-with-everything", "PutItem", with_all_puts),
    Scenario("update", "UpdateItem", lambda: updates(TABLE)),
    Scenario("update-conditional", "UpdateItem", lambda: updates(
        TABLE, ConditionExpression="attribute_exists(pk)", ReturnValues="ALL_NEW")),
    Scenario("delete-missing", "DeleteItem", lambda: [{"TableName": TABLE, "Key": key(999, 1)}]),
    Scenario("query-100", "Query", requests=20, bodies=lambda: [
        {"TableName": TABLE, "KeyConditionExpression": "pk = :pk", "ExpressionAttributeValues": {":pk": key(partition, 0)["pk"]}}
        for partition in range(PARTITIONS)]),
    Scenario("query-filtered", "Query", requests=20, bodies=lambda: [
        {"TableName": TABLE, "KeyConditionExpression": "pk = :pk", "FilterExpression": "version > :n AND active = :true",
         "ExpressionAttributeValues": {":pk": key(partition, 0)["pk"], ":n": {"N": "900"}, ":true": {"BOOL": True}}}
        for partition in range(PARTITIONS)]),
    Scenario("scan-page", "Scan", requests=20, bodies=lambda: [{"TableName": TABLE, "Limit": 100}]),
    Scenario("batch-get-25", "BatchGetItem", requests=20, bodies=lambda: [
        {"RequestItems": {TABLE: {"Keys": [key(*at) for at in group]}}} for group in groups_of(25)]),
    Scenario("batch-write-25", "BatchWriteItem", requests=20, bodies=lambda: [
        {"RequestItems": {TABLE: [{"PutRequest": {"Item": item(*at)}} for at in group]}} for group in groups_of(25)]),
    Scenario("transact-write-4", "TransactWriteItems", requests=40, bodies=lambda: [
        {"TransactItems": [{"Put": {"TableName": TABLE, "Item": item(*at)}} for at in group]} for group in groups_of(4)]),
    Scenario("transact-get-4", "TransactGetItems", requests=40, bodies=lambda: [
        {"TransactItems": [{"Get": {"TableName": TABLE, "Key": key(*at)}} for at in group]} for group in groups_of(4)]),
    Scenario("statement-select", "ExecuteStatement", lambda: [
        {"Statement": f'SELECT * FROM "{TABLE}" WHERE pk = ? AND sk = ?', "Parameters": list(key(*at).values())}
        for at in shuffled_keys()]),
    Scenario("search-vectors", "SearchVectors", requests=40, bodies=lambda: [
        {"TableName": VECTORS, "IndexName": "near", "TopK": 10, "SearchVector": vector_item(number)["v"]["L"]}
        for number in range(50)]),
]

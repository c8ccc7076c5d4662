"""The requests whose instructions are counted, as data. To add one, add an entry to SCENARIOS and run with --update."""

import dataclasses
import pathlib
import sys
import typing

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from bodies import (CREATE_TABLE, LATER, STREAM, TABLE, VECTORS, VECTOR_TABLE, batch_gets, batch_writes, gets,  # noqa: E402
                    indexed_table, key, puts, queries, searches, selects, transact_gets, transact_writes, updates, vector_item)

WITH_ALL = "with_all"  # A table with two indexes, a stream and a time to live.


@dataclasses.dataclass(frozen=True)
class Scenario:
    name: str
    operation: str
    bodies: typing.Callable[[], list]  # Sent in this order, again and again.
    requests: int = 100                # How many are counted.


def set_up():
    """What is done before anything is counted: operations with their bodies."""
    yield "CreateTable", CREATE_TABLE
    yield "CreateTable", indexed_table(2, TableName=WITH_ALL, StreamSpecification=STREAM)
    yield "UpdateTimeToLive", {"TableName": WITH_ALL, "TimeToLiveSpecification": {"Enabled": True, "AttributeName": "ttl"}}
    yield "CreateTable", VECTOR_TABLE
    for body in puts():
        yield "PutItem", body
    for number in range(200):
        yield "PutItem", {"TableName": VECTORS, "Item": vector_item(number)}


SCENARIOS = [
    Scenario("get", "GetItem", gets),
    Scenario("get-again", "GetItem", lambda: gets()[:10]),  # Rows that are read often are kept in memory.
    Scenario("get-projection", "GetItem", lambda: [body | {"ProjectionExpression": "pk, address.city, scores[0]"} for body in gets()]),
    Scenario("get-missing", "GetItem", lambda: [{"TableName": TABLE, "Key": key(999, 1)}]),
    Scenario("put", "PutItem", puts),
    Scenario("put-conditional", "PutItem", lambda: [
        body | {"ConditionExpression": "attribute_exists(pk)"} for body in puts()]),
    Scenario("put-refused", "PutItem", lambda: [{"TableName": TABLE, "Item": {"pk": {"S": "no sort key"}}}]),
    Scenario("put-with-everything", "PutItem", lambda: puts(WITH_ALL, ttl={"N": LATER})),
    Scenario("update", "UpdateItem", updates),
    Scenario("update-conditional", "UpdateItem", lambda: updates(
        ConditionExpression="attribute_exists(pk)", ReturnValues="ALL_NEW")),
    Scenario("delete-missing", "DeleteItem", lambda: [{"TableName": TABLE, "Key": key(999, 1)}]),
    Scenario("query-100", "Query", requests=20, bodies=queries),
    Scenario("query-filtered", "Query", requests=20, bodies=lambda: [
        body | {"FilterExpression": "version > :n AND active = :true", "ExpressionAttributeValues": {
            **body["ExpressionAttributeValues"], ":n": {"N": "900"}, ":true": {"BOOL": True}}} for body in queries()]),
    Scenario("scan-page", "Scan", requests=20, bodies=lambda: [{"TableName": TABLE, "Limit": 100}]),
    Scenario("batch-get-25", "BatchGetItem", requests=20, bodies=batch_gets),
    Scenario("batch-write-25", "BatchWriteItem", requests=20, bodies=batch_writes),
    Scenario("transact-write-4", "TransactWriteItems", requests=40, bodies=transact_writes),
    Scenario("transact-get-4", "TransactGetItems", requests=40, bodies=transact_gets),
    Scenario("statement-select", "ExecuteStatement", selects),
    Scenario("search-vectors", "SearchVectors", requests=40, bodies=searches),
]

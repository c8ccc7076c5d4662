"""What is asked of the servers, as data: the list of scenarios.

To add a scenario, add an entry to SCENARIOS; README.md in the folder above shows how.
"""

import dataclasses
import time
import typing

import bodies
from bodies import CREATE_TABLE, ITEM_BYTES, ITEMS_PER_PARTITION, STREAM, STREAMED, TABLE, VECTORS
from programs import Broken

DOLMEN = ("dolmen-os",)
AGAINST_PEERS = (*DOLMEN, "dolmen-beside", "dynalite", "dynoxide", "dynamodb-local", "dynamodb-local-1")
ALL = (*AGAINST_PEERS, "dolmen-memory", "dolmen-sync", "null", "epoll", "io-uring", "redis")


@dataclasses.dataclass(frozen=True)
class Scenario:
    name: str
    operation: str
    bodies: typing.Callable  # Of a server: the requests' bodies, which are sent in this order, again and again.
    servers: tuple = AGAINST_PEERS     # The first one is what the others are compared with.
    connections: int = 16
    check: typing.Callable[[dict], bool] = lambda answer: True  # Is this the right answer to the first body?
    budget_us: float | None = None     # CPU of the first server for one request, from the design.
    beside_raw_sync: bool = False      # In turns with RocksDB alone, under 64 synchronous writers; so 64 connections.


def record_reads(server):
    """Reads of 100 records of a stream, after a table with one has been made and filled."""
    server.create(CREATE_TABLE | {"TableName": STREAMED, "StreamSpecification": STREAM})
    server.put_all(bodies.puts(STREAMED))
    arn = server.must("DescribeTable", {"TableName": STREAMED})["Table"].get("LatestStreamArn")
    if not arn:
        raise Broken("it has no streams")
    found = []
    # DynamoDB Local needs a moment until records can be read.
    for _ in range(50):
        for shard in server.must("DescribeStream", {"StreamArn": arn})["StreamDescription"]["Shards"]:
            begin = server.must("GetShardIterator", {"StreamArn": arn, "ShardId": shard["ShardId"],
                                                     "ShardIteratorType": "TRIM_HORIZON"})["ShardIterator"]
            read = {"ShardIterator": begin, "Limit": 100}
            if len(server.must("GetRecords", read)["Records"]) == 100:
                found.append(read)
        if found:
            return found
        time.sleep(0.1)
    raise Broken("no shard of the stream has 100 records")


def vector_searches(server):
    server.create(bodies.VECTOR_TABLE)
    server.put_all({"TableName": VECTORS, "Item": bodies.vector_item(number)} for number in range(1000))
    return bodies.searches()


SCENARIOS = [
    Scenario("get", "GetItem", servers=ALL, budget_us=12, bodies=lambda _: bodies.gets(),
             check=lambda answer: bodies.item_bytes(answer["Item"]) == ITEM_BYTES),
    Scenario("put", "PutItem", servers=ALL, budget_us=18, bodies=lambda _: bodies.puts()),
    Scenario("put-sync-64", "PutItem", servers=("dolmen-sync",), connections=64, beside_raw_sync=True,
             bodies=lambda _: bodies.puts()),
    Scenario("update-if", "UpdateItem", bodies=lambda _: bodies.updates(ConditionExpression="attribute_exists(pk)")),
    Scenario("query-100", "Query", budget_us=150, bodies=lambda _: bodies.queries(),
             check=lambda answer: answer["Count"] == ITEMS_PER_PARTITION),
    Scenario("scan-100", "Scan", bodies=lambda _: [{"TableName": TABLE, "Limit": 100}],
             check=lambda answer: answer["Count"] == 100),
    Scenario("transact-write-4", "TransactWriteItems", budget_us=60, bodies=lambda _: bodies.transact_writes()),
    Scenario("transact-get-4", "TransactGetItems", bodies=lambda _: bodies.transact_gets(),
             check=lambda answer: len(answer["Responses"]) == 4),
    Scenario("batch-get-25", "BatchGetItem", bodies=lambda _: bodies.batch_gets(),
             check=lambda answer: len(answer["Responses"][TABLE]) == 25),
    Scenario("batch-write-25", "BatchWriteItem", budget_us=250, bodies=lambda _: bodies.batch_writes(),
             check=lambda answer: not answer.get("UnprocessedItems")),
    Scenario("select", "ExecuteStatement", bodies=lambda _: bodies.selects(),
             check=lambda answer: len(answer["Items"]) == 1),
    Scenario("search-vectors", "SearchVectors", bodies=vector_searches,
             check=lambda answer: len(answer["SearchResults"]) == 10),
    Scenario("get-records", "GetRecords", bodies=record_reads, check=lambda answer: len(answer["Records"]) == 100),
]

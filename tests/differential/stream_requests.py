"""Streams: what a consumer finds in the stream of a table that was written to, and what is refused."""

import mistakes
import values
from steps import Call
from story import AT_BEGINNING, Story
from world import definitions, schema

VIEWS = ("KEYS_ONLY", "NEW_IMAGE", "OLD_IMAGE", "NEW_AND_OLD_IMAGES")


def key(world):
    """All items have one partition key, so that their records are in one shard."""
    return {"p": {"S": "one"}, "s": {"N": world.random.choice(("1", "2", "3.5", "-4"))}}


def item(world):
    return key(world) | {name: values.value(world.random) for name in world.random.sample("abc", world.random.randrange(3))}


def write(world, name):
    random = world.random
    match random.randrange(6):
        case 0 | 1:
            return ["PutItem", {"TableName": name, "Item": item(world)}]
        case 2:
            expression = random.choice(("SET a = :v", "SET a = :v REMOVE b", "SET a = if_not_exists(a, :v)"))
            return ["UpdateItem", {"TableName": name, "Key": key(world), "UpdateExpression": expression,
                                   "ExpressionAttributeValues": {":v": values.value(random)}}]
        case 3:
            return ["DeleteItem", {"TableName": name, "Key": key(world)}]
        case 4:
            return ["BatchWriteItem", {"RequestItems": {name: [
                {"PutRequest": {"Item": item(world) | {"s": {"N": "10"}}}}, {"DeleteRequest": {"Key": key(world)}}]}}]
    return ["TransactWriteItems", {"TransactItems": [
        {"Put": {"TableName": name, "Item": item(world) | {"s": {"N": "11"}}}},
        {"Delete": {"TableName": name, "Key": key(world)}}]}]


def iterator(world):
    """A request for an iterator; most are right."""
    random = world.random
    kind = random.choice(("TRIM_HORIZON", "LATEST", "AT_SEQUENCE_NUMBER", "AFTER_SEQUENCE_NUMBER"))
    body = AT_BEGINNING | {"ShardIteratorType": kind}
    if kind.endswith("NUMBER"):
        body["SequenceNumber"] = random.choice(("<first>", "<last>"))
    return body


def wrong_iterator(world):
    body = iterator(world)
    match world.random.randrange(7):
        case 0:
            body["ShardIteratorType"] = world.random.choice(("SOME", "", None))
        case 1:
            body["SequenceNumber"] = world.random.choice(("1", "x" * 21, "", "9" * 41))
        case 2:
            body.pop("SequenceNumber", None)
        case 3:
            body["SequenceNumber"] = "<first>"
        case 4:
            body["ShardId"] = world.random.choice(("shardId-00000001400000000000-00000000", "x" * 28, "x", ""))
        case 5:
            body["StreamArn"] = world.random.choice(("<unknown arn>", "<label>", "x", "x" * 40, ""))
        case 6:
            body.pop(world.random.choice(list(body)))
    return body


def request(world, name):
    random = world.random
    match random.randrange(10):
        case 0 | 1 | 2:
            return "GetRecords", "whole stream"
        case 3:
            return "GetRecords", {"ShardIterator": "<iterator>", "Limit": random.choice((1, 2, 1000, 0, -1, 1001))}
        case 4:
            return "GetRecords", {"ShardIterator": random.choice(("<iterator>", "<iterator>", "x", "", "<arn>|1|AAAA"))}
        case 5:
            return "GetShardIterator", iterator(world)
        case 6 | 7:
            return "GetShardIterator", wrong_iterator(world)
        case 8:
            described = {"StreamArn": random.choice(("<arn>", "<arn>", "<unknown arn>", "x", "x" * 40, ""))}
            if world.chance(0.5):
                described |= random.choice(({"Limit": 1}, {"Limit": 0}, {"Limit": 101}, {"Limit": 100},
                                            {"ExclusiveStartShardId": "x"}))
            return "DescribeStream", described
    return "ListStreams", {"TableName": random.choice((name, name, f"{name}-none", "ab", ""))} | random.choice((
        {}, {}, {"Limit": 1}, {"Limit": 0}, {"Limit": 101}, {"Limit": -1}, {"ExclusiveStartStreamArn": "x"}))


def stream(world):
    world.stories += 1
    name = f"{world.lane}-stream{world.stories}"
    create = {"TableName": name, "BillingMode": "PAY_PER_REQUEST", "KeySchema": schema("p", "s"),
              "AttributeDefinitions": definitions(p="S", s="N"),
              "StreamSpecification": {"StreamEnabled": True, "StreamViewType": world.random.choice(VIEWS)}}
    # An item of its own, so that there is a record in any case.
    before = [["PutItem", {"TableName": name, "Item": key(world) | {"s": {"N": "0"}}}],
              *(write(world, name) for _ in range(world.random.randrange(12)))]
    if world.chance(0.2):
        before.append(["UpdateTable", {"TableName": name, "StreamSpecification": {"StreamEnabled": False}}])
    operation, body = request(world, name)
    if isinstance(body, dict) and world.chance(0.1):
        body = mistakes.with_mistake(world, Call(operation, body)).body
    return [Story(operation, {"create": create, "before": before, "iterator": iterator(world), "request": body})]

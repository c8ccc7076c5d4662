"""CreateTable with right and many wrong definitions, DescribeTable, DeleteTable, ListTables."""

import copy

from steps import Call
from world import definitions, projection, schema

UNITS = {"ReadCapacityUnits": 1, "WriteCapacityUnits": 2}


def right_definition(world, name):
    random = world.random
    body = {"TableName": name, "KeySchema": schema("p", "s") if world.chance(0.8) else schema("p"),
            "AttributeDefinitions": definitions(p=random.choice("SNB"), s=random.choice("SNB"), i=random.choice("SNB"))}
    body |= {"BillingMode": "PAY_PER_REQUEST"} if world.chance(0.6) else {"ProvisionedThroughput": dict(UNITS)}
    used = {element["AttributeName"] for element in body["KeySchema"]}
    if "s" in used and world.chance(0.5):
        body["LocalSecondaryIndexes"] = [
            {"IndexName": f"local{n}", "KeySchema": schema("p", random.choice("si")), "Projection": some_projection(world)}
            for n in range(random.choice((1, 1, 2, 5)))]
    if world.chance(0.5):
        units = {"ProvisionedThroughput": dict(UNITS)} if "ProvisionedThroughput" in body else {}
        body["GlobalSecondaryIndexes"] = [
            {"IndexName": f"global{n}", "KeySchema": schema(*random.choice((("i",), ("i", "p"), ("p", "i"), ("s", "i")))),
             "Projection": some_projection(world)} | copy.deepcopy(units) for n in range(random.choice((1, 1, 2, 3)))]
    for index in body.get("LocalSecondaryIndexes", []) + body.get("GlobalSecondaryIndexes", []):
        used |= {element["AttributeName"] for element in index["KeySchema"]}
    body["AttributeDefinitions"] = [one for one in body["AttributeDefinitions"] if one["AttributeName"] in used]
    return body


def some_projection(world):
    return world.random.choice((projection("ALL"), projection("KEYS_ONLY"), projection("INCLUDE", "x", "y")))


def spoil(world, body):
    """Makes one thing wrong."""
    random = world.random
    indexes = body.get("LocalSecondaryIndexes", []) + body.get("GlobalSecondaryIndexes", [])
    index = random.choice(indexes) if indexes else None
    part = random.choice(("keys", "definitions", "index", "index", "billing", "name"))
    if part == "keys":
        body["KeySchema"] = random.choice((
            [], schema("p", "p"), schema("s"), schema("q", "r"), schema("p", "s", ) + schema("i"), schema("p", "s")[::-1],
            schema("p") + schema("s"), [{"AttributeName": "p", "KeyType": "RANGE"}], [{"AttributeName": "p"}],
            [{"KeyType": "HASH"}], [{"AttributeName": "p", "KeyType": "HASHED"}], [{"AttributeName": "", "KeyType": "HASH"}],
            [{"AttributeName": "p" * 256, "KeyType": "HASH"}]))
    elif part == "definitions":
        body["AttributeDefinitions"] = random.choice((
            [], definitions(p="S"), definitions(p="S", s="N", i="S", x="B"), definitions(p="S") * 2, definitions(q="S"),
            definitions(p="BOOL", s="S"), [{"AttributeName": "p"}], body.get("AttributeDefinitions", []) + definitions(unused="S")))
    elif part == "billing":
        body |= random.choice(({"BillingMode": "PROVISIONED"}, {"BillingMode": "NONE"}, {"ProvisionedThroughput": dict(UNITS)},
                               {"ProvisionedThroughput": {"ReadCapacityUnits": 0, "WriteCapacityUnits": -1}},
                               {"ProvisionedThroughput": {"ReadCapacityUnits": 1}}, {"BillingMode": "PAY_PER_REQUEST"},
                               {"ProvisionedThroughput": {"ReadCapacityUnits": 1000000000001, "WriteCapacityUnits": 1}},
                               {"StreamSpecification": {"StreamEnabled": True}}))
    elif part == "name":
        body["TableName"] = random.choice(("ab", "", "bad name", "x" * 256, None))
    elif index is None:
        body.pop(random.choice(list(body)))
    else:
        spoil_index(world, body, index)
    return body


def spoil_index(world, body, index):
    random = world.random
    kind = random.choice([member for member in ("LocalSecondaryIndexes", "GlobalSecondaryIndexes") if member in body])
    match random.randrange(5):
        case 0:
            index["KeySchema"] = random.choice(([], schema("i"), schema("i", "p"), schema("q"), schema("p", "p"), schema("p", "q"),
                                                schema("p", "i")[::-1], schema("p") + schema("i"), schema("s", "i")))
        case 1:
            index["Projection"] = random.choice((
                {}, None, projection("SOME"), projection("ALL", "x"), projection("KEYS_ONLY", "x"), projection("INCLUDE"),
                projection("INCLUDE", "x", "x"), {"NonKeyAttributes": ["x"]}, {"ProjectionType": "INCLUDE", "NonKeyAttributes": []},
                projection("INCLUDE", *[f"x{n}" for n in range(21)]), projection("INCLUDE", "p")))
        case 2:
            index["IndexName"] = random.choice(("ab", "", "bad name", "x" * 256, None, body[kind][0]["IndexName"]))
        case 3:
            body[kind] = random.choice(([], [index | {"IndexName": f"many{n}"} for n in range(
                random.choice((5, 6) if kind.startswith("Local") else (20, 21)))]))
        case 4:
            if "ProvisionedThroughput" in index:
                index.pop("ProvisionedThroughput")
            else:
                index["ProvisionedThroughput"] = dict(UNITS)


def table_life(world):
    """A table is made, described and deleted again; most of the definitions are wrong in one or two ways."""
    name = f"{world.lane}-t{world.random.randrange(3)}"
    body = right_definition(world, name)
    if world.chance(0.75):
        spoil(world, body)
    if world.chance(0.2):
        spoil(world, body)
    steps = [Call("CreateTable", body)]
    if world.chance(0.2):
        steps.append(Call("CreateTable", body))
    if world.chance(0.3):
        steps.append(Call("DescribeTable", {"TableName": world.random.choice((name, name, f"{world.lane}-none", "ab"))}))
    return [*steps, Call("DeleteTable", {"TableName": name})]


def describe_tables(world):
    return [Call(world.random.choice(("DescribeTable", "DeleteTable")),
                 {"TableName": world.random.choice((f"{world.lane}-none", "ab", "", "bad name", None, "x" * 256))}),
            Call("DescribeTable", {"TableName": world.table().name})]


def list_tables(world):
    """Only for a lane that runs alone: it sees the tables of all."""
    random, body = world.random, {}
    if world.chance(0.7):
        body["Limit"] = random.choice((1, 2, 3, 100, 0, 101, -1))
    if world.chance(0.5):
        body["ExclusiveStartTableName"] = random.choice((world.wide.name, world.odd.name, "aaa", "zzz", "ab", "bad name", ""))
    return [Call("ListTables", body)]

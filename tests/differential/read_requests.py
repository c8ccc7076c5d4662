"""Query and Scan."""

import values
from expressions import NAMES, Expressions
from item_requests import key, reports
from steps import Call, Walk

SELECTS = ("COUNT", "ALL_ATTRIBUTES", "ALL_PROJECTED_ATTRIBUTES", "SPECIFIC_ATTRIBUTES")
INDEX_MISTAKES = ("missing-index", "ab", "no/name")


def index_of(world, table):
    if not table.indexes or world.chance(0.45):
        return world.random.choice(INDEX_MISTAKES) if world.chance(0.01) else None
    return world.random.choice(list(table.indexes))


def start_key(world, table, index):
    """A key to start after: one that an answer gave, or a made one that may be wrong."""
    random = world.random
    if world.start_keys and random.random() < 0.3:
        return random.choice(world.start_keys)
    made = key(world, table)
    for name, kind in table.keys_of(index).items():
        made.setdefault(name, values.index_key_value(random, kind))
    if random.random() < 0.1:
        made.pop(random.choice(list(made)), None)
    if random.random() < 0.1:
        made[random.choice(("x", "a", *made))] = random.choice((values.scalar(random), values.bad_value(random)))
    return made


def common(world, table, index, body, expressions):
    random = world.random
    if index:
        body["IndexName"] = index
    if world.chance(0.4):
        body["FilterExpression"] = expressions.condition()
    if world.chance(0.3):
        body["ProjectionExpression"] = expressions.projection()
    if world.chance(0.2):
        body["Select"] = random.choice(SELECTS)
    if world.chance(0.15):
        body["ConsistentRead"] = world.chance(0.7)
    if world.chance(0.004):
        body["Limit"] = random.choice((0, -1))
    return reports(world, expressions.add_to(body), metrics=False)


def query(world):
    table = world.table()
    index = index_of(world, table)
    keys = table.keys_of(index) if index in (None, *table.indexes) else table.keys
    # Attributes that are no keys, because a filter on one is refused.
    expressions = Expressions(world, NAMES if world.chance(0.98) else (*NAMES, *keys))
    body = {"TableName": world.table_name(table)}
    if world.chance(0.995):
        body["KeyConditionExpression"] = expressions.key_condition(keys)
    if world.chance(0.4):
        body["ScanIndexForward"] = world.chance(0.3)
    common(world, table, index, body, expressions)
    if world.chance(0.07):
        body["ExclusiveStartKey"] = start_key(world, table, index if index in table.indexes else None)
    if not world.chance(0.4):
        return [Call("Query", body)]
    body.setdefault("Limit", world.random.choice((1, 2, 3, 5)))
    # Where keys of an index are equal, AWS promises no order, so pages there can be compared only all together.
    if index or world.chance(0.4):
        return [Walk("Query", body)]
    return [Call("Query", body)]


def scan(world):
    table = world.table()
    index = index_of(world, table)
    expressions = Expressions(world)
    body = common(world, table, index, {"TableName": world.table_name(table)}, expressions)
    if world.chance(0.03):
        return [Call("Scan", body | {"ExclusiveStartKey": start_key(world, table, None)} | {"Limit": 1, "Select": "COUNT"})]
    if world.chance(0.2):
        segments = world.random.choice((1, 2, 3))
        # Each server cuts a table into segments of its own, so only what is wrong with a part of it can be compared.
        return [Call("Scan", body | segment) for segment in wrong_segments(world, segments)]
    if not world.chance(0.3):
        return [Call("Scan", body)]
    return [Walk("Scan", body | {"Limit": world.random.choice((1, 2, 4, 7))})]


def wrong_segments(world, segments):
    return [world.random.choice(({"Segment": segments, "TotalSegments": segments}, {"Segment": 0}, {"TotalSegments": 2},
                                 {"Segment": -1, "TotalSegments": 1}, {"Segment": 0, "TotalSegments": 0},
                                 {"Segment": 1000000, "TotalSegments": 1000001}, {"Segment": 0, "TotalSegments": 1}))]

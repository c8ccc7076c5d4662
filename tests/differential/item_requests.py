"""PutItem, GetItem, UpdateItem, DeleteItem."""

import values
from expressions import Expressions
from steps import Call

RETURN_VALUES = ("NONE", "ALL_OLD", "UPDATED_OLD", "ALL_NEW", "UPDATED_NEW")


def key(world, table):
    made = {name: values.key_value(world.random, kind) for name, kind in table.keys.items()}
    if world.chance(0.006):
        made.pop(world.random.choice(list(made)))
    if world.chance(0.005):
        made["extra"] = {"S": "x"}
    return made


def item(world, table):
    random = world.random
    made = key(world, table)
    for _ in range(random.randrange(7)):
        made.setdefault(random.choice(("a", "b", "c", "d", "m", "ss", "name")), values.value(random))
    for name, kind in table.index_keys.items():
        if random.random() < 0.7:
            made[name] = values.index_key_value(random, kind)
    if world.chance(0.012):
        made[random.choice(("a", "b", ""))] = values.bad_value(random)
    if world.chance(0.003):
        made["large"] = {"S": "x" * random.choice((1000, 4000, 5000, 20000))}
    if world.chance(0.001):
        made["large"] = {"S": "x" * random.choice((409_500, 409_590, 409_600))}
    return made


def reports(world, body, metrics=True):
    """What the answer is to tell of costs."""
    if world.chance(0.25):
        body["ReturnConsumedCapacity"] = world.random.choice(("TOTAL", "INDEXES", "NONE"))
    if metrics and world.chance(0.08):
        body["ReturnItemCollectionMetrics"] = world.random.choice(("SIZE", "NONE"))
    if world.chance(0.002):
        body["ReturnConsumedCapacity"] = "SOME"
    return body


def on_failure(world, body):
    if world.chance(0.25):
        body["ReturnValuesOnConditionCheckFailure"] = world.random.choice(("ALL_OLD", "ALL_OLD", "NONE"))
    return body


def put_item(world):
    table = world.table()
    body = {"TableName": world.table_name(table), "Item": item(world, table)}
    if world.chance(0.35):
        expressions = Expressions(world)
        body["ConditionExpression"] = expressions.condition()
        on_failure(world, expressions.add_to(body))
    if world.chance(0.3):
        body["ReturnValues"] = "ALL_OLD" if world.chance(0.95) else world.random.choice(RETURN_VALUES)
    return [Call("PutItem", reports(world, body))]


def update_item(world):
    table = world.table()
    body = {"TableName": world.table_name(table), "Key": key(world, table)}
    expressions = Expressions(world)
    if world.chance(0.97):
        body["UpdateExpression"] = expressions.update()
    if world.chance(0.2):
        body["ConditionExpression"] = expressions.condition()
        on_failure(world, body)
    expressions.add_to(body)
    if world.chance(0.8):
        body["ReturnValues"] = world.random.choice(RETURN_VALUES)
    return [Call("UpdateItem", reports(world, body))]


def delete_item(world):
    table = world.table()
    body = {"TableName": world.table_name(table), "Key": key(world, table)}
    if world.chance(0.5):
        expressions = Expressions(world)
        body["ConditionExpression"] = expressions.condition()
        on_failure(world, expressions.add_to(body))
    if world.chance(0.5):
        body["ReturnValues"] = "ALL_OLD" if world.chance(0.95) else world.random.choice(RETURN_VALUES)
    return [Call("DeleteItem", reports(world, body))]


def get_item(world):
    table = world.table()
    body = {"TableName": world.table_name(table), "Key": key(world, table)}
    if world.chance(0.6):
        expressions = Expressions(world)
        body["ProjectionExpression"] = expressions.projection()
        expressions.add_to(body)
    if world.chance(0.2):
        body["ConsistentRead"] = world.chance(0.8)
    return [Call("GetItem", reports(world, body, metrics=False))]

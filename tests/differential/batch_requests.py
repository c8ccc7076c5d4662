"""BatchGetItem, BatchWriteItem, TransactWriteItems, TransactGetItems."""

import values
from expressions import Expressions
from item_requests import item, key, on_failure, reports
from steps import Call


def batch_write(world):
    random, requests = world.random, {}
    for _ in range(random.choice((1, 1, 2, 3, 5))):
        table = world.table()
        one = {"PutRequest": {"Item": item(world, table)}} if world.chance(0.7) else \
            {"DeleteRequest": {"Key": key(world, table)}}
        if world.chance(0.005):
            one = random.choice(({}, one | {"DeleteRequest": {"Key": key(world, table)}}))
        requests.setdefault(world.table_name(table), []).append(one)
    if world.chance(0.01):
        requests = random.choice(({}, {world.simple.name: []}, many_writes(world, 26), many_writes(world, 25)))
    return [Call("BatchWriteItem", reports(world, {"RequestItems": requests}))]


def many_writes(world, count):
    return {world.simple.name: [{"PutRequest": {"Item": {"k": {"S": f"m{n}"}}}} for n in range(count)]}


def batch_get(world):
    random, requests = world.random, {}
    for _ in range(random.choice((1, 1, 2, 3, 5))):
        table = world.table()
        requests.setdefault(world.table_name(table), {"Keys": []})["Keys"].append(key(world, table))
    for one in requests.values():
        if world.chance(0.4):
            expressions = Expressions(world)
            one["ProjectionExpression"] = expressions.projection()
            expressions.values.clear()
            expressions.add_to(one)
            one.pop("ExpressionAttributeValues", None)
        if world.chance(0.3):
            one["ConsistentRead"] = world.chance(0.7)
    if world.chance(0.01):
        many = [{"k": {"S": f"m{n}"}} for n in range(random.choice((100, 101)))]
        requests = random.choice(({}, {world.simple.name: {"Keys": []}}, {world.simple.name: {"Keys": many}}))
    return [Call("BatchGetItem", reports(world, {"RequestItems": requests}, metrics=False))]


def action(world):
    table = world.table()
    expressions, kind = Expressions(world), world.random.choices(("Put", "Update", "Delete", "ConditionCheck"), (4, 4, 2, 2))[0]
    body = {"TableName": world.table_name(table)}
    body |= {"Item": item(world, table)} if kind == "Put" else {"Key": key(world, table)}
    if kind == "Update":
        body["UpdateExpression"] = expressions.update() if world.chance(0.5) else \
            f"SET a = {expressions.value(values.scalar(world.random))}"
    if kind == "ConditionCheck" or world.chance(0.3):
        partition = next(iter(table.keys))
        body["ConditionExpression"] = expressions.condition() if world.chance(0.4) else world.random.choice((
            f"attribute_exists({partition})", f"attribute_not_exists({partition})", f"attribute_not_exists({partition})"))
        on_failure(world, body)
    return {kind: expressions.add_to(body)}


def transact_write(world):
    random = world.random
    body = {"TransactItems": [action(world) for _ in range(random.choice((1, 1, 2, 2, 3, 4)))]}
    if world.chance(0.008):
        body["TransactItems"] = random.choice(([], [{}], [action(world) | action(world)], [
            {"Put": {"TableName": world.simple.name, "Item": {"k": {"S": f"t{n}"}}}} for n in range(random.choice((100, 101)))]))
    reports(world, body)
    if not world.chance(0.06):
        return [Call("TransactWriteItems", body)]
    body["ClientRequestToken"] = f"{world.lane}-{random.randrange(10**9)}" if world.chance(0.95) else "t" * random.choice((0, 36, 37))
    again = body if world.chance(0.6) else body | {"TransactItems": [action(world)]}
    return [Call("TransactWriteItems", body), Call("TransactWriteItems", again)]


def transact_get(world):
    gets = []
    for _ in range(world.random.choice((1, 1, 2, 3))):
        table = world.table()
        get = {"TableName": world.table_name(table), "Key": key(world, table)}
        if world.chance(0.4):
            expressions = Expressions(world)
            get["ProjectionExpression"] = expressions.projection()
            if expressions.names:
                get["ExpressionAttributeNames"] = expressions.names
        gets.append({"Get": get})
    if world.chance(0.005):
        gets = world.random.choice(([], [{}], gets * 2))
    return [Call("TransactGetItems", reports(world, {"TransactItems": gets}, metrics=False))]

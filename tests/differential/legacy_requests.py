"""The parameters that came before expressions: AttributeUpdates, Expected, KeyConditions, QueryFilter, ScanFilter, AttributesToGet,
ConditionalOperator."""

import values
from item_requests import RETURN_VALUES, item, key, reports
from read_requests import index_of
from steps import Call

NAMES = ("a", "b", "c", "d", "m", "ss")
OPERATORS = ("EQ", "NE", "LE", "LT", "GE", "GT", "NOT_NULL", "NULL", "CONTAINS", "NOT_CONTAINS", "BEGINS_WITH", "IN", "BETWEEN")
KEY_OPERATORS = ("EQ", "LE", "LT", "GE", "GT", "BEGINS_WITH", "BETWEEN")


def is_taken(connection, table):
    """Whether the server knows these parameters at all."""
    answer, = Call("GetItem", {"TableName": table.name, "Key": {"k": {"S": "x"}}, "AttributesToGet": ["a"]}).run([connection])
    return answer.status == 200


def arguments(world, operator, make):
    counts = {"NULL": 0, "NOT_NULL": 0, "BETWEEN": 2, "IN": world.random.choice((1, 2, 3))}
    count = counts.get(operator, 1) if world.chance(0.97) else world.random.randrange(4)
    return [make() for _ in range(count)]


def condition(world):
    """An entry of QueryFilter or ScanFilter."""
    random = world.random
    operator = random.choice(OPERATORS) if world.chance(0.99) else "EQUALS"
    kind = values.value(random)
    same = world.chance(0.7)
    listed = arguments(world, operator, lambda: kind if same and world.chance(0.3) else
                       {"N": values.number(random)} if same and "N" in kind else
                       {"S": random.choice(values.STRINGS)} if same and "S" in kind else values.value(random))
    made = {"ComparisonOperator": operator}
    if listed or world.chance(0.2):
        made["AttributeValueList"] = listed
    return made


def expectation(world):
    """An entry of Expected."""
    random = world.random
    match random.randrange(6):
        case 0:
            return {"Exists": False} if world.chance(0.9) else {"Exists": False, "Value": values.scalar(random)}
        case 1 | 2:
            return {"Value": values.value(random)} | ({"Exists": True} if world.chance(0.3) else {})
        case 3:
            return {"ComparisonOperator": random.choice(OPERATORS), "Value": values.value(random)}
        case 4 if world.chance(0.1):
            return random.choice(({}, {"Exists": True}, {"Exists": True, "ComparisonOperator": "EQ"}, {"AttributeValueList": []},
                                  {"Value": {"S": "x"}, "AttributeValueList": [{"S": "x"}], "ComparisonOperator": "EQ"}))
    return condition(world)


def several(world, make, names=NAMES):
    return {name: make(world) for name in world.random.sample(names, world.random.choice((1, 1, 1, 2, 3)))}


def combine(world, body, conditions):
    if len(conditions) > 1 and world.chance(0.5) or world.chance(0.02):
        body["ConditionalOperator"] = world.random.choice(("AND", "OR", "OR")) if world.chance(0.98) else "XOR"
    return body


def expected(world, body):
    if world.chance(0.6):
        body["Expected"] = several(world, expectation)
        combine(world, body, body["Expected"])
    if world.chance(0.01):
        body["ConditionExpression"] = "attribute_exists(a)"
    return reports(world, body)


def put_item(world):
    table = world.table()
    body = expected(world, {"TableName": table.name, "Item": item(world, table)})
    return [Call("PutItem", body | ({"ReturnValues": "ALL_OLD"} if world.chance(0.3) else {}))]


def delete_item(world):
    table = world.table()
    return [Call("DeleteItem", expected(world, {"TableName": table.name, "Key": key(world, table), "ReturnValues": "ALL_OLD"}))]


def attribute_update(world):
    random = world.random
    action = random.choice(("PUT", "ADD", "DELETE", None)) if world.chance(0.99) else "SET"
    made = {"Action": action} if action else {}
    if action == "DELETE" and world.chance(0.5):
        return made
    if world.chance(0.01):
        return made
    good = {"ADD": lambda: random.choice(({"N": values.number(random)}, values.some_set(random), {"L": [{"S": "x"}]})),
            "DELETE": lambda: values.some_set(random)}
    return made | {"Value": good[action]() if action in good and world.chance(0.9) else values.value(random)}


def update_item(world):
    table = world.table()
    body = {"TableName": table.name, "Key": key(world, table)}
    names = NAMES if world.chance(0.95) else (*NAMES, *table.keys, *table.index_keys)
    if world.chance(0.95):
        body["AttributeUpdates"] = several(world, attribute_update, names)
    if world.chance(0.3):
        expected(world, body)
    if world.chance(0.8):
        body["ReturnValues"] = world.random.choice(RETURN_VALUES)
    return [Call("UpdateItem", body)]


def attributes_to_get(world, body):
    if world.chance(0.4):
        random = world.random
        body["AttributesToGet"] = random.sample((*NAMES, "p", "s", "l"), random.randrange(1, 4)) if world.chance(0.98) else \
            random.choice(([], ["a", "a"], [""]))
        if world.chance(0.02):
            body["ProjectionExpression"] = "a"
    return body


def get_item(world):
    table = world.table()
    return [Call("GetItem", attributes_to_get(world, {"TableName": table.name, "Key": key(world, table)}))]


def key_conditions(world, keys):
    random = world.random
    (partition, kind), *sorts = keys.items()
    conditions = {partition: {"ComparisonOperator": "EQ", "AttributeValueList": [values.key_value(random, kind)]}}
    if sorts and world.chance(0.6):
        sort, sort_kind = sorts[0]
        operator = random.choice(KEY_OPERATORS) if world.chance(0.97) else random.choice(OPERATORS)
        conditions[sort] = {"ComparisonOperator": operator, "AttributeValueList": arguments(
            world, operator, lambda: values.key_value(random, sort_kind) if world.chance(0.97) else values.value(random))}
    if world.chance(0.03):
        return random.choice(({}, {"zz": conditions[partition]}, conditions | {"zz": conditions[partition]},
                              {partition: {"ComparisonOperator": random.choice(OPERATORS), "AttributeValueList": [{"S": "x"}]}}))
    return conditions


def query(world):
    table = world.table()
    index = index_of(world, table)
    keys = table.keys_of(index) if index in table.indexes else table.keys
    body = attributes_to_get(world, {"TableName": table.name, "KeyConditions": key_conditions(world, keys)})
    if index:
        body["IndexName"] = index
    if world.chance(0.4):
        names = NAMES if world.chance(0.97) else (*NAMES, *keys)
        body["QueryFilter"] = several(world, condition, names)
    combine(world, body, body.get("QueryFilter", {}))
    if world.chance(0.1):
        body["Select"] = world.random.choice(("COUNT", "ALL_ATTRIBUTES", "SPECIFIC_ATTRIBUTES"))
    return [Call("Query", reports(world, body, metrics=False))]


def scan(world):
    table = world.table()
    body = attributes_to_get(world, {"TableName": table.name})
    if world.chance(0.7):
        body["ScanFilter"] = several(world, condition)
    return [Call("Scan", combine(world, body, body.get("ScanFilter", {})))]


FAMILIES = (put_item, delete_item, update_item, get_item, query, scan)

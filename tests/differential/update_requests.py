"""UpdateTable, and the settings of time to live, on tables of their own."""

import copy

import mistakes
import values
from steps import Call
from story import Story
from world import definitions, projection, schema

UNITS = {"ReadCapacityUnits": 3, "WriteCapacityUnits": 4}
OTHER_UNITS = {"ReadCapacityUnits": 5, "WriteCapacityUnits": 2}
STREAM = {"StreamEnabled": True, "StreamViewType": "KEYS_ONLY"}


class Made:
    """A table of a story: with up to two indexes, provisioned or not, with a stream or not. The attribute `j` of its items
    is what a new index may have as a key; nearly always it has one type."""

    def __init__(self, world):
        random = world.random
        world.stories += 1
        self.name = f"{world.lane}-story{world.stories}"
        self.kind = random.choice("SNB")
        self.provisioned, self.streamed = world.chance(0.5), world.chance(0.3)
        self.paid = {"ProvisionedThroughput": UNITS} if self.provisioned else {}
        self.indexes = [f"index{number}" for number in range(random.choice((0, 1, 1, 2)))]
        self.create = {"TableName": self.name, "KeySchema": schema("p", "s"),
                       "AttributeDefinitions": definitions(p="S", s="N", **({"i": "S"} if self.indexes else {})),
                       **(self.paid or {"BillingMode": "PAY_PER_REQUEST"})}
        if self.indexes:
            self.create["GlobalSecondaryIndexes"] = [self.index(name, schema("i")) for name in self.indexes]
        if self.streamed:
            self.create["StreamSpecification"] = STREAM

    def index(self, name, keys, projected=None):
        return {"IndexName": name, "KeySchema": keys, "Projection": projected or projection("ALL"), **copy.deepcopy(self.paid)}

    def items(self, world):
        """Requests that put items; their attribute `j` is sometimes what no key can be."""
        usual = world.chance(0.85)
        for number in range(world.random.randrange(6)):
            item = {"p": {"S": world.random.choice("ab")}, "s": {"N": str(number)}, "a": values.value(world.random)}
            if world.chance(0.8):
                item["i"] = {"S": world.random.choice("xyz")}
            if world.chance(0.8):
                item["j"] = values.index_key_value(world.random, self.kind) if usual else world.random.choice(
                    ({"S": "j"}, {"N": "7"}, {"S": ""}, {"L": []}, {"S": "x" * 2000}))
            yield ["PutItem", {"TableName": self.name, "Item": item}]


def entry(action, **members):
    return {"GlobalSecondaryIndexUpdates": [{action: members}]}


def create_index(world, made):
    """A new index: most are right."""
    random = world.random
    kind = made.kind if world.chance(0.9) else random.choice("SNB")
    keys, types = random.choice((
        (schema("j"), {"j": kind}), (schema("j"), {"j": kind}), (schema("j", "s"), {"j": kind, "s": "N"}),
        (schema("p", "j"), {"p": "S", "j": kind}), (schema("s"), {"s": "N"}), (schema("j", "i"), {"j": kind, "i": "S"})))
    projected = random.choice((projection("ALL"), projection("KEYS_ONLY"), projection("INCLUDE", "a")))
    return {"AttributeDefinitions": definitions(**types), **entry("Create", **made.index("new", keys, projected))}


def wrong_index(world, made):
    """A new index that is wrong in one way."""
    body = create_index(world, made)
    index = body["GlobalSecondaryIndexUpdates"][0]["Create"]
    match world.random.randrange(11):
        case 0:
            del body["AttributeDefinitions"]
        case 1:
            body["AttributeDefinitions"] = definitions(unused="S")
        case 2:
            body["AttributeDefinitions"] += definitions(unused="S", p="S")
        case 3:
            body["AttributeDefinitions"], index["KeySchema"] = definitions(p="N"), schema("p")
        case 4:
            index["IndexName"] = made.indexes[0] if made.indexes else "x"
        case 5:
            index["KeySchema"] = world.random.choice(([], schema("j", "j"), schema("j", "s")[::-1], schema("q")))
        case 6:
            index["Projection"] = world.random.choice((projection("INCLUDE"), projection("ALL", "x"), projection("SOME"), {}))
        case 7:
            if index.pop("ProvisionedThroughput", None) is None:
                index["ProvisionedThroughput"] = UNITS
        case 8:
            body["GlobalSecondaryIndexUpdates"] *= 2
        case 9:
            body["GlobalSecondaryIndexUpdates"].append({"Create": index | {"IndexName": "other"}})
        case 10:
            body["GlobalSecondaryIndexUpdates"][0]["Delete"] = {"IndexName": "new"}
    return body


def delete_index(world, made):
    return entry("Delete", IndexName=world.random.choice((*made.indexes * 3, "none", "x")))


def update_index(world, made):
    name = world.random.choice((*made.indexes * 4, "none"))
    return entry("Update", IndexName=name, ProvisionedThroughput=world.random.choice((OTHER_UNITS, OTHER_UNITS, UNITS)))


def throughput(world, made):
    return {"ProvisionedThroughput": world.random.choice((
        OTHER_UNITS, OTHER_UNITS, UNITS, {"ReadCapacityUnits": 0, "WriteCapacityUnits": 1}, UNITS | {"WriteCapacityUnits": 9}))}


def billing(world, made):
    if world.chance(0.2):
        return {"BillingMode": world.random.choice(("PROVISIONED", "PAY_PER_REQUEST", "SOME"))}
    if made.provisioned:
        return {"BillingMode": "PAY_PER_REQUEST"}
    updates = [{"Update": {"IndexName": name, "ProvisionedThroughput": OTHER_UNITS}} for name in made.indexes]
    if updates and world.chance(0.2):
        updates.pop()
    body = {"BillingMode": "PROVISIONED", "ProvisionedThroughput": UNITS}
    return body | ({"GlobalSecondaryIndexUpdates": updates} if updates else {})


def stream(world, made):
    wanted = {"StreamEnabled": False} if made.streamed else STREAM
    return {"StreamSpecification": world.random.choice((
        wanted, wanted, STREAM, {"StreamEnabled": False}, {"StreamEnabled": True}, STREAM | {"StreamViewType": "SOME"},
        STREAM | {"StreamEnabled": False}))}


def nothing(world, made):
    return world.random.choice(({}, {"AttributeDefinitions": definitions(p="S")}, {"GlobalSecondaryIndexUpdates": []},
                                {"GlobalSecondaryIndexUpdates": [{}]}, {"Unknown": 1}))


REQUESTS = (create_index, create_index, create_index, wrong_index, wrong_index, delete_index, delete_index, update_index,
            throughput, billing, billing, stream, stream, nothing)


def update_table(world):
    made, random = Made(world), world.random
    request = {"TableName": made.name} | random.choice(REQUESTS)(world, made)
    if world.chance(0.08):
        request |= random.choice(REQUESTS)(world, made)
    if world.chance(0.05):
        request["TableName"] = random.choice((f"{world.lane}-none", "ab", "", "no such/name"))
    if world.chance(0.1):
        request = mistakes.with_mistake(world, Call("UpdateTable", request)).body
    return [Story("UpdateTable", {"create": made.create, "before": list(made.items(world)), "request": request})]


def settings(world):
    return {"Enabled": world.chance(0.5), "AttributeName": world.random.choice("xxxy")}


def time_to_live(world):
    made, random = Made(world), world.random
    on, off = {"Enabled": True, "AttributeName": "x"}, {"Enabled": False, "AttributeName": "x"}
    before = [["UpdateTimeToLive", {"TableName": made.name, "TimeToLiveSpecification": one}]
              for one in random.choice(([], [on], [on], [on, off]))]
    request = {"TableName": made.name, "TimeToLiveSpecification": settings(world)}
    if world.chance(0.2):
        request["TimeToLiveSpecification"] = random.choice((
            {}, {"Enabled": True}, {"AttributeName": "x"}, on | {"AttributeName": ""}, on | {"AttributeName": "x" * 256}))
    operation = "UpdateTimeToLive"
    if world.chance(0.1):
        operation, request = "DescribeTimeToLive", {"TableName": made.name}
    if world.chance(0.1):
        request["TableName"] = random.choice((f"{world.lane}-none", "ab", "", "no such/name"))
    if world.chance(0.1):
        request = mistakes.with_mistake(world, Call(operation, request)).body
    return [Story(operation, {"create": made.create, "before": before, "request": request})]

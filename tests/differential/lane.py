"""A lane: one stream of random requests to both servers, on tables of its own.

What a lane sends depends on its seed and on Dolmen's answers alone. So it can be run again without DynamoDB Local, which is how a
reproduction finds the state in which two answers differed."""

import json
import random
import typing

import batch_requests
import item_requests
import legacy_requests
import mistakes
import read_requests
import stream_requests
import table_requests
import update_requests
from comparison import Difference, comparable, compare, error_type, is_ordered
from steps import Call, Walk
from story import Story
from world import World

FAMILIES = (
    (24, item_requests.put_item), (24, item_requests.update_item), (5, item_requests.delete_item),
    (7, item_requests.get_item), (18, read_requests.query), (5, read_requests.scan), (4, batch_requests.batch_write),
    (3, batch_requests.batch_get), (7, batch_requests.transact_write), (2, batch_requests.transact_get),
    (1, table_requests.table_life), (0.5, table_requests.describe_tables), (0.8, update_requests.update_table),
    (0.3, update_requests.time_to_live), (1, stream_requests.stream))
LEGACY_FAMILIES = tuple((3, family) for family in legacy_requests.FAMILIES)
WRITES = {"PutItem", "UpdateItem", "DeleteItem", "BatchWriteItem", "TransactWriteItems"}


class Finding(typing.NamedTuple):
    """A difference that no entry explains. The step is the lane's `number`-th."""
    lane: "Lane"
    number: int
    step: object
    difference: Difference


class Lane:
    def __init__(self, seed, name, known, with_legacy):
        self.name = name
        self._seed, self._known, self._with_legacy = seed, known, with_legacy
        self.world = World(random.Random(f"{seed} {name}"), name)
        self._families = FAMILIES + (LEGACY_FAMILIES if with_legacy else ())
        self.findings, self.sent = [], 0

    def again(self):
        """The same lane at its beginning."""
        return Lane(self._seed, self.name, self._known, self._with_legacy)

    def create_tables(self, connections):
        for table in self.world.tables:
            for answer in Call("CreateTable", table.definition).run(connections):
                assert answer.status == 200, answer

    def _next_steps(self):
        weights, families = zip(*self._families)
        steps = self.world.random.choices(families, weights)[0](self.world)
        return [mistakes.with_mistake(self.world, step) if not isinstance(step, Story) and self.world.chance(0.06) else step
                for step in steps]

    def steps(self):
        """All that the lane does, without end. To be sent Dolmen's answer to each step."""
        while True:
            for step in self._next_steps():
                answer = yield step
                if answer.status == 200 and isinstance(answer.body, dict) and "LastEvaluatedKey" in answer.body:
                    self.world.start_keys = self.world.start_keys[-9:] + [answer.body["LastEvaluatedKey"]]

    def run(self, count, dolmen, local):
        self.create_tables([dolmen, local])
        steps = self.steps()
        step = next(steps)
        for _ in range(count):
            answers = self.compare_one(step, dolmen, local)
            step = steps.send(answers[0])

    def compare_one(self, step, dolmen, local):
        answers = step.run([dolmen, local])
        difference = compare(step.operation, is_ordered(step), *answers)
        text = "" if difference is None and step.operation not in WRITES else json.dumps(step.body, sort_keys=True)
        if difference is not None:
            explained = self._known.explain(step, text, difference)
            for entry in explained or ():
                entry.times += 1
            if explained is None:
                self.findings.append(Finding(self, self.sent, step, difference))
        if difference is not None or self._known.leave_other_items(step, text):
            self._make_equal(step, answers, dolmen, local)
        self.sent += 1
        return answers

    def replay(self, count, dolmen):
        """Does again what it did before its `count`-th step, to another server. Returns that step and the one before it."""
        self.create_tables([dolmen])
        steps, before = self.steps(), None
        step = next(steps)
        for _ in range(count):
            answer, = step.run([dolmen])
            before, step = step, steps.send(answer)
        return before, step

    def _make_equal(self, step, answers, dolmen, local):
        """Gives DynamoDB Local what Dolmen has, so that one difference does not cause others."""
        statuses = [answer.status for answer in answers]
        if step.operation == "CreateTable" and statuses.count(200) == 1:
            Call("DeleteTable", {"TableName": step.body["TableName"]}).run([(dolmen, local)[statuses.index(200)]])
        # Also after an error: DynamoDB Local finds some mistakes after it has written.
        if step.operation not in WRITES:
            return
        if error_type(answers[0].body) == "SerializationException":
            # Which items DynamoDB Local has made of values that are none is for it to know.
            for table in self.world.tables:
                self._make_table_equal(table, dolmen, local)
            return
        for table, key in touched_items(self.world, step):
            held, = Call("GetItem", {"TableName": table, "Key": key, "ConsistentRead": True}).run([dolmen])
            if held.status == 200:
                self._copy(table, key, held.body.get("Item"), local)

    def _make_table_equal(self, table, dolmen, local):
        def key_of(item):
            return json.dumps(comparable({name: item[name] for name in table.keys}), sort_keys=True)
        held, other = ({key_of(item): item for item in answer.body["Items"]}
                       for answer in Walk("Scan", {"TableName": table.name}).run([dolmen, local]))
        for key, item in (other | held).items():
            if comparable(other.get(key)) != comparable(held.get(key)):
                self._copy(table.name, {name: item[name] for name in table.keys}, held.get(key), local)

    def _copy(self, table, key, item, local):
        copy = Call("PutItem", {"TableName": table, "Item": item}) if item is not None else \
            Call("DeleteItem", {"TableName": table, "Key": key})
        answer, = copy.run([local])
        if answer.status != 200:
            self.findings.append(Finding(self, self.sent, copy, Difference("holds this", str(answer), ())))


def touched_items(world, step):
    """The tables and keys of all items that a write may have changed."""
    body, tables = step.body, {table.name: table for table in world.tables}
    if step.operation == "BatchWriteItem":
        parts = [(name, content) for name, requests in (body.get("RequestItems") or {}).items()
                 for request in requests or () for content in (request or {}).values()]
    elif step.operation == "TransactWriteItems":
        contents = [content for action in body.get("TransactItems") or () for content in (action or {}).values()]
        parts = [(content.get("TableName"), content) for content in contents if isinstance(content, dict)]
    else:
        parts = [(body.get("TableName"), body)]
    for name, content in parts:
        if name in tables and isinstance(content, dict):
            attributes = content.get("Item") or content.get("Key") or {}
            yield name, {key: attributes.get(key) for key in tables[name].keys}

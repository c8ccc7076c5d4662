"""Makes a finding small: the fewest items and the smallest request with which two servers still differ in the same way."""

import copy
import json
import re

from comparison import compare, is_ordered
from dolmen_server import Server
from mistakes import places
from connection import Connection
from steps import Call

CHECKS_MAX = 120


def signature(finding):
    """What findings of the same cause have in common, as far as that can be guessed."""
    paths = {re.sub(r"\[\d+\]", "", path) for path, *_ in finding.difference.paths}
    texts = ["200" if text.startswith("200") else re.sub(r"'[^']*'|\"[^\"]*\"|\d+|[\[{].*", "", text)
             for text in (finding.difference.dolmen, finding.difference.local)]
    return finding.step.operation, *texts, *sorted(paths)[:3]


class Reproduction:
    def __init__(self, finding, local_port, number):
        self._finding, self._local_port, self._number = finding, local_port, number
        self._checks = 0

    def text(self):
        finding = self._finding
        if isinstance(finding.step.body, str) or finding.difference.dolmen == "holds this":
            return describe(finding.step, finding.difference, [])
        lane = finding.lane.again()
        with Server() as server:
            connection = Connection(server.port)
            before, _ = lane.replay(finding.number, connection)
            state = [(table.name, item) for table in lane.world.tables
                     for item in Call("Scan", {"TableName": table.name}).run([connection])[0].body["Items"]]
            connection.close()
        self._lane = lane
        found = self._differs(finding.step, state)
        if found is None:
            return describe(finding.step, finding.difference, []) + \
                f"\n  It does not show again on the same items; the step before was {before.operation} {json.dumps(before.body)}"
        state = self._smaller_state(finding.step, state)
        step = self._smaller_step(finding.step, state)
        return describe(step, self._differs(step, state), self._smaller_state(step, state))

    def _differs(self, step, state):
        """The difference of the two answers, if it is still the finding's."""
        self._checks += 1
        with Server() as server:
            # DynamoDB Local keeps the tables of each access key apart, so a new key is a new server.
            connections = [Connection(server.port), Connection(self._local_port, f"again{self._number}x{self._checks}")]
            text = json.dumps(step.body)
            for table in self._lane.world.tables:
                if table.name in text:
                    Call("CreateTable", table.definition).run(connections)
            for table, item in state:
                if table in text:
                    Call("PutItem", {"TableName": table, "Item": item}).run(connections)
            difference = compare(step.operation, is_ordered(step), *step.run(connections))
            for connection in connections:
                connection.close()
        same = difference and signature(self._finding._replace(difference=difference)) == signature(self._finding)
        return difference if same else None

    def _smaller_state(self, step, state):
        if state and self._differs(step, []):
            return []
        for one in list(state):
            without = [other for other in state if other is not one]
            if self._checks < CHECKS_MAX and self._differs(step, without):
                state = without
        return state

    def _smaller_step(self, step, state):
        for *parents, last in sorted(places(step.body), key=len):
            body = copy.deepcopy(step.body)
            try:
                node = body
                for name in parents:
                    node = node[name]
                del node[last]
            except (KeyError, IndexError, TypeError):
                continue  # Went with something larger.
            smaller = step._replace(body=body)
            if self._checks < CHECKS_MAX and self._differs(smaller, state):
                step = smaller
        return step


def shortened(text, length=1500):
    return text if len(text) <= length else f"{text[:length]}... ({len(text)} characters)"


def describe(step, difference, state):
    lines = [f"{type(step).__name__} {step.operation} {shortened(json.dumps(step.body))}"]
    lines += [f"  given  {table}: {shortened(json.dumps(item))}" for table, item in state]
    lines += [f"  dolmen {shortened(difference.dolmen)}", f"  local  {shortened(difference.local)}"]
    lines += [f"  at {path}: {json.dumps(dolmen)} / {json.dumps(local)}"[:400] for path, dolmen, local in difference.paths[:5]]
    return "\n".join(lines)

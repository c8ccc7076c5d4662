"""The cases that people wrote down, from cases/*.json: requests that chance would not find."""

import json
import pathlib

import table_requests
from data_files import expand
from lane import Lane
from legacy_requests import is_taken
from steps import Call, Walk

FOLDER = pathlib.Path(__file__).with_name("cases")


class HandMade(Lane):
    """Runs alone, so that it may look at all tables."""

    def __init__(self, known, with_legacy=False):
        super().__init__(0, "cases", known, with_legacy)
        self.with_legacy = with_legacy

    def again(self):
        return HandMade(self._known, self.with_legacy)

    def steps(self):
        for path in sorted(FOLDER.glob("*.json")):
            for case in json.loads(path.read_text())["cases"]:
                if case.get("legacy") and not self.with_legacy:
                    continue
                for operation, body in case["steps"]:
                    whole = operation.startswith("Walk ")
                    yield (Walk if whole else Call)(operation.removeprefix("Walk "), expand(body))
        for _ in range(60):
            step, = table_requests.list_tables(self.world)
            yield step

    def run(self, dolmen, local):
        self.create_tables([dolmen, local])
        self.with_legacy = is_taken(dolmen, self.world.simple)
        for step in self.steps():
            self.compare_one(step, dolmen, local)

"""The differences between DynamoDB and AWS's DynamoDB Local that are known, from known_differences.json."""

import decimal
import json
import pathlib
import re

from comparison import comparable, number

PATH = pathlib.Path(__file__).with_name("known_differences.json")


class KnownDifference:
    """One entry of the file. Its `about` says what the members mean."""

    def __init__(self, entry):
        self.id = entry["id"]
        operations = entry.get("operation", [])
        self._operations = {operations} if isinstance(operations, str) else set(operations)
        self._request, self._dolmen, self._local, self._path = (
            re.compile(entry[name], re.DOTALL) if name in entry else None
            for name in ("request", "dolmen", "local", "path"))
        self._equal_as = entry.get("equal_as")
        self._silent = entry.get("silent", False)
        self.times = 0

    def covers(self, step, request_text, difference):
        """Whether it explains the difference wholly (of errors), or which of the paths it explains (of results)."""
        if self._operations and step.operation not in self._operations:
            return None
        for pattern, text in ((self._request, request_text), (self._dolmen, difference.dolmen),
                              (self._local, difference.local)):
            if pattern is not None and not pattern.search(text):
                return None
        if not difference.paths:
            return None if self._path or self._equal_as else ()
        if self._path is None and self._equal_as is None:
            return tuple(difference.paths)
        return tuple(one for one in difference.paths if self._covers_path(*one))

    def leaves_other_items(self, step, request_text):
        """Whether the servers may hold different items after the step though their answers were the same."""
        return self._silent and step.operation in self._operations and self._request.search(request_text) is not None

    def _covers_path(self, path, dolmen, local):
        if self._path is not None and not self._path.search(path):
            return False
        if self._equal_as == "number":
            return is_number(dolmen) and number(dolmen) == number(local)
        if self._equal_as == "set":
            kind = path.rpartition(".")[2].partition("[")[0]
            return kind in ("SS", "NS", "BS")
        if self._equal_as == "comparable":
            return comparable(dolmen) == comparable(local)
        return True


def is_number(text):
    try:
        decimal.Decimal(text)
        return True
    except (decimal.InvalidOperation, TypeError, ValueError):
        return False


class KnownDifferences:
    def __init__(self):
        self._entries = [KnownDifference(entry) for entry in json.loads(PATH.read_text())["differences"]]
        ids = [entry.id for entry in self._entries]
        assert len(ids) == len(set(ids)), "two entries have the same id"

    def explain(self, step, request_text, difference):
        """The entries that explain the difference, or None when something of it stays unexplained."""
        open_paths, used = set(range(len(difference.paths))), []
        for entry in self._entries:
            covered = entry.covers(step, request_text, difference)
            if covered is None:
                continue
            if not difference.paths:
                return [entry]
            positions = {difference.paths.index(one) for one in covered} & open_paths
            if positions:
                used.append(entry)
                open_paths -= positions
            if not open_paths:
                return used
        return None

    def leave_other_items(self, step, request_text):
        return any(entry.leaves_other_items(step, request_text) for entry in self._entries)

    def never_met(self):
        return [entry.id for entry in self._entries if entry.times == 0]

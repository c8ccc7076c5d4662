"""The items of one table as dicts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterable, Iterator, Mapping, NamedTuple, Optional, Union

from .conditions import Condition, Path, Placeholders
from .values import item_from_json, item_to_json

if TYPE_CHECKING:
    from .store import Store

#: The most that DynamoDB takes in one batch.
BATCH_WRITES = 25
BATCH_KEYS = 100

Paths = Union[str, Path]


class Page(NamedTuple):
    """The items of one request, and where the next one begins; None after the last."""

    items: list[dict[str, Any]]
    last_key: Optional[dict[str, Any]]


def _path(path: Paths) -> Path:
    return path if isinstance(path, Path) else Path(path)


def _project(request: dict[str, Any], attributes: Optional[Iterable[Paths]], placeholders: Placeholders) -> None:
    if attributes is not None:
        request["ProjectionExpression"] = ", ".join(_path(each).text(placeholders) for each in attributes)


class Table:
    """A table of a store. Items are dicts; dolmen.values says what each value becomes."""

    def __init__(self, store: Store, name: str) -> None:
        self.store = store
        self.name = name

    def __repr__(self) -> str:
        return f"Table({self.name!r})"

    # ---- One item ----

    def put(self, item: Mapping[str, Any], only_if: Optional[Condition] = None) -> None:
        """Adds the item, or replaces the one with the same key. Raises ConditionFailed."""
        self._write("PutItem", {"Item": item_to_json(item)}, only_if)

    def get(self, key: Mapping[str, Any], attributes: Optional[Iterable[Paths]] = None,
            consistent: bool = True) -> Optional[dict[str, Any]]:
        """The item with that key; None when there is none."""
        request: dict[str, Any] = {"TableName": self.name, "Key": item_to_json(key), "ConsistentRead": consistent}
        placeholders = Placeholders()
        _project(request, attributes, placeholders)
        placeholders.add_to(request)
        found = self.store.call("GetItem", request)
        return item_from_json(found["Item"]) if "Item" in found else None

    def update(self, key: Mapping[str, Any], set: Optional[Mapping[Any, Any]] = None,  # noqa: A002
               add: Optional[Mapping[Any, Any]] = None, remove: Iterable[Paths] = (),
               erase: Optional[Mapping[Any, Any]] = None, only_if: Optional[Condition] = None) -> dict[str, Any]:
        """Changes the item, or creates it when there is none, and returns it as it is then.

        `set` gives values to attributes, `add` adds to numbers and sets, `remove` names attributes, `erase` takes members
        out of sets. Raises ConditionFailed.
        """
        placeholders = Placeholders()

        def clause(word: str, changes: Optional[Mapping[Any, Any]], between: str) -> str:
            parts = [f"{_path(path).text(placeholders)}{between}{placeholders.value(value)}"
                     for path, value in (changes or {}).items()]
            return f"{word} {', '.join(parts)}" if parts else ""

        removed = ", ".join(_path(each).text(placeholders) for each in remove)
        clauses = [clause("SET", set, " = "), clause("ADD", add, " "), f"REMOVE {removed}" if removed else "",
                   clause("DELETE", erase, " ")]
        request = {"Key": item_to_json(key), "ReturnValues": "ALL_NEW",
                   "UpdateExpression": " ".join(each for each in clauses if each)}
        answer = self._write("UpdateItem", request, only_if, placeholders)
        return item_from_json(answer.get("Attributes", {}))

    def delete(self, key: Mapping[str, Any], only_if: Optional[Condition] = None) -> None:
        """Also succeeds when there is no such item, unless there is a condition. Raises ConditionFailed."""
        self._write("DeleteItem", {"Key": item_to_json(key)}, only_if)

    # ---- Many items ----

    def query(self, key: Condition, **options: Any) -> Iterator[dict[str, Any]]:
        """The items whose key fits, one after the other, page by page as they are asked for.

        Options: index, filter (a condition), attributes, descending, limit (of items in all), page_size, consistent.
        """
        return self._all(lambda after, size: self.query_page(key, after=after, **_sized(options, size)), options)

    def scan(self, **options: Any) -> Iterator[dict[str, Any]]:
        """All items of the table, or of an index. Options as those of `query`, but for `descending`."""
        return self._all(lambda after, size: self.scan_page(after=after, **_sized(options, size)), options)

    def query_page(self, key: Condition, *, after: Optional[Mapping[str, Any]] = None, descending: bool = False,
                   **options: Any) -> Page:
        """One request of a query."""
        placeholders = Placeholders()
        request = {"KeyConditionExpression": key.text(placeholders), "ScanIndexForward": not descending}
        return self._page("Query", request, placeholders, after, options)

    def scan_page(self, *, after: Optional[Mapping[str, Any]] = None, **options: Any) -> Page:
        """One request of a scan."""
        return self._page("Scan", {}, Placeholders(), after, options)

    def put_all(self, items: Iterable[Mapping[str, Any]]) -> int:
        """Puts any number of items, 25 with each request, each on its own. Returns how many there were."""
        return self._batches({"PutRequest": {"Item": item_to_json(item)}} for item in items)

    def delete_all(self, keys: Iterable[Mapping[str, Any]]) -> int:
        """Deletes any number of items, as `put_all` puts them."""
        return self._batches({"DeleteRequest": {"Key": item_to_json(key)}} for key in keys)

    def get_all(self, keys: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """The items with these keys, in no particular order; keys without an item are simply not there."""
        left, found = [item_to_json(key) for key in keys], []
        while left:
            request = {"RequestItems": {self.name: {"Keys": left[:BATCH_KEYS], "ConsistentRead": True}}}
            answer = self.store.call("BatchGetItem", request)
            found += [item_from_json(item) for item in answer["Responses"].get(self.name, [])]
            left = left[BATCH_KEYS:] + answer.get("UnprocessedKeys", {}).get(self.name, {}).get("Keys", [])
        return found

    # ---- The table itself ----

    def describe(self) -> dict[str, Any]:
        """What DescribeTable says of the table."""
        description: dict[str, Any] = self.store.call("DescribeTable", {"TableName": self.name})["Table"]
        return description

    def drop(self) -> None:
        """Deletes the table with all of its items."""
        self.store.call("DeleteTable", {"TableName": self.name})

    # ---- How requests are made ----

    def _write(self, operation: str, request: dict[str, Any], only_if: Optional[Condition],
               placeholders: Optional[Placeholders] = None) -> dict[str, Any]:
        placeholders = placeholders or Placeholders()
        request["TableName"] = self.name
        if only_if is not None:
            request["ConditionExpression"] = only_if.text(placeholders)
        placeholders.add_to(request)
        return self.store.call(operation, request)

    def _page(self, operation: str, request: dict[str, Any], placeholders: Placeholders,
              after: Optional[Mapping[str, Any]], options: Mapping[str, Any]) -> Page:
        known = {"index", "filter", "attributes", "page_size", "limit", "consistent"}
        if unknown := set(options) - known:
            raise TypeError(f"{operation} has no option {', '.join(sorted(unknown))}")
        request["TableName"] = self.name
        if options.get("index"):
            request["IndexName"] = options["index"]
        if options.get("filter") is not None:
            request["FilterExpression"] = options["filter"].text(placeholders)
        if options.get("consistent"):
            request["ConsistentRead"] = True
        if size := options.get("page_size") or options.get("limit"):
            request["Limit"] = size
        if after is not None:
            request["ExclusiveStartKey"] = item_to_json(after)
        _project(request, options.get("attributes"), placeholders)
        placeholders.add_to(request)
        answer = self.store.call(operation, request)
        last = answer.get("LastEvaluatedKey")
        return Page([item_from_json(item) for item in answer["Items"]], item_from_json(last) if last else None)

    @staticmethod
    def _all(read: Any, options: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        left: Optional[int] = options.get("limit")
        after: Optional[dict[str, Any]] = None
        while left is None or left > 0:
            # With a filter nobody knows how many must be read for so many.
            page = read(after, None if options.get("filter") is not None else left)
            for item in page.items if left is None else page.items[:left]:
                yield item
            if left is not None:
                left -= len(page.items)
            after = page.last_key
            if after is None:
                return

    def _batches(self, requests: Iterable[dict[str, Any]]) -> int:
        count, waiting = 0, []
        for request in requests:
            count += 1
            waiting.append(request)
            if len(waiting) == BATCH_WRITES:
                waiting = self._send(waiting)
        while waiting:
            waiting = self._send(waiting)
        return count

    def _send(self, waiting: list[dict[str, Any]]) -> list[dict[str, Any]]:
        answer = self.store.call("BatchWriteItem", {"RequestItems": {self.name: waiting}})
        left: list[dict[str, Any]] = answer.get("UnprocessedItems", {}).get(self.name, [])
        return left


def _sized(options: Mapping[str, Any], left: Optional[int]) -> dict[str, Any]:
    """The options of the next page, when so many items are still wanted."""
    sized = {name: value for name, value in options.items() if name != "limit"}
    if left is not None:
        sized["page_size"] = min(left, options.get("page_size") or left)
    return sized

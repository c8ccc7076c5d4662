"""Stores: tables in a directory, in memory, behind a server or at AWS."""

from __future__ import annotations

import ctypes
import json
import os
from types import TracebackType
from typing import Any, Iterator, Mapping, NamedTuple, Optional, Union

from . import _library
from .errors import Exists
from .table import Table
from .values import from_json, item_from_json, to_json

#: How many changes are taken from a stream at once.
STREAM_BATCH = 256


class Change(NamedTuple):
    """The change of one item."""

    kind: str  #: INSERT, MODIFY or REMOVE
    key: dict[str, Any]
    old: Optional[dict[str, Any]]
    new: Optional[dict[str, Any]]
    position: str  #: where to go on after this change
    record: dict[str, Any]  #: as GetRecords returns it


def _change(record: bytes, position: bytes) -> Change:
    read = json.loads(record)
    inner = read["dynamodb"]

    def image(name: str) -> Optional[dict[str, Any]]:
        return item_from_json(inner[name]) if name in inner else None

    return Change(read["eventName"], item_from_json(inner["Keys"]), image("OldImage"), image("NewImage"),
                  position.decode(), read)


def _key_schema(key: str) -> dict[str, Any]:
    """The definition of a key such as "topic:S,written:N"."""
    parts = [part.strip().partition(":") for part in key.split(",")]
    if not 1 <= len(parts) <= 2 or any(not name for name, _, _ in parts):
        raise ValueError(f'"{key}" is not a key; write "topic" or "topic:S,written:N"')
    return {"KeySchema": [{"AttributeName": name, "KeyType": kind} for (name, _, _), kind in zip(parts, ("HASH", "RANGE"))],
            "AttributeDefinitions": [{"AttributeName": name, "AttributeType": kind or "S"} for name, _, kind in parts]}


class Store:
    """An open store. It is closed at the end of a `with`, or by `close`. Every thread may use it at any time."""

    def __init__(self, handle: int, address: str, region: str) -> None:
        self._handle = handle
        self.address = address
        self.region = region

    def __enter__(self) -> Store:
        return self

    def __exit__(self, kind: Optional[type[BaseException]], error: Optional[BaseException],
                 trace: Optional[TracebackType]) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<dolmen.Store {self.address}>"

    def close(self) -> None:
        """Waits for calls of other threads and closes the store; then its directory can be opened again."""
        handle, self._handle = self._handle, 0
        if handle:
            _library.close_store(handle)

    def __del__(self) -> None:
        if getattr(self, "_handle", 0):
            self.close()

    # ---- Tables ----

    def table(self, name: str) -> Table:
        """A table that exists, or will. Asks the store nothing."""
        return Table(self, name)

    def create_table(self, name: str, key: str, **parameters: Any) -> Table:
        """Creates a table by its key, such as "topic:S,written:N"; opens it when there is one with the same key.

        `parameters` are further ones of CreateTable, such as StreamSpecification.
        """
        definition = _key_schema(key)
        further = parameters.pop("AttributeDefinitions", [])
        request = {"TableName": name, "BillingMode": "PAY_PER_REQUEST", "KeySchema": definition["KeySchema"],
                   "AttributeDefinitions": definition["AttributeDefinitions"] + list(further), **parameters}
        table = Table(self, name)
        try:
            self.call("CreateTable", request)
        except Exists:
            found = table.describe()
            kinds = {each["AttributeName"]: each["AttributeType"] for each in found["AttributeDefinitions"]}
            present = [(each["AttributeName"], kinds[each["AttributeName"]]) for each in found["KeySchema"]]
            wanted = [(each["AttributeName"], each["AttributeType"]) for each in definition["AttributeDefinitions"]]
            if present != wanted:
                raise
        return table

    def tables(self) -> list[str]:
        """The names of all tables."""
        names: list[str] = []
        request: dict[str, Any] = {}
        while True:
            answer = self.call("ListTables", request)
            names += answer["TableNames"]
            if "LastEvaluatedTableName" not in answer:
                return names
            request["ExclusiveStartTableName"] = answer["LastEvaluatedTableName"]

    # ---- Everything else ----

    def call(self, operation: str, request: Optional[Mapping[str, Any]] = None) -> dict[str, Any]:
        """Carries out any operation of DynamoDB, or of Dolmen itself, with the JSON that goes over the wire."""
        body = json.dumps(request or {}, ensure_ascii=False).encode()
        answer: dict[str, Any] = json.loads(_library.request(self._handle, operation.encode(), body) or b"{}")
        return answer

    def execute(self, statement: str, *parameters: Any) -> list[dict[str, Any]]:
        """Carries out a PartiQL statement with the values of its question marks, and returns the rows, over all pages."""
        request: dict[str, Any] = {"Statement": statement}
        if parameters:
            request["Parameters"] = [to_json(each) for each in parameters]
        rows: list[dict[str, Any]] = []
        while True:
            answer = self.call("ExecuteStatement", request)
            rows += [{name: from_json(value) for name, value in row.items()} for row in answer.get("Items", [])]
            if "NextToken" not in answer:
                return rows
            request["NextToken"] = answer["NextToken"]

    def stream(self, table: str, position: Optional[str] = None, newest: bool = False,
               wait: float = 0) -> Iterator[Change]:
        """The changes of a table in their order, while it has a stream.

        Goes on after `position`, that of an earlier change; else begins with the oldest change, or with the newest. Ends
        when no change has come for `wait` seconds.
        """
        while True:
            # Waits for one change, and takes with it what else is there.
            taken = self._changes(table, position, newest, int(wait * 1000), 1)
            if not taken:
                return
            taken += self._changes(table, taken[0].position, False, 0, STREAM_BATCH)
            for change in taken:
                position = change.position
                yield change

    def _changes(self, table: str, position: Optional[str], newest: bool, wait_ms: int, count: int) -> list[Change]:
        taken: list[Change] = []

        def take(record: bytes, after: bytes) -> bool:
            taken.append(_change(record, after))
            return len(taken) >= count

        at = None if position is None else position.encode()
        options = _library.StreamOptions(ctypes.sizeof(_library.StreamOptions), at, int(newest), wait_ms)
        _library.stream(self._handle, table, options, take)
        return taken

    def fork(self, directory: Union[str, os.PathLike[str], None] = None) -> Store:
        """A writable copy of an embedded store as it is now, in milliseconds; in memory there is no directory."""
        where = None if directory is None else os.fspath(directory)
        return Store(_library.fork_store(self._handle, where), where or "memory:", self.region)

    def boto3_client(self, service: str = "dynamodb", **options: Any) -> Any:
        """A client of boto3 whose calls go to this store: no server, no port. Also for "dynamodbstreams".

        `options` are those of boto3.client. It can be used until the store is closed.
        """
        from . import _boto3
        return _boto3.client_of(self, service, options)

    def boto3_resource(self, **options: Any) -> Any:
        """The same for the resource "dynamodb" of boto3, with its tables."""
        from . import _boto3
        return _boto3.resource_of(self, options)

    def answer(self, target: str, body: bytes) -> tuple[int, bytes]:
        """For clients that speak the protocol: what a server would send, its status of HTTP first."""
        return _library.answer(self._handle, target.encode(), body)


def open(address: Union[str, os.PathLike[str]], *, durability: str = "sync",  # noqa: A001
         region: Optional[str] = None) -> Store:
    """Opens a store by its address:

    "./data"                    tables in a directory, created when it is missing; every acknowledged write is on disk
    "memory:"                   tables that end with the process
    "http://127.0.0.1:8000"     a Dolmen server, or another one with DynamoDB's protocol
    "aws:eu-west-1"             AWS

    `durability="os"` lets acknowledged writes to a directory survive the process, not the machine, and is faster.
    """
    kinds = {"sync": 0, "os": 1}
    if durability not in kinds:
        raise ValueError(f'durability is "sync" or "os", not "{durability}"')
    where = os.fspath(address)
    return Store(_library.open_store(where, kinds[durability], region), where, region or "us-east-1")

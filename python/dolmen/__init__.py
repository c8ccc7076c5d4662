"""Dolmen: a DynamoDB-compatible table store, embedded in this process or behind a server.

    import dolmen

    with dolmen.open("./data") as store:
        notes = store.create_table("notes", key="topic:S,written:N")
        notes.put({"topic": "dolmen", "written": 1, "text": "stone table"})
        for note in notes.query(dolmen.key("topic") == "dolmen"):
            print(note["text"])
        ddb = store.boto3_client()                 # boto3, without a server and without a port
"""

from ._boto3 import boto3_client
from ._library import library_version as version
from .conditions import Condition, Path, attr, key
from .errors import (AccessDenied, Closed, ConditionFailed, DolmenError, Exists, InternalError, Invalid, NotFound,
                     StorageError, TryAgain, UnknownOutcome)
from .store import Change, Store, open
from .table import Page, Table
from .values import Value

__all__ = [
    "AccessDenied", "Change", "Closed", "Condition", "ConditionFailed", "DolmenError", "Exists", "InternalError",
    "Invalid", "NotFound", "Page", "Path", "StorageError", "Store", "Table", "TryAgain", "UnknownOutcome", "Value",
    "attr", "boto3_client", "key", "open", "version",
]

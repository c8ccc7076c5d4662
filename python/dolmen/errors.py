"""What can go wrong. An exception's class says what a program can do about it, its `code` exactly what it is."""

from __future__ import annotations

import json
from typing import Any


class DolmenError(Exception):
    """A call that failed."""

    def __init__(self, message: str, code: str = "", body: str = "{}", http_status: int = 0) -> None:
        super().__init__(message or code)
        self.message = message
        #: A stable name, such as "ConditionFailed" or "DirectoryInUse".
        self.code = code
        #: The status of HTTP that a server would send.
        self.http_status = http_status
        #: What a server would send: "__type", "message", and the item or the reasons where there are any.
        self.details: dict[str, Any] = json.loads(body or "{}")

    @property
    def type(self) -> str:
        """The name of the error in the AWS SDKs, such as "ConditionalCheckFailedException"."""
        return str(self.details.get("__type", "")).rpartition("#")[2]


class Invalid(DolmenError):
    """The request breaks a rule; it will fail again."""


class NotFound(DolmenError):
    """There is no such table, item, stream, document ..."""


class Exists(DolmenError):
    """There is one already, or it is in use."""


class ConditionFailed(DolmenError):
    """A condition does not hold, or a transaction was canceled."""


class TryAgain(DolmenError):
    """Nothing has happened; the same request may succeed later."""


class UnknownOutcome(DolmenError):
    """A write to a server may or may not have happened."""


class AccessDenied(DolmenError):
    """Credentials are missing, or do not allow it."""


class StorageError(DolmenError):
    """The directory or the disk: in use, full, damaged, foreign."""


class Closed(DolmenError):
    """The store is closed."""


class InternalError(DolmenError):
    """Memory is exhausted, or Dolmen has a defect."""


#: By dolmen_status of dolmen/c.h.
BY_STATUS = (None, Invalid, NotFound, Exists, ConditionFailed, TryAgain, UnknownOutcome, AccessDenied, StorageError,
             Closed, InternalError)

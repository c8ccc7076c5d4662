"""Waiting for what a server does in the background."""

import time

from dolmen_server import PATIENCE_S


def wait_until(look, wanted, patience_s=2 * PATIENCE_S):
    """Looks again and again; returns the first sight that is as wanted."""
    deadline = time.monotonic() + patience_s
    while not wanted(seen := look()):
        assert time.monotonic() < deadline, f"this was still so after {patience_s} s: {seen}"
        time.sleep(0.05)
    return seen


def is_settled(table):
    """Whether nothing of a described table is being changed."""
    return table["TableStatus"] == "ACTIVE" and all(
        index["IndexStatus"] == "ACTIVE" for index in table.get("GlobalSecondaryIndexes", ()))

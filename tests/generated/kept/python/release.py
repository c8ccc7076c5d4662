"""Generated from release.yml; edit that file, not this.

By: dolmen model generate --lang python
Source: sha256 3073b01bbdd4ef1fd70792c09a64748742a292b4f84595fa2246ab3b8aaeac25
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from . import dolmen_support as dms


@dataclass(kw_only=True)
class ReleaseActual:
    """An item of the model ReleaseActual in the table releases."""

    pk: str
    sk: str
    status: str
    pinned_release_id: str | None = None
    #: stored as JSON
    provenance: Any = None
    #: stored as JSON
    score: Any = None
    #: stored as JSON
    notes: Any = None
    #: filled in when the item is put
    created_at: str = ""
    #: filled in whenever the item is written
    updated_at: str = ""
    #: counts the updates
    version: int = 0


#: What an update may change.
ReleaseActualField = Literal["status", "provenance", "score", "notes"]

RELEASE_ACTUAL = dms.Model(
    ReleaseActual,
    name="ReleaseActual",
    table="releases",
    partition="PK",
    sort="SK",
    attributes=(
        dms.Attribute("PK", "pk", "S", required=True),
        dms.Attribute("SK", "sk", "S", required=True),
        dms.Attribute("status", "status", "S", required=True),
        dms.Attribute(
            "pinnedReleaseId",
            "pinned_release_id",
            "S",
            nullable=True,
            omit_empty=True,
        ),
        dms.Attribute("provenance", "provenance", "M", omit_empty=True, json=True),
        dms.Attribute("score", "score", "N", json=True),
        dms.Attribute("notes", "notes", "S", json=True),
        dms.Attribute(
            "createdAt",
            "created_at",
            "S",
            roles=("created_at",),
            format="rfc3339nano",
        ),
        dms.Attribute(
            "updatedAt",
            "updated_at",
            "S",
            roles=("updated_at",),
            format="rfc3339nano",
        ),
        dms.Attribute("version", "version", "N", roles=("version",), format="int"),
    ),
    protected=("pinnedReleaseId",),
)


def release_actual_key(pk: str, sk: str) -> dms.Item:
    """The key of a ReleaseActual, for get_item and delete."""
    return RELEASE_ACTUAL.key(pk, sk)


def release_actual_update(
    record: ReleaseActual,
    changed: Sequence[ReleaseActualField],
    *,
    now: dms.Now = None,
    keys: dms.KeyProvider | None = None,
) -> dms.Item:
    """For update_item: writes these fields if the version is still the record's."""
    return RELEASE_ACTUAL.update(record, changed, now=now, keys=keys)


def release_actual_query(
    pk: str,
    sk: dms.Sort | None = None,
    *,
    descending: bool = False,
    limit: int | None = None,
    cursor: str = "",
) -> dms.Item:
    """A page of one partition of the table, for query."""
    return RELEASE_ACTUAL.query(
        pk,
        sk,
        descending=descending,
        limit=limit,
        cursor=cursor,
    )


@dataclass(kw_only=True)
class ReleaseEvent:
    """An item of the model ReleaseEvent in the table releases."""

    pk: str
    sk: str
    event_type: str | None = None
    #: seconds since 1970
    ttl: int | None = None


RELEASE_EVENT = dms.Model(
    ReleaseEvent,
    name="ReleaseEvent",
    table="releases",
    partition="PK",
    sort="SK",
    attributes=(
        dms.Attribute("PK", "pk", "S", required=True),
        dms.Attribute("SK", "sk", "S", required=True),
        dms.Attribute("eventType", "event_type", "S", nullable=True, omit_empty=True),
        dms.Attribute(
            "ttl",
            "ttl",
            "N",
            nullable=True,
            omit_empty=True,
            roles=("ttl",),
            format="unix_seconds",
        ),
    ),
    write_once=True,
)


def release_event_key(pk: str, sk: str) -> dms.Item:
    """The key of a ReleaseEvent, for get_item and delete."""
    return RELEASE_EVENT.key(pk, sk)


def release_event_query(
    pk: str,
    sk: dms.Sort | None = None,
    *,
    descending: bool = False,
    limit: int | None = None,
    cursor: str = "",
) -> dms.Item:
    """A page of one partition of the table, for query."""
    return RELEASE_EVENT.query(
        pk,
        sk,
        descending=descending,
        limit=limit,
        cursor=cursor,
    )

"""Generated from sample.yml; edit that file, not this.

By: dolmen model generate --lang python
Source: sha256 7ab14f230363421e838edbba08913f1c1f59331fa100cafc79656f4e5a3cf08a
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Literal

from . import dolmen_support as dms


@dataclass(kw_only=True)
class Sample:
    """An item of the model Sample in the table samples."""

    pk: str
    sk: Decimal
    text: str = ""
    number: Decimal = Decimal(0)
    flag: bool = False
    blob: bytes = b""
    nothing: None = None
    list_: list[Any] = field(default_factory=list)
    map: dict[str, Any] = field(default_factory=dict)
    strings: set[str] = field(default_factory=set)
    numbers: set[Decimal] = field(default_factory=set)
    blobs: set[bytes] = field(default_factory=set)
    #: stored as JSON
    json: Any = None
    text_or_not: str = ""
    number_or_not: Decimal = Decimal(0)
    flag_or_not: bool = False
    blob_or_not: bytes = b""
    list_or_not: list[Any] = field(default_factory=list)
    map_or_not: dict[str, Any] = field(default_factory=dict)
    strings_or_not: set[str] = field(default_factory=set)
    #: stored as JSON
    json_or_not: Any = None
    #: a time in RFC 3339 format
    moment: str | None = None
    #: seconds since 1970
    seconds: int = 0
    whole: int = 0
    exact: Decimal = Decimal(0)
    #: a vector of 3 numbers
    vector: list[float] | None = None
    #: seconds since 1970
    expires: int | None = None
    group: str | None = None
    rank: Decimal | None = None
    #: encrypted
    secret_text: str = ""
    #: encrypted
    secret_number: Decimal = Decimal(0)
    #: encrypted
    secret_flag: bool = False
    #: encrypted
    secret_blob: bytes = b""
    #: encrypted
    secret_list: list[Any] = field(default_factory=list)
    #: encrypted
    secret_map: dict[str, Any] = field(default_factory=dict)
    #: encrypted
    secret_strings: set[str] = field(default_factory=set)
    #: encrypted
    secret_numbers: set[Decimal] = field(default_factory=set)
    #: encrypted
    secret_blobs: set[bytes] = field(default_factory=set)
    #: stored as JSON, encrypted
    secret_json: Any = None
    #: encrypted
    secret_or_not: str = ""
    #: filled in when the item is put
    created_at: str = ""
    #: filled in whenever the item is written
    updated_at: str = ""
    #: counts the updates
    version: int = 0


#: What an update may change.
SampleField = Literal[
    "text",
    "number",
    "flag",
    "blob",
    "nothing",
    "list_",
    "map",
    "strings",
    "numbers",
    "blobs",
    "json",
    "text_or_not",
    "number_or_not",
    "flag_or_not",
    "blob_or_not",
    "list_or_not",
    "map_or_not",
    "strings_or_not",
    "json_or_not",
    "moment",
    "seconds",
    "whole",
    "exact",
    "vector",
    "expires",
    "group",
    "rank",
    "secret_text",
    "secret_number",
    "secret_flag",
    "secret_blob",
    "secret_list",
    "secret_map",
    "secret_strings",
    "secret_numbers",
    "secret_blobs",
    "secret_json",
    "secret_or_not",
]

SAMPLE = dms.Model(
    Sample,
    name="Sample",
    table="samples",
    partition="PK",
    sort="SK",
    attributes=(
        dms.Attribute("PK", "pk", "S", required=True),
        dms.Attribute("SK", "sk", "N", required=True),
        dms.Attribute("text", "text", "S"),
        dms.Attribute("number", "number", "N"),
        dms.Attribute("flag", "flag", "BOOL"),
        dms.Attribute("blob", "blob", "B"),
        dms.Attribute("nothing", "nothing", "NULL"),
        dms.Attribute("list", "list_", "L"),
        dms.Attribute("map", "map", "M"),
        dms.Attribute("strings", "strings", "SS"),
        dms.Attribute("numbers", "numbers", "NS"),
        dms.Attribute("blobs", "blobs", "BS"),
        dms.Attribute("json", "json", "S", json=True),
        dms.Attribute("textOrNot", "text_or_not", "S", omit_empty=True),
        dms.Attribute("numberOrNot", "number_or_not", "N", omit_empty=True),
        dms.Attribute("flagOrNot", "flag_or_not", "BOOL", omit_empty=True),
        dms.Attribute("blobOrNot", "blob_or_not", "B", omit_empty=True),
        dms.Attribute("listOrNot", "list_or_not", "L", omit_empty=True),
        dms.Attribute("mapOrNot", "map_or_not", "M", omit_empty=True),
        dms.Attribute("stringsOrNot", "strings_or_not", "SS", omit_empty=True),
        dms.Attribute("jsonOrNot", "json_or_not", "S", omit_empty=True, json=True),
        dms.Attribute("moment", "moment", "S", nullable=True, format="rfc3339nano"),
        dms.Attribute("seconds", "seconds", "N", format="unix_seconds"),
        dms.Attribute("whole", "whole", "N", format="int"),
        dms.Attribute("exact", "exact", "N", format="decimal_string"),
        dms.Attribute(
            "vector",
            "vector",
            "L",
            nullable=True,
            format="vector",
            dimensions=3,
        ),
        dms.Attribute(
            "expires",
            "expires",
            "N",
            nullable=True,
            omit_empty=True,
            roles=("ttl",),
            format="unix_seconds",
        ),
        dms.Attribute("group", "group", "S", nullable=True),
        dms.Attribute("rank", "rank", "N", nullable=True),
        dms.Attribute("secretText", "secret_text", "S", encrypted=True),
        dms.Attribute("secretNumber", "secret_number", "N", encrypted=True),
        dms.Attribute("secretFlag", "secret_flag", "BOOL", encrypted=True),
        dms.Attribute("secretBlob", "secret_blob", "B", encrypted=True),
        dms.Attribute("secretList", "secret_list", "L", encrypted=True),
        dms.Attribute("secretMap", "secret_map", "M", encrypted=True),
        dms.Attribute("secretStrings", "secret_strings", "SS", encrypted=True),
        dms.Attribute("secretNumbers", "secret_numbers", "NS", encrypted=True),
        dms.Attribute("secretBlobs", "secret_blobs", "BS", encrypted=True),
        dms.Attribute("secretJson", "secret_json", "S", json=True, encrypted=True),
        dms.Attribute(
            "secretOrNot",
            "secret_or_not",
            "S",
            omit_empty=True,
            encrypted=True,
        ),
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
    indexes=(
        dms.Index("by-group", "group", "rank"),
        dms.Index("by-rank", "PK", "rank"),
    ),
)


def sample_key(pk: str, sk: Decimal) -> dms.Item:
    """The key of a Sample, for get_item and delete."""
    return SAMPLE.key(pk, sk)


def sample_update(
    record: Sample,
    changed: Sequence[SampleField],
    *,
    now: dms.Now = None,
    keys: dms.KeyProvider | None = None,
) -> dms.Item:
    """For update_item: writes these fields if the version is still the record's."""
    return SAMPLE.update(record, changed, now=now, keys=keys)


def sample_query(
    pk: str,
    sk: dms.Sort | None = None,
    *,
    descending: bool = False,
    limit: int | None = None,
    cursor: str = "",
) -> dms.Item:
    """A page of one partition of the table, for query."""
    return SAMPLE.query(
        pk,
        sk,
        descending=descending,
        limit=limit,
        cursor=cursor,
    )


def sample_query_by_group(
    group: str,
    rank: dms.Sort | None = None,
    *,
    descending: bool = False,
    limit: int | None = None,
    cursor: str = "",
) -> dms.Item:
    """A page of one partition of the index by-group, for query."""
    return SAMPLE.query(
        group,
        rank,
        index="by-group",
        descending=descending,
        limit=limit,
        cursor=cursor,
    )


def sample_query_by_rank(
    pk: str,
    rank: dms.Sort | None = None,
    *,
    descending: bool = False,
    limit: int | None = None,
    cursor: str = "",
) -> dms.Item:
    """A page of one partition of the index by-rank, for query."""
    return SAMPLE.query(
        pk,
        rank,
        index="by-rank",
        descending=descending,
        limit=limit,
        cursor=cursor,
    )


@dataclass(kw_only=True)
class Reserved:
    """An item of the model Reserved in the table reserved."""

    name: str
    status: str
    size: Decimal = Decimal(0)
    values: list[Any] = field(default_factory=list)
    count: Decimal = Decimal(0)
    #: filled in whenever the item is written
    updated_at: str = ""


RESERVED = dms.Model(
    Reserved,
    name="Reserved",
    table="reserved",
    partition="name",
    attributes=(
        dms.Attribute("name", "name", "S", required=True),
        dms.Attribute("status", "status", "S", required=True),
        dms.Attribute("size", "size", "N"),
        dms.Attribute("values", "values", "L"),
        dms.Attribute("count", "count", "N"),
        dms.Attribute("updated_at", "updated_at", "S", roles=("updated_at",)),
    ),
)


def reserved_key(name: str) -> dms.Item:
    """The key of a Reserved, for get_item and delete."""
    return RESERVED.key(name)


def reserved_query(
    name: str,
    *,
    descending: bool = False,
    limit: int | None = None,
    cursor: str = "",
) -> dms.Item:
    """A page of one partition of the table, for query."""
    return RESERVED.query(
        name,
        descending=descending,
        limit=limit,
        cursor=cursor,
    )

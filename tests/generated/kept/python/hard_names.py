"""Generated from hard_names.yml; edit that file, not this.

By: dolmen model generate --lang python
Source: sha256 c57da139270d5e9c2986d6afa9c083ddc7d5640023f0f4761afc099988a39fed
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from . import dolmen_support as dms


@dataclass(kw_only=True)
class Class:
    """An item of the model class in the table hard.names-1."""

    the_key_quoted: str
    attribute_2fa: int
    class_: str | None = None
    email_hash: str | None = None
    email_hash_2: str | None = None
    email_hash_2_2: str | None = None
    attribute: str | None = None
    back_slash: str | None = None
    tab_and_trigraph: str | None = None
    std: set[str] = field(default_factory=set)
    dolmen: dict[str, Any] | None = None
    module: list[Any] | None = None
    errno: bool | None = None


CLASS = dms.Model(
    Class,
    name="class",
    table="hard.names-1",
    partition='the "key", (quoted)',
    sort="2fa",
    attributes=(
        dms.Attribute('the "key", (quoted)', "the_key_quoted", "S", required=True),
        dms.Attribute("2fa", "attribute_2fa", "N", required=True, format="int"),
        dms.Attribute("class", "class_", "S", nullable=True),
        dms.Attribute("emailHash", "email_hash", "S", nullable=True),
        dms.Attribute("email_hash", "email_hash_2", "S", nullable=True),
        dms.Attribute("email-hash 2", "email_hash_2_2", "S", nullable=True),
        dms.Attribute("名前", "attribute", "S", nullable=True),
        dms.Attribute("back\\slash", "back_slash", "S", nullable=True),
        dms.Attribute("tab\tand ??/ trigraph", "tab_and_trigraph", "S", nullable=True),
        dms.Attribute("std", "std", "SS"),
        dms.Attribute("dolmen", "dolmen", "M", nullable=True),
        dms.Attribute("module", "module", "L", nullable=True),
        dms.Attribute("errno", "errno", "BOOL", nullable=True),
    ),
    indexes=(dms.Index("by-name", "名前"),),
)


def class_key(the_key_quoted: str, attribute_2fa: int) -> dms.Item:
    """The key of a Class, for get_item and delete."""
    return CLASS.key(the_key_quoted, attribute_2fa)


def class_query(
    the_key_quoted: str,
    attribute_2fa: dms.Sort | None = None,
    *,
    descending: bool = False,
    limit: int | None = None,
    cursor: str = "",
) -> dms.Item:
    """A page of one partition of the table, for query."""
    return CLASS.query(
        the_key_quoted,
        attribute_2fa,
        descending=descending,
        limit=limit,
        cursor=cursor,
    )


def class_query_by_name(
    attribute: str,
    *,
    descending: bool = False,
    limit: int | None = None,
    cursor: str = "",
) -> dms.Item:
    """A page of one partition of the index by-name, for query."""
    return CLASS.query(
        attribute,
        index="by-name",
        descending=descending,
        limit=limit,
        cursor=cursor,
    )


@dataclass(kw_only=True)
class Model:
    """An item of the model Model in the table models."""

    model: str


MODEL = dms.Model(
    Model,
    name="Model",
    table="models",
    partition="Model",
    attributes=(dms.Attribute("Model", "model", "S"),),
)


def model_key(model: str) -> dms.Item:
    """The key of a Model, for get_item and delete."""
    return MODEL.key(model)


def model_query(
    model: str,
    *,
    descending: bool = False,
    limit: int | None = None,
    cursor: str = "",
) -> dms.Item:
    """A page of one partition of the table, for query."""
    return MODEL.query(
        model,
        descending=descending,
        limit=limit,
        cursor=cursor,
    )


@dataclass(kw_only=True)
class Class_2:
    """An item of the model Class in the table classes."""

    pk: bytes


CLASS_2 = dms.Model(
    Class_2,
    name="Class",
    table="classes",
    partition="pk",
    attributes=(dms.Attribute("pk", "pk", "B"),),
)


def class_key_2(pk: bytes) -> dms.Item:
    """The key of a Class_2, for get_item and delete."""
    return CLASS_2.key(pk)


def class_query_2(
    pk: bytes,
    *,
    descending: bool = False,
    limit: int | None = None,
    cursor: str = "",
) -> dms.Item:
    """A page of one partition of the table, for query."""
    return CLASS_2.query(
        pk,
        descending=descending,
        limit=limit,
        cursor=cursor,
    )

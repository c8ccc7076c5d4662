"""Generated from user.yml; edit that file, not this.

By: dolmen model generate --lang python
Source: sha256 1a8a14104e3cf33118b1090dde5b827ee4f388f8874d40b855959ac5a2c30b91
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Literal

from . import dolmen_support as dms


@dataclass(kw_only=True)
class User:
    """An item of the model User in the table users."""

    pk: str
    sk: str
    email_hash: str | None = None
    nickname: str | None = None
    tags: set[str] = field(default_factory=set)
    #: stored as JSON
    settings: Any = None
    avatar: bytes | None = None
    #: encrypted
    phone: str | None = None
    #: filled in when the item is put
    created_at: str = ""
    #: filled in whenever the item is written
    updated_at: str = ""
    #: counts the updates
    version: int = 0
    #: seconds since 1970
    ttl: int | None = None


#: What an update may change.
UserField = Literal[
    "email_hash",
    "nickname",
    "tags",
    "settings",
    "avatar",
    "phone",
    "ttl",
]

USER = dms.Model(
    User,
    name="User",
    table="users",
    partition="PK",
    sort="SK",
    attributes=(
        dms.Attribute("PK", "pk", "S", required=True),
        dms.Attribute("SK", "sk", "S", required=True),
        dms.Attribute("emailHash", "email_hash", "S", nullable=True, omit_empty=True),
        dms.Attribute("nickname", "nickname", "S", nullable=True, omit_empty=True),
        dms.Attribute("tags", "tags", "SS", omit_empty=True),
        dms.Attribute("settings", "settings", "S", json=True),
        dms.Attribute("avatar", "avatar", "B", nullable=True),
        dms.Attribute("phone", "phone", "S", nullable=True, encrypted=True),
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
    indexes=(
        dms.Index("gsi-email", "emailHash"),
        dms.Index("lsi-created", "PK", "createdAt"),
    ),
)


def user_key(pk: str, sk: str) -> dms.Item:
    """The key of a User, for get_item and delete."""
    return USER.key(pk, sk)


def user_update(
    record: User,
    changed: Sequence[UserField],
    *,
    now: dms.Now = None,
    keys: dms.KeyProvider | None = None,
) -> dms.Item:
    """For update_item: writes these fields if the version is still the record's."""
    return USER.update(record, changed, now=now, keys=keys)


def user_query(
    pk: str,
    sk: dms.Sort | None = None,
    *,
    descending: bool = False,
    limit: int | None = None,
    cursor: str = "",
) -> dms.Item:
    """A page of one partition of the table, for query."""
    return USER.query(
        pk,
        sk,
        descending=descending,
        limit=limit,
        cursor=cursor,
    )


def user_query_gsi_email(
    email_hash: str,
    *,
    descending: bool = False,
    limit: int | None = None,
    cursor: str = "",
) -> dms.Item:
    """A page of one partition of the index gsi-email, for query."""
    return USER.query(
        email_hash,
        index="gsi-email",
        descending=descending,
        limit=limit,
        cursor=cursor,
    )


def user_query_lsi_created(
    pk: str,
    created_at: dms.Sort | None = None,
    *,
    descending: bool = False,
    limit: int | None = None,
    cursor: str = "",
) -> dms.Item:
    """A page of one partition of the index lsi-created, for query."""
    return USER.query(
        pk,
        created_at,
        index="lsi-created",
        descending=descending,
        limit=limit,
        cursor=cursor,
    )


@dataclass(kw_only=True)
class PageMetadata:
    """An item of the model PageMetadata in the table pages."""

    pk: str
    s3_key: str
    generated_at: Decimal


PAGE_METADATA = dms.Model(
    PageMetadata,
    name="PageMetadata",
    table="pages",
    partition="pk",
    attributes=(
        dms.Attribute("pk", "pk", "S", required=True),
        dms.Attribute("s3_key", "s3_key", "S", required=True),
        dms.Attribute("generated_at", "generated_at", "N", required=True),
    ),
)


def page_metadata_key(pk: str) -> dms.Item:
    """The key of a PageMetadata, for get_item and delete."""
    return PAGE_METADATA.key(pk)


def page_metadata_query(
    pk: str,
    *,
    descending: bool = False,
    limit: int | None = None,
    cursor: str = "",
) -> dms.Item:
    """A page of one partition of the table, for query."""
    return PAGE_METADATA.query(
        pk,
        descending=descending,
        limit=limit,
        cursor=cursor,
    )

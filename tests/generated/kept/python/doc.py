"""Generated from doc.yml; edit that file, not this.

By: dolmen model generate --lang python
Source: sha256 4c7ffb4dae87f870b0bdfa447893b6849faed1ab051124c814c842054c4b153b
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from . import dolmen_support as dms


@dataclass(kw_only=True)
class Doc:
    """An item of the model Doc in the table docs."""

    id: str
    tenant: str | None = None
    year: int = 0
    title: str | None = None
    #: a vector of 3 numbers
    meaning: list[float]
    #: a vector of 2 numbers
    picture: list[float] | None = None
    #: counts the updates
    version: int = 0


#: What an update may change.
DocField = Literal["tenant", "year", "title", "meaning", "picture"]

DOC = dms.Model(
    Doc,
    name="Doc",
    table="docs",
    partition="id",
    attributes=(
        dms.Attribute("id", "id", "S", required=True),
        dms.Attribute("tenant", "tenant", "S", nullable=True),
        dms.Attribute("year", "year", "N", format="int"),
        dms.Attribute("title", "title", "S", nullable=True),
        dms.Attribute(
            "meaning",
            "meaning",
            "L",
            required=True,
            format="vector",
            dimensions=3,
        ),
        dms.Attribute(
            "picture",
            "picture",
            "L",
            nullable=True,
            format="vector",
            dimensions=2,
        ),
        dms.Attribute("version", "version", "N", roles=("version",), format="int"),
    ),
)


def doc_key(id: str) -> dms.Item:
    """The key of a Doc, for get_item and delete."""
    return DOC.key(id)


def doc_update(
    record: Doc,
    changed: Sequence[DocField],
    *,
    now: dms.Now = None,
    keys: dms.KeyProvider | None = None,
) -> dms.Item:
    """For update_item: writes these fields if the version is still the record's."""
    return DOC.update(record, changed, now=now, keys=keys)


def doc_query(
    id: str,
    *,
    descending: bool = False,
    limit: int | None = None,
    cursor: str = "",
) -> dms.Item:
    """A page of one partition of the table, for query."""
    return DOC.query(
        id,
        descending=descending,
        limit=limit,
        cursor=cursor,
    )


#: A vector index of Doc, for search_vectors.
DOC_INDEX_BY_MEANING = "by_meaning"

#: A vector index of Doc, for search_vectors.
DOC_INDEX_BY_PICTURE = "by-picture"

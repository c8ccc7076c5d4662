"""What the models share that `dolmen model generate --lang python` writes.

A model turns records into what the Table of boto3 takes, and back:

    table.put_item(**USER.create(user))
    table.update_item(**USER.update(user, ["nickname"]))
    user = USER.decode(table.get_item(Key=user_key("USER#1", "PROFILE"))["Item"])

Nothing here talks to a server, and nothing but encryption needs more than Python's
own library. Encrypted attributes need the package cryptography.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Generic, TypeVar

from .dolmen_values import (
    SETS,
    Attribute,
    Item,
    KeyProvider,
    ModelError,
    Now,
    decode_cursor,
    decode_value,
    encode_cursor,
    encode_value,
    error_name,
    format_time,
    is_empty,
    json_text,
    now_text,
    parse_time,
    seal,
    unseal,
)

__all__ = [
    "Attribute",
    "Index",
    "Item",
    "KeyProvider",
    "Model",
    "ModelError",
    "Now",
    "Sort",
    "at_least",
    "at_most",
    "begins_with",
    "between",
    "decode_cursor",
    "encode_cursor",
    "equals",
    "error_name",
    "format_time",
    "greater_than",
    "json_text",
    "less_than",
    "parse_time",
]

R = TypeVar("R")


@dataclass(frozen=True)
class Index:
    name: str
    partition: str
    sort: str | None = None


@dataclass(frozen=True)
class Sort:
    """A condition on the sort key of a query; made by the functions below."""

    operator: str
    values: tuple[Any, ...]


def equals(value: Any) -> Sort:
    return Sort("=", (value,))


def less_than(value: Any) -> Sort:
    return Sort("<", (value,))


def at_most(value: Any) -> Sort:
    return Sort("<=", (value,))


def greater_than(value: Any) -> Sort:
    return Sort(">", (value,))


def at_least(value: Any) -> Sort:
    return Sort(">=", (value,))


def between(low: Any, high: Any) -> Sort:
    return Sort("BETWEEN", (low, high))


def begins_with(prefix: Any) -> Sort:
    return Sort("begins_with", (prefix,))


# ---- The model ----


class _Placeholders:
    def __init__(self) -> None:
        self._names: dict[str, str] = {}
        self._values: Item = {}

    def name(self, attribute: str) -> str:
        for placeholder, known in self._names.items():
            if known == attribute:
                return placeholder
        placeholder = f"#n{len(self._names)}"
        self._names[placeholder] = attribute
        return placeholder

    def value(self, value: Any) -> str:
        placeholder = f":v{len(self._values)}"
        self._values[placeholder] = value
        return placeholder

    def arguments(self) -> Item:
        out: Item = {"ExpressionAttributeNames": self._names}
        if self._values:
            out["ExpressionAttributeValues"] = self._values
        return out


class Model(Generic[R]):
    """The rules of one kind of item, whose record is an `R`. All methods that give
    requests return the arguments of the method of boto3's Table that is called so."""

    def __init__(
        self,
        record: type[R],
        *,
        name: str,
        table: str,
        partition: str,
        sort: str | None = None,
        attributes: tuple[Attribute, ...],
        indexes: tuple[Index, ...] = (),
        write_once: bool = False,
        protected: tuple[str, ...] = (),
    ) -> None:
        self.record = record
        self.name = name
        self.table = table
        self.partition = partition
        self.sort = sort
        self.attributes = attributes
        self.indexes = indexes
        self.write_once = write_once
        self.protected = protected
        self._fields = {attribute.field: attribute for attribute in attributes}
        self._names = {attribute.name: attribute for attribute in attributes}

    # -- Items --

    def key(self, partition: Any, sort: Any = None) -> Item:
        """The key of an item, such as `Table.get_item(Key=...)` takes it."""
        key = {self.partition: self._key_part(self.partition, partition)}
        if self.sort is not None:
            key[self.sort] = self._key_part(self.sort, sort)
        return key

    def key_of(self, record: R) -> Item:
        values = [getattr(record, self._names[each].field) for each in self._keys()]
        return self.key(*values)

    def encode(
        self,
        record: R,
        *,
        now: Now = None,
        keys: KeyProvider | None = None,
    ) -> Item:
        """The item that a put of the record stores: times are those of `now`, a new
        version is 0, and what the model leaves out is not there."""
        self._check_keys(keys)
        item = self.key_of(record)
        moment = now_text(now)
        for attribute in self.attributes:
            value = getattr(record, attribute.field)
            if attribute.is_time:
                item[attribute.name] = moment
            elif attribute.name in self._keys():
                continue
            elif attribute.is_version:
                item[attribute.name] = encode_value(attribute, value or 0)
            elif self._is_left_out(attribute, value):
                self._check_not_required(attribute)
            else:
                item[attribute.name] = self._encode(attribute, value, keys)
        return item

    def decode(self, item: Mapping[str, Any], *, keys: KeyProvider | None = None) -> R:
        """The record of an item, whichever language has written it. Attributes that
        the model does not know are left out."""
        self._check_keys(keys)
        values: Item = {}
        for attribute in self.attributes:
            stored = item.get(attribute.name)
            is_there = attribute.name in item
            if is_there and attribute.encrypted:
                stored = unseal(stored, self.name, attribute.name, self._some(keys))
            if stored is not None or (is_there and attribute.holds_null):
                values[attribute.field] = decode_value(attribute, stored)
            elif attribute.required or attribute.name in self._keys():
                how = "NULL" if is_there else "missing"
                text = f'the required attribute "{attribute.name}" is {how}'
                raise ModelError("ErrInvalidModel", text)
        return self.record(**values)

    # -- Requests --

    def create(
        self,
        record: R,
        *,
        now: Now = None,
        keys: KeyProvider | None = None,
    ) -> Item:
        """For put_item: fails with ErrConditionFailed when the item exists."""
        return {
            "Item": self.encode(record, now=now, keys=keys),
            "ConditionExpression": "attribute_not_exists(#pk)",
            "ExpressionAttributeNames": {"#pk": self.partition},
        }

    def put(
        self,
        record: R,
        *,
        now: Now = None,
        keys: KeyProvider | None = None,
    ) -> Item:
        """For put_item: replaces the item if there is one."""
        self._check_mutable("a put that may replace one")
        if self.protected:
            text = (
                f'a put replaces the whole item, but "{self.protected[0]}" is protected'
            )
            raise ModelError("ErrProtectedFieldMutation", text)
        return {"Item": self.encode(record, now=now, keys=keys)}

    def update(
        self,
        record: R,
        changed: Sequence[str],
        *,
        now: Now = None,
        keys: KeyProvider | None = None,
    ) -> Item:
        """For update_item: writes these fields of the record if the stored version is
        that of the record, and counts it up. What is empty is removed where the model
        says omit_empty. Fails with ErrConditionFailed when somebody was faster."""
        self._check_keys(keys)
        self._check_mutable("an update")
        version = next((each for each in self.attributes if each.is_version), None)
        if version is None:
            text = f'model "{self.name}" has no version, which an update needs'
            raise ModelError("ErrInvalidModel", text)
        places = _Placeholders()
        sets, removes = [], []
        for attribute in self.attributes:
            if "updated_at" in attribute.roles:
                moment = places.value(now_text(now))
                sets.append(f"{places.name(attribute.name)} = {moment}")
        for attribute in self._changed(changed):
            value = getattr(record, attribute.field)
            if self._is_left_out(attribute, value):
                self._check_not_required(attribute)
                removes.append(places.name(attribute.name))
            else:
                stored = places.value(self._encode(attribute, value, keys))
                sets.append(f"{places.name(attribute.name)} = {stored}")
        text = "SET " + ", ".join(sets) + " " if sets else ""
        text += "REMOVE " + ", ".join(removes) + " " if removes else ""
        counter = places.name(version.name)
        text += f"ADD {counter} {places.value(Decimal(1))}"
        expected = encode_value(version, getattr(record, version.field) or 0)
        return {
            "Key": self.key_of(record),
            "UpdateExpression": text,
            "ConditionExpression": f"{counter} = {places.value(expected)}",
            **places.arguments(),
        }

    def delete(self, key: Mapping[str, Any], *, version: int | None = None) -> Item:
        """For delete_item. With a version: only if the item still has it."""
        self._check_mutable("a delete")
        if version is None:
            return {"Key": dict(key)}
        counter = next((each for each in self.attributes if each.is_version), None)
        if counter is None:
            raise ModelError("ErrInvalidModel", f'model "{self.name}" has no version')
        places = _Placeholders()
        expected = places.value(encode_value(counter, version))
        condition = f"{places.name(counter.name)} = {expected}"
        return {
            "Key": dict(key),
            "ConditionExpression": condition,
            **places.arguments(),
        }

    def query(
        self,
        partition: Any,
        sort: Sort | None = None,
        *,
        index: str = "",
        descending: bool = False,
        limit: int | None = None,
        cursor: str = "",
    ) -> Item:
        """For query: a page of the items of a partition, of the table or an index."""
        hash_name, range_name = self._keys_of_index(index)
        places = _Placeholders()
        part = places.value(self._key_part(hash_name, partition))
        condition = f"{places.name(hash_name)} = {part}"
        if sort is not None:
            condition += " AND " + self._sort_condition(range_name, sort, places)
        out: Item = {"KeyConditionExpression": condition, **places.arguments()}
        if index:
            out["IndexName"] = index
        if descending:
            out["ScanIndexForward"] = False
        if limit is not None:
            out["Limit"] = limit
        if cursor:
            order = "DESC" if descending else "ASC"
            out["ExclusiveStartKey"] = decode_cursor(cursor, index, order)
        return out

    def cursor(
        self, page: Mapping[str, Any], *, index: str = "", descending: bool = False
    ) -> str:
        """Where the page of a query ended; empty after the last one. Every language
        can go on from there."""
        last_key = page.get("LastEvaluatedKey")
        order = "DESC" if descending else "ASC"
        return encode_cursor(last_key, index, order) if last_key else ""

    # -- The rules --

    def _keys(self) -> list[str]:
        return [self.partition] + ([self.sort] if self.sort is not None else [])

    def _keys_of_index(self, index: str) -> tuple[str, str | None]:
        if not index:
            return self.partition, self.sort
        for each in self.indexes:
            if each.name == index:
                return each.partition, each.sort
        text = f'model "{self.name}" has no index "{index}"'
        raise ModelError("ErrInvalidOperator", text)

    def _key_part(self, name: str, value: Any) -> Any:
        if value is None or value == "" or value == b"":
            how = "missing" if value is None else "empty"
            raise ModelError(
                "ErrMissingPrimaryKey", f'the key attribute "{name}" is {how}'
            )
        return encode_value(self._names[name], value)

    def _sort_condition(
        self, name: str | None, sort: Sort, places: _Placeholders
    ) -> str:
        if name is None:
            raise ModelError(
                "ErrInvalidOperator", "there is no sort key to compare with"
            )
        values = [places.value(self._key_part(name, each)) for each in sort.values]
        left = places.name(name)
        if sort.operator == "BETWEEN":
            return f"{left} BETWEEN {values[0]} AND {values[1]}"
        if sort.operator == "begins_with":
            return f"begins_with({left}, {values[0]})"
        return f"{left} {sort.operator} {values[0]}"

    def _changed(self, changed: Sequence[str]) -> list[Attribute]:
        out = []
        for name in changed:
            attribute = self._fields.get(name)
            if attribute is None or changed.count(name) > 1:
                text = f'"{name}" is not a field of {self.name}, or is named twice'
                raise ModelError("ErrInvalidModel", text)
            if attribute.name in self._keys() or attribute.is_owned:
                raise ModelError("ErrInvalidModel", f'"{name}" cannot be updated')
            if attribute.name in self.protected:
                text = f'"{attribute.name}" is protected and cannot be changed'
                raise ModelError("ErrProtectedFieldMutation", text)
            out.append(attribute)
        return out

    def _check_keys(self, keys: KeyProvider | None) -> None:
        if keys is None and any(attribute.encrypted for attribute in self.attributes):
            text = (
                f'model "{self.name}" has encrypted attributes, but there are no keys'
            )
            raise ModelError("ErrEncryptionNotConfigured", text)

    @staticmethod
    def _some(keys: KeyProvider | None) -> KeyProvider:
        assert keys is not None  # `_check_keys` has seen to it.
        return keys

    def _check_mutable(self, what: str) -> None:
        if self.write_once:
            text = f'model "{self.name}" is write_once: {what} is refused'
            raise ModelError("ErrImmutableModelMutation", text)

    @staticmethod
    def _check_not_required(attribute: Attribute) -> None:
        if attribute.required:
            text = f'the required attribute "{attribute.name}" is missing or empty'
            raise ModelError("ErrInvalidModel", text)

    @staticmethod
    def _is_left_out(attribute: Attribute, value: Any) -> bool:
        if value is None and attribute.nullable:
            return True
        if attribute.omit_empty and is_empty(attribute, value):
            return True
        if attribute.required and attribute.type != "NULL":
            return value is None or (attribute.type in SETS and len(value) == 0)
        return False

    def _encode(
        self, attribute: Attribute, value: Any, keys: KeyProvider | None
    ) -> Any:
        stored = encode_value(attribute, value)
        if not attribute.encrypted:
            return stored
        return seal(stored, self.name, attribute.name, self._some(keys))

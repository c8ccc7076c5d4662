"""Conditions as they are said in Python:

    key("topic") == "dolmen" & (key("written") > 0)          # parentheses, because & binds tighter than ==
    attr("text").exists() & ~attr("tags").contains("old")
    attr("address")["lines"][0].begins_with("1 ")
"""

from __future__ import annotations

from typing import Any, Iterable, Union

from .values import to_json


class Placeholders:
    """Stands for names and values in the expressions of one request, so that reserved words need no care."""

    def __init__(self) -> None:
        self.names: dict[str, str] = {}
        self.values: dict[str, Any] = {}
        self._by_name: dict[str, str] = {}

    def name(self, name: str) -> str:
        if name not in self._by_name:
            self._by_name[name] = f"#n{len(self._by_name)}"
            self.names[self._by_name[name]] = name
        return self._by_name[name]

    def value(self, value: Any) -> str:
        placeholder = f":v{len(self.values)}"
        self.values[placeholder] = to_json(value)
        return placeholder

    def add_to(self, request: dict[str, Any]) -> None:
        if self.names:
            request["ExpressionAttributeNames"] = self.names
        if self.values:
            request["ExpressionAttributeValues"] = self.values


class Condition:
    """What must hold. Conditions are joined by & and |, and turned around by ~."""

    def __init__(self, *parts: Any) -> None:
        self._parts = parts

    def text(self, placeholders: Placeholders) -> str:
        return "".join(_text(part, placeholders) for part in self._parts)

    def __and__(self, other: Condition) -> Condition:
        return Condition("(", self, " AND ", other, ")")

    def __or__(self, other: Condition) -> Condition:
        return Condition("(", self, " OR ", other, ")")

    def __invert__(self) -> Condition:
        return Condition("(NOT ", self, ")")

    def __bool__(self) -> bool:
        raise TypeError("join conditions by & and |, not by `and` and `or`, with each comparison in parentheses")


class _Value:
    def __init__(self, value: Any) -> None:
        self.value = value


def _text(part: Any, placeholders: Placeholders) -> str:
    if isinstance(part, (Condition, Operand)):
        return part.text(placeholders)
    if isinstance(part, _Value):
        return placeholders.value(part.value)
    return str(part)


def _operand(value: Any) -> Any:
    return value if isinstance(value, Operand) else _Value(value)


class Operand:
    """Something that has a value in an item."""

    def text(self, placeholders: Placeholders) -> str:
        raise NotImplementedError

    def __eq__(self, other: Any) -> Condition:  # type: ignore[override]
        return Condition(self, " = ", _operand(other))

    def __ne__(self, other: Any) -> Condition:  # type: ignore[override]
        return Condition(self, " <> ", _operand(other))

    def __lt__(self, other: Any) -> Condition:
        return Condition(self, " < ", _operand(other))

    def __le__(self, other: Any) -> Condition:
        return Condition(self, " <= ", _operand(other))

    def __gt__(self, other: Any) -> Condition:
        return Condition(self, " > ", _operand(other))

    def __ge__(self, other: Any) -> Condition:
        return Condition(self, " >= ", _operand(other))

    # By identity, so that a path can be the key of a dict, as in Table.update.
    __hash__ = object.__hash__

    def between(self, low: Any, high: Any) -> Condition:
        """Both bounds are inside."""
        return Condition(self, " BETWEEN ", _operand(low), " AND ", _operand(high))

    def is_in(self, values: Iterable[Any]) -> Condition:
        parts: list[Any] = []
        for value in values:
            parts += [", ", _operand(value)]
        return Condition(self, " IN (", *parts[1:], ")")


class _Size(Operand):
    def __init__(self, path: Path) -> None:
        self._path = path

    def text(self, placeholders: Placeholders) -> str:
        return f"size({self._path.text(placeholders)})"


class Path(Operand):
    """An attribute or a part of one. Names are taken as they are: a dot is part of a name."""

    def __init__(self, *steps: Union[str, int]) -> None:
        self._steps = steps

    def __getitem__(self, step: Union[str, int]) -> Path:
        return Path(*self._steps, step)

    # Or a loop over a path would never end.
    __iter__ = None

    def text(self, placeholders: Placeholders) -> str:
        text = ""
        for step in self._steps:
            if isinstance(step, int):
                text += f"[{step}]"
            else:
                text += ("." if text else "") + placeholders.name(step)
        return text

    def exists(self) -> Condition:
        return Condition("attribute_exists(", self, ")")

    def not_exists(self) -> Condition:
        return Condition("attribute_not_exists(", self, ")")

    def begins_with(self, prefix: Any) -> Condition:
        return Condition("begins_with(", self, ", ", _operand(prefix), ")")

    def contains(self, part: Any) -> Condition:
        """A part of a text, or a member of a set or list."""
        return Condition("contains(", self, ", ", _operand(part), ")")

    def size(self) -> Operand:
        """The length of a text or bytes, or the number of members."""
        return _Size(self)


def attr(name: str) -> Path:
    """An attribute in a condition or filter."""
    return Path(name)


def key(name: str) -> Path:
    """A key attribute in the condition of a query."""
    return Path(name)

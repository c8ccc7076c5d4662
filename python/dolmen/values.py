"""Values of Python as DynamoDB's JSON, and back.

    str S · bytes B · bool BOOL · None NULL · int, float, Decimal N · list, tuple L · dict M · set of one kind SS, NS, BS

Numbers come back as int when they are whole, and as Decimal otherwise: DynamoDB keeps 38 digits, a float only 15.
"""

from __future__ import annotations

import base64
import decimal
import math
from typing import Any, Mapping, Union

Value = Union[str, bytes, bool, None, int, float, decimal.Decimal, "list[Any]", "dict[str, Any]", "set[Any]"]


def _number(value: Any) -> str:
    if isinstance(value, float):
        if not math.isfinite(value):
            raise ValueError(f"{value} is not a number of DynamoDB")
        return repr(value)
    if isinstance(value, decimal.Decimal):
        if not value.is_finite():
            raise ValueError(f"{value} is not a number of DynamoDB")
        return str(value)
    return str(int(value))


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float, decimal.Decimal)) and not isinstance(value, bool)


def _bytes(value: Any) -> str:
    return base64.b64encode(bytes(value)).decode()


def _set(value: Any) -> dict[str, Any]:
    if not value:
        raise ValueError("DynamoDB has no empty sets")
    if all(isinstance(each, str) for each in value):
        return {"SS": sorted(value)}
    if all(_is_number(each) for each in value):
        return {"NS": [_number(each) for each in value]}
    if all(isinstance(each, (bytes, bytearray, memoryview)) for each in value):
        return {"BS": [_bytes(each) for each in value]}
    raise TypeError("the members of a set are all texts, all numbers or all bytes")


def to_json(value: Any) -> dict[str, Any]:
    """One value, with its type: 3 becomes {"N": "3"}."""
    if isinstance(value, str):
        return {"S": value}
    if isinstance(value, bool):
        return {"BOOL": value}
    if value is None:
        return {"NULL": True}
    if _is_number(value):
        return {"N": _number(value)}
    if isinstance(value, (bytes, bytearray, memoryview)):
        return {"B": _bytes(value)}
    if isinstance(value, Mapping):
        return {"M": item_to_json(value)}
    if isinstance(value, (list, tuple)):
        return {"L": [to_json(each) for each in value]}
    if isinstance(value, (set, frozenset)):
        return _set(value)
    raise TypeError(f"a value of type {type(value).__name__} cannot be stored")


def item_to_json(item: Mapping[str, Any]) -> dict[str, Any]:
    return {name: to_json(value) for name, value in item.items()}


def _read_number(text: str) -> Any:
    try:
        return int(text)
    except ValueError:
        number = decimal.Decimal(text)
        return int(number) if number == number.to_integral_value() and number.adjusted() < 38 else number


_READERS: dict[str, Any] = {
    "S": lambda value: value,
    "N": _read_number,
    "B": base64.b64decode,
    "BOOL": lambda value: value,
    "NULL": lambda value: None,
    "L": lambda value: [from_json(each) for each in value],
    "M": lambda value: item_from_json(value),
    "SS": set,
    "NS": lambda value: {_read_number(each) for each in value},
    "BS": lambda value: {base64.b64decode(each) for each in value},
}


def from_json(value: Mapping[str, Any]) -> Any:
    """The opposite of to_json."""
    ((kind, content),) = value.items()
    return _READERS[kind](content)


def item_from_json(item: Mapping[str, Any]) -> dict[str, Any]:
    return {name: from_json(value) for name, value in item.items()}

"""How the attributes of models are stored: times, numbers, sets, JSON, envelopes of
encrypted values, and cursors. Written by `dolmen model generate --lang python`."""

from __future__ import annotations

import base64
import importlib
import json
import math
import os
import re
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from decimal import Decimal, InvalidOperation
from typing import Any

#: An item, a key, or the arguments of a request, as the Table of boto3 has them.
Item = dict[str, Any]

#: The present, for times that the library fills in; None is that of the machine.
Now = datetime | str | None

_RFC3339 = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:[.,](\d{1,9}))?(?:Z|[+-](\d\d):(\d\d))",
    re.ASCII,
)
SETS = {"SS": str, "NS": Decimal, "BS": bytes}
_FLOAT_MAX = 3.4028235e38
_GO_ZERO_SECONDS = -62135596800
_AAD = "theorydb:encrypted:v1|attr="


class ModelError(Exception):
    """What is wrong with a record, an item or a request. `name` is the same in every
    language that implements DMS."""

    def __init__(self, name: str, message: str) -> None:
        super().__init__(message)
        self.name = name


def error_name(error: BaseException) -> str:
    """The name that all implementations of DMS have for an error, of a model or of
    boto3; that of AWS where they have none."""
    if isinstance(error, ModelError):
        return error.name
    response = getattr(error, "response", {})
    code = str(response.get("Error", {}).get("Code", type(error).__name__))
    if code == "TransactionCanceledException":
        reasons = [each.get("Code") for each in response.get("CancellationReasons", [])]
        failed = "ConditionalCheckFailed" in reasons
        return "ErrConditionFailed" if failed else "ErrTransactionFailed"
    return {
        "ConditionalCheckFailedException": "ErrConditionFailed",
        "ResourceNotFoundException": "ErrTableNotFound",
    }.get(code, code)


class KeyProvider:
    """Where the keys of encrypted attributes come from."""

    def generate(self, model: str, attribute: str) -> tuple[bytes, bytes]:
        """A key of 32 bytes that was never used, and the form of it to be stored."""
        raise NotImplementedError

    def decrypt(self, encrypted: bytes, model: str, attribute: str) -> bytes:
        """The key that `generate` gave together with its stored form."""
        raise NotImplementedError

    def nonce(self, model: str, attribute: str) -> bytes:
        """Twelve bytes, random unless a test wants to repeat itself."""
        return os.urandom(12)


@dataclass(frozen=True)
class Attribute:
    name: str
    field: str
    type: str
    required: bool = False
    #: None stands for a value that is not there.
    nullable: bool = False
    omit_empty: bool = False
    roles: tuple[str, ...] = ()
    format: str = ""
    #: How many numbers a vector has.
    dimensions: int = 0
    json: bool = False
    encrypted: bool = False

    @property
    def is_time(self) -> bool:
        return "created_at" in self.roles or "updated_at" in self.roles

    @property
    def is_version(self) -> bool:
        return "version" in self.roles

    @property
    def is_owned(self) -> bool:
        return self.is_time or self.is_version

    @property
    def holds_null(self) -> bool:
        return self.json or self.type in ("NULL", "SS", "NS", "BS")

    @property
    def holds_seconds(self) -> bool:
        return self.format == "unix_seconds" or "ttl" in self.roles


# ---- Times ----


def format_time(moment: datetime) -> str:
    """UTC with nine digits, so that texts sort as the times do."""
    if moment.tzinfo is None:
        raise ModelError("ErrInvalidModel", "a time needs a time zone")
    return (
        moment.astimezone(timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%f000Z").zfill(30)
    )


def parse_time(text: str) -> datetime:
    """A time in any RFC 3339 form; digits beyond microseconds are cut off."""
    if not _is_time(text):
        raise ModelError("ErrInvalidModel", f'"{text}" is not a time in RFC 3339 form')
    day, clock = text[:10], text[11:19]
    fraction = re.match(r"[.,](\d+)", text[19:])
    micros = int(fraction[1][:6].ljust(6, "0")) if fraction else 0
    moment = datetime.fromisoformat(f"{day}T{clock}+00:00") + timedelta(
        microseconds=micros
    )
    if text.endswith("Z"):
        return moment
    sign = -1 if text[-6] == "-" else 1
    offset = timedelta(hours=int(text[-5:-3]), minutes=int(text[-2:])) * sign
    return (moment - offset).astimezone(timezone(offset))


def _is_time(text: str) -> bool:
    parts = _RFC3339.fullmatch(text)
    if parts is None:
        return False
    year, month, day, hour, minute, second = (int(part) for part in parts.groups()[:6])
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    days = (31, 29 if leap else 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
    if not (1 <= month <= 12 and 1 <= day <= days[month - 1]):
        return False
    if parts[8] is not None and (int(parts[8]) > 23 or int(parts[9]) > 59):
        return False
    return hour <= 23 and minute <= 59 and second <= 59


def _is_zero_time(text: str) -> bool:
    return bool(re.fullmatch(r"0001-01-01T00:00:00([.,]0+)?(Z|[+-]00:00)", text))


def now_text(now: Now) -> str:
    if isinstance(now, str):
        if not _is_time(now):
            raise ModelError("ErrInvalidModel", f'"{now}" is not a time')
        return now
    return format_time(now if now is not None else datetime.now(timezone.utc))


# ---- Values ----


def _wrong(attribute: Attribute, value: Any) -> ModelError:
    text = f'attribute "{attribute.name}" is of type {attribute.type} and cannot hold'
    return ModelError("ErrInvalidModel", f"{text} a {type(value).__name__}")


def _number(value: Any) -> Decimal:
    """A number that DynamoDB can hold, exactly."""
    if isinstance(value, bool) or not isinstance(value, (int, Decimal, str)):
        raise ModelError("ErrInvalidModel", f"{value!r} is not an exact number")
    try:
        number = Decimal(value)
    except InvalidOperation:
        raise ModelError("ErrInvalidModel", f'"{value}" is not a number') from None
    if not number.is_finite():
        raise ModelError("ErrInvalidModel", f"{number} is not a number")
    digits = "".join(map(str, number.as_tuple().digits)).strip("0")
    if digits and (len(digits) > 38 or not -130 <= number.adjusted() <= 125):
        raise ModelError("ErrInvalidModel", f"DynamoDB cannot hold the number {number}")
    return number if digits else Decimal(0)


def _document(value: Any) -> Any:
    """A value inside a list or map, where the model says nothing of types."""
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, (int, Decimal)):
        return _number(value)
    if isinstance(value, (bytes, bytearray)) or _is_boto3_binary(value):
        return bytes(value)
    if isinstance(value, Mapping):
        return {name: _document(member) for name, member in value.items()}
    if isinstance(value, (list, tuple)):
        return [_document(element) for element in value]
    if isinstance(value, (set, frozenset)) and value:
        return {_document(member) for member in value}
    raise ModelError("ErrInvalidModel", f"{value!r} cannot be stored")


def _bytes(value: Any) -> bytes:
    return bytes(value)


def _is_boto3_binary(value: Any) -> bool:
    return type(value).__name__ == "Binary" and hasattr(value, "value")


def _float_text(value: float) -> str:
    """As ECMAScript writes numbers, which is how JSON is compared across languages."""
    if not math.isfinite(value):
        raise ModelError("ErrInvalidModel", f"JSON cannot hold {value}")
    if value == 0:
        return "0"
    mantissa, _, exponent = repr(value).partition("e")
    if not exponent:
        return mantissa.removesuffix(".0")
    number = Decimal(repr(value))
    if -7 < number.adjusted() < 21:
        return format(number, "f").removesuffix(".0")
    return f"{mantissa.removesuffix('.0')}e{int(exponent):+d}"


def json_text(value: Any) -> str:
    """The one text of a JSON value: names sorted by their code points, no spaces."""
    if value is None or isinstance(value, (bool, str)):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, int):
        return str(value)
    if isinstance(value, (float, Decimal)):
        whole = isinstance(value, Decimal) and value == value.to_integral_value()
        return format(value, ".0f") if whole else _float_text(float(value))
    if isinstance(value, (list, tuple)):
        return "[" + ",".join(json_text(element) for element in value) + "]"
    if isinstance(value, Mapping) and all(isinstance(name, str) for name in value):
        members = (
            f"{json_text(name)}:{json_text(value[name])}" for name in sorted(value)
        )
        return "{" + ",".join(members) + "}"
    raise ModelError("ErrInvalidModel", f"{value!r} cannot be written as JSON")


def _native_json(value: Any) -> Any:
    if isinstance(value, float):
        return _number(_float_text(value))
    if isinstance(value, (list, tuple)):
        return [_native_json(element) for element in value]
    if isinstance(value, Mapping):
        return {name: _native_json(member) for name, member in value.items()}
    return _document(value)


def _fits(kind: str, value: Any) -> bool:
    types: Any = {
        "S": str,
        "N": Decimal,
        "B": bytes,
        "BOOL": bool,
        "L": list,
        "M": dict,
        "NULL": type(None),
    }[kind]
    return isinstance(value, types)


def _vector_number(value: float) -> Decimal:
    """The shortest digits that name a 32-bit float, or those of the number itself."""
    if struct.unpack("f", struct.pack("f", value))[0] == value:
        for digits in range(1, 10):
            text = f"{value:.{digits}g}"
            if struct.unpack("f", struct.pack("f", float(text)))[0] == value:
                return _number(text)
    return _number(repr(value))


def _encode_vector(attribute: Attribute, value: Any) -> Any:
    what = f'attribute "{attribute.name}" is a vector of {attribute.dimensions}'
    what += " 32-bit floats"
    if isinstance(value, (str, bytes, Mapping)) or not hasattr(value, "__len__"):
        raise _wrong(attribute, value)
    if len(value) != attribute.dimensions:
        raise ModelError("ErrInvalidModel", f"{what}: found {len(value)} elements")
    out = []
    for place, each in enumerate(value):
        try:
            number = float(each)
        except (TypeError, ValueError):
            number = math.nan
        if isinstance(each, (bool, str)) or not abs(number) <= _FLOAT_MAX:
            raise ModelError("ErrInvalidModel", f"{what}: found {each!r} at [{place}]")
        out.append(_vector_number(number))
    return out


def encode_value(attribute: Attribute, value: Any) -> Any:
    kind = attribute.type
    if attribute.json:
        if value is None:
            return None
        text = json_text(value)
        native = text if kind == "S" else _native_json(value)
        if not _fits(kind, native):
            raise _wrong(attribute, value)
        return native
    if kind in SETS:
        if not isinstance(value, (set, frozenset, list, tuple)):
            raise _wrong(attribute, value)
        members = {_number(each) if kind == "NS" else each for each in value}
        if not all(isinstance(each, SETS[kind]) for each in members):
            raise _wrong(attribute, value)
        if len(members) < len(value):
            raise ModelError(
                "ErrInvalidModel", f'"{attribute.name}" has an element twice'
            )
        return members or None
    if kind == "NULL":
        return None
    if attribute.format == "vector":
        return _encode_vector(attribute, value)
    if kind == "N":
        number = _number(value)
        whole = (
            attribute.format == "int" or attribute.holds_seconds or attribute.is_version
        )
        if whole and number != number.to_integral_value():
            message = f'attribute "{attribute.name}" takes whole numbers only'
            raise ModelError("ErrInvalidModel", message)
        return number
    native = _document(value)
    if not _fits(kind, native):
        raise _wrong(attribute, value)
    if attribute.format == "rfc3339nano" and not _is_time(native):
        message = f'attribute "{attribute.name}": "{native}" is not a time'
        raise ModelError("ErrInvalidModel", message)
    return native


def decode_value(attribute: Attribute, stored: Any) -> Any:
    kind = attribute.type
    if _is_boto3_binary(stored):
        stored = bytes(stored)
    if attribute.json:
        return _decode_json(attribute, stored)
    if kind in SETS:
        if stored is None:
            return set()
        # Lists are what one implementation writes for sets.
        if isinstance(stored, (set, frozenset, list)):
            members = {bytes(each) if kind == "BS" else each for each in stored}
            if all(isinstance(each, SETS[kind]) for each in members):
                return members
    elif kind == "B" and isinstance(stored, list):
        # So are lists of numbers for bytes.
        if all(isinstance(each, Decimal) and 0 <= each <= 255 for each in stored):
            return bytes(int(each) for each in stored)
    elif kind == "N" and isinstance(stored, Decimal):
        whole = (
            attribute.format == "int" or attribute.holds_seconds or attribute.is_version
        )
        return int(stored) if whole else stored
    elif kind == "NULL":
        return None
    elif attribute.format == "vector" and _fits(kind, stored):
        if all(isinstance(each, Decimal) for each in stored):
            return [float(each) for each in stored]
    elif kind in ("L", "M") and _fits(kind, stored):
        return _document(stored)
    elif _fits(kind, stored):
        return stored
    raise _stored_otherwise(attribute, stored)


def _stored_otherwise(attribute: Attribute, stored: Any) -> ModelError:
    text = f'attribute "{attribute.name}" is stored as {type(stored).__name__}'
    return ModelError("ErrInvalidModel", f"{text}, but the model says {attribute.type}")


def _decode_json(attribute: Attribute, stored: Any) -> Any:
    if stored is None or isinstance(stored, (bool, Decimal, list, dict)):
        return _plain_json(stored)
    if not isinstance(stored, str):
        raise _stored_otherwise(attribute, stored)
    try:
        return json.loads(stored)
    except ValueError as error:
        text = f'attribute "{attribute.name}" is not stored as JSON: {error}'
        raise ModelError("ErrInvalidModel", text) from None


def _plain_json(stored: Any) -> Any:
    if isinstance(stored, Decimal):
        return int(stored) if stored == stored.to_integral_value() else float(stored)
    if isinstance(stored, list):
        return [_plain_json(element) for element in stored]
    if isinstance(stored, Mapping):
        return {name: _plain_json(member) for name, member in stored.items()}
    return stored


def is_empty(attribute: Attribute, value: Any) -> bool:
    """In the sense of omit_empty."""
    if value is None or value is False or (not attribute.json and value == 0):
        return True
    if isinstance(value, (int, float, Decimal)):
        zero = attribute.holds_seconds and value == _GO_ZERO_SECONDS
        return value == 0 or zero
    if isinstance(value, str) and attribute.format == "rfc3339nano":
        return value == "" or _is_zero_time(value)
    return hasattr(value, "__len__") and len(value) == 0


# ---- Encryption ----


def _typed(value: Any) -> dict[str, Any]:
    """The value with the name of its type, as it stands inside an envelope."""
    if value is None:
        return {"t": "NULL", "null": True}
    if isinstance(value, bool):
        return {"t": "BOOL", "bool": value}
    if isinstance(value, str):
        return {"t": "S", "s": value}
    if isinstance(value, Decimal):
        return {"t": "N", "n": format(value, "f")}
    if isinstance(value, bytes):
        return {"t": "B", "b": base64.b64encode(value).decode()}
    if isinstance(value, list):
        return {"t": "L", "l": [_typed(element) for element in value]}
    if isinstance(value, dict):
        return {"t": "M", "m": {name: _typed(value[name]) for name in sorted(value)}}
    members = sorted(value)
    if isinstance(members[0], str):
        return {"t": "SS", "ss": members}
    if isinstance(members[0], bytes):
        return {"t": "BS", "bs": [base64.b64encode(each).decode() for each in members]}
    return {"t": "NS", "ns": [format(each, "f") for each in members]}


def _untyped(typed: Any) -> Any:
    kind = typed["t"]
    content = typed.get(kind.lower())
    if kind == "NULL":
        return None
    if kind == "BOOL":
        return bool(content)
    if kind == "S":
        return content or ""
    if kind == "N":
        return _number(content or "0")
    if kind == "B":
        return base64.b64decode(content or "", validate=True)
    if kind == "L":
        return [_untyped(element) for element in content or []]
    if kind == "M":
        return {name: _untyped(member) for name, member in (content or {}).items()}
    read: dict[str, Any] = {
        "SS": str,
        "NS": _number,
        "BS": lambda text: base64.b64decode(text, validate=True),
    }
    return {read[kind](member) for member in content or []} or None


def _cipher(key: bytes) -> Any:
    module = importlib.import_module("cryptography.hazmat.primitives.ciphers.aead")
    return module.AESGCM(key)


def seal(value: Any, model: str, attribute: str, keys: KeyProvider) -> Item:
    """The envelope that is stored in the place of an encrypted value."""
    key, encrypted = keys.generate(model, attribute)
    nonce = keys.nonce(model, attribute)
    text = json.dumps(_typed(value), separators=(",", ":"), ensure_ascii=False)
    sealed = _cipher(key).encrypt(nonce, text.encode(), (_AAD + attribute).encode())
    return {"v": Decimal(1), "edk": encrypted, "nonce": nonce, "ct": sealed}


def unseal(envelope: Any, model: str, attribute: str, keys: KeyProvider) -> Any:
    """The value that `seal`, in this or another language, made the envelope of."""

    def broken(why: str) -> ModelError:
        message = f'attribute "{attribute}" cannot be decrypted: {why}'
        return ModelError("ErrInvalidEncryptedEnvelope", message)

    if not isinstance(envelope, Mapping) or envelope.get("v") != 1:
        raise broken("it is not stored as an envelope of version 1")
    parts = {}
    for name in ("edk", "nonce", "ct"):
        part = envelope.get(name)
        if not isinstance(part, (bytes, bytearray)) and not _is_boto3_binary(part):
            raise broken(f"its envelope has no binary member {name}")
        parts[name] = _bytes(part)
    if len(parts["nonce"]) != 12 or len(parts["ct"]) < 16 or not parts["edk"]:
        raise broken("its envelope has parts of a wrong size")
    cipher = _cipher(keys.decrypt(parts["edk"], model, attribute))
    try:
        text = cipher.decrypt(parts["nonce"], parts["ct"], (_AAD + attribute).encode())
    except Exception:  # InvalidTag of a package that may not be there to be named
        raise broken("it is damaged, or belongs to another attribute") from None
    try:
        return _untyped(json.loads(text))
    except (KeyError, TypeError, ValueError, AttributeError, ModelError):
        raise broken("its text is not an attribute value") from None


# ---- Cursors ----


def encode_cursor(last_key: Mapping[str, Any], index: str = "", order: str = "") -> str:
    """Where a page ended, in the form that all implementations of DMS share."""
    typed: dict[str, Any] = {}
    for name in sorted(last_key):
        value = last_key[name]
        if isinstance(value, str):
            typed[name] = {"S": value}
        elif isinstance(value, (int, Decimal)):
            typed[name] = {"N": format(Decimal(value), "f")}
        else:
            typed[name] = {"B": base64.b64encode(bytes(value)).decode()}
    content: dict[str, Any] = {"lastKey": typed}
    if index:
        content["index"] = index
    if order:
        content["sort"] = order
    text = json.dumps(content, separators=(",", ":"), ensure_ascii=False)
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return base64.urlsafe_b64encode(text.encode()).decode()


def decode_cursor(cursor: str, index: str = "", order: str = "") -> Item:
    """The key to go on from. A cursor of another index or direction is refused."""
    text = cursor.strip().rstrip("=")
    try:
        padded = text + "=" * (-len(text) % 4)
        content = json.loads(base64.b64decode(padded, altchars=b"-_", validate=True))
        key = {name: _cursor_value(value) for name, value in content["lastKey"].items()}
    except (KeyError, TypeError, ValueError, AttributeError, ModelError):
        raise ModelError("ErrInvalidOperator", "this is not a cursor") from None
    sort = content.get("sort")
    if content.get("index", "") != index or (
        sort is not None and sort.upper() != order
    ):
        raise ModelError("ErrInvalidOperator", "the cursor is of another read")
    return key


def _cursor_value(typed: Mapping[str, Any]) -> Any:
    ((kind, value),) = typed.items()
    read: dict[str, Any] = {
        "S": str,
        "N": _number,
        "B": lambda text: base64.b64decode(text, validate=True),
    }
    return read[kind](value)

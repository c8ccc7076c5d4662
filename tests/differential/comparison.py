"""Says in what two answers to the same request differ."""

import decimal
import json
import re
import typing

# Where AWS promises no order.
UNORDERED_READS = {"Scan", "BatchGetItem"}


class Difference(typing.NamedTuple):
    """The whole answers as text, and the paths in two successful bodies where they differ with the values found there."""
    dolmen: str
    local: str
    paths: tuple


def error_type(body):
    return str(body.get("__type", "")).rpartition("#")[2] if isinstance(body, dict) else ""


def normal_message(message):
    """The message with the enumerations sorted whose order means nothing."""
    if not isinstance(message, str):
        return message
    found = re.fullmatch(r"(\d+ validation errors? detected: )(.*)", message, re.DOTALL)
    if found:
        message = found[1] + "; ".join(sorted(found[2].split("; ")))
    return re.sub(r"(keys: |valid types: |AttributeDefinitions: |Keys: |keys used: )([{\[])([^}\]]*)([}\]])",
                  lambda m: m[1] + m[2] + ", ".join(sorted(re.split(", ?", m[3]))) + m[4], message)


def as_text(answer):
    """One line that patterns can be held against: the status, then type and message of an error, or the body."""
    status, body = answer
    if status == 200 or not isinstance(body, dict):
        return f"{status} {json.dumps(body, sort_keys=True)}"
    message = normal_message(body.get("message", body.get("Message")))
    others = {name: value for name, value in body.items() if name not in ("__type", "message", "Message")}
    return f"{status} {error_type(body)}: {message}" + (f" {json.dumps(others, sort_keys=True)}" if others else "")


def without_order(operation, body):
    """Lists of items that have no order of their own get one."""
    if not isinstance(body, dict):
        return body
    if operation == "BatchGetItem" and isinstance(body.get("Responses"), dict):
        return body | {"Responses": {table: in_order(items) for table, items in body["Responses"].items()}}
    if "Items" in body:
        return body | {"Items": in_order(body["Items"])}
    return body


def in_order(items):
    return sorted(items, key=lambda item: json.dumps(comparable(item), sort_keys=True))


def comparable(node):
    """The node with its numbers and sets in one form, so that equal values sort alike."""
    if isinstance(node, list):
        return [comparable(element) for element in node]
    if not isinstance(node, dict):
        return node
    return {name: sorted(map(number, value), key=str) if name == "NS" and isinstance(value, list)
            else sorted(value) if name in ("SS", "BS") and isinstance(value, list)
            else number(value) if name == "N" else comparable(value) for name, value in node.items()}


def number(text):
    try:
        # Adding zero makes of -0 a plain 0.
        return str((decimal.Decimal(text) + 0).normalize(decimal.Context(prec=60)))
    except (decimal.InvalidOperation, TypeError):
        return text


def differing_paths(left, right, path=""):
    """Every path at which the two differ, with both values."""
    if type(left) is type(right) and isinstance(left, dict):
        for name in sorted(left.keys() | right.keys()):
            yield from differing_paths(left.get(name), right.get(name), f"{path}.{name}" if path else name)
    elif isinstance(left, list) and isinstance(right, list) and len(left) == len(right):
        for position, pair in enumerate(zip(left, right)):
            yield from differing_paths(*pair, f"{path}[{position}]")
    elif left != right:
        yield path, left, right


def compare(operation, ordered, dolmen, local):
    """None when the answers are the same."""
    if dolmen == local:
        return None
    texts = as_text(dolmen), as_text(local)
    if dolmen.status != 200 or local.status != 200:
        return Difference(*texts, ()) if texts[0] != texts[1] else None
    bodies = [answer.body if ordered else without_order(operation, answer.body) for answer in (dolmen, local)]
    paths = tuple(differing_paths(*bodies))
    return Difference(*texts, paths) if paths else None


def is_ordered(step):
    """Whether the order of the items in the answer says something: not where AWS promises none."""
    return step.operation not in UNORDERED_READS and not (isinstance(step.body, dict) and "IndexName" in step.body)

"""What the data files of several tests have in common."""

import base64


INTRODUCTION = "1 validation error detected: "
INTRODUCING = {"PutItem", "UpdateItem", "DeleteItem"}


def message_of(case, operation, texts):
    """The text with which an operation refuses the request of a case, in the current or in the older texts."""
    if texts == "older":
        return expand(case.get("older", case["message"]))
    introduced = case.get("introduced", False) and operation in INTRODUCING
    return (INTRODUCTION if introduced else "") + expand(case["message"])


def expand(node):
    """Replaces the short forms of a data file, such as {"$repeat": ["x", 3]}, by what they stand for."""
    if isinstance(node, list):
        return [expand(element) for element in node]
    if not isinstance(node, dict):
        return node
    match node:
        case {"$repeat": [text, times]}:
            return text * times
        case {"$join": texts}:
            return "".join(map(expand, texts))
        case {"$base64": count}:
            return base64.b64encode(b"\xff" * count).decode()
        case {"$entries": pairs}:
            return {expand(name): expand(value) for name, value in pairs}
        case {"$nested": [kind, levels, *leaf]}:
            value = leaf[0] if leaf else {"S": "leaf"}
            for _ in range(levels):
                value = {"M": {"m": value}} if kind == "M" else {"L": [value]}
            return value
        case {"$list": [element, times]}:
            expanded = expand(element)
            return [number_in(expanded, number) for number in range(times)]
    return {name: expand(value) for name, value in node.items()}


def number_in(node, number):
    """The node with the number for every % in its texts."""
    if isinstance(node, str):
        return node.replace("%", str(number))
    if isinstance(node, list):
        return [number_in(element, number) for element in node]
    return {name: number_in(value, number) for name, value in node.items()} if isinstance(node, dict) else node

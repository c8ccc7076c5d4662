"""Requests that are wrong in a way that no client library would send: members of wrong types, missing, or unknown."""

import copy

JUNK = (None, 0, -1, 1.5, "", [], {}, "x", True, False, [None], {"a": None}, [[]], [{}], {"S": "x"}, {"a": {}},
        99999999999999999999, 2**31)


def places(node, path=()):
    if path:
        yield path
    if isinstance(node, dict):
        for name in node:
            yield from places(node[name], (*path, name))
    elif isinstance(node, list):
        for position in range(len(node)):
            yield from places(node[position], (*path, position))


def with_mistake(world, step):
    """The step with one of its parts replaced, removed, or joined by an unknown one."""
    random, body = world.random, copy.deepcopy(step.body)
    found = list(places(body))
    if not found:
        return step
    *parents, last = random.choice(found)
    node = body
    for name in parents:
        node = node[name]
    match random.randrange(6):
        case 0:
            del node[last]
        case 1 if isinstance(node, dict):
            node["Unknown"] = copy.deepcopy(random.choice(JUNK))
        case _:
            node[last] = copy.deepcopy(random.choice(JUNK))
    return step._replace(body=body)

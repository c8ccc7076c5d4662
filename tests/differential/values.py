"""Attribute values: good ones, ones at the limits, and malformed ones."""

import base64
import string

STRINGS = ("", "x", "xy", "abc", "b", "é", "\U0001f600", "z" * 30)
BINARIES = ("", "AA==", "AAE=", "/w==", "AQID")
PLAIN_NUMBERS = ("0", "1", "2", "-5", "10", "3.5", "-0.25", "100")
ODD_NUMBERS = ("1e2", "-0", "+7", ".5", "5.", "007", "1E-130", "-1E-130", "1E+125", "9" * 38, "9" * 38 + "E87",
               "-" + "9" * 38 + "E+87", "0." + "0" * 129 + "1", "1." + "0" * 50, "1" + "0" * 60, "0e125", "0e-130",
               "12345678901234567890123456789012345678", "0.12345678901234567890123456789012345678", "100.5")
BAD_NUMBERS = ("", "abc", "1e", "1+2", " 1", "1 ", "NaN", "Infinity", "0x10", "1e126", "1e-131", "9" * 39, "1e99999",
               "1.2.3", "--1", "1e400000000000", "1_0", "0e126", "1E-140", "-1e126", "9" * 38 + "1", "１")


def number(random):
    if random.random() < 0.9:
        return random.choice(PLAIN_NUMBERS)
    if random.random() < 0.7:
        return random.choice(ODD_NUMBERS)
    digits = "".join(random.choices(string.digits, k=random.randrange(1, 39)))
    return f"{random.choice(['', '-'])}{digits}e{random.randrange(-129, 87)}"


def scalar(random):
    match random.randrange(8):
        case 0 | 1 | 2:
            return {"S": random.choice(STRINGS)}
        case 3 | 4:
            return {"N": number(random)}
        case 5:
            return {"B": random.choice(BINARIES)}
        case 6:
            return {"BOOL": random.random() < 0.5}
    return {"NULL": True}


def some_set(random):
    match random.randrange(4):
        case 0 | 1:
            return {"SS": random.sample(["a", "b", "c", "x", "é"], random.randrange(1, 4))}
        case 2:
            return {"NS": random.sample(["1", "2", "3.5", "-10", "9" * 38, "1e-130"], random.randrange(1, 4))}
    return {"BS": random.sample(["AA==", "AAE=", "/w=="], random.randrange(1, 3))}


def value(random, depth=0):
    pick = random.random()
    if pick < 0.6 or depth > 2:
        return scalar(random)
    if pick < 0.72:
        return {"L": [value(random, depth + 1) for _ in range(random.randrange(4))]}
    if pick < 0.85:
        return {"M": {random.choice("xyz"): value(random, depth + 1) for _ in range(random.randrange(3))}}
    return some_set(random)


def nested(random, levels):
    result = {"S": "leaf"}
    for _ in range(levels):
        result = {"L": [result]} if random.random() < 0.5 else {"M": {"x": result}}
    return result


def bad_value(random):
    """A value that no request may contain, or that stands on the edge of that."""
    one = random.choice(("number", "number", "number set", "nested", "shape", "shape"))
    if one == "number":
        return {"N": random.choice(BAD_NUMBERS)}
    if one == "number set":
        return {"NS": ["1", random.choice(BAD_NUMBERS + ("1.0", "01", "1e0"))]}
    if one == "nested":
        return nested(random, random.choice((30, 31, 32, 33)))
    return random.choice((
        {}, {"X": "y"}, {"S": "a", "N": "1"}, {"SS": []}, {"NS": []}, {"BS": []}, {"SS": ["a", "b", "a"]},
        {"NS": ["1", "1.0"]}, {"BS": ["AA==", "/w==", "AA=="]}, {"SS": ["", "a"]}, {"BS": [""]}, {"NULL": False},
        {"S": None}, {"L": [{}]}, {"M": {"x": {}}}, {"M": {"": {"S": "a"}}}, {"L": [{"N": "abc"}]}, {"S": 5},
        {"N": 5}, {"BOOL": "true"}, {"B": "A"}, {"B": "???="}, {"B": 7}, {"L": {}}, {"M": []}, {"SS": "a"},
        {"SS": [None]}, {"NS": [1]}, {"BOOL": None}, {"NULL": "true"}, {"L": "x"}, {"M": "x"}, "text", 5, [], True))


def key_value(random, kind, mistakes=True):
    """A value for a key of the given type: nearly always a good one out of few."""
    pick = random.random()
    if mistakes and pick < 0.004:
        return random.choice(({"S": ""}, {"B": ""}, {"S": "x" * 2049}, {"S": "x" * 1025}, {"BOOL": True}, {"SS": ["a"]},
                              {"S": "wrong"}, {"N": "1"}, {"B": "AA=="}, {"NULL": True}, {"M": {}}))
    if mistakes and pick < 0.006:
        return {"S": {"S": "x" * random.choice((1024, 2048))}, "N": {"N": random.choice(ODD_NUMBERS)},
                "B": {"B": base64.b64encode(b"\xff" * random.choice((1024, 1025, 2048, 2049))).decode()}}[kind]
    if kind == "S":
        return {"S": random.choice(("p1", "p2", "p3"))}
    if kind == "N":
        return {"N": str(random.randrange(6))}
    return {"B": random.choice(("AA==", "AAE=", "/w=="))}


def index_key_value(random, kind):
    if random.random() < 0.01:
        return value(random)
    return {"S": {"S": random.choice("uvw")}, "N": {"N": random.choice(("0", "1", "2", "3", "-1", "2.5"))},
            "B": {"B": random.choice(("AA==", "AAE="))}}[kind]

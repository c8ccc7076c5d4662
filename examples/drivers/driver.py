#!/usr/bin/python3
"""A driver of scenarios in Python, on boto3 (docs/drivers.md).

    dolmen scenario run --models contract/models --scenarios contract --endpoint http://127.0.0.1:8000 \
        --driver examples/drivers/driver.py

It holds a small implementation of DMS that stands for the one that you want to be judged: creates, reads, updates with
optimistic locking, deletes, queries, scans and batches. What it cannot do, it says.
"""

import base64
import json
import re
import sys
from decimal import Decimal

import boto3
from botocore.exceptions import ClientError

CAPABILITIES = ["crud", "omitempty", "lifecycle.timestamps", "optimistic_lock.version", "ttl.epoch_seconds",
                "query.basic", "scan.basic", "count.native", "get.optional", "batch.get", "batch.write", "type.matrix",
                "number.precision.exact"]
RFC3339 = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d([.,]\d{1,9})?(Z|[+-]\d\d:\d\d)")
COMPARISONS = {"=": "=", "EQ": "=", "!=": "<>", "<>": "<>", "NE": "<>", "<": "<", "LT": "<", "<=": "<=", "LE": "<=",
               ">": ">", "GT": ">", ">=": ">=", "GE": ">="}


class Failure(Exception):
    """An error that all implementations of DMS know by its name."""

    def __init__(self, name, message):
        super().__init__(message)
        self.name = name


class Unsupported(Exception):
    """A step that this implementation cannot carry out."""


# ---- Values ----

def encode(attribute, value):
    """A value as the model stores it."""
    if "encryption" in attribute:
        raise Unsupported("encrypted attributes")
    kind = attribute["type"]
    is_index_key = any(role.startswith("index_") for role in attribute.get("roles", []))
    if value is None and not attribute.get("required") and not is_index_key:
        return {"NULL": True}
    try:
        if attribute.get("json"):
            return {"NULL": True} if value is None else {"S": json_text(value)}
        if kind in ("SS", "NS", "BS"):
            if not isinstance(value, list):
                raise TypeError
            members = [scalar(kind[0], member) for member in value]
            if len({Decimal(member) if kind == "NS" else member for member in members}) < len(members):
                raise ValueError
            return {kind: members} if members else {"NULL": True}
        if attribute.get("format") in ("int", "unix_seconds") and Decimal(value) % 1 != 0:
            raise ValueError
        if attribute.get("format") == "rfc3339nano" and not RFC3339.fullmatch(value):
            raise ValueError
        if kind in ("S", "N", "B"):
            return {kind: scalar(kind, value)}
    except (TypeError, ValueError, ArithmeticError):
        raise Failure("ErrInvalidModel", f"{attribute['attribute']} cannot be {value!r}") from None
    if kind == "NULL":
        return {"NULL": True}
    found = document(value)
    if kind not in found:
        raise Failure("ErrInvalidModel", f"{attribute['attribute']} cannot be {value!r}")
    return found


def scalar(kind, value):
    if kind == "N":
        number = Decimal(value)
        # What DynamoDB can hold.
        digits = "".join(map(str, number.as_tuple().digits)).strip("0")
        fits = number.is_finite() and len(digits) <= 38 and -130 <= number.adjusted() <= 125
        if isinstance(value, bool) or not fits:
            raise ValueError
        return format(number, "f")
    if not isinstance(value, str):
        raise TypeError
    return base64.b64decode(value, validate=True) if kind == "B" else value


def json_text(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, default=float)


def document(value):
    """A value inside a list or map, where no model says its type."""
    if value is None:
        return {"NULL": True}
    if isinstance(value, bool):
        return {"BOOL": value}
    if isinstance(value, (int, Decimal)):
        return {"N": format(Decimal(value), "f")}
    if isinstance(value, str):
        return {"S": value}
    if isinstance(value, list):
        return {"L": [document(element) for element in value]}
    return {"M": {name: document(member) for name, member in value.items()}}


def decode(attribute, stored):
    (kind, value), = stored.items()
    if kind == "NULL":
        return [] if attribute["type"] in ("SS", "NS", "BS") else None
    if attribute.get("json"):
        return json.loads(value, parse_float=Decimal)
    return plain(kind, value)


def plain(kind, value):
    if kind == "B":
        return base64.b64encode(value).decode()
    if kind == "BS":
        return [plain("B", member) for member in value]
    if kind == "NULL":
        return None
    if kind == "L":
        return [plain(*next(iter(element.items()))) for element in value]
    if kind == "M":
        return {name: plain(*next(iter(member.items()))) for name, member in value.items()}
    # Numbers stay texts, as they are stored: a number of JSON might be rounded.
    return value


def is_empty(value):
    return value in (None, "", False, [], {}) or (isinstance(value, (int, Decimal)) and value == 0) or value == "0"


# ---- The model ----

class Table:
    """The items of a model."""

    def __init__(self, client, table, model):
        self.client, self.table, self.model = client, table, model
        self.attributes = {each["attribute"]: each for each in model["attributes"]}
        self.keys = [model["keys"][part]["attribute"] for part in ("partition", "sort") if part in model["keys"]]

    def with_role(self, role):
        return next((name for name, each in self.attributes.items() if role in each.get("roles", [])), None)

    def attribute(self, name, error="ErrInvalidModel"):
        if name not in self.attributes:
            raise Failure(error, f"there is no attribute {name}")
        return self.attributes[name]

    def key(self, item):
        for name in self.keys:
            if item.get(name) in (None, ""):
                raise Failure("ErrMissingPrimaryKey", f"the key attribute {name} is missing")
        return {name: encode(self.attributes[name], item[name]) for name in self.keys}

    def stored(self, item, now):
        """The item that a put stores."""
        out = self.key(item)
        for name in item:
            self.attribute(name)
        for name, attribute in self.attributes.items():
            roles = attribute.get("roles", [])
            if "created_at" in roles or "updated_at" in roles:
                out[name] = {"S": now}
            elif "version" in roles:
                out[name] = {"N": str(item.get(name) or 0)}
            elif name in item and not (attribute.get("omit_empty") and is_empty(item[name])):
                out[name] = encode(attribute, item[name])
            elif attribute.get("required") and name not in out:
                raise Failure("ErrInvalidModel", f"the required attribute {name} is missing")
        return out

    def logical(self, item):
        return {name: decode(self.attributes[name], value) for name, value in item.items() if name in self.attributes}

    def create(self, step):
        if "condition" in step:
            raise Unsupported("conditions of creates")
        condition = {}
        if step.get("if_not_exists"):
            condition = {"ConditionExpression": "attribute_not_exists(#pk)",
                         "ExpressionAttributeNames": {"#pk": self.keys[0]}}
        self.client.put_item(TableName=self.table, Item=self.stored(step["item"], step["now"]), **condition)
        return {}

    def get(self, step):
        found = self.client.get_item(TableName=self.table, Key=self.key(step["key"]), ConsistentRead=True)
        if "Item" not in found:
            raise Failure("ErrItemNotFound", "no item has that key")
        return {"item": self.logical(found["Item"])}

    def get_optional(self, step):
        try:
            return self.get(step)
        except Failure as failure:
            if failure.name != "ErrItemNotFound":
                raise
            return {"item": None}

    def update(self, step):
        if "protected_attributes" in step:
            raise Unsupported("protected attributes")
        item, expressions = step["item"], Expressions(self)
        version, updated = self.with_role("version"), self.with_role("updated_at")
        if version is None or item.get(version) in (None, ""):
            raise Failure("ErrInvalidModel", "an update needs a version")
        sets, removes = [], []
        if updated:
            sets.append(f"{expressions.name(updated)} = {expressions.typed({'S': step['now']})}")
        fields = step.get("fields", [])
        for name in fields:
            attribute = self.attribute(name)
            if fields.count(name) > 1 or name in self.keys or {"created_at", "updated_at", "version"} & set(attribute.get("roles", [])):
                raise Failure("ErrInvalidModel", f"{name} cannot be updated")
            if name not in item:
                raise Failure("ErrInvalidModel", f"the item has no {name}")
            if attribute.get("omit_empty") and is_empty(item[name]):
                removes.append(expressions.name(name))
            else:
                sets.append(f"{expressions.name(name)} = {expressions.value(name, item[name])}")
        clauses = [f"ADD {expressions.name(version)} {expressions.typed({'N': '1'})}"]
        clauses += ["SET " + ", ".join(sets)] if sets else []
        clauses += ["REMOVE " + ", ".join(removes)] if removes else []
        condition = f"{expressions.name(version)} = {expressions.value(version, item[version])}"
        self.client.update_item(TableName=self.table, Key=self.key(item), UpdateExpression=" ".join(clauses),
                                ConditionExpression=condition, **expressions.placeholders())
        return {}

    def delete(self, step):
        if "condition" in step:
            raise Unsupported("conditions of deletes")
        condition, expressions = {}, Expressions(self)
        if "version" in step:
            version = self.with_role("version")
            text = f"{expressions.name(version)} = {expressions.value(version, step['version'])}"
            condition = {"ConditionExpression": text, **expressions.placeholders()}
        self.client.delete_item(TableName=self.table, Key=self.key(step["key"]), **condition)
        return {}

    # ---- Many items ----

    def read(self, step, is_query):
        """The request of a query or scan, and the direction that cursors of it carry."""
        if "segments" in step:
            raise Unsupported("parallel scans")
        expressions, index = Expressions(self), None
        request = {"TableName": self.table, "ConsistentRead": step.get("consistent_read", False)}
        if "index" in step:
            index = next((each for each in self.model.get("indexes", []) if each["name"] == step["index"]), None)
            if index is None or (index["type"] == "GSI" and step.get("consistent_read")):
                raise Failure("ErrInvalidOperator", "there is no such index, or it cannot be read consistently")
            request["IndexName"] = index["name"]
        keys = self.model["keys"] if index is None else index
        direction = step.get("order", "ASC") if is_query else None
        if is_query:
            if "partition" not in step:
                raise Failure("ErrInvalidOperator", "a query needs a partition")
            partition = keys["partition"]["attribute"]
            text = f"{expressions.name(partition)} = {expressions.value(partition, step['partition'])}"
            if "sort_key" in step:
                text += " AND " + self.sort_condition(expressions, step["sort_key"], keys)
            request |= {"KeyConditionExpression": text, "ScanIndexForward": direction != "DESC"}
        if step.get("filter"):
            if {self.keys[0], keys["partition"]["attribute"]} & set(re.findall(r'"field": "(\w+)"', json.dumps(step["filter"]))):
                raise Failure("ErrInvalidOperator", "a filter cannot look at the key")
            if condition := expressions.condition(step["filter"]):
                request["FilterExpression"] = condition
        if step.get("project"):
            request["ProjectionExpression"] = ", ".join(expressions.name(name) for name in step["project"])
        if "limit" in step:
            request["Limit"] = step["limit"]
        if "cursor" in step:
            request["ExclusiveStartKey"] = self.start_key(step["cursor"], step.get("index"), direction)
        return request | expressions.placeholders(), direction

    @staticmethod
    def sort_condition(expressions, parts, keys):
        part = parts[0] if len(parts) == 1 else {}
        allowed = part.get("op", "").upper() in ("=", "EQ", "<", "LT", "<=", "LE", ">", "GT", ">=", "GE", "BETWEEN",
                                                 "BEGINS_WITH")
        if not allowed or part["field"] != keys.get("sort", {}).get("attribute"):
            raise Failure("ErrInvalidOperator", "this is not a condition on the sort key")
        return expressions.part(part)

    def page(self, step, is_query):
        request, direction = self.read(step, is_query)
        found = (self.client.query if is_query else self.client.scan)(**request)
        cursor = ""
        if "LastEvaluatedKey" in found:
            cursor = encode_cursor(found["LastEvaluatedKey"], step.get("index"), direction)
        return {"items": [self.logical(item) for item in found["Items"]], "cursor": cursor}

    def query(self, step):
        return self.page(step, True)

    def scan(self, step):
        return self.page(step, False)

    def count(self, step):
        request, _ = self.read({name: value for name, value in step.items() if name not in ("limit", "project")},
                               step["of"] == "query")
        operation = self.client.query if step["of"] == "query" else self.client.scan
        total = 0
        while True:
            page = operation(**request, Select="COUNT")
            total += page["Count"]
            if "LastEvaluatedKey" not in page:
                return {"count": total}
            request["ExclusiveStartKey"] = page["LastEvaluatedKey"]

    def start_key(self, cursor, index, direction):
        try:
            content = json.loads(base64.urlsafe_b64decode(cursor))
            key = {name: binary_key(value) for name, value in content["lastKey"].items()}
        except (ValueError, KeyError, AttributeError):
            raise Failure("ErrInvalidOperator", "this is not a cursor") from None
        if content.get("index") != index or content.get("sort") != direction:
            raise Failure("ErrInvalidOperator", "the cursor is of another read")
        return key

    def batch_get(self, step):
        items, waiting = [], [self.key(key) for key in step["keys"]]
        while waiting:
            request = {self.table: {"Keys": waiting[:100], "ConsistentRead": True}}
            found = self.client.batch_get_item(RequestItems=request)
            items += [self.logical(item) for item in found["Responses"].get(self.table, [])]
            waiting = waiting[100:] + found["UnprocessedKeys"].get(self.table, {}).get("Keys", [])
        return {"items": items}

    def batch_write(self, step):
        waiting = [{"PutRequest": {"Item": self.stored(item, step["now"])}} for item in step.get("puts", [])]
        waiting += [{"DeleteRequest": {"Key": self.key(key)}} for key in step.get("deletes", [])]
        while waiting:
            done = self.client.batch_write_item(RequestItems={self.table: waiting[:25]})
            waiting = waiting[25:] + done["UnprocessedItems"].get(self.table, [])
        return {}


class Expressions:
    """Placeholders for the names and values of the expressions of one request."""

    def __init__(self, table):
        self.table, self.names, self.values = table, {}, {}

    def name(self, name):
        return next((key for key, value in self.names.items() if value == name), None) or self.add(self.names, "#n", name)

    def typed(self, value):
        return self.add(self.values, ":v", value)

    def value(self, name, value):
        attribute = self.table.attribute(name, "ErrInvalidOperator")
        if "encryption" in attribute:
            raise Failure("ErrEncryptedFieldNotQueryable", f"{name} is encrypted")
        return self.typed(encode(attribute, value))

    @staticmethod
    def add(placeholders, prefix, value):
        placeholder = f"{prefix}{len(placeholders)}"
        placeholders[placeholder] = value
        return placeholder

    def placeholders(self):
        out = {"ExpressionAttributeNames": self.names, "ExpressionAttributeValues": self.values}
        return {name: value for name, value in out.items() if value}

    def condition(self, parts, word=" AND "):
        texts = [text for text in map(self.part, parts) if text]
        return word.join(f"({text})" for text in texts) if len(texts) > 1 else "".join(texts)

    def part(self, part):
        if "not" in part:
            inner = self.condition(part["not"])
            return inner and f"NOT ({inner})"
        for word in ("and", "or"):
            if word in part:
                return self.condition(part[word], f" {word.upper()} ")
        name, op = part["field"], part["op"].upper()
        values = part.get("values", [part["value"]] if "value" in part else [])
        attribute = self.table.attribute(name, "ErrInvalidOperator")
        if "encryption" in attribute:
            raise Failure("ErrEncryptedFieldNotQueryable", f"{name} is encrypted")
        if op in ("EXISTS", "ATTRIBUTE_EXISTS", "NOT_EXISTS", "ATTRIBUTE_NOT_EXISTS"):
            self.check(part, len(values) == 0)
            return f"attribute_{'not_' if 'NOT' in op else ''}exists({self.name(name)})"
        if op == "CONTAINS" and attribute["type"] in ("SS", "NS", "BS", "L"):
            self.check(part, len(values) == 1)
            kind = attribute["type"][0]
            member = document(values[0]) if kind == "L" else {kind: scalar(kind, values[0])}
            return f"contains({self.name(name)}, {self.typed(member)})"
        placeholders = [self.value(name, value) for value in values]
        if op in COMPARISONS or op in ("BEGINS_WITH", "CONTAINS"):
            self.check(part, len(values) == 1)
            if op in COMPARISONS:
                return f"{self.name(name)} {COMPARISONS[op]} {placeholders[0]}"
            return f"{op.lower()}({self.name(name)}, {placeholders[0]})"
        if op == "BETWEEN":
            self.check(part, len(values) == 2)
            return f"{self.name(name)} BETWEEN {placeholders[0]} AND {placeholders[1]}"
        self.check(part, op == "IN" and 1 <= len(values) <= 100)
        return f"{self.name(name)} IN ({', '.join(placeholders)})"

    @staticmethod
    def check(part, is_good):
        if not is_good:
            raise Failure("ErrInvalidOperator", f"{part['op']} cannot compare {part['field']} so")


def encode_cursor(key, index, direction):
    """In the form that all implementations of DMS share, which is that of Go's encoding/json."""
    typed = {name: {kind: base64.b64encode(value).decode() if kind == "B" else value}
             for name, stored in sorted(key.items()) for kind, value in stored.items()}
    content = {"lastKey": typed} | ({"index": index} if index else {}) | ({"sort": direction} if direction else {})
    text = json.dumps(content, separators=(",", ":"), ensure_ascii=False)
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return base64.urlsafe_b64encode(text.encode()).decode()


def binary_key(value):
    return {"B": base64.b64decode(value["B"])} if "B" in value else value


# ---- The protocol ----

ERRORS = {"ConditionalCheckFailedException": "ErrConditionFailed", "ResourceNotFoundException": "ErrTableNotFound"}


class Driver:
    def __init__(self):
        self.client, self.tables = None, {}

    def hello(self, request):
        self.client = boto3.client("dynamodb", endpoint_url=request["endpoint"])
        return {"name": "python-boto3", "capabilities": CAPABILITIES}

    def begin(self, request):
        self.tables = {model["name"]: Table(self.client, request["table"], model) for model in request["models"]}
        return {}

    def step(self, request):
        operation = "create" if request["op"] == "save" else request["op"]
        known = ("create", "get", "get_optional", "update", "delete", "query", "scan", "count", "batch_get", "batch_write")
        if operation not in known:
            raise Unsupported(f"the op {request['op']}")
        return getattr(self.tables[request["model"]], operation)(request)

    def answer(self, request):
        handler = {"hello": self.hello, "begin": self.begin}.get(request["op"], self.step)
        try:
            return handler(request)
        except Unsupported as reason:
            return {"unsupported": str(reason)}
        except Failure as failure:
            return {"error": {"name": failure.name, "message": str(failure)}}
        except ClientError as error:
            code = error.response["Error"]["Code"]
            return {"error": {"name": ERRORS.get(code, code), "message": str(error)}}


def main():
    driver = Driver()
    for line in sys.stdin:
        request = json.loads(line, parse_float=Decimal)
        print(json.dumps({"id": request["id"]} | driver.answer(request), default=str), flush=True)


if __name__ == "__main__":
    main()

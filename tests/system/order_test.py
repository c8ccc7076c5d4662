#!/usr/bin/python3
"""Which of several mistakes DynamoDB reports, and how deep and how large what it takes may be.

A message may be preceded by "1 validation error detected: ", so that these tests ask how it ends.
"""

import unittest

from dolmen_server import Server, ServerTest, create_table

ABSENT = "absent"
TOO_DEEP = ("Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported "
            "limit")
NOT_PARSED = 'Invalid ConditionExpression: Syntax error; token: "=", near: "= = b"'
ITEM_BYTES_MAX = 409_600


def s(text):
    return {"S": text}


def deep(wrappers):
    value = s("leaf")
    for _ in range(wrappers):
        value = {"M": {"n": value}}
    return value


class OrderTest(ServerTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        create_table(cls.server, "things")

    def serve_older(self):
        """Lets this test talk to a server that answers as AWS did before June 2026."""
        self.server = Server(flags=["--texts", "older"])
        self.server.start()
        self.addCleanup(self.server.close)
        self.connection = self.server.connection()
        self.addCleanup(self.connection.close)
        create_table(self.server, "things")

    def reasons(self, *actions):
        answer = self.server.call("TransactWriteItems", {"TransactItems": list(actions)}, self.connection)
        self.assertEqual(answer.type, "TransactionCanceledException", answer.body)
        return answer.json()["CancellationReasons"]

    def refused(self, operation, body, kind="ValidationException"):
        answer = self.server.call(operation, body, self.connection)
        self.assertEqual((answer.status, answer.type), (400, kind), answer.body)
        return answer.message

    def expect(self, operation, body, message):
        got = self.refused(operation, body)
        self.assertEqual(got[-len(message):], message)


class Transactions(OrderTest):
    """Every table is absent: whatever is found is found before it is looked for."""

    def expect_first(self, message, *actions):
        self.expect("TransactWriteItems", {"TransactItems": list(actions)}, message)

    @staticmethod
    def put(item, **others):
        return {"Put": {"TableName": ABSENT, "Item": {"pk": s("a")} | item} | others}

    @staticmethod
    def delete(key, **others):
        return {"Delete": {"TableName": ABSENT, "Key": {"pk": key}} | others}

    @staticmethod
    def check(value=None, key=s("b"), condition="d = :deep"):
        action = {"TableName": ABSENT, "Key": {"pk": key}, "ConditionExpression": condition}
        return {"ConditionCheck": action | ({"ExpressionAttributeValues": {":deep": value}} if value else {})}

    @staticmethod
    def update(**values):
        return {"Update": {"TableName": ABSENT, "Key": {"pk": s("a")}, "UpdateExpression": "SET a = :v",
                           "ExpressionAttributeValues": {f":{name}": value for name, value in values.items()}}}

    def test_the_first_action_with_a_mistake_is_reported_whatever_the_mistake(self):
        unused = "Value provided in ExpressionAttributeValues unused in expressions: keys: {:u}"
        for message, *actions in (
                (TOO_DEEP, self.put({"d": deep(40)}), self.put({"": s("x")})),
                ("Empty attribute name", self.put({"": s("x")}), self.put({"d": deep(100)})),
                ("Empty attribute name", self.put({"": s("x")}), self.check(deep(100))),
                (TOO_DEEP, self.delete(deep(40)), self.put({}, ConditionExpression="a = = b")),
                (NOT_PARSED, self.put({}, ConditionExpression="a = = b"), self.delete(deep(100))),
                (TOO_DEEP, self.check(key=deep(40), condition="attribute_exists(a)"), self.update(v=s("x"), u=s("y"))),
                (unused, self.update(v=s("x"), u=s("y")), self.check(key=deep(100), condition="attribute_exists(a)")),
                ("Item size has exceeded the maximum allowed size", self.put({"t": s("x" * 410_000)}), self.put({"": s("x")})),
                (NOT_PARSED, self.put({}), self.put({}, ConditionExpression="a = = b"))):
            with self.subTest(message, actions=str(actions)[:200]):
                self.expect_first(message, *actions)

    def test_a_value_of_an_expression_is_looked_at_before_later_actions(self):
        for first in (self.check(deep(40)), self.update(v=deep(40))):
            message = self.refused("TransactWriteItems", {"TransactItems": [first, self.put({"": s("x")})]})
            self.assertIn(TOO_DEEP, message)

    def test_the_expressions_of_an_action_are_read_before_its_key(self):
        self.expect_first(NOT_PARSED, self.delete(deep(100), ConditionExpression="a = = b"))

    def test_names_of_attributes_come_before_depth_and_depth_before_names_in_maps(self):
        for item in ({"": s("x"), "d": deep(100)}, {"d": deep(100), "": s("x")}):
            self.expect_first("Empty attribute name", self.put(item))
        self.expect_first(TOO_DEEP, self.put({"m": {"M": {"": s("x")}}, "d": deep(40)}))

    def test_more_than_4_mb_are_too_much(self):
        actions = [self.put({"pk": s(str(i)), "t": s("x" * 350_000)}) for i in range(12)]
        self.expect_first("Transaction payload size cannot exceed 4194304 bytes", *actions)


class ReadingTransactions(OrderTest):
    @staticmethod
    def get(key, projection=None):
        return {"Get": {"TableName": ABSENT, "Key": {"pk": key}} | ({"ProjectionExpression": projection} if projection else {})}

    def test_the_first_get_with_a_mistake_is_reported_before_any_table_is_looked_for(self):
        wrong = 'Invalid ProjectionExpression: Syntax error; token: "b", near: "a b"'
        for message, *gets in ((wrong, self.get(s("1")), self.get(s("2"), "a b")),
                               (wrong, self.get(s("1"), "a b"), self.get(deep(40))),
                               (wrong, self.get(deep(40), "a b")),
                               (TOO_DEEP, self.get(deep(40)), self.get(s("1"), "a b"))):
            with self.subTest(message, gets=str(gets)[:100]):
                self.expect("TransactGetItems", {"TransactItems": gets}, message)


class Depth(OrderTest):
    def write(self, value, **others):
        return {"TableName": "things", "Key": {"pk": s("deep")}, "UpdateExpression": "SET touched = :t",
                "ConditionExpression": "d = :deep", "ExpressionAttributeValues": {":t": s("y"), ":deep": value}} | others

    def test_a_stored_value_has_at_most_32_levels(self):
        for operation, body in (
                ("PutItem", lambda item: {"TableName": "things", "Item": item}),
                ("BatchWriteItem", lambda item: {"RequestItems": {"things": [{"PutRequest": {"Item": item}}]}}),
                ("TransactWriteItems", lambda item: {"TransactItems": [{"Put": {"TableName": "things", "Item": item}}]})):
            with self.subTest(operation):
                self.server.must(operation, body({"pk": s("deep"), "m": deep(31)}), self.connection)
                self.expect(operation, body({"pk": s("deep"), "m": deep(32)}), TOO_DEEP)

    def store(self, value):
        return {"Update": {"TableName": "things", "Key": {"pk": s("deep")}, "UpdateExpression": "SET m = :deep",
                           "ExpressionAttributeValues": {":deep": value}}}

    def test_a_value_of_an_expression_has_at_most_32_levels(self):
        self.refused("UpdateItem", self.write(deep(31)), "ConditionalCheckFailedException")
        self.assertEqual(self.reasons({"Update": self.write(deep(31))})[0]["Code"], "ConditionalCheckFailed")
        self.expect("UpdateItem", self.write(deep(32)), TOO_DEEP)
        for action in ({"Update": self.write(deep(32))}, self.store(deep(32))):
            self.expect("TransactWriteItems", {"TransactItems": [action]}, TOO_DEEP)

    def test_a_value_of_an_expression_of_a_scan_may_be_one_level_deeper(self):
        scan = {"TableName": "things", "FilterExpression": "d = :deep", "ExpressionAttributeValues": {":deep": deep(32)}}
        self.assertEqual(self.server.must("Scan", scan, self.connection)["Count"], 0)
        scan["ExpressionAttributeValues"] = {":deep": deep(33)}
        self.assertIn(TOO_DEEP, self.refused("Scan", scan))

    def test_a_value_of_an_expression_could_be_one_level_deeper_unless_it_was_stored(self):
        self.serve_older()
        self.refused("UpdateItem", self.write(deep(32)), "ConditionalCheckFailedException")
        self.assertIn(TOO_DEEP, self.refused("UpdateItem", self.write(deep(33))))
        self.assertEqual(self.reasons({"Update": self.write(deep(32))})[0]["Code"], "ConditionalCheckFailed")
        reason, = self.reasons(self.store(deep(32)))
        self.assertEqual(reason["Code"], "ValidationError")
        self.assertIn("Nesting Levels have exceeded supported limits", reason["Message"])


class Constraints(OrderTest):
    """The order in which one answer lists several violations."""

    CAPACITY = ("Value 'INVALID' at 'returnConsumedCapacity' failed to satisfy constraint: Member must satisfy enum value "
                "set: [INDEXES, TOTAL, NONE]")
    NO_KEY = "Value null at 'key' failed to satisfy constraint: Member must not be null"

    def test_a_missing_key_of_an_update_comes_last(self):
        self.assertEqual(self.refused("UpdateItem", {
            "TableName": "", "ReturnConsumedCapacity": "INVALID", "ReturnValues": "INVALID"}), (
            f"4 validation errors detected: {self.CAPACITY}; "
            "Value '' at 'tableName' failed to satisfy constraint: Member must have length greater than or equal to 1; "
            "Value 'INVALID' at 'returnValues' failed to satisfy constraint: Member must satisfy enum value set: "
            f"[ALL_NEW, UPDATED_OLD, ALL_OLD, NONE, UPDATED_NEW]; {self.NO_KEY}"))
        self.assertEqual(self.refused("UpdateItem", {
            "TableName": ABSENT, "AttributeUpdates": {"x": {"Action": "PUT", "Value": s("1")}},
            "Expected": {"a": {"Exists": False}, "b": {"Exists": False}}, "ConditionalOperator": "XOR"}), (
            "2 validation errors detected: Value 'XOR' at 'conditionalOperator' failed to satisfy constraint: Member must "
            f"satisfy enum value set: [OR, AND]; {self.NO_KEY}"))

    def test_a_token_comes_before_choices(self):
        token = "x" * 37
        message = self.refused("TransactWriteItems", {
            "TransactItems": [{"Put": {"TableName": "things", "Item": {"pk": s("a")}}}], "ClientRequestToken": token,
            "ReturnConsumedCapacity": "INVALID"})
        self.assertRegex(message, "^. validation errors? detected: Value .*at '[cC]lientRequestToken' failed to satisfy "
                                  "constraint: Member must have length less than or equal to 36")

    def test_global_indexes_come_before_local_ones(self):
        def keys(*names):
            return [{"AttributeName": name, "KeyType": kind} for name, kind in zip(names, ("HASH", "RANGE"))]

        def too_short(name, member):
            return (f"Value '{name}' at '{member}.1.member.indexName' failed to satisfy constraint: Member must have length "
                    "greater than or equal to 3")
        for local, wide in (("l1", "g1"), ("aa", "zz")):
            message = self.refused("CreateTable", {
                "TableName": "indexed", "BillingMode": "PAY_PER_REQUEST", "KeySchema": keys("pk", "sk"),
                "AttributeDefinitions": [{"AttributeName": name, "AttributeType": "S"} for name in ("pk", "sk")],
                "LocalSecondaryIndexes": [{"IndexName": local, "KeySchema": keys("pk", "lr"),
                                           "Projection": {"ProjectionType": "ALL"}}],
                "GlobalSecondaryIndexes": [{"IndexName": wide, "KeySchema": keys("gh"),
                                            "Projection": {"ProjectionType": "ALL"}}]})
            self.assertEqual(message, f"2 validation errors detected: {too_short(wide, 'globalSecondaryIndexes')}; "
                                      f"{too_short(local, 'localSecondaryIndexes')}")

    def test_a_table_name_with_bad_characters_is_refused_before_it_is_looked_up(self):
        bad, pattern = "bad table!@#", "Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+"
        key = {"pk": s("a")}
        for operation, body in (
                ("GetItem", {"TableName": bad, "Key": key}), ("PutItem", {"TableName": bad, "Item": key}),
                ("DeleteItem", {"TableName": bad, "Key": key}), ("UpdateItem", {"TableName": bad, "Key": key}),
                ("Query", {"TableName": bad, "KeyConditionExpression": "pk = :p", "ExpressionAttributeValues": {":p": s("a")}}),
                ("Scan", {"TableName": bad}), ("DescribeTable", {"TableName": bad}), ("DeleteTable", {"TableName": bad}),
                ("TransactGetItems", {"TransactItems": [{"Get": {"TableName": bad, "Key": key}}]}),
                ("TransactWriteItems", {"TransactItems": [{"Delete": {"TableName": bad, "Key": key}}]})):
            with self.subTest(operation):
                self.expect(operation, body, pattern)
        for operation, member in (("BatchGetItem", {"Keys": [key]}), ("BatchWriteItem", [{"DeleteRequest": {"Key": key}}])):
            self.expect(operation, {"RequestItems": {bad: member}}, pattern + "]")


class Operands(OrderTest):
    def test_add_takes_numbers_and_sets_and_delete_only_sets(self):
        names = {"STRING": s("x"), "NUMBER": {"N": "1"}, "BINARY": {"B": "AA=="}, "BOOLEAN": {"BOOL": True},
                 "NULL": {"NULL": True}, "MAP": {"M": {}}, "LIST": {"L": []}}
        for section in ("ADD", "DELETE"):
            for name, value in names.items():
                body = {"TableName": ABSENT, "Key": {"pk": s("a")}, "UpdateExpression": f"{section} a :v",
                        "ExpressionAttributeValues": {":v": value}}
                if (section, name) == ("ADD", "NUMBER"):
                    self.refused("UpdateItem", body, "ResourceNotFoundException")
                    continue
                with self.subTest(section, type=name):
                    self.expect("UpdateItem", body, "Invalid UpdateExpression: Incorrect operand type for operator or "
                                                    f"function; operator: {section}, operand type: {name}")


class Sizes(OrderTest):
    def set_text(self, key, text_bytes):
        return {"TableName": "things", "Key": {"pk": s(key)}, "UpdateExpression": "SET b = :t",
                "ExpressionAttributeValues": {":t": s("x" * text_bytes)}}

    def test_an_update_is_limited_by_its_statement(self):
        fits = ITEM_BYTES_MAX - 3 - 19 - len("b")
        self.server.must("UpdateItem", self.set_text("K", fits), self.connection)
        self.expect("UpdateItem", self.set_text("L", fits + 1), "Item size to update has exceeded the maximum allowed size")

    def test_an_update_in_a_transaction_is_limited_in_the_same_way(self):
        fits = ITEM_BYTES_MAX - 3 - 19 - len("b")
        self.server.must("TransactWriteItems", {"TransactItems": [{"Update": self.set_text("T", fits)}]}, self.connection)
        self.expect("TransactWriteItems", {"TransactItems": [{"Update": self.set_text("U", fits + 1)}]},
                    "Item size to update has exceeded the maximum allowed size")

    def test_an_update_was_limited_by_the_item_alone(self):
        self.serve_older()
        fits = ITEM_BYTES_MAX - len("pkTb")
        self.server.must("UpdateItem", self.set_text("S", fits), self.connection)
        self.expect("UpdateItem", self.set_text("S", fits + 1), "Item size to update has exceeded the maximum allowed size")
        self.server.must("TransactWriteItems", {"TransactItems": [{"Update": self.set_text("T", fits)}]}, self.connection)
        self.assertEqual(self.reasons({"Update": self.set_text("U", fits + 1)}), [
            {"Code": "ValidationError", "Message": "Item size to update has exceeded the maximum allowed size"}])

    def test_an_enormous_exponent_is_an_underflow_in_a_batch_and_an_overflow_elsewhere(self):
        item = {"pk": s("n"), "n": {"N": "1e2147483647"}}
        self.expect("BatchWriteItem", {"RequestItems": {"things": [{"PutRequest": {"Item": item}}]}},
                    "Number underflow. Attempting to store a number with magnitude smaller than supported range")
        self.expect("PutItem", {"TableName": "things", "Item": item},
                    "Number overflow. Attempting to store a number with magnitude larger than supported range")

    def test_a_scan_costs_what_it_reads_whatever_it_returns(self):
        create_table(self.server, "scanned")
        for i in range(6):
            self.server.must("PutItem", {"TableName": "scanned", "Item": {"pk": s(str(i)), "t": s("x" * 2000)}})

        def units(**others):
            answer = self.server.must("Scan", {"TableName": "scanned", "ReturnConsumedCapacity": "TOTAL"} | others)
            return answer["ConsumedCapacity"]["CapacityUnits"]
        # 6 items of 2,004 bytes are 3 units of 4 KB, half of them where a read may be stale.
        self.assertEqual((units(), units(ConsistentRead=True)), (1.5, 3.0))
        for others in ({"FilterExpression": "attribute_exists(nothing)"}, {"ProjectionExpression": "pk"},
                       {"Select": "COUNT"}):
            self.assertEqual(units(**others), 1.5, others)
        self.assertEqual((units(Limit=1), units(Limit=3)), (0.5, 1.0))
        create_table(self.server, "empty")
        answer = self.server.must("Scan", {"TableName": "empty", "ReturnConsumedCapacity": "INDEXES"})
        self.assertEqual(answer["ConsumedCapacity"],
                         {"TableName": "empty", "CapacityUnits": 0.5, "Table": {"CapacityUnits": 0.5}})


if __name__ == "__main__":
    unittest.main()

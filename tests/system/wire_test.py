#!/usr/bin/python3
"""What DynamoDB's protocol says: every request of wire_cases.json gets the answer that AWS gives, to the letter."""

import json
import pathlib
import unittest
import zlib

from data_files import expand, message_of
from dolmen_server import PATIENCE_S, REGION, SIGNATURE, Server, ServerTest, create_table, headers_for, read_answer

CASES = json.loads(pathlib.Path(__file__).with_name("wire_cases.json").read_text())

TYPES = {
    "ValidationException": "com.amazon.coral.validate#ValidationException",
    "SerializationException": "com.amazon.coral.service#SerializationException",
    "UnknownOperationException": "com.amazon.coral.service#UnknownOperationException",
    "ResourceNotFoundException": "com.amazonaws.dynamodb.v20120810#ResourceNotFoundException",
    "LimitExceededException": "com.amazonaws.dynamodb.v20120810#LimitExceededException",
    "ResourceInUseException": "com.amazonaws.dynamodb.v20120810#ResourceInUseException",
    "BackupNotFoundException": "com.amazonaws.dynamodb.v20120810#BackupNotFoundException",
}


def parts(message):
    """The announcement and the single errors of a joined message, these in alphabetical order."""
    announcement, _, errors = message.partition(": ")
    return announcement, sorted(errors.split("; "))


def operations_of(case):
    return case["operation"] if isinstance(case["operation"], list) else [case["operation"]]


class WireTest(ServerTest):
    """One server with the tables of the data file, and one connection to it, for all tests of a class."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        create_table(cls.server, "strings", "pk")
        create_table(cls.server, "numbers", "pk", "sk", "NS")
        create_table(cls.server, "binaries", "pk", "sk", "BB")
        create_table(cls.server, "pairs", "pk", "sk", "SN")
        create_table(cls.server, "protected", "pk", DeletionProtectionEnabled=True)

    def call(self, operation, body):
        return self.server.call(operation, body, self.connection)

    def must(self, operation, body):
        return self.server.must(operation, body, self.connection)

    def send(self, method="POST", body=b"", headers=None, path="/"):
        """A request that need not be one of DynamoDB's."""
        self.connection.request(method, path, body, headers or {})
        return read_answer(self.connection)

    def expect_error(self, answer, kind, message, any_order=False):
        key = "Message" if kind == "SerializationException" else "message"
        expected = {"__type": TYPES[kind]} | ({key: message} if message is not None else {})
        got = answer.json()
        if any_order and parts(got.get(key, "")) == parts(message):
            got[key] = message
        self.assertEqual((answer.status, got), (400, expected))


class Cases(WireTest):
    def test_a_bad_value_is_refused_wherever_a_value_can_stand_and_before_the_table_is_looked_up(self):
        for case in CASES["bad_values"]:
            value = expand(case["value"])
            places = {
                "an item": ("PutItem", {"Item": {"pk": {"S": "a"}, "a": value}}),
                "a map": ("PutItem", {"Item": {"pk": {"S": "a"}, "a": {"M": {"m": value}}}}),
                "a list": ("PutItem", {"Item": {"pk": {"S": "a"}, "a": {"L": [{"S": "first"}, value]}}}),
                "a key to get": ("GetItem", {"Key": {"pk": value}}),
                "a key to delete": ("DeleteItem", {"Key": {"pk": value}}),
            }
            for place, (operation, body) in places.items():
                with self.subTest(case["rule"], place=place):
                    answer = self.call(operation, {"TableName": "missing"} | body)
                    self.expect_error(answer, case["type"], message_of(case, operation, self.TEXTS))

    def test_a_value_comes_back_as_it_is_kept(self):
        for case in CASES["stored"]:
            with self.subTest(case["rule"]):
                value = expand(case["value"])
                self.must("PutItem", {"TableName": "strings", "Item": {"pk": {"S": "stored"}, "a": value}})
                got = self.must("GetItem", {"TableName": "strings", "Key": {"pk": {"S": "stored"}}})
                self.assertEqual(got, {"Item": {"pk": {"S": "stored"}, "a": expand(case.get("as", case["value"]))}})

    def test_a_value_counts_for_its_size_in_the_items_size(self):
        # An item of 1024 bytes costs one unit and one of 1025 bytes two.
        for case in CASES["sizes"]:
            for item_bytes, units in ((1024, 1), (1025, 2)):
                with self.subTest(case["value"], bytes=case["bytes"], item_bytes=item_bytes):
                    item = {"pk": {"S": "size"}, "v": case["value"], "p": {"S": ""}}
                    item["p"]["S"] = "x" * (item_bytes - len("pk" "size" "v" "p") - case["bytes"])
                    self.must("DeleteItem", {"TableName": "strings", "Key": {"pk": {"S": "size"}}})
                    put = {"TableName": "strings", "Item": item, "ReturnConsumedCapacity": "TOTAL"}
                    self.assertEqual(self.must("PutItem", put)["ConsumedCapacity"]["CapacityUnits"], units)

    def test_a_bad_request_is_refused_with_dynamodbs_words(self):
        for case in CASES["refused"]:
            for operation in operations_of(case):
                with self.subTest(case["rule"], operation=operation):
                    answer = self.call(operation, expand(case["body"]))
                    message = message_of(case, operation, self.TEXTS) if "message" in case else None
                    self.expect_error(answer, case["type"], message, case.get("any_order", False))

    def test_a_refused_request_changes_nothing(self):
        before = self.picture()
        for case in CASES["refused"]:
            for operation in operations_of(case):
                self.call(operation, expand(case["body"]))
        self.assertEqual(self.picture(), before)

    def picture(self):
        return [self.must("DescribeTable", {"TableName": name}) for name in self.must("ListTables", {})["TableNames"]]

    def test_a_good_request_is_answered_with_exactly_what_dynamodb_answers(self):
        for case in CASES["answered"]:
            with self.subTest(case["rule"]):
                for item in case.get("given", ()):
                    self.must("PutItem", {"TableName": case["body"]["TableName"], "Item": expand(item)})
                self.assertEqual(self.must(case["operation"], expand(case["body"])), expand(case["answer"]))

    def test_at_most_ten_errors_are_listed(self):
        definitions = [{"AttributeName": f"a{i}", "AttributeType": "X"} for i in range(12)]
        answer = self.call("CreateTable", {"TableName": "abc", "AttributeDefinitions": definitions,
                                           "KeySchema": [{"AttributeName": "a0", "KeyType": "HASH"}],
                                           "BillingMode": "PAY_PER_REQUEST"})
        self.assertRegex(answer.message, "^10 validation errors detected: ")
        self.assertEqual(answer.message.count("Member must satisfy enum value set: [B, N, S]"), 10)

    def test_a_table_may_be_asked_for_what_every_table_is(self):
        for setting in ({"Tags": []}, {"Tags": [{"Key": "k", "Value": "v"}]}, {"SSESpecification": {}}, {"SSESpecification": {"Enabled": False}},
                        {"StreamSpecification": {"StreamEnabled": False}}, {"TableClass": "STANDARD"},
                        {"StreamSpecification": {"StreamEnabled": True, "StreamViewType": "NEW_IMAGE"}}):
            with self.subTest(setting):
                create_table(self.server, "usual", "pk", **setting)
                self.must("DeleteTable", {"TableName": "usual"})

    def test_an_attribute_name_of_65536_bytes_is_too_long(self):
        answer = self.call("PutItem", {"TableName": "strings", "Item": {"pk": {"S": "a"}, "n" * 65536: {"S": "x"}}})
        self.assertEqual((answer.status, answer.type), (400, "ValidationException"))
        self.assertRegex(answer.message, "6553[56]")

    def test_of_a_repeated_name_the_last_value_counts(self):
        self.must("PutItem", '{"TableName": "strings", "Item": {"pk": {"S": "twice"}, "z": {"N": "1"}, "a": {"N": "2"},'
                             ' "z": {"M": {"y": {"N": "3"}, "x": {"N": "4"}, "y": {"N": "5"}}}}}')
        got = self.must("GetItem", {"TableName": "strings", "Key": {"pk": {"S": "twice"}}})
        self.assertEqual(got["Item"], {"pk": {"S": "twice"}, "a": {"N": "2"},
                                       "z": {"M": {"y": {"N": "5"}, "x": {"N": "4"}}}})


class CasesInOlderTexts(Cases):
    """The same in the layer of DynamoDB that some still need."""

    TEXTS = "older"


class TableArns(WireTest):
    """Wherever a table is named, its ARN may stand as well."""

    def test_a_table_is_described_by_its_arn(self):
        by_name = self.must("DescribeTable", {"TableName": "strings"})
        self.assertEqual(self.must("DescribeTable", {"TableName": by_name["Table"]["TableArn"]}), by_name)

    def test_items_are_put_got_and_deleted_by_the_tables_arn(self):
        arn = self.must("DescribeTable", {"TableName": "strings"})["Table"]["TableArn"]
        key = {"pk": {"S": "by arn"}}
        self.must("PutItem", {"TableName": arn, "Item": key})
        self.assertEqual(self.must("GetItem", {"TableName": "strings", "Key": key}), {"Item": key})
        self.assertEqual(self.must("GetItem", {"TableName": arn, "Key": key}), {"Item": key})
        self.must("DeleteItem", {"TableName": arn, "Key": key})
        self.assertEqual(self.must("GetItem", {"TableName": "strings", "Key": key}), {})

    def test_a_table_that_its_arn_does_not_find_is_named_without_it(self):
        arn = self.must("DescribeTable", {"TableName": "strings"})["Table"]["TableArn"].replace("strings", "missing")
        self.expect_error(self.call("DescribeTable", {"TableName": arn}), "ResourceNotFoundException",
                          "Requested resource not found: Table: missing not found")

    def test_the_arn_of_another_region_is_refused(self):
        arn = self.must("DescribeTable", {"TableName": "strings"})["Table"]["TableArn"].replace(REGION, "eu-west-2")
        self.expect_error(self.call("DescribeTable", {"TableName": arn}), "ValidationException",
                          f"1 validation error detected: Invalid AWS region in '{arn}'")


class Protocol(WireTest):
    NOT_FOUND = (404, b"<UnknownOperationException/>\n")

    def test_a_body_that_is_not_a_json_object_cannot_be_read(self):
        for body in (b"", b" ", b"{", b"{]", b"[]", b"[{}]", b'"text"', b"23", b"null", b"true", b"{} {}", b"{'a': 1}",
                     b'{"a": 01}', b'{"a": NaN}', b'{"a": 1,}', b'{"a": "\xff"}', b'{"a": "\n"}', b"\xef\xbb\xbf",
                     b"\0", b'{"Limit": 123456789012345678901234567890123456789e400}',
                     b'{"a":' * 2000 + b"1" + b"}" * 2000):
            with self.subTest(body[:40]):
                answer = self.call("ListTables", body)
                self.assertEqual((answer.status, answer.body),
                                 (400, b'{"__type":"com.amazon.coral.service#SerializationException"}'))

    def test_a_body_that_is_not_json_is_reported_before_an_unknown_operation(self):
        self.expect_error(self.call("Nonsense", b"{"), "SerializationException", None)

    def test_an_unknown_operation_is_refused(self):
        json_type = {"Content-Type": "application/x-amz-json-1.0"}
        for target in ("", "ListTables", "DynamoDB_20120810", "DynamoDB_20120810.", "DynamoDB_20120810.Nonsense",
                       "DynamoDB_20120810.listTables", "DynamoDB_20111205.ListTables", "DynamoDB_20120810.ListTables "
                       "DynamoDB_20120810.ListTables"):
            with self.subTest(target):
                answer = self.send(body=b"{}", headers=json_type | {"X-Amz-Target": target})
                self.expect_error(answer, "UnknownOperationException", None)
                self.assertEqual(answer.headers["x-amz-crc32"], "1368724161")
        self.expect_error(self.send(body=b"{}", headers=json_type), "UnknownOperationException", None)

    def test_only_two_content_types_are_understood(self):
        for content_type in (None, "", "text/plain", "application/x-amz-json-1.1", "application/jsonasdf",
                             "application/x-www-form-urlencoded"):
            with self.subTest(content_type):
                headers = headers_for("ListTables") | {"Content-Type": content_type}
                if content_type is None:
                    del headers["Content-Type"]
                answer = self.send(body=b"{}", headers=headers)
                self.assertEqual((answer.status, answer.body), self.NOT_FOUND)
                self.assertEqual(answer.headers["x-amz-crc32"], "3552371480")

    def test_the_response_has_the_content_type_of_the_request_without_its_parameters(self):
        for sent, returned in (("application/json", "application/json"),
                               ("application/x-amz-json-1.0", "application/x-amz-json-1.0"),
                               ("application/json; charset=utf-8", "application/json"),
                               ("application/json ;charset=utf-8", "application/json"),
                               ("  application/x-amz-json-1.0  ", "application/x-amz-json-1.0")):
            for body, status in ((b"{}", 200), (b'{"Limit": 0}', 400)):
                with self.subTest(sent, status=status):
                    answer = self.send(body=body, headers=headers_for("ListTables") | {"Content-Type": sent})
                    self.assertEqual((answer.status, answer.headers["content-type"]), (status, returned))

    def test_header_names_are_not_case_sensitive(self):
        answer = self.send(body=b"{}", headers={"x-AMZ-target": "DynamoDB_20120810.ListTables",
                                                "CONTENT-TYPE": "application/json",
                                                "AUTHORIZATION": SIGNATURE["Authorization"],
                                                "x-AMZ-date": SIGNATURE["X-Amz-Date"]})
        self.assertEqual(answer.status, 200)

    def test_every_response_has_its_checksum_and_an_identifier_of_its_own(self):
        large = {"pk": {"S": "large"}, "v": {"S": "\u00e9" * 150_000}}
        self.must("PutItem", {"TableName": "strings", "Item": large})
        answers = [self.call("ListTables", {}), self.call("ListTables", b"{"), self.call("ListTables", {"Limit": 0}),
                   self.call("GetItem", {"TableName": "strings", "Key": {"pk": {"S": "large"}}}),
                   self.call("Nonsense", {}), self.send("GET"), self.send("PUT")]
        for answer in answers:
            self.assertEqual(answer.headers["x-amz-crc32"], str(zlib.crc32(answer.body)))
            self.assertRegex(answer.headers["x-amzn-requestid"], "^[0-9A-Z]{52}$")
        self.assertEqual(len({answer.headers["x-amzn-requestid"] for answer in answers}), len(answers))

    def test_every_response_has_a_date(self):
        self.assertRegex(self.call("ListTables", {}).headers["date"],
                         r"^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$")

    def test_get_tells_that_the_server_is_healthy(self):
        answer = self.send("GET")
        self.assertEqual(answer.status, 200)
        self.assertEqual(answer.body, f"healthy: 127.0.0.1:{self.server.port} ".encode())
        named = self.send("GET", headers={"Host": "dynamodb.eu-west-2.amazonaws.com"})
        self.assertEqual(named.body, b"healthy: dynamodb.eu-west-2.amazonaws.com ")

    def test_other_methods_and_paths_are_not_found(self):
        for method, path in (("PUT", "/"), ("DELETE", "/"), ("PATCH", "/"), ("OPTIONS", "/"), ("POST", "/tables"),
                             ("GET", "/x")):
            with self.subTest(method, path=path):
                answer = self.send(method, path=path)
                self.assertEqual((answer.status, answer.body), self.NOT_FOUND)

    def test_a_web_page_of_another_origin_is_told_nothing(self):
        """Unlike DynamoDB: an unauthenticated server on this machine must not be open to every page in its browser."""
        origin = {"Origin": "https://example.org"}
        answer = self.send(body=b"{}", headers=headers_for("ListTables") | origin)
        self.assertNotIn("access-control-allow-origin", answer.headers)
        self.assertEqual(self.send("OPTIONS", headers=origin).status, 404)


class Robustness(unittest.TestCase):
    """Requests that no client sends. Each has a server of its own, which has to live on."""

    def expect_refused(self, operation, body):
        with Server() as server:
            try:
                self.assertEqual(server.call(operation, body).status, 400)
                server.must("ListTables", {})
            except ConnectionError as error:
                server.process.wait(PATIENCE_S)
                self.fail(f"the server is gone with exit status {server.process.returncode}: {error}")

    def test_a_null_in_a_list_of_structures_is_refused_and_does_not_crash_the_server(self):
        good = {"TableName": "abc", "BillingMode": "PAY_PER_REQUEST",
                "AttributeDefinitions": [{"AttributeName": "a", "AttributeType": "S"}],
                "KeySchema": [{"AttributeName": "a", "KeyType": "HASH"}]}
        for name in ("KeySchema", "AttributeDefinitions"):
            for elements in ([None], [None, *good[name]], [*good[name], None]):
                with self.subTest(name, elements=elements):
                    self.expect_refused("CreateTable", good | {name: elements})

    def test_units_beyond_64_bits_are_not_taken_for_missing_ones(self):
        for units in ("9223372036854775808", "18446744073709551615", "1e19", "1e300"):
            with self.subTest(units), Server() as server:
                body = json.dumps({"TableName": "abc",
                                   "AttributeDefinitions": [{"AttributeName": "a", "AttributeType": "S"}],
                                   "KeySchema": [{"AttributeName": "a", "KeyType": "HASH"}],
                                   "ProvisionedThroughput": {"ReadCapacityUnits": "UNITS", "WriteCapacityUnits": 1}})
                answer = server.call("CreateTable", body.replace('"UNITS"', units))
                self.assertEqual(answer.status, 400)
                self.assertNotIn("must both be specified", answer.message)


if __name__ == "__main__":
    unittest.main()

#!/usr/bin/python3
"""The AWS SDK for Python works as with AWS: its client, resource, waiters, paginators and exceptions."""

import contextlib
import datetime
import decimal
import pathlib
import tempfile
import time
import unittest
import uuid

from dolmen_server import REGION, AnswerReader, Server, ServerTest, create_table, request_bytes

decimal.DefaultContext.prec = 38

# One value of each of the ten types, as the resource interface of boto3 sees them.
ALL_TYPES = {
    "string": "text \u00e9\U0001f5ff",
    "number": decimal.Decimal("-12.5"),
    "binary": b"\x00\x01\xff",
    "boolean": False,
    "null": None,
    "map": {"inner": {"deep": [decimal.Decimal(1), {"deeper": "x"}]}, "empty": {}},
    "list": ["a", decimal.Decimal(2), b"b", True, None, {"k": "v"}, [], ["nested", ["twice"]]],
    "string_set": {"a", "b", ""},
    "number_set": {decimal.Decimal("1"), decimal.Decimal("-2.5")},
    "binary_set": {b"a", b""},
    "empty_string": "",
    "empty_binary": b"",
}


def keys(partition_type, sort_type=None):
    """The parameters of create_table that describe the keys."""
    names = ["pk"] if sort_type is None else ["pk", "sk"]
    return {
        "KeySchema": [{"AttributeName": name, "KeyType": kind} for name, kind in zip(names, ("HASH", "RANGE"))],
        "AttributeDefinitions": [{"AttributeName": name, "AttributeType": kind}
                                 for name, kind in zip(names, (partition_type, sort_type))],
    }


def without_metadata(response):
    return {name: value for name, value in response.items() if name != "ResponseMetadata"}


class Boto3Test(ServerTest):
    """One server in memory for all tests of a class; each test makes its own tables."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.client = cls.server.client()
        cls.resource = cls.server.resource()

    def make(self, name, *types, **others):
        """Creates a table, on demand unless told otherwise, and drops it after the test. Returns its description."""
        billing = {} if "ProvisionedThroughput" in others else {"BillingMode": "PAY_PER_REQUEST"}
        created = self.client.create_table(TableName=name, **keys(*types), **billing, **others)
        self.addCleanup(self.drop, name)
        return created["TableDescription"]

    def drop(self, name):
        with contextlib.suppress(self.client.exceptions.ResourceNotFoundException):
            self.client.delete_table(TableName=name)

    @contextlib.contextmanager
    def refused(self, code, message):
        with self.assertRaises(self.client.exceptions.ClientError) as caught:
            yield
        error = caught.exception.response["Error"]
        self.assertEqual((error["Code"], error["Message"]), (code, message))
        self.assertEqual(caught.exception.response["ResponseMetadata"]["HTTPStatusCode"], 400)


class Items(Boto3Test):
    def test_all_types_make_the_round_trip(self):
        self.make("types", "S")
        table = self.resource.Table("types")
        item = {"pk": "all"} | ALL_TYPES
        table.put_item(Item=item)
        self.assertEqual(table.get_item(Key={"pk": "all"})["Item"], item)

    def test_numbers_are_exact_to_38_digits(self):
        self.make("numbers", "N", "N")
        table = self.resource.Table("numbers")
        # Larger magnitudes come back written out, which boto3 itself refuses to read.
        for text in ("0", "12345678901234567890123456789012345678", "-0.12345678901234567890123456789012345678",
                     "1E-130", "-1E-130", "1E+37"):
            number = decimal.Decimal(text)
            item = {"pk": number, "sk": -number, "value": number, "set": {number, decimal.Decimal(7)}}
            with self.subTest(text):
                table.put_item(Item=item)
                self.assertEqual(table.get_item(Key={"pk": number, "sk": -number})["Item"], item)

    def test_numbers_are_one_key_however_they_are_written(self):
        self.make("numbers", "N")
        self.client.put_item(TableName="numbers", Item={"pk": {"N": "0100.0"}, "v": {"S": "first"}})
        for text in ("100", "1e2", "+100.00", "1000e-1"):
            with self.subTest(text):
                found = self.client.get_item(TableName="numbers", Key={"pk": {"N": text}})
                self.assertEqual(found["Item"], {"pk": {"N": "100"}, "v": {"S": "first"}})

    def test_keys_of_every_type_tell_items_apart(self):
        values = {
            "S": [{"S": text} for text in ("a", "b", "ab", "a\0", "\u00e9", "\U0001f5ff", "x" * 1024)],
            "N": [{"N": text} for text in ("0", "1", "-1", "0.1", "10", "-0.001", "1" + "0" * 125)],
            "B": [{"B": data} for data in (b"a", b"\0", b"\0\0", b"\xff", b"\x80a", b"x" * 1024)],
        }
        for partition in values:
            for sort in [None, *values]:
                name = f"keys-{partition}-{sort}"
                with self.subTest(name):
                    self.make(name, partition, sort)
                    all_keys = [{"pk": pk} | ({} if sort is None else {"sk": sk})
                                for pk in values[partition] for sk in (values[sort] if sort else [None])]
                    for number, key in enumerate(all_keys):
                        self.client.put_item(TableName=name, Item=key | {"number": {"N": str(number)}})
                    for number, key in enumerate(all_keys):
                        found = self.client.get_item(TableName=name, Key=key, ConsistentRead=True)["Item"]
                        self.assertEqual(found, key | {"number": {"N": str(number)}})
                    self.assertEqual(self.client.describe_table(TableName=name)["Table"]["ItemCount"], len(all_keys))

    def test_what_borders_on_another_key_is_another_key(self):
        self.make("pairs", "S", "S")
        pairs = [("a", "bc"), ("ab", "c"), ("a", "b"), ("a\0", "b"), ("a", "\0b"), ("a\0\0", "b"), ("a\0", "\0b")]
        for pk, sk in pairs:
            self.client.put_item(TableName="pairs", Item={"pk": {"S": pk}, "sk": {"S": sk}})
        self.client.delete_item(TableName="pairs", Key={"pk": {"S": "a\0"}, "sk": {"S": "b"}})
        there = [(pk, sk) for pk, sk in pairs
                 if "Item" in self.client.get_item(TableName="pairs", Key={"pk": {"S": pk}, "sk": {"S": sk}})]
        self.assertEqual(there, [pair for pair in pairs if pair != ("a\0", "b")])

    def test_a_put_replaces_the_whole_item_and_returns_the_old_one_if_asked(self):
        self.make("things", "S")
        table = self.resource.Table("things")
        self.assertNotIn("Attributes", table.put_item(Item={"pk": "a", "old": 1}, ReturnValues="ALL_OLD"))
        self.assertNotIn("Attributes", table.put_item(Item={"pk": "a", "old": 2}, ReturnValues="NONE"))
        self.assertEqual(table.put_item(Item={"pk": "a", "new": 3}, ReturnValues="ALL_OLD")["Attributes"],
                         {"pk": "a", "old": 2})
        self.assertEqual(table.get_item(Key={"pk": "a"})["Item"], {"pk": "a", "new": 3})

    def test_a_delete_returns_the_item_if_asked_and_may_be_repeated(self):
        self.make("things", "S", "N")
        table = self.resource.Table("things")
        table.put_item(Item={"pk": "a", "sk": 1, "v": "x"})
        table.put_item(Item={"pk": "a", "sk": 2})
        self.assertEqual(table.delete_item(Key={"pk": "a", "sk": 1}, ReturnValues="ALL_OLD")["Attributes"],
                         {"pk": "a", "sk": 1, "v": "x"})
        self.assertNotIn("Attributes", table.delete_item(Key={"pk": "a", "sk": 1}, ReturnValues="ALL_OLD"))
        self.assertNotIn("Item", table.get_item(Key={"pk": "a", "sk": 1}))
        self.assertIn("Item", table.get_item(Key={"pk": "a", "sk": 2}))

    def test_consumed_capacity_is_reported_as_asked(self):
        self.make("things", "S")
        item = {"pk": {"S": "a"}, "v": {"S": "x" * 5000}}
        key = {"pk": {"S": "a"}}
        expected = [
            (lambda **o: self.client.put_item(TableName="things", Item=item, **o), 5.0),
            (lambda **o: self.client.get_item(TableName="things", Key=key, **o), 1.0),
            (lambda **o: self.client.get_item(TableName="things", Key=key, ConsistentRead=True, **o), 2.0),
            (lambda **o: self.client.delete_item(TableName="things", Key=key, **o), 5.0),
        ]
        for wanted in ("TOTAL", "INDEXES"):
            for call, units in expected:
                capacity = {"TableName": "things", "CapacityUnits": units}
                if wanted == "INDEXES":
                    capacity["Table"] = {"CapacityUnits": units}
                self.assertEqual(call(ReturnConsumedCapacity=wanted)["ConsumedCapacity"], capacity)
        for call, _ in expected:
            self.assertNotIn("ConsumedCapacity", call(ReturnConsumedCapacity="NONE"))
            self.assertNotIn("ConsumedCapacity", call())

    def test_bad_keys_are_refused_with_dynamodbs_words(self):
        self.make("pairs", "S", "N")
        mismatch = "The provided key element does not match the schema"
        invalid = "One or more parameter values were invalid: "
        a, one = {"S": "a"}, {"N": "1"}
        for message, item in ((invalid + "Missing the key pk in the item", {"sk": one}),
                              (invalid + "Missing the key sk in the item", {"pk": a}),
                              (invalid + "Type mismatch for key pk expected: S actual: N", {"pk": one, "sk": one}),
                              (invalid + "Type mismatch for key sk expected: N actual: S", {"pk": a, "sk": a})):
            with self.refused("ValidationException", message):
                self.client.put_item(TableName="pairs", Item=item)
        for key in ({"pk": a}, {"pk": a, "sk": a}, {"pk": a, "sk": one, "x": a}, {"pk": a, "x": one}):
            with self.refused("ValidationException", mismatch):
                self.client.get_item(TableName="pairs", Key=key)
            with self.refused("ValidationException", mismatch):
                self.client.delete_item(TableName="pairs", Key=key)

    def test_items_of_a_table_that_does_not_exist_are_not_found(self):
        key = {"pk": {"S": "a"}}
        for call in (lambda: self.client.put_item(TableName="missing", Item=key),
                     lambda: self.client.get_item(TableName="missing", Key=key),
                     lambda: self.client.delete_item(TableName="missing", Key=key)):
            with self.assertRaises(self.client.exceptions.ResourceNotFoundException):
                call()
            with self.refused("ResourceNotFoundException", "Requested resource not found"):
                call()


class Tables(Boto3Test):
    def describe(self, name):
        """The description as it stands on the wire: Debian's boto3 is older than some of its members."""
        description = self.server.must("DescribeTable", {"TableName": name})["Table"]
        description.pop("WarmThroughput", None)
        return description

    def test_an_on_demand_table_is_described_as_by_aws(self):
        begun = time.time()
        created = create_table(self.server, "on-demand", "pk", "sk", "SN")
        self.addCleanup(self.drop, "on-demand")
        moment = created["CreationDateTime"]
        self.assertIsInstance(moment, float)
        self.assertTrue(begun - 0.001 <= moment <= time.time(), moment)
        self.assertEqual(uuid.UUID(created["TableId"]).version, 4)
        self.assertRegex(created["TableArn"], f"^arn:aws:dynamodb:{REGION}:[0-9]{{12}}:table/on-demand$")
        expected = {
            "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"},
                                     {"AttributeName": "sk", "AttributeType": "N"}],
            "TableName": "on-demand",
            "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
            "TableStatus": "ACTIVE",
            "CreationDateTime": moment,
            "ProvisionedThroughput": {"NumberOfDecreasesToday": 0, "ReadCapacityUnits": 0, "WriteCapacityUnits": 0},
            "BillingModeSummary": {"BillingMode": "PAY_PER_REQUEST", "LastUpdateToPayPerRequestDateTime": moment},
            "TableSizeBytes": 0,
            "ItemCount": 0,
            "TableArn": created["TableArn"],
            "TableId": created["TableId"],
            "DeletionProtectionEnabled": False,
        }
        self.assertEqual(self.describe("on-demand"), expected)
        self.assertEqual(created, expected | {"TableStatus": "CREATING",
                                              "BillingModeSummary": {"BillingMode": "PAY_PER_REQUEST"}})

    def test_a_provisioned_table_is_described_as_by_aws(self):
        throughput = {"ReadCapacityUnits": 3, "WriteCapacityUnits": 4}
        created = create_table(self.server, "provisioned", types="B", ProvisionedThroughput=throughput)
        self.addCleanup(self.drop, "provisioned")
        self.assertEqual(self.describe("provisioned"), {
            "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "B"}],
            "TableName": "provisioned",
            "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
            "TableStatus": "ACTIVE",
            "CreationDateTime": created["CreationDateTime"],
            "ProvisionedThroughput": throughput | {"NumberOfDecreasesToday": 0},
            "TableSizeBytes": 0,
            "ItemCount": 0,
            "TableArn": created["TableArn"],
            "TableId": created["TableId"],
            "DeletionProtectionEnabled": False,
        })
        self.assertEqual(created, self.describe("provisioned") | {"TableStatus": "CREATING"})

    def test_times_and_identifiers_are_understood_by_boto3(self):
        begun = datetime.datetime.now(datetime.timezone.utc)
        created = self.make("understood", "S")
        described = self.client.describe_table(TableName="understood")["Table"]
        self.assertEqual(described["CreationDateTime"], created["CreationDateTime"])
        self.assertLess(abs(described["CreationDateTime"] - begun), datetime.timedelta(minutes=1))
        self.assertEqual(described["BillingModeSummary"]["LastUpdateToPayPerRequestDateTime"],
                         created["CreationDateTime"])

    def test_a_billing_mode_may_be_named_though_it_is_the_default(self):
        throughput = {"ReadCapacityUnits": 1, "WriteCapacityUnits": 1}
        self.make("named", "S", ProvisionedThroughput=throughput)
        self.client.delete_table(TableName="named")
        self.client.create_table(TableName="named", **keys("S"), BillingMode="PROVISIONED",
                                 ProvisionedThroughput=throughput)
        self.assertNotIn("BillingModeSummary", self.client.describe_table(TableName="named")["Table"])

    def test_attribute_definitions_are_sorted_by_name_and_keys_by_their_kind(self):
        self.client.create_table(
            TableName="sorted", BillingMode="PAY_PER_REQUEST",
            KeySchema=[{"AttributeName": "z", "KeyType": "HASH"}, {"AttributeName": "a", "KeyType": "RANGE"}],
            AttributeDefinitions=[{"AttributeName": "z", "AttributeType": "S"},
                                  {"AttributeName": "a", "AttributeType": "B"}])
        self.addCleanup(self.drop, "sorted")
        described = self.client.describe_table(TableName="sorted")["Table"]
        self.assertEqual([key["AttributeName"] for key in described["KeySchema"]], ["z", "a"])
        self.assertEqual(described["AttributeDefinitions"], [{"AttributeName": "a", "AttributeType": "B"},
                                                             {"AttributeName": "z", "AttributeType": "S"}])

    def test_a_table_knows_its_items_and_their_size(self):
        self.make("counted", "S")
        for i in range(10):
            self.client.put_item(TableName="counted", Item={"pk": {"S": str(i)}, "v": {"S": "x" * 96}})
        self.client.delete_item(TableName="counted", Key={"pk": {"S": "0"}})
        described = self.client.describe_table(TableName="counted")["Table"]
        self.assertEqual((described["ItemCount"], described["TableSizeBytes"]), (9, 9 * 100))

    def test_waiters_end(self):
        self.make("awaited", "S")
        self.client.get_waiter("table_exists").wait(TableName="awaited", WaiterConfig={"MaxAttempts": 1})
        self.client.delete_table(TableName="awaited")
        self.client.get_waiter("table_not_exists").wait(TableName="awaited", WaiterConfig={"MaxAttempts": 1})

    def test_the_resource_creates_waits_loads_and_deletes(self):
        table = self.resource.create_table(TableName="resource", BillingMode="PAY_PER_REQUEST", **keys("S"))
        self.addCleanup(self.drop, "resource")
        table.wait_until_exists()
        table.load()
        self.assertEqual((table.table_status, table.item_count, table.key_schema),
                         ("ACTIVE", 0, [{"AttributeName": "pk", "KeyType": "HASH"}]))
        self.assertIn("resource", [each.name for each in self.resource.tables.all()])
        table.delete()
        table.wait_until_not_exists()
        self.assertNotIn("resource", [each.name for each in self.resource.tables.all()])

    def test_a_table_that_exists_is_in_use(self):
        self.make("twice", "S")
        with self.assertRaises(self.client.exceptions.ResourceInUseException):
            self.make("twice", "S")
        with self.refused("ResourceInUseException", "Table already exists: twice"):
            self.make("twice", "N", "N")

    def test_a_table_that_does_not_exist_is_not_found(self):
        for call in (self.client.describe_table, self.client.delete_table):
            with self.assertRaises(self.client.exceptions.ResourceNotFoundException):
                call(TableName="missing")
            with self.refused("ResourceNotFoundException", "Requested resource not found: Table: missing not found"):
                call(TableName="missing")

    def test_a_deleted_table_is_described_for_the_last_time(self):
        created = self.make("deleted", "S")
        self.client.put_item(TableName="deleted", Item={"pk": {"S": "a"}})
        deleted = self.client.delete_table(TableName="deleted")["TableDescription"]
        self.assertEqual((deleted["TableName"], deleted["TableStatus"], deleted["TableId"]),
                         ("deleted", "DELETING", created["TableId"]))

    def test_a_new_table_of_an_old_name_is_empty_and_has_an_identity_of_its_own(self):
        first = self.make("again", "S")
        self.client.put_item(TableName="again", Item={"pk": {"S": "a"}})
        self.client.delete_table(TableName="again")
        second = self.make("again", "S")
        self.assertNotEqual(second["TableId"], first["TableId"])
        self.assertEqual(second["TableArn"], first["TableArn"])
        self.assertNotIn("Item", self.client.get_item(TableName="again", Key={"pk": {"S": "a"}}))


class Listing(Boto3Test):
    def test_tables_are_listed_in_order_of_their_bytes_page_by_page(self):
        names = [f"list-{i:03}" for i in range(150)] + ["Zebra", "a_z", "a.b", "a-b", "abc", "zebra"]
        for name in names:
            self.make(name, "S")
        listed = sorted(names, key=str.encode)
        paginator = self.client.get_paginator("list_tables")
        pages = list(paginator.paginate())
        self.assertEqual([len(page["TableNames"]) for page in pages], [100, len(listed) - 100])
        self.assertEqual(sum((page["TableNames"] for page in pages), []), listed)
        by_seven = paginator.paginate(PaginationConfig={"PageSize": 7}).build_full_result()
        self.assertEqual(by_seven["TableNames"], listed)

    def test_a_page_of_a_listing_ends_where_the_tables_end(self):
        names = [f"page{i}" for i in range(4)]
        for name in names:
            self.make(name, "S")
        first = without_metadata(self.client.list_tables(Limit=2))
        self.assertEqual(first, {"TableNames": names[:2], "LastEvaluatedTableName": names[1]})
        last = without_metadata(self.client.list_tables(Limit=2, ExclusiveStartTableName=names[1]))
        self.assertEqual(last, {"TableNames": names[2:]})
        between = without_metadata(self.client.list_tables(ExclusiveStartTableName="page1-and-a-half"))
        self.assertEqual(between, {"TableNames": names[2:]})
        beyond = without_metadata(self.client.list_tables(ExclusiveStartTableName="zzz"))
        self.assertEqual(beyond, {"TableNames": []})


class Protection(Boto3Test):
    def test_a_protected_table_is_not_deleted(self):
        create_table(self.server, "protected", DeletionProtectionEnabled=True)
        self.client.put_item(TableName="protected", Item={"pk": {"S": "a"}})
        with self.refused("ValidationException", "Resource cannot be deleted as it is currently protected against "
                                                 "deletion. Disable deletion protection first."):
            self.client.delete_table(TableName="protected")
        described = self.server.must("DescribeTable", {"TableName": "protected"})["Table"]
        self.assertEqual((described["DeletionProtectionEnabled"], described["TableStatus"], described["ItemCount"]),
                         (True, "ACTIVE", 1))


class Restart(unittest.TestCase):
    maxDiff = None

    def test_tables_and_items_are_the_same_after_a_stop_and_after_a_kill(self):
        with tempfile.TemporaryDirectory() as folder, Server(pathlib.Path(folder, "data")) as server:
            create_table(server, "on-demand", "pk", "sk", "SN")
            create_table(server, "provisioned", types="B", DeletionProtectionEnabled=True,
                         ProvisionedThroughput={"ReadCapacityUnits": 3, "WriteCapacityUnits": 4})
            server.resource().Table("on-demand").put_item(Item={"pk": "a", "sk": 1} | ALL_TYPES)
            before = self.picture(server)
            self.assertEqual(before["item"], {"pk": "a", "sk": 1} | ALL_TYPES)
            for end in (server.stop, server.kill, server.stop):
                with self.subTest(end.__name__):
                    end()
                    server.start()
                    self.assertEqual(self.picture(server), before)

    def test_many_items_are_counted_exactly_before_and_after_a_restart(self):
        count = 15_000
        with tempfile.TemporaryDirectory() as folder, Server(f"{folder}/data", ["--durability", "os"]) as server:
            create_table(server, "many")
            self.fill("many", count, server)
            for moment in ("before", "after"):
                with self.subTest(moment):
                    counted = server.must("DescribeTable", {"TableName": "many"})["Table"]["ItemCount"]
                    self.assertEqual(counted, count)
                server.stop()
                server.start()

    def fill(self, table, count, server):
        with server.connect() as sock, contextlib.closing(AnswerReader(sock)) as reader:
            for begin in range(0, count, 500):
                items = [{"pk": {"S": f"key{i}"}, "v": {"S": "x" * (i % 100)}} for i in range(begin, begin + 500)]
                puts = [request_bytes("PutItem", {"TableName": table, "Item": item}) for item in items]
                sock.sendall(b"".join(puts))
                self.assertEqual([reader.next().status for _ in puts], [200] * len(puts))

    @staticmethod
    def picture(server):
        names = server.must("ListTables", {})["TableNames"]
        return {"tables": [server.must("DescribeTable", {"TableName": name}) for name in names],
                "item": server.resource().Table("on-demand").get_item(Key={"pk": "a", "sk": 1})["Item"]}


if __name__ == "__main__":
    unittest.main(warnings="ignore")  # boto3 leaves its sockets to the garbage collector.

#!/usr/bin/python3
"""The Python package and the shared library below it: stores, tables, errors, threads, streams, and boto3 without a server,
whose answers are those of a server to the letter."""

import contextlib
import decimal
import importlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import threading
import unittest

import boto3
from boto3.dynamodb.conditions import Key
from botocore.exceptions import ClientError

from data_files import expand
from dolmen_server import BINARY, ROOT, Server, clean_environment, encode

BUILD = pathlib.Path(BINARY).resolve().parents[1]
FOLDER = BUILD / "python"
sys.path.insert(0, str(FOLDER))
import dolmen  # noqa: E402

VALUES = {"id": "a", "text": "é🗿", "whole": 12, "exact": decimal.Decimal("0.1"), "big": 10**37, "bytes": b"\0\xff",
          "yes": True, "nothing": None, "list": [1, "x", [b"b"]], "map": {"deep": {"er": 1}}, "texts": {"a", "b"},
          "numbers": {1, decimal.Decimal("2.5")}, "blobs": {b"a"}}


class Folder(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)


class Library(unittest.TestCase):
    def test_shows_the_functions_of_the_header_and_nothing_else(self):
        library = BUILD / "lib/libdolmen.so.1"
        listed = subprocess.run(["nm", "-D", "--defined-only", "--format=posix", library], check=True, text=True,
                                capture_output=True).stdout
        names = {line.split()[0].split("@")[0] for line in listed.splitlines() if " A " not in line}
        header = (ROOT / "include/dolmen/c.h").read_text()
        declared = {line.split("(")[0].split()[-1].lstrip("*") for line in header.splitlines()
                    if line.startswith("DOLMEN_API")}
        self.assertEqual(names, declared)
        # Programs that were linked to this version of the interface find it by its name.
        self.assertIn("dolmen_open@@DOLMEN_1", listed)

    def test_compiles_alone_as_c_and_as_cpp(self):
        for compiler, language, standard in (("gcc", "c", "c11"), ("gcc", "c", "c99"), ("g++", "c++", "c++17")):
            subprocess.run([compiler, "-x", language, f"-std={standard}", "-Wall", "-Wextra", "-Wpedantic", "-Werror",
                            "-fsyntax-only", f"-I{ROOT / 'include'}", "-"],
                           input="#include <dolmen/c.h>\nint main(void) { return 0; }\n", text=True, check=True)


class Stores(Folder):
    def test_keep_items_in_a_directory(self):
        with dolmen.open(self.folder / "data") as store:
            notes = store.create_table("notes", key="topic:S,written:N")
            notes.put({"topic": "dolmen", "written": 1, "text": "stone table"})
            self.assertEqual(store.tables(), ["notes"])
        with dolmen.open(str(self.folder / "data")) as store:
            notes = store.create_table("notes", key="topic:S,written:N")
            self.assertEqual(notes.get({"topic": "dolmen", "written": 1})["text"], "stone table")
            with self.assertRaises(dolmen.Exists):
                store.create_table("notes", key="topic:S")

    def test_say_what_is_wrong(self):
        with dolmen.open(self.folder / "data") as store:
            with self.assertRaises(dolmen.StorageError) as in_use:
                dolmen.open(self.folder / "data")
            self.assertEqual(in_use.exception.code, "DirectoryInUse")
            with self.assertRaises(dolmen.NotFound) as missing:
                store.table("none").get({"id": "a"})
            self.assertEqual(missing.exception.type, "ResourceNotFoundException")
            self.assertEqual(missing.exception.http_status, 400)
            with self.assertRaises(dolmen.Invalid):
                store.call("NoSuchOperation")
        with self.assertRaises(dolmen.Closed):
            store.tables()
        store.close()
        with self.assertRaises(dolmen.Invalid):
            dolmen.open("ftp://example.com")
        with self.assertRaises(ValueError):
            dolmen.open("memory:", durability="perhaps")

    def test_fork_in_memory_and_on_disk(self):
        for address, where in (("memory:", None), (self.folder / "data", self.folder / "fork")):
            with dolmen.open(address) as store:
                store.create_table("items", key="id").put({"id": "a"})
                with store.fork(where) as fork:
                    fork.table("items").put({"id": "b"})
                    self.assertEqual(len(list(fork.table("items").scan())), 2)
                self.assertEqual(len(list(store.table("items").scan())), 1)

    def test_talk_to_a_server_in_the_same_words(self):
        with Server() as server, dolmen.open(server.url) as store:
            table = store.create_table("items", key="id")
            table.put(VALUES)
            self.assertEqual(table.get({"id": "a"}), VALUES)
            with self.assertRaises(dolmen.ConditionFailed):
                table.put({"id": "a"}, only_if=dolmen.attr("id").not_exists())

    def test_carry_out_statements(self):
        with dolmen.open("memory:") as store:
            notes = store.create_table("notes", key="topic:S,written:N")
            notes.put_all({"topic": "a", "written": i} for i in range(60))
            self.assertEqual(store.execute("SELECT written FROM notes WHERE topic = ? AND written > ?", "a", 57),
                             [{"written": 58}, {"written": 59}])


class Tables(unittest.TestCase):
    def setUp(self):
        self.store = dolmen.open("memory:")
        self.addCleanup(self.store.close)
        self.table = self.store.create_table("notes", key="topic:S,written:N")

    def test_read_back_every_type(self):
        table = self.store.create_table("all", key="id")
        table.put(VALUES)
        self.assertEqual(table.get({"id": "a"}), VALUES)
        table.put({"id": "f", "float": 0.5, "tuple": (1, 2)})
        self.assertEqual(table.get({"id": "f"}), {"id": "f", "float": decimal.Decimal("0.5"), "tuple": [1, 2]})
        for wrong in (float("nan"), set(), {1, "a"}, object()):
            with self.assertRaises((TypeError, ValueError)):
                table.put({"id": "x", "wrong": wrong})

    def test_update_by_what_is_said(self):
        key = {"topic": "a", "written": 1}
        self.table.put({**key, "tags": {"x", "y"}, "old": 1, "address": {"city": "Carnac"}})
        updated = self.table.update(key, set={"size": 3, dolmen.attr("address")["zip"]: "56340"},
                                    add={"views": 2}, remove=["old"], erase={"tags": {"x"}},
                                    only_if=dolmen.attr("address")["city"] == "Carnac")
        self.assertEqual(updated, {**key, "tags": {"y"}, "size": 3, "views": 2, "address": {"city": "Carnac", "zip": "56340"}})
        with self.assertRaises(dolmen.ConditionFailed) as failed:
            self.table.update(key, set={"size": 4}, only_if=(dolmen.attr("views") > 5) | dolmen.attr("old").exists())
        self.assertEqual(failed.exception.type, "ConditionalCheckFailedException")
        self.table.delete(key, only_if=dolmen.attr("tags").contains("y") & ~dolmen.attr("old").exists())
        self.assertIsNone(self.table.get(key))

    def test_query_and_scan_over_all_pages(self):
        self.assertEqual(self.table.put_all({"topic": f"t{i % 2}", "written": i, "n": i} for i in range(230)), 230)
        self.assertEqual(len(list(self.table.scan(page_size=7))), 230)
        found = self.table.query((dolmen.key("topic") == "t1") & (dolmen.key("written") >= 100), page_size=10)
        self.assertEqual([note["written"] for note in found], list(range(101, 230, 2)))
        found = self.table.query(dolmen.key("topic") == "t0", descending=True, limit=3, attributes=["n"])
        self.assertEqual(list(found), [{"n": 228}, {"n": 226}, {"n": 224}])
        found = self.table.scan(filter=dolmen.attr("n").between(10, 12) | dolmen.attr("n").is_in([200, 201]), limit=4)
        self.assertEqual(len(list(found)), 4)
        page = self.table.query_page(dolmen.key("topic") == "t0", page_size=2)
        self.assertEqual(len(page.items), 2)
        after = self.table.query_page(dolmen.key("topic") == "t0", page_size=2, after=page.last_key)
        self.assertEqual(after.items[0]["written"], 4)
        with self.assertRaises(TypeError):
            self.table.scan_page(speed=3)
        self.assertEqual(len(self.table.get_all({"topic": f"t{i % 2}", "written": i} for i in range(300))), 230)
        self.assertEqual(self.table.delete_all({"topic": "t0", "written": i} for i in range(0, 230, 2)), 115)
        self.assertEqual(self.table.describe()["ItemCount"], 115)

    def test_conditions_are_not_joined_by_and(self):
        with self.assertRaises(TypeError):
            _ = dolmen.key("a") == 1 and dolmen.key("b") == 2

    def test_streams_give_changes_and_positions(self):
        table = self.store.create_table("changes", key="id", StreamSpecification={
            "StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"})
        for i in range(10):
            table.put({"id": "a", "n": i})
        changes = list(self.store.stream("changes"))
        self.assertEqual([change.new["n"] for change in changes], list(range(10)))
        self.assertEqual((changes[0].kind, changes[1].kind, changes[1].old), ("INSERT", "MODIFY", {"id": "a", "n": 0}))
        rest = list(self.store.stream("changes", position=changes[6].position))
        self.assertEqual([change.new["n"] for change in rest], [7, 8, 9])
        with self.assertRaises(dolmen.NotFound):
            list(self.store.stream("notes"))

    def test_a_stream_waits_for_a_change_of_another_thread(self):
        self.store.create_table("changes", key="id", StreamSpecification={
            "StreamEnabled": True, "StreamViewType": "KEYS_ONLY"}).put({"id": "first"})
        changes = self.store.stream("changes", wait=30)
        self.assertEqual(next(changes).key, {"id": "first"})
        writer = threading.Thread(target=lambda: self.store.table("changes").put({"id": "second"}))
        writer.start()
        # Were the interpreter held while it waits, the other thread could not write.
        self.assertEqual(next(changes).key, {"id": "second"})
        writer.join()

    def test_threads_share_a_store(self):
        table = self.store.create_table("shared", key="id")

        def write(number):
            for i in range(100):
                table.update({"id": "counter"}, add={"n": 1})
                table.put({"id": f"{number}-{i}"})

        threads = [threading.Thread(target=write, args=[number]) for number in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(table.get({"id": "counter"})["n"], 800)
        self.assertEqual(table.describe()["ItemCount"], 801)


class Boto3(Folder):
    """The same calls to a store in this process and to a server have the same answers."""

    def both(self):
        stack = contextlib.ExitStack()
        self.addCleanup(stack.close)
        store = stack.enter_context(dolmen.open("memory:"))
        server = stack.enter_context(Server())
        return store.boto3_client(), server.client()

    def test_answers_and_errors_are_those_of_a_server(self):
        here, there = self.both()
        table = {"TableName": "items", "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}],
                 "AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "S"}], "BillingMode": "PAY_PER_REQUEST"}
        calls = [
            ("create_table", table), ("create_table", table), ("list_tables", {}),
            ("put_item", {"TableName": "items", "Item": {"id": {"S": "a"}, "b": {"B": b"\0"}, "n": {"N": "1.50"}},
                          "ReturnConsumedCapacity": "INDEXES"}),
            ("get_item", {"TableName": "items", "Key": {"id": {"S": "a"}}}),
            ("get_item", {"TableName": "items", "Key": {"id": {"N": "1"}}}),
            ("get_item", {"TableName": "x" * 300, "Key": {"id": {"S": "a"}}}),
            ("put_item", {"TableName": "items", "Item": {"id": {"S": ""}}}),
            ("put_item", {"TableName": "items", "Item": {"id": {"S": "a"}}, "ConditionExpression": "attribute_not_exists(id)"}),
            ("update_item", {"TableName": "items", "Key": {"id": {"S": "a"}}, "UpdateExpression": "SET n = n + :x, oops"}),
            ("update_item", {"TableName": "items", "Key": {"id": {"S": "a"}}, "UpdateExpression": "SET n = n + :x",
                             "ExpressionAttributeValues": {":x": {"N": "2"}}, "ReturnValues": "ALL_NEW"}),
            ("query", {"TableName": "items", "KeyConditionExpression": "nope = :x", "ExpressionAttributeValues": {":x": {"S": "a"}}}),
            ("scan", {"TableName": "items", "Segment": 3}),
            ("transact_write_items", {"TransactItems": [
                {"Put": {"TableName": "items", "Item": {"id": {"S": "b"}}}},
                {"ConditionCheck": {"TableName": "items", "Key": {"id": {"S": "c"}}, "ConditionExpression": "attribute_exists(id)"}}]}),
            ("execute_statement", {"Statement": "SELECT * FROM items WHERE id = 'a'"}),
            ("execute_statement", {"Statement": "SELECT"}),
            ("describe_table", {"TableName": "none"}), ("delete_item", {"TableName": "items", "Key": {"id": {"S": "a"}}}),
        ]
        for number, (operation, parameters) in enumerate(calls):
            with self.subTest(number=number, operation=operation):
                self.assertEqual(self.outcome(here, operation, parameters), self.outcome(there, operation, parameters))

    @staticmethod
    def outcome(client, operation, parameters):
        try:
            answer = getattr(client, operation)(**parameters)
        except ClientError as error:
            answer = error.response
        answer = dict(answer)
        metadata = answer.pop("ResponseMetadata")
        # What is different each time.
        description = answer.get("TableDescription", {})
        for name in ("TableId", "CreationDateTime", "BillingModeSummary"):
            description.pop(name, None)
        return metadata["HTTPStatusCode"], answer

    def test_errors_are_the_classes_of_the_client(self):
        with dolmen.open("memory:") as store:
            client = store.boto3_client()
            with self.assertRaises(client.exceptions.ResourceNotFoundException) as missing:
                client.describe_table(TableName="none")
            self.assertTrue(missing.exception.response["ResponseMetadata"]["RequestId"])

    def test_resources_waiters_and_paginators_work(self):
        with dolmen.open("memory:") as store:
            resource = store.boto3_resource()
            table = resource.create_table(
                TableName="items", KeySchema=[{"AttributeName": "id", "KeyType": "HASH"}, {"AttributeName": "n", "KeyType": "RANGE"}],
                AttributeDefinitions=[{"AttributeName": "id", "AttributeType": "S"}, {"AttributeName": "n", "AttributeType": "N"}],
                BillingMode="PAY_PER_REQUEST")
            table.wait_until_exists()
            with table.batch_writer() as batch:
                for i in range(60):
                    batch.put_item(Item={"id": "a", "n": i})
            self.assertEqual(len(table.query(KeyConditionExpression=Key("id").eq("a") & Key("n").gte(50))["Items"]), 10)
            pages = store.boto3_client().get_paginator("scan").paginate(TableName="items", PaginationConfig={"PageSize": 7})
            self.assertEqual(sum(len(page["Items"]) for page in pages), 60)

    def test_streams_are_read_by_their_own_client(self):
        with dolmen.open("memory:") as store:
            table = store.create_table("items", key="id", StreamSpecification={
                "StreamEnabled": True, "StreamViewType": "NEW_IMAGE"})
            table.put({"id": "a"})
            streams = store.boto3_client("dynamodbstreams")
            arn = streams.list_streams(TableName="items")["Streams"][0]["StreamArn"]
            records = []
            for shard in streams.describe_stream(StreamArn=arn)["StreamDescription"]["Shards"]:
                iterator = streams.get_shard_iterator(StreamArn=arn, ShardId=shard["ShardId"], ShardIteratorType="TRIM_HORIZON")
                records += streams.get_records(ShardIterator=iterator["ShardIterator"])["Records"]
            self.assertEqual(records[0]["dynamodb"]["NewImage"], {"id": {"S": "a"}})

    def test_a_client_opens_a_directory_by_itself(self):
        client = dolmen.boto3_client(self.folder / "data")
        self.assertEqual(client.list_tables()["TableNames"], [])
        client.close()
        with dolmen.open(self.folder / "data"):
            pass
        with dolmen.open("memory:") as store:
            with self.assertRaises(ValueError):
                store.boto3_client("s3")
            with self.assertRaises(ValueError):
                store.boto3_client(endpoint_url="http://example.com")

    def test_needs_neither_credentials_nor_a_region(self):
        script = "import dolmen; print(dolmen.boto3_client('memory:').list_tables()['TableNames'])"
        environment = {name: value for name, value in clean_environment(self.folder).items()
                       if not name.startswith("AWS_")} | {"PYTHONPATH": str(FOLDER)}
        done = subprocess.run(["/usr/bin/python3", "-c", script], env=environment, text=True, capture_output=True)
        self.assertEqual((done.stdout, done.returncode), ("[]\n", 0), done.stderr)


class Wire(unittest.TestCase):
    def test_every_refusal_is_that_of_a_server_to_the_letter(self):
        cases = json.loads(pathlib.Path(__file__).with_name("wire_cases.json").read_text())
        requests = [(operation, expand(case["body"])) for case in cases["refused"]
                    for operation in (case["operation"] if isinstance(case["operation"], list) else [case["operation"]])]
        requests += [("PutItem", {"TableName": "missing", "Item": {"pk": {"S": "a"}, "a": expand(case["value"])}})
                     for case in cases["bad_values"]]
        tables = [("strings", "pk"), ("numbers", "pk:N,sk"), ("binaries", "pk:B,sk:B"), ("pairs", "pk,sk:N")]
        with Server() as server, dolmen.open("memory:") as here, dolmen.open(server.url) as there:
            for store in (here, there):
                for name, key in tables:
                    store.create_table(name, key)
                store.create_table("protected", "pk", DeletionProtectionEnabled=True)
            for operation, body in requests:
                with self.subTest(operation=operation, body=str(body)[:200]):
                    answer = server.call(operation, body)
                    self.assertEqual(here.answer(f"DynamoDB_20120810.{operation}", encode(body)),
                                     (answer.status, answer.body))
        self.assertGreater(len(requests), 300)


class Package(Folder):
    def test_the_wheel_installs_and_works_from_a_folder_of_its_own(self):
        (wheel,) = (FOLDER / "dist").glob("dolmen-*.whl")
        target = self.folder / "site"
        # As pip does it; pip itself is not on every machine.
        subprocess.run(["/usr/bin/python3", "-m", "zipfile", "-e", wheel, target], check=True)
        listed = {line.split(",")[0] for line in next(target.glob("*.dist-info/RECORD")).read_text().splitlines()}
        self.assertEqual(listed, {str(path.relative_to(target)) for path in target.rglob("*") if path.is_file()})
        script = "import dolmen; print(dolmen.__file__); print(dolmen.open('memory:').tables())"
        done = subprocess.run(["/usr/bin/python3", "-c", script], env={"PYTHONPATH": str(target)}, cwd=self.folder,
                              text=True, capture_output=True)
        self.assertEqual(done.stdout.splitlines(), [str(target / "dolmen/__init__.py"), "[]"], done.stderr)
        self.assertNotIn(str(ROOT).encode(), (target / "dolmen/libdolmen.so.1").read_bytes())

    def test_its_types_are_right(self):
        if importlib.util.find_spec("mypy") is None:
            print("skipped: the types of the Python package (mypy is not installed)")
            return
        done = subprocess.run([sys.executable, "-m", "mypy", "--strict", "--cache-dir", os.devnull, str(ROOT / "python/dolmen")],
                              text=True, capture_output=True)
        self.assertEqual(done.returncode, 0, done.stdout)


if __name__ == "__main__":
    unittest.main()

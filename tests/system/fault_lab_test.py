#!/usr/bin/python3
"""Faults on purpose, conflicts, throttling and explanations, as the AWS SDK for Python meets them."""

import json
import pathlib
import tempfile
import threading
import unittest

from dolmen_server import DidNotStart, Server, encode, headers_for, read_answer, run

PUT = {"TableName": "notes", "Item": {"pk": {"S": "a"}}}
GET = {"TableName": "notes", "Key": {"pk": {"S": "a"}}}


def table(name="notes", **others):
    return {"TableName": name, "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
            "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
            "BillingMode": "PAY_PER_REQUEST"} | others


def call(server, operation, body, **headers):
    """One request with more headers; names have _ for -."""
    connection = server.connection()
    try:
        more = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request("POST", "/", encode(body), headers_for(operation) | more)
        return read_answer(connection)
    finally:
        connection.close()


def retrying_client(server, attempts=30):
    """boto3 with its own retries, without the time between them."""
    from botocore.config import Config
    options = server._client_options()
    options["config"] = options["config"].merge(Config(retries={"mode": "standard", "total_max_attempts": attempts}))
    client = server._session().client("dynamodb", **options)
    import botocore.retries.standard as standard
    standard.ExponentialBackoff.delay_amount = lambda self, context: 0
    return client


class FaultsOfARequest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Server()
        cls.server.start()
        cls.addClassCleanup(cls.server.close)
        cls.server.must("CreateTable", table())

    def test_happen_by_a_header(self):
        for fault, status, kind in [("throttle", 400, "ProvisionedThroughputExceededException"),
                                    ("internal-error", 500, "InternalServerError"),
                                    ("conflict", 400, "TransactionConflictException")]:
            answer = call(self.server, "PutItem", PUT, x_dolmen_fault=f"seed=42, number=7, {fault}")
            self.assertEqual((answer.status, answer.type), (status, kind))
            self.assertEqual(answer.headers["x-dolmen-fault"], f"seed=42, number=7, {fault}")
        self.assertEqual(self.server.must("GetItem", GET), {})

    def test_are_told_only_to_those_who_ask(self):
        answer = self.server.call("GetItem", GET)
        self.assertNotIn("x-dolmen-fault", answer.headers)
        self.assertEqual(call(self.server, "GetItem", GET, x_dolmen_fault="seed=1, number=1, none").headers["x-dolmen-fault"],
                         "seed=1, number=1, none")

    def test_repeat_with_the_seed_and_number_of_the_answer(self):
        for _ in range(200):
            first = call(self.server, "PutItem", PUT, x_dolmen_fault="throttle=0.2")
            if first.status != 200:
                break
        self.assertEqual(first.status, 400)
        seed, number = first.headers["x-dolmen-fault"].split(", ")[:2]
        for _ in range(5):
            again = call(self.server, "PutItem", PUT, x_dolmen_fault=f"{seed}, {number}, throttle=0.2")
            self.assertEqual(again.type, "ProvisionedThroughputExceededException")

    def test_cancel_transactions(self):
        body = {"TransactItems": [{"Put": PUT}], "ClientRequestToken": "token-1"}
        answer = call(self.server, "TransactWriteItems", body, x_dolmen_fault="conflict")
        self.assertEqual(answer.type, "TransactionCanceledException")
        self.assertEqual(answer.json()["CancellationReasons"],
                         [{"Code": "TransactionConflict", "Message": "Transaction is ongoing for the item"}])
        answer = call(self.server, "TransactWriteItems", body, x_dolmen_fault="in-progress")
        self.assertEqual((answer.type, answer.message), ("TransactionInProgressException",
                                                         "Transaction from previous request is still in progress"))

    def test_leave_parts_unprocessed(self):
        puts = [{"PutRequest": {"Item": {"pk": {"S": name}}}} for name in "xyz"]
        answer = call(self.server, "BatchWriteItem", {"RequestItems": {"notes": puts}}, x_dolmen_fault="unprocessed")
        self.assertEqual(answer.json(), {"UnprocessedItems": {"notes": puts[1:]}})
        deletes = [{"DeleteRequest": {"Key": {"pk": {"S": name}}}} for name in "pq"]
        answer = call(self.server, "BatchWriteItem", {"RequestItems": {"notes": deletes}}, x_dolmen_fault="unprocessed")
        self.assertEqual(answer.json(), {"UnprocessedItems": {"notes": deletes[1:]}})
        keys = [{"pk": {"S": name}} for name in "xyz"]
        answer = call(self.server, "BatchGetItem", {"RequestItems": {"notes": {"Keys": keys}}},
                      x_dolmen_fault="unprocessed")
        self.assertEqual(answer.json()["Responses"], {"notes": keys[:1]})
        self.assertEqual(answer.json()["UnprocessedKeys"]["notes"]["Keys"], keys[1:])

    def test_cut_connections_before_and_after_the_effect(self):
        for fault, happened in [("cut-before", False), ("cut-after", True)]:
            item = {"pk": {"S": fault}}
            with self.assertRaises(ConnectionError):
                call(self.server, "PutItem", {"TableName": "notes", "Item": item}, x_dolmen_fault=fault)
            got = self.server.must("GetItem", {"TableName": "notes", "Key": item})
            self.assertEqual("Item" in got, happened)

    def test_delay_one_client_and_no_other(self):
        answers = []
        late = threading.Thread(target=lambda: answers.append(
            call(self.server, "GetItem", GET, x_dolmen_fault="latency, latency-ms=1500")))
        late.start()
        for _ in range(50):
            self.server.must("GetItem", GET)
        self.assertEqual(answers, [])
        late.join()
        self.assertEqual(answers[0].status, 200)
        self.assertIn("latency-ms=1500", answers[0].headers["x-dolmen-fault"])

    def test_are_refused_with_what_is_wrong(self):
        answer = call(self.server, "GetItem", GET, x_dolmen_fault="throtle")
        self.assertEqual((answer.status, answer.type), (400, "ValidationException"))
        self.assertIn('x-dolmen-fault: "throtle" is not a fault', answer.message)
        answer = call(self.server, "GetItem", GET, x_dolmen_fault="index-lag")
        self.assertIn("started with --faults FILE", answer.message)

    def test_are_retried_by_boto3(self):
        client = retrying_client(self.server)
        client.meta.events.register("before-sign.dynamodb.*", lambda request, **_: request.headers.add_header(
            "x-dolmen-fault", "throttle=0.2, internal-error=0.1, cut-before=0.1, cut-after=0.1"))
        for number in range(60):
            client.put_item(TableName="notes", Item={"pk": {"S": f"retried-{number}"}})
        retries = client.put_item(TableName="notes", Item={"pk": {"S": "last"}})["ResponseMetadata"]
        self.assertIn("x-dolmen-fault", retries["HTTPHeaders"])
        count = sum(1 for page in self.server.client().get_paginator("scan").paginate(TableName="notes")
                    for item in page["Items"] if item["pk"]["S"].startswith("retried-"))
        self.assertEqual(count, 60)


class FaultsOfAll(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.rules = self.folder / "faults.yml"

    def outcomes(self):
        with Server(flags=["--faults", str(self.rules)]) as server:
            server.must("CreateTable", table())
            return [server.call("PutItem", PUT).headers["x-dolmen-fault"] for _ in range(60)]

    def test_are_the_same_with_the_same_seed(self):
        self.rules.write_text("seed: 42\nrules:\n  - {fault: throttle, probability: 0.3, operations: [PutItem]}\n")
        first = self.outcomes()
        self.assertEqual(first, self.outcomes())
        self.assertTrue(any("throttle" in outcome for outcome in first))
        self.assertTrue(any("none" in outcome for outcome in first))
        self.rules.write_text("seed: 43\nrules:\n  - {fault: throttle, probability: 0.3, operations: [PutItem]}\n")
        self.assertNotEqual(first, self.outcomes())

    def test_are_counted(self):
        self.rules.write_text("seed: 42\nrules:\n  - {fault: throttle, times: 3, operations: [PutItem]}\n")
        with Server(flags=["--faults", str(self.rules)]) as server:
            server.must("CreateTable", table())
            statuses = [server.call("PutItem", PUT).status for _ in range(5)]
            self.assertEqual(statuses, [400, 400, 400, 200, 200])
            self.assertIn("fault lab, seed 42: 3 requests had the fault throttle", server.stop().err)

    def test_let_indexes_and_streams_lag(self):
        self.rules.write_text("rules:\n  - {fault: index-lag, writes: 2}\n  - {fault: stream-lag, times: 1}\n")
        with Server(flags=["--faults", str(self.rules)]) as server:
            server.must("CreateTable", table(
                AttributeDefinitions=[{"AttributeName": name, "AttributeType": "S"} for name in ("pk", "g")],
                GlobalSecondaryIndexes=[{"IndexName": "by-g", "Projection": {"ProjectionType": "ALL"},
                                         "KeySchema": [{"AttributeName": "g", "KeyType": "HASH"}]}],
                StreamSpecification={"StreamEnabled": True, "StreamViewType": "KEYS_ONLY"}))
            for name in "abc":
                server.must("PutItem", {"TableName": "notes", "Item": {"pk": {"S": name}, "g": {"S": "x"}}})
            query = {"TableName": "notes", "IndexName": "by-g", "KeyConditionExpression": "g = :g",
                     "ExpressionAttributeValues": {":g": {"S": "x"}}}
            self.assertEqual(server.must("Query", query)["Count"], 1)
            self.assertEqual(call(server, "Query", query, x_dolmen_fault="none").json()["Count"], 3)
            self.assertEqual(call(server, "Query", query, x_dolmen_fault="index-lag").json()["Count"], 2)
            streams = server.streams_client()
            arn = streams.list_streams(TableName="notes")["Streams"][0]["StreamArn"]
            shards = streams.describe_stream(StreamArn=arn)["StreamDescription"]["Shards"]
            iterators = [streams.get_shard_iterator(StreamArn=arn, ShardId=shard["ShardId"],
                                                    ShardIteratorType="TRIM_HORIZON")["ShardIterator"]
                         for shard in shards]
            late = streams.get_records(ShardIterator=iterators[0])
            self.assertEqual((late["Records"], late["NextShardIterator"]), ([], iterators[0]))
            self.assertEqual(late["ResponseMetadata"]["HTTPHeaders"]["x-dolmen-fault"].split(", ")[-1], "stream-lag")
            self.assertEqual(sum(len(streams.get_records(ShardIterator=iterator)["Records"]) for iterator in iterators), 3)

    def test_need_a_file_without_mistakes(self):
        self.rules.write_text("rules:\n  - fault: throtle\n")
        with self.assertRaises(DidNotStart) as failure:
            with Server(flags=["--faults", str(self.rules)]):
                pass
        self.assertIn("faults.yml:2:12", str(failure.exception))

    def test_do_not_happen_where_authentication_is_enforced(self):
        self.rules.write_text("rules: []\n")
        access = self.folder / "access.yml"
        made = json.loads(run("access", "create", "--file", access, "--role", "admin", "--json").out)
        with self.assertRaises(DidNotStart) as failure:
            with Server(flags=["--faults", str(self.rules), "--auth", "enforce", "--access", str(access)]):
                pass
        self.assertIn("--faults cannot be combined with --auth enforce", str(failure.exception))
        with Server(flags=["--auth", "enforce", "--access", str(access)]) as server:
            import botocore.exceptions
            options = server._client_options()
            names = {name.lower().replace("_", ""): value for name, value in made.items()}
            key = next(value for name, value in names.items() if name in ("id", "keyid", "accesskeyid"))
            secret = next(value for name, value in names.items() if "secret" in name)
            client = server._session().client("dynamodb", aws_access_key_id=key, aws_secret_access_key=secret, **options)
            client.list_tables()
            client.meta.events.register("before-sign.dynamodb.*", lambda request, **_: request.headers.add_header(
                "x-dolmen-fault", "throttle"))
            with self.assertRaises(botocore.exceptions.ClientError) as refused:
                client.list_tables()
            self.assertEqual(refused.exception.response["Error"]["Code"], "AccessDeniedException")


class ConflictsAsOnAws(unittest.TestCase):
    def test_are_met_by_transactions_of_boto3_and_lose_nothing(self):
        with tempfile.TemporaryDirectory() as folder, \
                Server(data=pathlib.Path(folder) / "data", flags=["--transactions", "conflict"]) as server:
            server.must("CreateTable", table())
            client = server.client()
            done, conflicts, lock, enough = [], [], threading.Lock(), threading.Event()

            def add():
                update = {"Update": {"TableName": "notes", "Key": GET["Key"], "UpdateExpression": "ADD n :one",
                                     "ExpressionAttributeValues": {":one": {"N": "1"}}}}
                for _ in range(3000):
                    if enough.is_set():
                        return
                    try:
                        client.transact_write_items(TransactItems=[update])
                        with lock:
                            done.append(1)
                    except client.exceptions.TransactionCanceledException as canceled:
                        with lock:
                            conflicts.append(canceled.response["CancellationReasons"])
                        enough.set()

            threads = [threading.Thread(target=add) for _ in range(8)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            self.assertTrue(conflicts)
            self.assertEqual(conflicts[0], [{"Code": "TransactionConflict",
                                             "Message": "Transaction is ongoing for the item"}])
            item = server.must("GetItem", GET).get("Item", {"n": {"N": "0"}})
            self.assertEqual(item["n"], {"N": str(len(done))})


class Throttling(unittest.TestCase):
    def test_refuses_what_exceeds_the_provisioned_throughput(self):
        with Server(flags=["--throttle", "provisioned"]) as server:
            # The burst of one unit a second is 300; writes of 100 KB use it up before time brings more.
            server.must("CreateTable", table(BillingMode="PROVISIONED",
                                             ProvisionedThroughput={"ReadCapacityUnits": 1, "WriteCapacityUnits": 1}))
            client = server.client()
            large = {"pk": {"S": "a"}, "text": {"S": "x" * 100_000}}
            written = 0
            with self.assertRaises(client.exceptions.ProvisionedThroughputExceededException) as refused:
                while written < 10:
                    client.put_item(TableName="notes", Item=large)
                    written += 1
            self.assertEqual(written, 4)
            self.assertIn("The level of configured provisioned throughput for the table was exceeded",
                          str(refused.exception))


class Explanations(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Server()
        cls.server.start()
        cls.addClassCleanup(cls.server.close)
        cls.server.must("CreateTable", table())
        for number in range(10):
            cls.server.must("PutItem", {"TableName": "notes", "Item": {"pk": {"S": f"p{number}"}, "n": {"N": str(number)}}})

    def test_are_in_a_header_that_boto3_shows(self):
        client = self.server.client()
        client.meta.events.register("before-sign.dynamodb.*", lambda request, **_: request.headers.add_header(
            "x-dolmen-explain", "true"))
        scan = client.scan(TableName="notes", FilterExpression="n < :n", ExpressionAttributeValues={":n": {"N": "3"}})
        explained = json.loads(scan["ResponseMetadata"]["HTTPHeaders"]["x-dolmen-explain"])
        self.assertEqual(explained["operation"], "Scan")
        part = explained["parts"][0]
        self.assertEqual((part["table"], part["partitions_read"], part["items_read"], part["items_returned"]),
                         ("notes", 10, 10, 3))
        self.assertEqual(part["capacity"], 0.5)
        self.assertEqual([warning["kind"] for warning in explained["warnings"]], ["scan", "filter"])
        self.assertLessEqual({"parse", "prepare", "read", "filter", "encode"},
                             {phase["name"] for phase in explained["phases"]})
        for answer in [client.get_item(TableName="notes", Key={"pk": {"S": "p1"}}),
                       client.batch_get_item(RequestItems={"notes": {"Keys": [{"pk": {"S": "p1"}}]}}),
                       client.transact_get_items(TransactItems=[{"Get": {"TableName": "notes", "Key": {"pk": {"S": "p1"}}}}]),
                       client.query(TableName="notes", KeyConditionExpression="pk = :p",
                                    ExpressionAttributeValues={":p": {"S": "p1"}})]:
            explained = json.loads(answer["ResponseMetadata"]["HTTPHeaders"]["x-dolmen-explain"])
            self.assertEqual((explained["parts"][0]["items_read"], explained["warnings"]), (1, []))

    def test_of_statements_are_in_the_same_header(self):
        one = "SELECT * FROM notes WHERE pk = 'p1'"
        for operation, body in [("ExecuteStatement", {"Statement": one}),
                                ("BatchExecuteStatement", {"Statements": [{"Statement": one}]}),
                                ("ExecuteTransaction", {"TransactStatements": [{"Statement": one}]})]:
            answer = call(self.server, operation, body, x_dolmen_explain="true")
            explained = json.loads(answer.headers["x-dolmen-explain"])
            self.assertEqual((explained["operation"], explained["parts"][0]["items_read"], explained["warnings"]),
                             (operation, 1, []))
        scan = call(self.server, "ExecuteStatement", {"Statement": "SELECT pk FROM notes WHERE n < 3"}, x_dolmen_explain="true")
        warnings = json.loads(scan.headers["x-dolmen-explain"])["warnings"]
        self.assertEqual([warning["kind"] for warning in warnings], ["scan", "filter"])
        update = call(self.server, "ExecuteStatement", {"Statement": "UPDATE notes SET n = 1 WHERE pk = 'p1'"},
                      x_dolmen_explain="true")
        self.assertEqual((update.status, "x-dolmen-explain" in update.headers), (200, False))

    def test_are_not_made_unless_asked_for(self):
        self.assertNotIn("x-dolmen-explain", self.server.call("Scan", {"TableName": "notes"}).headers)
        self.assertNotIn("x-dolmen-explain", call(self.server, "ListTables", {}, x_dolmen_explain="true").headers)
        answer = call(self.server, "Scan", {"TableName": "notes"}, x_dolmen_explain="yes")
        self.assertEqual(answer.message, 'x-dolmen-explain: "yes" is neither true nor false')

    def test_are_printed_in_a_terminal(self):
        query = ["explain", "query", "notes", "--key-condition", "pk = :p", "--values", '{":p": "p1"}',
                 "--endpoint", self.server.url]
        printed = run(*query)
        self.assertEqual(printed.code, 0, printed.err)
        self.assertIn("Query of notes\n  partitions  1 read\n  items       1 read, 1 returned\n", printed.out)
        explained = json.loads(run(*query, "--json").out)
        self.assertEqual(explained["parts"][0]["items_returned"], 1)
        self.assertIn("warning (scan):", run("explain", "scan", "notes", "--endpoint", self.server.url).out)
        got = run("explain", "get", "notes", "--key", '{"pk": "p1"}', "--endpoint", self.server.url)
        self.assertIn("GetItem of notes\n", got.out)
        selected = run("explain", "statement", "SELECT * FROM notes WHERE pk = ?", "--parameters", '["p1"]', "--endpoint",
                       self.server.url)
        self.assertIn("ExecuteStatement of notes\n  partitions  1 read\n", selected.out)
        refused = run("explain", "statement", "DELETE FROM notes WHERE pk = 'p1'", "--endpoint", self.server.url)
        self.assertEqual(refused.err, "dolmen: only a SELECT can be explained; this statement begins otherwise\n")
        missing = run("explain", "scan", "none", "--endpoint", self.server.url)
        self.assertEqual(missing.code, 1)


if __name__ == "__main__":
    unittest.main()

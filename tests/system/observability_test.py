#!/usr/bin/python3
"""What a server says about itself: its log, its metrics, and whether it is healthy and ready."""

import base64
import contextlib
import http.client
import json
import pathlib
import re
import resource
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

from dolmen_server import PATIENCE_S, REGION, ROOT, Server, create_table, headers_for, read_answer, run
from waiting import wait_until

DASHBOARD = ROOT / "packaging/grafana-dashboard.json"
SAMPLE = re.compile(r'(?P<name>dolmen_[a-z0-9_]+)(\{(?P<labels>([a-z_]+="([^"\\]|\\.)*",?)*)\})? (?P<value>\S+)')


def get(server, path, headers=None, method="GET"):
    return get_at(server.port, path, headers, method)


def get_at(port, path, headers=None, method="GET", body=None):
    with contextlib.closing(http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)) as connection:
        connection.request(method, path, body, headers or {})
        return read_answer(connection)


def samples_of(text):
    """The samples of a report, by name and labels; every line has to be one that Prometheus reads."""
    samples, types = {}, {}
    for line in text.splitlines():
        if line.startswith("# TYPE "):
            _, _, name, kind = line.split()
            assert name not in types, line
            types[name] = kind
        elif not line.startswith("# HELP "):
            found = SAMPLE.fullmatch(line)
            assert found, line
            base = re.sub(r"_(bucket|sum|count)$", "", found["name"])
            assert found["name"] in types or types.get(base) == "histogram", line
            samples[found["name"] + ("{" + found["labels"] + "}" if found["labels"] else "")] = float(found["value"])
    return samples, types


def metrics_of(server, headers=None):
    answer = get(server, "/metrics", headers)
    assert answer.status == 200, answer
    assert answer.headers["content-type"].startswith("text/plain; version=0.0.4"), answer.headers
    return samples_of(answer.body.decode())[0]


class FolderTest(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def start(self, *flags, data=None):
        server = Server(data=data, flags=list(flags))
        server.start()
        self.addCleanup(server.close)
        return server

    def create_key(self, *words):
        done = run("access", "create", "--file", self.folder / "access.yaml", "--json", *words)
        self.assertEqual(done.code, 0, done.err)
        return json.loads(done.out)

    def start_with_keys(self, *flags):
        return self.start("--auth", "enforce", "--access", str(self.folder / "access.yaml"), *flags)


def lines_of(server):
    """The lines of a log in JSON, after the server has ended."""
    return [json.loads(line) for line in server.stop().err.splitlines()]


class Logs(FolderTest):
    def test_every_request_has_a_line_at_debug(self):
        server = self.start("--log-level", "debug")
        create_table(server, "notes")
        answer = server.call("PutItem", {"TableName": "notes", "Item": {"pk": {"S": "a"}}})
        server.call("BatchGetItem", {"RequestItems": {"notes": {"Keys": [{"pk": {"S": "a"}}]}}})
        lines = lines_of(server)
        self.assertEqual([(line["operation"], line.get("table"), line["status"], line["level"]) for line in lines],
                         [("CreateTable", "notes", 200, "debug"), ("PutItem", "notes", 200, "debug"),
                          ("BatchGetItem", "notes", 200, "debug")])
        put = lines[1]
        self.assertEqual(put["request_id"], answer.headers["x-amzn-requestid"])
        self.assertEqual((put["peer"], put["response_bytes"]), ("127.0.0.1", len(answer.body)))
        self.assertGreater(put["request_bytes"], 0)
        self.assertGreater(put["time_ms"], 0)
        self.assertRegex(put["time"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$")

    def test_failed_requests_have_a_line_at_info_and_others_have_none(self):
        server = self.start()
        create_table(server, "notes")
        put = {"TableName": "notes", "Item": {"pk": {"S": "a"}}}
        server.must("PutItem", put)
        server.call("PutItem", put | {"ConditionExpression": "attribute_not_exists(pk)"})
        server.call("GetItem", {"TableName": "nothing", "Key": {"pk": {"S": "a"}}})
        get(server, "/nowhere")
        self.assertEqual([(line["level"], line.get("operation"), line["status"], line.get("code")) for line in lines_of(server)],
                         [("info", "GetItem", 400, "ResourceNotFoundException"), ("info", None, 404, None)])

    def test_slow_requests_have_a_line_at_info(self):
        # Reading, checking and writing two megabytes takes longer than the shortest time that can be asked for.
        server = self.start("--slow-request-ms", "1", data=self.folder / "data")
        create_table(server, "notes")
        items = [{"PutRequest": {"Item": {"pk": {"S": str(i)}, "b": {"S": "x" * 100_000}}}} for i in range(25)]
        server.must("BatchWriteItem", {"RequestItems": {"notes": items}})
        self.assertIn("BatchWriteItem", [line["operation"] for line in lines_of(server)])

    def test_the_level_can_be_changed_while_the_server_runs(self):
        file = self.folder / "dolmen.yaml"
        file.write_text("log_level: error\n")
        server = self.start("--config", str(file))
        server.must("ListTables", {})
        file.write_text("log_level: debug\n")
        server.process.send_signal(signal.SIGHUP)

        def log_after_a_request():
            server.must("ListTables", {})
            return server.errors()
        wait_until(log_after_a_request, lambda log: '"operation":"ListTables"' in log)

    def test_text_is_for_people(self):
        server = self.start("--log-level", "debug", "--log-format", "text")
        server.must("ListTables", {})
        self.assertRegex(server.stop().err, r"^\S+Z debug ListTables 200 \d+\.\d{3} ms in=2 out=\d+ peer=127.0.0.1 id=\w{52}\n$")

    def test_a_line_names_the_key_that_signed(self):
        key = self.create_key("--role", "admin")
        server = self.start_with_keys("--log-level", "debug")
        client_of(server, key).list_tables()
        self.assertEqual([line["access_key"] for line in lines_of(server)], [key["id"]])


MODELS = """
dms_version: "0.1"
models:
  - name: "Note"
    table: { name: "notes" }
    keys: { partition: { attribute: "pk", type: "S" } }
    attributes:
      - { attribute: "pk", type: "S", required: true, roles: ["pk"] }
      - { attribute: "text", type: "S", required: true }
"""


def client_of(server, key):
    import boto3
    import botocore.config
    return boto3.client("dynamodb", endpoint_url=server.url, region_name=REGION, aws_access_key_id=key["id"],
                        aws_secret_access_key=key["secret"], aws_session_token=key.get("session_token"),
                        config=botocore.config.Config(retries={"total_max_attempts": 1}))


class Discretion(FolderTest):
    """Neither data of items nor secrets are in a log, whatever happens to a request."""

    MARK = "marzipan"

    def test_no_line_has_data_of_items_or_secrets(self):
        key = self.create_key("--role", "admin", "--hours", "1")
        server = self.start_with_keys("--log-level", "debug", "--slow-request-ms", "1")
        client = client_of(server, key)
        self.use(client, server)
        wrong = client_of(server, key | {"secret": "wrong" + self.MARK})
        with self.assertRaises(Exception):
            wrong.list_tables()
        log = server.stop().err
        self.assertGreater(log.count("\n"), 15)
        for secret in (key["secret"], key["session_token"], self.MARK, base64.b64encode(self.MARK.encode()).decode(),
                       "Signature=", "aws4_request"):
            self.assertNotIn(secret, log)

    def use(self, client, server):
        mark = self.MARK
        key, item = {"pk": {"S": mark}}, {"pk": {"S": mark}, "text": {"S": mark}, mark: {"N": "1"}}
        client.create_table(TableName="notes", BillingMode="PAY_PER_REQUEST",
                            KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}],
                            AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"}])
        values = {":v": {"S": mark}}
        calls = [
            lambda: client.put_item(TableName="notes", Item=item),
            lambda: client.get_item(TableName="notes", Key=key),
            lambda: client.query(TableName="notes", KeyConditionExpression="pk = :v", ExpressionAttributeValues=values),
            lambda: client.scan(TableName="notes", FilterExpression="contains(pk, :v)", ExpressionAttributeValues=values),
            lambda: client.put_item(TableName="notes", Item=item, ConditionExpression="attribute_not_exists(pk)",
                                    ReturnValuesOnConditionCheckFailure="ALL_OLD"),
            lambda: client.put_item(TableName="notes", Item={"pk": {"N": "1"}, mark: {"S": mark}}),
            lambda: client.update_item(TableName="notes", Key=key, UpdateExpression=f"SET {mark} = {mark} + :v",
                                       ExpressionAttributeValues=values),
            lambda: client.update_item(TableName="notes", Key=key, UpdateExpression=f"SETT {mark} = :v",
                                       ExpressionAttributeValues=values),
            lambda: client.get_item(TableName="notes", Key={mark: {"S": mark}}),
            lambda: client.transact_write_items(TransactItems=[{"ConditionCheck": {
                "TableName": "notes", "Key": key, "ConditionExpression": "pk <> :v", "ExpressionAttributeValues": values,
                "ReturnValuesOnConditionCheckFailure": "ALL_OLD"}}]),
            lambda: client.batch_write_item(RequestItems={"notes": [{"PutRequest": {"Item": item}}]}),
            lambda: client.get_item(TableName=f"a {mark} that is no name of a table", Key=key),
        ]
        for call in calls:
            with contextlib.suppress(Exception):
                call()
        connection = server.connection()
        for operation, body in (("PutItem", '{"TableName": "notes", "Item": {"pk": {"S": "%s"' % mark),
                                (self.MARK, "{}"), ("PutItem", json.dumps({"TableName": mark * 1000}))):
            connection.request("POST", f"/?token={mark}", body, headers_for(operation))
            connection.getresponse().read()
            connection.request("POST", "/", body, headers_for(operation))
            connection.getresponse().read()
        connection.close()

    def test_a_warning_of_a_contract_has_none(self):
        file = self.folder / "notes.yml"
        file.write_text(MODELS)
        server = self.start("--log-level", "debug")
        create_table(server, "notes")
        bound = run("contract", "bind", "--table", "notes", "--version", "v1", "--mode", "warn", "--models", file,
                    "--endpoint", server.url)
        self.assertEqual(bound.code, 0, bound.err)
        for item in ({"pk": {"S": self.MARK}}, {"pk": {"S": self.MARK}, "text": {"S": "x"}, self.MARK: {"S": self.MARK}}):
            server.must("PutItem", {"TableName": "notes", "Item": item})
        log = server.stop().err
        self.assertIn("warning 2: an item breaks the contract v1 of table notes", log)
        self.assertNotIn(self.MARK, log)


class Metrics(FolderTest):
    def test_requests_are_counted_by_operation_table_and_code(self):
        server = self.start()
        create_table(server, "notes")
        for name in "abc":
            server.must("PutItem", {"TableName": "notes", "Item": {"pk": {"S": name}}})
        server.call("GetItem", {"TableName": "notes", "Key": {"nope": {"S": "a"}}})
        for i in range(5):
            server.call("GetItem", {"TableName": f"guess{i}", "Key": {"pk": {"S": "a"}}})
        samples = metrics_of(server)
        self.assertEqual({name: value for name, value in samples.items() if name.startswith("dolmen_requests_total")}, {
            'dolmen_requests_total{operation="CreateTable",table="notes",code="OK"}': 1,
            'dolmen_requests_total{operation="PutItem",table="notes",code="OK"}': 3,
            'dolmen_requests_total{operation="GetItem",table="notes",code="ValidationException"}': 1,
            'dolmen_requests_total{operation="GetItem",table="other",code="ResourceNotFoundException"}': 5})
        self.assertEqual(samples['dolmen_request_seconds_count{operation="PutItem"}'], 3)
        self.assertEqual(samples['dolmen_request_seconds_bucket{operation="PutItem",le="+Inf"}'], 3)
        self.assertGreater(samples['dolmen_request_seconds_sum{operation="PutItem"}'], 0)

    def test_commits_streams_and_indexes_are_counted(self):
        server = self.start(data=self.folder / "data")
        create_table(server, "notes", StreamSpecification={"StreamEnabled": True, "StreamViewType": "KEYS_ONLY"})
        for i in range(10):
            server.must("PutItem", {"TableName": "notes", "Item": {"pk": {"S": str(i)}, "text": {"S": "x"}}})
        server.must("UpdateTable", {
            "TableName": "notes", "AttributeDefinitions": [{"AttributeName": n, "AttributeType": "S"} for n in ("pk", "text")],
            "GlobalSecondaryIndexUpdates": [{"Create": {
                "IndexName": "by_text", "KeySchema": [{"AttributeName": "text", "KeyType": "HASH"}],
                "Projection": {"ProjectionType": "ALL"}}}]})
        samples = wait_until(lambda: metrics_of(server), lambda seen: seen["dolmen_index_build_items_total"] == 10)
        self.assertEqual((samples["dolmen_tables"], samples["dolmen_streams"]), (1, 1))
        self.assertEqual(samples["dolmen_stream_records_total"], 10)
        self.assertGreater(samples["dolmen_commit_group_size_count"], 10)
        self.assertGreater(samples["dolmen_commit_seconds_sum"], 0)
        self.assertGreater(samples["dolmen_rocksdb_log_bytes_total"], 0)
        self.assertGreater(samples["dolmen_rocksdb_memtable_bytes"], 0)
        self.assertGreater(samples["dolmen_disk_free_bytes"], 0)
        self.assertEqual(samples["dolmen_writes_refused"], 0)

    def test_a_gate_counts_what_it_refuses(self):
        server = self.start()
        create_table(server, "notes")
        (self.folder / "notes.yml").write_text(MODELS)
        bound = run("contract", "bind", "--table", "notes", "--version", "v1", "--models", self.folder / "notes.yml",
                    "--endpoint", server.url)
        self.assertEqual(bound.code, 0, bound.err)
        for _ in range(2):
            self.assertEqual(server.call("PutItem", {"TableName": "notes", "Item": {"pk": {"S": "a"}}}).status, 400)
        self.assertEqual(metrics_of(server)["dolmen_gate_refusals_total"], 2)

    def test_expired_items_are_counted(self):
        server = self.start()
        create_table(server, "notes")
        server.must("UpdateTimeToLive", {"TableName": "notes",
                                         "TimeToLiveSpecification": {"Enabled": True, "AttributeName": "until"}})
        # A while ago; what is years old is kept, as on AWS.
        until = str(int(time.time()) - 60)
        for i in range(3):
            server.must("PutItem", {"TableName": "notes", "Item": {"pk": {"S": str(i)}, "until": {"N": until}}})
        wait_until(lambda: metrics_of(server)["dolmen_ttl_removed_items_total"], lambda removed: removed == 3)

    def test_what_is_not_http_is_counted(self):
        server = self.start()
        with contextlib.closing(server.connect()) as sock:
            sock.sendall(b"nonsense\r\n\r\n")
            while sock.recv(4096):
                pass
        self.assertEqual(metrics_of(server)['dolmen_http_refusals_total{status="400"}'], 1)

    def test_a_dashboard_names_only_metrics_that_there_are(self):
        server = self.start(data=self.folder / "data")
        _, types = samples_of(get(server, "/metrics").body.decode())
        names = {name for name in types} | {f"{name}_{part}" for name, kind in types.items() if kind == "histogram"
                                            for part in ("bucket", "sum", "count")}
        dashboard = json.loads(DASHBOARD.read_text())
        expressions = [target["expr"] for panel in dashboard["panels"] for target in panel.get("targets", ())]
        expressions += [each["query"] for each in dashboard["templating"]["list"] if each["type"] == "query"]
        used = {name for text in expressions for name in re.findall(r"\bdolmen_\w+", text)}
        self.assertGreater(len(used), 15)
        self.assertEqual(used - names, set())


class Access(FolderTest):
    """Who may read what a server says about itself."""

    def test_web_pages_may_not(self):
        server = self.start("--metrics-port", "0")
        for port in (server.port, metrics_port(server)):
            for path in ("/metrics", "/health", "/ready"):
                for headers in ({"Host": "evil.example"}, {"Origin": "http://evil.example"}):
                    with self.subTest(path=path, headers=headers, port=port):
                        answer = get_at(port, path, headers)
                        self.assertIn(answer.status, (400, 403))
                        self.assertNotIn(b"dolmen_", answer.body)

    def test_with_keys_metrics_need_one_for_all_tables(self):
        reader, narrow = self.create_key("--role", "read-only"), self.create_key("--role", "admin", "--tables", "a*")
        server = self.start_with_keys()
        answer = get(server, "/metrics")
        self.assertEqual((answer.status, answer.type), (400, "MissingAuthenticationTokenException"))
        self.assertEqual(self.signed(server, narrow).type, "AccessDeniedException")
        self.assertEqual(self.signed(server, reader | {"secret": "x" * 40}).type, "InvalidSignatureException")
        answer = self.signed(server, reader)
        self.assertEqual(answer.status, 200)
        self.assertIn(b"dolmen_auth_failures_total 2\n", answer.body)

    def signed(self, server, key):
        import botocore.auth
        import botocore.awsrequest
        import botocore.credentials
        request = botocore.awsrequest.AWSRequest("GET", f"{server.url}/metrics", headers={"Host": server.url[7:]})
        botocore.auth.SigV4Auth(botocore.credentials.Credentials(key["id"], key["secret"]), "dynamodb", REGION).add_auth(request)
        return get(server, "/metrics", dict(request.headers))

    def test_health_needs_no_key(self):
        self.create_key()
        server = self.start_with_keys()
        self.assertEqual((get(server, "/health").status, get(server, "/ready").status), (200, 200))
        head = get(server, "/ready", method="HEAD")
        self.assertEqual((head.status, head.body), (200, b""))

    def test_the_port_of_the_metrics_needs_no_key_and_has_nothing_else(self):
        self.create_key()
        server = self.start_with_keys("--metrics-port", "0")
        port = metrics_port(server)
        self.assertIn(b"dolmen_requests_total", get_at(port, "/metrics").body)
        self.assertEqual(get_at(port, "/ready").body, b"ready\n")
        self.assertEqual(get_at(port, "/").status, 404)
        self.assertEqual(get_at(port, "/", headers_for("ListTables"), "POST", "{}").status, 404)

    def test_the_port_of_the_metrics_has_to_be_free(self):
        server = self.start("--metrics-port", "0")
        done = run("serve", "--memory", "--port", "0", "--metrics-port", metrics_port(server))
        self.assertEqual(done.code, 1)
        self.assertIn("is in use", done.err)


def metrics_port(server):
    return int(re.search(r"metrics at http://127.0.0.1:(\d+)/metrics", server.greeting).group(1))


def errors_of(server):
    """The messages of the lines at the level error that are complete."""
    lines = [json.loads(line) for line in server.errors().splitlines(keepends=True) if line.endswith("\n")]
    return [line["message"] for line in lines if line["level"] == "error"]


class FailedStore(FolderTest):
    """A store that cannot write any more says so, and not where it is."""

    def start_in(self, command, **options):
        """A server that another command starts, with its data in a folder with a name that is easy to find."""
        server = Server(data=self.folder / "marzipan/data")
        original = subprocess.Popen

        def popen(arguments, **others):
            return original([*command, *arguments], **(others | options))
        subprocess.Popen = popen
        try:
            server.start()
        finally:
            subprocess.Popen = original
        self.addCleanup(server.close)
        return server

    def fill(self, server):
        """Writes until the server refuses; its answer."""
        create_table(server, "notes")
        for i in range(100):
            answer = server.call("PutItem", {"TableName": "notes", "Item": {"pk": {"S": str(i)}, "b": {"S": "x" * 300_000}}})
            if answer.status != 200:
                return answer
        raise AssertionError("the disk never became full")

    def check(self, server, kind, words, until):
        self.assertEqual(get(server, "/ready").status, 200)
        answer = self.fill(server)
        self.assertEqual(answer.type, kind)
        again = server.call("PutItem", {"TableName": "notes", "Item": {"pk": {"S": "again"}}})
        self.assertEqual(again.status, answer.status)
        ready = get(server, "/ready")
        self.assertEqual(ready.status, 503)
        for said in (answer.body, again.body, ready.body):
            self.assertIn(words, said.decode())
            for part in ("marzipan", "/data", ".log", str(self.folder)):
                self.assertNotIn(part, said.decode())
        self.assertEqual(get(server, "/health").status, 200)
        self.assertEqual(server.call("GetItem", {"TableName": "notes", "Key": {"pk": {"S": "0"}}}).status, 200)
        self.assertEqual(metrics_of(server)["dolmen_writes_refused"], 1)
        # The log has a thread of its own.
        wait_until(lambda: errors_of(server), lambda errors: any(
            f"refuses writes {until}" in line and "marzipan" in line for line in errors))

    def test_when_files_cannot_grow(self):
        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (3_000_000, 3_000_000))
        (self.folder / "marzipan").mkdir()
        self.check(self.start_in([], preexec_fn=limit), "InternalServerError", "its log says why", "until it is reopened")

    def test_when_the_disk_is_full(self):
        where = self.folder / "marzipan"
        where.mkdir()
        mount = f'mount -t tmpfs -o size=8m none {where} && exec "$@"'
        command = ["unshare", "-rm", "sh", "-c", mount, "sh"]
        if not shutil.which("unshare") or subprocess.run([*command, "true"], capture_output=True).returncode != 0:
            print("skipped: a full disk (this user cannot mount one)")
            return
        self.check(self.start_in(command), "ServiceUnavailable", "The disk of the server is full", "for now")


if __name__ == "__main__":
    unittest.main()

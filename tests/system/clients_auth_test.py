#!/usr/bin/python3
"""boto3, the AWS command line and the SDK for JavaScript with TLS and keys: what fits is served, and each of them hears the error
that AWS gives to a wrong key, an old clock, a key that may only read, and a table that is not allowed."""

import datetime
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import types
import unittest

from aws_cli import AWS
from dolmen_server import PATIENCE_S, REGION, ROOT, Server, clean_environment, run

MODULES = pathlib.Path(os.environ.get("DOLMEN_PEERS", ROOT / "build/peers")) / "aws-sdk-js/node_modules"
LATE_S = 600
TABLE = {"TableName": "orders", "BillingMode": "PAY_PER_REQUEST",
         "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
         "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}]}
KEY = {"pk": {"S": "a"}}
ITEM = KEY | {"v": {"S": "stone"}}
DENIED = ("User: arn:aws:iam::000000000000:user/{id} is not authorized to perform: dynamodb:{operation} on resource: "
          "arn:aws:dynamodb:us-east-1:000000000000:table/{table} because no identity-based policy allows the "
          "dynamodb:{operation} action")
# Runs the program of the AWS command line with a clock that is late.
LATE_AWS = """
import datetime, sys, types
import awscli.clidriver
import botocore.auth as auth
class Late(datetime.datetime):
    @classmethod
    def utcnow(cls):
        return datetime.datetime.utcnow() - datetime.timedelta(seconds=%d)
auth.datetime = types.SimpleNamespace(datetime=Late, timedelta=datetime.timedelta)
if hasattr(auth, "get_current_datetime"):
    auth.get_current_datetime = lambda *a, **k: Late.utcnow()
sys.exit(awscli.clidriver.main())
""" % LATE_S
# Carries out one operation: {"operation", "parameters", "key", "url", "late_s"} in, the answer or the error out.
JAVASCRIPT = """
const sdk = require(require.resolve("@aws-sdk/client-dynamodb", { paths: [process.env.SDK_MODULES] }));
const task = JSON.parse(process.env.TASK);
const client = new sdk.DynamoDB({
  endpoint: task.url, region: "us-east-1", maxAttempts: 1, systemClockOffset: -1000 * task.late_s,
  credentials: { accessKeyId: task.key.id, secretAccessKey: task.key.secret },
});
client.send(new sdk[task.operation + "Command"](task.parameters)).then(
  ({ $metadata, ...answer }) => console.log(JSON.stringify({ answer })),
  (error) => console.log(JSON.stringify({ error: { code: error.name, message: error.message } })));
"""


class Refused(Exception):
    """The code and the message of an error."""

    def __init__(self, code, message):
        super().__init__(code, message)


class Client:
    def __init__(self, server, folder, certificate):
        self.server, self.folder, self.certificate = server, folder, certificate


class Boto3(Client):
    def call(self, operation, parameters, key, late_s=0):
        import boto3
        import botocore.auth
        import botocore.config
        import botocore.exceptions
        from botocore import xform_name
        client = boto3.client("dynamodb", endpoint_url=self.server.url, region_name=REGION, verify=self.certificate,
                              aws_access_key_id=key["id"], aws_secret_access_key=key["secret"],
                              config=botocore.config.Config(retries={"total_max_attempts": 1}))
        late = datetime.timedelta(seconds=late_s)

        class Late(datetime.datetime):
            @classmethod
            def utcnow(cls):
                return datetime.datetime.utcnow() - late

            @classmethod
            def now(cls, tz=None):
                return datetime.datetime.now(tz) - late

        # botocore signs by itself, or lets awscrt do it.
        modules = [module for name, module in sys.modules.items() if name in ("botocore.auth", "botocore.crt.auth")]
        try:
            for module in modules:
                module.datetime = types.SimpleNamespace(datetime=Late, timedelta=datetime.timedelta,
                                                        timezone=datetime.timezone)
            answer = getattr(client, xform_name(operation))(**parameters)
            answer.pop("ResponseMetadata")
            return answer
        except botocore.exceptions.ClientError as error:
            raise Refused(error.response["Error"]["Code"], error.response["Error"]["Message"]) from None
        finally:
            for module in modules:
                module.datetime = datetime


class CommandLine(Client):
    def call(self, operation, parameters, key, late_s=0):
        from botocore import xform_name
        program = ["/usr/bin/python3", "-c", LATE_AWS] if late_s else [AWS]
        environment = clean_environment(self.folder) | {
            "AWS_ACCESS_KEY_ID": key["id"], "AWS_SECRET_ACCESS_KEY": key["secret"], "AWS_CA_BUNDLE": self.certificate,
            "AWS_MAX_ATTEMPTS": "1"}
        done = subprocess.run([*program, "dynamodb", xform_name(operation, "-"), "--cli-input-json", json.dumps(parameters),
                               "--endpoint-url", self.server.url, "--output", "json"], env=environment, text=True,
                              stdin=subprocess.DEVNULL, capture_output=True, timeout=4 * PATIENCE_S)
        if done.returncode == 0:
            return json.loads(done.stdout) if done.stdout else {}
        error = re.search(r"\((\w+)\) when calling the \w+ operation(?: \(reached max retries: 0\))?: (.*)", done.stderr, re.DOTALL)
        assert error, done.stderr
        raise Refused(*error.groups())


class JavaScript(Client):
    def call(self, operation, parameters, key, late_s=0):
        task = {"operation": operation, "parameters": parameters, "key": key, "url": self.server.url, "late_s": late_s}
        environment = clean_environment(self.folder) | {"TASK": json.dumps(task), "SDK_MODULES": str(MODULES),
                                                        "NODE_EXTRA_CA_CERTS": self.certificate}
        done = subprocess.run(["node", "-e", JAVASCRIPT], env=environment, stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, timeout=4 * PATIENCE_S)
        outcome = json.loads(done.stdout or '{"error": {"code": "none", "message": %s}}' % json.dumps(done.stderr))
        if "error" in outcome:
            raise Refused(outcome["error"]["code"], outcome["error"]["message"])
        return outcome["answer"]


class Clients(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        certificate, key = str(cls.folder / "cert.pem"), str(cls.folder / "key.pem")
        assert run("tls", "self-signed", "--name", "127.0.0.1", "--cert", certificate, "--key", key).code == 0
        file = str(cls.folder / "access.yaml")

        def create(*words):
            return json.loads(run("access", "create", "--file", file, "--json", *words).out)
        cls.admin, cls.reader = create("--role", "admin"), create("--role", "read-only")
        cls.limited = create("--role", "admin", "--tables", "others-*")
        cls.server = Server(cls.folder / "data", flags=["--auth", "enforce", "--access", file, "--tls-cert", certificate,
                                                        "--tls-key", key])
        cls.server.start()
        cls.addClassCleanup(cls.server.close)
        cls.clients = [Boto3(cls.server, cls.folder, certificate), CommandLine(cls.server, cls.folder, certificate)]
        if shutil.which("node") and (MODULES / "@aws-sdk/client-dynamodb").exists():
            cls.clients.append(JavaScript(cls.server, cls.folder, certificate))
        else:
            print("skipped: there is no node with the AWS SDK for JavaScript (tools/fetch_peers fetches it)")
        cls.clients[0].call("CreateTable", TABLE, cls.admin)

    def with_each(self, check):
        for client in self.clients:
            with self.subTest(type(client).__name__):
                check(client)

    def refused(self, client, *words, **options):
        with self.assertRaises(Refused) as raised:
            client.call(*words, **options)
        code, message = raised.exception.args
        return code, message.split("\n")[0]

    def test_what_a_key_allows_is_served(self):
        def check(client):
            client.call("PutItem", {"TableName": "orders", "Item": ITEM}, self.admin)
            self.assertEqual(client.call("GetItem", {"TableName": "orders", "Key": KEY}, self.reader), {"Item": ITEM})
        self.with_each(check)

    def test_a_wrong_key_is_refused(self):
        nobody = {"id": "NOBODYNOBODYNOBODY00", "secret": "x" * 40}
        def check(client):
            self.assertEqual(self.refused(client, "ListTables", {}, nobody), (
                "UnrecognizedClientException", "The security token included in the request is invalid."))
        self.with_each(check)

    def test_a_wrong_secret_is_refused(self):
        def check(client):
            self.assertEqual(self.refused(client, "ListTables", {}, self.admin | {"secret": "y" * 40}), (
                "InvalidSignatureException",
                "The request signature we calculated does not match the signature you provided. Check your AWS Secret Access "
                "Key and signing method. Consult the service documentation for details."))
        self.with_each(check)

    def test_an_old_clock_is_refused(self):
        def check(client):
            code, message = self.refused(client, "ListTables", {}, self.admin, late_s=LATE_S)
            self.assertEqual(code, "InvalidSignatureException")
            self.assertRegex(message, r"^Signature expired: \d{8}T\d{6}Z is now earlier than \d{8}T\d{6}Z "
                                      r"\(\d{8}T\d{6}Z - 5 min\.\)$")
        self.with_each(check)

    def test_a_key_that_may_only_read_does_not_write(self):
        def check(client):
            self.assertEqual(
                self.refused(client, "PutItem", {"TableName": "orders", "Item": ITEM}, self.reader),
                ("AccessDeniedException", DENIED.format(id=self.reader["id"], operation="PutItem", table="orders")))
        self.with_each(check)

    def test_a_table_that_is_not_allowed_is_not_read(self):
        def check(client):
            self.assertEqual(
                self.refused(client, "GetItem", {"TableName": "orders", "Key": KEY}, self.limited),
                ("AccessDeniedException", DENIED.format(id=self.limited["id"], operation="GetItem", table="orders")))
        self.with_each(check)


if __name__ == "__main__":
    unittest.main()

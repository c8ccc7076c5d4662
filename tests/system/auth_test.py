#!/usr/bin/python3
"""A server that knows its callers: real clients with keys that fit, and with keys that do not."""

import datetime
import hashlib
import hmac
import json
import os
import pathlib
import signal
import socket
import ssl
import stat
import subprocess
import tempfile
import time
import unittest
import urllib.parse
import warnings

import botocore.auth
import botocore.awsrequest
import botocore.config
import botocore.credentials
import botocore.exceptions
import boto3

from aws_cli import AWS
from dolmen_server import PATIENCE_S, REGION, Server, clean_environment, read_answer, run

TABLE = {"TableName": "orders", "BillingMode": "PAY_PER_REQUEST",
         "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
         "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}]}
ITEM = {"pk": {"S": "a"}}
UNSIGNED = {"X-Amz-Target": "DynamoDB_20120810.ListTables", "Content-Type": "application/x-amz-json-1.0"}
DENIED = ("User: arn:aws:iam::000000000000:user/{key} is not authorized to perform: dynamodb:{operation} on resource: "
          "arn:aws:dynamodb:us-east-1:000000000000:table/{table} because no identity-based policy allows the "
          "dynamodb:{operation} action")


def access(*words, file):
    done = run("access", *words, "--file", file, "--json")
    assert done.code == 0, done.err
    return json.loads(done.out)


def send(server, target, headers, body):
    connection = server.connection()
    try:
        connection.request("POST", target, body, headers)
        return read_answer(connection)
    finally:
        connection.close()


class Auth(unittest.TestCase):
    maxDiff = None
    mode = "enforce"

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.file = self.folder / "access.yaml"
        self.admin = self.create("--role", "admin")
        self.server = Server(self.folder / "data", flags=["--auth", self.mode, "--access", str(self.file)])
        self.server.start()
        self.addCleanup(self.server.close)

    def create(self, *words):
        return access("create", *words, file=self.file)

    def client(self, key, secret=None, region=REGION, service="dynamodb"):
        return boto3.client(service, endpoint_url=self.server.url, region_name=region, aws_access_key_id=key["id"],
                            aws_secret_access_key=secret or key["secret"], aws_session_token=key.get("session_token"),
                            config=botocore.config.Config(retries={"total_max_attempts": 1}))

    def refused(self, code, message, call, **parameters):
        with self.assertRaises(botocore.exceptions.ClientError) as raised:
            call(**parameters)
        error = raised.exception.response["Error"]
        self.assertEqual((error["Code"], error["Message"].split("\n")[0]), (code, message))

    def wait_for(self, condition):
        deadline = time.monotonic() + PATIENCE_S
        while not condition():
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.05)


class Enforced(Auth):
    def test_an_admin_may_do_everything(self):
        client = self.client(self.admin)
        client.create_table(**TABLE)
        client.put_item(TableName="orders", Item=ITEM)
        self.assertEqual(client.get_item(TableName="orders", Key=ITEM)["Item"], ITEM)
        self.assertEqual(client.list_tables()["TableNames"], ["orders"])
        client.delete_table(TableName="orders")

    def call_signed(self, key, operation, body):
        """One request for an operation that the installed boto3 does not know."""
        request = botocore.awsrequest.AWSRequest(
            "POST", self.server.url + "/", data=json.dumps(body),
            headers={"X-Amz-Target": f"DynamoDB_20120810.{operation}", "Content-Type": "application/x-amz-json-1.0"})
        credentials = botocore.credentials.Credentials(key["id"], key["secret"])
        botocore.auth.SigV4Auth(credentials, "dynamodb", REGION).add_auth(request)
        return send(self.server, "/", dict(request.prepare().headers), json.dumps(body))

    def test_a_resource_policy_allows_and_denies_besides_the_role(self):
        reader = self.create("--role", "read-only", "--tables", "other")
        admin = self.client(self.admin)
        admin.create_table(**TABLE)
        admin.put_item(TableName="orders", Item=ITEM)
        where = f"arn:aws:dynamodb:{REGION}:000000000000:table/orders"
        self.wait_for(lambda: self.knows(reader))
        self.refused("AccessDeniedException", DENIED.format(key=reader["id"], operation="GetItem", table="orders"),
                     self.client(reader).get_item, TableName="orders", Key=ITEM)
        user = f"arn:aws:iam::000000000000:user/{reader['id']}"
        policy = {"Version": "2012-10-17", "Statement": [
            {"Effect": "Allow", "Principal": {"AWS": user}, "Action": ["dynamodb:GetItem", "dynamodb:PutItem"], "Resource": where},
            {"Effect": "Deny", "Principal": "*", "Action": "dynamodb:DeleteTable", "Resource": where}]}
        request = {"ResourceArn": where, "Policy": json.dumps(policy)}
        self.assertEqual(self.call_signed(reader, "PutResourcePolicy", request).type, "AccessDeniedException")
        self.assertEqual(self.call_signed(self.admin, "PutResourcePolicy", request).status, 200)
        self.assertEqual(self.client(reader).get_item(TableName="orders", Key=ITEM)["Item"], ITEM)
        self.client(reader).put_item(TableName="orders", Item=ITEM)
        self.refused("AccessDeniedException", DENIED.format(key=reader["id"], operation="Scan", table="orders"),
                     self.client(reader).scan, TableName="orders")
        admin_user = f"arn:aws:iam::000000000000:user/{self.admin['id']}"
        self.refused("AccessDeniedException",
                     f"User: {admin_user} is not authorized to perform: dynamodb:DeleteTable on resource: {where} with an "
                     "explicit deny in a resource-based policy", admin.delete_table, TableName="orders")
        self.assertEqual(self.call_signed(self.admin, "DeleteResourcePolicy", {"ResourceArn": where}).status, 200)
        admin.delete_table(TableName="orders")

    def test_the_policy_of_a_stream_is_about_the_stream_alone(self):
        reader = self.create("--role", "read-only", "--tables", "other")
        admin = self.client(self.admin)
        created = admin.create_table(**TABLE, StreamSpecification={"StreamEnabled": True, "StreamViewType": "KEYS_ONLY"})
        table, where = (created["TableDescription"][name] for name in ("TableArn", "LatestStreamArn"))
        admin.put_item(TableName="orders", Item=ITEM)
        self.wait_for(lambda: self.knows(reader))

        def statement(effect, who, *actions, resource=where):
            return {"Effect": effect, "Principal": who, "Action": list(actions), "Resource": resource}

        def put_policy(resource, *statements):
            policy = json.dumps({"Version": "2012-10-17", "Statement": statements})
            answer = self.call_signed(self.admin, "PutResourcePolicy", {"ResourceArn": resource, "Policy": policy})
            self.assertEqual(answer.status, 200, answer.body)

        def streams(key):
            return self.client(key, service="dynamodbstreams")

        user = {"AWS": f"arn:aws:iam::000000000000:user/{reader['id']}"}
        path = where.partition(":table/")[2]
        not_allowed = DENIED.format(key=reader["id"], operation="DescribeStream", table=path)
        self.refused("AccessDeniedException", not_allowed, streams(reader).describe_stream, StreamArn=where)
        # What the table allows or denies does not reach its stream.
        put_policy(table, statement("Allow", user, "dynamodb:DescribeStream", resource="*"),
                   statement("Deny", "*", "dynamodb:GetRecords", resource="*"))
        self.refused("AccessDeniedException", not_allowed, streams(reader).describe_stream, StreamArn=where)
        put_policy(where, statement("Allow", user, "dynamodb:DescribeStream", "dynamodb:GetShardIterator"),
                   statement("Deny", "*", "dynamodb:DeleteResourcePolicy"))
        shards = streams(reader).describe_stream(StreamArn=where)["StreamDescription"]["Shards"]
        iterators = [streams(reader).get_shard_iterator(StreamArn=where, ShardId=shard["ShardId"], ShardIteratorType="TRIM_HORIZON")
                     ["ShardIterator"] for shard in shards]
        self.refused("AccessDeniedException", DENIED.format(key=reader["id"], operation="GetRecords", table=path),
                     streams(reader).get_records, ShardIterator=iterators[0])
        self.assertEqual(sum(len(streams(self.admin).get_records(ShardIterator=one)["Records"]) for one in iterators), 1)
        self.assertEqual(self.call_signed(reader, "GetResourcePolicy", {"ResourceArn": where}).type, "AccessDeniedException")
        refused = self.call_signed(self.admin, "DeleteResourcePolicy", {"ResourceArn": where})
        admin_user = f"arn:aws:iam::000000000000:user/{self.admin['id']}"
        explicitly = (f"User: {admin_user} is not authorized to perform: dynamodb:{{}} on resource: {where} with an explicit "
                      "deny in a resource-based policy")
        self.assertEqual((refused.type, refused.message), ("AccessDeniedException", explicitly.format("DeleteResourcePolicy")))
        put_policy(where, statement("Allow", user, "dynamodb:GetRecords"), statement("Deny", "*", "dynamodb:*Stream*"))
        self.refused("AccessDeniedException", explicitly.format("DescribeStream"), streams(self.admin).describe_stream,
                     StreamArn=where)
        self.assertEqual(sum(len(streams(reader).get_records(ShardIterator=one)["Records"]) for one in iterators), 1)
        # A stream that another one follows keeps its policy; the new one has none.
        admin.update_table(TableName="orders", StreamSpecification={"StreamEnabled": False})
        admin.update_table(TableName="orders", StreamSpecification={"StreamEnabled": True, "StreamViewType": "NEW_IMAGE"})
        newest = admin.describe_table(TableName="orders")["Table"]["LatestStreamArn"]
        put_policy(table, statement("Deny", "*", "dynamodb:DeleteItem", resource=table))
        self.refused("AccessDeniedException", explicitly.format("DescribeStream"), streams(self.admin).describe_stream,
                     StreamArn=where)
        streams(self.admin).describe_stream(StreamArn=newest)
        admin.delete_table(TableName="orders")

    def test_a_key_for_one_table_sends_its_changes_to_kinesis(self):
        admin = self.client(self.admin)
        admin.create_table(**TABLE)
        owner = self.create("--role", "admin", "--tables", "orders")
        self.wait_for(lambda: self.knows(owner))
        stream = f"arn:aws:kinesis:{REGION}:000000000000:stream/changes"
        enabled = self.client(owner).enable_kinesis_streaming_destination(TableName="orders", StreamArn=stream)
        self.assertEqual(enabled["DestinationStatus"], "ENABLING")
        admin.delete_table(TableName="orders")

    def test_a_wrong_key_or_secret_is_refused(self):
        self.refused("UnrecognizedClientException", "The security token included in the request is invalid.",
                     self.client({"id": "NOBODYNOBODYNOBODY00", "secret": "x" * 40}).list_tables)
        self.refused("InvalidSignatureException",
                     "The request signature we calculated does not match the signature you provided. Check your AWS Secret "
                     "Access Key and signing method. Consult the service documentation for details.",
                     self.client(self.admin, secret="y" * 40).list_tables)
        self.refused("InvalidSignatureException", "Credential should be scoped to a valid region. ",
                     self.client(self.admin, region="eu-west-1").list_tables)

    def test_an_unsigned_request_is_refused(self):
        answer = send(self.server, "/", UNSIGNED, "{}")
        self.assertEqual((answer.status, answer.type, answer.message),
                         (400, "MissingAuthenticationTokenException", "Request is missing Authentication Token"))

    def test_an_old_clock_is_refused(self):
        for minutes, words in ((-10, "Signature expired: "), (10, "Signature not yet current: ")):
            answer = self.send_signed(offset=datetime.timedelta(minutes=minutes))
            self.assertEqual((answer.status, answer.type), (400, "InvalidSignatureException"))
            self.assertTrue(answer.message.startswith(words), answer.message)

    def send_signed(self, signer=botocore.auth.SigV4Auth, offset=datetime.timedelta(0), body="{}", **options):
        """One request that botocore signs as if the time were another."""
        request = botocore.awsrequest.AWSRequest(
            "POST", self.server.url + "/", data=body,
            headers={"X-Amz-Target": "DynamoDB_20120810.ListTables", "Content-Type": "application/x-amz-json-1.0"})
        credentials = botocore.credentials.Credentials(self.admin["id"], self.admin["secret"])
        moment = datetime.datetime.utcnow() + offset

        class Clock(datetime.datetime):
            @classmethod
            def utcnow(cls):
                return moment

            @classmethod
            def now(cls, tz=None):
                return moment.replace(tzinfo=tz)

        saved = botocore.auth.datetime
        saved_current = getattr(botocore.auth, "get_current_datetime", None)
        try:
            botocore.auth.datetime = type("module", (), {"datetime": Clock, "timedelta": datetime.timedelta})
            if saved_current is not None:
                botocore.auth.get_current_datetime = lambda *words, **names: moment
            signer(credentials, "dynamodb", REGION, **options).add_auth(request)
        finally:
            botocore.auth.datetime = saved
            if saved_current is not None:
                botocore.auth.get_current_datetime = saved_current
        prepared = request.prepare()
        parts = urllib.parse.urlsplit(prepared.url)
        target = (parts.path or "/") + ("?" + parts.query if parts.query else "")
        return send(self.server, target, dict(prepared.headers), prepared.body)

    def presigned(self, age_s=0, expires_s=60, body="{}", sent_body=None):
        """One request with its signature in the query, made as the specification says."""
        moment = datetime.datetime.utcnow() - datetime.timedelta(seconds=age_s)
        date, day = moment.strftime("%Y%m%dT%H%M%SZ"), moment.strftime("%Y%m%d")
        scope = f"{day}/{REGION}/dynamodb/aws4_request"
        query = "&".join(f"{name}={urllib.parse.quote(value, safe='')}" for name, value in sorted({
            "X-Amz-Algorithm": "AWS4-HMAC-SHA256", "X-Amz-Credential": f"{self.admin['id']}/{scope}", "X-Amz-Date": date,
            "X-Amz-Expires": str(expires_s), "X-Amz-SignedHeaders": "host;x-amz-target"}.items()))
        host = f"127.0.0.1:{self.server.port}"
        canonical = "\n".join(["POST", "/", query, f"host:{host}", f"x-amz-target:{UNSIGNED['X-Amz-Target']}", "",
                               "host;x-amz-target", hashlib.sha256(body.encode()).hexdigest()])
        key = ("AWS4" + self.admin["secret"]).encode()
        for part in scope.split("/"):
            key = hmac.digest(key, part.encode(), "sha256")
        to_sign = "\n".join(["AWS4-HMAC-SHA256", date, scope, hashlib.sha256(canonical.encode()).hexdigest()])
        signature = hmac.digest(key, to_sign.encode(), "sha256").hex()
        return send(self.server, f"/?{query}&X-Amz-Signature={signature}", UNSIGNED, sent_body or body)

    def test_presigned_requests_are_accepted_until_they_expire(self):
        self.assertEqual(self.presigned().status, 200)
        self.assertEqual(self.presigned(age_s=1800, expires_s=3600).status, 200)
        for answer in (self.presigned(age_s=1800), self.presigned(expires_s=8 * 24 * 3600),
                       self.presigned(sent_body='{"Limit": 1}')):
            self.assertEqual((answer.status, answer.type), (400, "InvalidSignatureException"))

    def test_roles_limit_what_a_key_may_do(self):
        self.client(self.admin).create_table(**TABLE)
        reader, writer = self.create("--role", "read-only"), self.create("--role", "read-write")
        self.wait_for(lambda: self.knows(reader) and self.knows(writer))
        self.client(writer).put_item(TableName="orders", Item=ITEM)
        self.assertEqual(self.client(reader).get_item(TableName="orders", Key=ITEM)["Item"], ITEM)
        self.client(reader).describe_table(TableName="orders")
        for call, operation, parameters in (("put_item", "PutItem", {"Item": ITEM}), ("delete_item", "DeleteItem", {"Key": ITEM}),
                                            ("update_item", "UpdateItem", {"Key": ITEM})):
            self.refused("AccessDeniedException", DENIED.format(key=reader["id"], operation=operation, table="orders"),
                         getattr(self.client(reader), call), TableName="orders", **parameters)
        self.refused("AccessDeniedException", DENIED.format(key=writer["id"], operation="DeleteTable", table="orders"),
                     self.client(writer).delete_table, TableName="orders")
        batch = {"RequestItems": {"orders": [{"DeleteRequest": {"Key": ITEM}}]}}
        self.refused("AccessDeniedException", DENIED.format(key=reader["id"], operation="BatchWriteItem", table="orders"),
                     self.client(reader).batch_write_item, **batch)
        self.assertEqual(self.client(reader).get_item(TableName="orders", Key=ITEM)["Item"], ITEM)

    def test_tables_limit_what_a_key_may_use(self):
        admin = self.client(self.admin)
        for name in ("orders", "orders-2", "users"):
            admin.create_table(**{**TABLE, "TableName": name})
        key = self.create("--role", "read-write", "--tables", "orders*")
        self.wait_for(lambda: self.knows(key))
        client = self.client(key)
        for name in ("orders", "orders-2"):
            client.put_item(TableName=name, Item=ITEM)
        denied = lambda operation, table="users": DENIED.format(key=key["id"], operation=operation, table=table)
        self.refused("AccessDeniedException", denied("GetItem"), client.get_item, TableName="users", Key=ITEM)
        self.refused("AccessDeniedException", denied("GetItem"), client.get_item,
                     TableName="arn:aws:dynamodb:us-east-1:000000000000:table/users", Key=ITEM)
        self.refused("AccessDeniedException", denied("BatchGetItem"), client.batch_get_item,
                     RequestItems={"orders": {"Keys": [ITEM]}, "users": {"Keys": [ITEM]}})
        self.refused("AccessDeniedException", denied("TransactGetItems"), client.transact_get_items,
                     TransactItems=[{"Get": {"TableName": "orders", "Key": ITEM}}, {"Get": {"TableName": "users", "Key": ITEM}}])
        self.refused("AccessDeniedException", denied("TransactWriteItems"), client.transact_write_items,
                     TransactItems=[{"Put": {"TableName": "users", "Item": ITEM}}])
        self.refused("AccessDeniedException", denied("PartiQLSelect"), client.execute_statement,
                     Statement="SELECT * FROM users")
        self.refused("AccessDeniedException", denied("PartiQLDelete"), client.execute_transaction,
                     TransactStatements=[{"Statement": "INSERT INTO orders VALUE {'pk': 'z'}"},
                                         {"Statement": "DELETE FROM users WHERE pk = 'z'"}])
        answers = client.batch_execute_statement(Statements=[{"Statement": "INSERT INTO orders VALUE {'pk': 'y'}"},
                                                             {"Statement": "INSERT INTO \"users\" VALUE {'pk': 'y'}"}])
        self.assertEqual(answers["Responses"], [
            {"TableName": "orders"}, {"Error": {"Code": "AccessDenied", "Message": denied("PartiQLInsert")}}])
        self.assertEqual(admin.execute_statement(Statement="SELECT * FROM users")["Items"], [])
        self.refused("AccessDeniedException", denied("ListTables", "*"), client.list_tables)
        self.refused("AccessDeniedException", denied("ListTagsOfResource"), client.list_tags_of_resource,
                     ResourceArn="arn:aws:dynamodb:us-east-1:000000000000:table/users")

    def knows(self, key):
        try:
            self.client(key).describe_table(TableName="missing")
        except botocore.exceptions.ClientError as error:
            return error.response["Error"]["Code"] not in ("UnrecognizedClientException",)
        return True

    def test_keys_come_and_go_without_a_restart(self):
        key = self.create("--role", "admin", "--hours", "1")
        self.assertIn("session_token", key)
        self.wait_for(lambda: self.knows(key))
        self.client(key).list_tables()
        self.refused("UnrecognizedClientException", "The security token included in the request is invalid",
                     self.client({**key, "session_token": "another"}).list_tables)
        self.assertEqual([one["id"] for one in access("list", file=self.file)["keys"]], [self.admin["id"], key["id"]])
        access("revoke", key["id"], file=self.file)
        self.wait_for(lambda: not self.knows(key))
        self.client(self.admin).list_tables()

    def test_documents_are_for_keys_of_all_tables(self):
        reader = self.create("--role", "read-only")
        limited = self.create("--role", "admin", "--tables", "orders")
        self.wait_for(lambda: self.knows(reader) and self.knows(limited))
        list_schemas = lambda key: self.dolmen("ListSchemas", {}, key)
        self.assertEqual(list_schemas(reader).status, 200)
        self.assertEqual(list_schemas(limited).type, "AccessDeniedException")
        self.assertEqual(self.dolmen("PublishSchema", {}, reader).type, "AccessDeniedException")

    def dolmen(self, operation, body, key):
        request = botocore.awsrequest.AWSRequest(
            "POST", self.server.url + "/", data=json.dumps(body),
            headers={"X-Amz-Target": f"Dolmen_20261115.{operation}", "Content-Type": "application/x-amz-json-1.0"})
        botocore.auth.SigV4Auth(botocore.credentials.Credentials(key["id"], key["secret"]), "dynamodb", REGION).add_auth(request)
        prepared = request.prepare()
        return send(self.server, "/", dict(prepared.headers), prepared.body)

    def test_the_command_line_of_aws(self):
        environment = {**clean_environment(self.folder), "AWS_ACCESS_KEY_ID": self.admin["id"],
                       "AWS_SECRET_ACCESS_KEY": self.admin["secret"]}
        run = lambda env: subprocess.run([AWS, "dynamodb", "list-tables", "--endpoint-url", self.server.url], env=env,
                                         capture_output=True, text=True, timeout=4 * PATIENCE_S)
        self.assertEqual(json.loads(run(environment).stdout), {"TableNames": []})
        self.assertIn("InvalidSignatureException", run({**environment, "AWS_SECRET_ACCESS_KEY": "z" * 40}).stderr)


class Warned(Auth):
    mode = "warn"

    def test_requests_are_served_and_the_log_says_what_would_be_refused(self):
        self.assertEqual(send(self.server, "/", UNSIGNED, "{}").status, 200)
        reader = self.create("--role", "read-only")
        time.sleep(1.2)  # The server looks at the file once in a second.
        self.client(self.admin).create_table(**TABLE)
        self.client(reader).put_item(TableName="orders", Item=ITEM)
        log = self.server.stop().err
        self.assertIn("would refuse a request from 127.0.0.1: MissingAuthentication: Request is missing", log)
        self.assertIn("is not authorized to perform: dynamodb:PutItem", log)
        self.assertNotIn(self.admin["secret"], log)
        self.assertNotIn(reader["secret"], log)


class OverTls(Auth):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.file = self.folder / "access.yaml"
        self.admin = self.create("--role", "admin")
        self.make_certificate("server")

    def make_certificate(self, name):
        done = run("tls", "self-signed", "--cert", self.path(name), "--key", self.path(name + "-key"))
        self.assertEqual(done.code, 0, done.err)

    def path(self, name):
        return str(self.folder / (name + ".pem"))

    def start(self, *flags):
        self.server = Server(self.folder / "data", flags=[
            "--auth", "enforce", "--access", str(self.file), "--tls-cert", self.path("server"), "--tls-key",
            self.path("server-key"), *flags])
        self.server.start()
        self.addCleanup(self.server.close)
        self.assertTrue(self.server.url.startswith("https://127.0.0.1:"), self.server.url)

    def tls_client(self, trusted="server", certificate=None):
        return boto3.client("dynamodb", endpoint_url=self.server.url, region_name=REGION, verify=self.path(trusted),
                            aws_access_key_id=self.admin["id"], aws_secret_access_key=self.admin["secret"],
                            config=botocore.config.Config(retries={"total_max_attempts": 1}, client_cert=certificate))

    def test_clients_trust_the_certificate(self):
        self.start()
        client = self.tls_client()
        client.create_table(**TABLE)
        for number in range(20):
            client.put_item(TableName="orders", Item={"pk": {"S": str(number)}, "text": {"S": "x" * 100_000}})
        self.assertEqual(client.scan(TableName="orders", Select="COUNT")["Count"], 11)
        environment = {**clean_environment(self.folder), "AWS_ACCESS_KEY_ID": self.admin["id"],
                       "AWS_SECRET_ACCESS_KEY": self.admin["secret"], "AWS_CA_BUNDLE": self.path("server")}
        listed = subprocess.run([AWS, "dynamodb", "list-tables", "--endpoint-url", self.server.url], env=environment,
                                capture_output=True, text=True, timeout=4 * PATIENCE_S)
        self.assertEqual(json.loads(listed.stdout), {"TableNames": ["orders"]}, listed.stderr)
        self.assertEqual(self.server.stop().code, 0)

    def test_versions_before_1_2_are_refused(self):
        self.start()
        for version, accepted in ((ssl.TLSVersion.TLSv1_1, False), (ssl.TLSVersion.TLSv1_2, True),
                                  (ssl.TLSVersion.TLSv1_3, True)):
            context = ssl.create_default_context(cafile=self.path("server"))
            context.set_ciphers("DEFAULT:@SECLEVEL=0")
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                context.minimum_version = context.maximum_version = version
            with self.subTest(version), socket.create_connection(("127.0.0.1", self.server.port)) as plain:
                if not accepted:
                    with self.assertRaises(ssl.SSLError):
                        context.wrap_socket(plain, server_hostname="localhost")
                    continue
                with context.wrap_socket(plain, server_hostname="localhost") as secured:
                    secured.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
                    self.assertTrue(secured.recv(100).startswith(b"HTTP/1.1 200 "))

    def test_plain_text_gets_nothing(self):
        self.start()
        with socket.create_connection(("127.0.0.1", self.server.port), timeout=PATIENCE_S) as plain:
            plain.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
            self.assertNotIn(b"HTTP", plain.recv(100))

    def test_a_new_certificate_is_taken_without_a_restart(self):
        self.start()
        self.tls_client().list_tables()
        self.make_certificate("next")
        os.replace(self.path("next-key"), self.path("server-key"))
        os.replace(self.path("next"), self.path("server"))
        self.server.process.send_signal(signal.SIGHUP)
        self.wait_for(lambda: "reloaded" in self.server.errors())
        self.tls_client().list_tables()
        with open(self.path("server-key"), "w") as key:
            key.write("not a key")
        self.server.process.send_signal(signal.SIGHUP)
        self.wait_for(lambda: "the certificate stays as it was" in self.server.errors())
        self.tls_client().list_tables()

    def test_clients_may_need_certificates_of_their_own(self):
        self.make_certificate("client")
        self.start("--tls-client-ca", self.path("client"))
        self.tls_client(certificate=(self.path("client"), self.path("client-key"))).list_tables()
        with self.assertRaises((botocore.exceptions.HTTPClientError, botocore.exceptions.SSLError)):
            self.tls_client().list_tables()


class Starts(unittest.TestCase):
    def run_serve(self, *flags):
        return run("serve", "--memory", "--port", "0", *flags)

    def test_a_file_that_others_can_read_is_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "access.yaml")
            access("create", file=file)
            self.assertEqual(stat.S_IMODE(os.stat(file).st_mode), 0o600)
            os.chmod(file, 0o644)
            done = self.run_serve("--auth", "enforce", "--access", file)
            self.assertEqual(done.code, 1)
            self.assertIn("chmod 600", done.err)

    def test_other_addresses_than_loopback_need_keys_and_tls(self):
        done = self.run_serve("--host", "0.0.0.0")
        self.assertEqual(done.code, 2)
        self.assertIn("--insecure", done.err)
        with Server(flags=["--host", "0.0.0.0", "--insecure"]) as server:
            self.assertEqual(server.call("ListTables", {}).status, 200)

    def test_the_data_directory_is_for_its_owner_alone(self):
        with tempfile.TemporaryDirectory() as folder, Server(pathlib.Path(folder) / "data"):
            self.assertEqual(stat.S_IMODE(os.stat(os.path.join(folder, "data")).st_mode), 0o700)

    def test_auth_and_access_belong_together(self):
        self.assertIn("--access FILE", self.run_serve("--auth", "enforce").err)
        self.assertIn("has no effect", self.run_serve("--access", "/nowhere").err)
        self.assertIn("belong together", self.run_serve("--tls-cert", "a.pem").err)
        self.assertIn("a.pem", self.run_serve("--tls-cert", "a.pem", "--tls-key", "b.pem").err)
        self.assertIn("/nowhere", self.run_serve("--auth", "enforce", "--access", "/nowhere").err)


if __name__ == "__main__":
    unittest.main()

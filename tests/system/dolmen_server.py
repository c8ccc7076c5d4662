"""Starts, stops and talks to the program under test. Shared by the system tests.

    with Server(data=folder / "data") as server:
        server.call("ListTables", {}).json()
        server.client().list_tables()
        server.kill()       # as a crash of the process would
        server.start()      # on the same data

The environment that a test was started in has no influence: credentials and region are fixed and good for nothing,
configuration files and proxies are not looked at.
"""

import collections
import http.client
import json
import os
import pathlib
import re
import select
import signal
import socket
import subprocess
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BINARY = os.environ.get("DOLMEN_BIN", str(ROOT / "build/release/bin/dolmen"))
REGION = "us-east-1"
# Far longer than anything takes on a slow machine; what reaches it hangs. A machine that is busy with other things needs more.
PATIENCE_S = int(os.environ.get("DOLMEN_PATIENCE_S", 30))

Finished = collections.namedtuple("Finished", "code out err")


def clean_environment(home):
    """All that a program started by a test is told about the world; and, if it was built with bugs, which of them it has
    (tests/crash/broken_builds.py, tools/mutate)."""
    return {
        "PATH": "/usr/local/bin:/usr/bin:/bin",
        "HOME": str(home),
        "TMPDIR": os.environ.get("TMPDIR", "/tmp"),
        "LANG": "C.UTF-8",
        "AWS_ACCESS_KEY_ID": "local",
        "AWS_SECRET_ACCESS_KEY": "local",
        "AWS_DEFAULT_REGION": REGION,
        "AWS_EC2_METADATA_DISABLED": "true",
        "AWS_CONFIG_FILE": os.devnull,
        "AWS_SHARED_CREDENTIALS_FILE": os.devnull,
        "AWS_PAGER": "",
    } | {name: os.environ[name] for name in ("DEFECT_OF_DOLMEN", "MUTANT_OF_DOLMEN", "TRACE_OF_MUTANTS") if name in os.environ}


def run(*arguments, cwd=None, variables=None):
    """Runs `dolmen ARGUMENTS` until it ends by itself, with some variables of the environment."""
    done = subprocess.run([BINARY, *map(str, arguments)], cwd=cwd, env=clean_environment(os.devnull) | (variables or {}), text=True,
                          stdin=subprocess.DEVNULL, capture_output=True, timeout=PATIENCE_S)
    return Finished(done.returncode, done.stdout, done.stderr)


class DidNotStart(Exception):
    """The server ended, or hung, before it listened."""


class Answer(collections.namedtuple("Answer", "status headers body")):
    """A response. Header names are in lower case."""

    def json(self):
        return json.loads(self.body)

    @property
    def type(self):
        """The last part of an error's __type."""
        return self.json()["__type"].rpartition("#")[2]

    @property
    def message(self):
        return self.json().get("message", self.json().get("Message"))


class Server:
    """A running `dolmen serve` on a port that the system chose."""

    def __init__(self, data=None, flags=(), cwd=None, before_start=None, variables=None):
        """Without `data`, everything is kept in memory. `before_start` is called in the new process, to limit what it may."""
        self._before_start = before_start
        self._flags = ["--memory"] if data is None else ["--data", str(data)]
        self._flags += flags
        self._variables = variables or {}
        self._cwd = cwd
        self.process = None
        self._errors = tempfile.TemporaryFile("w+")

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        """Leaves nothing behind, whatever state the server is in."""
        self.kill()
        self._errors.close()

    def start(self):
        self.process = subprocess.Popen([BINARY, "serve", "--port", "0", *self._flags], cwd=self._cwd,
                                        env=clean_environment(os.devnull) | self._variables, stdin=subprocess.DEVNULL,
                                        stdout=subprocess.PIPE, stderr=self._errors, text=True,
                                        preexec_fn=self._before_start)
        self.greeting = self._read_greeting()
        self.url = re.search(r"listening on (https?://\S+)", self.greeting).group(1)
        self.port = int(self.url.rpartition(":")[2])

    def _read_greeting(self):
        text, deadline = "", time.monotonic() + PATIENCE_S
        while "listening on" not in text or not text.endswith("\n"):
            ready, _, _ = select.select([self.process.stdout], [], [], max(0, deadline - time.monotonic()))
            chunk = os.read(self.process.stdout.fileno(), 65536).decode() if ready else ""
            if not chunk:
                self.kill()
                raise DidNotStart(f"exit status {self.process.returncode}\n{text}{self.errors()}")
            text += chunk
        return text

    def errors(self):
        """What the server has written to its standard error, over all its starts."""
        self._errors.seek(0)
        return self._errors.read()

    def kill(self):
        """Ends the process at once, as kill -9 does. One that has ended already is left alone."""
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()

    def stop(self, with_signal=signal.SIGTERM):
        """Asks the process to end and waits until it has."""
        self.process.send_signal(with_signal)
        out, _ = self.process.communicate(timeout=PATIENCE_S)
        return Finished(self.process.returncode, out, self.errors())

    def memory_max_bytes(self):
        """The most memory that the process has had so far."""
        return self._memory_bytes("VmHWM")

    def memory_bytes(self):
        """The memory that the process has now."""
        return self._memory_bytes("VmRSS")

    def _memory_bytes(self, kind):
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(rf"{kind}:\s+(\d+) kB", status).group(1)) * 1024

    def connect(self):
        """A socket to the server that sends at once what it is given, and times out rather than hang."""
        sock = socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE_S)
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return sock

    def connection(self):
        """A connection that stays open from request to request; close it, or use contextlib.closing."""
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE_S)

    def call(self, operation, body, connection=None):
        """One operation. `body` is text, bytes, or what is to be sent as JSON."""
        own = connection or self.connection()
        try:
            own.request("POST", "/", encode(body), headers_for(operation))
            return read_answer(own)
        finally:
            if connection is None:
                own.close()

    def must(self, operation, body, connection=None):
        """One operation that has to succeed; its response."""
        answer = self.call(operation, body, connection)
        assert answer.status == 200, f"{operation}: {answer.status} {answer.body.decode()}"
        return answer.json()

    def client(self):
        return self._session().client("dynamodb", **self._client_options())

    def streams_client(self):
        return self._session().client("dynamodbstreams", **self._client_options())

    def resource(self):
        return self._session().resource("dynamodb", **self._client_options())

    @staticmethod
    def _session():
        for name in [name for name in os.environ if name.startswith("AWS_") or name.lower().endswith("_proxy")]:
            del os.environ[name]
        os.environ.update(clean_environment(os.devnull) | {"PATH": os.environ["PATH"]})
        import boto3.session  # Slow to import, and most tests do without.
        return boto3.session.Session()

    def _client_options(self):
        from botocore.config import Config
        config = Config(retries={"max_attempts": 0}, connect_timeout=PATIENCE_S, read_timeout=PATIENCE_S, proxies={})
        return {"endpoint_url": self.url, "region_name": REGION, "config": config}


def encode(body):
    if isinstance(body, bytes):
        return body
    return (body if isinstance(body, str) else json.dumps(body)).encode()


# Signed in form only; whether a signature is right is not checked.
SIGNATURE = {
    "Authorization": "AWS4-HMAC-SHA256 Credential=local/20260101/us-east-1/dynamodb/aws4_request, "
                     "SignedHeaders=content-type;host;x-amz-date;x-amz-target, Signature=" + "0" * 64,
    "X-Amz-Date": "20260101T000000Z",
}


STREAM_OPERATIONS = {"ListStreams", "DescribeStream", "GetShardIterator", "GetRecords"}


def target_of(operation):
    """The operation with its service, as the header X-Amz-Target names it. One that names its service stays as it is."""
    if "." in operation:
        return operation
    return f"{'DynamoDBStreams' if operation in STREAM_OPERATIONS else 'DynamoDB'}_20120810.{operation}"


def headers_for(operation):
    return {"X-Amz-Target": target_of(operation), "Content-Type": "application/x-amz-json-1.0"} | SIGNATURE


def read_answer(connection):
    response = connection.getresponse()
    return Answer(response.status, {name.lower(): value for name, value in response.getheaders()}, response.read())


def request_bytes(operation, body, *extra_headers):
    """A whole request as it goes over the wire."""
    payload = encode(body)
    lines = ["POST / HTTP/1.1", "Host: localhost", f"Content-Length: {len(payload)}", *extra_headers]
    return head_bytes(lines + [f"{name}: {value}" for name, value in headers_for(operation).items()]) + payload


def head_bytes(lines):
    return "".join(line + "\r\n" for line in [*lines, ""]).encode()


class AnswerReader:
    """Reads the responses that come in on a socket, one after another, however they are cut into packets."""

    def __init__(self, sock):
        self._file = sock.makefile("rb")

    def next(self, to="POST"):
        """The response to a request of that method, or None when the server has closed the connection before it."""
        status_line = self._file.readline()
        if not status_line:
            return None
        assert status_line.startswith(b"HTTP/1.1 "), status_line
        headers = {name.lower(): value for name, value in http.client.parse_headers(self._file).items()}
        length = 0 if to == "HEAD" else int(headers.get("content-length", 0))
        body = self._file.read(length)
        assert len(body) == length, f"the response was cut after {len(body)} of {length} bytes"
        return Answer(int(status_line.split()[1]), headers, body)

    def close(self):
        self._file.close()

    def at_end(self):
        """True when the server has closed the connection and nothing more came."""
        return self._file.read(1) == b""


class ServerTest(unittest.TestCase):
    """One server in memory, and one connection to it, for all tests of a class."""

    maxDiff = None
    TEXTS = "current"

    @classmethod
    def setUpClass(cls):
        cls.server = Server(flags=["--texts", cls.TEXTS])
        cls.server.start()
        cls.addClassCleanup(cls.server.close)
        cls.connection = cls.server.connection()
        cls.addClassCleanup(cls.connection.close)


def create_table(server, name, partition="pk", sort=None, types="SS", **others):
    """Makes a table whose keys have the given types; on demand unless told otherwise. Returns its description."""
    keys = [partition] if sort is None else [partition, sort]
    body = {
        "TableName": name,
        "KeySchema": [{"AttributeName": key, "KeyType": kind} for key, kind in zip(keys, ["HASH", "RANGE"])],
        "AttributeDefinitions": [{"AttributeName": key, "AttributeType": kind} for key, kind in zip(keys, types)],
    }
    if "ProvisionedThroughput" not in others:
        body["BillingMode"] = "PAY_PER_REQUEST"
    return server.must("CreateTable", body | others)["TableDescription"]

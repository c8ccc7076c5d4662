"""A server under test: how it is started, called, measured from outside, and stopped."""

import http.client
import json
import os
import pathlib
import signal
import socket
import ssl
import subprocess
import sys
import time

from programs import COMMANDS, ROOT, YARDSTICKS, Broken, Unavailable

sys.path.append(str(ROOT / "bench"))
from signing import signed_headers  # noqa: E402

START_S_MAX = 60
STOP_S_MAX = 10
QUIET_S_MAX = 1
TICKS_PER_S = os.sysconf("SC_CLK_TCK")

STREAM_OPERATIONS = ("ListStreams", "DescribeStream", "GetShardIterator", "GetRecords")
UNSIGNED = {
    "Content-Type": "application/x-amz-json-1.0",
    "X-Amz-Date": "20260101T000000Z",
    # As long as a real one. Servers that check none serve it.
    "Authorization": "AWS4-HMAC-SHA256 Credential=local/20260101/us-east-1/dynamodb/aws4_request, "
                     "SignedHeaders=content-type;host;x-amz-date;x-amz-target, Signature=" + "0" * 64,
}


def target_of(operation):
    return f"{'DynamoDBStreams' if operation in STREAM_OPERATIONS else 'DynamoDB'}_20120810.{operation}"


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Server:
    """One server process. `stop` may be called at any time and ends all of it."""

    def __init__(self, name, work, command=None, tls=False, key=None):
        """`command` gives the words for a port and a folder. With a `key` its requests are signed."""
        self.name, self.tls, self.key = name, tls, key
        self.command = command or COMMANDS[name]
        self.is_dolmen = name.startswith("dolmen") or command is not None  # Only another one may be missing or lack something.
        self.log = work / f"{name}.log"
        self.process = self.port = None
        self.start_ms = []
        self._work = work

    def start(self):
        """Starts the process with an empty store, and returns when it has answered its first request."""
        folder = self._work / f"{self.name}-{len(self.start_ms)}"
        folder.mkdir()
        self.port = free_port()
        command = [str(word) for word in self.command(self.port, folder / "data")]
        with open(self.log, "wb") as log:
            begin = time.monotonic()
            # Its own session: Ctrl-C must reach only this program, which then stops the servers in order.
            self.process = subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=log,
                                            stderr=subprocess.STDOUT, start_new_session=True)
        self._await_first_answer(begin + START_S_MAX)
        self.start_ms.append((time.monotonic() - begin) * 1000)

    def _await_first_answer(self, deadline):
        while time.monotonic() < deadline:
            if self.process.poll() is not None:
                raise Unavailable(f"it ended with status {self.process.returncode}: {self.log_end(3)}")
            try:
                if self._answers():
                    return
            except (OSError, Broken):
                pass
            time.sleep(0.001)
        raise Unavailable(f"no answer within {START_S_MAX} s: {self.log_end(3)}")

    def _answers(self):
        if self.name != "redis":
            return self.call("ListTables", {})[0] == 200
        with socket.create_connection(("127.0.0.1", self.port), 1) as sock:
            sock.sendall(b"PING\r\n")
            return sock.recv(64) == b"+PONG\r\n"

    def stop(self):
        if self.process is None:
            return
        try:
            os.killpg(self.process.pid, signal.SIGTERM)
            self.process.wait(STOP_S_MAX)
        except (ProcessLookupError, subprocess.TimeoutExpired):
            pass
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.wait()
        self.process = None

    @property
    def url(self):
        return f"{'https' if self.tls else 'http'}://127.0.0.1:{self.port}/"

    def headers(self, operation, payload):
        target = target_of(operation)
        return signed_headers(target, payload, self.key) if self.key else UNSIGNED | {"X-Amz-Target": target}

    def call(self, operation, body):
        """One request and its answer: status and JSON. A new connection each time, as servers close those that idle."""
        if self.tls:
            # Whose certificate it is does not matter on loopback.
            connection = http.client.HTTPSConnection("127.0.0.1", self.port, timeout=10,
                                                     context=ssl._create_unverified_context())
        else:
            connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        try:
            payload = json.dumps(body).encode()
            connection.request("POST", "/", payload, self.headers(operation, payload))
            answer = connection.getresponse()
            return answer.status, json.loads(answer.read() or "null")
        except (http.client.HTTPException, ValueError) as problem:
            raise Broken(f"{operation}: {problem!r}") from problem
        finally:
            connection.close()

    def must(self, operation, body):
        status, answer = self.call(operation, body)
        if status != 200:
            raise Broken(f"{operation} was answered with {status} {json.dumps(answer)[:500]}")
        return answer

    @property
    def has_tables(self):
        return self.name not in YARDSTICKS

    def create(self, definition):
        """Creates a table, and returns when it is ready."""
        self.must("CreateTable", definition)
        self.await_active(definition["TableName"])

    def put_all(self, requests):
        for body in requests:
            self.must("PutItem", body)

    def await_active(self, table):
        deadline = time.monotonic() + 10
        while self.must("DescribeTable", {"TableName": table})["Table"]["TableStatus"] != "ACTIVE":
            if time.monotonic() > deadline:
                raise Broken("the table did not become ACTIVE within 10 s")
            time.sleep(0.01)

    def cpu_s(self):
        """User and system time of all threads so far, including those that have ended."""
        stat = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text()
        fields = stat[stat.rindex(")") + 2:].split()  # The name before it may hold spaces.
        return (int(fields[11]) + int(fields[12])) / TICKS_PER_S

    def await_quiet(self):
        """Returns when deferred work (flushes, garbage collection) is done, or after QUIET_S_MAX."""
        deadline = time.monotonic() + QUIET_S_MAX
        before = self.cpu_s()
        while time.monotonic() < deadline:
            time.sleep(0.1)
            now = self.cpu_s()
            if now - before <= 0.01:
                return
            before = now

    def rss_mb(self):
        for line in pathlib.Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) / 1024
        raise Broken("it has ended")

    def log_end(self, lines):
        return " / ".join(self.log.read_text(errors="replace").splitlines()[-lines:])

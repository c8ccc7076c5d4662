"""The servers under test: how each is started, called, measured from outside, and stopped."""

import http.client
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
DOLMEN = pathlib.Path(os.environ.get("DOLMEN_BIN", ROOT / "build/release/bin/dolmen"))
PEERS = pathlib.Path(os.environ.get("DOLMEN_PEERS", ROOT / "build/peers")) / "node_modules"

START_S_MAX = 60
STOP_S_MAX = 10
QUIET_S_MAX = 1
TICKS_PER_S = os.sysconf("SC_CLK_TCK")

HEADERS = {
    "Content-Type": "application/x-amz-json-1.0",
    "X-Amz-Date": "20260101T000000Z",
    "Authorization": "AWS4-HMAC-SHA256 Credential=local/20260101/us-east-1/dynamodb/aws4_request, "
                     "SignedHeaders=content-type;host;x-amz-date;x-amz-target, Signature=" + "0" * 64,
}


class Unavailable(Exception):
    """The server cannot be run on this machine; the text says why."""


class Broken(Exception):
    """The server failed; the text says how."""


# ---- Commands -------------------------------------------------------------------------------------------------------

def need(program, path):
    """The program's full path, when the file that it is to run exists too."""
    found = shutil.which(program)
    if not found:
        raise Unavailable(f"there is no {program}")
    if not path.exists():
        raise Unavailable(f"there is no {path}")
    return found


def dolmen(*flags):
    if not DOLMEN.exists():
        raise Broken(f"there is no {DOLMEN}")
    return [DOLMEN, "serve", "--host", "127.0.0.1", *flags]


def dynalite(port):
    program = PEERS / "dynalite/cli.js"
    return [need("node", program), program, "--host", "127.0.0.1", "--port", port, "--createTableMs", "10"]


def dynamodb_local(port):
    folder = PEERS / "amplify-dynamodb-simulator/emulator"
    java = need("java", folder / "DynamoDBLocal.jar")
    # Disables its telemetry to AWS. It always listens on every address.
    return [java, f"-Djava.library.path={folder}/DynamoDBLocal_lib", "-jar", folder / "DynamoDBLocal.jar",
            "-inMemory", "-disableTelemetry", "-port", port]


# The peers keep their data in memory, where both are faster: on disk, a PutItem cost dynalite 1.6 times and DynamoDB
# Local some 5 times the CPU time.
COMMANDS = {
    "dolmen-os": lambda port, folder: dolmen("--port", port, "--data", folder, "--durability", "os"),
    "dolmen-memory": lambda port, folder: dolmen("--port", port, "--memory"),
    "dolmen-sync": lambda port, folder: dolmen("--port", port, "--data", folder, "--durability", "sync"),
    "dynalite": lambda port, folder: dynalite(port),
    "dynamodb-local": lambda port, folder: dynamodb_local(port),
}


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


# ---- A server -------------------------------------------------------------------------------------------------------

class Server:
    """One server process. `stop` may be called at any time and ends all of it."""

    def __init__(self, name, work):
        self.name = name
        self.log = work / f"{name}.log"
        self.process = self.port = None
        self.start_ms = []
        self._work = work

    def start(self):
        """Starts the process with an empty store, and returns when it has answered its first request."""
        folder = self._work / f"{self.name}-{len(self.start_ms)}"
        folder.mkdir()
        self.port = free_port()
        command = [str(word) for word in COMMANDS[self.name](self.port, folder / "data")]
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
                if self.call("ListTables", {})[0] == 200:
                    return
            except (OSError, Broken):
                pass
            time.sleep(0.001)
        raise Unavailable(f"no answer within {START_S_MAX} s: {self.log_end(3)}")

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

    def call(self, operation, body):
        """One request and its answer: status and JSON. A new connection each time, as servers close those that idle."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        try:
            connection.request("POST", "/", json.dumps(body),
                               HEADERS | {"X-Amz-Target": f"DynamoDB_20120810.{operation}"})
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

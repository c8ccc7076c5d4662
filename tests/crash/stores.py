"""Stores that can be killed: a server, and a program with an embedded store. Both give out clients that are used alike."""

import contextlib
import json
import os
import pathlib
import random
import select
import signal
import socket
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/system"))

from connection import Connection  # noqa: E402
from dolmen_server import BINARY, PATIENCE_S, DidNotStart, Server, clean_environment, encode, target_of  # noqa: E402

# What a client sees of a store that goes away.
GONE = (OSError,)
LIBRARY = os.environ.get("DOLMEN_LIBRARY", str(pathlib.Path(BINARY).resolve().parents[1] / "lib/libdolmen.so"))


class Violation(Exception):
    """A promise was broken."""


def expect(holds, complaint):
    if not holds:
        raise Violation(complaint)


def own(operation):
    """The full name of one of Dolmen's own operations."""
    return f"Dolmen_20261115.{operation}"


class EmbeddedClient:
    """The same calls as `Connection` has, to an embedded program."""

    def __init__(self, path):
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.settimeout(2 * PATIENCE_S)
        self._socket.connect(path)
        self._file = self._socket.makefile("rb")

    def call(self, operation, body):
        payload = encode(body)
        self._socket.sendall(f"{target_of(operation)} {len(payload)}\n".encode() + payload)
        line = self._file.readline()
        if not line:
            raise ConnectionError("the program has ended")
        status, length = map(int, line.split())
        answer = self._file.read(length)
        if len(answer) < length:
            raise ConnectionError("the program has ended")
        return status, json.loads(answer)

    def must(self, operation, body):
        status, answer = self.call(operation, body)
        assert status == 200, f"{operation} {body}: {status} {answer}"
        return answer

    def close(self):
        self._file.close()
        self._socket.close()


class Served:
    """A `dolmen serve` on a directory."""

    NAME = "server"

    def __init__(self, folder):
        (folder / "buckets/archive").mkdir(parents=True, exist_ok=True)
        self._flags = ["--buckets", str(folder / "buckets"), "--backups", str(folder / "backups")]
        self._data = folder / "data"
        self._server = Server(self._data, self._flags)

    def start(self):
        try:
            self._server.start()
        except DidNotStart as error:
            raise Violation(f"the store does not open any more: {str(error)[-1000:]}") from error

    def client(self):
        return Connection(self._server.port)

    @property
    def process(self):
        return self._server.process

    def begin_to_start(self):
        return subprocess.Popen([BINARY, "serve", "--port", "0", "--data", str(self._data), *self._flags],
                                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def kill(self):
        end(self.process, self._server.errors)
        self.process.stdout.close()

    def close(self):
        self._server.close()


class Embedded:
    """A program that has the store in its own process."""

    NAME = "embedded"

    def __init__(self, folder):
        self._data = folder / "data"
        # Paths of sockets are short.
        self._sockets = tempfile.TemporaryDirectory(prefix="dolmen-", dir="/tmp")
        self._starts = 0
        self.process = None
        self._errors = tempfile.TemporaryFile("w+")

    def _command(self, path):
        program = pathlib.Path(__file__).with_name("embedded_program.py")
        return [sys.executable, str(program), LIBRARY, str(self._data), path]

    def start(self):
        self._starts += 1
        self._path = f"{self._sockets.name}/{self._starts}"
        self.process = subprocess.Popen(self._command(self._path), env=clean_environment(os.devnull), stdin=subprocess.DEVNULL,
                                        stdout=subprocess.PIPE, stderr=self._errors, text=True)
        ready, _, _ = select.select([self.process.stdout], [], [], PATIENCE_S)
        line = self.process.stdout.readline() if ready else ""
        expect(line == "ready\n", f"the embedded program did not start: {line}{self._told()}")

    def _told(self):
        self._errors.seek(0)
        return self._errors.read()

    def client(self):
        return EmbeddedClient(self._path)

    def begin_to_start(self):
        self._starts += 1
        return subprocess.Popen(self._command(f"{self._sockets.name}/{self._starts}"), env=clean_environment(os.devnull),
                                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def kill(self):
        end(self.process, self._told)
        self.process.stdout.close()

    def close(self):
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process.stdout.close()
        self._errors.close()
        self._sockets.cleanup()


def end(process, told):
    """Ends a process by SIGKILL, and complains if it has ended in another way before."""
    process.kill()
    status = process.wait()
    expect(status == -signal.SIGKILL, f"the store ended by itself, with status {status}: {told()}")


def interrupt_some_starts(store, dice: random.Random):
    """Recovery may be killed as well, at any moment and again and again."""
    count = dice.choice([0, 0, 0, 1, 2])
    for _ in range(count):
        start = store.begin_to_start()
        with contextlib.suppress(subprocess.TimeoutExpired):
            start.wait(dice.uniform(0, 0.06))
        start.kill()
        start.wait()
    return count

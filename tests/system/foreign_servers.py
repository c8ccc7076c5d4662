"""Other implementations of DynamoDB from build/peers, started in memory on ports that the system chose."""

import os
import pathlib
import shutil
import socket
import subprocess
import tempfile
import time

from dolmen_server import PATIENCE_S, ROOT, clean_environment

MODULES = pathlib.Path(os.environ.get("DOLMEN_PEERS", ROOT / "build/peers")) / "node_modules"


STARTS_MAX = 5


class ForeignServer:
    """A program that listens on a port it is told."""

    name = program = file = None

    @classmethod
    def why_missing(cls):
        """Why it cannot run here, or None when it can."""
        if shutil.which(cls.program) is None:
            return f"there is no {cls.program}"
        if not cls.file.exists():
            return f"{cls.name} is not in build/peers; tools/fetch_peers gets it"
        return None

    def command(self):
        raise NotImplementedError

    def __enter__(self):
        # Somebody else can take the port before the program does.
        for _ in range(STARTS_MAX - 1):
            try:
                return self._start()
            except RuntimeError as error:
                if "in use" not in str(error):
                    raise
        return self._start()

    def _start(self):
        self._output = tempfile.TemporaryFile("w+")
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self._process = subprocess.Popen(
            self.command(), cwd=self.file.parent, env=clean_environment(os.devnull) | {"PATH": os.environ["PATH"]},
            stdin=subprocess.DEVNULL, stdout=self._output, stderr=self._output)
        self._wait_until_it_listens()
        return self

    def __exit__(self, *_):
        self._process.kill()
        self._process.wait()
        self._output.close()

    def _wait_until_it_listens(self):
        deadline = time.monotonic() + 2 * PATIENCE_S
        while time.monotonic() < deadline and self._process.poll() is None:
            try:
                socket.create_connection(("127.0.0.1", self.port), PATIENCE_S).close()
                return
            except ConnectionRefusedError:
                time.sleep(0.1)
        self._output.seek(0)
        text = self._output.read()
        self.__exit__()
        raise RuntimeError(f"{self.name} did not start: {text}")


class DynamoDbLocal(ForeignServer):
    """AWS's DynamoDB Local."""

    name, program = "DynamoDB Local", "java"
    file = MODULES / "amplify-dynamodb-simulator/emulator/DynamoDBLocal.jar"

    def command(self):
        # One compiler thread and the simple collector: the run is short, and the cores are shared with what it tests.
        return ["java", "-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Djava.library.path=DynamoDBLocal_lib",
                "-jar", "DynamoDBLocal.jar", "-inMemory", "-disableTelemetry", "-port", str(self.port)]


class Dynalite(ForeignServer):
    name, program = "dynalite", "node"
    file = MODULES / "dynalite/cli.js"

    def command(self):
        return ["node", "cli.js", "--host", "127.0.0.1", "--port", str(self.port), "--createTableMs", "5",
                "--deleteTableMs", "5", "--updateTableMs", "5"]

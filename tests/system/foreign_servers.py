"""Other implementations of DynamoDB from build/peers, started in memory on ports that the system chose."""

import json
import os
import pathlib
import shutil
import socket
import subprocess
import tempfile
import time

from dolmen_server import PATIENCE_S, ROOT, clean_environment

PEERS = pathlib.Path(os.environ.get("DOLMEN_PEERS", ROOT / "build/peers"))
MODULES = PEERS / "node_modules"
# The newest DynamoDB Local, whose file has its version in its name.
NEWEST_LOCAL = PEERS / "dynamodb-local/lib"


STARTS_MAX = 5


class ForeignServer:
    """A program that listens on a port it is told."""

    name = program = file = None

    @classmethod
    def version(cls):
        """The version of the program that is there."""
        raise NotImplementedError

    @classmethod
    def why_missing(cls):
        """Why it cannot run here, or None when it can."""
        if shutil.which(cls.program) is None:
            return f"there is no {cls.program}"
        if not cls.file.exists():
            return f"{cls.name} is not in build/peers; `tools/fetch_peers all` gets it"
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


# One compiler thread and the simple collector: the run is short, and the cores are shared with what it tests.
JAVA = ["java", "-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"]


class DynamoDbLocal(ForeignServer):
    """AWS's DynamoDB Local, in the version that tests/differential knows."""

    name, program = "DynamoDB Local", "java"
    file = MODULES / "amplify-dynamodb-simulator/emulator/DynamoDBLocal.jar"

    def command(self):
        return [*JAVA, "-Djava.library.path=DynamoDBLocal_lib", "-jar", "DynamoDBLocal.jar", "-inMemory", "-disableTelemetry",
                "-port", str(self.port)]


class NewestDynamoDbLocal(ForeignServer):
    """AWS's DynamoDB Local, from Maven Central."""

    name, program = "DynamoDB Local", "java"
    file = next(NEWEST_LOCAL.glob("DynamoDBLocal-*.jar"), NEWEST_LOCAL / "DynamoDBLocal.jar")

    @classmethod
    def version(cls):
        return cls.file.stem.partition("-")[2]

    def command(self):
        return [*JAVA, "-Djava.library.path=.", "-cp", "*", "software.amazon.dynamodb.services.local.main.ServerRunner",
                "-inMemory", "-disableTelemetry", "-port", str(self.port)]


class Dynalite(ForeignServer):
    name, program = "dynalite", "node"
    file = MODULES / "dynalite/cli.js"

    @classmethod
    def version(cls):
        return json.loads((cls.file.parent / "package.json").read_text())["version"]

    def command(self):
        return ["node", "cli.js", "--host", "127.0.0.1", "--port", str(self.port), "--createTableMs", "5",
                "--deleteTableMs", "5", "--updateTableMs", "5"]


class Dynoxide(ForeignServer):
    """On SQLite in memory."""

    name = "Dynoxide"
    file = PEERS / "dynoxide/bin/dynoxide"
    program = str(file)

    @classmethod
    def why_missing(cls):
        return None if cls.file.exists() else f"{cls.name} is not in build/peers; `tools/fetch_peers all` gets it"

    @classmethod
    def version(cls):
        return subprocess.run([cls.file, "--version"], capture_output=True, text=True, check=True).stdout.split()[-1]

    def command(self):
        return [self.program, "serve", "--host", "127.0.0.1", "--port", str(self.port), "--log", "quiet"]

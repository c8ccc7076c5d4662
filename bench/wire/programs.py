"""How each server under test is started: Dolmen, other implementations of DynamoDB, and yardsticks."""

import json
import os
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "bench"))
from machine import rocksdb_of  # noqa: E402

DOLMEN = pathlib.Path(os.environ.get("DOLMEN_BIN", ROOT / "build/release/bin/dolmen"))
BESIDE = os.environ.get("OTHER_DOLMEN")
PEERS = pathlib.Path(os.environ.get("DOLMEN_PEERS", ROOT / "build/peers"))


class Unavailable(Exception):
    """The server cannot be run on this machine; the text says why."""


class Broken(Exception):
    """The server failed; the text says how."""


def need(program, path):
    """The program's full path, when the file that it is to run exists too."""
    found = shutil.which(program)
    if not found:
        raise Unavailable(f"there is no {program}")
    if not path.exists():
        raise Unavailable(f"there is no {path}; tools/fetch_peers all fetches what this machine can reach")
    return found


def dolmen(port, *flags, program=DOLMEN):
    if not program.exists():
        raise Broken(f"there is no {program}")
    return [program, "serve", "--host", "127.0.0.1", "--port", port, *flags]


def dynalite(port):
    program = PEERS / "node_modules/dynalite/cli.js"
    return [need("node", program), program, "--host", "127.0.0.1", "--port", port, "--createTableMs", "10"]


def dynoxide(port):
    program = PEERS / "dynoxide/bin/dynoxide"
    return [need(str(program), program), "serve", "--host", "127.0.0.1", "--port", port, "--log", "quiet"]


# Telemetry to AWS is off. It always listens on every address.
LOCAL_FLAGS = ["-inMemory", "-disableTelemetry", "-port"]


def dynamodb_local(port):
    folder = PEERS / "dynamodb-local/lib"
    java = need("java", next(folder.glob("DynamoDBLocal-*.jar"), folder / "DynamoDBLocal.jar"))
    return [java, f"-Djava.library.path={folder}", "-cp", f"{folder}/*",
            "software.amazon.dynamodb.services.local.main.ServerRunner", *LOCAL_FLAGS, port]


def old_dynamodb_local(port):
    folder = PEERS / "node_modules/amplify-dynamodb-simulator/emulator"
    java = need("java", folder / "DynamoDBLocal.jar")
    return [java, f"-Djava.library.path={folder}/DynamoDBLocal_lib", "-jar", folder / "DynamoDBLocal.jar",
            *LOCAL_FLAGS, port]


def null_server(port):
    program = ROOT / "build/release/bin/null_server"
    return [need(str(program), program), port]


def bare_server(way, port):
    program = ROOT / "build/release/bin/bare_server"
    return [need(str(program), program), way, port]


def redis(port):
    program = need("redis-server", ROOT)
    need("redis-benchmark", ROOT)
    return [program, "--bind", "127.0.0.1", "--port", port, "--save", "", "--appendonly", "no"]


# The peers keep their data in memory, where they are faster: on disk, a PutItem cost dynalite 1.6 times and DynamoDB
# Local some 5 times the CPU time.
COMMANDS = {
    "dolmen-os": lambda port, folder: dolmen(port, "--data", folder, "--durability", "os"),
    "dolmen-memory": lambda port, folder: dolmen(port, "--memory"),
    "dolmen-sync": lambda port, folder: dolmen(port, "--data", folder, "--durability", "sync"),
    "dynalite": lambda port, folder: dynalite(port),
    "dynoxide": lambda port, folder: dynoxide(port),
    "dynamodb-local": lambda port, folder: dynamodb_local(port),
    "dynamodb-local-1": lambda port, folder: old_dynamodb_local(port),
    **({"dolmen-beside": lambda port, folder: dolmen(port, "--data", folder, "--durability", "os", program=pathlib.Path(BESIDE))}
       if BESIDE else {}),
    "null": lambda port, folder: null_server(port),
    "epoll": lambda port, folder: bare_server("epoll", port),
    "io-uring": lambda port, folder: bare_server("io-uring", port),
    "redis": lambda port, folder: redis(port),
}


def version_of(name):
    """What to call the server in a table."""
    def said(*command):
        return subprocess.run(command, capture_output=True, text=True, timeout=60).stdout.split()

    if name == "dynalite":
        return "dynalite " + json.loads((PEERS / "node_modules/dynalite/package.json").read_text())["version"]
    if name == "dynoxide":
        return "Dynoxide " + (PEERS / "dynoxide.stamp").read_text().strip().rpartition("@")[2]
    if name == "dynamodb-local":
        return "DynamoDB Local " + next((PEERS / "dynamodb-local/lib").glob("DynamoDBLocal-*.jar")).stem.partition("-")[2]
    if name == "dynamodb-local-1":
        return "DynamoDB Local 1.25.1"
    if name == "dolmen-beside":
        return f"Dolmen, {rocksdb_of(BESIDE)}"
    if name == "redis":
        return "Redis " + next(word[2:] for word in said("redis-server", "--version") if word.startswith("v="))
    return {"dolmen-os": "Dolmen", "dolmen-memory": "Dolmen in memory", "dolmen-sync": "Dolmen with syncs", "null": "null handler",
            "epoll": "epoll alone", "io-uring": "io_uring alone"}[name]


YARDSTICKS = ("null", "epoll", "io-uring", "redis")  # They have no tables.

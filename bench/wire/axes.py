"""What Dolmen costs when one thing is varied and everything else stays as it is: 16 connections, 1 KB, no index, no stream.

An axis is a list of variants. Each has a server of its own; they run at once and take turns.
"""

import dataclasses
import json
import subprocess

import bodies
from programs import DOLMEN, Broken, dolmen
from scenarios import Scenario
from servers import Server

PREPARED_S_MAX = 60


@dataclasses.dataclass(frozen=True)
class Variant:
    name: str
    size: int = bodies.ITEM_BYTES
    connections: int = 16
    indexes: int = 0
    stream: bool = False
    time_to_live: bool = False
    auth: bool = False
    tls: bool = False


AXES = {
    "item size": [Variant("100 B", size=100), Variant("1 KB"), Variant("100 KB", size=100 * 1024)],
    "connections": [Variant("1", connections=1), Variant("16"), Variant("64", connections=64),
                    Variant("1,000", connections=1000)],
    "indexes": [Variant("0 indexes"), Variant("1 index", indexes=1), Variant("5 indexes", indexes=5)],
    "stream and time to live": [Variant("neither"), Variant("stream", stream=True),
                                Variant("time to live", time_to_live=True),
                                Variant("both", stream=True, time_to_live=True)],
    "auth and TLS": [Variant("neither"), Variant("auth", auth=True), Variant("TLS", tls=True),
                     Variant("both", auth=True, tls=True)],
}


def more_of(variant):
    return {"ttl": {"N": bodies.LATER}} if variant.time_to_live else {}


def scenarios_of(axis, variant):
    """A read, and a write that changes every attribute but the keys."""
    size, more = variant.size, more_of(variant)
    return [
        Scenario(f"{axis}: get", "GetItem", connections=variant.connections, bodies=lambda _: bodies.gets()),
        Scenario(f"{axis}: put", "PutItem", connections=variant.connections,
                 bodies=lambda _: bodies.changing_puts(size, **more)),
    ]


def run_dolmen(*words):
    done = subprocess.run([str(word) for word in (DOLMEN, *words)], capture_output=True, text=True, timeout=PREPARED_S_MAX)
    if done.returncode != 0:
        raise Broken(f"{words[0]} {words[1]}: {done.stderr.strip()}")
    return done.stdout


class Guards:
    """An access file with a key, and a certificate, made once in a folder."""

    def __init__(self, folder):
        self.access, self.certificate, self.private = (folder / name for name in ("access.yaml", "cert.pem", "key.pem"))
        made = json.loads(run_dolmen("access", "create", "--file", self.access, "--role", "admin", "--json"))
        self.key = {"id": made["id"], "secret": made["secret"]}
        run_dolmen("tls", "self-signed", "--name", "localhost", "--cert", self.certificate, "--key", self.private)

    def flags(self, variant):
        auth = ["--auth", "enforce", "--access", self.access] if variant.auth else []
        tls = ["--tls-cert", self.certificate, "--tls-key", self.private] if variant.tls else []
        return [*auth, *tls]


def start(variant, work, guards):
    """A server with the variant's table, filled."""
    server = Server(variant.name.replace(" ", "-"), work, tls=variant.tls, key=guards.key if variant.auth else None,
                    command=lambda port, folder: dolmen(port, "--data", folder, "--durability", "os", *guards.flags(variant)))
    try:
        server.start()
        more = {"StreamSpecification": bodies.STREAM} if variant.stream else {}
        server.create(bodies.indexed_table(variant.indexes, **more))
        if variant.time_to_live:
            server.must("UpdateTimeToLive", {"TableName": bodies.TABLE, "TimeToLiveSpecification": {
                "Enabled": True, "AttributeName": "ttl"}})
        server.put_all(bodies.puts(size=variant.size, **more_of(variant)))
    except BaseException:
        server.stop()
        raise
    return server

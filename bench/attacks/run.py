#!/usr/bin/python3
"""Small requests that once cost much: what each is answered, what it costs the server, and how long others wait meanwhile.

    bench/attacks/run.py [NAME...]

One client sends the attack while another sends GetItem again and again. Prints for each attack the bytes sent, the answer, the
CPU time and the memory of the server, and the longest time that the other client waited.
"""

import argparse
import gzip
import json
import pathlib
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/system"))

from dolmen_server import Server, create_table, headers_for, read_answer  # noqa: E402


def cpu_s(server):
    fields = pathlib.Path(f"/proc/{server.process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / 100


class Other:
    """A client that reads one item again and again."""

    def __init__(self, server, may_be_refused=False):
        """Of a server at one of its limits, 503 is an answer too."""
        self._server = server
        self._fine = (200, 503) if may_be_refused else (200,)
        self._stop = threading.Event()
        self.longest_ms = 0.0
        self._thread = threading.Thread(target=self._run)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._stop.set()
        self._thread.join()

    def _run(self):
        connections = [self._server.connection() for _ in range(4)]  # On several network threads.
        while not self._stop.is_set():
            for connection in connections:
                begun = time.monotonic()
                connection.timeout = 600
                answer = self._server.call("GetItem", {"TableName": "small", "Key": {"pk": {"S": "a"}}}, connection)
                assert answer.status in self._fine, answer
                self.longest_ms = max(self.longest_ms, (time.monotonic() - begun) * 1000)
            time.sleep(0.001)


def send(server, operation, body):
    """Compressed, because that is how a small request becomes a large one."""
    payload = gzip.compress(json.dumps(body).encode(), 9)
    connection = server.connection()
    connection.timeout = 600
    connection.request("POST", "/", payload, headers_for(operation) | {"Content-Encoding": "gzip"})
    answer = read_answer(connection)
    connection.close()
    return len(payload), answer


def names(count):
    return [f"n{number}" for number in range(count)]


ATTACKS = {
    "AttributesToGet of 8,000 names": ("Scan", {"TableName": "many", "AttributesToGet": names(8_000)}),
    "AttributesToGet of 100,000 names": ("Scan", {"TableName": "many", "AttributesToGet": names(100_000)}),
    "CreateTable with 300,000 definitions": ("CreateTable", {
        "TableName": "new", "BillingMode": "PAY_PER_REQUEST", "KeySchema": [{"AttributeName": "n0", "KeyType": "HASH"}],
        "AttributeDefinitions": [{"AttributeName": name, "AttributeType": "S"} for name in names(300_000)]}),
    "legacy IN of 50,000 values": ("Scan", {"TableName": "many", "ScanFilter": {
        "t": {"ComparisonOperator": "IN", "AttributeValueList": [{"S": name} for name in names(50_000)]}}}),
    "200 contains of a long needle": ("Scan", {
        "TableName": "long", "FilterExpression": " OR ".join(["contains(t, :v)"] * 200),
        "ExpressionAttributeValues": {":v": {"S": "a" * 100_000 + "b"}}}),
    "480 SET of a value of 2 MB": ("UpdateItem", {
        "TableName": "small", "Key": {"pk": {"S": "a"}},
        "UpdateExpression": "SET " + ", ".join(f"a{number} = :v" for number in range(480)),
        "ExpressionAttributeValues": {":v": {"S": "x" * 2_000_000}}}),
    "echo of 15 MB": ("GetItem", {"TableName": "x" * 15_000_000, "Key": {"pk": {"S": "a"}}}),
    "echo of 15 MB in a list": ("CreateTable", {"TableName": "a" * 15_000_000, "BillingMode": "y" * 1_000_000}),
}


def fill(server):
    create_table(server, "small", "pk")
    create_table(server, "many", "pk")
    create_table(server, "long", "pk")
    server.must("PutItem", {"TableName": "small", "Item": {"pk": {"S": "a"}}})
    for number in range(5):
        server.must("PutItem", {"TableName": "long", "Item": {"pk": {"S": str(number)}, "t": {"S": "a" * 180_000}}})
    for at in range(0, 5_000, 25):
        server.must("BatchWriteItem", {"RequestItems": {"many": [
            {"PutRequest": {"Item": {"pk": {"S": str(number)}, "t": {"S": "x"}, "n7": {"N": "1"}}}}
            for number in range(at, at + 25)]}})


def run_all(wanted):
    with tempfile.TemporaryDirectory() as folder, Server(pathlib.Path(folder) / "data") as server:
        fill(server)
        print(f"{'attack':<40}{'sent':>9}{'status':>8}{'answer':>10}{'CPU s':>8}{'memory':>9}{'wait ms':>9}")
        for name, (operation, body) in ATTACKS.items():
            if wanted and not any(word in name for word in wanted):
                continue
            before = cpu_s(server)
            with Other(server) as other:
                sent, answer = send(server, operation, body)
                taken = cpu_s(server) - before
            print(f"{name:<40}{sent:>9}{answer.status:>8}{len(answer.body):>10}{taken:>8.2f}"
                  f"{server.memory_bytes() >> 20:>6} MB{other.longest_ms:>9.0f}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*", help="attacks whose name contains one of these; without them, all")
    run_all(parser.parse_args().names)


if __name__ == "__main__":
    main()

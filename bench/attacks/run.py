#!/usr/bin/python3
"""Small requests that once cost much: what each is answered, what it costs the server, and how long others wait meanwhile.

    bench/attacks/run.py [NAME...]

One client sends the attack while another, a process of its own, sends GetItem again and again on several connections. Prints for
each attack:

    sent      bytes of the request
    status    of the answer, and its bytes
    CPU ms    of the server, and of that what its network threads took, with the requests of the other client
    memory    of the server, afterwards
    wait ms   how long the other client waited for an answer: the longest time, and how often it was more than 50 ms
    quiet ms  the longest time it waited just before, for as long, when there was no attack

Nobody else is held up by work that network threads do not do. On a busy machine the other client also waits for a core: compare with
`quiet ms`.
"""

import argparse
import gzip
import json
import multiprocessing
import os
import pathlib
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/system"))

from dolmen_server import Server, create_table, headers_for, read_answer  # noqa: E402


def cpu_ms(server, of_threads=None):
    """Of all threads, or of those with a name."""
    total = 0
    for task in pathlib.Path(f"/proc/{server.process.pid}/task").iterdir():
        if of_threads is None or (task / "comm").read_text().strip() == of_threads:
            total += int((task / "schedstat").read_text().split()[0])
    return total / 1e6


class Other:
    """A client that reads one item again and again, in a process of its own, so that it does not wait for the attacker."""

    def __init__(self, server, may_be_refused=False):
        """Of a server at one of its limits, 503 is an answer too."""
        self._server = server
        self._fine = (200, 503) if may_be_refused else (200,)
        self.longest_ms, self.above_50 = 0.0, 0
        self._mine, theirs = multiprocessing.Pipe()
        self._process = multiprocessing.get_context("fork").Process(target=self._run, args=(theirs,), daemon=True)

    def __enter__(self):
        self._process.start()
        self._mine.recv()  # It has connected.
        return self

    def __exit__(self, *_):
        self._mine.send("stop")
        self.longest_ms, self.above_50 = self._mine.recv()
        self._process.join()

    def _run(self, pipe):
        connections = [self._server.connection() for _ in range(4)]  # On several network threads.
        longest, above, begun_all = 0.0, 0, False
        while not pipe.poll():
            for connection in connections:
                connection.timeout = 600
                begun = time.monotonic()
                answer = self._server.call("GetItem", {"TableName": "small", "Key": {"pk": {"S": "a"}}}, connection)
                assert answer.status in self._fine, answer
                took = (time.monotonic() - begun) * 1000
                if begun_all:
                    longest, above = max(longest, took), above + (took > 50)
            if not begun_all:
                begun_all = True
                pipe.send("connected")
            time.sleep(0.001)
        pipe.send((longest, above))


def quiet_ms(server, seconds):
    """How long the other client waits for an answer at most when nothing happens."""
    with Other(server) as other:
        time.sleep(seconds)
    return other.longest_ms


def payload_of(body, plain):
    """Compressed unless it is small anyway, because that is how a small request becomes a large one."""
    text = json.dumps(body).encode()
    return (text, {}) if plain else (gzip.compress(text, 9), {"Content-Encoding": "gzip"})


def send(server, operation, payload, headers):
    connection = server.connection()
    connection.timeout = 600
    connection.request("POST", "/", payload, headers_for(operation) | headers)
    answer = read_answer(connection)
    connection.close()
    return answer


def names(count):
    return [f"n{number}" for number in range(count)]


def contains(count):
    return " OR ".join(["contains(t, :v)"] * count)


NEEDLE = {":v": {"S": "a" * 1_000 + "b"}}

# Operation and request. Those in PLAIN are small enough for a network thread as they are.
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
    "150 contains of a short needle": ("Scan", {
        "TableName": "long", "FilterExpression": contains(150), "ExpressionAttributeValues": NEEDLE}),
    "filters of 50 partitions in a statement": ("ExecuteStatement", {
        "Statement": "SELECT pk FROM long WHERE (" + " OR ".join(f"pk='{number}'" for number in range(50)) + ") AND ("
                     + " OR ".join(["contains(t,?)"] * 100) + ")",
        "Parameters": [NEEDLE[":v"]] * 100}),
    "20 conditions of 150 contains": ("TransactWriteItems", {"TransactItems": [
        {"ConditionCheck": {"TableName": "long", "Key": {"pk": {"S": str(number)}}, "ConditionExpression": contains(150),
                            "ExpressionAttributeValues": NEEDLE}} for number in range(20)]}),
    "BatchGetItem of 16 MB": ("BatchGetItem", {"RequestItems": {"long": {
        "Keys": [{"pk": {"S": str(number)}} for number in range(90)]}}}),
    "Scan of 1 MB of small items": ("Scan", {"TableName": "many"}),
    "echo of 15 MB in a list": ("CreateTable", {"TableName": "a" * 15_000_000, "BillingMode": "y" * 1_000_000}),
}


def fill(server):
    create_table(server, "small", "pk")
    create_table(server, "many", "pk")
    create_table(server, "long", "pk")
    server.must("PutItem", {"TableName": "small", "Item": {"pk": {"S": "a"}}})
    for number in range(90):
        server.must("PutItem", {"TableName": "long", "Item": {"pk": {"S": str(number)}, "t": {"S": "a" * 180_000}}})
    for at in range(0, 5_000, 25):
        server.must("BatchWriteItem", {"RequestItems": {"many": [
            {"PutRequest": {"Item": {"pk": {"S": str(number)}, "t": {"S": "x"}, "n7": {"N": "1"}}}}
            for number in range(at, at + 25)]}})


PLAIN = {"150 contains of a short needle", "filters of 50 partitions in a statement", "20 conditions of 150 contains",
         "BatchGetItem of 16 MB", "Scan of 1 MB of small items"}


def run_all(wanted):
    with tempfile.TemporaryDirectory() as folder, Server(pathlib.Path(folder) / "data") as server:
        fill(server)
        print(f"load average {os.getloadavg()[0]:.1f}")
        print(f"{'attack':<40}{'sent':>9}{'status':>8}{'answer':>10}{'CPU ms':>8}{'network':>9}{'memory':>9}{'wait ms':>9}"
              f"{'> 50':>6}{'quiet ms':>10}")
        for name, (operation, body) in ATTACKS.items():
            if wanted and not any(word in name for word in wanted):
                continue
            payload, headers = payload_of(body, name in PLAIN)
            quiet = quiet_ms(server, 1)
            with Other(server) as other:
                before, network_before = cpu_ms(server), cpu_ms(server, "network")
                answer = send(server, operation, payload, headers)
                taken, network = cpu_ms(server) - before, cpu_ms(server, "network") - network_before
            print(f"{name:<40}{len(payload):>9}{answer.status:>8}{len(answer.body):>10}{taken:>8.0f}{network:>9.0f}"
                  f"{server.memory_bytes() >> 20:>6} MB{other.longest_ms:>9.0f}{other.above_50:>6}{quiet:>10.0f}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*", help="attacks whose name contains one of these; without them, all")
    run_all(parser.parse_args().names)


if __name__ == "__main__":
    main()

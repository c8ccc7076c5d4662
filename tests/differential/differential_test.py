#!/usr/bin/python3
"""Sends the same requests to Dolmen and to AWS's DynamoDB Local and compares the answers.

    differential_test.py [--seed N|random] [--requests N] [--lanes N]

First the hand-made cases of cases/*.json, then random requests. A difference that known_differences.json does not list fails the run
and is printed with the smallest request and items that show it."""

import argparse
import os
import pathlib
import random
import sys
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "system"))

import hand_made
from dolmen_server import Server
from known_differences import KnownDifferences
from lane import Lane
from connection import Connection
from foreign_servers import DynamoDbLocal
from reproduction import Reproduction, signature

SHOWN_MAX = 20
# The run of all tests does not depend on luck; whoever looks for more differences asks for --seed random.
USUAL_SEED = "1002"


def options():
    parser = argparse.ArgumentParser(description="Compares Dolmen with DynamoDB Local.")
    parser.add_argument("--seed", default=os.environ.get("DOLMEN_SEED", USUAL_SEED), help="a number, or random")
    parser.add_argument("--requests", type=int, default=20_000)
    parser.add_argument("--lanes", type=int, default=4, help="connections that work at the same time")
    chosen = parser.parse_args()
    chosen.seed = random.SystemRandom().randrange(10**9) if chosen.seed == "random" else int(chosen.seed)
    return chosen


class Run:
    def __init__(self, dolmen_port, local_port):
        self._ports = dolmen_port, local_port
        self._failures = []

    def in_lane(self, name, work):
        """Calls the work with connections of its own; an exception in it fails the run."""
        connections = [Connection(port, name) for port in self._ports]
        try:
            work(*connections)
        except Exception as error:  # Kept for the main thread, which raises it.
            self._failures.append(error)
        finally:
            for connection in connections:
                connection.close()

    def all_lanes(self, lanes, count):
        threads = [threading.Thread(target=self.in_lane, args=(lane.name, lambda *both, lane=lane: lane.run(count, *both)))
                   for lane in lanes]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def raise_failure(self):
        if self._failures:
            raise self._failures[0]


def report(findings, local_port):
    """Prints each kind of difference once."""
    kinds = {}
    for finding in findings:
        kinds.setdefault(signature(finding), []).append(finding)
    for number, (kind, same) in enumerate(sorted(kinds.items(), key=lambda one: -len(one[1]))):
        print(f"\nnot listed, {len(same)} times: {' | '.join(kind)}")
        if number < SHOWN_MAX:
            print(Reproduction(same[0], local_port, number).text(), flush=True)
    return len(kinds)


def main():
    chosen = options()
    missing = DynamoDbLocal.why_missing()
    if missing:
        print(f"skipped: comparison with DynamoDB Local ({missing})")
        return 0
    print(f"seed {chosen.seed}; DOLMEN_SEED={chosen.seed} repeats it", flush=True)
    known, start = KnownDifferences(), time.monotonic()
    with DynamoDbLocal() as local, Server(flags=["--texts", "older"]) as dolmen:
        run = Run(dolmen.port, local.port)
        cases = hand_made.HandMade(known)
        run.in_lane("cases", cases.run)
        run.raise_failure()
        if not cases.with_legacy:
            print("skipped: legacy parameters (the server does not take them)")
        lanes = [Lane(chosen.seed, f"lane{number}", known, cases.with_legacy) for number in range(chosen.lanes)]
        run.all_lanes(lanes, -(-max(0, chosen.requests - cases.sent) // chosen.lanes))
        run.raise_failure()
        findings = cases.findings + [finding for lane in lanes for finding in lane.findings]
        sent = cases.sent + sum(lane.sent for lane in lanes)
        print(f"{sent} requests in {time.monotonic() - start:.0f} s, {len(findings)} differences that are not listed")
        kinds = report(findings, local.port)
    unmet = known.never_met()
    if unmet:
        print(f"listed differences that did not show in this run: {', '.join(unmet)}")
    return 1 if kinds else 0


if __name__ == "__main__":
    sys.exit(main())

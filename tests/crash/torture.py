#!/usr/bin/python3
"""Kills a store again and again while many clients use it, and compares what is left with what they were told.

    tests/crash/torture.py [--cycles 100] [--seed N] [--store served|embedded|mixed|any] [--log FILE] [--keep]

A life is a new store with some cycles: clients work, the process is killed with SIGKILL at a random moment, sometimes its
recovery too, it starts again, and everything is compared. The choices of a life depend on its seed; how the threads of the store and of
the clients meet is up to the machine. Prints cycles, operations and a verdict; exit status 1 after a violation, with the seed of the life.
"""

import argparse
import collections
import contextlib
import json
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

from stores import BINARY, GONE, ROOT, Embedded, Served, Violation, expect, interrupt_some_starts  # noqa: E402,I001
import bank  # noqa: E402
import items  # noqa: E402
from actor import whole_scan  # noqa: E402
from bank import Bank, Teller  # noqa: E402
from documents import ContractBreaker, DocumentWriter  # noqa: E402
from items import ItemTables, ItemWriter  # noqa: E402
from relations import TreeKeeper  # noqa: E402
from streams import SESSIONS, SessionWriter, StreamReader, make_sessions  # noqa: E402
from upkeep import Builder, Keeper  # noqa: E402
from vectors import VectorWriter  # noqa: E402

CYCLES_PER_LIFE = 20
ACKNOWLEDGED_MAX = 500
SECONDS_MAX = 0.3
KINDS = ("served", "served", "served", "embedded", "mixed")


class Countdown:
    """Does something once, when it has been called so many times."""

    def __init__(self, count, action):
        self._lock = threading.Lock()
        self._left, self._action = count, action

    def __call__(self):
        with self._lock:
            self._left -= 1
            now = self._left == 0
        if now:
            self._action()


class Life:
    """A store from its first start to its last kill."""

    def __init__(self, seed, kind, folder):
        self._dice = random.Random(seed)
        self.seed, self.folder = seed, folder
        self.kind = self._dice.choice(KINDS) if kind == "any" else kind
        classes = {"served": [Served], "embedded": [Embedded], "mixed": [Served, Embedded]}[self.kind]
        self._stores = [one(folder) for one in classes]
        self._store = self._stores[0]
        writers = [ItemWriter(f"w{number}") for number in range(3)]
        tellers = [Teller(f"teller{number}") for number in range(2)]
        self._readers = [StreamReader(items.THINGS, ("pk", "sk")), StreamReader(SESSIONS, ("pk",))]
        builder = Builder("builder")
        self.keeper = Keeper("keeper", folder, exports=self.kind == "served")
        self._actors = [builder, self.keeper, *writers, *tellers, SessionWriter("session"), DocumentWriter("doc"),
                        ContractBreaker("breaker"), TreeKeeper("tree"), VectorWriter("vector"), *self._readers]
        # An index that is being built is waited for by its builder, who comes first.
        self._checks = [builder, self.keeper, ItemTables(writers), *self._readers, Bank(tellers),
                        *(actor for actor in self._actors if not isinstance(actor, (Builder, Keeper, ItemWriter, Teller, StreamReader)))]
        self.cycles = self.interrupted = 0

    def close(self):
        for store in self._stores:
            store.close()

    def operations(self):
        counts = collections.Counter()
        for actor in self._actors:
            counts.update(actor.operations)
        return counts

    def expired(self):
        return sum(reader.expired() for reader in self._readers)

    def live(self, cycles):
        self._store.start()
        with contextlib.closing(self._store.client()) as client:
            items.make_tables(client)
            bank.make_tables(client)
            make_sessions(client)
            for actor in self._actors:
                actor.set_up(client)
        for number in range(cycles):
            self._work_until_killed(number)
            self.cycles += 1
            self._store = self._dice.choice(self._stores)
            self.interrupted += interrupt_some_starts(self._store, self._dice)
            self._store.start()
            self._check()
        self._store.kill()
        if self.keeper.store_backups:
            self._check_store_backup()

    def _work_until_killed(self, number):
        process = self._store.process
        by_count = self._dice.random() < 0.7
        countdown = Countdown(self._dice.randrange(1, ACKNOWLEDGED_MAX), process.kill)
        timer = threading.Timer(self._dice.uniform(0, SECONDS_MAX), process.kill)
        threads = []
        for actor in self._actors:
            actor.begin(f"{self.seed}/{number}", countdown if by_count else lambda: None)
            threads.append(threading.Thread(target=self._run, args=(actor,)))
        if not by_count:
            timer.start()
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        timer.cancel()
        self._store.kill()
        for actor in self._actors:
            expect(actor.violation is None, f"while the store was running: {actor.violation}")

    def _run(self, actor):
        """A client that finds a violation ends the cycle for the others."""
        with contextlib.suppress(*GONE), contextlib.closing(self._store.client()) as client:
            actor.run(client)
        if actor.violation is not None:
            self._store.process.kill()

    def _check(self):
        with contextlib.closing(self._store.client()) as client:
            for check in self._checks:
                try:
                    check.check(client)
                except AssertionError as error:
                    raise Violation(error) from error

    def _check_store_backup(self):
        """The backups of the whole store are whole, and a restored one is a store at one moment."""
        restored = self.folder / "restored"
        restored.mkdir()
        for arguments in (["verify", self.folder / "backups"], ["restore", self.folder / "backups", "--data", restored / "data"]):
            done = subprocess.run([BINARY, "backup", *map(str, arguments)], text=True, capture_output=True, stdin=subprocess.DEVNULL)
            expect(done.returncode == 0, f"dolmen backup {arguments[0]}: {done.stdout}{done.stderr}")
        store = Served(restored)
        try:
            store.start()
            with contextlib.closing(store.client()) as client:
                bank.check_sum(whole_scan(client, bank.BANK), "a restored store")
            store.kill()
        finally:
            store.close()


def report(life, seconds, verdict):
    return {"seed": life.seed, "store": life.kind, "cycles": life.cycles, "interrupted_recoveries": life.interrupted,
            "operations": sum(life.operations().values()), "by_name": dict(sorted(life.operations().items())),
            "expired": life.expired(), "store_backups": life.keeper.store_backups, "seconds": round(seconds, 1), "verdict": verdict}


def run_life(seed, options, cycles):
    """One life, and what is to be said of it."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="dolmen-crash-", dir=options.folder))
    life, begin, verdict = Life(seed, options.store, folder), time.monotonic(), "ok"
    try:
        life.live(cycles)
    except Violation as error:
        verdict = f"VIOLATION in cycle {life.cycles}: {error}"
    finally:
        life.close()
    if verdict == "ok" or not options.keep:
        shutil.rmtree(folder)
    else:
        verdict += f" (the store is in {folder})"
    return report(life, time.monotonic() - begin, verdict)


def commit_id():
    done = subprocess.run(["git", "-C", str(ROOT), "describe", "--always", "--dirty"], text=True, capture_output=True)
    return done.stdout.strip() or "unknown"


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--cycles", type=int, default=100)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32), help="of the first life; the next ones count up")
    parser.add_argument("--store", choices=("served", "embedded", "mixed", "any"), default="any")
    parser.add_argument("--folder", type=pathlib.Path, help="where the stores are made (default: the system's folder for temporary files)")
    parser.add_argument("--log", type=pathlib.Path, help="a file that gets a line of JSON for each life")
    parser.add_argument("--keep", action="store_true", help="keep the store of a life with a violation")
    options = parser.parse_args()
    print(f"seed {options.seed}", flush=True)
    totals, begin, commit = collections.Counter(), time.monotonic(), commit_id()
    seed = options.seed
    while totals["cycles"] < options.cycles:
        told = run_life(seed, options, min(CYCLES_PER_LIFE, options.cycles - totals["cycles"])) | {"commit": commit}
        if options.log:
            with options.log.open("a") as log:
                log.write(json.dumps(told) + "\n")
        totals.update({name: told[name] for name in ("cycles", "interrupted_recoveries", "operations", "expired", "store_backups")})
        totals["violations"] += told["verdict"] != "ok"
        if told["verdict"] != "ok":
            print(f"seed {seed} ({told['store']}): {told['verdict']}\n  repeat it with --seed {seed} --cycles {CYCLES_PER_LIFE}", flush=True)
            break
        seed += 1
    print(f"{totals['cycles']} kills and {totals['interrupted_recoveries']} interrupted recoveries, {totals['operations']} acknowledged operations, "
          f"{totals['expired']} items expired, {totals['store_backups']} backups of the store, {time.monotonic() - begin:.0f} s: "
          f"{totals['violations']} violations")
    sys.exit(1 if totals["violations"] else 0)


if __name__ == "__main__":
    main()

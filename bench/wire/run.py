#!/usr/bin/python3
"""Measures Dolmen over the wire beside other implementations of DynamoDB: same table, same items, same requests.

    bench/wire/run.py            16 connections, items of 1 KB, all operations, all servers; about 25 minutes
    bench/wire/run.py --quick    the same in short, without the servers that say least; about 5 minutes
    bench/wire/run.py --axes     only Dolmen, with one thing varied at a time: sizes, connections, indexes, streams, auth, TLS

All servers run at once but only one is under load at a time, in short rounds that take turns, so that whatever else the
machine does hits all of them alike. README.md in the folder above says how to read the result. Environment:
  DOLMEN_BIN    the dolmen program (default: build/release/bin/dolmen)
  DOLMEN_PEERS  the folder with the peers (default: build/peers)
  OTHER_DOLMEN  another dolmen program to compare with, for example with another RocksDB (default: none)
"""

import argparse
import contextlib
import json
import pathlib
import signal
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import axes  # noqa: E402
import bodies  # noqa: E402
import report  # noqa: E402
import scenarios  # noqa: E402
from load import run_redis  # noqa: E402
from machine import describe_machine, rocksdb_of  # noqa: E402
from programs import COMMANDS, DOLMEN, ROOT, Broken, Unavailable, version_of  # noqa: E402
from servers import Server  # noqa: E402
from turns import Run, measure  # noqa: E402

STARTS = 3  # The time to the first answer is the median of so many starts.
QUICK = ("dolmen-os", "dolmen-beside", "dynalite", "dynoxide", "dynamodb-local", "null", "epoll", "io-uring", "redis")


def start_servers(run, stack, names):
    for name in names:
        server = Server(name, run.work)
        stack.callback(server.stop)
        try:
            for _ in range(STARTS):
                server.stop()
                server.start()
            server.await_quiet()
            run.facts[name] = {"called": version_of(name), "start_ms": server.start_ms, "idle_mb": server.rss_mb()}
            if server.has_tables:
                server.create(bodies.CREATE_TABLE)
                server.put_all(bodies.puts())
            elif name == "redis":
                run_redis(next(one for one in scenarios.SCENARIOS if one.name == "put"), server, None, 1)
            run.servers[name] = server
        except (Unavailable, Broken, OSError, LookupError) as problem:
            server.stop()
            # Only a peer may be missing.
            (run.fail if server.is_dolmen else run.skip)(name, problem)


def compare_servers(run, stack, options):
    wanted = [one for one in scenarios.SCENARIOS if not options.scenario or one.name in options.scenario]
    chosen = options.server or (QUICK if options.quick else tuple(COMMANDS))
    names = [name for name in COMMANDS if name in chosen and any(name in one.servers for one in wanted)]
    start_servers(run, stack, names)
    for scenario in wanted:
        if scenario.servers[0] in run.servers:
            measure(run, [(scenario, run.servers[name]) for name in scenario.servers if name in run.servers])
    for name, server in run.servers.items():
        if server.process.poll() is None:
            run.facts[name]["end_mb"] = server.rss_mb()


def vary(run, options):
    guards = axes.Guards(run.work)
    for number, (axis, variants) in enumerate(axes.AXES.items()):
        folder = run.work / f"axis-{number}"
        folder.mkdir()
        with contextlib.ExitStack() as stack:
            servers = []
            for variant in variants:
                servers.append(axes.start(variant, folder, guards))
                stack.callback(servers[-1].stop)
            asked = [axes.scenarios_of(axis, variant) for variant in variants]
            for pairs in zip(*asked):
                measure(run, list(zip(pairs, servers)))


# ---- The program ----------------------------------------------------------------------------------------------------

def bounded(least, most):
    def parse(text):
        number = int(text)
        if not least <= number <= most:
            raise argparse.ArgumentTypeError(f"{text} is not between {least} and {most}")
        return number
    return parse


def parse_options():
    known = [scenario.name for scenario in scenarios.SCENARIOS]
    parser = argparse.ArgumentParser(description="Measures Dolmen over the wire beside its peers.")
    parser.add_argument("--quick", action="store_true", help="2 rounds, 3 to warm up, fewer servers")
    parser.add_argument("--axes", action="store_true", help="vary one thing at a time, for Dolmen alone")
    parser.add_argument("--rounds", type=bounded(1, 50), help="for each scenario and server (default: 5)")
    parser.add_argument("--seconds", type=bounded(1, 30), default=1, help="length of a round (default: 1)")
    parser.add_argument("--warm-ups", type=bounded(1, 50), help="rounds to warm up, at the most (default: 15)")
    parser.add_argument("--scenario", action="append", choices=known, help="only this one; may be repeated")
    parser.add_argument("--server", action="append", choices=list(COMMANDS), help="only this one; may be repeated")
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE", help="write everything there, every round too; the name of axes gets -axes")
    options = parser.parse_args()
    options.rounds = options.rounds or (2 if options.quick else 5)
    options.warm_ups = options.warm_ups or (3 if options.quick else 15)
    return options


def on_signals(action):
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, action)


def main():
    options = parse_options()
    folder = ROOT / "build/bench"
    folder.mkdir(parents=True, exist_ok=True)
    on_signals(lambda number, frame: sys.exit(128 + number))
    with contextlib.ExitStack() as stack:
        work = stack.enter_context(tempfile.TemporaryDirectory(prefix="wire-", dir=folder, ignore_cleanup_errors=True))
        run = Run(options, pathlib.Path(work))
        machine = describe_machine(folder) | {"rocksdb": rocksdb_of(DOLMEN)}
        try:
            if options.axes:
                vary(run, options)
            else:
                compare_servers(run, stack, options)
        finally:
            on_signals(signal.SIG_IGN)  # Nothing may come between us and the end of the servers.
    print(report.tables(run, machine))
    if options.json:
        options.json = options.json.with_stem(options.json.stem + "-axes") if options.axes else options.json
        options.json.write_text(json.dumps(report.as_json(run, machine), indent=1) + "\n")
    sys.exit(1 if run.failures else 0)


if __name__ == "__main__":
    main()

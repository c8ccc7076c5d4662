#!/usr/bin/python3
"""Measures Dolmen over the wire beside dynalite and AWS's DynamoDB Local: same table, same items, same requests.

All servers run at once but only one is under load at a time, in short rounds that take turns, so that whatever else the
machine does hits all of them alike. README.md in the folder above says how to read the result. Environment:
  DOLMEN_BIN    the dolmen program (default: build/release/bin/dolmen)
  DOLMEN_PEERS  the folder with the peers' node_modules (default: build/peers)
"""

import argparse
import contextlib
import json
import pathlib
import resource
import signal
import subprocess
import sys
import tempfile

import report
import scenarios
from raw_rocksdb import RAW, raw_sync_writes_per_second
from servers import COMMANDS, ROOT, Broken, Server, Unavailable

STARTS = 3  # The time to the first answer is the median of so many starts.
WARM_GAIN = 0.1  # A server is warm when so many rounds in a row are not cheaper by this share than the best before.
WARM_ROUNDS = 3
WARM_REQUESTS = 30_000  # DynamoDB Local takes some 20,000 until its code is compiled.
WARM_UPS_MAX = 15
LOAD_SCRIPT = pathlib.Path(__file__).with_name("load.lua")


class Run:
    """What happened so far. A skip is not a failure; a failure ends the program with status 1."""

    def __init__(self, options, work):
        self.options = options
        self.work = work
        self.servers = {}  # By name, those that run.
        self.facts = {}    # By name: start and memory.
        self.results = []  # One for each scenario and server, see `measure`.
        self.warm_ups = {}  # By scenario and server, see `warm_up`.
        self.skips = []
        self.failures = []

    def skip(self, *words):
        self.skips.append(": ".join(map(str, words)))
        print(f"skipped: {self.skips[-1]}", flush=True)

    def fail(self, *words):
        self.failures.append(": ".join(map(str, words)))
        print(f"FAILED: {self.failures[-1]}", flush=True)


# ---- Starting -------------------------------------------------------------------------------------------------------

def start_servers(run, stack, names):
    for name in names:
        server = Server(name, run.work)
        stack.callback(server.stop)
        try:
            for _ in range(STARTS):
                server.stop()
                server.start()
            server.await_quiet()
            run.facts[name] = {"start_ms": server.start_ms, "idle_mb": server.rss_mb()}
            fill(server)
            run.servers[name] = server
        except (Unavailable, Broken, OSError, LookupError) as problem:
            server.stop()
            # Only a peer may be missing.
            (run.fail if name.startswith("dolmen") else run.skip)(name, problem)


def fill(server):
    server.must("CreateTable", scenarios.CREATE_TABLE)
    server.await_active(scenarios.TABLE)
    for body in scenarios.puts():
        server.must("PutItem", body)


# ---- Measuring ------------------------------------------------------------------------------------------------------

def knows(run, scenario, server):
    """True when the server gives the right answer to the scenario's first request."""
    try:
        status, answer = server.call(scenario.operation, scenario.bodies()[0])
        if status != 200 and "UnknownOperation" in json.dumps(answer):
            run.skip(scenario.name, server.name, f"it does not know {scenario.operation}")
        elif status != 200 or not scenario.check(answer):
            run.fail(scenario.name, server.name, f"wrong answer: {status} {json.dumps(answer)[:500]}")
        else:
            return True
    except (Broken, OSError, LookupError) as problem:
        run.fail(scenario.name, server.name, repr(problem))
    return False


def load(scenario, server, bodies, seconds):
    """One round: puts the server under load for a time."""
    command = ["wrk", "--threads", "1", "--connections", scenario.connections, "--duration", f"{seconds}s",
               "--timeout", "10s", "--latency", "--script", LOAD_SCRIPT, f"http://127.0.0.1:{server.port}/",
               "--", scenario.operation, bodies]
    cpu_before, wrk_before = server.cpu_s(), children_cpu_s()
    try:
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=seconds + 30)
    except subprocess.TimeoutExpired as late:
        raise Broken(f"wrk was to end after {seconds} s and had not after {late.timeout} s") from late
    if done.returncode != 0:
        raise Broken(f"wrk ended with status {done.returncode}: {done.stderr.strip()}")
    wrk_s = children_cpu_s() - wrk_before
    # Deferred work of the server is part of the cost of a request.
    server.await_quiet()
    cpu_s = server.cpu_s() - cpu_before
    counted = json.loads(done.stdout.splitlines()[-1])
    if counted["refused"] or counted["broken"] or not counted["requests"]:
        raise Broken(f"{counted['refused']} answers other than 2xx, {counted['broken']} broken connections, "
                     f"of {counted['requests']} requests; its log ends with: {server.log_end(5)}")
    duration_s = counted["duration_us"] / 1e6
    return {
        "requests": counted["requests"],
        "requests_per_s": counted["requests"] / duration_s,
        "p50_ms": counted["p50_us"] / 1000,
        "p99_ms": counted["p99_us"] / 1000,
        "cpu_us": cpu_s * 1e6 / counted["requests"],
        "wrk_cores": wrk_s / duration_s,
    }


def children_cpu_s():
    """CPU time of the children that have ended: of wrk, as the servers are still running."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def warm_up(scenario, server, bodies, seconds):
    """Rounds that do not count, until there were many requests and some rounds in a row bring no gain; their CPU time.

    That two rounds cost the same is not enough: DynamoDB Local needed 923, 865, 594, 699, 448, 241, 230 and 210 us.
    """
    spent, best, idle, requests = [], float("inf"), 0, 0
    while len(spent) < WARM_UPS_MAX and (idle < WARM_ROUNDS or requests < WARM_REQUESTS):
        once = load(scenario, server, bodies, seconds)
        requests += once["requests"]
        spent.append(once["cpu_us"])
        if spent[-1] < best * (1 - WARM_GAIN):
            best, idle = spent[-1], 0
        else:
            idle += 1
    return spent


def take_turns(run, scenario, names, bodies):
    """The rounds of each server. A server that fails is left out from then on, and the scenario has failed."""
    rounds, raw = {name: [] for name in names}, []
    for turn in range(-1, run.options.rounds):
        for name in names if turn % 2 else names[::-1]:
            try:
                if turn < 0:
                    run.warm_ups[f"{scenario.name} {name}"] = warm_up(scenario, run.servers[name], bodies,
                                                                      run.options.seconds)
                elif name in rounds:
                    rounds[name].append(load(scenario, run.servers[name], bodies, run.options.seconds))
            except (Broken, OSError) as problem:
                run.fail(scenario.name, name, problem)
                del rounds[name]
        if scenario.beside_raw_sync and turn >= 0 and None not in raw:
            raw.append(raw_round(run, scenario))
    return rounds | ({RAW: raw} if raw and None not in raw else {})


def raw_round(run, scenario):
    try:
        return {"requests_per_s": raw_sync_writes_per_second(run.work)}
    except Unavailable as problem:
        run.skip(scenario.name, RAW, problem)
        return None


def measure(run, scenario):
    """Adds the scenario's results, unless the server that the others are compared with does not take part."""
    names = [name for name in scenario.servers if name in run.servers and knows(run, scenario, run.servers[name])]
    if scenario.servers[0] not in names:
        return
    print(f"{scenario.name}: {', '.join(names)}", flush=True)
    bodies = run.work / f"{scenario.name}.bodies"
    bodies.write_text("".join(json.dumps(body) + "\n" for body in scenario.bodies()))
    for name, rounds in take_turns(run, scenario, names, bodies).items():
        run.results.append({"scenario": scenario.name, "server": name, "measure": scenario.servers[0],
                            "budget_us": scenario.budget_us if name == scenario.servers[0] else None, "rounds": rounds})


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
    parser.add_argument("--rounds", type=bounded(1, 50), default=5, help="for each scenario and server (default: 5)")
    parser.add_argument("--seconds", type=bounded(1, 30), default=2, help="length of a round (default: 2)")
    parser.add_argument("--scenario", action="append", choices=known, help="only this one; may be repeated")
    parser.add_argument("--server", action="append", choices=list(COMMANDS), help="only this one; may be repeated")
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE", help="write everything there, every round too")
    return parser.parse_args()


def stop_on_signals():
    def leave(number, frame):
        sys.exit(128 + number)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, leave)


def ignore_signals():
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)


def main():
    options = parse_options()
    wanted = [one for one in scenarios.SCENARIOS if not options.scenario or one.name in options.scenario]
    names = [name for name in COMMANDS if any(name in one.servers for one in wanted)
             and (not options.server or name in options.server)]
    folder = ROOT / "build/bench"
    folder.mkdir(parents=True, exist_ok=True)
    stop_on_signals()
    with contextlib.ExitStack() as stack:
        work = stack.enter_context(tempfile.TemporaryDirectory(prefix="wire-", dir=folder, ignore_cleanup_errors=True))
        run = Run(options, pathlib.Path(work))
        machine = report.describe_machine(folder)
        try:
            start_servers(run, stack, names)
            for scenario in wanted:
                measure(run, scenario)
            for name, server in run.servers.items():
                if server.process.poll() is None:
                    run.facts[name]["end_mb"] = server.rss_mb()
        finally:
            ignore_signals()  # Nothing may come between us and the end of the servers.
    print(report.tables(run, machine))
    if options.json:
        options.json.write_text(json.dumps(report.as_json(run, machine), indent=1) + "\n")
    sys.exit(1 if run.failures else 0)


if __name__ == "__main__":
    main()

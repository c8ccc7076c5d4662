"""Rounds of load that take turns between servers, after each is warm."""

import json

from load import load, write_requests
from programs import Broken, Unavailable
from raw_rocksdb import RAW, raw_sync_writes_per_second

WARM_GAIN = 0.1  # A server is warm when so many rounds in a row are not cheaper by this share than the best before.
WARM_ROUNDS = 3
WARM_REQUESTS = 30_000  # DynamoDB Local takes some 20,000 until its code is compiled.


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


def bodies_for(run, scenario, server):
    """The bodies of the scenario, when the server gives the right answer to the first one; otherwise None."""
    where = (scenario.name, server.name)
    try:
        bodies = scenario.bodies(server)
        if not server.has_tables:
            return bodies
        status, answer = server.call(scenario.operation, bodies[0])
        if status != 200 and "UnknownOperation" in json.dumps(answer):
            run.skip(*where, f"it does not know {scenario.operation}")
        elif status != 200 or not scenario.check(answer):
            run.fail(*where, f"wrong answer: {status} {json.dumps(answer)[:500]}")
        else:
            return bodies
    except (Broken, OSError, LookupError) as problem:
        # A peer may lack what the scenario needs.
        (run.fail if server.is_dolmen else run.skip)(*where, str(problem)[:300])
    return None


def warm_up(run, scenario, server, requests):
    """Rounds that do not count, until there were many requests and some rounds in a row bring no gain; their CPU time.

    That two rounds cost the same is not enough: DynamoDB Local needed 923, 865, 594, 699, 448, 241, 230 and 210 us.
    """
    spent, best, idle, sent = [], float("inf"), 0, 0
    while len(spent) < run.options.warm_ups and (idle < WARM_ROUNDS or sent < WARM_REQUESTS):
        once = load(scenario, server, requests, run.options.seconds)
        sent += once["requests"]
        spent.append(once["cpu_us"])
        if spent[-1] < best * (1 - WARM_GAIN):
            best, idle = spent[-1], 0
        else:
            idle += 1
    return spent


def raw_round(run, scenario):
    try:
        return {"requests_per_s": raw_sync_writes_per_second(run.work)}
    except Unavailable as problem:
        run.skip(scenario.name, RAW, problem)
        return None


def take_turns(run, entries):
    """The rounds of each entry: a scenario, a server and its file of requests. One that fails is left out from then on."""
    rounds, raw = {server.name: [] for _, server, _ in entries}, []
    for turn in range(-1, run.options.rounds):
        for scenario, server, requests in entries if turn % 2 else entries[::-1]:
            if server.name not in rounds:
                continue
            try:
                if turn < 0:
                    run.warm_ups[f"{scenario.name} {server.name}"] = warm_up(run, scenario, server, requests)
                else:
                    rounds[server.name].append(load(scenario, server, requests, run.options.seconds))
            except (Broken, OSError) as problem:
                run.fail(scenario.name, server.name, problem)
                del rounds[server.name]
        if entries[0][0].beside_raw_sync and turn >= 0 and None not in raw:
            raw.append(raw_round(run, entries[0][0]))
    return rounds | ({RAW: raw} if raw and None not in raw else {})


def measure(run, pairs):
    """Adds the results of scenarios and their servers, which take turns. The others are compared with the first."""
    entries = []
    for scenario, server in pairs:
        bodies = bodies_for(run, scenario, server)
        if bodies is not None:
            file = run.work / f"{len(run.results)}-{len(entries)}.requests"
            write_requests(scenario, server, bodies, file)
            entries.append((scenario, server, file))
    if not entries or entries[0][1] is not pairs[0][1]:
        return
    scenario, first = entries[0][:2]
    print(f"{scenario.name}: {', '.join(server.name for _, server, _ in entries)}", flush=True)
    for name, rounds in take_turns(run, entries).items():
        run.results.append({"scenario": scenario.name, "operation": scenario.operation, "server": name,
                            "measure": first.name, "budget_us": scenario.budget_us if name == first.name else None,
                            "rounds": rounds})

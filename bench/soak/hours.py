#!/usr/bin/python3
"""A server under mixed load for hours, with restarts: do its memory and its files grow?

    bench/soak/hours.py [--hours 1] [--leg-seconds 60] [--connections 16] [--json FILE]

Reads, writes, updates, queries, scans and transactions on a fixed number of items; after each leg the server is stopped, or killed with
SIGKILL, and started again, and every item is counted. Samples the memory of the process, the bytes and the number of files in its
directory. The first quarter of the legs fills caches and files; after it neither the most memory of a leg nor the most bytes may
have grown by more than a quarter. Exit status 1 when they have, or after an error. --json writes what was sampled, from which
tools/draw_charts makes a picture (docs/pictures/reliability.json).
"""

import argparse
import json
import pathlib
import sys
import tempfile
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

import run as soak  # noqa: E402
from dolmen_server import Server  # noqa: E402
from files import sizes_of  # noqa: E402

SAMPLES_PER_LEG = 10
GROWTH_MAX = 1.25


def leg(server, folder, options, began, samples):
    """Load for a while. Returns the requests and the errors."""
    load, stop = soak.Load(server, options.connections), threading.Event()

    def watch():
        while not stop.wait(options.leg_seconds / SAMPLES_PER_LEG):
            sizes = sizes_of(folder)
            samples.append((time.monotonic() - began, server.memory_bytes(), sum(sizes), len(sizes)))

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        load.run_until(time.monotonic() + options.leg_seconds)
    finally:
        stop.set()
        watcher.join()
    return len(load.delays_ms), load.errors


def count_items(server):
    count, request = 0, {"TableName": "load", "Select": "COUNT"}
    while True:
        page = server.must("Scan", request)
        count += page["Count"]
        if "LastEvaluatedKey" not in page:
            break
        request = request | {"ExclusiveStartKey": page["LastEvaluatedKey"]}
    described = server.must("DescribeTable", {"TableName": "load"})["Table"]
    assert described["ItemCount"] == count, f"ItemCount is {described['ItemCount']}, there are {count}"
    return count


def grown(samples, legs, column):
    """The most of the last leg, and the most of the leg after the first quarter."""
    by_leg = [max(sample[column] for sample in samples[i * len(samples) // legs:(i + 1) * len(samples) // legs]) for i in range(legs)]
    return by_leg[legs // 4], max(by_leg[-max(1, legs // 4):])


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--hours", type=float, default=1)
    parser.add_argument("--leg-seconds", type=float, default=60)
    parser.add_argument("--connections", type=int, default=16)
    parser.add_argument("--json", type=pathlib.Path)
    options = parser.parse_args()
    legs = max(4, round(options.hours * 3600 / options.leg_seconds))
    samples, requests, errors, began = [], 0, [], time.monotonic()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name, "data")
        with Server(folder) as server:
            soak.fill(server)
            for number in range(legs):
                done, wrong = leg(server, folder, options, began, samples)
                requests, errors = requests + done, errors + wrong
                if number % 2 == 0:
                    server.kill()
                else:
                    assert server.stop().code == 0
                    server.process.stdout.close()
                server.start()
                count = count_items(server)
                print(f"leg {number + 1} of {legs}: {requests} requests, {count} items, {samples[-1][1] >> 20} MB of memory, "
                      f"{samples[-1][2] >> 20} MB in {samples[-1][3]} files, {len(errors)} errors", flush=True)
    ok = not errors
    for what, column in (("memory", 1), ("files", 2)):
        before, after = grown(samples, legs, column)
        ok = ok and after <= before * GROWTH_MAX
        print(f"{what}: {before / soak.MIB:.1f} MB in the leg after the first quarter, {after / soak.MIB:.1f} MB at most in the last quarter")
    if options.json:
        options.json.write_text(json.dumps({"requests": requests, "legs": legs, "errors": len(errors), "seconds": round(time.monotonic() - began),
                                            "points": [[round(at / 60, 2), round(memory / soak.MIB, 1), round(size / soak.MIB, 1), count]
                                                       for at, memory, size, count in samples]}))
    print(f"{legs} legs, {requests} requests, {len(errors)} errors, {time.monotonic() - began:.0f} s: {'fine' if ok else 'GROWN OR WRONG'}")
    sys.exit(0 if ok else 1)


if __name__ == "__main__":
    main()

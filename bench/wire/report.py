"""Formats the results as tables for people and JSON for programs."""

import os
import statistics

from raw_rocksdb import RAW

RAW_SHARE_MIN = 0.8  # Synchronous writes over the wire, of those that RocksDB alone does.


# ---- Numbers --------------------------------------------------------------------------------------------------------

def median(result, field):
    """None when the result does not have the field, as RocksDB alone has no latency."""
    values = [once[field] for once in result["rounds"] if field in once]
    return statistics.median(values) if values else None


def spread(result, field):
    """Half the distance between the least and the greatest value, as a share of the median."""
    values = [once[field] for once in result["rounds"] if field in once]
    middle = statistics.median(values) if values else 0
    return (max(values) - min(values)) / 2 / middle if middle else None


def ratio(above, below, field):
    """The median of the quotients of neighbouring rounds, which noise hurts less than the quotient of medians."""
    pairs = [(a[field], b[field]) for a, b in zip(above["rounds"], below["rounds"]) if field in a and field in b]
    return statistics.median(a / b for a, b in pairs) if pairs and all(b for _, b in pairs) else None


def summaries(run):
    """One for each scenario and server, with the first server of the scenario as the measure of the others."""
    by_name = {(result["scenario"], result["server"]): result for result in run.results}
    for result in run.results:
        measure = by_name.get((result["scenario"], result["measure"]))
        yield {
            "scenario": result["scenario"],
            "operation": result["operation"],
            "server": result["server"],
            **{field: median(result, field) for field in ("requests_per_s", "p50_ms", "p99_ms", "cpu_us", "client_cores")},
            "cpu_spread": spread(result, "cpu_us"),
            "budget_us": result["budget_us"],
            "cpu_ratio": measure and ratio(result, measure, "cpu_us"),
            "requests_ratio": measure and ratio(measure, result, "requests_per_s"),
        }


# ---- Text -----------------------------------------------------------------------------------------------------------

def shown(value, form):
    return "-" if value is None else format(value, form)


def aligned(rows, left):
    """Columns as wide as they must be; the first `left` ones are flush left."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = [cell.ljust(width) if column < left else cell.rjust(width)
                 for column, (cell, width) in enumerate(zip(row, widths))]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)


def server_table(run):
    rows = [("server", "start ms", "idle MB", "end MB")]
    for name, facts in run.facts.items():
        rows.append((name, shown(statistics.median(facts["start_ms"]), ",.0f"), shown(facts["idle_mb"], ".1f"),
                     shown(facts.get("end_mb"), ".1f")))
    return aligned(rows, left=1)


def load_table(found):
    rows = [("scenario", "server", "req/s", "p50 ms", "p99 ms", "CPU us", "+-", "budget", "CPU x", "req/s x",
             "client")]
    for one in found:
        budget = one["budget_us"]
        over = " OVER" if budget and one["cpu_us"] > budget else ""
        rows.append((one["scenario"], one["server"], shown(one["requests_per_s"], ",.0f"), shown(one["p50_ms"], ".2f"),
                     shown(one["p99_ms"], ".2f"), shown(one["cpu_us"], ",.1f"), shown(one["cpu_spread"], ".0%"),
                     shown(budget, "g") + over, shown(one["cpu_ratio"], ".2f"), shown(one["requests_ratio"], ".2f"),
                     shown(one["client_cores"], ".2f")))
    return aligned(rows, left=2)


def raw_share(found):
    for one in found:
        if one["server"] == RAW:
            share = one["requests_ratio"] or 0
            yield (f"{one['scenario']}: {share:.2f} of what RocksDB alone writes; {RAW_SHARE_MIN} is wanted: "
                   f"{'enough' if share >= RAW_SHARE_MIN else 'TOO LITTLE'}")


def tables(run, machine):
    found = list(summaries(run))
    parts = [
        f"{machine['time']}, {machine['cores']} x {machine['cpu']}, Linux {machine['kernel']}, "
        f"{machine['file_system']}, {machine['rocksdb']}, load {machine['load_before']:.1f} before and {os.getloadavg()[0]:.1f} after",
        f"medians of {run.options.rounds} rounds of {run.options.seconds} s",
    ]
    if run.facts:
        parts += ["", server_table(run)]
    if found:
        parts += ["", load_table(found), "", *raw_share(found)]
    parts += [f"skipped: {text}" for text in run.skips]
    parts += [f"FAILED: {text}" for text in run.failures]
    return "\n" + "\n".join(parts).rstrip()


def as_json(run, machine):
    return {"machine": machine, "rounds": run.options.rounds, "seconds": run.options.seconds, "servers": run.facts,
            "medians": list(summaries(run)), "results": run.results, "warm_ups_cpu_us": run.warm_ups,
            "skipped": run.skips, "failures": run.failures}

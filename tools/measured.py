"""Results of bench/NAME/run.py as tables of docs/performance.md and as charts.

What a run found is kept in docs/pictures/measured/NAME.json without its single rounds. `tables(NAME, kept)` gives the text that stands in the
page between <!-- measured: NAME --> and <!-- end of measured -->, `charts(NAME, kept)` what draw_charts draws.
"""

import re
import statistics

OPERATIONS = {"get": "GetItem", "put": "PutItem", "update-if": "UpdateItem with a condition", "query-100": "Query of 100 items",
              "scan-100": "Scan of 100 items", "transact-write-4": "TransactWriteItems of 4",
              "transact-get-4": "TransactGetItems of 4", "batch-get-25": "BatchGetItem of 25",
              "batch-write-25": "BatchWriteItem of 25", "select": "ExecuteStatement, one item",
              "search-vectors": "SearchVectors of 1,000", "get-records": "GetRecords of 100"}
FIRST = "dolmen-os"
COMPARED = (FIRST, "dolmen-beside", "dynalite", "dynoxide", "dynamodb-local", "dynamodb-local-1")
YARDSTICKS = (FIRST, "dolmen-memory", "dolmen-sync", "null", "epoll", "io-uring", "redis")
BEGIN, END = "<!-- measured: {} -->", "<!-- end of measured -->"


def number(value):
    """With as many digits as say something."""
    if value is None:
        return "–"
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def table(head, rows):
    return "\n".join("| " + " | ".join(row) + " |" for row in (head, ["---"] * len(head), *rows)) + "\n"


def machine_text(machine, more=""):
    memory = f"{machine['memory_gb']} GB, " if "memory_gb" in machine else ""
    rocksdb = f"{machine['rocksdb']}, " if "rocksdb" in machine else ""
    return (f"Measured on {machine['time'][:10]}: {machine['cores']} cores ({machine['cpu']}), {memory}"
            f"Linux {machine['kernel'].partition('-')[0]}, data on {machine['file_system']}, {rocksdb}load average {machine['load_before']:.1f} "
            f"before{more}.\n")


def source(name, machine):
    return f"./dev bench {name}, {machine['time'][:10]}, {machine['cores']} cores"


# ---- wire: Dolmen beside other servers ------------------------------------------------------------------------------

def kept_of_wire(result):
    servers = {name: {"called": facts["called"], "start_ms": statistics.median(facts["start_ms"]), "idle_mb": facts["idle_mb"],
                      "end_mb": facts.get("end_mb")} for name, facts in result["servers"].items()}
    medians = [{field: one[field] for field in ("scenario", "server", "requests_per_s", "p99_ms", "cpu_us", "cpu_ratio",
                                                "requests_ratio")} for one in result["medians"]]
    return {"machine": result["machine"], "rounds": result["rounds"], "seconds": result["seconds"], "servers": servers,
            "medians": medians, "skipped": result["skipped"]}


def by_server(kept):
    found = {}
    for one in kept["medians"]:
        found.setdefault(one["scenario"], {})[one["server"]] = one
    return found


def wire_table(kept, servers, field, ratio):
    present = [name for name in servers if name in kept["servers"]]
    found, rows = by_server(kept), []
    for scenario, called in OPERATIONS.items():
        here = found.get(scenario, {})
        if sum(name in here for name in present) > (servers is YARDSTICKS) * 2:
            rows.append([called, *(number(here[name][field]) + (f" ({here[name][ratio]:.1f}×)" if name != FIRST else "")
                                   if name in here else "–" for name in present)])
    return table(["operation", *(kept["servers"][name]["called"] for name in present)], rows)


def tables_of_wire(kept):
    start = [[facts["called"], number(facts["start_ms"]), number(facts["idle_mb"]), number(facts["end_mb"])]
             for facts in kept["servers"].values()]
    return "\n".join([
        machine_text(kept["machine"], f"; medians of {kept['rounds']} rounds of {kept['seconds']} s"),
        "CPU time of the server for one request, in µs, and how many times Dolmen's that is:\n",
        wire_table(kept, COMPARED, "cpu_us", "cpu_ratio"),
        "Requests a second, and how many times as many Dolmen answered:\n",
        wire_table(kept, COMPARED, "requests_per_s", "requests_ratio"),
        "Where the floor is: CPU time in µs of Dolmen in its three modes, of its HTTP server with a handler that does nothing, of a loop that "
        "only receives and sends, in two ways, and of Redis (GET and SET of 1 KB in Redis's own protocol):\n",
        wire_table(kept, YARDSTICKS, "cpu_us", "cpu_ratio"),
        *synced(kept),
        "Starting and memory:\n",
        table(["server", "start to first answer, ms", "idle, MB", "after all operations, MB"], start)])


def synced(kept):
    """What 64 clients write when every write is on disk before its answer."""
    found = by_server(kept).get("put-sync-64", {})
    if "dolmen-sync" in found:
        beside = found.get("raw-rocksdb", {}).get("requests_ratio")
        yield (f"With a sync for every write, 64 connections share syncs: {found['dolmen-sync']['requests_per_s']:,.0f} PutItem a second, "
               "each on disk before its answer" + (f", which is {beside:.2f} times what RocksDB alone writes in the same way" if beside else "")
               + ".\n")


def charts_of_wire(kept):
    present = [name for name in COMPARED if name in kept["servers"] and name != "dolmen-beside"]
    series = [kept["servers"][name]["called"] for name in present]
    found = by_server(kept)
    rows = [{"name": called, "values": [found[scenario].get(name, {}).get("cpu_us") for name in present]}
            for scenario, called in OPERATIONS.items() if scenario in found]
    facts = [kept["servers"][name] for name in present]
    common = {"series": series, "source": source("wire", kept["machine"])}
    return [
        {"file": "cpu.svg", "title": "CPU time of one request", "unit": "microseconds, logarithmic; less is better",
         "logarithmic": True, "rows": rows, **common},
        {"file": "start.svg", "title": "Start to first answer", "unit": "milliseconds, logarithmic; less is better",
         "logarithmic": True, "rows": [{"name": "start", "values": [one["start_ms"] for one in facts]}], **common},
        {"file": "memory.svg", "title": "Resident memory", "unit": "MB; less is better", "logarithmic": False,
         "rows": [{"name": called, "values": [one[field] for one in facts]}
                  for called, field in (("idle", "idle_mb"), ("after all operations", "end_mb"))], **common}]


# ---- wire --axes ----------------------------------------------------------------------------------------------------

def kept_of_axes(result):
    return kept_of_wire(result | {"servers": {}})


def tables_of_axes(kept):
    found, rows = by_server(kept), []
    for scenario in [name for name in found if name.endswith(": get")]:
        axis = scenario.partition(":")[0]
        for variant, get in found[scenario].items():
            put = found[f"{axis}: put"].get(variant, {})
            rows.append([axis, variant.replace("-", " "), *(number(one.get(field)) for one in (get, put) for field in (
                "cpu_us", "requests_per_s", "p99_ms"))])
    return machine_text(kept["machine"]) + "\n" + table(
        ["varied", "to", "GetItem, CPU µs", "requests/s", "p99 ms", "PutItem, CPU µs", "requests/s", "p99 ms"], rows)


# ---- embedded -------------------------------------------------------------------------------------------------------

ENGINES = {"dolmen": "Dolmen", "rocksdb": "RocksDB alone", "sqlite": "SQLite", "lmdb": "LMDB"}


def engine_table(kept, durability, field, ratio):
    found = {}
    for one in kept["engines"]:
        if one["durability"] == durability:
            found.setdefault(one["operation"], {})[one["engine"]] = one
    present = [name for name in ENGINES if any(name in here for here in found.values())]
    rows = [[operation, *(f"{number(here[name][field])} ({here[name][ratio]:.2f}×)" for name in present)]
            for operation, here in found.items() if durability == "os" or "put" in operation]
    return table(["operation", *(ENGINES[name] for name in present)], rows)


def tables_of_embedded(kept):
    rooms = [[one["room"], number(one["without_us"]), number(one["with_us"]), f"`{one['program']}`"] for one in kept["rooms"]]
    return "\n".join([
        machine_text(kept["machine"]),
        "Without syncs: CPU time of one operation in µs, and how many times that of RocksDB alone:\n",
        engine_table(kept, "os", "cpu_us", "cpu_ratio"),
        "With a sync for every write, one writer: time of one write in µs, and how many times that of RocksDB alone:\n",
        engine_table(kept, "sync", "wall_us", "wall_ratio"),
        "What rooms add, in µs of CPU:\n",
        table(["operation", "without the room", "with it", "measured by"], rooms)])


# ---- scale ----------------------------------------------------------------------------------------------------------

def tables_of_scale(kept):
    parts = [machine_text(kept["machine"])]
    for part in kept["parts"]:
        parts += [part["text"] + "\n", table(part["head"], [[cell if isinstance(cell, str) else number(cell) for cell in row]
                                                            for row in part["rows"]])]
        if part.get("law"):
            parts.append(part["law"] + "\n")
    return "\n".join(parts)


def charts_of_scale(kept):
    return [chart | {"source": source("scale", kept["machine"])} for chart in kept["charts"]]


# ---- All ------------------------------------------------------------------------------------------------------------

KINDS = {
    "wire": (kept_of_wire, tables_of_wire, charts_of_wire),
    "wire-axes": (kept_of_axes, tables_of_axes, lambda kept: []),
    "embedded": (lambda result: result, tables_of_embedded, lambda kept: []),
    "scale": (lambda result: result, tables_of_scale, charts_of_scale),
}


def kept_of(name, result):
    return KINDS[name][0](result)


def charts(name, kept):
    return KINDS[name][2](kept)


def page_with(page, name, kept):
    """The text of the page with the tables of a benchmark in their place. Fails when it has no place for them."""
    begin = BEGIN.format(name)
    place = re.compile(re.escape(begin) + r"\n.*?" + re.escape(END), re.DOTALL)
    if not place.search(page):
        raise SystemExit(f'docs/performance.md has no "{begin}" with "{END}" after it')
    return place.sub(lambda _: f"{begin}\n\n{KINDS[name][1](kept)}\n{END}", page, count=1)

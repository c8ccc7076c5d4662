// Requests, latency, syncs and storage of the server, as they happen.

import { useState } from "preact/hooks";
import { LineChart, type Series } from "../../charts/line_chart";
import { Numbers } from "../../charts/figure";
import { shortNumber, shortSeconds } from "../../charts/scale";
import { Button, Select } from "../../ui/controls";
import { bytes, count } from "../../ui/format";
import { ErrorNotice, Loading, Notice } from "../../ui/notice";
import { useResource } from "../../ui/resource";
import { everyMs, type Gauges, gaugesOf, measure, type Point, points } from "./history";
import "./metrics.css";

const linesMax = 6;

/** The names with the largest sums get lines of their own; the rest is one. */
function lines(of: (point: Point) => Map<string, number>, all: Point[], firstColour = 1): Series[] {
  const sums = new Map<string, number>();
  for (const point of all) for (const [name, value] of of(point)) sums.set(name, (sums.get(name) ?? 0) + value);
  const names = [...sums].sort(([a, x], [b, y]) => y - x || a.localeCompare(b)).map(([name]) => name);
  const shown = names.length > linesMax ? names.slice(0, linesMax - 1) : names;
  const series: Series[] = shown.map((name, at) => ({ name, colour: ((firstColour - 1 + at) % 8) + 1, values: all.map((point) => of(point).get(name) ?? 0) }));
  if (shown.length < names.length) {
    const rest = names.slice(shown.length);
    series.push({ name: `${rest.length} others`, colour: 0, values: all.map((point) => rest.reduce((sum, name) => sum + (of(point).get(name) ?? 0), 0)) });
  }
  return series;
}

const none = (name: string, all: Point[]): Series => ({ name, colour: 0, values: all.map(() => 0) });

export default function MetricsPage() {
  const [paused, setPaused] = useState(false);
  const [operation, setOperation] = useState("");
  const reading = useResource((signal) => (paused ? Promise.resolve(undefined) : measure(signal)), [paused], everyMs);
  const all = points.value;
  const last = all.at(-1);
  const first = reading.data && gaugesOf(reading.data);
  return (
    <div class="page metrics">
      <div class="page-head">
        <h1>Metrics</h1>
        <span class="faint">every {everyMs / 1000} s, from /metrics</span>
        <Button small icon={paused ? "play" : "stop"} pressed={paused} onClick={() => setPaused(!paused)}>{paused ? "Go on" : "Pause"}</Button>
      </div>
      {reading.error !== undefined && <ErrorNotice error={reading.error} onRetry={reading.reload} />}
      {last?.refused && <Notice kind="danger">The store refuses writes until the server is restarted. Its log says why; a full disk is the usual cause.</Notice>}
      {reading.data === undefined && reading.loading && all.length === 0 ? <Loading what="the first measurement" /> : <Now last={last} gauges={last ?? first} />}
      {all.length === 0 && reading.data !== undefined && <Loading what="the next measurement, with which the charts begin" />}
      {all.length > 0 && <Charts all={all} operation={operation} onOperation={setOperation} />}
    </div>
  );
}

/** Rates need two measurements, the rest one. */
function Now({ last, gauges }: { last: Point | undefined; gauges: Gauges | undefined }) {
  const latency = last?.latency.get("");
  const rate = (of: Map<string, number> | undefined) => (of ? shortNumber([...of.values()].reduce((a, b) => a + b, 0)) : "–");
  return (
    <Numbers values={[
      { name: "Requests", value: rate(last?.requests), unit: "per s" },
      { name: "Refused, failed", value: rate(last?.errors), unit: "per s" },
      { name: "Latency p99", value: latency?.p99 === undefined ? "–" : shortSeconds(latency.p99) },
      { name: "Sync p99", value: last?.sync.p99 === undefined ? "–" : shortSeconds(last.sync.p99) },
      { name: "In flight", value: gauges ? count(gauges.inFlight) : "–", ...(gauges && { unit: `on ${count(gauges.connections)} conn.` }) },
      { name: "Tables", value: gauges ? count(gauges.tables) : "–" },
      { name: "Files", value: gauges ? bytes(gauges.storage.files) : "–" },
      { name: "Free on disk", value: gauges?.free === undefined ? "–" : bytes(gauges.free) },
    ]} />
  );
}

function Charts({ all, operation, onOperation }: { all: Point[]; operation: string; onOperation: (operation: string) => void }) {
  const times = all.map(({ time }) => time);
  const requests = lines((point) => point.requests, all);
  const errors = lines((point) => point.errors, all, 2);
  const operations = [...new Set(all.flatMap((point) => [...point.requests.keys()]))].sort();
  const latency = (part: "p50" | "p95" | "p99") => all.map((point) => point.latency.get(operation)?.[part]);
  return (
    <>
      <div class="row wrap">
        <Select label="Latency of" value={operation} onChange={onOperation} choices={[{ value: "", text: "all operations" }, ...operations]} />
      </div>
      <div class="charts">
        <LineChart title="Requests" unit="per second, by operation" times={times} series={requests.length > 0 ? requests : [none("no requests", all)]} format={shortNumber} />
        <LineChart title="Latency" unit={operation === "" ? "of all operations" : `of ${operation}`} times={times} format={shortSeconds}
          series={[{ name: "p50", colour: 1, values: latency("p50") }, { name: "p95", colour: 7, values: latency("p95") }, { name: "p99", colour: 2, values: latency("p99") }]} />
        <LineChart title="Refused and failed" unit="per second, by answer" times={times} series={errors.length > 0 ? errors : [none("nothing was refused", all)]} format={shortNumber} />
        <LineChart title="Syncs to the log" unit="time of one" times={times} format={shortSeconds}
          series={[{ name: "p50", colour: 1, values: all.map(({ sync }) => sync.p50) }, { name: "p99", colour: 2, values: all.map(({ sync }) => sync.p99) }]} />
        <LineChart title="Writes that share a sync" unit="commits in one group" times={times} format={shortNumber}
          series={[{ name: "commits", colour: 3, values: all.map(({ sync }) => sync.groupSize) }]} />
        <LineChart title="Storage" unit="bytes" times={times} format={bytes} areBytes
          series={[{ name: "files", colour: 1, values: all.map(({ storage }) => storage.files) }, { name: "memory tables", colour: 3, values: all.map(({ storage }) => storage.memory) }, { name: "block cache", colour: 4, values: all.map(({ storage }) => storage.cache) }]} />
      </div>
    </>
  );
}

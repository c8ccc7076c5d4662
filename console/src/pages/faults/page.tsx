// The fault lab: switches for what goes wrong on purpose, an experiment that meets it, and the rules of the server itself.

import { signal } from "@preact/signals";
import { useEffect, useRef, useState } from "preact/hooks";
import { dolmen, extraHeaders, getText } from "../../api/client";
import { Numbers, Picture } from "../../charts/figure";
import { isMissing } from "../../charts/missing";
import { describeAll, type TableDescription } from "../../charts/tables";
import { Button, Checkbox, CodeBlock, Select, TextField } from "../../ui/controls";
import { count, milliseconds } from "../../ui/format";
import { Badge, Empty, ErrorNotice, Notice } from "../../ui/notice";
import { useResource } from "../../ui/resource";
import { toast, toastError } from "../../ui/toast";
import { parseExposition, totalsBy } from "../metrics/exposition";
import { type Outcome, probes, runMany, send } from "./experiment";
import { allOff, faultKinds, fileOf, headerOf, type Rule, rulesOf, type Switches } from "./plan";
import "../../charts/charts.css";
import "./faults.css";

/** Outlives the page: the console's own requests keep meeting what is switched on. */
const switches = signal<Switches>(allOff());
const seed = signal("42");
const own = signal(false);

function apply(): void {
  const header = headerOf(switches.value, seedNumber());
  extraHeaders.value = own.value && header !== "" ? { "x-dolmen-fault": header } : {};
}

const seedNumber = () => (/^\d+$/.test(seed.value) ? Number(seed.value) : undefined);

export default function FaultsPage() {
  const change = (next: Switches) => {
    switches.value = next;
    apply();
  };
  const isOn = Object.values(switches.value).some(({ on }) => on);
  return (
    <div class="page faults">
      <div class="page-head">
        <h1>Fault lab</h1>
        {isOn && <Button small kind="quiet" onClick={() => { own.value = false; change(allOff()); }}>Switch everything off</Button>}
      </div>
      {own.value && isOn && <Notice kind="warn">The console's own requests meet these faults in this tab, until they are switched off or the tab is reloaded. Dolmen's own operations meet none.</Notice>}
      <div class="split">
        <SwitchPanel onChange={change} />
        <div class="stack">
          <section class="panel">
            <header><h2>What is sent</h2></header>
            <div class="body stack tight">
              {isOn ? <CodeBlock wrap text={`x-dolmen-fault: ${headerOf(switches.value, seedNumber())}`} label="The header" /> : <p class="muted">Nothing is switched on.</p>}
              <Checkbox label="Send it with the console's own requests" checked={own.value} onChange={(on) => { own.value = on; apply(); }} />
              {isOn && <details><summary>For all clients: a file for dolmen serve --faults</summary><CodeBlock text={fileOf(switches.value, seedNumber() ?? 42)} label="The file of rules" /></details>}
            </div>
          </section>
          <ServerRules />
        </div>
      </div>
      <Experiment />
    </div>
  );
}

function SwitchPanel({ onChange }: { onChange: (next: Switches) => void }) {
  const set = (name: string, change: Partial<Switches[string]>) => onChange({ ...switches.value, [name]: { ...switches.value[name]!, ...change } });
  const number = (text: string) => Math.max(0, Number.parseFloat(text) || 0);
  return (
    <section class="panel">
      <header><h2>Switches</h2><div class="seed"><TextField label="Seed" value={seed.value} onChange={(text) => { seed.value = text; onChange(switches.value); }} problem={seed.value !== "" && seedNumber() === undefined ? "a whole number" : ""} /></div></header>
      <ul class="switches">
        {faultKinds.map(({ name, what, setting }) => {
          const each = switches.value[name]!;
          return (
            <li key={name} class={each.on ? "on" : undefined}>
              <Checkbox label={<b>{name}</b>} checked={each.on} onChange={(on) => set(name, { on })} />
              <span class="faint what">{what}</span>
              {each.on && (
                <div class="row wrap settings">
                  <TextField label={`${name}: percent of requests`} type="number" min={0} max={100} value={String(each.percent)} onChange={(text) => set(name, { percent: Math.min(100, number(text)) })} />
                  {setting && <TextField label={`${name}: ${setting.label}`} type="number" min={0} value={String(each.setting)} onChange={(text) => set(name, { setting: Math.round(number(text)) })} />}
                </div>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

interface ServerFaults {
  seed: number;
  number: number;
  counts: Record<string, number>;
  /** What the server was last given from here. */
  plan?: { seed?: number; rules: Rule[] };
}

function ServerRules() {
  const server = useResource((abort) => dolmen<ServerFaults>("DescribeFaults", {}, { signal: abort }), []);
  const counted = useResource(async (abort) => totalsBy(parseExposition(await getText("/metrics", { signal: abort })), "dolmen_faults_total", "fault"), [], 3000);
  const update = async (rules: Rule[]) => {
    try {
      await dolmen("UpdateFaults", { plan: { seed: seedNumber() ?? 42, rules } });
      toast("good", rules.length > 0 ? "The server has the rules." : "The server has no rules any more.");
      server.reload();
    } catch (error) {
      toastError(error);
    }
  };
  const rules = server.data?.plan?.rules ?? [];
  const counts = [...(counted.data ?? new Map<string, number>())].filter(([, times]) => times > 0);
  return (
    <section class="panel">
      <header><h2>The server's own rules</h2></header>
      <div class="body stack tight">
        {server.error !== undefined && (isMissing(server.error) ? <Notice>Switching faults for all clients is not available on this server. Start it with --faults FILE to have rules.</Notice> : <ErrorNotice error={server.error} onRetry={server.reload} />)}
        {server.data && (
          <>
            {rules.length === 0 ? <p class="muted">No rules were set from here.</p> : <ul class="rules">{rules.map((rule, at) => <li key={at}><Badge kind="warn">{rule.fault}</Badge> <span class="faint data">{Object.entries(rule).filter(([name]) => name !== "fault").map(([name, value]) => `${name} ${Array.isArray(value) ? value.join(", ") : value}`).join(" · ")}</span></li>)}</ul>}
            <div class="row wrap">
              <Button small onClick={() => update(rulesOf(switches.value))} disabled={rulesOf(switches.value).length === 0}>Switch them on for all clients</Button>
              {rules.length > 0 && <Button small kind="quiet" onClick={() => update([])}>Remove the rules</Button>}
            </div>
          </>
        )}
        {counts.length > 0 && <p class="faint">Since the start: {counts.map(([name, times]) => `${name} ${count(times)}`).join(", ")}.</p>}
      </div>
    </section>
  );
}

const colourOf = (outcome: Outcome) => (outcome.isFault ? 2 : outcome.reported.faults.length > 0 ? 6 : 4);

function Experiment() {
  const tables = useResource((abort) => describeAll(abort), []);
  const [tableName, setTable] = useState("");
  const [probeName, setProbe] = useState(probes[0]!.name);
  const [times, setTimes] = useState("50");
  const [outcomes, setOutcomes] = useState<Outcome[]>([]);
  const [running, setRunning] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const abort = useRef<AbortController | null>(null);
  useEffect(() => () => abort.current?.abort(), []);
  const table = tables.data?.find((each) => each.TableName === tableName) ?? tables.data?.[0];
  const probe = probes.find(({ name }) => name === probeName) ?? probes[0]!;
  const run = async (of: TableDescription) => {
    const now = new AbortController();
    abort.current = now;
    setOutcomes([]);
    setError(null);
    setRunning(true);
    try {
      // Numbers of their own, so that the same switches and seed meet the same faults again.
      await runMany(Math.max(1, Math.min(500, Number(times) || 50)), 4, (n) => send(probe, of, n, headerOf(switches.value, seedNumber(), seedNumber() === undefined ? undefined : n + 1), now.signal), (outcome) => setOutcomes((before) => [...before, outcome]), now.signal);
    } catch (failure) {
      if (!now.signal.aborted) setError(failure);
    }
    setRunning(false);
  };
  const inOrder = [...outcomes].sort((a, b) => a.n - b.n);
  const results = new Map<string, number>();
  for (const { result, reported } of outcomes) { const name = result === "ok" && reported.faults.length > 0 ? `ok, after ${reported.faults.join(" and ")}` : result; results.set(name, (results.get(name) ?? 0) + 1); }
  const sorted = inOrder.map(({ milliseconds: took }) => took).sort((a, b) => a - b);
  return (
    <Picture title="Experiment" note="requests that change nothing, with the faults that are switched on" legend={outcomes.length > 0 ? [{ name: "as if nothing were", colour: 4 }, { name: "late, or with less", colour: 6 }, { name: "failed", colour: 2 }] : []}
      table={{ columns: ["Request", "Result", "Faults", "Time (ms)"], rows: inOrder.map(({ n, result, reported, milliseconds: took }) => [n + 1, result, reported.faults.join(", "), Number(took.toFixed(1))]) }}>
      <div class="body stack">
        {tables.error !== undefined && <ErrorNotice error={tables.error} onRetry={tables.reload} />}
        {tables.data?.length === 0 && <Empty title="An experiment needs a table">Make one on the page of tables.</Empty>}
        {table && (
          <div class="row wrap end-fields">
            <Select label="Table" value={table.TableName} onChange={setTable} choices={tables.data!.map((each) => each.TableName)} />
            <Select label="Operation" value={probe.name} onChange={setProbe} choices={probes.map(({ name }) => name)} />
            <TextField label="Requests" type="number" min={1} max={500} value={times} onChange={setTimes} />
            {running ? <Button icon="stop" onClick={() => abort.current?.abort()}>Stop</Button> : <Button kind="primary" icon="play" onClick={() => run(table)}>Run</Button>}
          </div>
        )}
        {error !== null && <ErrorNotice error={error} />}
        {outcomes.length > 0 && (
          <>
            <Numbers values={[
              { name: "Requests", value: count(outcomes.length) },
              { name: "Failed", value: count(outcomes.filter(({ isFault }) => isFault).length), unit: `${Math.round((outcomes.filter(({ isFault }) => isFault).length / outcomes.length) * 100)} %` },
              { name: "Half were below", value: milliseconds(sorted[Math.floor(sorted.length / 2)] ?? 0) },
              { name: "Slowest", value: milliseconds(sorted.at(-1) ?? 0) },
            ]} />
            <Strip outcomes={inOrder} />
            <ul class="results" aria-label="Results">{[...results].sort(([, a], [, b]) => b - a).map(([name, many]) => <li key={name}><b>{count(many)}</b> <span class="data">{name}</span></li>)}</ul>
            <p class="visually-hidden" role="status">{running ? "" : `${outcomes.length} requests are done`}</p>
          </>
        )}
      </div>
    </Picture>
  );
}

function Strip({ outcomes }: { outcomes: Outcome[] }) {
  const longest = Math.max(1, ...outcomes.map(({ milliseconds: took }) => took));
  const width = 9;
  return (
    <div class="strip" tabIndex={0} role="img" aria-label={`${outcomes.length} requests, ${outcomes.filter(({ isFault }) => isFault).length} of them failed. The height is the time, up to ${milliseconds(longest)}.`}>
      <svg width={outcomes.length * width + 2} height={64} aria-hidden="true">
        {outcomes.map((outcome, at) => {
          const height = 6 + (outcome.milliseconds / longest) * 54;
          return <rect key={outcome.n} class={`outcome s${colourOf(outcome)}`} x={at * width + 1} y={62 - height} width={width - 2} height={height} rx={1.500}><title>{`${outcome.n + 1}: ${outcome.result}`}</title></rect>;
        })}
      </svg>
    </div>
  );
}

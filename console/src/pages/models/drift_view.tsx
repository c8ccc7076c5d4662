// Drift: how far the stored items are from the model, with progress.

import { useEffect, useRef, useState } from "preact/hooks";
import { Numbers } from "../../charts/figure";
import { Button } from "../../ui/controls";
import { count, counted } from "../../ui/format";
import { Badge, ErrorNotice, Notice } from "../../ui/notice";
import { type Definition, type Drift, findDrift, noDrift, serverVerdict } from "./drift";
import { keyText, type Lens } from "./kinds";

export interface DriftProps {
  table: string;
  lens: Lens;
  definition: Definition | undefined;
  expected: number;
  colours: Map<string, number>;
}

export function DriftView({ table, lens, definition, expected, colours }: DriftProps) {
  const [drift, setDrift] = useState<Drift | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [verdict, setVerdict] = useState<{ checked: number; violating: number; examples: string[] } | null>(null);
  const abort = useRef<AbortController | null>(null);
  useEffect(() => () => abort.current?.abort(), []);
  const start = async () => {
    abort.current?.abort();
    const now = new AbortController();
    abort.current = now;
    setError(null);
    setVerdict(null);
    setDrift(noDrift("browser"));
    try {
      await findDrift(table, lens, definition, now.signal, setDrift);
    } catch (failure) {
      setError(failure);
      setDrift((before) => before && { ...before, state: "stopped" });
    }
  };
  const askServer = async () => {
    setError(null);
    try {
      setVerdict(await serverVerdict(table, definition!, new AbortController().signal));
    } catch (failure) {
      setError(failure);
    }
  };
  const running = drift?.state === "running";
  return (
    <>
      <div class="row wrap">
        {running ? <Button icon="stop" onClick={() => abort.current?.abort()}>Stop</Button> : <Button kind="primary" icon="play" onClick={start}>Check all items</Button>}
        {definition && <Button onClick={askServer} title="A dry run of binding: the server checks all items at once and changes nothing">Ask the server</Button>}
        {drift && <span class="faint" role="status">{running ? "checking" : drift.state === "done" ? "done" : "stopped"}, by the {drift.by === "server" ? "server" : "browser"}</span>}
      </div>
      {error !== null && <ErrorNotice error={error} />}
      {verdict && <Notice kind={verdict.violating === 0 ? "good" : "warn"}>The server has checked {counted(verdict.checked, "item")}: {verdict.violating === 0 ? "all of them fit." : `${count(verdict.violating)} break the contract.`}{verdict.examples.length > 0 && <pre class="data">{verdict.examples.join("\n")}</pre>}</Notice>}
      {drift && (
        <>
          <progress class="progress" aria-label="Items that were checked" max={Math.max(expected, drift.checked, 1)} value={drift.state === "done" ? Math.max(expected, drift.checked, 1) : drift.checked} />
          <Numbers values={[
            { name: "Checked", value: count(drift.checked), unit: `of about ${count(Math.max(expected, drift.checked))}` },
            { name: "Break the model", value: count(drift.violating) },
            { name: "Drift", value: drift.checked === 0 ? "–" : `${Number(((drift.violating / drift.checked) * 100).toFixed(1))} %` },
          ]} />
          {drift.state === "done" && drift.violating === 0 && <Notice kind="good">Every item fits its model.</Notice>}
          {drift.counts.size > 0 && <Broken drift={drift} colours={colours} />}
          {drift.findings.length > 0 && <Findings drift={drift} lens={lens} />}
        </>
      )}
    </>
  );
}

function Broken({ drift, colours }: { drift: Drift; colours: Map<string, number> }) {
  const rows = [...drift.counts.values()].sort((a, b) => b.items - a.items);
  const most = rows[0]?.items ?? 1;
  return (
    <section class="panel">
      <header><h2>Rules that are broken</h2></header>
      <div class="table-scroll" tabIndex={0} role="region" aria-label="Rules that are broken">
        <table class="table hits">
          <thead><tr><th scope="col">Kind</th><th scope="col">Attribute</th><th scope="col">Rule</th><th scope="col" class="right">Items</th><th scope="col"><span class="visually-hidden">Share</span></th></tr></thead>
          <tbody>
            {rows.map(({ kind, path, rule, items }) => (
              <tr key={`${kind} ${path} ${rule}`}>
                <td><span class={`swatch s${colours.get(kind) ?? 0}`} aria-hidden="true" /> <span class="data">{kind}</span></td>
                <td class="mono data">{path}</td>
                <td><Badge kind="danger">{rule}</Badge></td>
                <td class="right">{count(items)}</td>
                <td><span class="bar-track s2" aria-hidden="true"><span style={{ width: `${Math.max(2, Math.round((items / most) * 100))}%` }} /></span></td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function Findings({ drift, lens }: { drift: Drift; lens: Lens }) {
  return (
    <section class="panel">
      <header><h2>Items</h2><span class="faint">{drift.violating > drift.findings.length ? `the first ${drift.findings.length} of ${count(drift.violating)}` : counted(drift.violating, "item")}</span></header>
      <div class="table-scroll findings" tabIndex={0} role="region" aria-label="Items that break their model">
        <table class="table">
          <thead><tr><th scope="col">Item</th><th scope="col">Kind</th><th scope="col">What is wrong</th></tr></thead>
          <tbody>
            {drift.findings.map(({ key, kind, violations }, at) => (
              <tr key={at}><td class="mono data">{keyText(key, lens)}</td><td class="data">{kind ?? "no kind"}</td><td>{violations.map(({ path, rule, message }, index) => <div key={index}><span class="mono data">{path}</span> <span class="faint">{rule}:</span> <span class="data">{message}</span></div>)}</td></tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

// Who holds which lease and for how long, which pages are stale, and what has happened to both.

import { useState } from "preact/hooks";
import type { Item } from "../../api/attribute";
import { dynamo } from "../../api/client";
import { ApiError } from "../../api/errors";
import { Numbers, Picture } from "../../charts/figure";
import { useWidth } from "../../charts/line_chart";
import { linear } from "../../charts/scale";
import { keyNames, TablePage, TableSelect, type TableDescription } from "../../charts/tables";
import { route, setQuery } from "../../state/router";
import { Button, Select, Tabs } from "../../ui/controls";
import { Confirm } from "../../ui/dialog";
import { age, count, counted, duration, timeOf } from "../../ui/format";
import { Badge, Empty, ErrorNotice, Loading, Notice } from "../../ui/notice";
import { toast } from "../../ui/toast";
import { type Change, isFresh, isHeld, type Lease, leaseIn, nameOfKey, type Names, type Page, pagesIn, shortKey, spansOf } from "./rows";
import { loadRows, useWatch } from "./watch";
import "../../charts/charts.css";
import "./leases.css";

async function withLeases(tables: TableDescription[], signal: AbortSignal): Promise<TableDescription[]> {
  const found = await Promise.all(tables.map(async (table) => (await loadRows(table.TableName, signal, 1)).items.length > 0));
  return tables.filter((_, at) => found[at]);
}

const isText = (table: TableDescription, name: string | undefined) => table.AttributeDefinitions.some(({ AttributeName, AttributeType }) => AttributeName === name && AttributeType === "S");

export default function LeasesPage() {
  return (
    <TablePage page="leases" title="Leases and pages" icon="lease" preferred={["cache", "leases"]} sift={withLeases}
      wanted={(table) => { const { partition, sort } = keyNames(table); return table.TableStatus === "ACTIVE" && isText(table, partition) && isText(table, sort); }}
      none="No table has leases or pages" noneHelp="A lease lets one of many programs do something: dolmen lease run nightly --create-table -- echo hello"
      view={(table, all) => <OfTable key={table.TableName} table={table} all={all} />} />
  );
}

function OfTable({ table, all }: { table: TableDescription; all: TableDescription[] }) {
  const keys = keyNames(table);
  const names: Names = { partition: keys.partition, sort: keys.sort ?? "" };
  const watched = useWatch(table, names);
  const { items, now } = watched;
  const leases = (items ?? []).map((item) => leaseIn(item, names)).filter((each) => each !== undefined);
  const pages = pagesIn(items ?? [], names);
  const held = leases.filter((lease) => isHeld(lease, now));
  const stale = pages.filter((page) => !isFresh(page, now));
  const tab = (["pages", "history"] as const).find((each) => each === route.value.query.get("tab")) ?? "leases";
  return (
    <div class="page leases">
      <div class="page-head">
        <h1>Leases and pages</h1>
        <span class="faint">live, by this computer's clock</span>
        <TableSelect page="leases" table={table} all={all} />
      </div>
      {watched.error !== undefined && <ErrorNotice error={watched.error} onRetry={watched.reload} />}
      {items === undefined && watched.error === undefined && <Loading what="the rows" />}
      {items !== undefined && (
        <>
          <Numbers values={[
            { name: "Leases held", value: count(held.length), unit: `of ${count(leases.length)}` },
            { name: "Ends next", value: held.length === 0 ? "–" : duration(Math.max(0, Math.min(...held.map(({ expiresAt }) => expiresAt)) - now)) },
            { name: "Fresh pages", value: count(pages.length - stale.length) },
            { name: "Stale pages", value: count(stale.length), unit: `of ${count(pages.length)}` },
          ]} />
          {!watched.isWhole && <Notice>The table is large: only rows of its first part are shown.</Notice>}
          <Tabs label="Parts" value={tab} onChange={(id) => setQuery({ tab: id === "leases" ? undefined : id })} tabs={[
            { id: "leases", text: `Leases (${leases.length})`, view: () => <Leases table={table.TableName} names={names} leases={leases} pages={pages} now={now} changes={watched.changes} onChange={watched.reload} /> },
            { id: "pages", text: `Pages (${pages.length})`, view: () => <Pages table={table.TableName} names={names} pages={pages} leases={leases} now={now} onChange={watched.reload} /> },
            { id: "history", text: "History", view: () => <History changes={watched.changes} pages={pages} fromStream={table.StreamSpecification?.StreamViewType === "NEW_AND_OLD_IMAGES"} table={table.TableName} /> },
          ]} />
        </>
      )}
    </div>
  );
}

interface LeasesProps {
  table: string;
  names: Names;
  leases: Lease[];
  pages: Page[];
  now: number;
  changes: Change[];
  onChange: () => void;
}

const longest = 60;

function Leases({ table, names, leases, pages, now, changes, onChange }: LeasesProps) {
  const [breaking, setBreaking] = useState<Lease | null>(null);
  const sorted = [...leases].sort((a, b) => Number(isHeld(b, now)) - Number(isHeld(a, now)) || a.key.localeCompare(b.key));
  const release = async (lease: Lease) => {
    const Key: Item = { [names.partition]: { S: lease.key }, [names.sort]: { S: lease.sort } };
    // A row that counts generations stays, as a release leaves it.
    if (lease.generation !== undefined) await dynamo("UpdateItem", { TableName: table, Key, UpdateExpression: "SET lease_expires_at = :zero", ConditionExpression: "lease_token = :token", ExpressionAttributeValues: { ":zero": { N: "0" }, ":token": { S: lease.token } } });
    else await dynamo("DeleteItem", { TableName: table, Key, ConditionExpression: "lease_token = :token", ExpressionAttributeValues: { ":token": { S: lease.token } } });
    toast("good", `The lease ${shortKey(lease.key)} is free.`);
    onChange();
  };
  if (leases.length === 0) return <Empty icon="lease" title="Nobody holds anything" />;
  return (
    <>
      <section class="panel table-scroll" tabIndex={0} role="region" aria-label="Leases">
        <table class="table">
          <thead><tr><th scope="col">Lease</th><th scope="col">State</th><th scope="col">Time left</th><th scope="col">Holder</th><th scope="col">Generation</th><th scope="col"><span class="visually-hidden">Actions</span></th></tr></thead>
          <tbody>
            {sorted.map((lease) => {
              const left = lease.expiresAt - now;
              return (
                <tr key={`${lease.key} ${lease.sort}`}>
                  <td><span class="mono data" title={lease.key}>{nameOfKey(lease.key, pages)}</span>{lease.sort !== "LOCK" && <span class="faint data"> {lease.sort}</span>}</td>
                  <td>{left > 0 ? <Badge kind="good">held</Badge> : <Badge>free</Badge>}</td>
                  <td class="time-left">{left > 0 ? <><span class={left < 5 ? "bar-track s2" : "bar-track s4"} aria-hidden="true"><span style={{ width: `${Math.min(100, (left / longest) * 100)}%` }} /></span><span>{duration(left)}</span></> : <span class="faint">{lease.expiresAt === 0 ? "released" : `ended ${age(-left)} ago`}</span>}</td>
                  <td class="mono data">{lease.token}</td>
                  <td class="mono">{lease.generation ?? "–"}</td>
                  <td class="right">{left > 0 && <Button small onClick={() => setBreaking(lease)}>Break …</Button>}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </section>
      <Spans changes={changes} now={now} pages={pages} />
      {breaking && (
        <Confirm title="Break the lease?" action="Break it" onConfirm={() => release(breaking)} onClose={() => setBreaking(null)}>
          <p>Another program can take <span class="mono data">{nameOfKey(breaking.key, pages)}</span> at once. Its holder notices at the next refresh; until then both may work.</p>
        </Confirm>
      )}
    </>
  );
}

const windowSeconds = 300;

function Spans({ changes, now, pages }: { changes: Change[]; now: number; pages: Page[] }) {
  const [box, width] = useWidth<HTMLDivElement>(700);
  const begin = now - windowSeconds;
  const end = now + 60;
  const spans = spansOf(changes).filter(({ to, from }) => to > begin && from < end);
  const keys = [...new Set(spans.map(({ key }) => key))].slice(0, 30);
  if (keys.length === 0) return null;
  const tokens = [...new Set(spans.map(({ token }) => token))];
  const left = Math.min(180, Math.round(width * 0.28));
  const x = linear(begin, end, left, width - 10);
  const height = keys.length * 26 + 26;
  return (
    <Picture title="Holders over time" note="the last five minutes; a colour is a holder" table={{ columns: ["Lease", "Holder", "From", "To"], rows: spans.map(({ key, token, from, to }) => [nameOfKey(key, pages), token, timeOf(from), timeOf(to)]) }}>
      <div ref={box} class="spans" role="img" tabIndex={0} aria-label={`${counted(spans.length, "holder")} of ${counted(keys.length, "lease")} in the last five minutes`}>
        <svg width={width} height={height} aria-hidden="true">
          {keys.map((key, row) => (
            <g key={key}>
              <text class="tick" x={8} y={row * 26 + 22}>{nameOfKey(key, pages).slice(0, 24)}</text>
              <line class="grid-line" x1={left} x2={width - 10} y1={row * 26 + 31} y2={row * 26 + 31} />
              {spans.filter((span) => span.key === key).map(({ token, from, to }, at) => (
                <rect key={at} class={`span s${(tokens.indexOf(token) % 8) + 1}`} x={x(Math.max(from, begin))} y={row * 26 + 9} width={Math.max(3, x(Math.min(to, end)) - x(Math.max(from, begin)))} height={18} rx={3} />
              ))}
            </g>
          ))}
          <line class="now-line" x1={x(now)} x2={x(now)} y1={2} y2={height - 18} />
          {[-300, -180, -60, 0].map((each) => <text key={each} class="tick" x={x(now + each)} y={height - 5} text-anchor="middle">{each === 0 ? "now" : `${each / 60} min`}</text>)}
        </svg>
      </div>
    </Picture>
  );
}

function Pages({ table, names, pages, leases, now, onChange }: { table: string; names: Names; pages: Page[]; leases: Lease[]; now: number; onChange: () => void }) {
  const [only, setOnly] = useState<"all" | "stale" | "fresh">("all");
  const [marking, setMarking] = useState<Page | null>(null);
  const mark = async (page: Page) => {
    // Who is generating the page may have read old data, and must not publish it.
    const lease = leases.find(({ key, sort }) => key === page.key && sort === "LOCK");
    if (lease && isHeld(lease, now)) await dynamo("DeleteItem", { TableName: table, Key: { [names.partition]: { S: page.key }, [names.sort]: { S: "LOCK" } }, ConditionExpression: "lease_token = :token", ExpressionAttributeValues: { ":token": { S: lease.token } } }).catch((error: unknown) => { if (!(error instanceof ApiError && error.type === "ConditionalCheckFailedException")) throw error; });
    await dynamo("UpdateItem", { TableName: table, Key: { [names.partition]: { S: page.key }, [names.sort]: { S: "META" } }, UpdateExpression: "SET revalidate_seconds = :zero", ConditionExpression: "attribute_exists(generated_at)", ExpressionAttributeValues: { ":zero": { N: "0" } } });
    toast("good", "The next visit regenerates the page.");
    onChange();
  };
  const shown = pages.filter((page) => only === "all" || isFresh(page, now) === (only === "fresh")).sort((a, b) => a.generatedAt + a.freshFor - (b.generatedAt + b.freshFor));
  if (pages.length === 0) return <Empty icon="document" title="There are no pages">Pages are generated now and then and served many times.</Empty>;
  return (
    <>
      <div class="row"><Select label="Show" hideLabel value={only} onChange={setOnly} choices={[{ value: "all", text: "all pages" }, { value: "stale", text: "stale pages" }, { value: "fresh", text: "fresh pages" }]} /></div>
      <section class="panel table-scroll" tabIndex={0} role="region" aria-label="Pages">
        <table class="table">
          <thead><tr><th scope="col">Page</th><th scope="col">State</th><th scope="col">Generated</th><th scope="col">Fresh</th><th scope="col">Version</th><th scope="col">Tags</th><th scope="col">Requests</th><th scope="col"><span class="visually-hidden">Actions</span></th></tr></thead>
          <tbody>
            {shown.map((page) => {
              const left = page.generatedAt + page.freshFor - now;
              const generating = leases.some((lease) => lease.key === page.key && isHeld(lease, now));
              return (
                <tr key={page.key}>
                  <td><span class="data" title={page.key}>{page.name ?? shortKey(page.key)}</span><div class="faint mono data body-key" title={page.body}>{shortKey(page.body.split("/").slice(0, -1).pop() ?? "")}/{page.body.split("/").pop()}</div></td>
                  <td>{left > 0 ? <Badge kind="good">fresh</Badge> : <Badge kind="warn">stale</Badge>} {generating && <Badge kind="accent">being generated</Badge>}</td>
                  <td class="nowrap">{age(now - page.generatedAt)} ago</td>
                  <td class="nowrap">{left > 0 ? `another ${duration(left)}` : page.freshFor === 0 ? "marked as stale" : `ended ${age(-left)} ago`}</td>
                  <td>{page.versions.length === 0 ? <span class="faint">–</span> : <details><summary>{page.version?.replace("VER#", "") ?? "none"} of {page.versions.length}</summary><ul>{page.versions.map(({ id, generatedAt }) => <li key={id}><span class="mono data">{id}</span> <span class="faint">{age(now - generatedAt)} ago</span></li>)}</ul></details>}</td>
                  <td>{page.tags.map((tag) => <Badge key={tag}><span class="data">{tag}</span></Badge>)}</td>
                  <td>{page.requests.map(({ id, status }) => <div key={id}><span class="mono data">{id}</span> <Badge kind={status === "FAILED" ? "danger" : status === "STARTED" ? "accent" : undefined}>{status.toLowerCase()}</Badge></div>)}</td>
                  <td class="right">{left > 0 && <Button small onClick={() => setMarking(page)}>Mark as stale …</Button>}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </section>
      {marking && <Confirm title="Mark the page as stale?" action="Mark it" onConfirm={() => mark(marking)} onClose={() => setMarking(null)}><p><span class="data">{marking.name ?? shortKey(marking.key)}</span> is served until a new one is there; the next visit generates it. Whoever is generating it now cannot publish.</p></Confirm>}
    </>
  );
}

const kinds: Partial<Record<Change["what"], "good" | "warn" | "danger" | "accent">> = { acquired: "good", "taken over": "warn", published: "accent", "marked as stale": "warn", purged: "danger", "request failed": "danger" };

function History({ changes, pages, fromStream, table }: { changes: Change[]; pages: Page[]; fromStream: boolean; table: string }) {
  const newest = [...changes].sort((a, b) => b.time - a.time);
  return (
    <>
      <Notice>{fromStream ? `From the stream of ${table}: the last 24 hours.` : `What the console has seen since this page was opened. With a stream of both images, ${table} would keep 24 hours.`}</Notice>
      {newest.length === 0 ? <Empty title="Nothing has happened yet" /> : (
        <section class="panel table-scroll" tabIndex={0} role="region" aria-label="History">
          <table class="table">
            <thead><tr><th scope="col">When</th><th scope="col">What</th><th scope="col">Lease or page</th><th scope="col">Holder</th></tr></thead>
            <tbody>{newest.slice(0, 200).map((change, at) => <tr key={at}><td class="nowrap">{timeOf(change.time)}</td><td><Badge kind={kinds[change.what]}>{change.what}</Badge></td><td><span class="mono data">{nameOfKey(change.key, pages)}</span></td><td class="mono data">{change.token ?? ""}</td></tr>)}</tbody>
          </table>
        </section>
      )}
    </>
  );
}

import { useState } from "preact/hooks";
import { indexesOf, keyNames, keyType, type TableDescription } from "../../items/key";
import { href } from "../../state/router";
import { Button, TextField } from "../../ui/controls";
import { bytes, count } from "../../ui/format";
import { Badge, Empty, ErrorNotice, Loading } from "../../ui/notice";
import { useResource } from "../../ui/resource";
import { CreateTable } from "./create";
import { billingOf, describeWhole, isActive, listTables, type WholeTable } from "./tables";

const shownMax = 100;
const parallelMax = 6;

/** Asks for many tables, a few at a time. One that vanishes meanwhile is left out. */
async function describeAll(names: readonly string[], signal: AbortSignal): Promise<Map<string, WholeTable | Error>> {
  const found = new Map<string, WholeTable | Error>();
  const left = [...names];
  const worker = async () => {
    for (let name = left.shift(); name !== undefined; name = left.shift()) {
      try {
        found.set(name, await describeWhole(name, signal));
      } catch (error) {
        found.set(name, error instanceof Error ? error : new Error(String(error)));
      }
    }
  };
  await Promise.all(Array.from({ length: parallelMax }, worker));
  return found;
}

/** "topic S · written N" */
export function KeyText({ table, of }: { table: TableDescription; of: { KeySchema: TableDescription["KeySchema"] } }) {
  return (
    <span class="mono">
      {keyNames(of.KeySchema).map((name, at) => <span key={name}>{at > 0 && <span class="faint"> · </span>}<span class="data">{name}</span> <span class="type-tag">{keyType(table, name)}</span></span>)}
    </span>
  );
}

function TableRow({ name, whole }: { name: string; whole: WholeTable | Error | undefined }) {
  const link = <a href={href(["tables", name])}>{name}</a>;
  if (whole === undefined || whole instanceof Error)
    return <tr><td>{link}</td><td colSpan={7} class="faint">{whole instanceof Error ? whole.message : "…"}</td></tr>;
  const { table, timeToLive, recovery, backups } = whole;
  return (
    <tr>
      <td>{link} {!isActive(table) && <Badge kind="warn">{table.TableStatus.toLowerCase()}</Badge>}</td>
      <td><KeyText table={table} of={table} /></td>
      <td class="right">{count(table.ItemCount ?? 0)}</td>
      <td class="right">{bytes(table.TableSizeBytes ?? 0)}</td>
      <td>{indexesOf(table).length === 0 ? <span class="faint">–</span> : <span title={indexesOf(table).map((index) => index.IndexName).join(", ")}>{count(indexesOf(table).length)}</span>}</td>
      <td>{table.StreamSpecification?.StreamEnabled ? <Badge kind="accent" title={table.StreamSpecification.StreamViewType ?? ""}>on</Badge> : <span class="faint">–</span>}</td>
      <td>{timeToLive.TimeToLiveStatus === "ENABLED" ? <span class="mono data">{timeToLive.AttributeName}</span> : <span class="faint">–</span>}</td>
      <td>{recovery.PointInTimeRecoveryStatus === "ENABLED" && <Badge kind="good">point in time</Badge>} {backups > 0 && <Badge>{backups} backup{backups === 1 ? "" : "s"}</Badge>}
        {recovery.PointInTimeRecoveryStatus !== "ENABLED" && backups === 0 && <span class="faint">–</span>}</td>
      <td class="faint">{billingOf(table)}</td>
    </tr>
  );
}

export function TableList() {
  const [filter, setFilter] = useState("");
  const [creating, setCreating] = useState(false);
  const names = useResource((signal) => listTables(signal), []);
  const matching = (names.data ?? []).filter((name) => name.toLowerCase().includes(filter.toLowerCase()));
  const shown = matching.slice(0, shownMax);
  const details = useResource((signal) => describeAll(shown, signal), [shown.join(" ")]);
  return (
    <div class="page">
      <div class="page-head">
        <h1>Tables</h1>
        <div class="find"><TextField label="Find a table" hideLabel type="search" placeholder="Find a table" value={filter} onChange={setFilter} /></div>
        <Button icon="refresh" label="Load again" onClick={() => { names.reload(); details.reload(); }} />
        <Button kind="primary" icon="plus" onClick={() => setCreating(true)}>New table</Button>
      </div>
      {names.error !== undefined && <ErrorNotice error={names.error} onRetry={names.reload} />}
      {names.data === undefined ? names.loading && <Loading what="the tables" />
        : names.data.length === 0
          ? <div class="panel"><Empty icon="table" title="There are no tables yet"><p>Make one here, or run <code>dolmen demo</code> for a store that shows everything.</p></Empty></div>
          : (
            <div class="panel table-scroll" tabIndex={0} role="region" aria-label="Tables">
              <table class="table tables-list">
                <thead><tr>
                  <th scope="col">Name</th><th scope="col">Key</th><th scope="col" class="right">Items</th><th scope="col" class="right">Size</th><th scope="col">Indexes</th>
                  <th scope="col">Stream</th><th scope="col">Time to live</th><th scope="col">Recovery</th><th scope="col">Billing</th>
                </tr></thead>
                <tbody>{shown.map((name) => <TableRow key={name} name={name} whole={details.data?.get(name)} />)}</tbody>
              </table>
            </div>
          )}
      {matching.length > shownMax && <p class="muted">{count(matching.length - shownMax)} more tables match; type a part of the name to find one.</p>}
      {names.data !== undefined && names.data.length > 0 && matching.length === 0 && <p class="muted">No table has “{filter}” in its name.</p>}
      {creating && <CreateTable onClose={() => setCreating(false)} />}
    </div>
  );
}

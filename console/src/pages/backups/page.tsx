// Ways back: points in time and backups of a table, and backups of the whole store.

import { useState } from "preact/hooks";
import { dynamo } from "../../api/client";
import { describe, TablePage, TableSelect, type TableDescription } from "../../charts/tables";
import { listTables } from "../tables/tables";
import { href } from "../../state/router";
import { Button, TextField } from "../../ui/controls";
import { Confirm, Dialog } from "../../ui/dialog";
import { bytes, count, timeOf } from "../../ui/format";
import { Badge, Empty, ErrorNotice, Loading, Notice } from "../../ui/notice";
import { useResource } from "../../ui/resource";
import { toast, toastError } from "../../ui/toast";
import { PointsLine } from "./line";
import { type Backup, type Continuous, localText, momentAt, nameProblem, restoredName } from "./points";
import { StoreBackups } from "./store_backups";
import "../../charts/charts.css";
import "./backups.css";

export default function BackupsPage() {
  return (
    <TablePage page="backups" title="Backups" icon="backup" wanted={() => true} prefer={tablesWithBackups} none="There are no tables yet" noneHelp="A table can keep its history, and have backups."
      view={(table, all) => <OfTable key={table.TableName} table={table} all={all} />} />
  );
}

/** One that has backups shows more than one that has none. */
async function tablesWithBackups(signal: AbortSignal): Promise<string[]> {
  const { BackupSummaries } = await dynamo<{ BackupSummaries: Backup[] }>("ListBackups", { BackupType: "ALL" }, { signal });
  return BackupSummaries.map(({ TableName }) => TableName);
}

interface ContinuousAnswer {
  ContinuousBackupsDescription: { PointInTimeRecoveryDescription?: { PointInTimeRecoveryStatus: "ENABLED" | "DISABLED"; EarliestRestorableDateTime?: number; LatestRestorableDateTime?: number; RecoveryPeriodInDays?: number } };
}

async function load(table: string, signal: AbortSignal): Promise<{ backups: Backup[]; continuous: Continuous; now: number }> {
  const backups: Backup[] = [];
  let after: string | undefined;
  do {
    const page: { BackupSummaries: Backup[]; LastEvaluatedBackupArn?: string } = await dynamo("ListBackups", { TableName: table, BackupType: "ALL", ...(after === undefined ? {} : { ExclusiveStartBackupArn: after }) }, { signal });
    backups.push(...page.BackupSummaries);
    after = page.LastEvaluatedBackupArn;
  } while (after !== undefined && backups.length < 1000);
  const { ContinuousBackupsDescription: { PointInTimeRecoveryDescription: of } } = await dynamo<ContinuousAnswer>("DescribeContinuousBackups", { TableName: table }, { signal });
  return { backups, continuous: { status: of?.PointInTimeRecoveryStatus ?? "DISABLED", earliest: of?.EarliestRestorableDateTime, latest: of?.LatestRestorableDateTime, days: of?.RecoveryPeriodInDays }, now: Date.now() / 1000 };
}

type Restoring = { from: "moment"; time: number } | { from: "backup"; backup: Backup };

function OfTable({ table, all }: { table: TableDescription; all: TableDescription[] }) {
  const name = table.TableName;
  const state = useResource((signal) => load(name, signal), [name], 5000);
  const [part, setPart] = useState(1);
  const [making, setMaking] = useState(false);
  const [restoring, setRestoring] = useState<Restoring | null>(null);
  const [restored, setRestored] = useState<string[]>([]);
  const [switching, setSwitching] = useState(false);
  const data = state.data;
  const moment = data && momentAt(data.continuous, part);
  const enable = async (on: boolean) => {
    await dynamo("UpdateContinuousBackups", { TableName: name, PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: on } });
    toast("good", on ? `${name} keeps its history from now on.` : `${name} keeps no history any more.`);
    state.reload();
  };
  return (
    <div class="page backups">
      <div class="page-head">
        <h1>Backups</h1>
        <TableSelect page="backups" table={table} all={all} />
        <Button icon="plus" kind="primary" onClick={() => setMaking(true)}>Make a backup</Button>
      </div>
      {state.error !== undefined && <ErrorNotice error={state.error} onRetry={state.reload} />}
      {data === undefined ? state.loading && <Loading what="the backups" /> : (
        <>
          <PointsLine table={name} backups={data.backups} continuous={data.continuous} now={data.now} part={part} onPart={setPart}>
            <div class={data.continuous.status === "ENABLED" ? "row wrap end-fields" : "row wrap"}>
              {data.continuous.status === "ENABLED" && moment !== undefined && data.continuous.earliest !== undefined && data.continuous.latest !== undefined
                ? <>
                  <TextField label="By the clock" type="datetime-local" value={localText(moment)} onChange={(text) => { const time = Date.parse(text) / 1000; const { earliest, latest } = data.continuous; if (Number.isFinite(time)) setPart((time - earliest!) / Math.max(0.001, latest! - earliest!)); }} />
                  <Button icon="backup" onClick={() => setRestoring({ from: "moment", time: moment })}>Restore to this moment …</Button>
                  <span class="grow" />
                  <span class="faint">kept for {count(data.continuous.days ?? 35)} days</span>
                  <Button kind="quiet" onClick={() => setSwitching(true)}>Stop keeping it …</Button>
                </>
                : <><span class="muted">The table keeps no history. With one, every millisecond of up to 35 days can be restored to.</span><Button onClick={() => { enable(true).catch(toastError); }}>Keep the history</Button></>}
            </div>
          </PointsLine>
          <TableBackups backups={data.backups} onChange={state.reload} onRestore={(backup) => setRestoring({ from: "backup", backup })} />
        </>
      )}
      {restored.map((target) => <Progress key={target} table={target} />)}
      <StoreBackups />
      {making && <Make table={name} onClose={() => setMaking(false)} onMade={() => { setMaking(false); state.reload(); }} />}
      {restoring && <Restore table={name} what={restoring} onClose={() => setRestoring(null)} onBegun={(target) => { setRestoring(null); setRestored((before) => [target, ...before]); }} />}
      {switching && <Confirm title="Stop keeping the history?" action="Stop keeping it" typed={name} onConfirm={() => enable(false)} onClose={() => setSwitching(false)}><p>What was kept of <span class="mono data">{name}</span> is removed, and cannot be restored to any more.</p></Confirm>}
    </div>
  );
}

function Make({ table, onClose, onMade }: { table: string; onClose: () => void; onMade: () => void }) {
  const [name, setName] = useState(restoredName(table, Date.now() / 1000, []));
  const [error, setError] = useState<unknown>(null);
  const make = async () => {
    try {
      await dynamo("CreateBackup", { TableName: table, BackupName: name });
      toast("good", `The backup ${name} is there.`);
      onMade();
    } catch (failure) {
      setError(failure);
    }
  };
  return (
    <Dialog title={`Back up ${table}`} onClose={onClose} onSubmit={make} footer={<><Button onClick={onClose}>Cancel</Button><Button kind="primary" submit disabled={nameProblem(name) !== ""}>Make it</Button></>}>
      <TextField label="Name of the backup" code value={name} onChange={setName} problem={nameProblem(name)} autofocus />
      {error !== null && <ErrorNotice error={error} />}
    </Dialog>
  );
}

function Restore({ table, what, onClose, onBegun }: { table: string; what: Restoring; onClose: () => void; onBegun: (target: string) => void }) {
  const time = what.from === "moment" ? what.time : what.backup.BackupCreationDateTime;
  const tables = useResource((signal) => listTables(signal), []);
  const [typed, setTyped] = useState<string | null>(null);
  const [error, setError] = useState<unknown>(null);
  const target = typed ?? restoredName(table, time, tables.data ?? []);
  const problem = nameProblem(target, tables.data);
  const restore = async () => {
    try {
      if (what.from === "moment") await dynamo("RestoreTableToPointInTime", { SourceTableName: table, TargetTableName: target, RestoreDateTime: what.time });
      else await dynamo("RestoreTableFromBackup", { BackupArn: what.backup.BackupArn, TargetTableName: target });
      onBegun(target);
    } catch (failure) {
      setError(failure);
    }
  };
  return (
    <Dialog title="Restore to a new table" onClose={onClose} onSubmit={restore} footer={<><Button onClick={onClose}>Cancel</Button><Button kind="primary" submit disabled={problem !== "" || tables.data === undefined}>Restore</Button></>}>
      <p>{what.from === "moment" ? <>As <span class="mono data">{table}</span> was at {timeOf(time)}.</> : <>From the backup <span class="mono data">{what.backup.BackupName}</span> of {timeOf(time)}.</>} The table itself stays as it is.</p>
      <TextField label="Name of the new table" code value={target} onChange={setTyped} problem={problem} autofocus />
      <p class="faint">Items, keys, indexes and billing come back; the stream, the time to live, the history, tags and protection do not.</p>
      {error !== null && <ErrorNotice error={error} />}
    </Dialog>
  );
}

function Progress({ table }: { table: string }) {
  const [done, setDone] = useState(false);
  const state = useResource(async (signal) => { const now = await describe(table, signal); if (now.TableStatus === "ACTIVE") setDone(true); return now; }, [table], done ? undefined : 700);
  if (state.error !== undefined) return <ErrorNotice error={state.error} />;
  return done
    ? <Notice kind="good"><span role="status">{table} is restored, with {count(state.data?.ItemCount ?? 0)} items.</span> <a href={href(["tables", table])}>Look at it</a></Notice>
    : <Notice>{table} is being restored …<progress class="progress" aria-label={`Restoring ${table}`} /></Notice>;
}

interface Details {
  BackupDescription: { BackupDetails: Backup; SourceTableDetails: { ItemCount?: number; TableSizeBytes?: number } };
}

/** Restores a backup to a table of its own, counts its items, and drops it again. */
async function verify(backup: Backup): Promise<string> {
  const { BackupDescription: { SourceTableDetails: { ItemCount: expected } } } = await dynamo<Details>("DescribeBackup", { BackupArn: backup.BackupArn });
  const target = `console-verify-${Date.now().toString(36)}`;
  await dynamo("RestoreTableFromBackup", { BackupArn: backup.BackupArn, TargetTableName: target });
  try {
    let now = await describe(target);
    while (now.TableStatus !== "ACTIVE") {
      await new Promise((resolve) => setTimeout(resolve, 300));
      now = await describe(target);
    }
    let items = 0;
    let after: unknown;
    do {
      const page: { Count: number; LastEvaluatedKey?: unknown } = await dynamo("Scan", { TableName: target, Select: "COUNT", ...(after ? { ExclusiveStartKey: after } : {}) });
      items += page.Count;
      after = page.LastEvaluatedKey;
    } while (after !== undefined);
    if (expected !== undefined && items !== expected) throw new Error(`The backup ${backup.BackupName} says that it has ${expected} items, and ${items} came back.`);
    return `whole: ${count(items)} items came back`;
  } finally {
    await dynamo("DeleteTable", { TableName: target });
  }
}

function TableBackups({ backups, onChange, onRestore }: { backups: Backup[]; onChange: () => void; onRestore: (backup: Backup) => void }) {
  const [deleting, setDeleting] = useState<Backup | null>(null);
  const [busy, setBusy] = useState("");
  const [verdicts, setVerdicts] = useState<Record<string, { good: boolean; text: string }>>({});
  const check = async (backup: Backup) => {
    setBusy(backup.BackupArn);
    try {
      const text = await verify(backup);
      setVerdicts((before) => ({ ...before, [backup.BackupArn]: { good: true, text } }));
    } catch (error) {
      setVerdicts((before) => ({ ...before, [backup.BackupArn]: { good: false, text: error instanceof Error ? error.message : String(error) } }));
    }
    setBusy("");
  };
  const newest = [...backups].sort((a, b) => b.BackupCreationDateTime - a.BackupCreationDateTime);
  return (
    <section class="panel">
      <header><h2>Backups of the table</h2></header>
      {newest.length === 0 ? <Empty icon="backup" title="No backups of this table">A backup shares its files with the table, so that it takes no time.</Empty> : (
        <div class="table-scroll" tabIndex={0} role="region" aria-label="Backups of the table">
          <table class="table">
            <thead><tr><th scope="col">Backup</th><th scope="col">Made</th><th scope="col" class="right">Size</th><th scope="col">State</th><th scope="col"><span class="visually-hidden">Actions</span></th></tr></thead>
            <tbody>
              {newest.map((backup) => {
                const verdict = verdicts[backup.BackupArn];
                return (
                  <tr key={backup.BackupArn}>
                    <td><span class="mono data">{backup.BackupName}</span> {backup.BackupType === "SYSTEM" && <Badge>of a deleted table</Badge>}</td>
                    <td class="nowrap">{timeOf(backup.BackupCreationDateTime)}</td>
                    <td class="right nowrap">{bytes(backup.BackupSizeBytes ?? 0)}</td>
                    <td>{busy === backup.BackupArn ? <span role="status">verifying …</span> : verdict === undefined ? <Badge>{backup.BackupStatus.toLowerCase()}</Badge> : <span role="status" class={verdict.good ? "good-text data" : "danger-text data"}>{verdict.text}</span>}</td>
                    <td class="right nowrap">
                      <Button small disabled={busy !== ""} title="Restores it to a table of its own, counts the items and drops that table" onClick={() => check(backup)}>Verify</Button>{" "}
                      <Button small onClick={() => onRestore(backup)}>Restore …</Button>{" "}
                      <Button small kind="quiet" icon="trash" label={`Delete the backup ${backup.BackupName}`} onClick={() => setDeleting(backup)} />
                    </td>
                  </tr>
                );
              })}
            </tbody>
          </table>
        </div>
      )}
      {deleting && <Confirm title="Delete the backup?" action="Delete" onClose={() => setDeleting(null)} onConfirm={async () => { await dynamo("DeleteBackup", { BackupArn: deleting.BackupArn }); toast("good", `Deleted ${deleting.BackupName}.`); onChange(); }}><p>The backup <span class="mono data">{deleting.BackupName}</span> of {timeOf(deleting.BackupCreationDateTime)} is deleted for good.</p></Confirm>}
    </section>
  );
}

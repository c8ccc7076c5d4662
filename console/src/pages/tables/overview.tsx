// What a table is made of, and changing it.

import { useState } from "preact/hooks";
import { dynamo } from "../../api/client";
import type { IndexDescription, TableDescription } from "../../items/key";
import { href } from "../../state/router";
import { Button } from "../../ui/controls";
import { Confirm } from "../../ui/dialog";
import { bytes, count, timeOf } from "../../ui/format";
import { Badge } from "../../ui/notice";
import { toast } from "../../ui/toast";
import { AddIndex, ChangeCapacity, ChangeStream, ChangeTimeToLive } from "./changes";
import { KeyText } from "./list";
import { billingOf, type WholeTable } from "./tables";

type Open = "index" | "stream" | "life" | "capacity" | { deleteIndex: string } | { toggle: "recovery" | "protection" } | null;

function Fact({ name, children, onChange, wide }: { name: string; children: preact.ComponentChildren; onChange?: () => void; wide?: boolean }) {
  return (
    <div class={wide ? "wide" : undefined}>
      <dt>{name}</dt>
      <dd class="row fact">{children}{onChange && <Button small kind="quiet" icon="edit" label={`Change: ${name.toLowerCase()}`} onClick={onChange} />}</dd>
    </div>
  );
}

function Indexes({ table, onAdd, onDelete }: { table: TableDescription; onAdd: () => void; onDelete: (name: string) => void }) {
  const row = (index: IndexDescription, kind: "global" | "local") => (
    <tr key={index.IndexName}>
      <td><a class="data" href={href(["query"], { table: table.TableName, index: index.IndexName })}>{index.IndexName}</a></td>
      <td>{kind}</td>
      <td><KeyText table={table} of={index} /></td>
      <td class="wrap-anywhere">{projectionText(index)}</td>
      <td class="right">{count(index.ItemCount ?? 0)}</td>
      <td class="right">{bytes(index.IndexSizeBytes ?? 0)}</td>
      <td>{(index.IndexStatus ?? "ACTIVE") === "ACTIVE" ? <Badge kind="good">active</Badge> : <Badge kind="warn">{index.Backfilling ? "filling" : index.IndexStatus!.toLowerCase()}</Badge>}</td>
      <td class="right">{kind === "global" && <Button small kind="quiet" icon="trash" label={`Delete the index ${index.IndexName}`} onClick={() => onDelete(index.IndexName)} />}</td>
    </tr>
  );
  const all = [...(table.GlobalSecondaryIndexes ?? []).map((index) => row(index, "global")), ...(table.LocalSecondaryIndexes ?? []).map((index) => row(index, "local"))];
  return (
    <section class="panel">
      <header><h2>Indexes</h2><Button small icon="plus" onClick={onAdd}>Index</Button></header>
      {all.length === 0 ? <p class="body muted">The table has no indexes.</p> : (
        <div class="table-scroll" tabIndex={0} role="region" aria-label="Indexes">
          <table class="table">
            <thead><tr><th scope="col">Name</th><th scope="col">Kind</th><th scope="col">Key</th><th scope="col">Attributes</th><th scope="col" class="right">Items</th><th scope="col" class="right">Size</th><th scope="col">State</th><th scope="col"><span class="visually-hidden">Delete</span></th></tr></thead>
            <tbody>{all}</tbody>
          </table>
        </div>
      )}
    </section>
  );
}

function projectionText(index: IndexDescription): string {
  const { ProjectionType, NonKeyAttributes } = index.Projection ?? {};
  if (ProjectionType === "INCLUDE") return `keys, ${NonKeyAttributes?.join(", ")}`;
  return ProjectionType === "KEYS_ONLY" ? "keys only" : "all";
}

export function Overview({ whole, onChanged }: { whole: WholeTable; onChanged: () => void }) {
  const [open, setOpen] = useState<Open>(null);
  const { table, timeToLive, recovery, backups } = whole;
  const name = table.TableName;
  const close = () => setOpen(null);
  const changed = () => { close(); onChanged(); };
  const isRecoverable = recovery.PointInTimeRecoveryStatus === "ENABLED";
  const isProtected = table.DeletionProtectionEnabled === true;
  const deleteIndex = async (index: string) => {
    await dynamo("UpdateTable", { TableName: name, GlobalSecondaryIndexUpdates: [{ Delete: { IndexName: index } }] });
    toast("good", `The index ${index} is being deleted.`);
    onChanged();
  };
  const toggle = async (what: "recovery" | "protection") => {
    if (what === "recovery") await dynamo("UpdateContinuousBackups", { TableName: name, PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: !isRecoverable } });
    else await dynamo("UpdateTable", { TableName: name, DeletionProtectionEnabled: !isProtected });
    onChanged();
  };
  return (
    <>
      <section class="panel">
        <header><h2>Settings</h2></header>
        <dl class="facts body">
          <Fact name="Key"><KeyText table={table} of={table} /></Fact>
          <Fact name="Items">{count(table.ItemCount ?? 0)}</Fact>
          <Fact name="Size">{bytes(table.TableSizeBytes ?? 0)}</Fact>
          <Fact name="Made">{timeOf(table.CreationDateTime ?? NaN)}</Fact>
          <Fact name="Capacity" onChange={() => setOpen("capacity")}>{billingOf(table)}{billingOf(table) === "provisioned" && <span class="faint">{table.ProvisionedThroughput?.ReadCapacityUnits} read, {table.ProvisionedThroughput?.WriteCapacityUnits} write</span>}</Fact>
          <Fact name="Stream" onChange={() => setOpen("stream")}>{table.StreamSpecification?.StreamEnabled ? (table.StreamSpecification.StreamViewType ?? "").toLowerCase().replace(/_/g, " ") : "none"}</Fact>
          <Fact name="Time to live" onChange={() => setOpen("life")}>{timeToLive.TimeToLiveStatus === "ENABLED" ? <span class="mono data">{timeToLive.AttributeName}</span> : "none"}</Fact>
          <Fact name="Point-in-time recovery" wide={isRecoverable} onChange={() => setOpen({ toggle: "recovery" })}>
            {isRecoverable ? <><Badge kind="good">on</Badge>{recovery.EarliestRestorableDateTime !== undefined && <span class="faint">since {timeOf(recovery.EarliestRestorableDateTime)}</span>}</> : "off"}
          </Fact>
          <Fact name="Backups">{count(backups)}</Fact>
          <Fact name="Protection from deletion" onChange={() => setOpen({ toggle: "protection" })}>{isProtected ? <Badge kind="good">on</Badge> : "off"}</Fact>
          <Fact name="ARN" wide><span class="mono wrap-anywhere">{table.TableArn}</span></Fact>
        </dl>
      </section>
      <Indexes table={table} onAdd={() => setOpen("index")} onDelete={(index) => setOpen({ deleteIndex: index })} />
      {open === "index" && <AddIndex table={table} onClose={close} onDone={changed} />}
      {open === "stream" && <ChangeStream table={table} onClose={close} onDone={changed} />}
      {open === "life" && <ChangeTimeToLive table={table} current={timeToLive} onClose={close} onDone={changed} />}
      {open === "capacity" && <ChangeCapacity table={table} onClose={close} onDone={changed} />}
      {open !== null && typeof open === "object" && "deleteIndex" in open && (
        <Confirm title={`Delete the index ${open.deleteIndex}?`} action="Delete the index" typed={open.deleteIndex} onConfirm={() => deleteIndex(open.deleteIndex)} onClose={close}>
          <p>Queries that name it will fail. The items of the table stay.</p>
        </Confirm>
      )}
      {open !== null && typeof open === "object" && "toggle" in open && (
        <Confirm title={open.toggle === "recovery" ? "Point-in-time recovery" : "Protection from deletion"}
          action={(open.toggle === "recovery" ? isRecoverable : isProtected) ? "Turn off" : "Turn on"} onConfirm={() => toggle(open.toggle)} onClose={close}>
          <p>{open.toggle === "recovery"
            ? isRecoverable ? "The history of the table is dropped; it cannot be restored to a time before now any more." : "From now on the table can be restored as a new table to any second."
            : isProtected ? "The table can be deleted again." : "Nobody can delete the table until this is turned off again."}</p>
        </Confirm>
      )}
    </>
  );
}


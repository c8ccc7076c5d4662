// Dialogs that change one thing of a table.

import { useState } from "preact/hooks";
import { dynamo } from "../../api/client";
import type { TableDescription } from "../../items/key";
import { keyNames, keyType } from "../../items/key";
import { Button, Select, TextField } from "../../ui/controls";
import { Dialog } from "../../ui/dialog";
import { ErrorNotice } from "../../ui/notice";
import { toast } from "../../ui/toast";
import { IndexFields, streamChoices } from "./create";
import { emptyIndex, indexProblems, keySchema, projectionOf, type KeyDraft, type KeyKind } from "./definition";
import { billingOf, type TimeToLive } from "./tables";

interface ChangeProps {
  table: TableDescription;
  onClose: () => void;
  onDone: () => void;
}

/** A dialog whose Save does one request, or says why not. */
function Change({ title, action, canSave, save, onClose, onDone, children, wide }: {
  title: string; action?: string; canSave: boolean; save: () => Promise<string>; onClose: () => void; onDone: () => void; children: preact.ComponentChildren; wide?: boolean;
}) {
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const submit = async () => {
    if (!canSave || busy) return;
    setBusy(true);
    setError(null);
    try {
      toast("good", await save());
      onDone();
    } catch (failure) {
      setError(failure);
      setBusy(false);
    }
  };
  return (
    <Dialog title={title} wide={wide ?? false} onClose={onClose} onSubmit={submit}
      footer={<><Button onClick={onClose}>Cancel</Button><Button kind="primary" submit disabled={!canSave || busy}>{action ?? "Save"}</Button></>}>
      {children}
      {error !== null && <ErrorNotice error={error} />}
    </Dialog>
  );
}

export function AddIndex({ table, onClose, onDone }: ChangeProps) {
  const [index, setIndex] = useState(emptyIndex);
  const draftOf = (name: string | undefined): KeyDraft => ({ name: name ?? "", kind: (name ? (keyType(table, name) as KeyKind) : "S") });
  const [partition, sort] = keyNames(table.KeySchema);
  const problems = indexProblems(index, { partition: draftOf(partition), sort: draftOf(sort) });
  const keys = [index.partition, index.sort].filter((key) => key.name !== "");
  const known = table.AttributeDefinitions.filter(({ AttributeName }) => !keys.some((key) => key.name === AttributeName));
  const save = async () => {
    await dynamo("UpdateTable", {
      TableName: table.TableName,
      AttributeDefinitions: [...known, ...keys.map(({ name, kind }) => ({ AttributeName: name, AttributeType: kind }))],
      GlobalSecondaryIndexUpdates: [{ Create: {
        IndexName: index.name, KeySchema: keySchema(index.partition, index.sort), Projection: projectionOf(index),
        ...(billingOf(table) === "provisioned" ? { ProvisionedThroughput: table.ProvisionedThroughput && { ReadCapacityUnits: table.ProvisionedThroughput.ReadCapacityUnits, WriteCapacityUnits: table.ProvisionedThroughput.WriteCapacityUnits } } : {}),
      } }],
    });
    return `The index ${index.name} is being filled.`;
  };
  return (
    <Change title={`New index of ${table.TableName}`} action="Create" wide canSave={Object.keys(problems).length === 0} save={save} onClose={onClose} onDone={onDone}>
      <IndexFields index={index} problems={index.name === "" ? {} : problems} canBeLocal={false} onChange={setIndex} />
      <p class="muted">It is filled with the items that are there while the table goes on working.</p>
    </Change>
  );
}

export function ChangeStream({ table, onClose, onDone }: ChangeProps) {
  const current = table.StreamSpecification?.StreamEnabled ? (table.StreamSpecification.StreamViewType ?? "") : "";
  const [wanted, setWanted] = useState(current);
  const save = async () => {
    // A stream of another kind is another stream.
    if (current !== "") await dynamo("UpdateTable", { TableName: table.TableName, StreamSpecification: { StreamEnabled: false } });
    if (wanted !== "") await dynamo("UpdateTable", { TableName: table.TableName, StreamSpecification: { StreamEnabled: true, StreamViewType: wanted } });
    return wanted === "" ? "The stream is off." : "The stream is on.";
  };
  return (
    <Change title="Stream" canSave={wanted !== current} save={save} onClose={onClose} onDone={onDone}>
      <Select label="Records have" value={wanted} choices={streamChoices as readonly { value: string; text: string }[]} onChange={setWanted} />
      {current !== "" && wanted !== current && <p class="muted">The present stream ends; its records can be read for 24 hours.</p>}
    </Change>
  );
}

export function ChangeTimeToLive({ table, current, onClose, onDone }: ChangeProps & { current: TimeToLive }) {
  const before = current.TimeToLiveStatus === "ENABLED" ? (current.AttributeName ?? "") : "";
  const [attribute, setAttribute] = useState(before);
  const save = async () => {
    const set = (Enabled: boolean, AttributeName: string) => dynamo("UpdateTimeToLive", { TableName: table.TableName, TimeToLiveSpecification: { Enabled, AttributeName } });
    if (before !== "") await set(false, before);
    if (attribute !== "") await set(true, attribute);
    return attribute === "" ? "Items do not expire any more." : `Items expire by ${attribute}.`;
  };
  return (
    <Change title="Time to live" canSave={attribute !== before} save={save} onClose={onClose} onDone={onDone}>
      <TextField label="Attribute" code autofocus value={attribute} onChange={setAttribute} help="A number: the seconds since 1970 after which the item is deleted. Nothing: items do not expire." />
    </Change>
  );
}

export function ChangeCapacity({ table, onClose, onDone }: ChangeProps) {
  const before = billingOf(table) === "on demand" ? "PAY_PER_REQUEST" : "PROVISIONED";
  const [billing, setBilling] = useState<"PAY_PER_REQUEST" | "PROVISIONED">(before);
  const [read, setRead] = useState(String(table.ProvisionedThroughput?.ReadCapacityUnits || 5));
  const [write, setWrite] = useState(String(table.ProvisionedThroughput?.WriteCapacityUnits || 5));
  const isValid = billing === "PAY_PER_REQUEST" ? before !== billing : /^[1-9]\d*$/.test(read) && /^[1-9]\d*$/.test(write);
  const save = async () => {
    const ProvisionedThroughput = { ReadCapacityUnits: Number(read), WriteCapacityUnits: Number(write) };
    await dynamo("UpdateTable", {
      TableName: table.TableName,
      BillingMode: billing,
      ...(billing === "PROVISIONED" ? { ProvisionedThroughput } : {}),
      // Indexes that were paid by request need a throughput of their own.
      ...(billing === "PROVISIONED" && before !== billing && table.GlobalSecondaryIndexes
        ? { GlobalSecondaryIndexUpdates: table.GlobalSecondaryIndexes.map(({ IndexName }) => ({ Update: { IndexName, ProvisionedThroughput } })) } : {}),
    });
    return "The capacity has changed.";
  };
  return (
    <Change title="Capacity" canSave={isValid} save={save} onClose={onClose} onDone={onDone}>
      <Select label="Capacity" value={billing} onChange={setBilling} choices={[{ value: "PAY_PER_REQUEST", text: "on demand" }, { value: "PROVISIONED", text: "provisioned" }]} />
      {billing === "PROVISIONED" && (
        <div class="columns">
          <TextField label="Read capacity units" type="number" min={1} value={read} onChange={setRead} />
          <TextField label="Write capacity units" type="number" min={1} value={write} onChange={setWrite} />
        </div>
      )}
    </Change>
  );
}

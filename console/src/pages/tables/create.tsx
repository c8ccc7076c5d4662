import { useState } from "preact/hooks";
import { dynamo } from "../../api/client";
import { go } from "../../state/router";
import { Button, Checkbox, Select, TextField } from "../../ui/controls";
import { Dialog } from "../../ui/dialog";
import { ErrorNotice } from "../../ui/notice";
import { toast } from "../../ui/toast";
import { createInput, emptyIndex, emptyTable, type IndexDraft, type KeyDraft, keyKinds, problemsOf, type TableDraft } from "./definition";
import { describeTable, isActive } from "./tables";

export const streamChoices = [
  { value: "" as const, text: "none" }, { value: "NEW_AND_OLD_IMAGES" as const, text: "new and old images" }, { value: "NEW_IMAGE" as const, text: "new images" },
  { value: "OLD_IMAGE" as const, text: "old images" }, { value: "KEYS_ONLY" as const, text: "keys only" },
];

const pollMs = 200;

/** Waits until a table can be used. */
export async function waitUntilActive(name: string): Promise<void> {
  while (!isActive(await describeTable(name))) await new Promise((resolve) => setTimeout(resolve, pollMs));
}

export function KeyField({ label, value, problem, help, onChange }: { label: string; value: KeyDraft; problem?: string | undefined; help?: string; onChange: (key: KeyDraft) => void }) {
  return (
    <div class="key-pair">
      <TextField label={label} code value={value.name} problem={problem} {...(help ? { help } : {})} onChange={(name) => onChange({ ...value, name })} />
      <Select label={`Type of ${label.toLowerCase()}`} hideLabel value={value.kind} choices={keyKinds} onChange={(kind) => onChange({ ...value, kind })} />
    </div>
  );
}

export function IndexFields({ index, problems, canBeLocal, onChange, onRemove }: { index: IndexDraft; problems: Record<string, string>; canBeLocal: boolean; onChange: (index: IndexDraft) => void; onRemove?: () => void }) {
  const set = (changes: Partial<IndexDraft>) => onChange({ ...index, ...changes });
  return (
    <div class="stack tight">
      <div class="index-row">
        <TextField label="Index name" code value={index.name} problem={problems["name"]} onChange={(name) => set({ name })} />
        {index.local ? <span class="muted">the table's partition key</span> : <KeyField label="Partition key" value={index.partition} problem={problems["partition"]} onChange={(partition) => set({ partition })} />}
        <KeyField label={index.local ? "Sort key" : "Sort key (or none)"} value={index.sort} problem={problems["sort"]} onChange={(sort) => set({ sort })} />
        <Select label="Attributes" value={index.projection} onChange={(projection) => set({ projection })}
          choices={[{ value: "ALL", text: "all" }, { value: "KEYS_ONLY", text: "keys only" }, { value: "INCLUDE", text: "some" }]} />
        {onRemove && <Button kind="quiet" icon="trash" label="Remove the index" onClick={onRemove} />}
      </div>
      {index.projection === "INCLUDE" && <TextField label="Included attributes" code help="Names, separated by commas" value={index.include} problem={problems["include"]} onChange={(include) => set({ include })} />}
      {canBeLocal && <Checkbox label="Local: sorts the items of each partition of the table" checked={index.local} onChange={(local) => set({ local })} />}
    </div>
  );
}

/** The problems of one index without the beginning of their names. */
function problemsOfIndex(problems: Record<string, string>, at: number): Record<string, string> {
  const prefix = `index-${at}-`;
  return Object.fromEntries(Object.entries(problems).filter(([field]) => field.startsWith(prefix)).map(([field, problem]) => [field.slice(prefix.length), problem]));
}

export function CreateTable({ onClose }: { onClose: () => void }) {
  const [draft, setDraft] = useState<TableDraft>(emptyTable);
  const [tried, setTried] = useState(false);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const set = (changes: Partial<TableDraft>) => setDraft({ ...draft, ...changes });
  const found = problemsOf(draft);
  const problems = tried ? found : {};
  const create = async () => {
    setTried(true);
    if (Object.keys(found).length > 0 || busy) return;
    setBusy(true);
    setError(null);
    try {
      await dynamo("CreateTable", createInput(draft));
      await waitUntilActive(draft.name);
      if (draft.timeToLive !== "") await dynamo("UpdateTimeToLive", { TableName: draft.name, TimeToLiveSpecification: { Enabled: true, AttributeName: draft.timeToLive } });
      if (draft.recovery) await dynamo("UpdateContinuousBackups", { TableName: draft.name, PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true } });
      toast("good", `Made the table ${draft.name}.`);
      onClose();
      go(["tables", draft.name]);
    } catch (failure) {
      setError(failure);
      setBusy(false);
    }
  };
  return (
    <Dialog title="New table" wide onClose={onClose} onSubmit={create}
      footer={<><Button onClick={onClose}>Cancel</Button><Button kind="primary" submit disabled={busy}>Create</Button></>}>
      <TextField label="Name" code autofocus value={draft.name} problem={problems["name"]} onChange={(name) => set({ name })} />
      <div class="columns">
        <KeyField label="Partition key" value={draft.partition} problem={problems["partition"]} onChange={(partition) => set({ partition })} />
        <KeyField label="Sort key (or none)" value={draft.sort} problem={problems["sort"]} onChange={(sort) => set({ sort })} />
      </div>
      <fieldset>
        <legend>Indexes</legend>
        {draft.indexes.map((index, at) => (
          <IndexFields key={at} index={index} problems={problemsOfIndex(problems, at)} canBeLocal={draft.sort.name !== ""}
            onChange={(next) => set({ indexes: draft.indexes.map((each, other) => (other === at ? next : each)) })}
            onRemove={() => set({ indexes: draft.indexes.filter((_, other) => other !== at) })} />
        ))}
        <div><Button small icon="plus" onClick={() => set({ indexes: [...draft.indexes, emptyIndex()] })}>Index</Button></div>
      </fieldset>
      <div class="columns">
        <Select label="Stream" value={draft.stream} choices={streamChoices} onChange={(stream) => set({ stream })} help="Every change of an item, for 24 hours" />
        <TextField label="Time to live" code value={draft.timeToLive} onChange={(timeToLive) => set({ timeToLive })} help="The attribute with the second in which an item expires, or nothing" />
        <Select label="Capacity" value={draft.billing} onChange={(billing) => set({ billing })} choices={[{ value: "PAY_PER_REQUEST", text: "on demand" }, { value: "PROVISIONED", text: "provisioned" }]} />
      </div>
      {draft.billing === "PROVISIONED" && (
        <div class="columns">
          <TextField label="Read capacity units" type="number" min={1} value={draft.read} problem={problems["read"]} onChange={(read) => set({ read })} />
          <TextField label="Write capacity units" type="number" min={1} value={draft.write} problem={problems["write"]} onChange={(write) => set({ write })} />
        </div>
      )}
      <div class="stack tight">
        <Checkbox label="Point-in-time recovery" checked={draft.recovery} onChange={(recovery) => set({ recovery })} />
        <Checkbox label="Protect it from being deleted" checked={draft.protection} onChange={(protection) => set({ protection })} />
      </div>
      {error !== null && <ErrorNotice error={error} />}
    </Dialog>
  );
}

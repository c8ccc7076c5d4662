// One item: as a form of attributes, as plain JSON and as typed JSON. What is wrong is said before anything is sent, and what
// somebody else has changed meanwhile is shown side by side.

import { useMemo, useState } from "preact/hooks";
import { type Item, itemSize, ownItem, sameValue } from "../api/attribute";
import { dynamo } from "../api/client";
import { ApiError, messageOf } from "../api/errors";
import { parseItem, plainLoses, writeItem } from "../api/json_forms";
import { Button, Tabs, TextArea } from "../ui/controls";
import { Confirm, Dialog } from "../ui/dialog";
import { bytes } from "../ui/format";
import { TypedView } from "../ui/json_view";
import { ErrorNotice, Notice } from "../ui/notice";
import { toast } from "../ui/toast";
import { AttributeForm, type AttributeRow, itemOfRows, rowsOf } from "./attribute_form";
import { ConflictDialog } from "./conflict";
import { planChange, planNew } from "./edit_plan";
import { itemProblems, keyNames, keyOf, type TableDescription } from "./key";

export interface ItemEditorProps {
  /** Undefined: the item can only be read. */
  table: TableDescription | undefined;
  /** What the person has seen; undefined for a new item. */
  item?: Item | undefined;
  /** Where a new item begins. */
  template?: Item | undefined;
  onClose: () => void;
  /** With the item as it is now; undefined when it was deleted. */
  onSaved: (after: Item | undefined) => void;
  onCopy?: (from: Item) => void;
}

type View = "form" | "plain" | "typed" | "tree";

/** What is being edited, in the form in which it is. */
type Draft = { view: "form"; rows: AttributeRow[] } | { view: "plain" | "typed"; text: string };

function draftOf(item: Item, view: View, table: TableDescription | undefined): Draft {
  if (view === "plain" || view === "typed") return { view, text: writeItem(item, view) };
  return { view: "form", rows: rowsOf(item, table) };
}

/** Fails with what is wrong. */
function itemOf(draft: Draft): Item {
  return draft.view === "form" ? itemOfRows(draft.rows) : parseItem(draft.text, draft.view);
}

function problemsOf(draft: Draft, seen: Item | undefined, table: TableDescription): string[] {
  let item: Item;
  try {
    item = itemOf(draft);
  } catch (problem) {
    return [messageOf(problem)];
  }
  const problems = itemProblems(item, table);
  if (seen !== undefined && keyNames(table.KeySchema).some((name) => !sameValue(seen[name], item[name])))
    problems.push("the key of an item cannot change; copy the item to make another one");
  return problems;
}

function emptyItem(table: TableDescription): Item {
  return Object.fromEntries(keyNames(table.KeySchema).map((name) => {
    const type = table.AttributeDefinitions.find(({ AttributeName }) => AttributeName === name)?.AttributeType ?? "S";
    return [name, { [type]: type === "N" ? "0" : "" } as Item[string]];
  }));
}

export function ItemEditor({ table, item, template, onClose, onSaved, onCopy }: ItemEditorProps) {
  const [seen, setSeen] = useState(item);
  const [draft, setDraft] = useState<Draft>(() => draftOf(item ?? template ?? (table ? emptyItem(table) : {}), "form", table));
  const [view, setView] = useState<View>(table ? "form" : "tree");
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const [theirs, setTheirs] = useState<Item | null>(null);
  const [deleting, setDeleting] = useState(false);
  const problems = useMemo(() => (table ? problemsOf(draft, seen, table) : []), [draft, seen, table]);
  const current = useMemo(() => {
    try {
      return itemOf(draft);
    } catch {
      return undefined;
    }
  }, [draft]);
  const isLossy = seen !== undefined && Object.values(seen).some(plainLoses);

  const show = (next: View) => {
    // A text that nobody can read yet stays where it is.
    if (next !== view && current === undefined) return toast("danger", problems[0] ?? "This cannot be read.");
    if (next !== "tree" && current !== undefined) setDraft(draftOf(current, next, table));
    setView(next);
  };
  const save = async (wanted: Item, base: Item | undefined) => {
    if (table === undefined) return;
    setBusy(true);
    setError(null);
    try {
      const plan = base === undefined ? planNew(wanted, table) : planChange(base, wanted, table);
      if (plan === null) return onClose();
      const answer = await dynamo<{ Attributes?: Item }>(plan.operation, plan.input);
      toast("good", base === undefined ? "Added the item." : "Saved the item.");
      onSaved(ownItem(answer.Attributes ?? wanted));
    } catch (failure) {
      if (failure instanceof ApiError && failure.type === "ConditionalCheckFailedException") setTheirs(ownItem((failure.body["Item"] as Item | undefined) ?? {}));
      else setError(failure);
      setBusy(false);
    }
  };
  const remove = async () => {
    if (table === undefined || seen === undefined) return;
    await dynamo("DeleteItem", { TableName: table.TableName, Key: keyOf(seen, table) });
    toast("good", "Deleted the item.");
    onSaved(undefined);
  };
  const submit = () => {
    if (problems.length === 0 && current !== undefined && !busy && view !== "tree") void save(current, seen);
  };

  const title = table === undefined ? "Row" : seen === undefined ? `New item in ${table.TableName}` : `Item of ${table.TableName}`;
  const jsonView = (form: "plain" | "typed") => () => (
    <>
      {form === "plain" && isLossy && <Notice kind="warn">Plain JSON has no sets and no bytes: if you save from here, sets become lists and bytes texts. The typed form keeps them.</Notice>}
      <TextArea label={form === "plain" ? "Plain JSON" : "Typed JSON"} hideLabel code rows={16} readOnly={table === undefined}
        value={draft.view === form ? draft.text : current ? writeItem(current, form) : ""} onChange={(text) => setDraft({ view: form, text })} />
    </>
  );
  return (
    <Dialog title={title} wide onClose={onClose} onSubmit={submit}
      footer={<>
        {seen !== undefined && table && <><Button kind="danger" icon="trash" onClick={() => setDeleting(true)}>Delete</Button>
          {onCopy && <Button icon="copy" disabled={current === undefined} onClick={() => current && onCopy(current)}>Copy</Button>}</>}
        <span class="grow" />
        <span class="faint">{current ? bytes(itemSize(current)) : ""}</span>
        <Button onClick={onClose}>{table ? "Cancel" : "Close"}</Button>
        {table && <Button kind="primary" submit disabled={busy || problems.length > 0 || view === "tree"}>{seen === undefined ? "Add" : "Save"}</Button>}
      </>}>
      <Tabs label="Form of the item" value={view} onChange={show} tabs={[
        ...(table ? [{ id: "form" as const, text: "Attributes", view: () => draft.view === "form" ? <AttributeForm rows={draft.rows} table={table} isNew={seen === undefined} onChange={(rows) => setDraft({ view: "form", rows })} /> : <></> }] : []),
        { id: "plain", text: "Plain JSON", view: jsonView("plain") },
        { id: "typed", text: "Typed JSON", view: jsonView("typed") },
        { id: "tree", text: "Tree", view: () => (current ? <TypedView value={{ M: current }} /> : <></>) },
      ]} />
      {problems.length > 0 && view !== "tree" && <Notice kind="danger"><ul>{problems.slice(0, 10).map((problem) => <li key={problem} class="data">{problem}</li>)}</ul></Notice>}
      {error !== null && <ErrorNotice error={error} />}
      {theirs !== null && current && table && (
        <ConflictDialog seen={seen ?? ownItem({})} mine={current} theirs={theirs} isNew={seen === undefined} onClose={() => setTheirs(null)}
          onMerge={(merged) => {
            setTheirs(null);
            const gone = Object.keys(theirs).length === 0;
            setSeen(gone ? undefined : theirs);
            setDraft(draftOf(merged, view, table));
            void save(merged, gone ? undefined : theirs);
          }} />
      )}
      {deleting && (
        <Confirm title="Delete this item?" action="Delete" onConfirm={remove} onClose={() => setDeleting(false)}>
          <p>It is removed from {table?.TableName} for good.</p>
        </Confirm>
      )}
    </Dialog>
  );
}

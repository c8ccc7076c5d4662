// Items of a table or of an answer in a grid: choosing, opening, deleting and exporting them.

import { useMemo, useState } from "preact/hooks";
import { type Item, withoutDisguise } from "../api/attribute";
import { Button } from "../ui/controls";
import { Confirm } from "../ui/dialog";
import { count, counted } from "../ui/format";
import { type Column, Grid } from "../ui/grid";
import { Empty, ErrorNotice } from "../ui/notice";
import { toast } from "../ui/toast";
import { writeAll } from "./batch";
import { ColumnsDialog, columnsShownMax } from "./columns";
import { ItemEditor } from "./editor";
import { ExportDialog } from "./export";
import { ItemCell, KeyMark } from "./item_cell";
import { keyNames, keyOf, keyText, type TableDescription } from "./key";
import type { FetchPage, ItemPages } from "./pages";

export interface ItemGridProps {
  pages: ItemPages;
  /** Undefined when the rows are not whole items of one table: then they can only be read. */
  table: TableDescription | undefined;
  label: string;
  /** Shown first, in this order. */
  leading?: readonly string[];
  /** Reads everything again, for an export. */
  fetchAll: FetchPage;
  /** More buttons. */
  tools?: preact.ComponentChildren;
  emptyTitle: string;
  /** More words below the grid. */
  foot?: preact.ComponentChildren;
  onChanged?: () => void;
}

type Open = { kind: "edit"; item: Item } | { kind: "new"; from?: Item } | { kind: "delete" } | { kind: "export" } | { kind: "columns" } | null;

export function ItemGrid(props: ItemGridProps) {
  const { pages, table } = props;
  pages.version.value; // Drawn again whenever a page arrives.
  const [selected, setSelected] = useState<ReadonlyMap<string, Item>>(new Map());
  const [lastRow, setLastRow] = useState(0);
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const [open, setOpen] = useState<Open>(null);

  const leading = props.leading ?? (table ? keyNames(table.KeySchema) : []);
  const names = [...new Set([...leading, ...pages.attributes])];
  const shown = names.filter((name) => !hidden.has(name)).slice(0, columnsShownMax);
  const columns: Column<Item>[] = useMemo(() => shown.map((name) => ({
    id: name,
    title: <span class="data">{withoutDisguise(name)}{leading.includes(name) && table && <KeyMark />}</span>,
    name,
    width: leading.includes(name) ? 190 : 160,
    cell: (item: Item) => <ItemCell value={item[name]} />,
  })), [shown.join("\u0000"), leading.join("\u0000"), table]);

  const idOf = (item: Item) => (table ? keyText(item, table) : JSON.stringify(item));
  const toggle = (row: number, range: boolean) => {
    const next = new Map(selected);
    const item = pages.rowAt(row);
    if (item === undefined) return;
    const adding = !next.has(idOf(item));
    const [from, to] = range ? [Math.min(lastRow, row), Math.max(lastRow, row)] : [row, row];
    for (let each = from; each <= to; ++each) {
      const one = pages.rowAt(each);
      if (one === undefined) continue;
      if (adding || range) next.set(idOf(one), one);
      else next.delete(idOf(one));
    }
    setSelected(next);
    setLastRow(row);
  };
  const deleteSelected = async () => {
    if (table === undefined) return;
    await writeAll(table.TableName, [...selected.values()].map((item) => ({ DeleteRequest: { Key: keyOf(item, table) } })));
    pages.change((item) => (selected.has(idOf(item)) ? undefined : item));
    toast("good", `Deleted ${counted(selected.size, "item")}.`);
    setSelected(new Map());
    props.onChanged?.();
  };
  const saved = (before: Item | undefined, after: Item | undefined) => {
    setOpen(null);
    if (before === undefined || table === undefined) return props.onChanged?.();
    const id = idOf(before);
    pages.change((item) => (idOf(item) === id ? after : item));
  };

  const rows = pages.rowCount;
  const isEmpty = pages.isComplete && pages.knownRows === 0;
  return (
    <>
      <div class="row wrap">
        {table && <Button icon="plus" onClick={() => setOpen({ kind: "new" })}>New item</Button>}
        {table && <Button icon="trash" kind={selected.size > 0 ? "danger" : "quiet"} disabled={selected.size === 0} onClick={() => setOpen({ kind: "delete" })}>Delete{selected.size > 0 ? ` ${count(selected.size)}` : ""}</Button>}
        <Button icon="download" disabled={isEmpty} onClick={() => setOpen({ kind: "export" })}>Export{selected.size > 0 ? ` ${count(selected.size)}` : ""}</Button>
        <Button icon="columns" disabled={names.length === 0} onClick={() => setOpen({ kind: "columns" })}>Columns</Button>
        {props.tools}
      </div>
      {pages.error !== undefined && <ErrorNotice error={pages.error} onRetry={() => pages.retry()} />}
      {isEmpty ? <div class="panel grow"><Empty icon="table" title={props.emptyTitle} /></div> : (
        <Grid label={props.label} columns={columns} rowCount={rows} rowAt={(row) => pages.rowAt(row)} of={pages}
          onView={(first, end) => pages.look(first, end)}
          onOpen={(row) => { const item = pages.rowAt(row); if (item) setOpen({ kind: "edit", item }); }}
          selection={{ isSelected: (row) => { const item = pages.rowAt(row); return item !== undefined && selected.has(idOf(item)); }, toggle }} />
      )}
      <div class="grid-foot" role="status">
        <span>{pages.isComplete ? counted(pages.knownRows, "row") : `${count(pages.knownRows)} rows read${rows > pages.knownRows + 1 ? ` of about ${count(rows)}` : ", more follow"}`}</span>
        {selected.size > 0 && <span>{count(selected.size)} selected</span>}
        {pages.loading && <span class="row"><span class="spinner" aria-hidden="true" /> reading</span>}
        {names.length > shown.length && <span>{count(names.length - shown.length)} columns hidden</span>}
        {props.foot}
        <span class="grow" />
        <span class="faint">Enter opens · Space selects</span>
      </div>
      {open?.kind === "edit" && <ItemEditor table={table} item={open.item} onClose={() => setOpen(null)} onSaved={(after) => saved(open.item, after)} onCopy={(from) => setOpen({ kind: "new", from })} />}
      {open?.kind === "new" && table && <ItemEditor table={table} template={open.from} onClose={() => setOpen(null)} onSaved={() => saved(undefined, undefined)} />}
      {open?.kind === "delete" && table && (
        <Confirm title={`Delete ${counted(selected.size, "item")}?`} action="Delete" onConfirm={deleteSelected} onClose={() => setOpen(null)}>
          <p>They are removed from {table.TableName} for good{table.StreamSpecification?.StreamEnabled ? "; its stream keeps them for 24 hours" : ""}.</p>
        </Confirm>
      )}
      {open?.kind === "export" && <ExportDialog name={table?.TableName ?? "items"} selected={[...selected.values()]} fetch={props.fetchAll} estimate={rows} onClose={() => setOpen(null)} />}
      {open?.kind === "columns" && <ColumnsDialog names={names} hidden={hidden} onChange={setHidden} onClose={() => setOpen(null)} />}
    </>
  );
}

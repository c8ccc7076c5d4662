import { useEffect, useRef, useState } from "preact/hooks";
import type { Item } from "../api/attribute";
import { type Form, writeItem } from "../api/json_forms";
import { Button, Select } from "../ui/controls";
import { Dialog } from "../ui/dialog";
import { count, counted } from "../ui/format";
import { ErrorNotice } from "../ui/notice";
import { toast } from "../ui/toast";
import type { FetchPage } from "./pages";

/** Gives a file to the person. */
export function download(name: string, parts: BlobPart[], type = "application/x-ndjson"): void {
  const url = URL.createObjectURL(new Blob(parts, { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

const lines = (items: readonly Item[], form: Form) => items.map((item) => writeItem(item, form, 0) + "\n").join("");
const rowsPerRequest = 1000;

export interface ExportProps {
  /** Of the file, without an ending. */
  name: string;
  selected: readonly Item[];
  /** Reads all rows. */
  fetch: FetchPage;
  estimate: number;
  onClose: () => void;
}

/** Items as lines of JSON: those that were selected, or all. */
export function ExportDialog({ name, selected, fetch, estimate, onClose }: ExportProps) {
  const [form, setForm] = useState<Form>("typed");
  const [scope, setScope] = useState<"selected" | "all">(selected.length > 0 ? "selected" : "all");
  const [done, setDone] = useState<number | null>(null);
  const [error, setError] = useState<unknown>(null);
  const abort = useRef(new AbortController());
  useEffect(() => () => abort.current.abort(), []);

  const exportAll = async (): Promise<number> => {
    const parts: string[] = [];
    let start: unknown;
    let rows = 0;
    do {
      const page = await fetch(start, rowsPerRequest, false, abort.current.signal);
      parts.push(lines(page.items ?? [], form));
      rows += page.count;
      setDone(rows);
      start = page.next;
    } while (start !== undefined);
    download(`${name}.jsonl`, parts);
    return rows;
  };
  const begin = async () => {
    setError(null);
    setDone(0);
    try {
      let rows = selected.length;
      if (scope === "selected") download(`${name}.jsonl`, [lines(selected, form)]);
      else rows = await exportAll();
      toast("good", `Exported ${counted(rows, "item")} to ${name}.jsonl.`);
      onClose();
    } catch (failure) {
      if (!abort.current.signal.aborted) setError(failure);
      setDone(null);
    }
  };
  return (
    <Dialog title="Export as lines of JSON" onClose={onClose} onSubmit={begin}
      footer={<><Button onClick={onClose}>Cancel</Button><Button kind="primary" submit disabled={done !== null}>Export</Button></>}>
      {selected.length > 0 && (
        <Select label="Items" value={scope} onChange={setScope} choices={[{ value: "selected", text: `the ${counted(selected.length, "item")} that are selected` }, { value: "all", text: "all" }]} />
      )}
      <Select label="Form" value={form} onChange={setForm} choices={[{ value: "typed", text: 'typed: {"id": {"S": "a"}}, keeps every type' }, { value: "plain", text: 'plain: {"id": "a"}, sets become lists and bytes base64' }]} />
      {done !== null && <><progress class="progress" max={Math.max(estimate, done, 1)} value={done} aria-label="Progress of the export" /><p class="muted" role="status">{count(done)} items read</p></>}
      {error !== null && <ErrorNotice error={error} />}
    </Dialog>
  );
}

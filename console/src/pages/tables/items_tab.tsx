import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { ItemGrid } from "../../items/item_grid";
import { ImportDialog } from "../../items/import_dialog";
import { ItemPages } from "../../items/pages";
import type { TableDescription } from "../../items/key";
import { Button } from "../../ui/controls";
import { scanPages } from "./tables";

/** The items of a table, in the order of a Scan. Files that are dropped on it are imported. */
export function ItemsTab({ table, onChanged }: { table: TableDescription; onChanged: () => void }) {
  const [turn, setTurn] = useState(0);
  const [file, setFile] = useState<File | null>(null);
  const [over, setOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const pages = useMemo(() => new ItemPages({ fetch: scanPages(table.TableName), estimate: table.ItemCount ?? 0 }), [table.TableName, turn]);
  useEffect(() => () => pages.close(), [pages]);
  const again = () => {
    setTurn((before) => before + 1);
    onChanged();
  };
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const dropped = event.dataTransfer?.files[0];
    if (dropped) setFile(dropped);
  };
  return (
    <div class={over ? "tab-panel grow drop-over" : "tab-panel grow"} onDrop={onDrop}
      onDragOver={(event) => { event.preventDefault(); setOver(true); }} onDragLeave={(event) => event.target === event.currentTarget && setOver(false)}>
      <ItemGrid pages={pages} table={table} label={`Items of ${table.TableName}`} fetchAll={scanPages(table.TableName)} emptyTitle="The table is empty. Drop a file of JSON lines here to fill it." onChanged={again}
        tools={
          <>
            <Button icon="upload" onClick={() => input.current?.click()}>Import</Button>
            <input ref={input} type="file" class="visually-hidden" tabIndex={-1} aria-label="File to import" accept=".json,.jsonl,.ndjson,.gz"
              onChange={(event) => { setFile(event.currentTarget.files?.[0] ?? null); event.currentTarget.value = ""; }} />
            <Button icon="refresh" onClick={again}>Read again</Button>
          </>
        } />
      {file && <ImportDialog file={file} table={table} onClose={() => { setFile(null); again(); }} />}
    </div>
  );
}

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { ItemGrid } from "../../items/item_grid";
import { ImportDialog } from "../../items/import_dialog";
import { ItemPages } from "../../items/pages";
import type { TableDescription } from "../../items/key";
import { Button } from "../../ui/controls";
import { useFileDrop } from "../../ui/file_drop";
import { scanPages } from "./tables";

/** The items of a table, in the order of a Scan. Files that are dropped on it are imported one after the other. */
export function ItemsTab({ table, onChanged }: { table: TableDescription; onChanged: () => void }) {
  const [turn, setTurn] = useState(0);
  const [files, setFiles] = useState<readonly File[]>([]);
  const input = useRef<HTMLInputElement>(null);
  const pages = useMemo(() => new ItemPages({ fetch: scanPages(table.TableName), estimate: table.ItemCount ?? 0 }), [table.TableName, turn]);
  useEffect(() => () => pages.close(), [pages]);
  useEffect(() => pages.expect(table.ItemCount ?? 0), [pages, table.ItemCount]);
  const again = () => {
    setTurn((before) => before + 1);
    onChanged();
  };
  const drop = useFileDrop(setFiles);
  const [file] = files;
  return (
    <div class={drop.isOver ? "tab-panel grow drop-over" : "tab-panel grow"} {...drop.handlers}>
      <ItemGrid pages={pages} table={table} label={`Items of ${table.TableName}`} fetchAll={scanPages(table.TableName)} emptyTitle="The table is empty. Drop a file of JSON lines here to fill it." onChanged={again}
        tools={
          <>
            <Button icon="upload" onClick={() => input.current?.click()}>Import</Button>
            <input ref={input} type="file" class="visually-hidden" tabIndex={-1} aria-label="File to import" accept=".json,.jsonl,.ndjson,.gz" multiple
              onChange={(event) => { setFiles([...(event.currentTarget.files ?? [])]); event.currentTarget.value = ""; }} />
            <Button icon="refresh" onClick={again}>Read again</Button>
          </>
        } />
      {file && <ImportDialog key={`${files.length} ${file.name}`} file={file} more={files.length - 1} table={table}
        onNext={() => setFiles(files.slice(1))} onClose={() => { setFiles([]); again(); }} />}
    </div>
  );
}

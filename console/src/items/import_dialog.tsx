import { useEffect, useRef, useState } from "preact/hooks";
import { Button } from "../ui/controls";
import { Dialog } from "../ui/dialog";
import { bytes, counted } from "../ui/format";
import { ErrorNotice, Notice } from "../ui/notice";
import { importFile, type ImportProgress } from "./import";
import type { TableDescription } from "./key";

/** Imports a file when the person says so, and shows how far it is. `more` files follow, to which `onNext` goes. */
export function ImportDialog({ file, more, table, onNext, onClose }: { file: File; more: number; table: TableDescription; onNext: () => void; onClose: () => void }) {
  const [state, setState] = useState<"asking" | "running" | "done">("asking");
  const [progress, setProgress] = useState<ImportProgress | null>(null);
  const [error, setError] = useState<unknown>(null);
  const abort = useRef(new AbortController());
  useEffect(() => () => abort.current.abort(), []);
  const begin = async () => {
    if (state !== "asking") return;
    setState("running");
    try {
      setProgress(await importFile(file, table, setProgress, abort.current.signal));
    } catch (failure) {
      setError(failure);
    }
    setState("done");
  };
  return (
    <Dialog title={`Import into ${table.TableName}`} onClose={onClose} onSubmit={begin}
      footer={state === "asking" ? <><Button onClick={onClose}>Cancel</Button>{more > 0 && <Button onClick={onNext}>Leave it out</Button>}<Button kind="primary" submit>Import</Button></>
        : state === "running" ? <Button kind="danger" onClick={() => abort.current.abort()}>Stop</Button>
          : more > 0 ? <Button kind="primary" onClick={onNext}>Next file</Button> : <Button kind="primary" onClick={onClose}>Close</Button>}>
      <p><strong class="data">{file.name}</strong> <span class="muted">{bytes(file.size)}{more > 0 && `; ${counted(more, "more file follows", "more files follow")}`}</span></p>
      {state === "asking" && <p class="muted">One item on each line, as plain or typed JSON, or as AWS exports them; the file may be compressed with gzip. An item with the same key is replaced.</p>}
      {progress && (
        <>
          <progress class="progress" max={Math.max(progress.bytesTotal, 1)} value={progress.bytesRead} aria-label="Progress of the import" />
          <p role="status">{counted(progress.written, "item")} written{progress.refused > 0 && <span class="danger-text">, {counted(progress.refused, "line")} refused</span>}
            {state === "done" && error === null && (abort.current.signal.aborted ? "; stopped" : "; done")}</p>
        </>
      )}
      {error !== null && <ErrorNotice error={error} />}
      {progress !== null && progress.problems.length > 0 && (
        <Notice kind="danger"><ul>{progress.problems.map(({ place, message }) => <li key={place} class="data">{place}: {message}</li>)}</ul></Notice>
      )}
    </Dialog>
  );
}

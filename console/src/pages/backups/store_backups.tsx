// Backups of the whole store, to the folder that the operator of the server chose.

import { useState } from "preact/hooks";
import { dolmen } from "../../api/client";
import { isMissing } from "../../charts/missing";
import { Button, CodeBlock, TextField } from "../../ui/controls";
import { Dialog } from "../../ui/dialog";
import { bytes, count, counted, timeOf } from "../../ui/format";
import { Badge, ErrorNotice } from "../../ui/notice";
import { useResource } from "../../ui/resource";
import { toast } from "../../ui/toast";
import { restoreCommands } from "./points";

interface StoreBackup {
  Id: number;
  Created: number;
  Files: number;
  Bytes: number;
  Complete: boolean;
}

export function StoreBackups() {
  const list = useResource((signal) => dolmen<{ Backups: StoreBackup[] }>("ListStoreBackups", {}, { signal }), []);
  const [busy, setBusy] = useState("");
  const [error, setError] = useState<unknown>(null);
  const [restoring, setRestoring] = useState<number | null>(null);
  const [verdicts, setVerdicts] = useState<Record<number, string[]>>({});
  const act = async (name: string, work: () => Promise<void>) => {
    setBusy(name);
    setError(null);
    try {
      await work();
    } catch (failure) {
      setError(failure);
    }
    setBusy("");
  };
  const make = () => act("make", async () => {
    const made = await dolmen<{ Id: number; Files: number; NewBytes: number }>("CreateStoreBackup", {});
    toast("good", `Backup ${made.Id}: ${counted(made.Files, "file")}, ${bytes(made.NewBytes)} of them new.`);
    list.reload();
  });
  const verify = (id: number) => act(`verify ${id}`, async () => {
    const { Problems } = await dolmen<{ Problems: string[] }>("VerifyStoreBackup", { Id: id });
    setVerdicts((before) => ({ ...before, [id]: Problems }));
  });
  const backups = [...(list.data?.Backups ?? [])].reverse();
  return (
    <section class="panel" aria-label="Backups of the whole store">
      <header><h2>The whole store</h2>{!isMissing(list.error) && <Button small icon="plus" onClick={make} disabled={busy !== ""}>{busy === "make" ? "Backing up …" : "Back up now"}</Button>}</header>
      <div class="body stack tight">
        {error !== null && <ErrorNotice error={error} />}
        {list.error !== undefined && (isMissing(list.error) ? <p class="muted">This server makes no backups of the whole store. Start it with <code>--backups DIR</code>, or use <code>dolmen backup create</code> while it is stopped.</p> : <ErrorNotice error={list.error} onRetry={list.reload} />)}
        {list.data && backups.length === 0 && <p class="muted">No backup yet.</p>}
        {backups.length > 0 && (
          <div class="table-scroll" tabIndex={0} role="region" aria-label="Store backups">
            <table class="table">
              <thead><tr><th scope="col">Backup</th><th scope="col">Made</th><th scope="col" class="right">Files</th><th scope="col" class="right">Size</th><th scope="col">State</th><th scope="col"><span class="visually-hidden">Actions</span></th></tr></thead>
              <tbody>
                {backups.map(({ Id, Created, Files, Bytes, Complete }) => (
                  <tr key={Id}>
                    <td>{Id}</td><td class="nowrap">{timeOf(Created)}</td><td class="right">{count(Files)}</td><td class="right">{bytes(Bytes)}</td>
                    <td>{!Complete ? <Badge kind="warn">not complete</Badge> : verdicts[Id] === undefined ? <Badge>not verified</Badge> : verdicts[Id].length === 0 ? <Badge kind="good">whole</Badge> : <><Badge kind="danger">damaged</Badge>{verdicts[Id].map((each) => <p key={each} class="danger-text data">{each}</p>)}</>}</td>
                    <td class="right nowrap">
                      <Button small onClick={() => verify(Id)} disabled={busy !== "" || !Complete}>{busy === `verify ${Id}` ? "Verifying …" : "Verify"}</Button>{" "}
                      <Button small onClick={() => setRestoring(Id)} disabled={!Complete}>Restore …</Button>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
      </div>
      {restoring !== null && <RestoreStore id={restoring} onClose={() => setRestoring(null)} />}
    </section>
  );
}

/** A server cannot replace the store that it has open, and a page must not choose folders of its machine: so this says what to type there. */
function RestoreStore({ id, onClose }: { id: number; onClose: () => void }) {
  const [folder, setFolder] = useState("./backups");
  const [data, setData] = useState("./restored");
  return (
    <Dialog title={`Restore backup ${id} of the whole store`} onClose={onClose} footer={<Button kind="primary" onClick={onClose}>Close</Button>}>
      <p>A server cannot replace the store that it has open. On its machine these commands make a new directory of the backup, which is verified first, and serve it. The store of this server stays as it is.</p>
      <TextField label="Folder or bucket of the backups" code value={folder} onChange={setFolder} help="what the server was given with --backups" autofocus />
      <TextField label="Directory to make" code value={data} onChange={setData} help="missing or empty; on the disk that will serve it" />
      <CodeBlock label="Commands that restore the store" wrap text={restoreCommands(folder, id, data)} />
      <p class="faint">Access keys and TLS files are not in a backup.</p>
    </Dialog>
  );
}

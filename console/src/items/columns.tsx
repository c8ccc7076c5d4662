import { useState } from "preact/hooks";
import { Button, Checkbox, TextField } from "../ui/controls";
import { Dialog } from "../ui/dialog";

/** More columns than this make a grid slow, and nobody reads them. */
export const columnsShownMax = 80;
const listedMax = 500;

export function ColumnsDialog({ names, hidden, onChange, onClose }: { names: readonly string[]; hidden: ReadonlySet<string>; onChange: (hidden: ReadonlySet<string>) => void; onClose: () => void }) {
  const [filter, setFilter] = useState("");
  const matching = names.filter((name) => name.toLowerCase().includes(filter.toLowerCase()));
  const set = (changed: readonly string[], shown: boolean) => {
    const next = new Set(hidden);
    for (const name of changed) shown ? next.delete(name) : next.add(name);
    onChange(next);
  };
  return (
    <Dialog title="Columns" onClose={onClose} footer={<Button kind="primary" onClick={onClose}>Done</Button>}>
      <TextField label="Find" type="search" value={filter} onChange={setFilter} autofocus />
      <div class="row"><Button small onClick={() => set(matching, true)}>Show all</Button><Button small onClick={() => set(matching, false)}>Hide all</Button></div>
      <div class="stack tight">
        {matching.slice(0, listedMax).map((name) => (
          <Checkbox key={name} label={<span class="mono data wrap-anywhere">{name}</span>} checked={!hidden.has(name)} onChange={(shown) => set([name], shown)} />
        ))}
      </div>
    </Dialog>
  );
}

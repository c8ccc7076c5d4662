import { useState } from "preact/hooks";
import { type AttributeValue, type Item, sameValue } from "../api/attribute";
import { Button } from "../ui/controls";
import { Dialog } from "../ui/dialog";
import { TypedView } from "../ui/json_view";
import { Badge, Notice } from "../ui/notice";
import { conflictsOf, merge } from "./edit_plan";

export interface ConflictProps {
  seen: Item;
  mine: Item;
  /** Empty when the item is gone. */
  theirs: Item;
  /** The person wanted to add an item that exists. */
  isNew: boolean;
  onMerge: (merged: Item) => void;
  onClose: () => void;
}

function Side({ value }: { value: AttributeValue | undefined }) {
  return value === undefined ? <span class="faint">absent</span> : <TypedView value={value} />;
}

/** Somebody else has changed the item: for each attribute that differs the person takes one side. */
export function ConflictDialog({ seen, mine, theirs, isNew, onMerge, onClose }: ConflictProps) {
  const isGone = Object.keys(theirs).length === 0;
  const conflicts = conflictsOf(seen, mine, theirs);
  // What only the others have changed stays as they have made it.
  const [taken, setTaken] = useState<ReadonlySet<string>>(() => new Set(conflicts.filter(({ theirs: now, seen: then, isContested }) => isContested || isNew || sameValue(now, then)).map(({ name }) => name)));
  const take = (name: string, isMine: boolean) => {
    const next = new Set(taken);
    isMine ? next.add(name) : next.delete(name);
    setTaken(next);
  };
  return (
    <Dialog wide title={isGone ? "The item has been deleted meanwhile" : isNew ? "There is an item with this key already" : "Somebody else has changed this item"} onClose={onClose}
      footer={<><Button onClick={onClose}>Go on editing</Button><Button kind="primary" onClick={() => onMerge(isGone ? mine : merge(mine, theirs, taken))}>{isGone ? "Add it again" : "Save the chosen values"}</Button></>}>
      <Notice kind="warn">{isGone ? "Nothing was saved. You can add your version as a new item." : "Nothing was saved. Choose a side for each attribute that differs."}</Notice>
      {!isGone && (
        <div class="table-scroll" tabIndex={0} role="region" aria-label="Both versions">
          <table class="table conflict">
            <thead><tr><th scope="col">Attribute</th><th scope="col">Yours</th><th scope="col">At the server</th></tr></thead>
            <tbody>
              {conflicts.map(({ name, mine: own, theirs: other, isContested }) => (
                <tr key={name}>
                  <th scope="row"><span class="mono data">{name}</span> {isContested && <Badge kind="warn">both changed</Badge>}</th>
                  {[true, false].map((isMine) => (
                    <td key={String(isMine)} class={taken.has(name) === isMine ? "chosen" : undefined}>
                      <label class="row top">
                        <input type="radio" name={`side-${name}`} checked={taken.has(name) === isMine} onChange={() => take(name, isMine)}
                          aria-label={`${name}: ${isMine ? "yours" : "at the server"}`} />
                        <Side value={isMine ? own : other} />
                      </label>
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Dialog>
  );
}

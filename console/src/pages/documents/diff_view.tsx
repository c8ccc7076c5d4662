// Two texts side by side, and two versions of a schema by what their fields say.

import { Badge } from "../../ui/notice";
import type { FieldChange } from "./schemas";
import { type DiffLine, diffLines } from "./lines";

interface Pair {
  left: DiffLine | undefined;
  right: DiffLine | undefined;
}

/** Removed lines stand beside those that were added in their place. */
function pairs(lines: DiffLine[]): Pair[] {
  const rows: Pair[] = [];
  let removed: DiffLine[] = [];
  let added: DiffLine[] = [];
  const flush = () => {
    for (let at = 0; at < Math.max(removed.length, added.length); ++at) rows.push({ left: removed[at], right: added[at] });
    removed = [];
    added = [];
  };
  for (const line of lines) {
    if (line.kind === "removed") removed.push(line);
    else if (line.kind === "added") added.push(line);
    else {
      flush();
      rows.push({ left: line, right: line });
    }
  }
  flush();
  return rows;
}

export function SideBySide({ before, after, names }: { before: string; after: string; names: [string, string] }) {
  const cell = (line: DiffLine | undefined, number: number | undefined) => (
    <>
      <td class="line-number" aria-hidden="true">{number ?? ""}</td>
      <td class={line === undefined ? "gap" : line.kind}>{line && line.kind !== "same" && <span class="visually-hidden">{line.kind}: </span>}<code class="data">{line?.text ?? ""}</code></td>
    </>
  );
  return (
    <div class="table-scroll diff" tabIndex={0} role="region" aria-label={`${names[0]} and ${names[1]} side by side`}>
      <table>
        <colgroup><col class="numbers-column" /><col /><col class="numbers-column" /><col /></colgroup>
        <thead><tr><th colSpan={2} scope="col">{names[0]}</th><th colSpan={2} scope="col">{names[1]}</th></tr></thead>
        <tbody>{pairs(diffLines(before, after)).map(({ left, right }, at) => <tr key={at}>{cell(left, left?.before)}{cell(right, right?.after)}</tr>)}</tbody>
      </table>
    </div>
  );
}

export function FieldChanges({ changes }: { changes: FieldChange[] }) {
  if (changes.length === 0) return <p class="muted">The fields are the same.</p>;
  return (
    <div class="table-scroll" tabIndex={0} role="region" aria-label="Fields that differ">
      <table class="table">
        <thead><tr><th scope="col">Field</th><th scope="col">Before</th><th scope="col">After</th><th scope="col">Documents of the old version</th></tr></thead>
        <tbody>
          {changes.map(({ path, kind, before, after, breaks }) => (
            <tr key={path}>
              <td><span class="mono data">{path}</span> <Badge kind={kind === "added" ? "good" : kind === "removed" ? "danger" : "accent"}>{kind}</Badge></td>
              <td>{before ?? "–"}</td>
              <td>{after ?? "–"}</td>
              <td class={breaks === undefined ? "good-text" : "warn-text"}>{breaks ?? "fit as they are"}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

// The items of a table, each in the colour of its kind, with what breaks the model marked.

import { useState } from "preact/hooks";
import { shortText, typeClass, typeOf } from "../../api/attribute";
import { Button } from "../../ui/controls";
import { counted } from "../../ui/format";
import { type Column, Grid } from "../../ui/grid";
import { TypedView } from "../../ui/json_view";
import { Badge } from "../../ui/notice";
import { Dialog } from "../../ui/dialog";
import { keyText, type Lens, type Seen } from "./kinds";

export type Facet = { kind: string } | "all" | "none" | "broken";

const isOf = (facet: Facet, { kind, violations }: Seen) => facet === "all" || (facet === "broken" ? violations.length > 0 : facet === "none" ? kind === undefined : kind?.model.name === facet.kind);

export interface FacetsProps {
  lens: Lens;
  seen: Seen[];
  colours: Map<string, number>;
  more: (() => void) | undefined;
}

export function Facets({ lens, seen, colours, more }: FacetsProps) {
  const [facet, setFacet] = useState<Facet>("all");
  const [open, setOpen] = useState<Seen | null>(null);
  const shown = seen.filter((each) => isOf(facet, each));
  const counts = (of: Facet) => seen.filter((each) => isOf(of, each)).length;
  const chip = (of: Facet, text: string, colour: number | undefined, kind?: "danger") => (
    <button key={text} type="button" class={kind ? `chip ${kind}` : "chip"} aria-pressed={JSON.stringify(facet) === JSON.stringify(of)} onClick={() => setFacet(of)}>
      {colour !== undefined && <span class={`swatch s${colour}`} aria-hidden="true" />} <span class="data">{text}</span> <b>{counts(of)}</b>
    </button>
  );
  const names = new Set<string>();
  const kinds = typeof facet === "object" ? lens.kinds.filter(({ model }) => model.name === facet.kind) : lens.kinds;
  for (const { model } of kinds) for (const { name } of model.attributes) names.add(name);
  for (const { item } of shown.slice(0, 200)) for (const name of Object.keys(item)) names.add(name);
  const keys = [lens.partition, lens.sort].filter((name) => name !== undefined);
  const columns: Column<Seen>[] = [
    { id: " kind", title: "Kind", width: 130, cell: ({ kind, violations }) => <span class={`kind-cell s${kind ? (colours.get(kind.model.name) ?? 0) : 0}`}><span class="stripe" aria-hidden="true" />{kind?.model.name ?? "no kind"}{violations.length > 0 && <span class="badge danger" title={violations.map(({ path, message }) => `${path}: ${message}`).join("\n")}>{violations.length}</span>}</span> },
    ...[...keys, ...[...names].filter((name) => !keys.includes(name))].map((name): Column<Seen> => ({
      id: name,
      title: <span class="data">{name}</span>,
      width: keys.includes(name) ? 170 : 130,
      cell: ({ item, violations }) => {
        const value = item[name];
        const wrong = violations.find(({ path }) => path === name);
        const text = value === undefined ? (wrong ? "missing" : "") : shortText(value);
        return wrong ? <span class="bad-cell" title={wrong.message}><span class="visually-hidden">{wrong.rule}: </span>{text || wrong.rule}</span> : <span class={value ? typeClass(typeOf(value)) : undefined}>{text}</span>;
      },
    })),
  ];
  return (
    <>
      <div class="row wrap" role="group" aria-label="Facets">
        {chip("all", "all items", undefined)}
        {lens.kinds.map(({ model }) => chip({ kind: model.name }, model.name, colours.get(model.name)))}
        {counts("none") > 0 && chip("none", "no kind", 0)}
        {chip("broken", "breaks its model", undefined, "danger")}
      </div>
      <div class="facet-grid">
        <Grid label="Items by kind" columns={columns} rowCount={shown.length} rowAt={(index) => shown[index]} onOpen={(index) => setOpen(shown[index] ?? null)} of={JSON.stringify(facet)} />
      </div>
      <div class="row between faint"><span>{counted(seen.length, "item")} read. Enter opens an item.</span>{more && <Button small onClick={more}>Read more items</Button>}</div>
      {open && (
        <Dialog title={keyText(open.item, lens)} onClose={() => setOpen(null)}>
          <div class="row"><Badge kind="accent">{open.kind?.model.name ?? "no kind"}</Badge>{open.violations.length === 0 && <Badge kind="good">fits</Badge>}</div>
          {open.violations.length > 0 && <ul class="violations">{open.violations.map(({ path, rule, message }, at) => <li key={at}><span class="mono data">{path}</span> <Badge kind="danger">{rule}</Badge> <span class="data">{message}</span></li>)}</ul>}
          <TypedView value={{ M: open.item }} />
        </Dialog>
      )}
    </>
  );
}

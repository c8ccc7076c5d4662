// Resources with their parents, children and collections, loaded as one looks.

import { useEffect, useRef, useState } from "preact/hooks";
import { TablePage, TableSelect, type TableDescription } from "../../charts/tables";
import { route, setQuery } from "../../state/router";
import { Button, Tabs, TextField } from "../../ui/controls";
import { counted } from "../../ui/format";
import { Empty, ErrorNotice, Loading } from "../../ui/notice";
import { useResource } from "../../ui/resource";
import { toastError } from "../../ui/toast";
import { Detail } from "./detail";
import { type DeletePlan, emptyFamily, type Family, linksOf, type Membership, moreChildren, moreRoots, reveal, typeColours } from "./family";
import { Graph } from "./graph";
import { Tree } from "./tree";
import "../../charts/charts.css";
import "./relations.css";

export default function RelationsPage() {
  return (
    <TablePage page="relations" title="Relations" icon="relation" wanted={(table) => table.GlobalSecondaryIndexes?.some(({ IndexName }) => IndexName === "InvertedIndex") ?? false}
      none="No table has relations" noneHelp="Resources with parents, members and unique values live in a table that dolmen relation, or BindRelations, makes."
      view={(table, all) => <Families key={table.TableName} table={table} all={all} />} />
  );
}

/** One change at a time, each on what the one before has left. */
function useFamily(table: string) {
  const [family, setFamily] = useState<Family>(emptyFamily);
  const latest = useRef(emptyFamily);
  const queue = useRef<Promise<void>>(Promise.resolve());
  const abort = useRef(new AbortController());
  useEffect(() => () => abort.current.abort(), []);
  const change = (next: (before: Family, signal: AbortSignal) => Promise<Family> | Family): Promise<Family> => {
    const step = queue.current.then(async () => {
      latest.current = await next(latest.current, abort.current.signal);
      setFamily(latest.current);
      return latest.current;
    });
    queue.current = step.then(() => {}, () => {});
    return step;
  };
  return { family, change, table };
}

function Families({ table, all }: { table: TableDescription; all: TableDescription[] }) {
  const name = table.TableName;
  const { family, change } = useFamily(name);
  const [plan, setPlan] = useState<DeletePlan | null>(null);
  const [memberships, setMemberships] = useState<Membership[]>([]);
  const [wanted, setWanted] = useState("");
  const urn = route.value.query.get("urn") ?? undefined;
  const view = route.value.query.get("view") === "graph" ? "graph" : "tree";
  const first = useResource(async (signal) => {
    await change(() => moreRoots(name, emptyFamily, signal));
    if (urn !== undefined) await change((before) => reveal(name, before, urn, signal));
    else for (const root of (await change((before) => before)).roots.slice(0, 3)) await change((before) => moreChildren(name, before, root, signal));
    return true;
  }, [name]);
  const chosen = urn ?? family.roots[0];
  const resource = chosen === undefined ? undefined : family.nodes.get(chosen)?.resource;
  const links = useResource(async (signal) => {
    if (resource === undefined) return undefined;
    const found = await linksOf(name, resource.urn, signal);
    const fresh = [...found.members, ...found.collections];
    setMemberships((before) => [...before.filter((old) => !fresh.some((each) => each.collection === old.collection && each.member === old.member)), ...fresh]);
    return found;
  }, [name, resource?.urn]);
  const choose = (next: string) => {
    if (next !== chosen) setPlan(null);
    setQuery({ urn: next });
  };
  const show = (next: string) => {
    change((before, signal) => reveal(name, before, next, signal)).then(() => choose(next), toastError);
  };
  const load = (next: string) => { change((before, signal) => moreChildren(name, before, next, signal)).catch(toastError); };
  const close = (next: string) => {
    void change((before) => {
      const nodes = new Map(before.nodes);
      const node = nodes.get(next);
      if (node) nodes.set(next, { ...node, open: false });
      return { ...before, nodes };
    });
  };
  const deleted = (gone: string) => {
    setPlan(null);
    setQuery({ urn: family.nodes.get(gone)?.resource.parent });
    change((_, signal) => moreRoots(name, emptyFamily, signal)).then(() => {
      const parent = family.nodes.get(gone)?.resource.parent;
      if (parent !== undefined) show(parent);
    }, toastError);
  };
  const colours = typeColours(family);
  const shared = { family, colours, chosen, doomed: new Set(plan?.urns ?? []), onChoose: choose, onLoad: load, onClose: close };
  return (
    <div class="page relations">
      <div class="page-head">
        <h1>Relations</h1>
        <TableSelect page="relations" table={table} all={all} />
      </div>
      {first.error !== undefined && <ErrorNotice error={first.error} onRetry={first.reload} />}
      {family.roots.length === 0 && (first.loading ? <Loading what="the resources" /> : first.error === undefined && <Empty icon="relation" title="There are no resources yet" />)}
      {family.roots.length > 0 && (
        <div class="split">
          <div class="stack">
            <form class="row end-fields" onSubmit={(event) => { event.preventDefault(); show(wanted.trim()); }}>
              <div class="grow"><TextField label="Go to a URN" code value={wanted} onChange={setWanted} placeholder="urn:pp:System.Account::acme" /></div>
              <Button submit disabled={wanted.trim() === ""}>Show</Button>
            </form>
            <Tabs label="Views" value={view} onChange={(id) => setQuery({ view: id === "graph" ? "graph" : undefined })} tabs={[
              { id: "tree", text: "Tree", view: () => <Tree {...shared} /> },
              { id: "graph", text: "Graph", view: () => <Graph {...shared} memberships={memberships} /> },
            ]} />
            <div class="row between wrap">
              <ul class="legend">{[...colours].map(([type, colour]) => <li key={type}><span class={`swatch s${colour}`} aria-hidden="true" /> <span class="data">{type}</span></li>)}{view === "graph" && <li><span class="dash" aria-hidden="true" /> member of a collection</li>}</ul>
              <span class="faint">{counted(family.nodes.size, "resource")} loaded {family.token !== undefined && <Button small onClick={() => change((before, signal) => moreRoots(name, before, signal)).catch(toastError)}>More roots</Button>}</span>
            </div>
          </div>
          {resource
            ? <Detail key={resource.urn} table={name} resource={resource} links={links.data} linksError={links.error} plan={plan} onPlan={(next) => { setPlan(next); if (next !== null && !family.nodes.get(resource.urn)?.open) load(resource.urn); }} onShow={show} onDeleted={deleted} />
            : <Empty title="Choose a resource" />}
        </div>
      )}
    </div>
  );
}

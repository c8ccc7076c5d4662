// Collections of documents: their versions, the documents of one, and publishing the next.

import { useEffect, useState } from "preact/hooks";
import { dolmen } from "../../api/client";
import { go, replace, route, setQuery } from "../../state/router";
import { Button, CodeBlock, Select, Tabs, TextField } from "../../ui/controls";
import { Badge, Empty, ErrorNotice, Loading } from "../../ui/notice";
import { useResource } from "../../ui/resource";
import { toastError } from "../../ui/toast";
import { FieldChanges, SideBySide } from "./diff_view";
import { DocumentsTab } from "./documents_tab";
import { Publish } from "./publish";
import { type Collection, compareSchemas, type Described, flatten, listCollections, type Schema } from "./schemas";
import "../../charts/charts.css";
import "./documents.css";

export default function DocumentsPage() {
  const collections = useResource(listCollections, []);
  const [publishing, setPublishing] = useState(false);
  const id = route.value.parts[1];
  const chosen = collections.data?.find((each) => each.id === id);
  const firstId = collections.data?.[0]?.id;
  useEffect(() => { if (id === undefined && firstId !== undefined) replace(["documents", firstId]); }, [id, firstId]);
  const wanted = route.value.query.get("version");
  const version = chosen?.versions.find((each) => each === wanted) ?? chosen?.versions.at(-1);
  return (
    <div class="page documents">
      <div class="page-head">
        <h1>Documents</h1>
        {chosen && <Select label="Collection" hideLabel value={chosen.id} choices={collections.data!.map((each) => each.id)} onChange={(next) => go(["documents", next])} />}
        {chosen && version && <Select label="Version" hideLabel value={version} choices={[...chosen.versions].reverse()} onChange={(next) => setQuery({ version: next, id: undefined, new: undefined })} />}
        {chosen === undefined && <Button icon="plus" onClick={() => setPublishing(true)}>New schema</Button>}
      </div>
      {collections.error !== undefined && <ErrorNotice error={collections.error} onRetry={collections.reload} />}
      {collections.data === undefined && collections.loading && <Loading what="the schemas" />}
      {collections.data?.length === 0 && <Empty icon="document" title="No schema is published yet">A schema says what the documents of a collection are. It is published once and never changes.</Empty>}
      {id !== undefined && collections.data !== undefined && chosen === undefined && collections.data.length > 0 && <ErrorNotice error={new Error(`There is no collection ${id}.`)} />}
      {chosen && version && <OfVersion key={`${chosen.id} ${version}`} collection={chosen} version={version} onPublished={(next) => { collections.reload(); setQuery({ version: next }); }} />}
      {publishing && <Publish from={undefined} versions={[]} onClose={() => setPublishing(false)} onPublished={(ref) => { setPublishing(false); collections.reload(); go(["documents", ref.schema_id]); }} />}
    </div>
  );
}

const describe = (id: string, version: string, signal: AbortSignal) => dolmen<Described>("DescribeSchema", { schema_id: id, schema_version: version }, { signal });

function OfVersion({ collection, version, onPublished }: { collection: Collection; version: string; onPublished: (version: string) => void }) {
  const [building, setBuilding] = useState(false);
  const described = useResource((signal) => describe(collection.id, version, signal), [collection.id, version], building ? 700 : undefined);
  const [publishing, setPublishing] = useState(false);
  const data = described.data;
  const busy = data?.indexes.some(({ state }) => state === "building" || state === "dropping") ?? false;
  useEffect(() => setBuilding(busy), [busy]);
  if (data === undefined) return described.error !== undefined ? <ErrorNotice error={described.error} onRetry={described.reload} /> : <Loading what="the schema" />;
  const schema = JSON.parse(data.text) as Schema;
  const tab = (["schema", "versions"] as const).find((each) => each === route.value.query.get("tab")) ?? "documents";
  return (
    <>
      <div class="row between wrap">
        <span class="muted data">{schema.description ?? ""}</span>
        <Button icon="plus" onClick={() => setPublishing(true)}>Publish a version</Button>
      </div>
      <Tabs label="Parts of the collection" value={tab} onChange={(id) => setQuery({ tab: id === "documents" ? undefined : id })} tabs={[
        { id: "documents", text: "Documents", view: () => <DocumentsTab of={{ schema_id: collection.id, schema_version: version }} schema={schema} versions={collection.versions} /> },
        { id: "schema", text: "Schema and indexes", view: () => <SchemaTab described={data} schema={schema} onChange={described.reload} /> },
        { id: "versions", text: `Versions (${collection.versions.length})`, view: () => <VersionsTab collection={collection} /> },
      ]} />
      {publishing && <Publish from={data} versions={collection.versions} onClose={() => setPublishing(false)} onPublished={(ref) => { setPublishing(false); onPublished(ref.schema_version); }} />}
    </>
  );
}

const stateKinds = { ready: "good", building: "accent", dropping: "warn", failed: "danger" } as const;

function SchemaTab({ described, schema, onChange }: { described: Described; schema: Schema; onChange: () => void }) {
  const of = { schema_id: described.schema_id, schema_version: described.schema_version };
  const act = async (operation: string, field: string) => {
    try {
      await dolmen(operation, { ...of, field });
    } catch (error) {
      toastError(error);
    }
    onChange();
  };
  const indexOf = (path: string) => described.indexes.find(({ field }) => field === path);
  const scalar = (type: string) => type !== "object" && type !== "array";
  return (
    <div class="split">
      <section class="panel">
        <header><h2>Fields</h2><span class="faint mono">sha256 {described.sha256.slice(0, 12)}…</span></header>
        <div class="table-scroll" tabIndex={0} role="region" aria-label="Fields">
          <table class="table">
            <thead><tr><th scope="col">Field</th><th scope="col">Type</th><th scope="col">Index</th><th scope="col"><span class="visually-hidden">Actions</span></th></tr></thead>
            <tbody>
              {[...flatten(schema.fields)].map(([path, field]) => {
                const index = indexOf(path);
                return (
                  <tr key={path}>
                    <td class="mono data">{path}</td>
                    <td>{field.type}{field.required && <> <Badge>required</Badge></>}</td>
                    <td>{path === "_id" ? <Badge kind="good">always</Badge> : index && <Badge kind={stateKinds[index.state]} {...(index.reason ? { title: index.reason } : {})}>{index.state}</Badge>}{index?.reason && <p class="danger-text data">{index.reason}</p>}</td>
                    <td class="right">
                      {path !== "_id" && !path.includes("[]") && scalar(field.type) && (index
                        ? <Button small kind="quiet" label={`Drop the index on ${path}`} icon="trash" onClick={() => act("DropIndex", path)} />
                        : <Button small onClick={() => act("CreateIndex", path)} label={`Add an index on ${path}`}>Index</Button>)}
                    </td>
                  </tr>
                );
              })}
            </tbody>
          </table>
        </div>
      </section>
      <CodeBlock text={described.text} label="The schema as it was published" />
    </div>
  );
}

function VersionsTab({ collection }: { collection: Collection }) {
  const { versions } = collection;
  const [left, setLeft] = useState(versions.at(-2) ?? versions[0]!);
  const [right, setRight] = useState(versions.at(-1)!);
  const [term, setTerm] = useState("");
  const both = useResource((signal) => Promise.all([describe(collection.id, left, signal), describe(collection.id, right, signal)]), [collection.id, left, right]);
  if (versions.length < 2) return <Empty icon="document" title="There is one version only">Publish another one to see both side by side.</Empty>;
  const choices = versions.filter((each) => each.includes(term));
  return (
    <>
      <div class="row wrap end-fields">
        <Select label="Before" value={left} onChange={setLeft} choices={[...new Set([left, ...choices])]} />
        <Select label="After" value={right} onChange={setRight} choices={[...new Set([right, ...choices])]} />
        {versions.length > 10 && <TextField label="Versions with" value={term} onChange={setTerm} />}
      </div>
      {both.error !== undefined && <ErrorNotice error={both.error} onRetry={both.reload} />}
      {both.data && (
        <>
          <section class="panel"><header><h2>Fields that differ</h2></header><div class="body"><FieldChanges changes={compareSchemas(JSON.parse(both.data[0].text) as Schema, JSON.parse(both.data[1].text) as Schema)} /></div></section>
          <SideBySide before={both.data[0].text} after={both.data[1].text} names={[left, right]} />
        </>
      )}
    </>
  );
}

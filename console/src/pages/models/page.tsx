// A table seen through models: those that it is bound to by a contract, or a file that the person chooses or drops.

import { useMemo, useRef, useState } from "preact/hooks";
import type { Item } from "../../api/attribute";
import { dynamo } from "../../api/client";
import { messageOf } from "../../api/errors";
import { TablePage, TableSelect, type TableDescription } from "../../charts/tables";
import { route, setQuery } from "../../state/router";
import { Button, Tabs, TextField } from "../../ui/controls";
import { useFileDrop } from "../../ui/file_drop";
import { Badge, Empty, ErrorNotice, Loading, Notice } from "../../ui/notice";
import { useResource } from "../../ui/resource";
import { toastError } from "../../ui/toast";
import type { Definition } from "./drift";
import { DriftView } from "./drift_view";
import { Facets } from "./facets";
import { bondsOf, type Kind, type Lens, see, tableDifferences } from "./kinds";
import { ModelPicture } from "./picture";
import { type Contract, contractOf, definitionOf, type DmsFile, lensOfContract, lensOfFiles, readFile } from "./source";
import "../../charts/charts.css";
import "./models.css";

const pageSize = 300;

export default function ModelsPage() {
  return (
    <TablePage page="models" title="Models" icon="model" wanted={() => true} preferred={["shop", "users"]} none="There are no tables yet" noneHelp="A model describes the items of a table."
      view={(table, all) => <OfTable key={table.TableName} table={table} all={all} />} />
  );
}

function OfTable({ table, all }: { table: TableDescription; all: TableDescription[] }) {
  const contract = useResource((signal) => contractOf(table.TableName, signal), [table.TableName]);
  const [files, setFiles] = useState<DmsFile[]>([]);
  const [problem, setProblem] = useState("");
  const input = useRef<HTMLInputElement>(null);
  const take = async (chosen: Iterable<File>) => {
    setProblem("");
    try {
      setFiles(await Promise.all([...chosen].map(async (file) => readFile(file.name, await file.text()))));
    } catch (error) {
      setProblem(messageOf(error));
    }
  };
  const drop = useFileDrop((dropped) => { void take(dropped); });
  return (
    <div class={drop.isOver ? "page models over" : "page models"} {...drop.handlers}>
      <div class="page-head">
        <h1>Models</h1>
        <TableSelect page="models" table={table} all={all} />
        <input ref={input} class="visually-hidden" type="file" multiple accept=".yml,.yaml,.json" aria-label="DMS files" tabIndex={-1} onChange={(event) => { void take(event.currentTarget.files ?? []); event.currentTarget.value = ""; }} />
        <Button icon="upload" onClick={() => input.current?.click()}>Open a DMS file</Button>
      </div>
      {problem !== "" && <Notice kind="danger"><span role="alert" class="data">{problem}</span></Notice>}
      {contract.error !== undefined && <ErrorNotice error={contract.error} onRetry={contract.reload} />}
      {files.length > 0
        ? <ByFiles key={files.map(({ name }) => name).join()} table={table} files={files} onClose={() => setFiles([])} />
        : contract.data
          ? <ByContract table={table} contract={contract.data} />
          : contract.loading ? <Loading what="the contract" /> : <Empty icon="model" title={`${table.TableName} is not bound to models`}>Open a DMS file, or drop one here, to see the table through it. Nothing is changed by that.</Empty>}
    </div>
  );
}

/** The items of the table, read page by page. */
function useItems(table: string) {
  const [more, setMore] = useState<{ items: Item[]; next: Item | undefined } | null>(null);
  const first = useResource((signal) => dynamo<{ Items: Item[]; LastEvaluatedKey?: Item }>("Scan", { TableName: table, Limit: pageSize }, { signal }), [table]);
  const next = more ? more.next : first.data?.LastEvaluatedKey;
  const readMore = async () => {
    try {
      const page = await dynamo<{ Items: Item[]; LastEvaluatedKey?: Item }>("Scan", { TableName: table, Limit: pageSize, ExclusiveStartKey: next });
      setMore({ items: [...(more?.items ?? []), ...page.Items], next: page.LastEvaluatedKey });
    } catch (error) {
      toastError(error);
    }
  };
  const items = useMemo(() => first.data && [...first.data.Items, ...(more?.items ?? [])], [first.data, more]);
  return { items, error: first.error, reload: first.reload, more: next === undefined ? undefined : readMore };
}

function ByContract({ table, contract }: { table: TableDescription; contract: Contract }) {
  const read = useMemo(() => {
    try {
      return { lens: lensOfContract(contract, table), problem: undefined };
    } catch (error) {
      return { lens: undefined, problem: messageOf(error) };
    }
  }, [contract, table]);
  if (read.lens === undefined) return <ErrorNotice error={new Error(read.problem)} />;
  return (
    <>
      <section class="panel"><div class="body row wrap contract">
        <span>Bound to contract <b>{contract.version}</b></span>
        <Badge kind={contract.mode === "enforce" ? "good" : "warn"}>{contract.mode}</Badge>
        <span class="faint">refused {contract.refused ?? 0}, warned {contract.warned ?? 0} since the start</span>
        {contract.last !== undefined && <p class="faint data last">{contract.last}</p>}
      </div></section>
      {read.lens.kinds.length === 0
        ? <Empty icon="model" title="The contract consists of document schemas">They are on the page of documents.</Empty>
        : <Through table={table} lens={read.lens} files={(contract.definition?.models ?? []).map(({ file, text }) => ({ name: file, text }))} {...(contract.definition?.schemas ? { hasSchemas: true } : {})} />}
    </>
  );
}

function ByFiles({ table, files, onClose }: { table: TableDescription; files: DmsFile[]; onClose: () => void }) {
  return (
    <>
      <div class="row wrap"><span>Seen through <b class="data">{files.map(({ name }) => name).join(", ")}</b></span><Badge>nothing is changed</Badge><Button small kind="quiet" icon="close" onClick={onClose}>Close</Button></div>
      <Through table={table} files={files} />
    </>
  );
}

function Through({ table, lens: given, files, hasSchemas }: { table: TableDescription; lens?: Lens; files: { name: string; text: string }[]; hasSchemas?: boolean }) {
  const { items, error, reload, more } = useItems(table.TableName);
  const [changes, setChanges] = useState<Record<string, Partial<Kind>>>({});
  const guessed = useMemo(() => given ?? lensOfFiles(files as DmsFile[], table, items ?? []), [given, files, items === undefined]);
  const lens: Lens = useMemo(() => ({ ...guessed, kinds: guessed.kinds.map((kind) => ({ ...kind, ...changes[kind.model.name] })) }), [guessed, changes]);
  const seen = useMemo(() => (items ?? []).map((item) => see(lens, item)), [items, lens]);
  const colours = useMemo(() => new Map(lens.kinds.map(({ model }, at) => [model.name, (at % 8) + 1])), [lens]);
  const models = lens.kinds.map(({ model }) => model);
  const differences = tableDifferences(models, table);
  const definition: Definition | undefined = hasSchemas ? undefined : definitionOf(lens, files);
  const tab = (["picture", "drift"] as const).find((each) => each === route.value.query.get("tab")) ?? "items";
  const broken = seen.filter(({ violations }) => violations.length > 0).length;
  if (items === undefined) return error !== undefined ? <ErrorNotice error={error} onRetry={reload} /> : <Loading what="items" />;
  return (
    <>
      {differences.length > 0 && <Notice kind="warn">The table differs from its models: <ul>{differences.map((each) => <li key={each} class="data">{each}</li>)}</ul></Notice>}
      {given === undefined && lens.kinds.length > 1 && <Telling lens={lens} onChange={(name, change) => setChanges({ ...changes, [name]: { ...changes[name], ...change } })} />}
      <Tabs label="Views" value={tab} onChange={(id) => setQuery({ tab: id === "items" ? undefined : id })} tabs={[
        { id: "items", text: <>Items{broken > 0 && <> <Badge kind="danger">{broken}</Badge></>}</>, view: () => <Facets lens={lens} seen={seen} colours={colours} more={more} /> },
        { id: "picture", text: "Relationships", view: () => <ModelPicture models={models} bonds={bondsOf(seen, lens.partition)} colours={colours} /> },
        { id: "drift", text: "Drift", view: () => <DriftView key={JSON.stringify(changes)} table={table.TableName} lens={lens} definition={definition} expected={table.ItemCount ?? 0} colours={colours} /> },
      ]} />
    </>
  );
}

function Telling({ lens, onChange }: { lens: Lens; onChange: (model: string, change: Partial<Kind>) => void }) {
  return (
    <details class="panel telling">
      <summary>How kinds are told apart</summary>
      <div class="body stack tight">
        <p class="muted">An item is of the first model whose prefixes it has. Without prefixes, the model that fits best is taken.</p>
        {lens.kinds.map(({ model, partitionPrefix, sortPrefix }) => (
          <div class="row wrap end-fields" key={model.name}>
            <b class="data">{model.name}</b>
            <TextField label={`${model.name}: ${lens.partition} begins with`} code value={partitionPrefix} onChange={(value) => onChange(model.name, { partitionPrefix: value })} />
            {lens.sort !== undefined && <TextField label={`${model.name}: ${lens.sort} begins with`} code value={sortPrefix} onChange={(value) => onChange(model.name, { sortPrefix: value })} />}
          </div>
        ))}
      </div>
    </details>
  );
}

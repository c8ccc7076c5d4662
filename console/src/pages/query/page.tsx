import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { messageOf } from "../../api/errors";
import { explanationOf, type Explanation } from "../../explain/explanation";
import { ExplainView } from "../../explain/explain_view";
import { download } from "../../items/export";
import { ItemGrid } from "../../items/item_grid";
import { keyNames, type TableDescription } from "../../items/key";
import { ItemPages } from "../../items/pages";
import { route, setQuery } from "../../state/router";
import { Button, CodeBlock, Tabs, TextField } from "../../ui/controls";
import { Dialog } from "../../ui/dialog";
import { milliseconds } from "../../ui/format";
import { Empty, ErrorNotice, Loading, Notice } from "../../ui/notice";
import { useResource } from "../../ui/resource";
import { toastError } from "../../ui/toast";
import { describeTable, listTables, readPages } from "../tables/tables";
import { buildRequest, keysOf } from "./build";
import { QueryForm } from "./form";
import { emptyQuery, type QueryModel, readQueryFile, writeQueryFile } from "./model";
import { type Language, languages, snippet } from "./snippets";
import "./query.css";

interface Run {
  pages: ItemPages;
  again: ReturnType<typeof readPages>;
  /** Rows can be edited when they are not cut. */
  isWhole: boolean;
  leading: string[];
}

interface Facts {
  explanation: Explanation | undefined;
  milliseconds: number;
}

function Snippets({ query, table }: { query: QueryModel; table: TableDescription }) {
  const [language, setLanguage] = useState<Language>("json");
  let text = "";
  let problem = "";
  try {
    text = snippet(language, query, table, location.origin);
  } catch (failure) {
    problem = messageOf(failure);
  }
  return (
    <Tabs label="The request in other languages" value={language} onChange={setLanguage}
      tabs={languages.map(({ id, text: title }) => ({ id, text: title, view: () => (problem ? <p class="muted" role="status">Not complete: <span class="data">{problem}</span>.</p> : <CodeBlock text={text} label={`The request as ${title}`} />) }))} />
  );
}

function SaveDialog({ query, onClose }: { query: QueryModel; onClose: () => void }) {
  const [name, setName] = useState(`${query.table}${query.index === "" ? "" : "-" + query.index}`);
  const save = () => {
    if (name.trim() === "") return;
    download(`${name.trim().replace(/[^\w.-]+/g, "-")}.query.json`, [writeQueryFile(name.trim(), query)], "application/json");
    onClose();
  };
  return (
    <Dialog title="Save the query" onClose={onClose} onSubmit={save} footer={<><Button onClick={onClose}>Cancel</Button><Button kind="primary" submit disabled={name.trim() === ""}>Save the file</Button></>}>
      <TextField label="Name" value={name} onChange={setName} autofocus help="The file has one member on each line, so that git shows what changes. Open it here again." />
    </Dialog>
  );
}

function Builder({ table, tables, start, onTable, onOpened }: { table: TableDescription; tables: string[]; start: QueryModel; onTable: (name: string) => void; onOpened: (query: QueryModel) => void }) {
  const [query, setModel] = useState(start);
  const [run, setRun] = useState<Run | null>(null);
  const [facts, setFacts] = useState<Facts | null>(null);
  const [saving, setSaving] = useState(false);
  const file = useRef<HTMLInputElement>(null);
  useEffect(() => () => run?.pages.close(), [run]);
  const problem = useMemo(() => {
    try {
      buildRequest(query, table);
      return "";
    } catch (failure) {
      return messageOf(failure);
    }
  }, [query, table]);
  const execute = () => {
    if (problem !== "") return;
    const { operation, input } = buildRequest(query, table);
    let isFirst = true;
    const fetch = readPages(operation, input, (answer) => {
      if (isFirst) setFacts({ explanation: explanationOf(answer.headers), milliseconds: answer.milliseconds });
      isFirst = false;
    });
    setFacts(null);
    const { partition, sort } = keysOf(query, table);
    const keys = [...new Set([...keyNames(table.KeySchema), partition, ...(sort === undefined ? [] : [sort])])];
    const isWhole = query.projection.length === 0;
    setRun({ pages: new ItemPages({ fetch }), again: readPages(operation, input), isWhole, leading: isWhole ? keys : [] });
  };
  const open = async (chosen: File | undefined) => {
    if (chosen === undefined) return;
    try {
      onOpened(readQueryFile(await chosen.text()).query);
    } catch (failure) {
      toastError(new Error(`${chosen.name}: ${messageOf(failure)}`));
    }
  };
  return (
    <>
      <div class="split" onKeyDown={(event) => { if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) execute(); }}>
        <section class="panel">
          <div class="body stack">
            <QueryForm query={query} table={table} tables={tables} attributes={[...(run?.pages.attributes ?? table.AttributeDefinitions.map(({ AttributeName }) => AttributeName))].slice(0, 200)}
              onTable={onTable} onChange={(next) => { setModel(next); setQuery({ table: next.table, index: next.index }); }} />
            <div class="row wrap">
              <Button kind="primary" icon="play" disabled={problem !== ""} title="Ctrl+Enter" onClick={execute}>Run</Button>
              <Button icon="download" onClick={() => setSaving(true)}>Save</Button>
              <Button icon="upload" onClick={() => file.current?.click()}>Open</Button>
              <input ref={file} type="file" class="visually-hidden" tabIndex={-1} aria-label="File of a saved query" accept=".json" onChange={(event) => { void open(event.currentTarget.files?.[0]); event.currentTarget.value = ""; }} />
              {problem !== "" && <span class="muted" role="status"><span class="data">{problem}</span></span>}
            </div>
          </div>
        </section>
        <div class="stack query-side">
          <section class="panel"><header><h2>As a program</h2></header><div class="body stack"><Snippets query={query} table={table} /></div></section>
          {facts && (
            <section class="panel">
              <header><h2>What it cost</h2><span class="faint">first page: {milliseconds(facts.milliseconds)} in all</span></header>
              <div class="body">{facts.explanation ? <ExplainView explanation={facts.explanation} /> : <Notice>This server did not explain the read.</Notice>}</div>
            </section>
          )}
        </div>
      </div>
      {run && <section class="results" aria-label="Results"><ItemGrid pages={run.pages} table={run.isWhole ? table : undefined} leading={run.leading} label="Results" fetchAll={run.again} emptyTitle="Nothing matches" onChanged={execute} /></section>}
      {saving && <SaveDialog query={query} onClose={() => setSaving(false)} />}
    </>
  );
}

export default function QueryPage() {
  const names = useResource((signal) => listTables(signal), []);
  const asked = route.value.query.get("table") ?? "";
  const name = asked || (names.data?.[0] ?? "");
  const table = useResource(async (signal) => (name === "" ? undefined : describeTable(name, signal)), [name]);
  const [opened, setOpened] = useState<{ query: QueryModel; turn: number } | null>(null);
  const choose = (next: string) => { setOpened(null); setQuery({ table: next, index: undefined }); };
  const load = (query: QueryModel) => {
    setOpened({ query, turn: (opened?.turn ?? 0) + 1 });
    setQuery({ table: query.table, index: query.index });
  };
  const description = table.data?.TableName === name ? table.data : undefined;
  const start = opened?.query.table === name ? opened.query : emptyQuery(name, route.value.query.get("index") ?? "");
  return (
    <div class="page">
      <div class="page-head"><h1>Query</h1></div>
      {names.error !== undefined && <ErrorNotice error={names.error} onRetry={names.reload} />}
      {table.error !== undefined && <ErrorNotice error={table.error} onRetry={table.reload} />}
      {table.error !== undefined && names.data && names.data.length > 0 && <p><Button onClick={() => choose(names.data![0]!)}>Take the table {names.data[0]}</Button></p>}
      {names.data?.length === 0 ? <div class="panel"><Empty icon="table" title="There are no tables to query"><a href="#/tables">To the tables</a></Empty></div>
        : description && names.data ? <Builder key={`${name}:${opened?.turn ?? 0}`} table={description} tables={names.data} start={start} onTable={choose} onOpened={load} />
          : table.error === undefined && <Loading what="the table" />}
    </div>
  );
}

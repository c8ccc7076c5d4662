import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { type AttributeValue, type Item, ownItem } from "../../api/attribute";
import { call } from "../../api/client";
import { messageOf } from "../../api/errors";
import { parseValue } from "../../api/json_forms";
import { Digits, parseJson } from "../../api/json_text";
import { explainHeaders, explanationOf, type Explanation } from "../../explain/explanation";
import { ExplainView } from "../../explain/explain_view";
import { download } from "../../items/export";
import { ItemGrid } from "../../items/item_grid";
import { type FetchPage, ItemPages } from "../../items/pages";
import { Button, TextArea } from "../../ui/controls";
import { milliseconds } from "../../ui/format";
import { ErrorNotice, Loading } from "../../ui/notice";
import { useResource } from "../../ui/resource";
import { listTables } from "../tables/tables";
import type { Editor } from "./editor";
import { knowledgeOf } from "./knowledge";
import "../query/query.css";

const remembered = "dolmen.statement";
const example = "SELECT * FROM ";

interface Facts {
  explanation: Explanation | undefined;
  milliseconds: number;
}

/** Fails with what is wrong. */
function parametersOf(text: string): AttributeValue[] {
  if (text.trim() === "") return [];
  const list = parseJson(text);
  if (!Array.isArray(list)) throw new Error("the parameters are a list, such as [\"a\", 1]");
  // Each is read on its own, so that typed values such as {"B": "AQ=="} can stand among plain ones.
  return list.map((each) => {
    const value = JSON.stringify(each, (_, part: unknown) => (part instanceof Digits ? { "\u0000n": part.text } : part instanceof Map ? Object.fromEntries(part) : part))
      .replace(/\{"\\u0000n":"([^"]*)"\}/g, "$1");
    try {
      return parseValue(value, each instanceof Map ? "typed" : "plain");
    } catch {
      return parseValue(value, "plain");
    }
  });
}

/** Pages of a statement, whose places are tokens. */
function statementPages(statement: string, parameters: AttributeValue[], onAnswer?: (facts: Facts) => void): FetchPage {
  return async (start, limit, _countOnly, signal) => {
    const isSelect = /^\s*(select|exists)/i.test(statement);
    const answer = await call<{ Items?: Item[]; NextToken?: string }>("dynamo", "ExecuteStatement", {
      Statement: statement,
      ...(parameters.length > 0 ? { Parameters: parameters } : {}),
      ...(isSelect ? { Limit: limit } : {}),
      ...(start === undefined ? {} : { NextToken: start }),
    }, { signal, headers: isSelect ? explainHeaders : {} });
    onAnswer?.({ explanation: explanationOf(answer.headers), milliseconds: answer.milliseconds });
    const items = (answer.data.Items ?? []).map(ownItem);
    return { items, count: items.length, next: answer.data.NextToken };
  };
}

/** Begins with `text`; what is typed later goes out through `onText` alone. */
function Statement({ tables, text, onText, onRun }: { tables: readonly string[]; text: string; onText: (text: string) => void; onRun: () => void }) {
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<Editor | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [ready, setReady] = useState(false);
  const latest = useRef({ tables, onText, onRun });
  latest.current = { tables, onText, onRun };
  useEffect(() => {
    let gone = false;
    import("./editor").then(({ makeEditor }) => {
      if (gone || host.current === null) return;
      editor.current = makeEditor(host.current, {
        text,
        known: knowledgeOf(() => latest.current.tables),
        onChange: (next) => latest.current.onText(next),
        onRun: () => latest.current.onRun(),
      });
      setReady(true);
    }, (failure: unknown) => setError(failure));
    return () => {
      gone = true;
      editor.current?.destroy();
    };
  }, []);
  return (
    <>
      <div ref={host} class="statement" />
      {!ready && error === null && <Loading what="the editor" />}
      {error !== null && <><ErrorNotice error={error} /><TextArea label="Statement" code value={text} onChange={onText} /></>}
    </>
  );
}

export default function PartiqlPage() {
  const names = useResource((signal) => listTables(signal), []);
  const [text, setText] = useState(() => sessionStorage.getItem(remembered) ?? example);
  const [opened, setOpened] = useState(0);
  const [parameters, setParameters] = useState("");
  const [problem, setProblem] = useState("");
  const [run, setRun] = useState<{ pages: ItemPages; again: FetchPage } | null>(null);
  const [facts, setFacts] = useState<Facts | null>(null);
  const file = useRef<HTMLInputElement>(null);
  useEffect(() => () => run?.pages.close(), [run]);
  useEffect(() => sessionStorage.setItem(remembered, text), [text]);
  const tables = useMemo(() => names.data ?? [], [names.data]);
  const execute = () => {
    setProblem("");
    try {
      const given = parametersOf(parameters);
      let isFirst = true;
      const fetch = statementPages(text, given, (next) => { if (isFirst) setFacts(next); isFirst = false; });
      setFacts(null);
      setRun({ pages: new ItemPages({ fetch }), again: statementPages(text, given) });
    } catch (failure) {
      setProblem(messageOf(failure));
    }
  };
  return (
    <div class="page">
      <div class="page-head"><h1>PartiQL</h1></div>
      <div class={facts?.explanation ? "split" : "stack"}>
        <section class="panel">
          <div class="body stack">
            <Statement key={opened} tables={tables} text={text} onText={setText} onRun={execute} />
            <TextArea label="Parameters" code rows={2} value={parameters} onChange={setParameters} problem={problem} placeholder='["dolmen", 1]' help="A list for the question marks of the statement; plain JSON, or typed as in {&quot;B&quot;: &quot;AQ==&quot;}" />
            <div class="row wrap">
              <Button kind="primary" icon="play" title="Ctrl+Enter" disabled={text.trim() === ""} onClick={execute}>Run</Button>
              <Button icon="download" onClick={() => download("statement.sql", [text.trimEnd() + "\n"], "text/plain")}>Save</Button>
              <Button icon="upload" onClick={() => file.current?.click()}>Open</Button>
              <input ref={file} type="file" class="visually-hidden" tabIndex={-1} aria-label="File of a statement" accept=".sql,.partiql,.txt"
                onChange={async (event) => { const chosen = event.currentTarget.files?.[0]; event.currentTarget.value = ""; if (chosen) { setText((await chosen.text()).trimEnd()); setOpened(opened + 1); } }} />
              <span class="faint">Ctrl+Enter runs · Ctrl+Space completes</span>
              {facts && <span class="faint">{milliseconds(facts.milliseconds)}</span>}
            </div>
          </div>
        </section>
        {facts?.explanation && <section class="panel"><header><h2>What it cost</h2></header><div class="body"><ExplainView explanation={facts.explanation} /></div></section>}
      </div>
      {run && <section class="results" aria-label="Results"><ItemGrid pages={run.pages} table={undefined} label="Results" fetchAll={run.again} emptyTitle="Done; no rows came back" /></section>}
    </div>
  );
}

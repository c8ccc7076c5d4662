// A live tail of a table's changes, each with the item before and after.

import { useEffect, useRef, useState } from "preact/hooks";
import { dynamo } from "../../api/client";
import { shortText } from "../../api/attribute";
import { TablePage, TableSelect, type TableDescription } from "../../charts/tables";
import { route, setQuery } from "../../state/router";
import { Button, Select, TextField } from "../../ui/controls";
import { bytes, count, counted, timeOf } from "../../ui/format";
import { TypedView } from "../../ui/json_view";
import { Badge, Empty, ErrorNotice, Notice } from "../../ui/notice";
import { toast, toastError } from "../../ui/toast";
import { changesBetween, hasExpired, mentions, newestFirst, type StreamRecord, summaryOf } from "./changes";
import { type Start, Tail } from "./tail";
import "../../charts/charts.css";
import "./streams.css";

const everyMs = 1000;
const recordsMax = 2000;
const rowsShown = 200;
const words = { INSERT: "new", MODIFY: "changed", REMOVE: "removed" } as const;
const kinds = { INSERT: "good", MODIFY: "accent", REMOVE: "danger" } as const;

export default function StreamsPage() {
  return (
    <TablePage page="streams" title="Streams" icon="stream" wanted={(table) => table.LatestStreamArn !== undefined}
      none="No table has a stream" noneHelp="A stream keeps every change of a table for 24 hours. Switch one on where the table is created or changed."
      view={(table, all) => (
        <div class="page fill streams">
          <div class="page-head">
            <h1>Streams</h1>
            <TableSelect page="streams" table={table} all={all} />
          </div>
          {table.LatestStreamArn === undefined ? <NoStream table={table} /> : <Live key={table.LatestStreamArn} table={table} arn={table.LatestStreamArn} />}
        </div>
      )} />
  );
}

function NoStream({ table }: { table: TableDescription }) {
  const enable = async () => {
    try {
      await dynamo("UpdateTable", { TableName: table.TableName, StreamSpecification: { StreamEnabled: true, StreamViewType: "NEW_AND_OLD_IMAGES" } });
      toast("good", `${table.TableName} has a stream now.`);
      location.reload();
    } catch (error) {
      toastError(error);
    }
  };
  return <Empty icon="stream" title={`${table.TableName} has no stream`}><Button kind="primary" onClick={enable}>Switch it on, with images before and after</Button></Empty>;
}

interface LiveState {
  records: StreamRecord[];
  seen: number;
  error: unknown;
  ended: boolean;
  shards: number;
}

/** Asks again and again while the page is there and not paused. */
function useTail(arn: string, start: Start, paused: boolean): [LiveState, () => void] {
  const tail = useRef<Tail | null>(null);
  const [state, setState] = useState<LiveState>({ records: [], seen: 0, error: null, ended: false, shards: 0 });
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    tail.current = new Tail(arn, start);
    setState({ records: [], seen: 0, error: null, ended: false, shards: 0 });
  }, [arn, start, turn]);
  useEffect(() => {
    if (paused) return;
    const abort = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const step = async () => {
      const current = tail.current;
      if (current === null) return;
      try {
        const fresh = await current.read(abort.signal);
        if (abort.signal.aborted) return;
        setState((before) => ({ records: fresh.length > 0 ? newestFirst(before.records, fresh, recordsMax) : before.records, seen: before.seen + fresh.length, error: null, ended: current.hasEnded, shards: current.shards }));
        if (current.hasEnded) return;
      } catch (error) {
        if (abort.signal.aborted) return;
        setState((before) => ({ ...before, error }));
      }
      timer = setTimeout(step, everyMs);
    };
    void step();
    return () => {
      abort.abort();
      clearTimeout(timer);
    };
  }, [arn, start, paused, turn]);
  return [state, () => setTurn((before) => before + 1)];
}

function Live({ table, arn }: { table: TableDescription; arn: string }) {
  const start: Start = route.value.query.get("from") === "now" ? "LATEST" : "TRIM_HORIZON";
  const [paused, setPaused] = useState(false);
  const [event, setEvent] = useState<"" | StreamRecord["eventName"]>("");
  const [text, setText] = useState("");
  const [chosen, setChosen] = useState<string | null>(null);
  const [state, again] = useTail(arn, start, paused);
  const shown = state.records.filter((record) => (event === "" || record.eventName === event) && mentions(record, text));
  const open = shown.find(({ eventID }) => eventID === chosen) ?? shown[0];
  const keys = table.KeySchema.map(({ AttributeName }) => AttributeName);
  const view = table.StreamSpecification?.StreamViewType;
  return (
    <>
      <div class="row wrap end-fields">
        <Select label="From" value={start} onChange={(value) => setQuery({ from: value === "LATEST" ? "now" : undefined })}
          choices={[{ value: "TRIM_HORIZON", text: "the oldest change" }, { value: "LATEST", text: "now on" }]} />
        <Select label="Kind" value={event} onChange={setEvent} choices={[{ value: "", text: "all changes" }, { value: "INSERT", text: "new" }, { value: "MODIFY", text: "changed" }, { value: "REMOVE", text: "removed" }]} />
        <TextField label="Has the text" type="search" value={text} onChange={setText} />
        <Button icon={paused ? "play" : "stop"} pressed={paused} onClick={() => setPaused(!paused)}>{paused ? "Go on" : "Pause"}</Button>
        <span class="grow" />
        <span class="faint" role="status">{paused ? "paused" : state.ended ? "ended" : "live"} · {counted(state.seen, "change")} of {counted(state.shards, "shard")}</span>
      </div>
      {state.error !== null && <ErrorNotice error={state.error} onRetry={again} />}
      {state.ended && <Notice>The stream of this table was switched off. What it has can be read for 24 hours.</Notice>}
      {shown.length === 0
        ? <Empty icon="stream" title={state.records.length > 0 ? "No change fits the filter" : start === "LATEST" ? "Waiting for the next change" : "No changes in the last 24 hours"}>New changes appear here within a second.</Empty>
        : (
          <div class="tail">
            <ol class="changes" aria-label="Changes, newest first">
              {shown.slice(0, rowsShown).map((record) => (
                <li key={record.eventID}>
                  <button type="button" aria-current={record === open ? "true" : undefined} onClick={() => setChosen(record.eventID)}>
                    <Badge kind={kinds[record.eventName]}>{words[record.eventName]}</Badge>
                    <span class="mono data key">{keys.map((name) => (record.dynamodb.Keys[name] ? shortText(record.dynamodb.Keys[name]) : "")).join(" · ")}</span>
                    <span class="faint data what">{summaryOf(record)}</span>
                    <time class="faint">{timeOf(record.dynamodb.ApproximateCreationDateTime).slice(11)}</time>
                  </button>
                </li>
              ))}
              {shown.length > rowsShown && <li class="faint more">{count(shown.length - rowsShown)} older ones are not drawn; filter to find them.</li>}
            </ol>
            {open && <Detail record={open} view={view} />}
          </div>
        )}
    </>
  );
}

function Detail({ record, view }: { record: StreamRecord; view: string | undefined }) {
  const { OldImage, NewImage, Keys, SequenceNumber, SizeBytes, ApproximateCreationDateTime } = record.dynamodb;
  const hasBefore = record.eventName === "INSERT" || OldImage !== undefined;
  const hasAfter = record.eventName === "REMOVE" || NewImage !== undefined;
  const changes = changesBetween(OldImage ?? {}, NewImage ?? {});
  return (
    <section class="panel detail" aria-label="The chosen change" tabIndex={0}>
      <header>
        <h2>Before and after</h2>
        <Badge kind={kinds[record.eventName]}>{words[record.eventName]}</Badge>
        {hasExpired(record) && <Badge kind="warn">by the time to live</Badge>}
      </header>
      <div class="body stack">
        <dl class="facts">
          <div><dt>When</dt><dd>{timeOf(ApproximateCreationDateTime)}</dd></div>
          <div><dt>Sequence number</dt><dd class="mono">{SequenceNumber}</dd></div>
          <div><dt>Size</dt><dd>{bytes(SizeBytes)}</dd></div>
        </dl>
        {!hasBefore && !hasAfter
          ? <><Notice>The stream has the view {view ?? "KEYS_ONLY"}: only the key of the item is known.</Notice><TypedView value={{ M: Keys }} /></>
          : (
            <>
              {(!hasBefore || !hasAfter) && <Notice>The stream has the view {view}: the item {hasBefore ? "after" : "before"} the change is not in it.</Notice>}
              <table class="table images">
                <thead><tr><th scope="col">Attribute</th><th scope="col">Before</th><th scope="col">After</th></tr></thead>
                <tbody>
                  {changes.map((change) => (
                    <tr key={change.name} class={hasBefore && hasAfter ? change.kind : "same"}>
                      <th scope="row"><span class="data">{change.name}</span>{hasBefore && hasAfter && change.kind !== "same" && <span class="visually-hidden"> {change.kind}</span>}</th>
                      <td>{change.before ? <TypedView value={change.before} /> : <span class="faint">{hasBefore ? "–" : "unknown"}</span>}</td>
                      <td>{change.after ? <TypedView value={change.after} /> : <span class="faint">{hasAfter ? "–" : "unknown"}</span>}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </>
          )}
      </div>
    </section>
  );
}

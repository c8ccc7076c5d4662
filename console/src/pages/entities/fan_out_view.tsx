// The fan-out of a page, drawn while the shards answer.

import { useEffect, useRef, useState } from "preact/hooks";
import type { Item } from "../../api/attribute";
import { dynamo } from "../../api/client";
import { Numbers, Picture } from "../../charts/figure";
import { Button, Select, TextField } from "../../ui/controls";
import { count, milliseconds } from "../../ui/format";
import { ErrorNotice } from "../../ui/notice";
import { type FanOut, fresh, hasEnded, nextPage } from "./fan_out";
import { ShardBlock } from "./heat_map";
import { bumpsBetween, type EntityConfig, hashKeys } from "./shards";

const words = { waiting: "not asked", asking: "asked, waiting", answered: "has more", ended: "at its end", failed: "failed" } as const;

/** "" is the table itself. Only indexes on the hash key can be asked without knowing a property. */
function indexesOf(config: EntityConfig): string[] {
  return ["", ...Object.entries(config.indexes).filter(([, index]) => index.hashKey === config.hashKey).map(([name]) => name)];
}

const timeOf = (text: string) => (text === "" ? undefined : Date.parse(text));

export function FanOutView({ table, config, entity }: { table: string; config: EntityConfig; entity: string }) {
  const of = config.entities[entity]!;
  const [index, setIndex] = useState(indexesOf(config)[1] ?? "");
  const [limit, setLimit] = useState(String(of.defaultLimit));
  const [throttle, setThrottle] = useState(String(config.throttle));
  const [from, setFrom] = useState("");
  const [state, setState] = useState<FanOut<Item> | null>(null);
  const [running, setRunning] = useState(false);
  const [pages, setPages] = useState(0);
  const [error, setError] = useState<unknown>(null);
  const abort = useRef<AbortController | null>(null);
  useEffect(() => () => abort.current?.abort(), []);
  const keys = bumpsBetween(of.shardBumps, timeOf(from), undefined).flatMap((bump) => hashKeys(entity, config.shardKeyDelimiter, bump));
  const ask = async (key: string, next: Item | undefined, signal: AbortSignal) => {
    const page = await dynamo<{ Items: Item[]; LastEvaluatedKey?: Item }>("Query", {
      TableName: table, ...(index === "" ? {} : { IndexName: index }), KeyConditionExpression: "#h = :h", ExpressionAttributeNames: { "#h": config.hashKey }, ExpressionAttributeValues: { ":h": { S: key } },
      Limit: of.defaultPageSize, ...(next ? { ExclusiveStartKey: next } : {}),
    }, { signal });
    return { items: page.Items.length, next: page.LastEvaluatedKey };
  };
  const run = async (begin: FanOut<Item>) => {
    const now = new AbortController();
    abort.current = now;
    setRunning(true);
    setError(null);
    setState(begin);
    try {
      setState(await nextPage(begin, { limit: Math.max(1, Number(limit) || 10), throttle: Math.min(50, Math.max(1, Number(throttle) || 10)), ask, onChange: setState, signal: now.signal, clock: () => performance.now() }));
      setPages((before) => before + 1);
    } catch (failure) {
      setError(failure);
    }
    setRunning(false);
  };
  const start = () => {
    setPages(0);
    void run(fresh<Item>(keys));
  };
  const lanes = state?.lanes ?? fresh<Item>(keys).lanes;
  const byKey = new Map(lanes.map((lane) => [lane.key, lane]));
  const askedNow = state ? lanes.filter(({ calls }) => calls > 0).length : 0;
  return (
    <Picture title="Fan-out of a page" note="every cell is a shard; the console asks them as a client does"
      legend={[{ name: "not asked", colour: 0 }, { name: "asked, waiting", colour: 2 }, { name: "has more", colour: 7 }, { name: "at its end", colour: 4 }]}
      table={{ columns: ["Shard", "State", "Items", "Calls", "Time (ms)"], rows: state ? lanes.filter(({ calls }) => calls > 0).map(({ key, state: each, items, calls, milliseconds: took }) => [key, words[each], items, calls, Number(took.toFixed(1))]) : [] }}>
      <div class="body stack">
        <div class="row wrap end-fields">
          <Select label="Index" value={index} onChange={(next) => { setIndex(next); setState(null); }} choices={indexesOf(config).map((name) => ({ value: name, text: name === "" ? "the table" : name }))} />
          <TextField label="Limit" type="number" min={1} value={limit} onChange={setLimit} />
          <TextField label="At a time" type="number" min={1} max={50} value={throttle} onChange={setThrottle} />
          <TextField label="Made since" type="datetime-local" value={from} onChange={(next) => { setFrom(next); setState(null); }} />
          {running ? <Button icon="stop" onClick={() => abort.current?.abort()}>Stop</Button> : <Button kind="primary" icon="play" onClick={start}>Ask for a page</Button>}
          {state && !running && !hasEnded(state) && pages > 0 && <Button onClick={() => run(state)}>Next page</Button>}
        </div>
        {error !== null && <ErrorNotice error={error} />}
        <Numbers values={[
          { name: "Shards", value: count(keys.length), unit: `${count(askedNow)} asked` },
          { name: "Page", value: count(pages), unit: state && hasEnded(state) ? "the last" : "" },
          { name: "Items on it", value: count(state?.items ?? 0) },
          { name: "Requests for it", value: count(state?.calls ?? 0) },
          { name: "Time", value: state ? milliseconds(state.milliseconds) : "–" },
        ]} />
        <ShardBlock title="Shards" unit="items" cells={lanes.map(({ key, items }) => ({ key, count: items }))} colour={(cell) => `lane-${byKey.get(cell.key)?.state ?? "waiting"}${cell.count > 0 ? " full" : ""}`}
          describe={(cell) => { const lane = byKey.get(cell.key); return lane ? `${words[lane.state]}, ${count(lane.items)} items${lane.calls > 0 ? ` in ${milliseconds(lane.milliseconds)}` : ""}` : ""; }} />
        <p class="visually-hidden" role="status">{state && !running ? `${state.items} items from ${state.calls} requests` : ""}</p>
      </div>
    </Picture>
  );
}

// Entities of a table: how their shards are filled, when there came more, and what a page of a query asks.

import { useEffect, useRef, useState } from "preact/hooks";
import type { Item } from "../../api/attribute";
import { dolmen, dynamo } from "../../api/client";
import { ApiError } from "../../api/errors";
import { Picture } from "../../charts/figure";
import { useWidth } from "../../charts/line_chart";
import { isMissing } from "../../charts/missing";
import { TablePage, TableSelect, type TableDescription, withItem } from "../../charts/tables";
import { route, setQuery } from "../../state/router";
import { Button, Select } from "../../ui/controls";
import { count, counted } from "../../ui/format";
import { Empty, ErrorNotice, Loading, Notice } from "../../ui/notice";
import { useResource } from "../../ui/resource";
import { toastError } from "../../ui/toast";
import { FanOutView } from "./fan_out_view";
import { HeatMap } from "./heat_map";
import { type EntityConfig, shardCount, timeline } from "./shards";
import "../../charts/charts.css";
import "./entities.css";

const itemsMax = 200_000;
/** Room that "256 shards" and "2026-11-17" take on the time line. */
const eraNamePx = 84;
const eraDatePx = 70;

export default function EntitiesPage() {
  return (
    <TablePage page="entities" title="Entities" icon="entity" wanted={() => true} sift={(tables, signal) => withItem(tables, "dolmen:entities", "dolmen:config", signal)} none="No table has entities"
      noneHelp="Entities are spread over shards by a config, which dolmen entity migrate, or BindEntities, keeps in the table."
      view={(table, all) => <OfTable key={table.TableName} table={table} all={all} />} />
  );
}

function OfTable({ table, all }: { table: TableDescription; all: TableDescription[] }) {
  const described = useResource((signal) => dolmen<{ config: EntityConfig }>("DescribeEntities", { table: table.TableName }, { signal }), [table.TableName]);
  const config = described.data?.config;
  const names = Object.keys(config?.entities ?? {});
  const entity = names.find((name) => name === route.value.query.get("entity")) ?? names[0];
  return (
    <div class="page entities">
      <div class="page-head">
        <h1>Entities</h1>
        <TableSelect page="entities" table={table} all={all} />
        {entity !== undefined && <Select label="Entity" hideLabel value={entity} choices={names} onChange={(name) => setQuery({ entity: name })} />}
      </div>
      {described.error !== undefined && <ErrorNotice error={described.error} onRetry={described.reload} />}
      {config === undefined && described.loading && <Loading what="the config" />}
      {config && entity === undefined && <Empty icon="entity" title="The config has no entities" />}
      {config && entity !== undefined && (
        <>
          <TimeLine key={`line ${entity}`} config={config} entity={entity} />
          <Heat key={`heat ${entity}`} table={table.TableName} config={config} entity={entity} />
          <FanOutView key={`fan ${entity}`} table={table.TableName} config={config} entity={entity} />
        </>
      )}
    </div>
  );
}

function TimeLine({ config, entity }: { config: EntityConfig; entity: string }) {
  const [box, width] = useWidth<HTMLDivElement>(700);
  const bumps = config.entities[entity]!.shardBumps;
  const { segments, now } = timeline(bumps, Date.now());
  const height = 92;
  const highest = Math.max(...bumps.map((bump) => Math.log2(shardCount(bump))), 1);
  const x = (part: number) => 12 + part * (width - 24);
  const y = (shards: number) => 68 - (Math.log2(shards) / highest) * 44;
  const day = (time: number) => (time <= 0 ? "the beginning" : new Date(time).toISOString().slice(0, 10));
  return (
    <Picture title="Shards over time" note={`${entity}: a bump sets their number from a moment on; what was written before stays where it is`}
      table={{ columns: ["Since", "Shards", "Bits for a character", "Characters"], rows: bumps.map((bump) => [day(bump.timestamp), shardCount(bump), bump.charBits, bump.chars]) }}>
      <div ref={box} class="timeline" role="img" tabIndex={0} aria-label={segments.map(({ bump, isNow }) => `${counted(shardCount(bump), "shard")} since ${day(bump.timestamp)}${isNow ? ", in force now" : ""}`).join("; ")}>
        <svg width={width} height={height} aria-hidden="true">
          {segments.map(({ bump, from, to, isNow }, at) => (
            <g key={bump.timestamp}>
              <rect class={isNow ? "era now" : "era"} x={x(from) + 1} y={y(shardCount(bump))} width={Math.max(2, x(to) - x(from) - 2)} height={68 - y(shardCount(bump)) + 4} rx={3} />
              <text class="era-name" x={x(from) + 8} y={y(shardCount(bump)) - 5}>{x(to) - x(from) >= eraNamePx ? counted(shardCount(bump), "shard") : count(shardCount(bump))}</text>
              {(at === 0 || x(to) - x(from) >= eraDatePx) && <text class="tick" x={x(from) + (at === 0 ? 2 : 4)} y={height - 6}>{bump.timestamp <= 0 ? "…" : day(bump.timestamp)}</text>}
            </g>
          ))}
          <line class="now-line" x1={x(now)} x2={x(now)} y1={6} y2={76} />
          <text class="now-text" x={x(now) - 5} y={14} text-anchor="end">now</text>
        </svg>
      </div>
    </Picture>
  );
}

interface Counted {
  counts: Map<string, number>;
  read: number;
  state: "running" | "done" | "cut" | "stopped";
}

/** Counts the items of every hash key, page by page. */
function useCounts(table: string, hashKey: string) {
  const [counted, setCounted] = useState<Counted>({ counts: new Map(), read: 0, state: "running" });
  const [error, setError] = useState<unknown>(null);
  const [turn, setTurn] = useState(0);
  const abort = useRef<AbortController | null>(null);
  useEffect(() => {
    const now = new AbortController();
    abort.current = now;
    const counts = new Map<string, number>();
    let read = 0;
    const run = async () => {
      let after: Item | undefined;
      do {
        const page: { Items: Item[]; LastEvaluatedKey?: Item } = await dynamo("Scan", { TableName: table, ProjectionExpression: "#h", ExpressionAttributeNames: { "#h": hashKey }, ...(after ? { ExclusiveStartKey: after } : {}) }, { signal: now.signal });
        for (const item of page.Items) {
          const key = item[hashKey];
          if (key && "S" in key) counts.set(key.S, (counts.get(key.S) ?? 0) + 1);
        }
        read += page.Items.length;
        after = page.LastEvaluatedKey;
        setCounted({ counts: new Map(counts), read, state: after === undefined ? "done" : read >= itemsMax ? "cut" : "running" });
      } while (after !== undefined && read < itemsMax);
    };
    setError(null);
    run().catch((failure: unknown) => (now.signal.aborted ? setCounted((before) => ({ ...before, state: "stopped" })) : setError(failure)));
    return () => now.abort();
  }, [table, hashKey, turn]);
  return { ...counted, error, again: () => setTurn((before) => before + 1), stop: () => abort.current?.abort() };
}

interface TopKeys {
  Total: number;
  PartitionKeys: { Key: Item; Count: number }[];
}

const areNotCounted = (error: unknown) => error instanceof ApiError && error.message.includes("Contributor Insights are not enabled");

function Heat({ table, config, entity }: { table: string; config: EntityConfig; entity: string }) {
  const [by, setBy] = useState<"items" | "uses">("items");
  const stored = useCounts(table, config.hashKey);
  const uses = useResource(async (signal) => {
    if (by === "items") return undefined;
    const top = await dolmen<TopKeys>("DescribeTopKeys", { TableName: table }, { signal });
    return new Map(top.PartitionKeys.map(({ Key, Count }) => { const key = Key[config.hashKey]; return [key && "S" in key ? key.S : "", Count] as const; }));
  }, [by, table], by === "uses" ? 2000 : undefined);
  const enable = async () => {
    await dynamo("UpdateContributorInsights", { TableName: table, ContributorInsightsAction: "ENABLE" });
    uses.reload();
  };
  const counts = by === "items" ? stored.counts : (uses.data ?? new Map<string, number>());
  const prefix = entity + config.shardKeyDelimiter;
  const rows = [...counts].filter(([key]) => key.startsWith(prefix)).sort(([, a], [, b]) => b - a);
  return (
    <Picture title="Heat of the shards" note={by === "items" ? (stored.state === "running" ? `${count(stored.read)} items read …` : stored.state === "cut" ? `of the first ${count(stored.read)} items` : `${count(stored.read)} items read`) : "most used keys, live"}
      tools={<>
        <Select label="Heat by" hideLabel value={by} onChange={setBy} choices={[{ value: "items", text: "by items" }, { value: "uses", text: "by uses" }]} />
        {by === "items" && (stored.state === "running" ? <Button small icon="stop" onClick={stored.stop}>Stop</Button> : <Button small icon="refresh" onClick={stored.again}>Count again</Button>)}
      </>}
      table={{ columns: ["Shard", by === "items" ? "Items" : "Uses"], rows }}>
      {stored.error !== null && <ErrorNotice error={stored.error} onRetry={stored.again} />}
      {by === "uses" && uses.error !== undefined && <div class="body">{isMissing(uses.error) ? <Notice>Uses of keys are not available on this server.</Notice>
        : areNotCounted(uses.error) ? <Notice kind="warn">Uses are counted while Contributor Insights are enabled for the table. <Button small onClick={() => { enable().catch(toastError); }}>Enable them</Button></Notice>
          : <ErrorNotice error={uses.error} onRetry={uses.reload} />}</div>}
      <HeatMap entity={entity} delimiter={config.shardKeyDelimiter} bumps={config.entities[entity]!.shardBumps} counts={counts} unit={by === "items" ? "items" : "uses"} />
      <div class="body heat-legend faint" aria-hidden="true">empty {[0, 1, 2, 3, 4, 5].map((each) => <span key={each} class={`sample heat${each}`} />)} fullest</div>
    </Picture>
  );
}

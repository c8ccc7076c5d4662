// The rows as they are, and what happened to them: from the table's stream, or as the console saw it.

import { useEffect, useRef, useState } from "preact/hooks";
import { type Item, sameItem } from "../../api/attribute";
import { dynamo } from "../../api/client";
import type { TableDescription } from "../../charts/tables";
import { Tail } from "../streams/tail";
import { type Change, changeOf, type Names } from "./rows";

const everyMs = 2000;
/** Of 1 MB each: a table may hold much else. */
const pagesMax = 8;
const changesMax = 500;

/** Rows of leases, pages, versions and requests. */
export async function loadRows(table: string, signal: AbortSignal, most = pagesMax): Promise<{ items: Item[]; isWhole: boolean }> {
  const items: Item[] = [];
  let pages = 0;
  let after: Item | undefined;
  do {
    const page: { Items: Item[]; LastEvaluatedKey?: Item } = await dynamo("Scan", {
      TableName: table, FilterExpression: "attribute_exists(lease_expires_at) OR attribute_exists(generated_at) OR attribute_exists(request_hash)", ...(after ? { ExclusiveStartKey: after } : {}),
    }, { signal });
    items.push(...page.Items);
    after = page.LastEvaluatedKey;
  } while (after !== undefined && ++pages < most);
  return { items, isWhole: after === undefined };
}

export interface Watched {
  items: Item[] | undefined;
  isWhole: boolean;
  changes: Change[];
  /** Seconds since 1970. */
  now: number;
  error: unknown;
  reload: () => void;
}

const nowSeconds = () => Date.now() / 1000;

function differences(before: Item[], after: Item[], names: Names, time: number): Change[] {
  const idOf = (item: Item) => JSON.stringify([item[names.partition], item[names.sort]]);
  const old = new Map(before.map((item) => [idOf(item), item]));
  const now = new Map(after.map((item) => [idOf(item), item]));
  const found: (Change | undefined)[] = [];
  for (const [id, item] of now) if (!sameItem(old.get(id), item)) found.push(changeOf(old.get(id), item, names, time));
  for (const [id, item] of old) if (!now.has(id)) found.push(changeOf(item, undefined, names, time));
  return found.filter((each) => each !== undefined);
}

export function useWatch(table: TableDescription, names: Names): Watched {
  const hasImages = table.StreamSpecification?.StreamViewType === "NEW_AND_OLD_IMAGES" && table.LatestStreamArn !== undefined;
  const [state, setState] = useState<{ items: Item[] | undefined; isWhole: boolean; changes: Change[]; error: unknown }>({ items: undefined, isWhole: true, changes: [], error: undefined });
  const [now, setNow] = useState(nowSeconds());
  const [turn, setTurn] = useState(0);
  const latest = useRef<Item[] | undefined>(undefined);
  const tail = useRef(hasImages ? new Tail(table.LatestStreamArn!, "TRIM_HORIZON") : null);
  useEffect(() => {
    const abort = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isLarge = false;
    const step = async () => {
      try {
        const rows = await loadRows(table.TableName, abort.signal);
        const records = tail.current && !tail.current.hasEnded ? await tail.current.read(abort.signal) : [];
        if (abort.signal.aborted) return;
        isLarge = !rows.isWhole;
        const seen = hasImages
          ? records.map((record) => changeOf(record.dynamodb.OldImage, record.dynamodb.NewImage, names, record.dynamodb.ApproximateCreationDateTime)).filter((each) => each !== undefined)
          : latest.current ? differences(latest.current, rows.items, names, nowSeconds()) : [];
        latest.current = rows.items;
        setState((before) => ({ items: rows.items, isWhole: rows.isWhole, changes: [...before.changes, ...seen].slice(-changesMax), error: undefined }));
      } catch (error) {
        if (abort.signal.aborted) return;
        setState((before) => ({ ...before, error }));
      }
      timer = setTimeout(step, isLarge ? 10 * everyMs : everyMs);
    };
    void step();
    const clock = setInterval(() => setNow(nowSeconds()), 1000);
    return () => {
      abort.abort();
      clearTimeout(timer);
      clearInterval(clock);
    };
  }, [table.TableName, turn]);
  return { ...state, now, reload: () => setTurn((before) => before + 1) };
}

// How a changed item is sent: only what changed, and only if that is still as the person has seen it.

import { type Item, ownItem, sameValue } from "../api/attribute";
import { keyNames, keyOf, type TableDescription } from "./key";

/** The attributes that differ, in the order of both items. */
export function changedNames(before: Item, after: Item): string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((name) => !sameValue(before[name], after[name]));
}

export interface PlannedRequest {
  operation: "UpdateItem" | "PutItem";
  input: Record<string, unknown>;
}

/** A new item, which must not replace one that is there. */
export function planNew(item: Item, table: TableDescription): PlannedRequest {
  return {
    operation: "PutItem",
    input: {
      TableName: table.TableName,
      Item: item,
      ConditionExpression: "attribute_not_exists(#key)",
      ExpressionAttributeNames: { "#key": keyNames(table.KeySchema)[0] },
      ReturnValuesOnConditionCheckFailure: "ALL_OLD",
    },
  };
}

/**
 * A change from `seen`, what the person saw, to `wanted`. Attributes that did not change stay as they are at the server.
 * Null when nothing changed. The key must be the same in both.
 */
export function planChange(seen: Item, wanted: Item, table: TableDescription): PlannedRequest | null {
  const names: Record<string, string> = { "#key": keyNames(table.KeySchema)[0]! };
  const values: Item = {};
  const sets: string[] = [];
  const removes: string[] = [];
  const conditions = ["attribute_exists(#key)"];
  changedNames(seen, wanted).forEach((name, at) => {
    names[`#a${at}`] = name;
    const after = wanted[name];
    const before = seen[name];
    if (after === undefined) removes.push(`#a${at}`);
    else {
      values[`:n${at}`] = after;
      sets.push(`#a${at} = :n${at}`);
    }
    if (before === undefined) conditions.push(`attribute_not_exists(#a${at})`);
    else {
      values[`:o${at}`] = before;
      conditions.push(`#a${at} = :o${at}`);
    }
  });
  if (sets.length === 0 && removes.length === 0) return null;
  const update = [sets.length > 0 && `SET ${sets.join(", ")}`, removes.length > 0 && `REMOVE ${removes.join(", ")}`].filter(Boolean).join(" ");
  return {
    operation: "UpdateItem",
    input: {
      TableName: table.TableName,
      Key: keyOf(seen, table),
      UpdateExpression: update,
      ConditionExpression: conditions.join(" AND "),
      ExpressionAttributeNames: names,
      ...(Object.keys(values).length > 0 ? { ExpressionAttributeValues: values } : {}),
      ReturnValues: "ALL_NEW",
      ReturnValuesOnConditionCheckFailure: "ALL_OLD",
    },
  };
}

export interface Conflict {
  name: string;
  mine: Item[string] | undefined;
  theirs: Item[string] | undefined;
  /** As the person has seen it. */
  seen: Item[string] | undefined;
  /** Both have changed it. */
  isContested: boolean;
}

/** What differs between the item that a person wants and the one that somebody else has made meanwhile. */
export function conflictsOf(seen: Item, mine: Item, theirs: Item): Conflict[] {
  return changedNames(mine, theirs).map((name) => ({
    name,
    mine: mine[name],
    theirs: theirs[name],
    seen: seen[name],
    isContested: !sameValue(seen[name], mine[name]) && !sameValue(seen[name], theirs[name]),
  }));
}

/** Theirs, with the attributes of `taken` from mine. */
export function merge(mine: Item, theirs: Item, taken: ReadonlySet<string>): Item {
  const merged = ownItem(theirs);
  for (const name of taken) {
    const value = mine[name];
    if (value === undefined) delete merged[name];
    else merged[name] = value;
  }
  return merged;
}

// Which kind an item of a shared table is, and how kinds belong together.

import { type AttributeValue, type Item, shortText } from "../../api/attribute";
import { type Violation, violationsOf } from "./check";
import type { Model } from "./dms";

export interface Kind {
  model: Model;
  partitionPrefix: string;
  sortPrefix: string;
  /** Of the discriminator. */
  value: string | undefined;
}

export interface Lens {
  kinds: Kind[];
  discriminator: string | undefined;
  partition: string;
  sort: string | undefined;
}

export interface Seen {
  item: Item;
  /** Undefined for an item of no kind. */
  kind: Kind | undefined;
  violations: Violation[];
}

const begins = (value: AttributeValue | undefined, prefix: string) => prefix === "" || (value !== undefined && "S" in value && value.S.startsWith(prefix));

function matches(lens: Lens, kind: Kind, item: Item): boolean {
  if (!begins(item[lens.partition], kind.partitionPrefix)) return false;
  if (lens.sort !== undefined && !begins(item[lens.sort], kind.sortPrefix)) return false;
  if (lens.discriminator === undefined || kind.value === undefined) return true;
  const value = item[lens.discriminator];
  return value !== undefined && "S" in value && value.S === kind.value;
}

/** An item is of the first kind that it matches. Kinds that nothing tells apart are told apart by what fits best. */
export function see(lens: Lens, item: Item): Seen {
  const ignored = lens.discriminator === undefined ? [] : [lens.discriminator];
  const fit = lens.kinds.filter((kind) => matches(lens, kind, item));
  const isTold = (kind: Kind) => kind.partitionPrefix !== "" || kind.sortPrefix !== "" || (lens.discriminator !== undefined && kind.value !== undefined);
  const first = fit[0];
  if (first === undefined) return { item, kind: undefined, violations: [{ path: lens.partition, rule: "kind", message: "it matches no model" }] };
  const candidates = (isTold(first) ? [first] : fit).map((kind) => ({ item, kind, violations: violationsOf(kind.model, item, ignored) }));
  return candidates.reduce((best, each) => (each.violations.length < best.violations.length ? each : best));
}

export interface Bond {
  a: string;
  b: string;
  /** Partitions in which both are. */
  partitions: number;
  /** The most of each in one partition. */
  aMost: number;
  bMost: number;
}

/** Kinds whose items share partitions: what a Query brings together. */
export function bondsOf(seen: readonly Seen[], partition: string): Bond[] {
  const partitions = new Map<string, Map<string, number>>();
  for (const { item, kind } of seen) {
    if (kind === undefined) continue;
    const key = JSON.stringify(item[partition]);
    const counts = partitions.get(key) ?? new Map<string, number>();
    counts.set(kind.model.name, (counts.get(kind.model.name) ?? 0) + 1);
    partitions.set(key, counts);
  }
  const bonds = new Map<string, Bond>();
  for (const counts of partitions.values()) {
    const names = [...counts.keys()].sort();
    names.forEach((a, at) => {
      for (const b of names.slice(at + 1)) {
        const id = JSON.stringify([a, b]);
        const bond = bonds.get(id) ?? { a, b, partitions: 0, aMost: 0, bMost: 0 };
        bonds.set(id, { ...bond, partitions: bond.partitions + 1, aMost: Math.max(bond.aMost, counts.get(a)!), bMost: Math.max(bond.bMost, counts.get(b)!) });
      }
    });
  }
  return [...bonds.values()];
}

/** "1 : n" as far as was seen. */
export function ratio({ aMost, bMost }: Bond): string {
  return `${aMost > 1 ? "n" : "1"} : ${bMost > 1 ? "n" : "1"}`;
}

/** Indexes that several models name: they can be read together there, too. */
export function sharedIndexes(models: readonly Model[]): { index: string; models: string[] }[] {
  const names = new Map<string, string[]>();
  for (const model of models) for (const { name } of model.indexes) names.set(name, [...(names.get(name) ?? []), model.name]);
  return [...names].filter(([, users]) => users.length > 1).map(([index, users]) => ({ index, models: users }));
}

/** The prefix that items of a kind seem to have: up to the first `#`, when all of them agree. */
export function guessPrefix(values: readonly (AttributeValue | undefined)[]): string {
  const texts = values.map((value) => (value && "S" in value ? value.S : ""));
  const prefixes = new Set(texts.map((each) => (each.includes("#") ? each.slice(0, each.indexOf("#") + 1) : each)));
  const [only] = prefixes;
  return prefixes.size === 1 && only !== undefined ? only : "";
}

/** What a table has not that its models need. */
export function tableDifferences(models: readonly Model[], table: { KeySchema: { AttributeName: string; KeyType: string }[]; GlobalSecondaryIndexes?: { IndexName: string }[]; LocalSecondaryIndexes?: { IndexName: string }[] }): string[] {
  const [partition, sort] = ["HASH", "RANGE"].map((type) => table.KeySchema.find(({ KeyType }) => KeyType === type)?.AttributeName);
  const indexes = [...(table.GlobalSecondaryIndexes ?? []), ...(table.LocalSecondaryIndexes ?? [])].map(({ IndexName }) => IndexName);
  const found: string[] = [];
  for (const model of models) {
    if (model.partition !== partition) found.push(`${model.name}: the partition key is ${partition}, the model says ${model.partition}`);
    if (model.sort !== sort) found.push(`${model.name}: the sort key is ${sort ?? "missing"}, the model says ${model.sort ?? "that there is none"}`);
    for (const { name } of model.indexes) if (!indexes.includes(name)) found.push(`${model.name}: the index ${name} is missing`);
  }
  return [...new Set(found)];
}

/** In words, for a person who looks for the item. */
export function keyText(item: Item, lens: Pick<Lens, "partition" | "sort">): string {
  return [lens.partition, lens.sort].filter((name) => name !== undefined).map((name) => (item[name] ? shortText(item[name]) : "")).join(" · ");
}

// Requests about a vector index, and what its answers mean.

import { type AttributeValue, type Item, shortText } from "../../api/attribute";
import { dolmen, dynamo } from "../../api/client";
import type { TableDescription, VectorIndexDescription } from "../../charts/tables";

export interface Hit {
  item: Item;
  score: number;
}

/** The numbers of an attribute; undefined when it is not a vector of that length. */
export function vectorOf(value: AttributeValue | undefined, dimensions: number): number[] | undefined {
  if (value === undefined || !("L" in value) || value.L.length !== dimensions) return undefined;
  const numbers = value.L.map((each) => ("N" in each ? Number(each.N) : Number.NaN));
  return numbers.every(Number.isFinite) ? numbers : undefined;
}

/** A vector that somebody wrote: numbers with commas or spaces between them, with or without brackets. Fails with a sentence. */
export function parseVector(text: string, dimensions: number): number[] {
  const parts = text.replace(/^\s*\[|\]\s*$/g, " ").split(/[\s,]+/).filter((each) => each !== "");
  const numbers = parts.map(Number);
  const wrong = numbers.findIndex((each) => !Number.isFinite(each));
  if (wrong >= 0) throw new Error(`"${parts[wrong]!.slice(0, 30)}" is not a number`);
  if (numbers.length !== dimensions) throw new Error(`the index has ${dimensions} dimensions, and these are ${numbers.length} numbers`);
  return numbers;
}

export interface SearchInput {
  table: string;
  index: VectorIndexDescription;
  vector: number[];
  topK: number;
  /** Values of the HASH attribute and of filters. */
  where: Item;
}

/** The body of SearchVectors. */
export function searchRequest({ table, index, vector, topK, where }: SearchInput): Record<string, unknown> {
  const names = Object.keys(where);
  return {
    TableName: table,
    IndexName: index.IndexName,
    SearchVector: vector.map((each) => ({ N: String(each) })),
    TopK: topK,
    ...(names.length === 0 ? {} : {
      SearchConditionExpression: names.map((_, at) => `#n${at} = :v${at}`).join(" AND "),
      ExpressionAttributeNames: Object.fromEntries(names.map((name, at) => [`#n${at}`, name])),
      ExpressionAttributeValues: Object.fromEntries(names.map((name, at) => [`:v${at}`, where[name]])),
    }),
  };
}

export async function search(input: SearchInput, signal: AbortSignal): Promise<Hit[]> {
  const answer = await dynamo<{ SearchResults: { Item: Item; Score: number }[] }>("SearchVectors", searchRequest(input), { signal });
  return answer.SearchResults.map(({ Item: item, Score: score }) => ({ item, score }));
}

/** How near a hit is among the hits, 0.1 to 1, for the length of its bar. */
export function nearness(score: number, hits: readonly Hit[], distance: VectorIndexDescription["DistanceFunction"]): number {
  const scores = hits.map((hit) => hit.score);
  const low = Math.min(...scores);
  const high = Math.max(...scores);
  if (high === low) return 1;
  const part = (score - low) / (high - low);
  return distance === "DOT_PRODUCT" ? 0.1 + 0.9 * part : 1 - 0.9 * part;
}

export interface Statistics {
  Vectors: number;
  Partitions: number;
  MemoryBytes: number;
  Sample: number;
  Recall?: number;
  ByGraph?: number;
  ExactMicroseconds?: number;
  ApproximateMicroseconds?: number;
}

export function statistics(table: string, index: string, sample: number, signal?: AbortSignal): Promise<Statistics> {
  return dolmen<Statistics>("DescribeVectorIndex", { TableName: table, IndexName: index, Sample: sample }, signal ? { signal } : {});
}

export interface SampleItem {
  item: Item;
  vector: number[];
  /** By which a hit is found again. */
  id: string;
}

export function idOf(item: Item, table: Pick<TableDescription, "KeySchema">): string {
  return JSON.stringify(table.KeySchema.map(({ AttributeName }) => item[AttributeName] ?? null));
}

/** What a point is called: its key, in words. */
export function nameOf(item: Item, table: Pick<TableDescription, "KeySchema">): string {
  return table.KeySchema.map(({ AttributeName }) => (item[AttributeName] ? shortText(item[AttributeName]) : "")).join(" · ");
}

/** Items without vectors may come first; so many pages are looked at for some that have one. */
const pagesMax = 40;

/** Up to `most` items that have a vector, in the order of a scan. */
export async function loadSample(table: TableDescription, index: VectorIndexDescription, most: number, signal: AbortSignal): Promise<SampleItem[]> {
  const found: SampleItem[] = [];
  let after: Item | undefined;
  let pages = 0;
  do {
    const page: { Items: Item[]; LastEvaluatedKey?: Item } = await dynamo("Scan", { TableName: table.TableName, Limit: most, ...(after ? { ExclusiveStartKey: after } : {}) }, { signal });
    for (const item of page.Items) {
      const vector = vectorOf(item[index.VectorAttribute.AttributeName], index.Dimensions);
      if (vector !== undefined && found.length < most) found.push({ item, vector, id: idOf(item, table) });
    }
    after = page.LastEvaluatedKey;
  } while (after !== undefined && found.length < most && ++pages < pagesMax);
  return found;
}

const coloursMax = 7;

/** A colour for each of the most frequent texts; 0 for the rest. */
export function coloursFor(texts: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  const sorted = [...counts].sort(([a, x], [b, y]) => y - x || a.localeCompare(b)).map(([text]) => text);
  return new Map(sorted.slice(0, coloursMax).map((text, at) => [text, at + 1]));
}

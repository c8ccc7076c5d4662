// Where models come from: the contract that a table is bound to, or files of the person.

import { dolmen } from "../../api/client";
import { keyNames, type TableDescription } from "../../charts/descriptions";
import type { Definition } from "./drift";
import { type Model, parseDms } from "./dms";
import { guessPrefix, type Kind, type Lens, see } from "./kinds";
import type { Item } from "../../api/attribute";

export interface Contract {
  table: string;
  bound: boolean;
  version?: string;
  mode?: "off" | "warn" | "enforce";
  refused?: number;
  warned?: number;
  last?: string;
  versions: string[];
  definition?: Definition & { schemas?: string[] };
}

/** Undefined when the table is not bound. */
export async function contractOf(table: string, signal: AbortSignal): Promise<Contract | undefined> {
  const contract = await dolmen<Contract>("DescribeContract", { table }, { signal });
  if (!contract.bound || contract.version === undefined) return undefined;
  return dolmen<Contract>("DescribeContract", { table, version: contract.version }, { signal });
}

export interface DmsFile {
  name: string;
  text: string;
  models: Model[];
}

/** Fails with DmsProblem. */
export function readFile(name: string, text: string): DmsFile {
  return { name, text, models: parseDms(text, name) };
}

/** The table through the models of a contract. Kinds that are schemas are not models, and are left out. */
export function lensOfContract(contract: Contract, table: TableDescription): Lens {
  const definition = contract.definition ?? { models: [] };
  const models = definition.models.flatMap(({ file, text }) => parseDms(text, file));
  const keys = keyNames(table);
  const named = definition.kinds ?? models.map(({ name }) => ({ model: name }));
  const kinds = named.flatMap((kind): Kind[] => {
    const model = models.find(({ name }) => name === kind.model);
    if (model === undefined) return [];
    const { partition_prefix = "", sort_prefix = "", value } = kind as NonNullable<Definition["kinds"]>[number];
    const isPlain = partition_prefix === "" && sort_prefix === "" && value === undefined;
    return [{ model, partitionPrefix: partition_prefix, sortPrefix: sort_prefix, value: definition.discriminator === undefined ? undefined : isPlain ? model.name : value }];
  });
  return { kinds, discriminator: definition.discriminator, ...keys };
}

/** The table through models of files. How they are told apart is guessed from the items that fit best. */
export function lensOfFiles(files: readonly DmsFile[], table: TableDescription, items: readonly Item[]): Lens {
  const all = files.flatMap(({ models }) => models);
  const own = all.filter((model) => model.table === table.TableName);
  const keys = keyNames(table);
  const plain: Lens = { kinds: (own.length > 0 ? own : all).map((model) => ({ model, partitionPrefix: "", sortPrefix: "", value: undefined })), discriminator: undefined, ...keys };
  if (plain.kinds.length < 2) return plain;
  const seen = items.map((item) => see(plain, item)).filter(({ violations }) => violations.length === 0);
  const prefixes = plain.kinds.map(({ model }) => {
    const fit = seen.filter(({ kind }) => kind?.model === model).map(({ item }) => item);
    return { partition: guessPrefix(fit.map((item) => item[keys.partition])), sort: keys.sort === undefined ? "" : guessPrefix(fit.map((item) => item[keys.sort!])) };
  });
  const differ = (part: "partition" | "sort") => prefixes.every((each) => each[part] !== "") && new Set(prefixes.map((each) => each[part])).size === prefixes.length;
  const part = keys.sort !== undefined && differ("sort") ? "sort" : differ("partition") ? "partition" : undefined;
  if (part === undefined) return plain;
  return { ...plain, kinds: plain.kinds.map((kind, at) => (part === "sort" ? { ...kind, sortPrefix: prefixes[at]!.sort } : { ...kind, partitionPrefix: prefixes[at]!.partition })) };
}

/** What the server is told to check; undefined when nothing tells the kinds apart, which it would refuse. */
export function definitionOf(lens: Lens, files: readonly { name: string; text: string }[]): Definition | undefined {
  if (lens.kinds.length > 1 && lens.kinds.some(({ partitionPrefix, sortPrefix, value }) => partitionPrefix === "" && sortPrefix === "" && value === undefined)) return undefined;
  return {
    models: files.map(({ name, text }) => ({ file: name, text })),
    ...(lens.discriminator === undefined ? {} : { discriminator: lens.discriminator }),
    kinds: lens.kinds.map(({ model, partitionPrefix, sortPrefix, value }) => ({ model: model.name, ...(partitionPrefix === "" ? {} : { partition_prefix: partitionPrefix }), ...(sortPrefix === "" ? {} : { sort_prefix: sortPrefix }), ...(value === undefined ? {} : { value }) })),
  };
}

// Choosing a table, and what a page says when the server cannot do something.

import { useEffect } from "preact/hooks";
import { dynamo } from "../api/client";
import { ApiError } from "../api/errors";
import { listTables } from "../pages/tables/tables";
import { go, replace, route } from "../state/router";
import { Select } from "../ui/controls";
import { ErrorNotice, Empty, Loading, Notice } from "../ui/notice";
import { useResource } from "../ui/resource";
import type { IconName } from "../ui/icon";
import { keyNames, type TableDescription } from "./descriptions";
import { isMissing } from "./missing";

export * from "./descriptions";

export async function describe(table: string, signal?: AbortSignal): Promise<TableDescription> {
  return (await dynamo<{ Table: TableDescription }>("DescribeTable", { TableName: table }, signal ? { signal } : {})).Table;
}

/** Descriptions of all tables; a table that goes meanwhile is left out. */
export async function describeAll(signal?: AbortSignal): Promise<TableDescription[]> {
  const names = await listTables(signal);
  const found = await Promise.all(names.map((name) => describe(name, signal).catch((error: unknown) => {
    if (error instanceof ApiError && error.type === "ResourceNotFoundException") return undefined;
    throw error;
  })));
  return found.filter((each) => each !== undefined);
}

/** "Not available on this server", or the error. */
export function NotAvailable({ what, error, how }: { what: string; error: unknown; how?: string }) {
  if (!isMissing(error)) return <ErrorNotice error={error} />;
  return <Notice>{what} is not available on this server.{how !== undefined && ` ${how}`}</Notice>;
}

export interface TablePageProps {
  page: string;
  title: string;
  /** Which tables belong on the page. */
  wanted: (table: TableDescription) => boolean;
  /** Narrows them down further by what is in them. */
  sift?: (tables: TableDescription[], signal: AbortSignal) => Promise<TableDescription[]>;
  /** The one to begin with, if it is there. */
  preferred?: readonly string[];
  /** The same, for what the server has to be asked for. */
  prefer?: (signal: AbortSignal) => Promise<readonly string[]>;
  icon: IconName;
  /** What is said when there is no such table. */
  none: string;
  noneHelp: string;
  view: (table: TableDescription, all: TableDescription[]) => preact.JSX.Element;
}

/** Loads the tables, lets the person choose one, and keeps the choice in the address: #/PAGE/TABLE. */
export function TablePage({ page, title, wanted, sift, preferred = [], prefer, icon, none, noneHelp, view }: TablePageProps) {
  const loaded = useResource(async (signal) => {
    const all = await describeAll(signal);
    const fit = all.filter(wanted);
    return { all, fit: sift ? await sift(fit, signal) : fit, preferred: route.value.parts[1] === undefined && prefer ? await prefer(signal) : preferred };
  }, []);
  const chosen = route.value.parts[1];
  const fit = loaded.data?.fit ?? [];
  const tables = { ...loaded, data: loaded.data?.all };
  const first = loaded.data?.preferred.find((name) => fit.some((each) => each.TableName === name)) ?? fit[0]?.TableName;
  const table = tables.data?.find((each) => each.TableName === chosen);
  useEffect(() => {
    if (chosen === undefined && first !== undefined) replace([page, first], Object.fromEntries(route.value.query));
  }, [chosen, first]);
  if (table !== undefined) return view(table, fit.some((each) => each.TableName === table.TableName) ? fit : [table, ...fit]);
  const instead = () => {
    if (tables.data === undefined) return tables.error ? <ErrorNotice error={tables.error} onRetry={tables.reload} /> : <Loading what="the tables" />;
    if (chosen !== undefined) return <ErrorNotice error={new Error(`There is no table ${chosen}.`)} onRetry={tables.reload} />;
    return fit.length > 0 ? <Loading /> : <Empty icon={icon} title={none}>{noneHelp}</Empty>;
  };
  return <div class="page"><div class="page-head"><h1>{title}</h1></div>{instead()}</div>;
}

export function TableSelect({ page, table, all }: { page: string; table: TableDescription; all: TableDescription[] }) {
  return <Select label="Table" hideLabel value={table.TableName} choices={all.map((each) => each.TableName)} onChange={(name) => go([page, name])} />;
}

/** Those that have an item with this key, of texts. */
export async function withItem(tables: TableDescription[], partition: string, sort: string, signal: AbortSignal): Promise<TableDescription[]> {
  const isText = (table: TableDescription, name: string | undefined) => table.AttributeDefinitions.find(({ AttributeName }) => AttributeName === name)?.AttributeType === "S";
  const found = await Promise.all(tables.map(async (table) => {
    const keys = keyNames(table);
    if (table.TableStatus !== "ACTIVE" || keys.sort === undefined || !isText(table, keys.partition) || !isText(table, keys.sort)) return false;
    const { Item } = await dynamo<{ Item?: unknown }>("GetItem", { TableName: table.TableName, Key: { [keys.partition]: { S: partition }, [keys.sort]: { S: sort } } }, { signal });
    return Item !== undefined;
  }));
  return tables.filter((_, at) => found[at]);
}

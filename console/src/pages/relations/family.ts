// The resources of a table as far as they were looked at.

import type { Item } from "../../api/attribute";
import { shortText } from "../../api/attribute";
import { dolmen } from "../../api/client";

export interface Resource {
  urn: string;
  type: string;
  id: string;
  schema_version: number;
  created_at: string;
  updated_at: string;
  account?: string;
  parent?: string;
  attributes: Item;
}

export interface Node {
  resource: Resource;
  /** Undefined until somebody looks. */
  children: string[] | undefined;
  /** Where more children are. */
  token: string | undefined;
  open: boolean;
}

export interface Family {
  nodes: Map<string, Node>;
  roots: string[];
  /** Where more roots are. */
  token: string | undefined;
}

export const emptyFamily: Family = { nodes: new Map(), roots: [], token: undefined };
const pageSize = 50;
/** Roots may be rare; a person asks for more of them. */
const pagesMax = 20;

/** What people call it: a name or title if it has one, else the id. */
export function nameOf(resource: Resource): string {
  for (const name of ["name", "title", "label", "email"]) {
    const value = resource.attributes[name];
    if (value && "S" in value && value.S !== "") return shortText(value);
  }
  return resource.id;
}

/** A colour for each type, in the order in which types were met. */
export function typeColours(family: Family): Map<string, number> {
  const types = [...new Set([...family.nodes.values()].map(({ resource }) => resource.type))].sort();
  return new Map(types.map((type, at) => [type, (at % 8) + 1]));
}

function withNodes(family: Family, resources: Resource[]): Map<string, Node> {
  const nodes = new Map(family.nodes);
  for (const resource of resources) nodes.set(resource.urn, { ...(nodes.get(resource.urn) ?? { children: undefined, token: undefined, open: false }), resource });
  return nodes;
}

interface Page {
  resources: Resource[];
  token?: string;
}

/** The next roots. Pages may be empty and not be the last, so it reads on until there is something to see. */
export async function moreRoots(table: string, family: Family, signal: AbortSignal): Promise<Family> {
  let token = family.token;
  const found: Resource[] = [];
  let pages = 0;
  do {
    const page: Page = await dolmen("ListResources", { table, roots: true, limit: pageSize, ...(token === undefined ? {} : { token }) }, { signal });
    found.push(...page.resources);
    token = page.token;
  } while (token !== undefined && found.length < pageSize / 2 && ++pages < pagesMax);
  return { nodes: withNodes(family, found), roots: [...new Set([...family.roots, ...found.map(({ urn }) => urn)])], token };
}

/** Opens a node, and reads its children, or more of them. */
export async function moreChildren(table: string, family: Family, urn: string, signal: AbortSignal): Promise<Family> {
  const node = family.nodes.get(urn);
  if (node === undefined) return family;
  const page: Page = await dolmen("ListChildren", { table, urn, resources: true, limit: pageSize, ...(node.token === undefined ? {} : { token: node.token }) }, { signal });
  const nodes = withNodes(family, page.resources);
  const known = node.token === undefined ? [] : (node.children ?? []);
  nodes.set(urn, { ...node, open: true, children: [...new Set([...known, ...page.resources.map((each) => each.urn)])], token: page.token });
  return { ...family, nodes };
}

/** Reads a resource with all above it, so that it can be shown in its place. */
export async function reveal(table: string, family: Family, urn: string, signal: AbortSignal): Promise<Family> {
  const { urns } = await dolmen<{ urns: string[] }>("ListAncestors", { table, urn }, { signal });
  const way = [...urns.filter((each) => each !== urn), urn];
  const { resources } = await dolmen<{ resources: (Resource | null)[] }>("GetResources", { table, urns: way }, { signal });
  const found = resources.filter((each) => each !== null);
  if (!found.some((each) => each.urn === urn)) throw new Error(`There is no resource ${urn}.`);
  let next: Family = { ...family, nodes: withNodes(family, found), roots: [...new Set([...family.roots, way[0]!])] };
  for (const [at, each] of way.slice(0, -1).entries()) {
    const node = next.nodes.get(each)!;
    if (node.children === undefined) next = await moreChildren(table, next, each, signal);
    const opened = next.nodes.get(each)!;
    const children = opened.children ?? [];
    const nodes = new Map(next.nodes);
    nodes.set(each, { ...opened, open: true, children: children.includes(way[at + 1]!) ? children : [...children, way[at + 1]!] });
    next = { ...next, nodes };
  }
  return next;
}

/** The nodes in view, from top to bottom. */
export function visible(family: Family): { urn: string; depth: number }[] {
  const rows: { urn: string; depth: number }[] = [];
  const seen = new Set<string>();
  const walk = (urn: string, depth: number) => {
    const node = family.nodes.get(urn);
    if (node === undefined || seen.has(urn)) return;
    seen.add(urn);
    rows.push({ urn, depth });
    if (node.open) for (const child of node.children ?? []) walk(child, depth + 1);
  };
  for (const root of family.roots) walk(root, 0);
  return rows;
}

export interface Membership {
  collection: string;
  member: string;
  conveys_authorization: boolean;
}

export interface Links {
  members: Membership[];
  collections: Membership[];
  reach: string[];
}

/** What else a resource is connected with: its members, its collections, and from where grants reach it. */
export async function linksOf(table: string, urn: string, signal: AbortSignal): Promise<Links> {
  const [members, collections, path] = await Promise.all([
    dolmen<{ memberships: Membership[] }>("ListMembers", { table, urn, limit: 100 }, { signal }),
    dolmen<{ memberships: Membership[] }>("ListCollections", { table, urn, limit: 100 }, { signal }),
    dolmen<{ urns: string[] }>("ListAuthorizationPath", { table, urn }, { signal }),
  ]);
  return { members: members.memberships, collections: collections.memberships, reach: path.urns };
}

export interface DeletePlan {
  deleted: { resources: number; edges: number; memberships: number; unique_values: number };
  references?: { children: number; of_account: number };
  /** The resources, as far as they were read. */
  urns: string[];
  isWhole: boolean;
}

const planMax = 1000;

/** What a cascade would take, and which resources those are. */
export async function planDelete(table: string, urn: string, signal: AbortSignal): Promise<DeletePlan> {
  const counted = await dolmen<Omit<DeletePlan, "urns" | "isWhole">>("DeleteResource", { table, urn, dry_run: true }, { signal });
  const urns = new Set<string>([urn]);
  let token: string | undefined;
  do {
    const page: { descendants: { urn: string }[]; token?: string } = await dolmen("ListDescendants", { table, urn, limit: 500, ...(token === undefined ? {} : { token }) }, { signal });
    for (const each of page.descendants) urns.add(each.urn);
    token = page.token;
  } while (token !== undefined && urns.size < planMax);
  // What only names an account as its own goes with the account.
  if ((counted.references?.of_account ?? 0) > 0) {
    let more: string | undefined;
    do {
      const page: Page = await dolmen("ListResources", { table, account: urn, limit: 500, ...(more === undefined ? {} : { token: more }) }, { signal });
      for (const each of page.resources) urns.add(each.urn);
      more = page.token;
    } while (more !== undefined && urns.size < planMax);
  }
  return { ...counted, urns: [...urns], isWhole: urns.size >= counted.deleted.resources };
}

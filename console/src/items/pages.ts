// The rows of a read that may have millions of them: pages are fetched as somebody looks at them, kept while they are near, and
// fetched again when somebody comes back. Pages that are only passed are counted, not fetched.

import { signal } from "@preact/signals";
import type { Item } from "../api/attribute";

export interface FetchedPage {
  /** Absent when only the count was wanted. */
  items?: Item[];
  count: number;
  /** Where the next page begins; undefined at the end. */
  next: unknown;
}

/** Reads up to `limit` rows from `start`, undefined being the beginning. */
export type FetchPage = (start: unknown, limit: number, countOnly: boolean, signal: AbortSignal) => Promise<FetchedPage>;

interface PageOfItems {
  start: unknown;
  count: number;
  items: Item[] | undefined;
  usedAt: number;
}

export interface ItemPagesOptions {
  fetch: FetchPage;
  /** How many rows there probably are; 0 when nobody knows. */
  estimate?: number;
  rowsPerPage?: number;
  /** Rows whose items are kept, beside those that somebody looks at. */
  rowsKeptMax?: number;
}

const rowsPerPageDefault = 500;
const rowsKeptDefault = 20_000;
/** Pages that are counted with one request on a long way. */
const passedPages = 10;

export class ItemPages {
  /** Changes whenever there is something new to draw. */
  readonly version = signal(0);
  error: unknown = undefined;
  loading = false;
  /** Names of attributes in the order in which they were seen. */
  readonly attributes = new Set<string>();

  private pages: PageOfItems[] = [];
  private offsets: number[] = []; // The first row of each page.
  private known = 0;
  private next: unknown = undefined;
  private complete = false;
  private wanted = { first: 0, end: 1 };
  private uses = 0;
  private estimate: number;
  private readonly abort = new AbortController();

  constructor(private readonly options: ItemPagesOptions) {
    this.estimate = options.estimate ?? 0;
  }

  /** All rows have been counted. */
  get isComplete(): boolean {
    return this.complete;
  }

  /** Rows that are known to exist. */
  get knownRows(): number {
    return this.known;
  }

  /** Rows to reserve room for. */
  get rowCount(): number {
    if (this.complete) return this.known;
    return Math.max(this.known + 1, this.estimate);
  }

  rowAt(index: number): Item | undefined {
    const at = this.pageOf(index);
    return at === undefined ? undefined : this.pages[at]!.items?.[index - this.offsets[at]!];
  }

  /** Loaded rows with their places. */
  *loadedRows(): Generator<[number, Item]> {
    for (const [at, page] of this.pages.entries()) for (const [within, item] of (page.items ?? []).entries()) yield [this.offsets[at]! + within, item];
  }

  /** Says which rows somebody looks at. */
  look(first: number, end: number): void {
    this.wanted = { first, end };
    for (const page of this.pagesBetween(first, end)) page.usedAt = ++this.uses;
    void this.work();
  }

  /** Says anew how many rows there probably are. */
  expect(estimate: number): void {
    if (this.estimate === estimate) return;
    this.estimate = estimate;
    this.version.value++;
  }

  /** Tries again after an error. */
  retry(): void {
    this.error = undefined;
    void this.work();
  }

  close(): void {
    this.abort.abort();
  }

  /** Replaces or removes rows that are loaded; `change` returns the row itself, another one, or undefined. */
  change(change: (item: Item) => Item | undefined): void {
    for (const page of this.pages) {
      if (page.items === undefined) continue;
      page.items = page.items.map(change).filter((item) => item !== undefined);
      page.count = page.items.length;
    }
    this.measure();
    this.version.value++;
  }

  private measure(): void {
    this.offsets = [];
    this.known = 0;
    for (const page of this.pages) {
      this.offsets.push(this.known);
      this.known += page.count;
    }
  }

  /** The number of the page that has a row. */
  private pageOf(row: number): number | undefined {
    if (row >= this.known) return undefined;
    let low = 0;
    let high = this.offsets.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.offsets[middle]! <= row) low = middle;
      else high = middle - 1;
    }
    // Empty pages share their offset with the one before or after them.
    while (this.pages[low]!.count === 0 && low > 0) --low;
    return low;
  }

  private pagesBetween(first: number, end: number): PageOfItems[] {
    return this.pages.filter((page, at) => this.offsets[at]! < end && this.offsets[at]! + page.count > first);
  }

  /** One request at a time, until everything that somebody looks at is there. */
  private async work(): Promise<void> {
    if (this.loading || this.error !== undefined) return;
    this.loading = true;
    this.version.value++;
    try {
      for (let step = this.nextStep(); step !== undefined; step = this.nextStep()) await step();
    } catch (failure) {
      if (!this.abort.signal.aborted) this.error = failure;
    } finally {
      this.loading = false;
      this.version.value++;
    }
  }

  private nextStep(): (() => Promise<void>) | undefined {
    if (this.abort.signal.aborted) return undefined;
    const missing = this.pagesBetween(this.wanted.first, this.wanted.end).find((page) => page.items === undefined);
    if (missing !== undefined) return () => this.fill(missing);
    if (this.wanted.end > this.known && !this.complete) return () => this.extend();
    return undefined;
  }

  private async fill(page: PageOfItems): Promise<void> {
    const fetched = await this.options.fetch(page.start, page.count, false, this.abort.signal);
    page.items = fetched.items ?? [];
    page.count = page.items.length;
    page.usedAt = ++this.uses;
    this.see(page.items);
    this.measure();
    this.forget();
    this.version.value++;
  }

  private async extend(): Promise<void> {
    const rows = this.options.rowsPerPage ?? rowsPerPageDefault;
    const ahead = this.wanted.first - this.known;
    // A page that ends before what somebody looks at is not worth fetching, and where the way is long, steps are too.
    const passed = ahead >= rows;
    const limit = ahead >= rows * passedPages ? rows * passedPages : rows;
    const start = this.next;
    const fetched = await this.options.fetch(start, limit, passed, this.abort.signal);
    this.pages.push({ start, count: fetched.count, items: fetched.items, usedAt: ++this.uses });
    if (fetched.items) this.see(fetched.items);
    this.next = fetched.next;
    if (fetched.next === undefined) this.complete = true;
    this.measure();
    this.forget();
    this.version.value++;
  }

  private see(items: Item[]): void {
    for (const item of items) for (const name of Object.keys(item)) this.attributes.add(name);
  }

  /** Keeps the pages that were used last. */
  private forget(): void {
    const full = this.pages.filter((page) => page.items !== undefined).sort((a, b) => b.usedAt - a.usedAt);
    const inView = new Set(this.pagesBetween(this.wanted.first, this.wanted.end));
    let left = this.options.rowsKeptMax ?? rowsKeptDefault;
    for (const page of full) {
      left -= page.count;
      if (left < 0 && !inView.has(page)) page.items = undefined;
    }
  }
}

// The shards of an entity: how many there are since when, and the hash keys that they have.

export interface Bump {
  timestamp: number;
  charBits: number;
  chars: number;
}

export interface EntityConfig {
  hashKey: string;
  rangeKey: string;
  shardKeyDelimiter: string;
  throttle: number;
  entities: Record<string, { timestampProperty: string; uniqueProperty: string; shardBumps: Bump[]; defaultLimit: number; defaultPageSize: number }>;
  indexes: Record<string, { hashKey: string; rangeKey: string; projections?: string[] }>;
  generatedProperties: { sharded: Record<string, string[]>; unsharded: Record<string, string[]> };
}

export const shardCount = ({ charBits, chars }: Bump): number => 2 ** (charBits * chars);

/** The hash keys of one bump, in order. */
export function hashKeys(entity: string, delimiter: string, bump: Bump): string[] {
  if (bump.chars === 0) return [entity + delimiter];
  const radix = 2 ** bump.charBits;
  return Array.from({ length: shardCount(bump) }, (_, at) => entity + delimiter + at.toString(radix).padStart(bump.chars, "0"));
}

/** The bumps whose shards may hold what was made from `from` to `to`. */
export function bumpsBetween(bumps: readonly Bump[], from: number | undefined, to: number | undefined): Bump[] {
  const sorted = [...bumps].sort((a, b) => a.timestamp - b.timestamp);
  return sorted.filter((bump, at) => {
    const end = sorted[at + 1]?.timestamp ?? Number.POSITIVE_INFINITY;
    return bump.timestamp <= (to ?? Number.POSITIVE_INFINITY) && end > (from ?? Number.NEGATIVE_INFINITY);
  });
}

/** Which bump a hash key belongs to: the one with as many characters. Undefined for a key of another kind. */
export function bumpOf(entity: string, delimiter: string, bumps: readonly Bump[], key: string): Bump | undefined {
  if (!key.startsWith(entity + delimiter)) return undefined;
  const shard = key.slice(entity.length + delimiter.length);
  return bumps.find((bump) => bump.chars === shard.length && (shard === "" || Number.parseInt(shard, 2 ** bump.charBits).toString(2 ** bump.charBits).padStart(bump.chars, "0") === shard));
}

export interface Evenness {
  shards: number;
  items: number;
  empty: number;
  most: number;
  /** The fullest shard, as a multiple of the mean. */
  skew: number;
}

export function evenness(counts: readonly number[]): Evenness {
  const items = counts.reduce((sum, each) => sum + each, 0);
  const most = Math.max(0, ...counts);
  return { shards: counts.length, items, empty: counts.filter((each) => each === 0).length, most, skew: items === 0 ? 0 : most / (items / counts.length) };
}

/** 0 for nothing, then 1 to 5 by the share of the fullest, so that few items can be told from none. */
export function heat(count: number, most: number): number {
  if (count === 0 || most === 0) return 0;
  return Math.max(1, Math.ceil((count / most) * 5));
}

export interface Segment {
  bump: Bump;
  /** 0 to 1 along the line. */
  from: number;
  to: number;
  isNow: boolean;
}

/** Where the bumps lie on a line that ends a little after now, or after the last bump. The first has no beginning. */
export function timeline(bumps: readonly Bump[], now: number): { segments: Segment[]; begin: number; end: number; now: number } {
  const sorted = [...bumps].sort((a, b) => a.timestamp - b.timestamp);
  const dated = sorted.map(({ timestamp }) => timestamp).filter((time) => time > 0);
  const latest = Math.max(now, ...dated);
  const earliest = dated[0] ?? now - 365 * 86_400_000;
  const span = Math.max(86_400_000, latest - Math.min(earliest, now));
  const begin = Math.min(earliest, now) - span * 0.15;
  const end = latest + span * 0.1;
  const place = (time: number) => Math.max(0, Math.min(1, (time - begin) / (end - begin)));
  const segments = sorted.map((bump, at) => {
    const next = sorted[at + 1]?.timestamp ?? Number.POSITIVE_INFINITY;
    return { bump, from: bump.timestamp <= 0 ? 0 : place(bump.timestamp), to: next === Number.POSITIVE_INFINITY ? 1 : place(next), isNow: bump.timestamp <= now && now < next };
  });
  return { segments, begin, end, now: place(now) };
}

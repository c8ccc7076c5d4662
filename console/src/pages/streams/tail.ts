// Following all shards of a stream.

import { streams } from "../../api/client";
import type { StreamRecord } from "./changes";

export type Start = "LATEST" | "TRIM_HORIZON";

interface Shard {
  ShardId: string;
}

/** Reads on from where it was. One call at a time. */
export class Tail {
  #iterators = new Map<string, string>();
  #known = new Set<string>();
  shards = 0;

  constructor(readonly arn: string, readonly start: Start) {}

  async #find(signal: AbortSignal): Promise<void> {
    let after: string | undefined;
    do {
      const page: { StreamDescription: { Shards: Shard[]; LastEvaluatedShardId?: string } } =
        await streams("DescribeStream", { StreamArn: this.arn, ...(after === undefined ? {} : { ExclusiveStartShardId: after }) }, { signal });
      for (const { ShardId } of page.StreamDescription.Shards) {
        if (this.#known.has(ShardId)) continue;
        const { ShardIterator } = await streams<{ ShardIterator: string }>("GetShardIterator", { StreamArn: this.arn, ShardId, ShardIteratorType: this.start }, { signal });
        this.#iterators.set(ShardId, ShardIterator);
        this.#known.add(ShardId);
      }
      after = page.StreamDescription.LastEvaluatedShardId;
    } while (after !== undefined);
    this.shards = this.#known.size;
  }

  /** What has come since the last call, oldest first within each shard. */
  async read(signal: AbortSignal): Promise<StreamRecord[]> {
    if (this.#known.size === 0) await this.#find(signal);
    const pages = await Promise.all([...this.#iterators].map(async ([shard, iterator]) => {
      const page = await streams<{ Records: StreamRecord[]; NextShardIterator?: string }>("GetRecords", { ShardIterator: iterator, Limit: 200 }, { signal });
      if (page.NextShardIterator === undefined) this.#iterators.delete(shard);
      else this.#iterators.set(shard, page.NextShardIterator);
      return page.Records;
    }));
    return pages.flat();
  }

  /** No shard will have any more: the stream was switched off. */
  get hasEnded(): boolean {
    return this.#known.size > 0 && this.#iterators.size === 0;
  }
}

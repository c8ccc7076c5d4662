// A page of entities, asked from all shards as a client does it: so many at a time, until there are enough.

export interface Lane<Token> {
  key: string;
  state: "waiting" | "asking" | "answered" | "ended" | "failed";
  items: number;
  calls: number;
  milliseconds: number;
  /** Where the shard stands; undefined at its beginning and at its end. */
  next: Token | undefined;
}

export interface FanOut<Token> {
  lanes: Lane<Token>[];
  items: number;
  calls: number;
  milliseconds: number;
}

export interface FanOutOptions<Token> {
  limit: number;
  throttle: number;
  ask: (key: string, next: Token | undefined, signal: AbortSignal) => Promise<{ items: number; next: Token | undefined }>;
  onChange: (now: FanOut<Token>) => void;
  signal: AbortSignal;
  clock: () => number;
}

export function fresh<Token>(keys: readonly string[]): FanOut<Token> {
  return { lanes: keys.map((key) => ({ key, state: "waiting", items: 0, calls: 0, milliseconds: 0, next: undefined })), items: 0, calls: 0, milliseconds: 0 };
}

/** The next page: every shard that is not at its end is asked once, unless there are `limit` items before its turn comes. */
export async function nextPage<Token>(before: FanOut<Token>, options: FanOutOptions<Token>): Promise<FanOut<Token>> {
  const started = options.clock();
  const lanes = before.lanes.map((lane) => (lane.state === "ended" ? { ...lane, items: 0 } : { ...lane, state: "waiting" as Lane<Token>["state"], items: 0 }));
  let items = 0;
  let calls = 0;
  const now = (): FanOut<Token> => ({ lanes: lanes.map((lane) => ({ ...lane })), items, calls, milliseconds: options.clock() - started });
  const queue = lanes.filter(({ state }) => state === "waiting");
  const failures: unknown[] = [];
  const worker = async () => {
    for (let lane = queue.shift(); lane !== undefined && items < options.limit && failures.length === 0 && !options.signal.aborted; lane = queue.shift()) {
      lane.state = "asking";
      const asked = options.clock();
      options.onChange(now());
      try {
        const page = await options.ask(lane.key, lane.next, options.signal);
        items += page.items;
        lane.items = page.items;
        lane.next = page.next;
        lane.state = page.next === undefined ? "ended" : "answered";
      } catch (error) {
        lane.state = "failed";
        failures.push(error);
      }
      ++calls;
      ++lane.calls;
      lane.milliseconds = options.clock() - asked;
      options.onChange(now());
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, options.throttle) }, worker));
  if (failures.length > 0 && !options.signal.aborted) throw failures[0];
  const done = now();
  options.onChange(done);
  return done;
}

export const hasEnded = <Token>({ lanes }: FanOut<Token>): boolean => lanes.every(({ state }) => state === "ended");

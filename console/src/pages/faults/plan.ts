// Faults as a header of a request, as a file of rules for a server, and as answers report them (docs/testing.md).

export interface FaultKind {
  name: string;
  what: string;
  /** A number of its own, and what it is called in headers and in files. */
  setting?: { header: string; rule: string; label: string; first: number };
}

export const faultKinds: readonly FaultKind[] = [
  { name: "throttle", what: "ProvisionedThroughputExceededException; transactions are canceled" },
  { name: "internal-error", what: "InternalServerError (500), without an effect" },
  { name: "latency", what: "the request begins later", setting: { header: "latency-ms", rule: "milliseconds", label: "milliseconds", first: 100 } },
  { name: "conflict", what: "TransactionConflictException; writes and transactions" },
  { name: "in-progress", what: "TransactionInProgressException; transactions with a client token" },
  { name: "unprocessed", what: "parts of a batch come back undone" },
  { name: "index-lag", what: "the latest writes are not in an index yet", setting: { header: "lag-writes", rule: "writes", label: "writes", first: 1 } },
  { name: "stream-lag", what: "a stream has no new records yet" },
  { name: "cut-before", what: "the connection closes before anything has happened" },
  { name: "cut-after", what: "the operation is carried out, then the connection closes" },
];

export interface Switch {
  on: boolean;
  /** Percent. */
  percent: number;
  setting: number;
}

export type Switches = Record<string, Switch>;

export function allOff(): Switches {
  return Object.fromEntries(faultKinds.map(({ name, setting }) => [name, { on: false, percent: 100, setting: setting?.first ?? 0 }]));
}

const probability = (percent: number) => Number((Math.max(0, Math.min(100, percent)) / 100).toFixed(4));

/** The value of `x-dolmen-fault`; empty when nothing is switched on. */
export function headerOf(switches: Switches, seed: number | undefined, number?: number): string {
  const parts: string[] = [];
  for (const { name, setting } of faultKinds) {
    const each = switches[name];
    if (!each?.on) continue;
    parts.push(each.percent >= 100 ? name : `${name}=${probability(each.percent)}`);
    if (setting && each.setting !== setting.first) parts.push(`${setting.header}=${each.setting}`);
  }
  if (parts.length === 0) return "";
  return [...(seed === undefined ? [] : [`seed=${seed}`]), ...(number === undefined ? [] : [`number=${number}`]), ...parts].join(", ");
}

export interface Rule {
  fault: string;
  probability?: number;
  milliseconds?: number;
  writes?: number;
  operations?: string[];
  tables?: string[];
  skip?: number;
  times?: number;
}

export function rulesOf(switches: Switches): Rule[] {
  return faultKinds.flatMap(({ name, setting }): Rule[] => {
    const each = switches[name];
    if (!each?.on) return [];
    return [{ fault: name, ...(each.percent >= 100 ? {} : { probability: probability(each.percent) }), ...(setting ? { [setting.rule]: each.setting } : {}) }];
  });
}

/** A file for `dolmen serve --faults`. */
export function fileOf(switches: Switches, seed: number): string {
  const rules = rulesOf(switches);
  if (rules.length === 0) return "";
  return [`seed: ${seed}`, "rules:", ...rules.flatMap((rule) => Object.entries(rule).map(([name, value], at) => `${at === 0 ? "  - " : "    "}${name}: ${value}`))].join("\n") + "\n";
}

export interface Reported {
  seed: string | undefined;
  number: string | undefined;
  /** What happened; empty when nothing did. */
  faults: string[];
}

/** What the answer's header says: `seed=42, number=17, throttle`. */
export function parseReport(text: string | null): Reported {
  const parts = (text ?? "").split(",").map((each) => each.trim()).filter((each) => each !== "");
  const of = (name: string) => parts.find((each) => each.startsWith(`${name}=`))?.slice(name.length + 1);
  return { seed: of("seed"), number: of("number"), faults: parts.filter((each) => !each.startsWith("seed=") && !each.startsWith("number=") && each !== "none") };
}

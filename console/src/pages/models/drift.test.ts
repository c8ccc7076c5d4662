import { expect, it } from "vitest";
import { add, noDrift } from "./drift";

it("counts broken rules by kind, path and rule", () => {
  const finding = (kind: string | undefined, path: string) => ({ key: {}, kind, violations: [{ path, rule: "type", message: "" }] });
  const drift = add(add(noDrift("browser"), 3, [finding("A", "x"), finding("A", "x")]), 2, [finding(undefined, "pk")]);
  expect(drift).toMatchObject({ checked: 5, violating: 3 });
  expect([...drift.counts.values()]).toEqual([{ kind: "A", path: "x", rule: "type", items: 2 }, { kind: "no kind", path: "pk", rule: "type", items: 1 }]);
});

it("keeps the first findings only", () => {
  const many = Array.from({ length: 300 }, () => ({ key: {}, kind: "A", violations: [] }));
  expect(add(noDrift("browser"), 300, many)).toMatchObject({ violating: 300, findings: { length: 200 } });
});

import { describe, expect, it } from "vitest";
import { bucketsBetween, growth, parseExposition, quantile, total, totalsBy } from "./exposition";

const text = `# HELP dolmen_requests_total Requests
# TYPE dolmen_requests_total counter
dolmen_requests_total{operation="PutItem",table="a",code="200"} 3
dolmen_requests_total{operation="PutItem",table="b",code="400"} 2
dolmen_requests_total{operation="Query",table="say \\"hi\\" \\\\ {x}",code="200"} 5
dolmen_tables 7
this is no line
dolmen_nan NaN
h_bucket{le="1"} 2
h_bucket{le="2"} 6
h_bucket{le="+Inf"} 8
`;
const all = parseExposition(text);

describe("parseExposition", () => {
  it("reads values and labels, with escapes and braces", () => {
    expect(total(all, "dolmen_tables")).toBe(7);
    expect(all.get("dolmen_requests_total")?.[2]?.labels["table"]).toBe('say "hi" \\ {x}');
  });
  it("leaves out what it cannot read", () => {
    expect([...all.keys()]).toEqual(["dolmen_requests_total", "dolmen_tables", "h_bucket"]);
  });
  it("takes no label for a member of Object", () => {
    expect(parseExposition('x{__proto__="a"} 1').get("x")?.[0]?.labels["toString"]).toBeUndefined();
  });
});

describe("sums", () => {
  it("of all, of some, and by a label", () => {
    expect(total(all, "dolmen_requests_total")).toBe(10);
    expect(total(all, "dolmen_requests_total", { code: "200" })).toBe(8);
    expect(total(all, "nothing")).toBeUndefined();
    expect([...totalsBy(all, "dolmen_requests_total", "operation")]).toEqual([["PutItem", 5], ["Query", 5]]);
  });
  it("know a restart", () => {
    expect(growth(5, 8)).toBe(3);
    expect(growth(5, 2)).toBe(2);
    expect(growth(undefined, 4)).toBe(4);
  });
});

describe("histograms", () => {
  it("are what has come between two readings", () => {
    const later = parseExposition('h_bucket{le="1"} 2\nh_bucket{le="2"} 10\nh_bucket{le="+Inf"} 12\n');
    expect(bucketsBetween(all, later, "h").map(({ count }) => count)).toEqual([0, 4, 0]);
    expect(bucketsBetween(undefined, all, "h").map(({ count }) => count)).toEqual([2, 4, 2]);
    expect(bucketsBetween(later, all, "h").map(({ count }) => count)).toEqual([2, 4, 2]);
  });
  it("give quantiles inside their bucket, and the last edge beyond it", () => {
    const buckets = bucketsBetween(undefined, all, "h");
    expect(quantile(buckets, 0.5)).toBe(1.5);
    expect(quantile(buckets, 0.99)).toBe(2);
    expect(quantile([], 0.5)).toBeUndefined();
  });
});

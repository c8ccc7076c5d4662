import { describe, expect, it } from "vitest";
import { type Family, nameOf, type Node, type Resource, typeColours, visible } from "./family";

function resource(urn: string, attributes: Resource["attributes"] = {}): Resource {
  return { urn, type: urn.split(":")[2] ?? "", id: urn.split("::")[1] ?? "", schema_version: 1, created_at: "", updated_at: "", attributes };
}
const node = (urn: string, more: Partial<Node> = {}): [string, Node] => [urn, { resource: resource(urn), children: undefined, token: undefined, open: false, ...more }];

describe("visible", () => {
  const family: Family = {
    nodes: new Map([node("urn:pp:A::1", { open: true, children: ["urn:pp:B::1", "urn:pp:B::2"] }), node("urn:pp:B::1", { children: ["urn:pp:C::1"] }), node("urn:pp:B::2", { open: true, children: ["urn:pp:A::1"] }), node("urn:pp:C::1")]),
    roots: ["urn:pp:A::1", "urn:pp:gone::1"],
    token: undefined,
  };
  it("shows what is open, and ends in a circle", () => {
    expect(visible(family)).toEqual([{ urn: "urn:pp:A::1", depth: 0 }, { urn: "urn:pp:B::1", depth: 1 }, { urn: "urn:pp:B::2", depth: 1 }]);
  });
  it("types have colours of their own", () => expect([...typeColours(family).values()]).toEqual([1, 2, 3]));
});

it("a name is what people read, or the id", () => {
  expect(nameOf(resource("urn:pp:A::1", { title: { S: "Paint" } }))).toBe("Paint");
  expect(nameOf(resource("urn:pp:A::1", { name: { S: "" }, title: { N: "1" } }))).toBe("1");
});

import { describe, expect, it } from "vitest";
import type { TableDescription } from "../../charts/descriptions";
import { see } from "./kinds";
import { type Contract, definitionOf, lensOfContract, lensOfFiles, readFile } from "./source";

const model = (name: string, table: string, attribute: string) => `
  - name: ${name}
    table: { name: ${table} }
    keys: { partition: { attribute: pk, type: S }, sort: { attribute: sk, type: S } }
    attributes: [{ attribute: pk, type: S, required: true }, { attribute: sk, type: S, required: true }, { attribute: ${attribute}, type: S, required: true }]`;
const text = `dms_version: "0.1"\nmodels:${model("User", "shop", "name")}${model("Order", "shop", "total")}${model("Other", "elsewhere", "x")}`;
const table: TableDescription = {
  TableName: "shop", TableStatus: "ACTIVE", TableArn: "", AttributeDefinitions: [{ AttributeName: "pk", AttributeType: "S" }, { AttributeName: "sk", AttributeType: "S" }],
  KeySchema: [{ AttributeName: "pk", KeyType: "HASH" }, { AttributeName: "sk", KeyType: "RANGE" }],
};
const file = readFile("shop.yml", text);
const user = { pk: { S: "U#1" }, sk: { S: "PROFILE" }, name: { S: "Ada" } };
const order = { pk: { S: "U#1" }, sk: { S: "ORDER#1" }, total: { S: "3" } };

describe("lensOfFiles", () => {
  it("takes the models of the table, and guesses how they are told apart", () => {
    const lens = lensOfFiles([file], table, [user, order]);
    expect(lens.kinds.map(({ model: { name }, sortPrefix }) => [name, sortPrefix])).toEqual([["User", "PROFILE"], ["Order", "ORDER#"]]);
    expect(definitionOf(lens, [file])?.kinds).toEqual([{ model: "User", sort_prefix: "PROFILE" }, { model: "Order", sort_prefix: "ORDER#" }]);
  });
  it("asks nobody to check kinds that nothing tells apart", () => {
    const lens = lensOfFiles([file], table, []);
    expect(lens.kinds.every(({ sortPrefix }) => sortPrefix === "")).toBe(true);
    expect(definitionOf(lens, [file])).toBeUndefined();
  });
  it("shows another table through all models of the file", () => {
    expect(lensOfFiles([file], { ...table, TableName: "copy" }, []).kinds).toHaveLength(3);
  });
});

describe("lensOfContract", () => {
  const contract = (definition: Contract["definition"]): Contract => ({ table: "shop", bound: true, version: "v1", versions: ["v1"], ...(definition ? { definition } : {}) });
  it("has the kinds of the contract, in their order", () => {
    const lens = lensOfContract(contract({ models: [{ file: "shop.yml", text }], kinds: [{ model: "Order", sort_prefix: "ORDER#" }, { model: "User", sort_prefix: "PROFILE" }] }), table);
    expect(lens.kinds.map(({ model: { name } }) => name)).toEqual(["Order", "User"]);
    expect(see(lens, order).kind?.model.name).toBe("Order");
  });
  it("takes the name of a model for its value of the discriminator", () => {
    const lens = lensOfContract(contract({ models: [{ file: "shop.yml", text }], discriminator: "kind", kinds: [{ model: "User" }, { model: "Order", value: "o" }] }), table);
    expect(see(lens, { ...user, kind: { S: "User" } }).violations).toEqual([]);
    expect(see(lens, { ...order, kind: { S: "o" } }).kind?.model.name).toBe("Order");
  });
  it("leaves out kinds that are schemas", () => {
    expect(lensOfContract(contract({ models: [], kinds: [{ schema_id: "users", schema_version: "v1" }] }), table).kinds).toEqual([]);
  });
});

// What is wrong with an item by its model: the rules of contracts (docs/contracts.md) that need no older copy of the item.

import { type AttributeValue, base64Length, type Item, typeOf } from "../../api/attribute";
import type { Model, ModelAttribute } from "./dms";

export interface Violation {
  path: string;
  rule: "type" | "null" | "required" | "undeclared" | "format" | "json" | "encrypted" | "kind";
  message: string;
}

const timePattern = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/;

function isWhole(number: string): boolean {
  const found = /^-?(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/.exec(number);
  if (found === null) return false;
  const fraction = (found[2] ?? "").replace(/0+$/, "");
  const power = Number(found[3] ?? 0);
  if (fraction === "" && power >= 0) return true;
  const digits = (found[1] ?? "") + fraction;
  const after = fraction.length - power;
  return after <= 0 || /^0*$/.test(digits.slice(Math.max(0, digits.length - after)));
}

function isEnvelope(value: AttributeValue): boolean {
  if (!("M" in value) || Object.keys(value.M).length !== 4) return false;
  const bytes = (name: string) => { const each = value.M[name]; return each && "B" in each ? base64Length(each.B) : 0; };
  const version = value.M["v"];
  return version !== undefined && "N" in version && version.N === "1" && bytes("edk") > 0 && bytes("nonce") === 12 && bytes("ct") >= 16;
}

function valueViolation(model: Model, attribute: ModelAttribute, value: AttributeValue): Violation | undefined {
  const found = typeOf(value);
  const wrong = (rule: Violation["rule"], message: string): Violation => ({ path: attribute.name, rule, message });
  if (attribute.encrypted) return isEnvelope(value) ? undefined : wrong("encrypted", `expected an encrypted envelope, found ${found} that is not encrypted`);
  if (found === "NULL" && attribute.type !== "NULL") {
    const isKey = [model.partition, model.sort, ...model.indexes.flatMap(({ partition, sort }) => [partition, sort])].includes(attribute.name);
    return attribute.required || isKey ? wrong("null", `expected ${attribute.type}, found NULL`) : undefined;
  }
  if (found !== attribute.type && !(attribute.json && found === "S")) return wrong("type", `expected ${attribute.type}, found ${found}`);
  if (attribute.json) {
    if (!("S" in value)) return undefined;
    try {
      JSON.parse(value.S);
      return undefined;
    } catch {
      return wrong("json", "expected the text of a JSON value");
    }
  }
  const isTime = attribute.format === "rfc3339nano" || attribute.roles.includes("created_at") || attribute.roles.includes("updated_at");
  if ("S" in value && isTime && !timePattern.test(value.S)) return wrong("format", `expected a time such as 2026-01-16T01:02:03Z, found "${value.S.slice(0, 40)}"`);
  const isInt = attribute.format === "int" || attribute.format === "unix_seconds" || attribute.roles.includes("version") || attribute.roles.includes("ttl");
  if ("N" in value && isInt && !isWhole(value.N)) return wrong("format", `expected a whole number, found ${value.N}`);
  return undefined;
}

/** Sorted by path. `ignored` are attributes that need not be declared, such as a discriminator. */
export function violationsOf(model: Model, item: Item, ignored: readonly string[] = []): Violation[] {
  const declared = new Map(model.attributes.map((each) => [each.name, each]));
  const found: Violation[] = [];
  for (const [name, value] of Object.entries(item)) {
    const attribute = declared.get(name);
    const violation = attribute ? valueViolation(model, attribute, value) : ignored.includes(name) ? undefined : { path: name, rule: "undeclared" as const, message: `expected only what the model declares, found an attribute of type ${typeOf(value)}` };
    if (violation) found.push(violation);
  }
  for (const attribute of model.attributes)
    if (attribute.required && !Object.hasOwn(item, attribute.name)) found.push({ path: attribute.name, rule: "required", message: `expected ${attribute.type}, found nothing` });
  return found.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
}

import { dynamo } from "../../api/client";
import type { Item } from "../../api/attribute";
import { indexesOf } from "../../items/key";
import { describeTable } from "../tables/tables";
import { tablesIn } from "./completion";
import type { Knowledge } from "./editor";

const sampleRows = 25;

/** Tables and attributes of this server, each asked for once. A table that does not exist has none. */
export function knowledgeOf(tables: () => readonly string[]): Knowledge {
  const attributes = new Map<string, Promise<readonly string[]>>();
  const indexes = new Map<string, Promise<readonly string[]>>();
  const remembered = (memory: Map<string, Promise<readonly string[]>>, name: string, ask: () => Promise<readonly string[]>) => {
    if (!tables().includes(name)) return Promise.resolve([]);
    let answer = memory.get(name);
    if (answer === undefined) {
      answer = ask().catch(() => { memory.delete(name); return []; });
      memory.set(name, answer);
    }
    return answer;
  };
  const attributesOf = (name: string) => remembered(attributes, name, async () => {
    const { Items = [] } = await dynamo<{ Items?: Item[] }>("Scan", { TableName: name, Limit: sampleRows });
    return [...new Set(Items.flatMap((item) => Object.keys(item)))];
  });
  return {
    tables,
    indexes: (table) => remembered(indexes, table, async () => indexesOf(await describeTable(table)).map(({ IndexName }) => IndexName)),
    attributes: async (statement) => [...new Set((await Promise.all(tablesIn(statement).map(attributesOf))).flat())],
  };
}

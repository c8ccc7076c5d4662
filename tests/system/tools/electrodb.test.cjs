// ElectroDB: entities and collections in one table.
"use strict";

const test = require("node:test");
const { anHourAgo, assert, client, documentClient, enableTimeToLive, load, makeSingleTable, until } = require("./support.cjs");
const { Entity, Service } = load("electrodb");

const table = "electro";
const byTeam = (sort) => ({
  collection: "team",
  index: "gsi1",
  pk: { field: "gsi1pk", composite: ["team"] },
  sk: { field: "gsi1sk", composite: [sort] },
});
const employees = new Entity(
  {
    model: { entity: "employee", version: "1", service: "company" },
    attributes: {
      id: { type: "string", required: true },
      team: { type: "string", required: true },
      name: { type: "string", required: true },
      salary: { type: "number", default: 100 },
      skills: { type: "set", items: "string" },
      notes: { type: "list", items: { type: "string" } },
      updatedAt: { type: "number", watch: "*", set: () => 7, readOnly: true },
      expires: { type: "number" },
    },
    indexes: {
      primary: { pk: { field: "pk", composite: ["id"] }, sk: { field: "sk", composite: [] } },
      team: byTeam("id"),
    },
  },
  { client: documentClient, table },
);
const tasks = new Entity(
  {
    model: { entity: "task", version: "1", service: "company" },
    attributes: {
      task: { type: "string", required: true },
      team: { type: "string", required: true },
      points: { type: "number", required: true },
      state: { type: ["open", "done"], default: "open" },
    },
    indexes: {
      primary: { pk: { field: "pk", composite: ["task"] }, sk: { field: "sk", composite: [] } },
      team: byTeam("task"),
    },
  },
  { client: documentClient, table },
);
const company = new Service({ employees, tasks });

test.before(() => makeSingleTable(table));

test("an entity is created once, read, updated and removed", async () => {
  const ada = { id: "ada", team: "stones", name: "Ada", skills: ["maths"], notes: ["first"] };
  await employees.create(ada).go();
  await assert.rejects(employees.create(ada).go(), /conditional request failed/);

  const updated = await employees.update({ id: "ada" })
    .set({ name: "Countess" }).add({ salary: 20, skills: ["poetry"] }).append({ notes: ["second"] })
    .where(({ salary }, { eq }) => eq(salary, 100)).go({ response: "all_new" });
  assert.deepEqual(updated.data, { id: "ada", team: "stones", name: "Countess", salary: 120, skills: ["maths", "poetry"],
    notes: ["first", "second"], updatedAt: 7 });
  await assert.rejects(employees.patch({ id: "nobody" }).set({ name: "x" }).go(), /conditional request failed/);
  await employees.upsert({ id: "eve", team: "stones", name: "Eve" }).go();

  assert.equal((await employees.remove({ id: "eve" }).go({ response: "all_old" })).data.name, "Eve");
  assert.equal((await employees.get({ id: "eve" }).go()).data, null);
});

test("batches, pages of an index, and collections", async () => {
  const all = Array.from({ length: 60 }, (_, i) => ({ task: `t${String(i).padStart(2, "0")}`, team: "moss", points: i }));
  assert.deepEqual((await tasks.put(all).go()).unprocessed, []);
  const read = await tasks.get(all.map(({ task }) => ({ task }))).go();
  assert.equal(read.data.length, 60);

  const seen = [];
  for (let cursor = null, first = true; first || cursor; first = false) {
    const page = await tasks.query.team({ team: "moss" }).go({ limit: 25, cursor });
    seen.push(page.data.map(({ task }) => task));
    cursor = page.cursor;
  }
  assert.deepEqual(seen.flat(), all.map(({ task }) => task));
  assert.deepEqual(seen.slice(0, 2).map((page) => page.length), [25, 25]);
  const few = await tasks.query.team({ team: "moss" }).between({ task: "t10" }, { task: "t19" })
    .where(({ points }, { gt }) => gt(points, 15)).go();
  assert.deepEqual(few.data.map(({ points }) => points), [16, 17, 18, 19]);

  await employees.create({ id: "bob", team: "moss", name: "Bob" }).go();
  const team = await company.collections.team({ team: "moss" }).go({ pages: "all" });
  assert.deepEqual([team.data.employees.length, team.data.tasks.length], [1, 60]);
  assert.deepEqual((await tasks.delete(all.map(({ task }) => ({ task }))).go()).unprocessed, []);
  assert.equal((await tasks.scan.go()).data.length, 0);
});

test("a transaction does everything or nothing", async () => {
  await tasks.create({ task: "lift", team: "sky", points: 1 }).go();
  const write = (task) => company.transaction.write(({ employees, tasks }) => [
    employees.create({ id: `of-${task}`, team: "sky", name: "Zoe" }).commit(),
    tasks.patch({ task }).set({ state: "done" }).commit(),
  ]).go();
  const refused = await write("missing");
  assert.equal(refused.canceled, true);
  assert.deepEqual(refused.data.map(({ code }) => code), ["None", "ConditionalCheckFailed"]);
  assert.equal((await employees.get({ id: "of-missing" }).go()).data, null);

  assert.equal((await write("lift")).canceled, false);
  const read = await company.transaction.get(({ employees, tasks }) => [
    employees.get({ id: "of-lift" }).commit(), tasks.get({ task: "lift" }).commit(),
  ]).go();
  assert.deepEqual(read.data.map(({ item }) => item.name ?? item.state), ["Zoe", "done"]);
});

test("an item whose time is over leaves the table", async () => {
  await enableTimeToLive(table, "expires");
  await employees.create({ id: "old", team: "past", name: "Methuselah", expires: anHourAgo() }).go();
  await until(async () => (await employees.get({ id: "old" }).go()).data, (seen) => seen === null);
  assert.equal((await client.describeTimeToLive({ TableName: table })).TimeToLiveDescription.AttributeName, "expires");
});

// Measures the published entity manager for JavaScript: the cases of bench/entity_bench.cc. Usage: node package.mjs
// FOLDER, where FOLDER has it in node_modules. Prints {"case": microseconds of CPU for one operation, ...}.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import path from 'node:path';

const modules = path.resolve(process.argv[2], 'node_modules');
const load = (...parts) => import(pathToFileURL(path.join(modules, ...parts)).href);
const dist = ['@karmaniverous', 'entity-manager', 'dist', 'mjs'];
const { EntityManager } = await load(...dist, 'index.js');
const { dehydratePageKeyMap } = await load(...dist, 'EntityManager', 'dehydratePageKeyMap.js');
const lz = createRequire(path.join(modules, 'x.js'))('lz-string');

const silent = { debug() {}, error() {} };

const manager = (charBits, chars) =>
  new EntityManager(
    {
      hashKey: 'hashKey2',
      rangeKey: 'rangeKey',
      entities: {
        user: { timestampProperty: 'created', uniqueProperty: 'userId', shardBumps: [{ timestamp: 0, charBits, chars }] },
      },
      generatedProperties: {
        sharded: { beneficiaryPK: ['beneficiaryId'], userPK: ['userId'] },
        unsharded: {
          firstNameRK: ['firstNameCanonical', 'lastNameCanonical'],
          lastNameRK: ['lastNameCanonical', 'firstNameCanonical'],
          phoneRK: ['phone', 'created'],
        },
      },
      indexes: { lastName: { hashKey: 'hashKey2', rangeKey: 'lastNameRK' } },
      propertyTranscodes: {
        beneficiaryId: 'string', created: 'timestamp', firstNameCanonical: 'string', lastNameCanonical: 'string',
        phone: 'string', updated: 'timestamp', userId: 'string',
      },
    },
    silent,
  );

const characters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-';
let state = 7;
const random = (most) => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return Math.floor((state / 2 ** 32) * most);
};
const text = (size) => Array.from({ length: size }, () => characters[random(64)]).join('');
const users = (count) =>
  Array.from({ length: count }, () => ({
    userId: text(21),
    beneficiaryId: text(21),
    created: 1700000000000 + random(100000000),
    updated: 1700000000000 + random(100000000),
    firstNameCanonical: text(8),
    lastNameCanonical: text(10),
    phone: `+1555${1000000 + random(9000000)}`,
  }));

const shardNames = (charBits, chars) => {
  const radix = 2 ** charBits;
  return Array.from({ length: radix ** chars }, (_, i) => `user!${i.toString(radix).padStart(chars, '0')}`);
};

// The best of several rounds, each of about 100 ms, after as many to warm up.
const measure = async (run, operations) => {
  let best = Infinity;
  for (let round = 0; round < 12; ++round) {
    const from = process.cpuUsage();
    const start = performance.now();
    let count = 0;
    do {
      await run();
      count += operations;
    } while (performance.now() - start < 100);
    const used = process.cpuUsage(from);
    if (round >= 4) best = Math.min(best, (used.user + used.system) / count);
  }
  return best;
};

const results = {};
{
  const entities = manager(2, 2);
  const items = users(1000);
  let bytes = 0;
  results.add_keys = await measure(() => {
    for (const item of items) bytes += entities.addKeys('user', item).rangeKey.length;
  }, items.length);
  if (bytes === 0) throw new Error('keys are missing');
}
{
  const entities = manager(5, 2);
  const shards = shardNames(5, 2);
  const records = users(shards.length).map((item) => entities.addKeys('user', item));
  const pageKeyMap = {
    lastName: Object.fromEntries(
      shards.map((hashKey2, i) => [
        hashKey2,
        { hashKey2, rangeKey: records[i].rangeKey, lastNameRK: records[i].lastNameRK },
      ]),
    ),
  };
  results.dehydrate_and_compress = await measure(
    () => lz.compressToEncodedURIComponent(JSON.stringify(dehydratePageKeyMap(entities, 'user', pageKeyMap))),
    1,
  );
}
for (const [shardCount, charBits, chars] of [[16, 4, 1], [256, 4, 2], [1024, 5, 2]]) {
  const entities = manager(charBits, chars);
  const shards = shardNames(charBits, chars);
  const records = users(10240).map((item) => entities.addKeys('user', item));
  const pages = Object.fromEntries(shards.map((shard) => [shard, []]));
  records.forEach((record, i) => pages[shards[i % shards.length]].push(record));
  const lastName = async (hashKey) => ({ count: pages[hashKey].length, items: pages[hashKey] });
  for (const [name, property] of [['number', 'created'], ['text', 'lastNameCanonical']])
    results[`query/${shardCount}_${name}`] = await measure(async () => {
      const result = await entities.query({
        entityToken: 'user', item: {}, limit: Infinity, pageSize: 100000, shardQueryMap: { lastName },
        sortOrder: [{ property }],
      });
      if (result.count !== records.length) throw new Error('items are missing');
    }, 1);
}
console.log(JSON.stringify(results));

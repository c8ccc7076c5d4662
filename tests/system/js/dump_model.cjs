// Prints the operations and the members of structures that the SDK in the given node_modules knows, as JSON.
"use strict";

const sdk = require(require.resolve("@aws-sdk/client-dynamodb", { paths: [process.argv[2]] }));

const operations = Object.keys(sdk)
  .filter((name) => /^[A-Z].*Command$/.test(name) && name !== "$Command")
  .map((name) => name.slice(0, -"Command".length));

// A schema of a structure is an array: its kind, namespace, name, traits, and the names of its members.
const structures = {};
for (const schema of Object.values(sdk))
  if (Array.isArray(schema) && typeof schema[2] === "string" && Array.isArray(schema[4])) structures[schema[2]] = schema[4];

process.stdout.write(JSON.stringify({ operations, structures }));

#!/usr/bin/python3
"""Runs the suites of Dolmen on every implementation of DynamoDB that is there, in the short form, as far as a full run has told what to expect of
them, and checks that docs/stores.md shows what that found (engines.py). What the rooms refuse where there are no transactions is said in their own
words."""

import json
import pathlib
import unittest

import engines
from dolmen_server import ROOT, run
from foreign_servers import Dynalite

ENTITIES = ROOT / "examples/entities.yml"
SCHEMA = {"schema_id": "users", "schema_version": "v1", "fields": {"_id": {"type": "string", "required": True}}}
NONE = "this store has no transactions (TransactWriteItems), which are needed to "


class Engines(unittest.TestCase):
    def run_on(self, engine):
        if missing := engine.why_missing():
            print(f"skipped: {engine.name} ({missing})")
            return
        known = json.loads(engines.RESULTS.read_text()).get(engine.name, {"version": None, "suites": {}})
        if known["version"] != engine.version():
            print(f"skipped: {engine.name} {engine.version()} (only {known['version']} has been run in full)")
            return
        for suite in engines.SUITES.keys() - known["suites"].keys():
            print(f"skipped: {suite} on {engine.name} (it has not been run in full: tests/system/engines.py --all --write)")
        short = engines.SUITES if engine is engines.Dolmen else engines.SHORT_SUITES
        judged = engines.run(engine, [suite for suite in short if suite in known["suites"]], everything=False)
        print(f"{engine.name} {engine.version()}: " + ", ".join(f"{suite} {found}" for suite, found in judged.items()))
        self.assertEqual([text for found in judged.values() for text in found.surprises], [])

    def test_dolmen(self):
        self.run_on(engines.Dolmen)

    def test_dynamodb_local(self):
        self.run_on(engines.NewestDynamoDbLocal)

    def test_dynoxide(self):
        self.run_on(engines.Dynoxide)

    def test_dynalite(self):
        self.run_on(engines.Dynalite)


class Page(unittest.TestCase):
    def test_shows_what_the_last_full_run_found(self):
        results = json.loads(engines.RESULTS.read_text())
        self.assertLessEqual(set(results), {engine.name for engine in engines.ENGINES})
        self.assertEqual(engines.PAGE.read_text(), engines.page_with(results), "run tests/system/engines.py --all --write")


class WithoutTransactions(unittest.TestCase):
    """dynalite has none."""

    def setUp(self):
        if missing := Dynalite.why_missing():
            print(f"skipped: {Dynalite.name} ({missing})")
            self.skipTest(missing)
        self.server = self.enterContext(Dynalite())

    def refused(self, *arguments):
        finished = run(*arguments, "--endpoint", self.server.url, "--json")
        self.assertEqual(finished.code, 1, finished.out + finished.err)
        refusal = json.loads(finished.out)
        self.assertEqual(refusal["error"], "Unsupported", refusal)
        return refusal["message"]

    def test_relations_are_refused(self):
        self.assertEqual(self.refused("relation", "create", "System"), NONE + "keep unique values unique and families whole")

    def test_documents_are_refused_and_leave_no_table(self):
        pathlib.Path("users.json").write_text(json.dumps(SCHEMA))
        self.assertEqual(self.refused("schema", "publish", "users.json"),
                         NONE + "keep documents, their ids and their indexes together")
        self.assertEqual(json.loads(run("table", "list", "--endpoint", self.server.url, "--json").out), {"tables": []})

    def test_entities_with_several_shard_bumps_are_refused(self):
        flags = ("--config", ENTITIES, "--table", "app", "--endpoint", self.server.url)
        self.assertEqual(run("entity", "migrate", *flags).code, 0)
        message = self.refused("entity", "put", "user", '{"userId": "ada", "created": 5, "lastNameCanonical": "lovelace"}', *flags[:4])
        self.assertRegex(message, "^the endpoint does not support Transact(Get|Write)Items$")


if __name__ == "__main__":
    unittest.main()

#!/usr/bin/python3
"""What all verbs of `dolmen` have in common, and that none creates a store unless that is its purpose."""

import json
import pathlib
import re
import subprocess
import tempfile
import unittest

from dolmen_server import BINARY, ROOT, Server, run

DMS, ENTITIES = ROOT / "tests/models/user.yml", ROOT / "examples/entities.yml"
ENTITY_TABLE = ("--config", ENTITIES, "--table", "entities")
URN = "urn:pp:System::1"
SCHEMA = ("--schema", "users", "--version", "v1")

# Verbs that open a store and need it to exist, with the arguments that each needs.
NEED_A_STORE = {
    "table list": (),
    "table describe": ("notes",),
    "table update": ("notes", "--protect"),
    "table delete": ("notes", "--yes"),
    "item get": ("notes", "{}"),
    "item put": ("notes", "{}"),
    "item update": ("notes", "{}", "--set", "a=1"),
    "item delete": ("notes", "{}"),
    "query": ("notes", "--where", "a = 1"),
    "scan": ("notes",),
    "vector search": ("notes", "by_meaning", "--vector", "[1]"),
    "vector stats": ("notes", "by_meaning"),
    "sql": ("SELECT * FROM notes",),
    "shell": ("--command", "table list"),
    "doctor": (),
    "drift": ("notes", "--model", DMS),
    "keys rewrap": ("notes", "--model", DMS, "--keys", "users.keys"),
    "bench": (),
    "table copy": ("notes", "twin"),
    "table diff": ("notes", "twin"),
    "stream tail": ("notes",),
    "import": ("notes", "--from", DMS),
    "export": ("notes", "--to", "exported.jsonl"),
    "model diff": (DMS,),
    "entity get": ("user", "ada", *ENTITY_TABLE),
    "entity put": ("user", "{}", *ENTITY_TABLE),
    "entity update": ("user", "ada", "--set", "a=b", *ENTITY_TABLE),
    "entity remove": ("user", "ada", *ENTITY_TABLE),
    "entity query": ("user", "--index", "created", *ENTITY_TABLE),
    "contract bind": ("notes", "--version", "v1", "--models", DMS),
    "contract status": (),
    "contract unbind": ("notes",),
    "relation get": (URN,),
    "relation list": (),
    "relation reassign": (URN, "--account", URN),
    "relation update": (URN, "--set", "a=b"),
    "relation release": ("T", "k", "v"),
    "relation transfer": ("T", "k", "v", "--to", URN),
    "relation find": ("T", "k", "v"),
    "relation values": ("T", "k"),
    "relation attach": (URN, URN),
    "relation detach": (URN,),
    "relation parent": (URN,),
    "relation children": (URN,),
    "relation ancestors": (URN,),
    "relation descendants": (URN,),
    "relation join": (URN, URN),
    "relation leave": (URN, URN),
    "relation members": (URN,),
    "relation collections": (URN,),
    "relation account": (URN,),
    "relation authorization": (URN,),
    "relation reach": (URN,),
    "relation tree": (URN,),
    "relation graph": (URN, "--svg"),
    "relation delete": (URN,),
    "relation purge": (URN,),
    "relation deletes": (),
    "relation resume": (),
    "relation rewrite": ("--below", URN),
    "relation verify": ("--all",),
    "relation repair": ("--all",),
    "lease acquire": ("key",),
    "lease refresh": ("key", "--token", "t"),
    "lease release": ("key", "--token", "t"),
    "lease status": ("key",),
    "lease run": ("key", "--", "true"),
    "isr status": ("/page",),
    "isr purge": ("/page", "--keep-bodies"),
    "isr mark-stale": ("/page",),
    "isr list": (),
    "isr versions": ("/page",),
    "isr restore": ("/page", "1"),
    "isr sweep": ("--bodies", "bodies"),
    "schema list": (),
    "schema show": ("users", "v1"),
    "document insert": ("{}", *SCHEMA),
    "document update": ("{}", *SCHEMA),
    "document move": ("{}", "--to", "v2", *SCHEMA),
    "document validate": ("{}", *SCHEMA),
    "document get": ("1", *SCHEMA),
    "document delete": ("1", *SCHEMA),
    "document list": SCHEMA,
    "document query": ("--limit", "1", *SCHEMA),
    "document explain": ("--limit", "1", *SCHEMA),
    "explain get": ("notes", "--key", '{"pk": "a"}'),
    "explain query": ("notes", "--key-condition", "pk = :p", "--values", '{":p": "a"}'),
    "explain scan": ("notes",),
    "explain statement": ("SELECT * FROM notes WHERE pk = ?", "--parameters", '["a"]'),
    "backup create": ("kept",),
    "verify": (),
    "document create-index": ("age", *SCHEMA),
    "document rebuild-index": ("age", *SCHEMA),
    "document drop-index": ("age", *SCHEMA),
    "document indexes": SCHEMA,
    "document import": (DMS, *SCHEMA),
    "document export": ("--to", "exported.jsonl", *SCHEMA),
    "document migrate": ("--to", "v2", *SCHEMA),
}
MAKE_A_STORE = {"serve", "demo", "backup restore", "table create", "scenario run", "model apply", "entity migrate", "relation bind",
                "relation create", "relation reserve", "schema publish"}
# Name their two stores in their own way.
BETWEEN_STORES = {"copy", "fork", "repair"}
WITHOUT_A_STORE = {"completion", "help", "config show", "access create", "access list", "access revoke", "tls self-signed",
                   "backup list", "backup verify", "backup prune", "model check",
                   "keys create", "keys list", "keys rotate", "model show", "model compat", "model generate", "schema validate", "schema generate", "entity check", "entity generate", "entity plan"}


def verbs(*path):
    """Every verb that the help shows, such as "lease acquire"."""
    text = run(*path, "--help").out
    names = re.findall(r"(?m)^  (\S+)", text.partition("\nSubcommands:\n")[2])
    if not names:
        yield " ".join(path)
    for name in names:
        yield from verbs(*path, name)


class CommandLine(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def test_this_test_knows_every_verb(self):
        self.assertEqual(sorted(verbs()), sorted({*NEED_A_STORE, *MAKE_A_STORE, *WITHOUT_A_STORE, *BETWEEN_STORES}))

    def test_every_verb_has_the_flags_that_all_have(self):
        for verb in verbs():
            text = run(*verb.split(), "--help").out
            with self.subTest(verb):
                # The output of `lease run` is that of its command.
                self.assertEqual("--json" in text, verb != "lease run")
                self.assertEqual("--data DIR" in text, verb not in (WITHOUT_A_STORE | BETWEEN_STORES) - {"config show"})
                # A server does not restore the store that it serves.
                self.assertEqual("--endpoint URL" in text,
                                 verb not in {"serve", "backup restore", *WITHOUT_A_STORE, *BETWEEN_STORES})
                for line in text.splitlines():
                    self.assertTrue(line.isprintable(), repr(line))

    def test_a_store_that_does_not_exist_is_named_and_not_created(self):
        for verb, arguments in NEED_A_STORE.items():
            with self.subTest(verb):
                # Options stand before a command that `lease run` would run.
                named = run(*verb.split(), "--data", "elsewhere", *arguments, cwd=self.folder)
                self.assertEqual((named.code, named.out), (1, ""), named.err)
                self.assertEqual(named.err, 'dolmen: the directory "elsewhere" does not exist; name an existing store '
                                            'with --data DIR or --endpoint URL\n')
                unnamed = run(*verb.split(), *arguments, cwd=self.folder)
                self.assertEqual(unnamed.code, 1)
                self.assertIn('"./data" does not exist', unnamed.err)
                self.assertEqual(list(self.folder.iterdir()), [])

    def test_no_store_is_created_in_an_empty_directory(self):
        (self.folder / "data").mkdir()
        for verb, arguments in NEED_A_STORE.items():
            with self.subTest(verb):
                finished = run(*verb.split(), *arguments, cwd=self.folder)
                self.assertEqual(finished.code, 1)
                self.assertIn('"./data" is empty', finished.err)
                self.assertEqual(list((self.folder / "data").iterdir()), [])

    def test_errors_are_json_for_programs(self):
        for verb, arguments in NEED_A_STORE.items():
            if verb == "lease run":
                continue
            with self.subTest(verb):
                finished = run(*verb.split(), "--json", *arguments, cwd=self.folder)
                self.assertEqual((finished.code, finished.err), (1, ""))
                answer = json.loads(finished.out)
                self.assertEqual((answer["error"], answer["details"]), ("DirectoryUnusable", []))
                self.assertIn("does not exist", answer["message"])

    def test_a_wrong_value_is_named_with_its_option(self):
        for arguments, message in (
                (("document", "query", "--limit", "x"), '--limit: "x" is not a whole number from 1 to 1000'),
                (("document", "query", "--filter", "[]"), '--filter: "[]" is not a JSON object'),
                (("document", "query", "--filter", "{"), '--filter: "{" is not JSON: 1:2: '),
                (("lease", "acquire", "key", "--seconds", "0"), '--seconds: "0" is not a number from 0.001 to '),
                (("isr", "purge", "/page"), "name their place with --bodies, or leave them with --keep-bodies"),
                (("contract", "status", "--version", "v1"), "--version requires ")):
            with self.subTest(arguments):
                finished = run(*arguments, "--memory", cwd=self.folder)
                self.assertEqual((finished.code, finished.out), (2, ""), finished.err)
                self.assertIn(message, finished.err)

    def test_a_missing_table_is_named(self):
        with Server(data=self.folder / "data") as server:
            self.expect_tables_to_be_named("--endpoint", server.url)
        self.expect_tables_to_be_named("--data", self.folder / "data")

    def expect_tables_to_be_named(self, *store):
        for verb, arguments, table in (("lease acquire", ("key",), "leases"), ("lease status", ("key",), "leases"),
                                       ("isr status", ("/page",), "cache"), ("relation tree", (URN,), "system"),
                                       ("relation verify", ("--all",), "system")):
            with self.subTest(verb, store=store):
                finished = run(*verb.split(), "--table", f"my-{table}", *store, *arguments)
                self.assertEqual((finished.code, finished.out), (1, ""))
                self.assertIn(f'table "my-{table}" does not exist', finished.err.lower())

    def test_a_server_announces_itself_as_json(self):
        command = [BINARY, "serve", "--json", "--port", "0", "--data", self.folder / "data"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
            listening = json.loads(server.stdout.readline())
            server.terminate()
            events = [json.loads(line)["event"] for line in server.stdout]
        self.assertEqual((listening["event"], listening["durability"]), ("listening", "sync"))
        self.assertEqual(listening["address"], f"http://127.0.0.1:{listening['port']}")
        self.assertEqual((server.returncode, events), (0, ["stopping", "stopped"]))


if __name__ == "__main__":
    unittest.main()

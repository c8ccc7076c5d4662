#!/usr/bin/python3
"""Items between tables and files, and between stores: `dolmen import`, `export`, `copy`, `table copy` and `table diff`, on a
directory and at a server; `stream tail`; and `completion` and `help`."""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import unittest

from dolmen_server import BINARY, PATIENCE_S, Server, clean_environment, run

ITEMS = 1234


def note(number):
    return {"topic": f"t{number % 17}", "written": number, "text": "stone " * (number % 5), "tags": ["a", number], "ok": True}


class Transfer(unittest.TestCase):
    """On a directory; the class below runs the same at a server."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.store = self.make_store()

    def make_store(self):
        return ("--data", self.folder / "data")

    def dolmen(self, *arguments):
        return run(*arguments, *self.store, cwd=self.folder)

    def must(self, *arguments):
        done = self.dolmen(*arguments)
        self.assertEqual((done.code, done.err), (0, ""), arguments)
        return done.out

    def must_json(self, *arguments):
        return json.loads(self.must(*arguments, "--json"))

    def refused(self, code, *arguments):
        done = self.dolmen(*arguments)
        self.assertEqual(done.code, code, (arguments, done))
        return done.err

    def write(self, name, lines):
        (self.folder / name).write_text("".join(line + "\n" for line in lines))

    def read(self, name):
        return sorted((self.folder / name).read_text().splitlines())

    def table(self, name="notes"):
        self.must("table", "create", name, "--key", "topic:S,written:N")

    def filled(self):
        self.table()
        self.write("notes.jsonl", (json.dumps(note(n), sort_keys=True, separators=(",", ":")) for n in range(ITEMS)))
        self.assertEqual(self.must_json("import", "notes", "--from", "notes.jsonl"),
                         {"imported": ITEMS, "rejected": 0, "before": 0, "problems": []})

    def test_what_is_imported_is_exported_in_every_format(self):
        self.filled()
        self.assertEqual(self.must_json("export", "notes", "--to", "back.jsonl"), {"exported": ITEMS, "to": "back.jsonl"})
        self.assertEqual(self.read("back.jsonl"), self.read("notes.jsonl"))
        self.assertEqual(sorted(self.must("export", "notes", "--to", "-").splitlines()), self.read("notes.jsonl"))
        for name, flags in (("typed.jsonl", ("--typed",)), ("notes.csv", ())):
            with self.subTest(name):
                self.must("export", "notes", "--to", name, *flags)
                self.table("again")
                self.assertEqual(self.must_json("import", "again", "--from", name, *flags)["imported"], ITEMS)
                self.assertEqual(self.must_json("table", "diff", "notes", "again")["same"], ITEMS)
                self.must("table", "delete", "again", "--yes")
        self.assertEqual([p.name for p in self.folder.iterdir() if p.name.endswith(".part")], [])

    def test_an_export_replaces_nothing_and_loses_no_types_unasked(self):
        self.table()
        self.must("item", "put", "notes", '{"topic":{"S":"a"},"written":{"N":"1"},"tags":{"SS":["x"]}}', "--typed")
        self.assertIn('the attribute "tags" has a set in it', self.refused(1, "export", "notes", "--to", "plain.jsonl"))
        self.assertFalse(list(self.folder.glob("plain*")))
        self.must("export", "notes", "--to", "plain.jsonl", "--lossy")
        self.assertEqual(self.read("plain.jsonl"), ['{"tags":["x"],"topic":"a","written":1}'])
        self.assertIn("plain.jsonl exists", self.refused(1, "export", "notes", "--to", "plain.jsonl", "--typed"))

    def test_the_last_of_items_with_the_same_key_stays(self):
        self.table()
        self.write("twice.jsonl", (json.dumps({"topic": f"t{n % 3}", "written": n % 7, "n": n}) for n in range(2100)))
        self.assertEqual(self.must_json("import", "notes", "--from", "twice.jsonl")["imported"], 2100)
        items = [json.loads(line) for line in self.must("scan", "notes").splitlines()]
        self.assertEqual(sorted(item["n"] for item in items), list(range(2079, 2100)))

    def test_a_wrong_record_is_named_with_its_line(self):
        self.table()
        self.write("bad.jsonl", ['{"topic":"a","written":1}', "", '{"topic":"a"}', '{"topic":"a","written":"1"}', "{x",
                                 '{"topic":"b","written":2}'])
        error = self.refused(1, "import", "notes", "--from", "bad.jsonl")
        self.assertIn('bad.jsonl:3: the key attribute "written" is missing (1 items were imported before it)', error)
        self.must("item", "delete", "notes", '{"topic":"a","written":1}')
        dry = self.dolmen("import", "notes", "--from", "bad.jsonl", "--dry-run", "--json")
        self.assertEqual((dry.code, json.loads(dry.out)["valid"], json.loads(dry.out)["rejected"]), (1, 2, 3))
        self.assertEqual(self.must("scan", "notes", "--count"), "0\n")
        self.assertFalse((self.folder / "rejected.jsonl").exists())
        self.refused(1, "import", "notes", "--from", "bad.jsonl", "--rejected", "rejected.jsonl")
        self.assertEqual([json.loads(line)["line"] for line in (self.folder / "rejected.jsonl").read_text().splitlines()],
                         [3, 4, 5])
        self.assertEqual(self.must("scan", "notes", "--count"), "2\n")

    def test_csv_types_come_from_the_first_line(self):
        self.table()
        self.write("notes.csv", ["topic,written,n:N,text,any:JSON", 'a,1,1.50,"two\nlines",[1]', "b,2,,,"])
        self.must("import", "notes", "--from", "notes.csv")
        self.assertEqual(sorted(self.must("scan", "notes").splitlines()),
                         ['{"any":[1],"n":1.5,"text":"two\\nlines","topic":"a","written":1}', '{"topic":"b","written":2}'])
        self.write("wrong.csv", ["topic,written", "c,x"])
        self.assertIn('wrong.csv:2: written: "x" is not a number', self.refused(1, "import", "notes", "--from", "wrong.csv"))

    def test_an_import_goes_on_where_it_stopped(self):
        self.table()
        self.write("many.jsonl", (json.dumps({"topic": "t", "written": n}) for n in range(60_000)))
        with open(self.folder / "many.jsonl", "a") as file:
            file.write("{broken\n")
        self.assertIn("many.jsonl:60001", self.refused(1, "import", "notes", "--from", "many.jsonl", "--resume", "at"))
        state = json.loads((self.folder / "at").read_text())
        self.assertEqual((state["lines"], state["items"]), (50_000, 50_000))
        text = (self.folder / "many.jsonl").read_text()
        (self.folder / "many.jsonl").write_text(text.replace("{broken\n", " " * 7 + "\n"))
        done = self.must_json("import", "notes", "--from", "many.jsonl", "--resume", "at")
        self.assertEqual((done["before"], done["imported"]), (50_000, 10_000))
        self.assertFalse((self.folder / "at").exists())
        self.assertEqual(self.must("scan", "notes", "--count"), "60000\n")
        (self.folder / "at").write_text(json.dumps(state | {"size": 1}))
        self.assertIn("does not belong to this import",
                      self.refused(1, "import", "notes", "--from", "many.jsonl", "--resume", "at"))

    def test_tables_are_copied_and_compared(self):
        self.filled()
        self.assertEqual(self.must_json("table", "copy", "notes", "twin"),
                         {"copied": ITEMS, "changes": 0, "verified": ITEMS, "different": 0, "extra": 0})
        self.assertEqual(self.must("table", "diff", "notes", "twin"),
                         f"{ITEMS} the same, 0 changed, 0 missing, 0 extra\n")
        self.must("item", "put", "twin", '{"topic":"new","written":1}')
        self.must("item", "update", "twin", '{"topic":"t0","written":0}', "--set", "x=1")
        self.must("item", "delete", "twin", '{"topic":"t1","written":1}')
        diff = self.dolmen("table", "diff", "notes", "twin")
        self.assertEqual(diff.code, 1)
        self.assertEqual(sorted(diff.out.splitlines()), sorted([
            'changed  {"topic":"t0","written":0}', 'missing  {"topic":"t1","written":1}',
            'extra    {"topic":"new","written":1}', f"{ITEMS - 2} the same, 1 changed, 1 missing, 1 extra"]))
        self.must("table", "create", "other", "--key", "id")
        self.assertIn("different keys", self.refused(2, "table", "copy", "notes", "other"))


class AtAServer(Transfer):
    def make_store(self):
        server = Server()
        server.start()
        self.addCleanup(server.close)
        return ("--endpoint", server.url)


class BetweenStores(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def dolmen(self, *arguments):
        done = run(*arguments, cwd=self.folder)
        self.assertEqual((done.code, done.err), (0, ""), arguments)
        return done.out

    def test_a_table_moves_to_a_server_and_back(self):
        self.dolmen("table", "create", "notes", "--key", "id", "--ttl", "expires", "--tag", "a=b", "--index", "by-day:day:N")
        for number in range(30):
            self.dolmen("item", "put", "notes", json.dumps({"id": str(number), "day": number % 3}))
        with Server() as server:
            there = self.dolmen("copy", "notes", "--from", "./data", "--to", server.url, "--as", "moved", "--json")
            self.assertEqual(json.loads(there)["verified"], 30)
            made = json.loads(self.dolmen("table", "describe", "moved", "--endpoint", server.url, "--json"))
            self.assertEqual((made["ttl"], made["tags"], made["items"], made["indexes"][0]["items"]),
                             ("expires", {"a": "b"}, 30, 30))
            self.dolmen("copy", "moved", "--from", server.url, "--to", "back", "--json")
            self.dolmen("table", "diff", "notes", "moved", "--in", server.url)
        self.assertEqual(self.dolmen("scan", "moved", "--count", "--data", "back"), "30\n")

    def test_a_live_table_moves_with_its_changes(self):
        with Server() as one, Server() as other:
            at_one = ("--endpoint", one.url)
            self.dolmen("table", "create", "notes", "--key", "id", *at_one)
            refused = run("copy", "notes", "--from", one.url, "--to", other.url, "--follow", "--idle", "1")
            self.assertEqual(refused.code, 1)
            self.assertIn("no stream with new images; start one with", refused.err)
            self.dolmen("table", "update", "notes", "--stream", "new-image", *at_one)
            for number in range(10):
                self.dolmen("item", "put", "notes", json.dumps({"id": str(number)}), *at_one)
            copying = subprocess.Popen([BINARY, "copy", "notes", "--from", one.url, "--to", other.url, "--follow"],
                                       stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                       env=clean_environment(os.devnull))
            self.addCleanup(copying.kill)
            self.assertRegex(copying.stdout.readline(), r"^copied 10 items in \S+\n$")
            self.assertIn("following the stream", copying.stdout.readline())
            self.dolmen("item", "put", "notes", '{"id":"new"}', *at_one)
            self.dolmen("item", "delete", "notes", '{"id":"0"}', *at_one)
            client = other.client()
            self.addCleanup(client.close)
            for _ in range(10_000):
                ids = {item["id"]["S"] for item in client.scan(TableName="notes")["Items"]}
                if "new" in ids and "0" not in ids:
                    break
            self.assertEqual(ids, {"new", *map(str, range(1, 10))})
            copying.send_signal(signal.SIGINT)
            rest, _ = copying.communicate(timeout=PATIENCE_S)
            self.assertEqual((rest, copying.returncode), ("carried out 2 changes\nverified 10 items\n", 0))


class Tail(unittest.TestCase):
    def test_changes_are_lines_and_can_be_continued(self):
        with tempfile.TemporaryDirectory() as folder:
            def dolmen(*arguments):
                return run(*arguments, cwd=folder)

            dolmen("table", "create", "notes", "--key", "id")
            none = dolmen("stream", "tail", "notes", "--idle", "1")
            self.assertEqual((none.code, none.out), (1, ""))
            self.assertIn("start one with", none.err)
            dolmen("table", "update", "notes", "--stream", "new-and-old-images")
            dolmen("item", "put", "notes", '{"id":"a","n":1}')
            dolmen("item", "update", "notes", '{"id":"a"}', "--set", "n=2")
            first = dolmen("stream", "tail", "notes", "--oldest", "--limit", "1")
            self.assertEqual(first.code, 0, first.err)
            change = json.loads(first.out)
            self.assertRegex(change.pop("time"), r"^\d{4}-\d\d-\d\dT")
            self.assertEqual(change, {"event": "INSERT", "key": {"id": "a"}, "new": {"id": "a", "n": 1}})
            position = first.err.partition("--after '")[2].partition("'")[0]
            dolmen("item", "delete", "notes", '{"id":"a"}')
            rest = dolmen("stream", "tail", "notes", "--after", position, "--idle", "0.5", "--typed")
            events = [(line["event"], line["old"]["n"]) for line in map(json.loads, rest.out.splitlines())]
            self.assertEqual(events, [("MODIFY", {"N": "1"}), ("REMOVE", {"N": "2"})])


class CompletionAndHelp(unittest.TestCase):
    def test_bash_completes_verbs_options_and_words(self):
        def completed(*words):
            script = ('source <("$0" completion bash); COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _dolmen; '
                      'printf "%s\\n" "${COMPREPLY[@]}"')
            done = subprocess.run(["/bin/bash", "-c", script, BINARY, "dolmen", *words], capture_output=True, text=True,
                                  env=clean_environment(os.devnull), timeout=PATIENCE_S)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            return done.stdout.split()

        self.assertEqual(completed("qu"), ["query"])
        self.assertEqual(completed("table", "de"), ["describe", "delete"])
        self.assertEqual(completed("query", "notes", "--desc"), ["--descending"])
        self.assertEqual(completed("import", "notes", "--format", "t"), ["typed"])

    def test_the_scripts_for_other_shells_are_accepted_by_them(self):
        for shell in ("zsh", "fish"):
            script = run("completion", shell).out
            self.assertIn("query", script)
            if shutil.which(shell) is None:
                print(f"skipped: no {shell} on this machine")
                continue
            done = subprocess.run([shell, "-n"], input=script, text=True, capture_output=True, timeout=PATIENCE_S)
            self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_help_shows_options_and_examples_of_a_verb(self):
        shown = run("help", "table", "create")
        self.assertEqual((shown.code, shown.err), (0, ""))
        self.assertIn("--key KEYS", shown.out)
        self.assertIn("Examples:\n  dolmen table create notes --key topic:S,written:N\n", shown.out)
        self.assertTrue(shown.out.startswith(run("table", "create", "--help").out))
        self.assertEqual(run("help").out, run("--help").out)
        wrong = run("help", "tabel", "create")
        self.assertEqual((wrong.code, wrong.out), (2, ""))
        self.assertIn('did you mean "table create"?', wrong.err)


if __name__ == "__main__":
    unittest.main()

#!/usr/bin/python3
"""Statements, the shell, the doctor, the bench, the demo, and what is written from the table of options."""

import gzip
import json
import os
import pathlib
import pty
import re
import select
import signal
import subprocess
import tempfile
import unittest

from dolmen_server import BINARY, PATIENCE_S, ROOT, Server, clean_environment, run


class Everyday(unittest.TestCase):
    """On a directory; the class below runs the same at a server."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.store = self.make_store()
        self.must("table", "create", "notes", "--key", "topic:S,written:N", "--ttl", "expires", "--stream", "new-image")

    def make_store(self):
        return ("--data", str(self.folder / "data"))

    def dolmen(self, *arguments):
        return run(*arguments, *self.store, cwd=self.folder)

    def must(self, *arguments):
        done = self.dolmen(*arguments)
        self.assertEqual((done.code, done.err), (0, ""), arguments)
        return done.out

    def put(self, **item):
        self.must("item", "put", "notes", json.dumps(item))

    def load(self, items):
        (self.folder / "items.jsonl").write_text("".join(json.dumps(item) + "\n" for item in items))
        self.must("import", "notes", "--from", "items.jsonl")

    # ---- sql ----

    def test_statements_read_and_write(self):
        self.assertEqual(self.must("sql", "INSERT INTO notes VALUE {'topic': 'a', 'written': 1, 'text': 'stone'}"), "done\n")
        self.must("sql", "INSERT INTO notes VALUE {'topic': ?, 'written': ?};", "--value", '"a"', "--value", "2")
        self.assertEqual(self.must("sql", "SELECT written FROM notes WHERE topic = 'a' AND written > 1"), '{"written":2}\n')
        rows = json.loads(self.must("sql", "SELECT * FROM notes WHERE topic = 'a'", "--json"))
        self.assertEqual((rows["count"], rows["items"][0]["text"]), (2, "stone"))
        self.assertEqual(self.must("sql", "UPDATE notes SET text = 'x' WHERE topic = 'a' AND written = 2 RETURNING ALL NEW *"),
                         '{"text":"x","topic":"a","written":2}\n')
        first = json.loads(self.must("sql", "SELECT * FROM notes", "--limit", "1", "--json"))
        rest = json.loads(self.must("sql", "SELECT * FROM notes", "--after", first["after"], "--json"))
        self.assertEqual((first["count"], rest["count"]), (1, 1))
        self.assertEqual(self.must("sql", "SELECT text FROM notes WHERE topic = 'a' AND written = 1", "--typed"),
                         '{"text":{"S":"stone"}}\n')

    def test_a_wrong_statement_is_an_error_with_its_place(self):
        done = self.dolmen("sql", "SELEKT", "--json")
        self.assertEqual((done.code, json.loads(done.out)["error"]), (1, "Validation"))
        done = self.dolmen("sql", "SELECT * FROM notes WHERE topic = ?", "--value", "x")
        self.assertEqual((done.code, done.out), (2, ""))
        self.assertIn("--value: x is not JSON", done.err)

    # ---- shell ----

    def lines_in_shell(self, text):
        return subprocess.run([BINARY, "shell", *self.store], input=text, capture_output=True, text=True, cwd=self.folder,
                              env=clean_environment(self.folder), timeout=PATIENCE_S)

    def test_a_shell_takes_statements_and_verbs_line_by_line(self):
        done = self.lines_in_shell("""
# a comment
item put notes '{"topic": "a", "written": 1}'
SELECT * FROM notes
query notes \\
  --where 'topic = "a"' --count
table list
exit
table delete notes --yes
""")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(done.stdout, 'added\n{"topic":"a","written":1}\n1\nnotes\n')
        self.must("table", "describe", "notes")

    def test_a_shell_that_is_no_terminal_ends_at_the_first_failure(self):
        done = self.lines_in_shell("table lst\ntable list\n")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("did you mean list", done.stderr)
        done = self.lines_in_shell("scan nots\ntable list\n")
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn('did you mean "notes"', done.stderr)

    def test_options_of_a_line_do_not_stay_for_the_next(self):
        for written in (1, 2, 3):
            self.put(topic="a", written=written)
        done = self.lines_in_shell("scan notes --limit 1\nscan notes --count\n")
        self.assertEqual(done.stdout.splitlines()[-1], "3")

    def test_a_terminal_completes_and_remembers(self):
        self.put(topic="a", written=1, author="ada")
        history = self.folder / "history"
        environment = clean_environment(self.folder) | {"TERM": "xterm", "DOLMEN_HISTORY": str(history), "NO_COLOR": "1"}
        # A terminal of its own, which sends Ctrl-C as a signal.
        child, parent = pty.fork()
        if child == 0:
            os.chdir(self.folder)
            os.execve(BINARY, [BINARY, "shell", *self.store], environment)
        seen = b""

        def until(pattern):
            nonlocal seen
            while not re.search(pattern, seen):
                ready, _, _ = select.select([parent], [], [], PATIENCE_S)
                self.assertTrue(ready, f"nothing more after {seen!r}")
                seen += os.read(parent, 65536)
            seen = seen[re.search(pattern, seen).end():]

        try:
            until(rb"dolmen> ")
            os.write(parent, b"que\tno\t--wh\t'to\t = \"a\"'\n")
            until(rb"author[^\n]*\n")       # A table with the names of its columns.
            until(rb"ada")
            until(rb"1 item")
            until(rb"dolmen> ")
            os.write(parent, b"SELECT au\x03")  # Ctrl-C gives up the line, not the shell.
            until(rb"dolmen> ")
            os.write(parent, b"exit\n")
            until(rb"exit")
            self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), 0)
            child = 0
        finally:
            if child != 0:
                os.kill(child, signal.SIGKILL)
                os.waitpid(child, 0)
            os.close(parent)
        self.assertIn("query", history.read_text())
        self.assertEqual(history.stat().st_mode & 0o777, 0o600)

    # ---- doctor, bench ----

    def test_the_doctor_finds_what_will_hurt(self):
        self.assertIn("nothing to worry about", self.must("doctor"))
        self.load([{"topic": "a", "written": 1, "expires": 1900000000000}, {"topic": "a", "written": 2, "text": "x" * 380_000},
                   *({"topic": "hot" if count % 2 else f"cold{count}", "written": count} for count in range(150))])
        done = self.dolmen("doctor", "--json")
        answer = json.loads(done.out)
        self.assertEqual((done.code, answer["items"]), (1, 152))
        self.assertEqual([each["kind"] for each in answer["findings"]], ["large-item", "ttl-milliseconds", "hot-key"])
        self.assertIn('1 item looks like milliseconds', self.dolmen("doctor", "notes").out)
        self.assertIn('did you mean "notes"', self.dolmen("doctor", "nots").err)

    def test_the_bench_measures_and_leaves_nothing(self):
        answer = json.loads(self.must("bench", "--seconds", "0.05", "--items", "100", "--connections", "2", "--json"))
        self.assertEqual([each["kind"] for each in answer["results"]], ["batch", "put", "get", "update", "query"])
        for each in answer["results"]:
            self.assertGreater(each["requests"], 0)
            self.assertLessEqual(each["p50Microseconds"], each["maxMicroseconds"])
        self.assertEqual(self.must("table", "list"), "notes\n")

    # ---- Files of AWS ----

    def test_an_export_for_aws_comes_back_and_has_its_layout(self):
        self.must("sql", "INSERT INTO notes VALUE {'topic': 'a', 'written': 99, 'tags': <<'x', 'y'>>}")
        self.load([{"topic": "a", "written": written} for written in range(59)])
        self.must("export", "notes", "--to", "exported", "--format", "aws")
        (place,) = (self.folder / "exported/AWSDynamoDB").iterdir()
        summary = json.loads((place / "manifest-summary.json").read_text())
        (entry,) = [json.loads(line) for line in (place / "manifest-files.json").read_text().splitlines()]
        self.assertEqual((summary["itemCount"], summary["outputFormat"], entry["itemCount"]), (60, "DYNAMODB_JSON", 60))
        items = [json.loads(line) for line in gzip.decompress((place.parent.parent / entry["dataFileS3Key"]).read_bytes()).splitlines()]
        self.assertIn({"Item": {"topic": {"S": "a"}, "written": {"N": "99"}, "tags": {"SS": ["x", "y"]}}}, items)
        for source in (place, self.folder / "exported"):
            self.must("table", "create", "back", "--key", "topic:S,written:N")
            self.assertEqual(json.loads(self.must("import", "back", "--from", str(source), "--json"))["imported"], 60)
            self.assertIn("60 the same, 0 changed, 0 missing, 0 extra", self.must("table", "diff", "notes", "back"))
            self.must("table", "delete", "back", "--yes")

    def test_several_data_files_and_what_is_wrong_with_them(self):
        place = self.folder / "aws"
        (place / "data").mkdir(parents=True)
        lines = []
        for number in range(3):
            name = f"part{number}.json.gz"
            records = "".join('{"Item":{"topic":{"S":"%d"},"written":{"N":"%d"}}}\n' % (number, i) for i in range(10))
            (place / "data" / name).write_bytes(gzip.compress(records.encode()))
            lines.append(json.dumps({"itemCount": 10, "dataFileS3Key": f"AWSDynamoDB/x/data/{name}"}))
        (place / "manifest-files.json").write_text("\n".join(lines) + "\n")
        self.assertEqual(json.loads(self.must("import", "notes", "--from", str(place), "--json"))["imported"], 30)
        (place / "data/part1.json.gz").write_bytes(gzip.compress(b'{"Item":{"topic":{"S":"1"}}}\n'))
        done = self.dolmen("import", "notes", "--from", place, "--dry-run")
        self.assertEqual(done.code, 1)
        self.assertIn("part1.json.gz:1: the key attribute \"written\" is missing", done.err)
        (place / "data/part2.json.gz").write_bytes(gzip.compress(records.encode())[:-12])
        self.assertIn("cut off", self.dolmen("import", "notes", "--from", place, "--dry-run").err)
        (place / "manifest-summary.json").write_text('{"outputFormat": "ION"}')
        self.assertIn("ION", self.dolmen("import", "notes", "--from", place).err)
        self.assertIn("has no manifest-files.json", self.dolmen("import", "notes", "--from", place / "data").err)

    def test_files_may_be_compressed(self):
        self.put(topic="a", written=1)
        self.must("export", "notes", "--to", "notes.jsonl.gz")
        self.assertEqual(gzip.decompress((self.folder / "notes.jsonl.gz").read_bytes()), b'{"topic":"a","written":1}\n')
        self.assertIn("imported 1 item", self.must("import", "notes", "--from", "notes.jsonl.gz"))


class EverydayAtServer(Everyday):
    def make_store(self):
        server = Server()
        server.__enter__()
        self.addCleanup(server.__exit__, None, None, None)
        return ("--endpoint", server.url)


class Host(unittest.TestCase):
    def test_localhost_is_an_address(self):
        with Server(flags=("--host", "localhost")) as server:
            self.assertEqual(run("table", "list", "--endpoint", f"http://localhost:{server.port}").code, 0)


class Demo(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def test_the_demo_shows_every_room_and_leaves_a_store(self):
        done = run("demo", cwd=self.folder)
        self.assertEqual(done.code, 0, done.out + done.err)
        for verb in ("table create", "sql", "model apply", "contract bind", "entity query", "relation tree", "document query",
                     "lease acquire", "isr list", "vector search", "stream tail", "backup create", "doctor"):
            self.assertIn(f"$ dolmen {verb}", done.out)
        self.assertEqual(run("scan", "notes", "--count", cwd=self.folder / "dolmen-demo").out, "4\n")
        stones = [json.loads(line) for line in (self.folder / "dolmen-demo/stones.jsonl").read_text().splitlines()]
        self.assertEqual(len({tuple(stone["look"]) for stone in stones}), len(stones), "each stone looks different")
        again = run("demo", cwd=self.folder)
        self.assertEqual((again.code, again.out), (2, ""))
        self.assertIn("is not empty", again.err)

    def test_the_demo_fills_a_server(self):
        with Server() as server:
            done = run("demo", "--endpoint", server.url, "--json", cwd=self.folder)
            self.assertEqual(done.code, 0, done.out + done.err)
            self.assertEqual(json.loads(done.out)["store"], server.url)
            self.assertIn("users", run("table", "list", "--endpoint", server.url).out)
            status = json.loads(run("contract", "status", "--table", "shop", "--json", "--endpoint", server.url).out)
            self.assertEqual(status["mode"], "warn", status)


class Reference(unittest.TestCase):
    def test_every_verb_has_examples_that_are_understood(self):
        done = run("reference", "--check")
        self.assertEqual((done.code, done.out), (0, ""))

    def test_the_command_reference_is_that_of_this_program(self):
        self.assertEqual((ROOT / "docs/commands.md").read_text(), run("reference", "--to", "-").out,
                         "write it again: build/release/bin/dolmen reference --to - > docs/commands.md")

    def test_manual_pages_and_completion_are_accepted_by_their_readers(self):
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(run("reference", "--to", folder).code, 0)
            pages = sorted(pathlib.Path(folder, "man").iterdir())
            self.assertIn("dolmen-table.1", [page.name for page in pages])
            readers = {"man": ["--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z"]}
            for page in pages:
                if not pathlib.Path("/usr/bin/man").exists():
                    print("skipped: manual pages (man is not installed)")
                    break
                shown = subprocess.run(["/usr/bin/man", *readers["man"], page], capture_output=True, text=True)
                self.assertEqual((shown.returncode, shown.stderr), (0, ""), page.name)
            for shell, name in (("bash", "dolmen.bash"), ("zsh", "_dolmen"), ("fish", "dolmen.fish")):
                if not any(pathlib.Path(place, shell).exists() for place in ("/bin", "/usr/bin")):
                    print(f"skipped: completion in {shell} (it is not installed)")
                    continue
                checked = subprocess.run([shell, "-n", f"{folder}/completion/{name}"], capture_output=True, text=True)
                self.assertEqual((checked.returncode, checked.stderr), (0, ""), shell)


class Container(unittest.TestCase):
    """What the image would start. No container runs here."""

    def entry(self, *arguments):
        return subprocess.run([ROOT / "packaging/docker/entry", *arguments], capture_output=True, text=True,
                              env={"PATH": "/usr/bin:/bin", "DOLMEN_ENTRY_SHOW": "1"})

    def test_arguments_of_dynamodb_local_are_translated(self):
        for words, command in (
                ("-jar DynamoDBLocal.jar -sharedDb -dbPath ./data", "--port 8000 --data ./data/dolmen"),
                ("-Djava.library.path=./x -jar DynamoDBLocal.jar -inMemory -sharedDb -port 9000", "--port 9000 --memory"),
                ("-sharedDb -inMemory -cors http://a,http://b", "--port 8000 --memory --cors-origin http://a --cors-origin http://b"),
                ("-jar DynamoDBLocal.jar -sharedDb", "--port 8000 --data ./dolmen")):
            done = self.entry(*words.split())
            self.assertEqual((done.returncode, done.stderr), (0, ""), words)
            self.assertEqual(done.stdout, f"dolmen serve --host 0.0.0.0 --insecure {command}\n")
            shown = run("config", "show", *done.stdout.split()[2:])
            self.assertEqual(shown.code, 0, shown.err)

    def test_verbs_of_dolmen_are_taken_as_they_are(self):
        self.assertEqual(self.entry("table", "list").stdout, "dolmen table list\n")
        self.assertEqual(self.entry().stdout, "dolmen serve\n")

    def test_what_nobody_knows_is_refused_and_what_has_no_effect_is_said(self):
        for words, message in (("-foo", "-foo is not an option"), ("-inMemory -dbPath x", "cannot be used together"),
                               ("-port", "-port needs a value")):
            done = self.entry(*words.split())
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertIn(message, done.stderr)
        self.assertIn("there is no delay", self.entry("-inMemory", "-delayTransientStatuses").stderr)


if __name__ == "__main__":
    unittest.main()

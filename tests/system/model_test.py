#!/usr/bin/python3
"""`dolmen model`: every mistake of a file with its place, what to change, and an exit status that scripts can use."""

import json
import os
import pathlib
import tempfile
import unittest

from dolmen_server import run

ROOT = pathlib.Path(os.environ["DOLMEN_ROOT"])
BROKEN = sorted(path for path in (ROOT / "tests/models/broken").iterdir() if path.suffix != ".txt")


class Check(unittest.TestCase):
    def test_every_mistake_is_a_line_with_its_place(self):
        for path in BROKEN:
            with self.subTest(path.name):
                name = str(path.relative_to(ROOT))
                finished = run("model", "check", name, cwd=ROOT)
                self.assertEqual((finished.code, finished.err), (1, ""))
                *lines, summary = finished.out.splitlines()
                found = [line.removeprefix(name + ":").replace(" error: ", " ", 1) for line in lines]
                expected = path.with_suffix(".txt").read_text().splitlines()
                self.assertEqual([" ".join(line.split(None, 1)) for line in found], expected)
                count = len(expected)
                self.assertEqual(summary, f"{count} error{'s' if count != 1 else ''}")

    def test_messages_stand_under_each_other(self):
        finished = run("model", "check", "tests/models/broken/roles.yml", cwd=ROOT)
        *lines, _ = finished.out.splitlines()
        self.assertEqual(len({line.index(" error: ") for line in lines}), 1, finished.out)

    def test_good_files_are_counted(self):
        finished = run("model", "check", "tests/models/user.yml", "tests/models/user.yml", cwd=ROOT)
        self.assertEqual((finished.code, finished.out, finished.err), (0, "4 models in 2 files, no errors\n", ""))

    def test_json_has_the_same_in_it(self):
        finished = run("model", "check", "--json", "tests/models/broken/version.yml", "tests/models/user.yml", cwd=ROOT)
        self.assertEqual((finished.code, finished.err), (1, ""))
        report = json.loads(finished.out)
        self.assertEqual(report["errors"], 2)
        bad, good = report["files"]
        self.assertEqual(good, {"file": "tests/models/user.yml", "errors": []})
        self.assertEqual({key: bad["errors"][0][key] for key in ("line", "column", "path", "rule")},
                         {"line": 1, "column": 14, "path": "dms_version", "rule": "dms_version"})

    def test_a_file_that_cannot_be_read_is_an_error(self):
        finished = run("model", "check", "none.yml", cwd=ROOT)
        self.assertEqual(finished.code, 1)
        self.assertIn("cannot read none.yml: No such file or directory", finished.out)

    def test_no_file_is_a_wrong_question(self):
        self.assertEqual(run("model", "check").code, 2)
        self.assertEqual(run("model").code, 2)
        self.assertEqual(run("model", "show", "a.yml", "b.yml").code, 2)


class Show(unittest.TestCase):
    def test_the_view_has_keys_attributes_and_indexes(self):
        finished = run("model", "show", "tests/models/user.yml", cwd=ROOT)
        self.assertEqual((finished.code, finished.err), (0, ""))
        for line in ("namespace acme.accounts", "User  in table users, names in camelCase", "key: PK (S) / SK (S)",
                     "GSI gsi-email: emailHash (S)  ALL", "LSI lsi-created: PK (S) / createdAt (S)  INCLUDE (nickname)",
                     "PageMetadata  in table pages, names in snake_case", "key: pk (S)"):
            self.assertIn(line + "\n", finished.out)
        rows = [line for line in finished.out.splitlines() if line.startswith("│")]
        self.assertIn(["│", "phone", "│", "S", "│", "│", "optional,", "encrypted", "│"], [row.split() for row in rows])
        self.assertEqual(len({len(row) for row in rows[:13]}), 1, finished.out)

    def test_json_is_complete(self):
        shown = json.loads(run("model", "show", "--json", "tests/models/user.yml", cwd=ROOT).out)
        user = shown["models"][0]
        self.assertEqual(user["keys"]["sort"], {"attribute": "SK", "type": "S"})
        self.assertEqual(user["attributes"][2], {"attribute": "emailHash", "type": "S", "optional": True,
                                                 "omit_empty": True, "roles": ["index_pk:gsi-email"]})
        self.assertEqual(user["indexes"][1]["projection"], {"type": "INCLUDE", "fields": ["nickname"]})

    def test_json_is_a_dms_file_that_checks_and_shows_the_same(self):
        with tempfile.TemporaryDirectory() as folder:
            for model in ("tests/models/user.yml", "tests/models/release.yml", "tests/models/hard_names.yml",
                          "contract/models/sample.yml"):
                shown = run("model", "show", "--json", model, cwd=ROOT).out
                copy = pathlib.Path(folder, "shown.json")
                copy.write_text(shown)
                checked = run("model", "check", str(copy))
                self.assertEqual((checked.code, checked.err), (0, ""), checked.out)
                self.assertEqual(run("model", "show", "--json", str(copy)).out, shown)

    def test_a_broken_file_is_checked_instead(self):
        finished = run("model", "show", "tests/models/broken/version.yml", cwd=ROOT)
        self.assertEqual(finished.code, 1)
        self.assertIn("error: dms_version must be a string", finished.out)


class Generate(unittest.TestCase):
    def test_the_same_file_always_gives_the_header_that_is_kept(self):
        with tempfile.TemporaryDirectory() as folder:
            for model, flags in (("tests/models/user.yml", ()), ("contract/models/isr_cache.yml", ("--namespace", "::")),
                                 ("tests/models/release.yml", ()),
                                 ("contract/models/sample.yml", ("--namespace", "contract"))):
                kept = (ROOT / "tests/models" / pathlib.Path(model).name).with_suffix(".h").read_text()
                printed = run("model", "generate", "--lang", "cpp", model, *flags, cwd=ROOT)
                self.assertEqual((printed.code, printed.out, printed.err), (0, kept, ""))
                written = pathlib.Path(folder, "written.h")
                finished = run("model", "generate", "--lang", "cpp", model, "--output", str(written), *flags, cwd=ROOT)
                self.assertEqual((finished.code, finished.out, finished.err),
                                 (0, f"{written}: 2 models of {model}\n", ""))
                self.assertEqual(written.read_text(), kept)

    def test_json_names_what_was_generated(self):
        report = json.loads(run("model", "generate", "--lang", "cpp", "--json", "tests/models/user.yml", cwd=ROOT).out)
        self.assertEqual(report["files"][0].pop("text"), (ROOT / "tests/models/user.h").read_text())
        self.assertEqual(report, {"language": "cpp", "files": [{"file": "tests/models/user.yml", "models": [
            {"model": "User", "type": "User", "rules": "user"},
            {"model": "PageMetadata", "type": "PageMetadata", "rules": "page_metadata"}]}]})

    def test_a_language_that_is_not_known_is_refused_with_those_that_are(self):
        finished = run("model", "generate", "--lang", "rust", "tests/models/user.yml", cwd=ROOT)
        self.assertEqual((finished.code, finished.out), (2, ""))
        self.assertIn('--lang: "rust" is not allowed; use cpp, ts, go or python', finished.err)
        self.assertEqual(run("model", "generate", "tests/models/user.yml", cwd=ROOT).code, 2)

    def test_nothing_is_written_when_something_is_wrong(self):
        with tempfile.TemporaryDirectory() as folder:
            written = pathlib.Path(folder, "written.h")
            generate = lambda *flags: run("model", "generate", "--lang", "cpp", *flags, cwd=ROOT)
            finished = generate("tests/models/broken/version.yml", "--output", str(written))
            self.assertEqual((finished.code, finished.out), (1, ""))
            self.assertIn("tests/models/broken/version.yml:1:14: dms_version must be a string", finished.err)
            finished = generate("tests/models/user.yml", "--namespace", "a b", "--output", str(written))
            self.assertEqual((finished.code, finished.out), (2, ""))
            self.assertIn('"a b" is not the name of a C++ namespace', finished.err)
            self.assertFalse(written.exists())
            finished = generate("tests/models/user.yml", "--output", f"{folder}/none/user.h")
            self.assertEqual((finished.code, finished.out), (1, ""))
            self.assertIn("user.h: No such file or directory", finished.err)


if __name__ == "__main__":
    unittest.main()

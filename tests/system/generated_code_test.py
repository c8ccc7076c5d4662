#!/usr/bin/python3
"""`dolmen model generate` in every language: the code is what is kept in tests/generated/kept, is formatted as the formatter of
its language would, compiles under the strictest checks, and writes rows that every other language reads."""

import base64
import json
import os
import pathlib
import re
import shutil
import subprocess
import unittest

from dolmen_server import BINARY, PATIENCE_S, ROOT, Server, clean_environment

PEERS = pathlib.Path(os.environ.get("DOLMEN_PEERS", ROOT / "build/peers"))
KEPT = ROOT / "tests/generated/kept"
SOURCES = [ROOT / "contract/models/sample.yml"] + [ROOT / f"tests/models/{name}.yml"
                                                    for name in ("doc", "hard_names", "release", "user")]
ENDINGS = {"python": ".py", "ts": ".ts", "go": "_model.go"}
NODE_MODULES = PEERS / "typescript/node_modules"
PYTHON = PEERS / "python/bin"
GO = PEERS / "go"
ROWS = pathlib.Path(BINARY).parent / "generated_rows"
GO_ENVIRONMENT = {"GOMODCACHE": str(GO / "modules"), "GOCACHE": str(GO / "cache"), "GOFLAGS": "-mod=mod -modcacherw",
                  "GOPROXY": "off", "GOSUMDB": "off", "GOTOOLCHAIN": "local"}
TSCONFIG = """{"compilerOptions": {"strict": true, "target": "ES2022", "module": "NodeNext", "moduleResolution": "NodeNext",
"skipLibCheck": true, "exactOptionalPropertyTypes": true, "noUncheckedIndexedAccess": true, "noUnusedLocals": true,
"noUnusedParameters": true, "types": ["node"], "outDir": "out"}, "include": ["*.ts", "models/*.ts"]}
"""


def run(*command, check=True, **options):
    done = subprocess.run([str(each) for each in command], capture_output=True, text=True, timeout=6 * PATIENCE_S,
                          stdin=subprocess.DEVNULL, **options)
    if check and done.returncode != 0:
        raise AssertionError(f"{' '.join(map(str, command))}\n{done.stdout}\n{done.stderr}")
    return done


def generate(language, folder, *more, sources=None, check=True):
    return run(BINARY, "model", "generate", "--lang", language, *(sources or SOURCES), "-o", folder, *more, check=check)


def missing(language):
    """Why code of the language cannot be checked here; nothing when it can."""
    if language == "python" and not (PYTHON / "mypy").exists():
        return "there is no mypy (tools/fetch_peers fetches it from PyPI)"
    if language == "ts" and not shutil.which("node"):
        return "there is no node (package nodejs)"
    if language == "ts" and not (NODE_MODULES / ".bin/tsc").exists():
        return "there is no TypeScript (tools/fetch_peers fetches it from npm)"
    if language == "go" and not shutil.which("go"):
        return "there is no go"
    if language == "go" and not (GO / "go.mod").exists():
        return "there is no AWS SDK for Go (tools/fetch_peers fetches it)"
    return None


def workspace(language):
    """A folder with generated code in `models`, in which the tools of the language work."""
    folder = pathlib.Path(language).absolute()
    shutil.rmtree(folder, ignore_errors=True)
    generate(language, folder / "models")
    shutil.copy(ROOT / f"tests/generated/rows{'.py' if language == 'python' else '.' + language}", folder)
    if language == "ts":
        (folder / "node_modules").symlink_to(NODE_MODULES)
        (folder / "package.json").write_text('{"type": "module"}\n')
        (folder / "tsconfig.json").write_text(TSCONFIG)
    if language == "go":
        for name in ("go.mod", "go.sum"):
            shutil.copy(GO / name, folder)
    return folder


class Code(unittest.TestCase):
    def test_is_what_is_kept(self):
        for language, ending in ENDINGS.items():
            folder = pathlib.Path(f"fresh-{language}").absolute()
            generate(language, folder, *(("--namespace", "models") if language == "go" else ()))
            for source in SOURCES:
                name = source.stem + ending
                with self.subTest(name):
                    self.assertEqual((folder / name).read_text(), (KEPT / language / name).read_text())

    def test_check_writes_nothing_and_tells_what_differs(self):
        folder = pathlib.Path("checked").absolute()
        fresh = generate("python", folder, "--check", check=False)
        self.assertEqual((fresh.returncode, folder.exists()), (1, False))
        generate("python", folder)
        self.assertEqual(generate("python", folder, "--check").stdout, "0 of 7 files differ\n")
        (folder / "user.py").write_text("")
        stale = generate("python", folder, "--check", check=False)
        self.assertEqual((stale.returncode, stale.stderr), (1, ""))
        self.assertEqual(stale.stdout, f"{folder}/user.py: is not what would be generated now\n1 of 7 files differs\n")
        self.assertEqual((folder / "user.py").read_text(), "")

    def test_arguments_that_do_not_fit_are_refused(self):
        refused = lambda *arguments: run(BINARY, "model", "generate", *arguments, check=False)
        for arguments, why in ((("--lang", "python", SOURCES[0]), "comes in several files; give --output DIR"),
                               (("--lang", "cpp", SOURCES[0], "--check"), "--check needs --output"),
                               (("--lang", "cpp", *SOURCES), "5 files need --output DIR"),
                               (("--lang", "go", *SOURCES, "-o", "one.go"), "5 files do not fit into one.go"),
                               (("--lang", "ts", SOURCES[0], ROOT / "contract/models", "-o", "twice"),
                                "would replace other code")):
            done = refused(*arguments)
            self.assertEqual((done.returncode, done.stdout), (2, ""), arguments)
            self.assertIn(why, done.stderr)
        self.assertFalse(pathlib.Path("twice").exists())

    def test_python_is_formatted_and_typed(self):
        if why := missing("python"):
            print(f"skipped: checks of generated Python: {why}")
            return
        folder = workspace("python")
        run(PYTHON / "black", "--check", "--quiet", "models", cwd=folder)
        run(PYTHON / "mypy", "--strict", "--cache-dir", PEERS / "python/mypy_cache", "-p", "models", cwd=folder)

    def test_typescript_is_formatted_and_typed(self):
        if why := missing("ts"):
            print(f"skipped: checks of generated TypeScript: {why}")
            return
        folder = workspace("ts")
        run("node", NODE_MODULES / "prettier/bin/prettier.cjs", "--check", "models", cwd=folder)
        run("node", NODE_MODULES / "typescript/bin/tsc", "-p", ".", cwd=folder)

    def test_go_is_formatted_and_vetted(self):
        if why := missing("go"):
            print(f"skipped: checks of generated Go: {why}")
            return
        folder = workspace("go")
        self.assertEqual(run("gofmt", "-l", ".", cwd=folder).stdout, "")
        run("go", "vet", "./...", cwd=folder, env=os.environ | GO_ENVIRONMENT)


def programs():
    """The command of each language that can be run here."""
    out = {"cpp": [ROWS]}
    for language in ENDINGS:
        if why := missing(language):
            print(f"skipped: rows of generated {language}: {why}")
            continue
        folder = workspace(language)
        if language == "python":
            out[language] = ["/usr/bin/python3", folder / "rows.py", folder]
        elif language == "ts":
            run("node", NODE_MODULES / "typescript/bin/tsc", "-p", ".", cwd=folder)
            out[language] = ["node", folder / "out/rows.js"]
        else:
            run("go", "build", "-o", "rows", ".", cwd=folder, env=os.environ | GO_ENVIRONMENT)
            out[language] = [folder / "rows"]
    return out


SCHEMA = """{"schema_id": "all", "schema_version": "v1", "fields": {
"_id": {"type": "string", "required": true}, "class": {"type": "string", "required": false},
"2nd name": {"type": "string", "required": false}, "i": {"type": "int", "required": true},
"f": {"type": "float", "required": true}, "b": {"type": "bool", "required": false},
"o": {"type": "object", "required": false, "fields": {"x": {"type": "int", "required": true}}},
"a": {"type": "array", "required": false, "element_type": {"type": "string"}},
"rows": {"type": "array", "required": false, "element_type": {"type": "object", "fields": {"c": {"type": "float", "required": true}}}}}}
"""


class EntitiesAndDocuments(unittest.TestCase):
    """Names of entities and types of documents, checked by the tools of each language."""

    def folder(self, language):
        schema = pathlib.Path("all-v1.json").absolute()
        schema.write_text(SCHEMA)
        folder = pathlib.Path(f"more-{language}").absolute()
        for verb, source in (("schema", schema), ("entity", ROOT / "tests/entity/names.yml")):
            run(BINARY, verb, "generate", "--lang", language, source, "-o", folder / verb)
            self.assertIn("0 of 1 files differ",
                          run(BINARY, verb, "generate", "--lang", language, source, "-o", folder / verb, "--check").stdout)
        return folder

    def test_python(self):
        folder = self.folder("python")
        if why := missing("python"):
            print(f"skipped: checks of types in Python: {why}")
            return
        run(PYTHON / "black", "--check", "--quiet", ".", cwd=folder)
        (folder / "use.py").write_text("from schema.all_v1 import AllV1\n\n"
                                       'good: AllV1 = {"_id": "1", "i": 1, "f": 2.5, "rows": [{"c": 1.0}]}\n'
                                       'bad: AllV1 = {"_id": 1, "i": 1, "f": 2.5}\n')
        found = run(PYTHON / "mypy", "--strict", "--cache-dir", PEERS / "python/mypy_cache", "use.py", cwd=folder, check=False)
        self.assertIn("Found 1 error", found.stdout)

    def test_typescript(self):
        folder = self.folder("ts")
        if why := missing("ts"):
            print(f"skipped: checks of types in TypeScript: {why}")
            return
        run("node", NODE_MODULES / "prettier/bin/prettier.cjs", "--check", ".", cwd=folder)
        run("node", NODE_MODULES / "typescript/bin/tsc", "--strict", "--noEmit", *folder.glob("*/*.ts"))

    def test_go(self):
        folder = self.folder("go")
        if why := missing("go"):
            print(f"skipped: checks of types in Go: {why}")
            return
        self.assertEqual(run("gofmt", "-l", ".", cwd=folder).stdout, "")
        (folder / "go.mod").write_text("module more\n")
        (folder / "main.go").write_text('package main\n\nimport (\n\t"encoding/json"\n\t"os"\n\n\t"more/schema"\n)\n\n'
                                        'func main() {\n\t_ = json.NewEncoder(os.Stdout).Encode(schema.AllV1{ID: "1", F: 30})\n}\n')
        environment = os.environ | GO_ENVIRONMENT
        run("go", "vet", "./...", cwd=folder, env=environment)
        self.assertEqual(run("go", "run", ".", cwd=folder, env=environment).stdout, '{"_id":"1","f":30.0,"i":0}\n')

    def test_cpp(self):
        folder = self.folder("cpp")
        (folder / "use.cc").write_text('#include "schema/all-v1.h"\n#include "entity/names.h"\n'
                                       "int main() { return static_cast<int>(AllV1{}.i); }\n")
        run("g++", "-std=c++23", "-fsyntax-only", "-I", ROOT / "include", "-I", folder, folder / "use.cc")


def members(text, start, pattern):
    """The types of the members of Sample, in the order of the model."""
    body = text[text.index(start) + len(start):]
    return [match[1].strip() for match in map(re.compile(pattern).match, body.split("\n}")[0].split("\n\n\n")[0].splitlines()) if match]


def type_table():
    """What docs/interop.md says of types: the first attribute of each combination."""
    model = json.loads(run(BINARY, "model", "show", "--json", SOURCES[0]).stdout)["models"][0]
    columns = [
        members((ROOT / "tests/models/sample.h").read_text(), "struct Sample {", r"  ([\w:<>, ]+) \w+( = \w+|\{\})?;"),
        members((KEPT / "ts/sample.ts").read_text(), "export interface Sample {", r"  \w+\??: (.*);"),
        members((KEPT / "go/sample_model.go").read_text(), "type Sample struct {", r"\t\w+ +(.*?) +`"),
        members((KEPT / "python/sample.py").read_text(), "class Sample:", r"    \w+: ([^=#]*)"),
    ]
    attributes = model["attributes"]
    assert all(len(column) == len(attributes) for column in columns), [len(column) for column in columns]
    lines = ["| attribute | C++ | TypeScript | Go | Python |", "|---|---|---|---|---|"]
    seen = set()
    for attribute, *types in zip(attributes, *columns):
        if tuple(types) in seen:
            continue
        seen.add(tuple(types))
        what = attribute["type"] + (", json" if attribute.get("json") else "")
        what += f", {attribute['format']}" if "format" in attribute else ""
        cells = " | ".join("`" + each.replace("|", "\\|") + "`" for each in types)
        lines.append(f"| {what}: `{attribute['attribute']}` | {cells} |")
    return "\n".join(lines)


class Page(unittest.TestCase):
    maxDiff = None

    def test_the_table_of_types_is_that_of_the_code(self):
        page = (ROOT / "docs/interop.md").read_text()
        table = page.split("<!-- types -->\n", 1)[1].split("\n\n")[0].strip()
        self.assertEqual(table, type_table())


class RoundTrip(unittest.TestCase):
    def test_every_language_reads_and_updates_what_every_language_writes(self):
        languages = programs()
        with Server() as server:
            run(BINARY, "model", "apply", SOURCES[0], "--endpoint", server.url, env=clean_environment(os.devnull))
            call = lambda language, *words: run(*languages[language], server.url, *words,
                                                env=clean_environment(os.devnull))
            for writer in languages:
                call(writer, "write", writer)
                for reader in languages:
                    with self.subTest(writer=writer, reader=reader):
                        call(reader, "check", writer)
            self.assert_stored_alike(server.client(), list(languages))
            self.write_as_go(server.client())
            for reader in languages:
                with self.subTest(reader=reader):
                    call(reader, "check", "drift")
            self.assert_same_cursors(call, [each for each in languages if each != "cpp"])
            for writer in languages:
                for version, updater in enumerate(languages, 1):
                    call(updater, "update", writer, version)
                for reader in languages:
                    with self.subTest(updated=writer, reader=reader):
                        call(reader, "check", writer, len(languages))

    def write_as_go(self, client):
        """The same row as TableTheory for Go writes it: lists for sets and bytes, maps for JSON."""
        item = client.get_item(TableName="samples", Key={"PK": {"S": "cpp"}, "SK": {"N": "1"}})["Item"]
        for name, kind in (("strings", "S"), ("numbers", "N"), ("blobs", "B")):
            item[name] = {"L": [{kind: each} for each in sorted(item[name][kind + "S"])]}
        item["blob"] = {"L": [{"N": str(each)} for each in item["blob"]["B"]]}
        item["json"] = {"M": {"a": {"S": "é <&>"}, "b": {"L": [{"N": "1"}, {"N": "2.5"}, {"N": "0.0000001"}, {"NULL": True}]}}}
        client.put_item(TableName="samples", Item=item | {"PK": {"S": "drift"}})

    def assert_same_cursors(self, call, languages):
        """Go's bytes, with its escapes."""
        text = (r'{"lastKey":{"PK":{"S":"\u003c\u0026\u003eé\u2028"},"SK":{"N":"1"}},"index":"by-group","sort":"DESC"}')
        wanted = base64.urlsafe_b64encode(text.encode()).decode()
        for language in languages:
            self.assertEqual(call(language, "cursor", "<&>é\u2028").stdout.strip(), wanted, language)

    def assert_stored_alike(self, client, languages):
        """All of them store the same attribute values, apart from what is encrypted."""
        rows = []
        for language in languages:
            item = client.get_item(TableName="samples", Key={"PK": {"S": language}, "SK": {"N": "1"}})["Item"]
            rows.append({name: sorted(value[kind]) if kind in ("SS", "NS", "BS") else value
                         for name, value in item.items() for kind in value
                         if name != "PK" and not name.startswith("secret")})
        for language, row in zip(languages, rows):
            # A struct of C++ holds something for everything; interfaces of TypeScript need not.
            for name in row.keys() & rows[0].keys():
                self.assertEqual(row[name], rows[0][name], (language, name))


if __name__ == "__main__":
    unittest.main()

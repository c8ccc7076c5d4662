#!/usr/bin/python3
"""Tables and items in a terminal: `dolmen table`, `item`, `query` and `scan`, on a directory and at a server."""

import json
import os
import pathlib
import pty
import re
import subprocess
import tempfile
import unittest

from dolmen_server import BINARY, PATIENCE_S, Server, clean_environment, run


class TablesAndItems(unittest.TestCase):
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
        self.assertEqual((done.code, done.out), (code, ""), arguments)
        return done.err

    def notes(self):
        self.must("table", "create", "notes", "--key", "topic:S,written:N", "--index", "by-author:author,written")
        for written, author in ((1, "ada"), (2, "bob"), (3, "ada")):
            self.must("item", "put", "notes", json.dumps({"topic": "a", "written": written, "author": author,
                                                          "status": "new", "tags": ["x"] * written}))
        self.must("item", "put", "notes", '{"topic":"b","written":1}')

    def lines(self, *arguments):
        return [json.loads(line) for line in self.must(*arguments).splitlines()]

    def test_a_table_lives_from_creation_to_deletion(self):
        made = self.must_json("table", "create", "orders", "--key", "id:S", "--ttl", "expires", "--stream", "new-image",
                              "--tag", "team=blue", "--index", "by-day:day:N,id", "--project", "by-day=keys")
        self.assertEqual((made["name"], made["status"], made["key"], made["ttl"], made["stream"], made["tags"]),
                         ("orders", "active", "id:S", "expires", "NEW_IMAGE", {"team": "blue"}))
        self.assertEqual([(i["name"], i["key"], i["projection"]) for i in made["indexes"]],
                         [("by-day", "day:N,id:S", "keys")])
        self.assertEqual(self.must("table", "list"), "orders\n")
        changed = self.must_json("table", "update", "orders", "--no-ttl", "--no-stream", "--protect", "--untag", "team",
                                 "--tag", "cost=1", "--drop-index", "by-day", "--index", "by-size:size:N", "--yes")
        self.assertEqual((changed.get("ttl"), changed.get("stream"), changed["protected"], changed["tags"]),
                         (None, None, True, {"cost": "1"}))
        self.assertEqual([i["name"] for i in changed["indexes"]], ["by-size"])
        self.assertIn("deletion", self.refused(1, "table", "delete", "orders", "--yes").lower())
        self.must("table", "update", "orders", "--protect=false")
        self.assertIn('Delete the table "orders" with 0 items', self.refused(2, "table", "delete", "orders"))
        self.assertEqual(self.must("table", "list"), "orders\n")
        self.assertEqual(self.must("table", "delete", "orders", "--yes"), "deleted orders\n")
        self.assertEqual(self.must_json("table", "list"), {"tables": []})

    def test_a_definition_that_is_wrong_is_refused_before_anything_is_made(self):
        for arguments, message in ((("--key", "a:X"), 'the type of a key is S, N or B, not "X"'),
                                   (("--key", "a,b,c"), "--key"), (("--key", ":S"), "--key"),
                                   (("--key", "a", "--index", "by-b"), "--index"),
                                   (("--key", "a", "--index", "i:b", "--project", "j=all"), "--project"),
                                   (("--key", "a", "--stream", "all"), "--stream"),
                                   (("--key", "a", "--tag", "x"), "NAME=VALUE"),
                                   (("--key", "a", "--read-units", "1"), "--write-units")):
            with self.subTest(arguments):
                self.assertIn(message, self.refused(2, "table", "create", "wrong", *arguments))
        self.assertFalse((self.folder / "data" / "CURRENT").exists())

    def test_items_are_put_got_updated_and_deleted(self):
        self.must("table", "create", "notes", "--key", "topic:S,written:N")
        key = '{"topic":"a","written":1}'
        item = '{"n":12345678901234567890.5,"topic":"a","written":1,"x":{"y":[null,true]}}'
        self.assertEqual(self.must("item", "put", "notes", item), "added\n")
        self.assertEqual(self.must("item", "get", "notes", key), item + "\n")
        self.assertEqual(self.must_json("item", "put", "notes", item), {"replaced": True})
        self.assertEqual(self.lines("item", "get", "notes", '{"topic":{"S":"a"},"written":{"N":"1"}}', "--typed",
                                    "--select", "x.y[1], n"),
                         [{"n": {"N": "12345678901234567890.5"}, "x": {"M": {"y": {"L": [{"BOOL": True}]}}}}])
        self.assertIn("conditional request failed", self.refused(1, "item", "put", "notes", key, "--new"))
        self.assertIn("conditional request failed", self.refused(1, "item", "put", "notes", key, "--if", "n < 5"))
        self.assertEqual(self.lines("item", "update", "notes", key, "--set", 'name="Ada"', "--set", "x.z=[1]", "--add",
                                    "count=2", "--remove", "n", "--if", "attribute_exists(n) AND n > 5"),
                         [{"topic": "a", "written": 1, "name": "Ada", "count": 2, "x": {"y": [None, True], "z": [1]}}])
        self.assertIn("a text stands in double quotes", self.refused(2, "item", "update", "notes", key, "--set", "a=b"))
        self.assertIn("nothing to update", self.refused(2, "item", "update", "notes", key))
        self.assertEqual(self.must("item", "delete", "notes", key), "deleted\n")
        self.assertEqual(self.must_json("item", "delete", "notes", key), {"deleted": False})
        missing = self.dolmen("item", "get", "notes", key, "--json")
        self.assertEqual((missing.code, json.loads(missing.out)["error"]), (1, "ItemNotFound"))
        self.assertIn('the item is not a JSON object: column 2: a name in double quotes',
                      self.refused(2, "item", "put", "notes", "{1:2}"))

    def test_binary_keys_are_base64_and_sets_need_types(self):
        self.must("table", "create", "blobs", "--key", "hash:B")
        self.must("item", "put", "blobs", '{"hash":{"B":"AQI="},"tags":{"SS":["b","a"]}}', "--typed")
        self.assertEqual(self.lines("item", "get", "blobs", '{"hash":"AQI="}'), [{"hash": "AQI=", "tags": ["a", "b"]}])
        self.assertEqual(len(self.lines("query", "blobs", "--where", 'hash = "AQI="')), 1)
        self.assertIn("is not base64", self.refused(2, "item", "get", "blobs", '{"hash":"?"}'))

    def test_query_finds_by_keys_and_filters_the_rest(self):
        self.notes()
        written = lambda *arguments: [item["written"] for item in self.lines("query", "notes", *arguments)]
        self.assertEqual(written("--where", 'topic = "a" AND written >= 2'), [2, 3])
        self.assertEqual(written("--where", 'topic = "a" AND status = "new" AND size(tags) > 1'), [2, 3])
        self.assertEqual(written("--where", 'author = "ada" AND written BETWEEN 2 AND 9', "--index", "by-author"), [3])
        self.assertEqual(self.must("query", "notes", "--where", 'topic = "a"', "--count"), "3\n")
        self.assertEqual(self.lines("query", "notes", "--where", 'topic = "a"', "--select", "author"),
                         [{"author": "ada"}, {"author": "bob"}, {"author": "ada"}])
        for where, message in (("written = 1", "a query needs topic = VALUE"),
                               ('author = "ada"', "add --index by-author"),
                               ("topic = 1", 'column 1: the key "topic" has the type S'),
                               ("topic = ", "column 9: expected")):
            self.assertIn(message, self.refused(2, "query", "notes", "--where", where))
        self.assertIn('did you mean "by-author"?',
                      self.refused(2, "query", "notes", "--where", "a = 1", "--index", "by-auther"))
        self.assertIn('did you mean "notes"?', self.refused(1, "query", "note", "--where", "a = 1"))

    def test_pages_go_on_where_they_stopped(self):
        self.notes()
        for arguments in (("query", "notes", "--where", 'topic = "a"'), ("scan", "notes"),
                          ("query", "notes", "--where", 'topic = "a" AND status = "new"', "--select", "author"),
                          ("scan", "notes", "--where", 'begins_with(topic, "a")', "--select", "tags"),
                          ("query", "notes", "--where", 'author = "ada"', "--index", "by-author", "--descending")):
            with self.subTest(arguments):
                whole, parts, after = self.must_json(*arguments), [], ()
                self.assertNotIn("after", whole)
                while True:
                    page = self.must_json(*arguments, "--limit", "1", *after)
                    self.assertLessEqual(page["count"], 1)
                    parts += page["items"]
                    if "after" not in page:
                        break
                    after = ("--after", page["after"])
                self.assertEqual(parts, whole["items"])
        self.assertIn("--after", self.refused(2, "scan", "notes", "--after", "x"))

    def test_a_limit_says_on_the_standard_error_how_to_go_on(self):
        self.notes()
        done = self.dolmen("query", "notes", "--where", 'topic = "a"', "--descending", "--limit", "2")
        self.assertEqual([json.loads(line)["written"] for line in done.out.splitlines()], [3, 2])
        self.assertRegex(done.err, r"^there may be more; go on with --after \S+\n$")

    def test_wrong_arguments_are_json_for_programs(self):
        for arguments in (("query", "--json"), ("scan", "notes", "--json", "--limit", "x"),
                          ("item", "get", "--json"), ("tabel", "list", "--json")):
            done = self.dolmen(*arguments)
            self.assertEqual((done.code, done.err), (2, ""))
            self.assertEqual(json.loads(done.out)["error"], "InvalidArgument")


class AtAServer(TablesAndItems):
    def make_store(self):
        server = Server()
        server.start()
        self.addCleanup(server.close)
        return ("--endpoint", server.url)


class InATerminal(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def typed(self, *arguments, answer=None, **variables):
        """Runs `dolmen` in a terminal; what it shows there, and its exit status."""
        main, child = pty.openpty()
        process = subprocess.Popen([BINARY, *arguments], cwd=self.folder, stdin=child, stdout=child, stderr=child,
                                   env=clean_environment(os.devnull) | {"TERM": "xterm"} | variables)
        os.close(child)
        if answer is not None:
            os.write(main, answer.encode())
        shown = b""
        while True:
            try:
                chunk = os.read(main, 65536)
            except OSError:
                break
            if not chunk:
                break
            shown += chunk
        os.close(main)
        return shown.decode().replace("\r\n", "\n"), process.wait(PATIENCE_S)

    def test_items_are_a_table_and_colour_can_be_refused(self):
        self.assertEqual(run("table", "create", "notes", "--key", "topic:S,written:N", cwd=self.folder).code, 0)
        for written in (1, 12):
            item = json.dumps({"topic": "a", "written": written, "text": "stone\ntable" if written == 1 else "\x1b[31m"})
            self.assertEqual(run("item", "put", "notes", item, cwd=self.folder).code, 0)
        shown, code = self.typed("scan", "notes", NO_COLOR="1")
        self.assertEqual((shown, code), ("topic  written  text\n"
                                         "a            1  stone table\n"
                                         "a           12   [31m\n"
                                         "2 items, 0.5 read units\n", 0))
        coloured, _ = self.typed("scan", "notes")
        self.assertTrue(coloured.startswith("\x1b[1mtopic"), coloured)
        self.assertEqual(re.sub("\x1b\\[[01]m", "", coloured), shown)
        self.assertNotIn("\x1b", self.typed("scan", "notes", "--json")[0])

    def test_what_destroys_asks_first(self):
        self.assertEqual(run("table", "create", "notes", "--key", "id", cwd=self.folder).code, 0)
        shown, code = self.typed("table", "delete", "notes", answer="n\n")
        self.assertEqual(code, 1)
        self.assertIn("[y/N]", shown)
        self.assertIn("nothing was changed", shown)
        self.assertEqual(run("table", "list", cwd=self.folder).out, "notes\n")
        self.assertEqual(self.typed("table", "delete", "notes", answer="y\n")[1], 0)
        self.assertEqual(run("table", "list", cwd=self.folder).out, "")


class TheEnvironment(unittest.TestCase):
    def test_it_names_the_store_when_no_flag_does(self):
        with tempfile.TemporaryDirectory() as folder, Server() as one, Server() as other:
            for server, name in ((one, "in-one"), (other, "in-other")):
                self.assertEqual(run("table", "create", name, "--key", "id", "--endpoint", server.url).code, 0)
            self.assertEqual(run("table", "create", "in-data", "--key", "id", "--data", "there", cwd=folder).code, 0)

            def listed(*flags, **variables):
                done = subprocess.run([BINARY, "table", "list", *flags], cwd=folder, capture_output=True, text=True,
                                      env=clean_environment(os.devnull) | variables, timeout=PATIENCE_S)
                return done.stdout or done.stderr

            self.assertEqual(listed(AWS_ENDPOINT_URL=one.url), "in-one\n")
            self.assertEqual(listed(AWS_ENDPOINT_URL=one.url, AWS_ENDPOINT_URL_DYNAMODB=other.url), "in-other\n")
            self.assertEqual(listed(AWS_ENDPOINT_URL=one.url, DOLMEN_DATA="there"), "in-data\n")
            self.assertEqual(listed(DOLMEN_ENDPOINT=other.url, DOLMEN_DATA="there"), "in-other\n")
            self.assertEqual(listed("--endpoint", one.url, DOLMEN_ENDPOINT=other.url), "in-one\n")
            self.assertEqual(listed("--data", "there", DOLMEN_ENDPOINT=other.url), "in-data\n")
            self.assertIn("./data", listed())


if __name__ == "__main__":
    unittest.main()

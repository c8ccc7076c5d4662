#!/usr/bin/python3
"""`dolmen entity`: what is wrong with a config, constants for C++, and a schedule of shards before it is real."""

import json
import os
import pathlib
import tempfile
import unittest
import xml.etree.ElementTree

from dolmen_server import run

ROOT = pathlib.Path(os.environ["DOLMEN_ROOT"])
EXAMPLE = "examples/entities.yml"


class EntityTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def write(self, text):
        path = pathlib.Path(self.folder.name) / "config.yml"
        path.write_text(text)
        return str(path)

    def test_a_good_config_is_counted(self):
        finished = run("entity", "check", EXAMPLE, cwd=ROOT)
        self.assertEqual((finished.code, finished.out, finished.err), (0, "2 entities in 1 file, no errors\n", ""))

    def test_every_mistake_has_its_place(self):
        path = self.write("hashKey: pk\nrangeKey: sk\nthrottle: 0\nentities:\n  user:\n    timestampProperty: created\n"
                          "    uniqueProperty: id\nindexes:\n  byA: {hashKey: nope, rangeKey: sk}\n")
        finished = run("entity", "check", path)
        self.assertEqual(finished.code, 1)
        *lines, summary = finished.out.splitlines()
        self.assertEqual(summary, "4 errors")
        for place, text in ((":3:11: ", "throttle"), (":9:18: ", "indexes.byA.hashKey"), (":6:24: ", "timestampProperty")):
            self.assertTrue(any(place in line and text in line for line in lines), finished.out)
        report = json.loads(run("entity", "check", "--json", path).out)
        self.assertEqual(report["errors"], 4)
        self.assertIn("entities.user.uniqueProperty", [error["path"] for error in report["files"][0]["errors"]])

    def test_what_cannot_become_a_table_is_refused(self):
        indexes = "".join(f"  index{i}: {{hashKey: pk, rangeKey: sk}}\n" for i in range(20))
        head = "hashKey: pk\nrangeKey: sk\nindexes:\n"
        self.assertEqual(run("entity", "check", self.write(head + indexes)).code, 0)
        for text, place, message in (
                (head + indexes + "  more: {hashKey: pk, rangeKey: sk}\n", ":4:3: ", "there are 21 indexes; a table has at most 20"),
                ("hashKey: ''\nrangeKey: sk\n", ":1:10: ", "hashKey is empty"),
                (f"hashKey: pk\nrangeKey: {'x' * 256}\n", ":2:11: ", "at most 255 bytes, and this one has 256"),
                (head + "  by name: {hashKey: pk, rangeKey: sk}\n", ":4:12: ", '"by name" cannot be the name of an index'),
                (head + "  ab: {hashKey: pk, rangeKey: sk}\n", ":4:7: ", "3 to 255 of the characters"),
                (head + f"  all: {{hashKey: pk, rangeKey: sk, projections: [{', '.join(f'p{i}' for i in range(101))}]}}\n",
                 ":4:3: ", "the indexes have 101 projections; together they can have 100"),
                ("hashKey: pk\nrangeKey: sk\nentities:\n  '': {timestampProperty: t, uniqueProperty: t}\n"
                 "propertyTranscodes: {t: number}\n", ":4:3: ", "an entity has no name")):
            finished = run("entity", "check", self.write(text))
            self.assertEqual(finished.code, 1, text)
            self.assertIn(place + "error: ", finished.out)
            self.assertIn(message, finished.out)
            self.assertTrue(finished.out.endswith("1 error\n"), finished.out)
            self.assertEqual(run("entity", "check", "--loose", self.write(text)).code, 0, text)

    def test_two_keys_of_one_name_are_shown_where_the_first_stands(self):
        path = self.write("hashKey: pk\nrangeKey: sk\npropertyTranscodes: {a: string}\ngeneratedProperties:\n"
                          "  sharded: {k: [a]}\n  unsharded: {k: [a]}\nindexes:\n  byX: {hashKey: pk, rangeKey: x}\n")
        out = run("entity", "check", path).out
        self.assertIn(":5:16: error: shardedKeys key collision: k\n", out)
        self.assertIn("an unsharded generated property (k)", out)

    def test_constants_compile_to_the_names_of_the_config(self):
        header = run("entity", "generate", EXAMPLE, "--namespace", "app", cwd=ROOT).out
        self.assertIn('inline constexpr dolmen::EntityName user{"user"};', header)
        self.assertIn('inline constexpr dolmen::IndexName lastName{"lastName"};', header)
        self.assertIn("namespace app {", header)

    def test_the_header_that_is_kept_is_what_generate_writes(self):
        kept = (ROOT / "tests/entity/names.h").read_text()
        flags = ("tests/entity/names.yml", "--namespace", "acme::names")
        self.assertEqual(run("entity", "generate", *flags, cwd=ROOT).out, kept)
        path = pathlib.Path(self.folder.name) / "names.h"
        self.assertEqual(run("entity", "generate", *flags, "--output", str(path), cwd=ROOT).code, 0)
        self.assertEqual(path.read_text(), kept)

    def test_a_header_that_would_not_compile_or_cannot_be_written_is_refused(self):
        for name in ("1st", "class", "a::", "a b", "a;b"):
            finished = run("entity", "generate", EXAMPLE, "--namespace", name, cwd=ROOT)
            self.assertEqual((finished.code, finished.out), (2, ""), name)
            self.assertIn("is not a C++ namespace", finished.err)
        finished = run("entity", "generate", EXAMPLE, "--output", f"{self.folder.name}/none/names.h", cwd=ROOT)
        self.assertEqual(finished.code, 1)
        self.assertIn("No such file or directory", finished.err)

    def test_a_header_in_the_making_gets_no_errors(self):
        path = self.write("hashKey: pk\nrangeKey: sk\nthrottle: 0\n")
        for action in ("generate", "plan"):
            finished = run("entity", action, path)
            self.assertEqual((finished.code, finished.out), (1, ""), action)
            self.assertIn(":3:11: error: throttle", finished.err)
            self.assertEqual(json.loads(run("entity", action, "--json", path).out)["errors"], 1)

    def test_a_header_is_written_and_told_of_in_json(self):
        path = pathlib.Path(self.folder.name) / "names.h"
        finished = run("entity", "generate", EXAMPLE, "--json", "--output", str(path), cwd=ROOT)
        self.assertEqual(finished.code, 0)
        told = json.loads(finished.out)
        self.assertEqual(told, {"language": "cpp", "files": [{"file": EXAMPLE, "output": str(path)}]})
        self.assertIn("#pragma once", path.read_text())

    def test_what_is_no_json_is_a_failure(self):
        path = os.fsdecode(os.fsencode(self.folder.name) + b"/\xff.yml")
        pathlib.Path(path).write_text((ROOT / EXAMPLE).read_text())
        for action in ("check", "generate"):
            finished = run("entity", action, "--json", path)
            self.assertEqual((finished.code, finished.out), (1, ""), action)
            self.assertIn("UTF-8", finished.err)

    def test_a_plan_counts_every_item_and_draws_them(self):
        svg = pathlib.Path(self.folder.name) / "plan.svg"
        finished = run("entity", "plan", EXAMPLE, "--entity", "user", "--items", "1000000000", "--hashed", "100000",
                       "--writes-per-second", "5000", "--svg", str(svg), "--json", cwd=ROOT)
        self.assertEqual((finished.code, finished.err), (0, ""))
        plan, = json.loads(finished.out)["plans"]
        periods = plan["periods"]
        self.assertEqual([period["shards"] for period in periods], [1, 16, 256])
        self.assertEqual([period["queryShards"] for period in periods], [1, 17, 273])
        self.assertEqual(sum(period["items"] for period in periods), 1_000_000_000)
        self.assertTrue(periods[0]["hot"] and not periods[2]["hot"])
        for period in periods:
            self.assertLessEqual(period["fewest"], period["expectedPerShard"])
            self.assertGreaterEqual(period["most"], period["expectedPerShard"])
        picture = xml.etree.ElementTree.parse(svg).getroot()
        self.assertTrue(picture.tag.endswith("svg"))
        words = [each.text for each in picture.iter("{http://www.w3.org/2000/svg}text")]
        self.assertIn("items in a shard, shards of a query (logarithmic)", words)
        self.assertIn("shards that a query asks", words)
        self.assertIn("since 2024-01-01", words)

    def test_a_plan_is_a_table_for_people(self):
        finished = run("entity", "plan", EXAMPLE, "--items", "1000", cwd=ROOT)
        self.assertEqual(finished.code, 0)
        self.assertIn("query shards", finished.out)
        self.assertIn("email: 1000 items", finished.out)

    def test_absurd_plans_are_refused(self):
        self.assertEqual(run("entity", "plan", EXAMPLE, "--entity", "nobody", cwd=ROOT).code, 2)
        self.assertEqual(run("entity", "plan", EXAMPLE, "--items", "1000000000001", cwd=ROOT).code, 2)
        self.assertEqual(run("entity", "plan", EXAMPLE, "--from", "9", "--until", "5", cwd=ROOT).code, 2)
        self.assertIn("0 or later, not at -5", run("entity", "plan", EXAMPLE, "--from", "-5", cwd=ROOT).err)
        for rate in ("-1", "nan", "-nan", "inf", "-inf", "1e999", "many"):
            finished = run("entity", "plan", EXAMPLE, "--json", f"--writes-per-second={rate}", cwd=ROOT)
            self.assertEqual(finished.code, 2, rate)
            self.assertIn("--writes-per-second", json.loads(finished.out)["message"])
        self.assertEqual(run("entity", "plan", EXAMPLE, "--item-bytes", "409601", cwd=ROOT).code, 2)
        path = self.write("hashKey: pk\nrangeKey: sk\nentities:\n  user: {timestampProperty: t, uniqueProperty: t, "
                          "shardBumps: [{timestamp: 0, charBits: 5, chars: 40}]}\npropertyTranscodes: {t: number}\n")
        finished = run("entity", "plan", path)
        self.assertEqual(finished.code, 1)
        self.assertIn("16777216", finished.err)


if __name__ == "__main__":
    unittest.main()

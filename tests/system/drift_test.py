#!/usr/bin/python3
"""`dolmen drift`: a table with every kind of damage, all of it found and none invented, also when the command is killed in between;
mending, watching, pages and exit codes.

    DOLMEN_DRIFT_ITEMS=100000 tests/system/run.py drift_test     on a large table, where the memory is looked at, too
"""

import collections
import html.parser
import json
import os
import pathlib
import signal
import subprocess
import tempfile
import unittest

from dolmen_server import BINARY, PATIENCE_S, Finished, Server, clean_environment
from waiting import wait_until

ITEMS = int(os.environ.get("DOLMEN_DRIFT_ITEMS", "6000"))
LARGE = 50_000
PATIENCE = PATIENCE_S * (1 + ITEMS // LARGE * 9)

MODEL = """
dms_version: "0.1"
models:
  - name: "User"
    table: { name: "users" }
    keys: { partition: { attribute: "pk", type: "S" }, sort: { attribute: "sk", type: "S" } }
    attributes:
      - { attribute: "pk", type: "S", required: true }
      - { attribute: "sk", type: "S", required: true }
      - { attribute: "kind", type: "S", required: true }
      - { attribute: "nickname", type: "S", optional: true, omit_empty: true }
      - { attribute: "age", type: "N", format: "int", optional: true }
      - { attribute: "weight", type: "N", optional: true }
      - { attribute: "active", type: "BOOL", optional: true }
      - { attribute: "tags", type: "SS", optional: true, omit_empty: true }
      - { attribute: "avatar", type: "B", binary: true, optional: true }
      - { attribute: "settings", type: "S", json: true, optional: true }
      - { attribute: "phone", type: "S", optional: true, encryption: {} }
      - { attribute: "seen", type: "S", format: "rfc3339nano", optional: true }
      - { attribute: "createdAt", type: "S", format: "rfc3339nano", roles: ["created_at"] }
      - { attribute: "version", type: "N", format: "int", roles: ["version"] }
      - { attribute: "ttl", type: "N", format: "unix_seconds", roles: ["ttl"], optional: true, omit_empty: true }
"""
ENVELOPE = {"M": {"v": {"N": "1"}, "edk": {"B": "AAAA"}, "nonce": {"B": "AAAAAAAAAAAAAAAA"}, "ct": {"B": "AAAAAAAAAAAAAAAAAAAAAAAA"}}}
TIME = "2026-01-05T10:00:00.000000000Z"

# What can be wrong: the rule, the attribute, what is stored there, and what mending makes of it. None is a value that is missing.
LEFT = "left as it is"
DAMAGE = [
    ("required", "kind", None, LEFT),
    ("null", "kind", {"NULL": True}, LEFT),
    ("lifecycle", "version", None, LEFT),
    ("undeclared", "colour", {"S": "red"}, LEFT),
    ("misnamed", "Nickname", {"S": "Ada"}, LEFT),
    ("type", "nickname", {"N": "5"}, LEFT),
    ("number_as_text", "age", {"S": "42"}, {"N": "42"}),
    ("fraction", "age", {"N": "42.5"}, LEFT),
    ("range", "version", {"N": "-1"}, LEFT),
    ("bool_form", "active", {"S": "true"}, {"BOOL": True}),
    ("set_as_list", "tags", {"L": [{"S": "a"}, {"S": "b"}]}, {"SS": ["a", "b"]}),
    ("bytes_as_list", "avatar", {"L": [{"N": "1"}, {"N": "2"}]}, {"B": b"\1\2"}),
    ("json", "settings", {"S": "{"}, LEFT),
    ("json_as_value", "settings", {"M": {"a": {"N": "1"}}}, {"S": '{"a":1}'}),
    ("plaintext", "phone", {"S": "+33 2 98"}, LEFT),
    ("envelope", "phone", {"M": {"v": {"N": "1"}, "ct": {"B": "AAAA"}}}, LEFT),
    ("time", "seen", {"S": "2026-1-5 10:00"}, LEFT),
    ("time", "createdAt", {"S": "2026-01-05 10:00:00 UTC"}, {"S": TIME}),
    ("time_as_number", "seen", {"N": "1767607200000"}, {"S": TIME}),
    ("zero_time", "createdAt", {"S": "0001-01-01T00:00:00Z"}, LEFT),
    ("milliseconds", "ttl", {"N": "4102444800000"}, {"N": "4102444800"}),
    ("seconds_as_text", "ttl", {"S": "2100-01-01T00:00:00Z"}, {"N": "4102444800"}),
    ("seconds", "ttl", {"N": "3600"}, LEFT),
]


def key_of(number):
    return {"pk": {"S": f"USER#{number}"}, "sk": {"S": "PROFILE"}}


def item_of(number):
    """Every attribute in a good form; every tenth item is damaged in one of the ways."""
    item = key_of(number) | {
        "kind": {"S": "user"}, "nickname": {"S": f"n{number}"}, "age": {"N": str(number % 90)}, "weight": {"N": "72.5"},
        "active": {"BOOL": number % 2 == 0}, "tags": {"SS": ["a", f"t{number}"]}, "avatar": {"B": "AAECAw=="},
        "settings": {"S": '{"theme":"dark"}'}, "phone": ENVELOPE, "seen": {"S": "2026-01-05T11:00:00+01:00"},
        "createdAt": {"S": TIME}, "version": {"N": "0"}, "ttl": {"N": "4102444800"}}
    if damage := damage_of(number):
        _, path, value, _ = damage
        if value is None:
            del item[path]
        else:
            item[path] = value
    return item


def damage_of(number):
    return DAMAGE[number // 10 % len(DAMAGE)] if number % 10 == 3 else None


def damaged():
    """The keys of damaged items by rule and attribute."""
    found = collections.defaultdict(list)
    for number in range(ITEMS):
        if damage := damage_of(number):
            found[damage[:2]].append(f"USER#{number}/PROFILE")
    return found


class Page(html.parser.HTMLParser):
    """What is in a page, and what it would load."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.loads, self.open = collections.Counter(), [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags[tag] += 1
        self.loads += [value for name, value in attributes if name in ("src", "href")]
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, tag


class Drift(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.holder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.holder.cleanup)
        cls.origin = pathlib.Path(cls.holder.name)
        (cls.origin / "user.yml").write_text(MODEL)
        with open(cls.origin / "users.jsonl", "w") as file:
            for number in range(ITEMS):
                file.write(json.dumps(item_of(number)) + "\n")
        for arguments in (("table", "create", "users", "--key", "pk:S,sk:S", "--stream", "new-image"),
                          ("import", "users", "--from", "users.jsonl", "--typed")):
            subprocess.run([BINARY, *arguments, "--data", "data"], cwd=cls.origin, check=True, stdout=subprocess.DEVNULL,
                           env=clean_environment(os.devnull), timeout=PATIENCE)

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "user.yml").write_text(MODEL)
        subprocess.run([BINARY, "fork", self.origin / "data", self.folder / "data"], check=True, stdout=subprocess.DEVNULL,
                       env=clean_environment(os.devnull))

    def command(self, *arguments):
        return [BINARY, "drift", "--table", "users", "--model", "user.yml", *map(str, arguments)]

    def drift(self, *arguments, store=("--data", "data")):
        done = subprocess.run(self.command(*arguments, *store), cwd=self.folder, text=True, stdin=subprocess.DEVNULL,
                              env=clean_environment(os.devnull), capture_output=True, timeout=PATIENCE)
        return Finished(done.returncode, done.stdout, done.stderr)

    def found(self, *arguments, code=1, **store):
        done = self.drift("--json", *arguments, **store)
        self.assertEqual((done.code, done.err), (code, ""), done)
        return json.loads(done.out)

    def serve(self):
        server = Server(data=self.folder / "data")
        self.addCleanup(server.close)
        server.start()
        return server

    def check(self, report):
        """All that is damaged was found, and nothing else."""
        expected = damaged()
        self.assertEqual(report["items"], ITEMS)
        self.assertEqual(report["broken"], sum(map(len, expected.values())))
        self.assertEqual({(group["rule"], group["path"]): group["count"] for group in report["findings"]},
                         {place: len(keys) for place, keys in expected.items()})
        for group in report["findings"]:
            keys = sorted(expected[group["rule"], group["path"]])
            self.assertEqual([sample["key"] for sample in group["samples"]], keys[:5])

    def test_all_damage_is_found_and_none_invented(self):
        self.assertGreaterEqual(len(DAMAGE), 20)
        self.check(self.found())
        server = self.serve()
        self.check(self.found("--segments", 7, store=("--endpoint", server.url)))

    def test_nothing_is_found_in_good_items(self):
        done = subprocess.run([BINARY, "scan", "users", "--data", "data", "--count", "--where", 'colour = "red"'],
                              cwd=self.folder, env=clean_environment(os.devnull), capture_output=True, text=True, check=True)
        self.assertEqual(int(done.stdout), len(damaged()["undeclared", "colour"]))
        server = self.serve()
        client = server.client()
        for keys in damaged().values():
            for key in keys:
                client.delete_item(TableName="users", Key=key_of(key[5:].partition("/")[0]))
        report = self.found(code=0, store=("--endpoint", server.url))
        self.assertEqual((report["broken"], report["findings"]), (0, []))
        self.assertIn("none breaks user.yml", self.drift(store=("--endpoint", server.url)).out)

    def test_it_says_so_in_a_table_for_people(self):
        done = self.drift()
        self.assertEqual((done.code, done.err), (1, ""))
        self.assertRegex(done.out, r"(?m)^ +\d+  createdAt +not RFC 3339 \(\"2026-01-05 10:00:00 UTC\"\) +e\.g\. USER#\d+/PROFILE$")
        self.assertRegex(done.out, r"(?m)^ +\d+  ttl +looks like milliseconds \(4102444800000\) +e\.g\. USER#\d+/PROFILE$")
        self.assertNotIn("+33 2 98", done.out)
        broken = sum(map(len, damaged().values()))
        self.assertIn(f"{broken:,} of {ITEMS:,} items break user.yml; \"dolmen drift --fix --dry-run\" shows", done.out)

    def test_it_goes_on_after_it_was_killed_and_finds_the_same(self):
        server = self.serve()
        position = self.folder / "position"
        store = ("--endpoint", server.url)
        seen = []
        for _ in range(3):
            process = subprocess.Popen(self.command("--resume", "position", "--rate", ITEMS // 10, *store), cwd=self.folder,
                                       env=clean_environment(os.devnull), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
            before = seen[-1] if seen else 0
            wait_until(lambda: json.loads(position.read_text())["items"] if position.exists() else 0,
                       lambda items: items > before, PATIENCE)
            process.send_signal(signal.SIGKILL)
            process.wait()
            seen.append(json.loads(position.read_text())["items"])
        self.assertLess(seen[-1], ITEMS)
        report = self.found("--resume", "position", store=store)
        self.assertEqual(report["before"], seen[-1])
        self.check(report)
        self.assertFalse(position.exists())

    def test_a_position_of_other_models_is_refused(self):
        server = self.serve()
        store = ("--endpoint", server.url)
        process = subprocess.Popen(self.command("--resume", "position", "--rate", ITEMS // 10, *store), cwd=self.folder,
                                   env=clean_environment(os.devnull), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.PIPE, text=True)
        wait_until((self.folder / "position").exists, bool)
        process.send_signal(signal.SIGINT)
        _, error = process.communicate(timeout=PATIENCE_S)
        self.assertEqual((process.returncode, error), (1, "stopped before the end; the same command goes on from here\n"))
        done = self.drift("--resume", "position", "--strict", store=store)
        self.assertEqual(done.code, 1)
        self.assertIn("position does not belong to this command", done.err)

    @unittest.skipUnless(ITEMS >= LARGE, "skipped: only with a large table")
    def test_its_memory_does_not_grow_with_the_table(self):
        server = self.serve()
        client = server.client()
        peaks = []
        client.create_table(TableName="small", BillingMode="PAY_PER_REQUEST",
                            KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
                            AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"},
                                                  {"AttributeName": "sk", "AttributeType": "S"}])
        with open(self.folder / "small.jsonl", "w") as file:
            file.writelines(json.dumps(item_of(number)) + "\n" for number in range(ITEMS // 10))
        subprocess.run([BINARY, "import", "small", "--from", "small.jsonl", "--typed", "--endpoint", server.url], check=True,
                       cwd=self.folder, env=clean_environment(os.devnull), stdout=subprocess.DEVNULL)
        for table in ("small", "users"):
            command = [BINARY, "drift", "--table", table, "--model", "user.yml", "--endpoint", server.url]
            process = subprocess.Popen(command, cwd=self.folder, env=clean_environment(os.devnull), stdout=subprocess.DEVNULL)
            _, _, usage = os.wait4(process.pid, 0)
            process.returncode = 1
            peaks.append(usage.ru_maxrss)
        print(f"drift of {ITEMS // 10} items took {peaks[0]} KB at most, of {ITEMS} items {peaks[1]} KB")
        self.assertLess(peaks[1], peaks[0] + 16_384)

    def test_it_mends_what_has_one_meaning_and_leaves_the_rest(self):
        self.assertIn("add --yes", self.drift("--fix").err)
        self.assertEqual(self.drift("--fix").code, 2)
        dry = self.found("--fix", "--dry-run")
        self.check(dry)
        self.check(self.found())
        expected = damaged()
        mendable = {damage[:2] for damage in DAMAGE if damage[3] is not LEFT}
        self.assertEqual({(group["rule"], group["path"]) for group in dry["findings"] if group["mendable"]}, mendable)
        done = self.found("--fix", "--yes")
        mended = sum(len(expected[place]) for place in mendable)
        self.assertEqual((done["broken"] - done["left"], done["mendable"], done["refused"]), (mended, mended, 0))
        after = self.found()
        self.assertEqual({(group["rule"], group["path"]): group["count"] for group in after["findings"]},
                         {place: len(keys) for place, keys in expected.items() if place not in mendable})
        client = self.serve().client()
        for rule, path, _, becomes in DAMAGE:
            key = expected[rule, path][0]
            number = int(key[5:].partition("/")[0])
            stored = client.get_item(TableName="users", Key=key_of(number))["Item"]
            self.assertEqual(stored["sk"], {"S": "PROFILE"})
            if becomes is not LEFT:
                value = stored[path]
                self.assertEqual({k: sorted(v) if isinstance(v, list) else v for k, v in value.items()}, becomes)
                self.assertEqual(stored["version"], {"N": "0"})

    def test_it_encrypts_plain_text_when_it_has_keys(self):
        for arguments in (("keys", "create", "users.keys"),):
            subprocess.run([BINARY, *arguments], cwd=self.folder, check=True, env=clean_environment(os.devnull),
                           stdout=subprocess.DEVNULL)
        server = self.serve()
        client = server.client()
        number = int(damaged()["plaintext", "phone"][0][5:].partition("/")[0])
        self.found("--fix", "--yes", "--keys", "users.keys", store=("--endpoint", server.url))
        stored = client.get_item(TableName="users", Key=key_of(number))["Item"]["phone"]
        self.assertEqual(set(stored["M"]), {"v", "edk", "nonce", "ct"})
        report = self.found("--keys", "users.keys", store=("--endpoint", server.url))
        counts = {(group["rule"], group["path"]): group["count"] for group in report["findings"]}
        self.assertNotIn(("plaintext", "phone"), counts)
        # The envelopes of the other items were made up.
        self.assertEqual(counts["undecryptable", "phone"],
                         ITEMS - len(damaged()["plaintext", "phone"]) - len(damaged()["envelope", "phone"]))

    def test_a_contract_has_the_last_word(self):
        server = self.serve()
        client = server.client()
        client.put_item(TableName="users", Item=key_of(-1) | {"kind": {"S": "user"}, "createdAt": {"S": TIME}, "version": {"N": "1"},
                                                              "ttl": {"N": "4102444800000"}, "colour": {"S": "red"}})
        bound = subprocess.run([BINARY, "contract", "bind", "users", "--version", "v1", "--models", "user.yml",
                                "--accept-violations", "--endpoint", server.url], cwd=self.folder, capture_output=True,
                               env=clean_environment(os.devnull), text=True)
        self.assertEqual(bound.returncode, 0, bound)
        report = self.found("--fix", "--yes", store=("--endpoint", server.url))
        self.assertEqual(report["refused"], 1)
        self.assertEqual(report["refusals"][0]["key"], "USER#-1/PROFILE")
        self.assertIn("breaks the contract v1", report["refusals"][0]["message"])
        self.assertEqual(client.get_item(TableName="users", Key=key_of(-1))["Item"]["ttl"], {"N": "4102444800000"})

    def test_items_of_no_model_are_found_by_their_keys_or_their_discriminator(self):
        server = self.serve()
        server.client().put_item(TableName="users", Item={"pk": {"S": "ORDER#1"}, "sk": {"S": "X"}, "kind": {"S": "order"}})
        for arguments, path in ((("--prefix", "User=USER#"), "pk"), (("--discriminator", "kind", "--value", "User=user"), "kind")):
            report = self.found(*arguments, store=("--endpoint", server.url))
            kinds = {group["path"]: group for group in report["findings"] if group["rule"] == "kind"}
            self.assertIn("ORDER#1/X", [sample["key"] for sample in kinds[path]["samples"]])
            self.assertEqual((kinds[path]["model"], kinds[path]["mendable"]), ("", 0))

    def test_it_watches_the_stream(self):
        server = self.serve()
        client = server.client()
        process = subprocess.Popen(self.command("--watch", "--fix", "--yes", "--json", "--endpoint", server.url), cwd=self.folder,
                                   env=clean_environment(os.devnull), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.kill)
        self.assertEqual(json.loads(process.stdout.readline())["items"], ITEMS)
        # Its own mending comes back as changes that leave other things to complain about, if any.
        good = key_of(-1) | {"kind": {"S": "user"}, "createdAt": {"S": TIME}, "version": {"N": "0"}}
        client.put_item(TableName="users", Item=good)
        client.put_item(TableName="users", Item=good | key_of(-2) | {"ttl": {"N": "4102444800000"}})
        client.put_item(TableName="users", Item=good | key_of(-3) | {"colour": {"S": "red"}})
        lines = {}
        while len(lines) < 2:
            line = json.loads(process.stdout.readline())
            if line["key"].startswith("USER#-"):
                lines[line["key"]] = line
        self.assertEqual(lines["USER#-2/PROFILE"]["mended"], True)
        self.assertEqual([finding["rule"] for finding in lines["USER#-3/PROFILE"]["findings"]], ["undeclared"])
        process.send_signal(signal.SIGINT)
        last = json.loads(process.stdout.read().splitlines()[-1])
        self.assertGreaterEqual(last["changes"], 3)
        self.assertEqual(process.wait(), 1)
        self.assertEqual(client.get_item(TableName="users", Key=key_of(-2))["Item"]["ttl"], {"N": "4102444800"})

    def test_its_page_needs_nothing_beside_it(self):
        self.drift("--html", "drift.html")
        text = (self.folder / "drift.html").read_text()
        page = Page(text)
        self.assertEqual((page.loads, page.open), ([], []))
        self.assertEqual(page.tags["svg"], 2)
        self.assertEqual(page.tags["tr"], 1 + len(damaged()))
        self.assertNotIn("+33 2 98", text)
        self.assertEqual(page.tags["script"], 0)

    def test_what_cannot_be_done_is_said(self):
        for arguments, code, message in ((("--dry-run",), 2, "--fix"), (("--idle", "1"), 2, "--watch"),
                                         (("--only", "Nobody"), 1, "the model Nobody is not among the models given"),
                                         (("--keys", "missing.keys"), 1, "No such file"),
                                         (("--rate", "-1"), 2, "--rate")):
            done = self.drift(*arguments)
            self.assertEqual(done.code, code, done)
            self.assertIn(message, done.err)
        missing = subprocess.run([BINARY, "drift", "--table", "nobody", "--model", "user.yml", "--data", "data"], text=True,
                                 cwd=self.folder, env=clean_environment(os.devnull), capture_output=True)
        self.assertEqual(missing.returncode, 1)
        self.assertIn('"nobody" does not exist', missing.stderr)


if __name__ == "__main__":
    unittest.main()

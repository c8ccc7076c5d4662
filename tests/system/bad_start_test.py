#!/usr/bin/python3
"""A start that cannot go well is refused: with an exit status, one line that says what is wrong, and nothing changed.

Exit status 2 means that the program was asked wrongly, 1 that it could not do what it was asked.
"""

import contextlib
import hashlib
import os
import pathlib
import random
import re
import shutil
import socket
import tempfile
import unittest

from dolmen_server import DidNotStart, Server, create_table, run

SEED = int(os.environ.get("DOLMEN_SEED", random.SystemRandom().randrange(1 << 32)))
KEYS = [f"key{i}" for i in range(40)]
ITEMS = {key: {"pk": {"S": key}, "v": {"S": hashlib.sha256(key.encode()).hexdigest() * 20}} for key in KEYS}


def picture(path):
    """All that can be seen of a file or folder: names, contents and times."""
    paths = [path, *sorted(path.rglob("*"))] if path.is_dir() else [path]
    return {str(p): (p.stat().st_mtime_ns, p.stat().st_mode, p.read_bytes() if p.is_file() else None) for p in paths}


def differences(before, after):
    return sorted(path for path in {*before, *after} if before.get(path) != after.get(path))


class BadStartTest(unittest.TestCase):
    def setUp(self):
        self.folder, self.cwd = self.new_folder(), self.new_folder()

    def new_folder(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        return pathlib.Path(folder.name)

    def refuse(self, *arguments, code):
        """Runs the program in an empty folder, which stays empty. Returns the line that it wrote."""
        finished = run(*arguments, cwd=self.cwd)
        self.assertEqual((finished.code, finished.out), (code, ""), finished.err)
        self.assertEqual(list(self.cwd.iterdir()), [])
        return self.only_line(finished.err, hint=code == 2)

    def only_line(self, text, hint):
        lines = text.splitlines()
        self.assertEqual(len(lines), 2 if hint else 1)
        if hint:
            self.assertRegex(lines[1], '^Run "dolmen( serve)? --help" to see how it is used.$')
        self.assertRegex(lines[0], "^dolmen: ")
        self.assertTrue(lines[0].isprintable(), repr(lines[0]))
        return lines[0]


class Usage(BadStartTest):
    def test_an_unknown_flag_is_named(self):
        self.assertIn("--frobnicate", self.refuse("serve", "--frobnicate", code=2))

    def test_an_unknown_argument_is_named(self):
        self.assertIn("frobnicate", self.refuse("serve", "frobnicate", code=2))

    def test_an_unknown_verb_is_named(self):
        self.assertIn("frobnicate", self.refuse("frobnicate", code=2))

    def test_a_verb_is_required(self):
        self.refuse(code=2)

    def test_a_flag_needs_its_value(self):
        self.assertIn("--data", self.refuse("serve", "--data", code=2))

    def test_a_value_that_makes_no_sense_is_named_with_its_flag(self):
        for flag, value in (("--port", "abc"), ("--port", "65536"), ("--port", "-1"), ("--threads", "-1"),
                            ("--threads", "x")):
            with self.subTest(flag, value=value):
                line = self.refuse("serve", flag, value, code=2)
                self.assertIn(flag, line)
                self.assertIn(value, line)

    def test_an_unknown_durability_is_answered_with_the_known_ones(self):
        line = self.refuse("serve", "--durability", "much", code=2)
        for word in ("--durability", "much", "sync", "os"):
            self.assertIn(word, line)

    def test_memory_excludes_what_is_about_disks(self):
        for flag, value in (("--data", "somewhere"), ("--durability", "os")):
            with self.subTest(flag):
                line = self.refuse("serve", "--memory", flag, value, code=2)
                self.assertIn("--memory", line)
                self.assertIn(flag, line)

    def test_an_empty_name_of_a_data_directory_is_refused(self):
        finished = run("serve", "--port", "0", "--data", "", cwd=self.folder)
        self.assertIn(finished.code, (1, 2), "the program has crashed")
        self.only_line(finished.err, hint=finished.code == 2)

    def test_more_threads_than_the_machine_can_have_are_refused(self):
        finished = run("serve", "--port", "0", "--memory", "--threads", "1000000", cwd=self.folder)
        self.assertIn(finished.code, (1, 2), "the program has crashed")
        self.assertIn("threads", self.only_line(finished.err, hint=finished.code == 2))

    def test_the_version_is_a_name_and_three_numbers(self):
        finished = run("--version")
        self.assertEqual((finished.code, finished.err), (0, ""))
        self.assertRegex(finished.out, r"^dolmen \d+\.\d+\.\d+\n$")

    def test_help_tells_the_verbs_and_how_to_learn_more(self):
        for flag in ("--help", "-h"):
            finished = run(flag)
            self.assertEqual((finished.code, finished.err), (0, ""))
            self.assertRegex(finished.out, r"(?m)^  serve +\S")
            self.assertIn("dolmen VERB --help", finished.out)

    def test_the_help_of_serve_tells_every_flag_and_its_default(self):
        finished = run("serve", "--help")
        self.assertEqual((finished.code, finished.err), (0, ""))
        for flag, default in (("--host", "127.0.0.1"), ("--port", "8000"), ("--data", "./data"), ("--memory", ""),
                              ("--durability", "sync"), ("--threads", "0")):
            self.assertRegex(finished.out, rf"(?m)^  {flag}\b.*{re.escape(default)}")

    def test_help_can_be_printed(self):
        for line in run("serve", "--help").out.splitlines():
            self.assertTrue(line.isprintable(), repr(line))


class Address(BadStartTest):
    def refuse_and_create_nothing(self, *arguments):
        line = self.refuse("serve", "--data", self.folder / "data", *arguments, code=1)
        self.assertFalse((self.folder / "data").exists())
        return line

    def test_a_busy_port_is_named_and_nothing_is_created(self):
        with socket.create_server(("127.0.0.1", 0)) as other:
            port = other.getsockname()[1]
            line = self.refuse_and_create_nothing("--port", port)
        self.assertIn(f"127.0.0.1:{port}", line)
        self.assertIn("in use", line)
        self.assertIn("--port", line)

    def test_a_port_that_another_dolmen_has_is_busy(self):
        with Server() as other:
            self.assertIn(f"127.0.0.1:{other.port}", self.refuse_and_create_nothing("--port", other.port))
            other.must("ListTables", {})

    def test_a_host_that_is_no_address_is_named_with_what_to_write_instead(self):
        for host in ("garbage", "", "127.0.0.256", "127.0.0.1:8000"):
            with self.subTest(host):
                line = self.refuse_and_create_nothing("--port", 0, "--host", host)
                self.assertIn(f'"{host}"', line)
                self.assertIn("127.0.0.1", line)

    def test_the_address_of_another_machine_is_named_and_another_host_is_advised(self):
        line = self.refuse_and_create_nothing("--port", 0, "--host", "203.0.113.1", "--insecure")
        self.assertIn("203.0.113.1", line)
        self.assertIn("--host", line)


class Place(BadStartTest):
    def refuse_unchanged(self, data):
        before = picture(self.folder)
        line = self.refuse("serve", "--port", 0, "--data", data, code=1)
        self.assertEqual(differences(before, picture(self.folder)), [])
        self.assertIn(str(data), line)
        return line

    def test_a_file_is_no_data_directory(self):
        (self.folder / "file").write_text("mine")
        self.refuse_unchanged(self.folder / "file")

    def test_there_is_no_data_directory_below_a_file(self):
        (self.folder / "file").write_text("mine")
        self.refuse_unchanged(self.folder / "file" / "data")

    def test_a_foreign_directory_is_left_alone_and_its_contents_are_named(self):
        foreign = self.folder / "foreign"
        (foreign / "letters").mkdir(parents=True)
        (foreign / "letters" / "dear.txt").write_text("dear")
        self.assertIn("letters", self.refuse_unchanged(foreign))

    def test_a_database_without_a_marker_is_foreign(self):
        data = make_store(self.folder / "data")
        (data / "DOLMEN").unlink()
        self.refuse_unchanged(data)

    def test_a_marker_without_a_database_is_refused(self):
        data = make_store(self.folder / "data")
        shutil.rmtree(data / "rocksdb")
        self.refuse_unchanged(data)

    def test_another_format_is_named(self):
        data = make_store(self.folder / "data")
        marker = (data / "DOLMEN").read_text()
        for number in ("0", "3", "99"):
            with self.subTest(number):
                (data / "DOLMEN").write_text(re.sub(r"\d+", number, marker))
                self.assertIn(f"format {number}", self.refuse_unchanged(data))

    def test_a_marker_that_says_something_else_is_refused(self):
        data = make_store(self.folder / "data")
        marker = (data / "DOLMEN").read_text()
        for text in ("", "hello\n", marker.strip(), marker + marker, "x" * 100_000):
            with self.subTest(text[:40]):
                (data / "DOLMEN").write_text(text)
                self.assertIn("DOLMEN", self.refuse_unchanged(data))

    def test_a_directory_in_use_is_named_and_its_user_unharmed(self):
        data = self.folder / "data"
        with Server(data) as other:
            create_table(other, "things")
            line = self.refuse("serve", "--port", 0, "--data", data, code=1)
            self.assertIn(str(data), line)
            self.assertIn("in use", line)
            other.must("PutItem", {"TableName": "things", "Item": {"pk": {"S": "a"}}})
            other.kill()
            other.start()
            self.assertIn("Item", other.must("GetItem", {"TableName": "things", "Key": {"pk": {"S": "a"}}}))

    def test_a_server_in_memory_writes_nothing(self):
        with Server(cwd=self.folder) as server:
            create_table(server, "things")
            server.must("PutItem", {"TableName": "things", "Item": {"pk": {"S": "a"}}})
            server.stop()
        self.assertEqual(list(self.folder.iterdir()), [])


def make_store(data, stopped=True):
    """A store as a stop leaves it, with all data in files, or as a kill does, with all data in the log."""
    with Server(data) as server:
        create_table(server, "things")
        for item in ITEMS.values():
            server.must("PutItem", {"TableName": "things", "Item": item})
        if stopped:
            server.stop()
    return data


class Damage(BadStartTest):
    """A damaged store is refused and not touched, or nothing of it is missing. What is unreadable is said to be so."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.stores = {name: make_store(pathlib.Path(folder.name, name), stopped=name == "stopped")
                      for name in ("stopped", "killed")}

    def damage(self, store, pattern, change):
        """Copies a store, changes the files that match, one at a time, and tries to start on each copy."""
        matching = sorted(self.stores[store].glob(f"rocksdb/{pattern}"))
        files = [file.relative_to(self.stores[store]) for file in matching if file.stat().st_size > 0]
        self.assertTrue(files, f"no {pattern} in a store that was {store}")
        for file in files:
            data = self.folder / "data"
            shutil.rmtree(data, ignore_errors=True)
            shutil.copytree(self.stores[store], data)
            content = change((data / file).read_bytes())
            if content is None:
                (data / file).unlink()
            else:
                (data / file).write_bytes(content)
            yield file, data

    def expect_refused_or_whole(self, store, pattern, change, may_start=True):
        for file, data in self.damage(store, pattern, change):
            before = picture(data)
            with self.subTest(store=store, file=str(file)), contextlib.closing(Server(data)) as server:
                refusal = self.refusal_of(server)
                if refusal is None:
                    self.assertTrue(may_start, "the server has started on a damaged store")
                    self.expect_nothing_missing(server)
                else:
                    self.assertIn(str(data), refusal)
                    self.assertEqual(differences(before, picture(data)), [], f"changed by a refused start: {refusal}")

    def refusal_of(self, server):
        """Starts the server; the line by which it refused, or None."""
        try:
            server.start()
        except DidNotStart as refusal:
            status, lines = str(refusal).split("\n", 1)
            self.assertEqual(status, "exit status 1", lines)
            return self.only_line(lines, hint=False)

    def expect_nothing_missing(self, server):
        """Every item is there, or is said to be unreadable."""
        for key, item in ITEMS.items():
            answer = server.call("GetItem", {"TableName": "things", "Key": {"pk": {"S": key}}})
            if answer.status != 500:
                self.assertEqual((answer.status, answer.json()), (200, {"Item": item}), "lost without a word")

    def test_a_changed_byte_in_the_list_of_files(self):
        for store in self.stores:
            for position in random_positions(4):
                self.expect_refused_or_whole(store, "MANIFEST*", flip(position))

    def test_a_changed_length_of_a_record_in_the_list_of_files(self):
        for store in self.stores:
            for number, record in enumerate(self.records(store)):
                with self.subTest(record=number):
                    self.expect_refused_or_whole(store, "MANIFEST*", lambda content: flip_at(content, record + 4))

    def test_a_list_of_files_that_was_cut_between_two_records(self):
        for store in self.stores:
            for number, record in enumerate(self.records(store)):
                with self.subTest(records=number):
                    self.expect_refused_or_whole(store, "MANIFEST*", lambda content: content[:record])

    def test_a_list_of_files_that_was_cut_within_a_record(self):
        for store in self.stores:
            for number, record in enumerate(self.records(store)):
                with self.subTest(records=number):
                    self.expect_refused_or_whole(store, "MANIFEST*", lambda content: content[:record + 9])

    def records(self, store):
        """Where the records of RocksDB's list of files begin: four bytes of checksum, two of length, one of type."""
        content = next(self.stores[store].glob("rocksdb/MANIFEST*")).read_bytes()
        begins, at = [], 0
        while at < len(content):
            begins.append(at)
            at += 7 + int.from_bytes(content[at + 4:at + 6], "little")
        self.assertEqual(at, len(content))
        return begins

    def test_a_changed_name_of_the_list_of_files(self):
        for store in self.stores:
            for change in (flip(0), flip(0.7), flip(1), cut(0), cut(0.5), lambda _: b"garbage\n"):
                self.expect_refused_or_whole(store, "CURRENT", change, may_start=False)

    def test_a_changed_byte_in_the_middle_of_the_log(self):
        for position in (0, 0.5, 0.9, *random_positions(3, 0.95)):
            self.expect_refused_or_whole("killed", "*.log", flip(position), may_start=False)

    def test_a_changed_byte_in_a_data_file(self):
        for position in (0.01, 0.5, *random_positions(3)):
            self.expect_refused_or_whole("stopped", "*.sst", flip(position))

    def test_a_data_file_that_was_cut_short(self):
        for position in (0, 0.5, 0.999):
            self.expect_refused_or_whole("stopped", "*.sst", cut(position), may_start=False)

    def test_a_missing_file(self):
        for pattern in ("CURRENT", "MANIFEST*", "*.sst"):
            self.expect_refused_or_whole("stopped", pattern, lambda _: None, may_start=False)


def random_positions(count, limit=1.0):
    choice = random.Random(SEED)
    return [choice.uniform(0, limit) for _ in range(count)]


def flip_at(content, at):
    return content[:at] + bytes([content[at] ^ 0x55]) + content[at + 1:]


def flip(position):
    """A change of one byte. The position is a part of the length, from 0 to 1."""
    return lambda content: flip_at(content, min(int(len(content) * position), len(content) - 1))


def cut(position):
    return lambda content: content[:int(len(content) * position)]


if __name__ == "__main__":
    print(f"seed {SEED}; DOLMEN_SEED={SEED} repeats it", flush=True)
    unittest.main()

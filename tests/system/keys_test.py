#!/usr/bin/python3
"""Keys of encrypted attributes: `dolmen keys create`, `list`, `rotate` and `rewrap`, with key files and with a stand-in for KMS; and
envelopes that travel between Dolmen and a program that encrypts as TableTheory does, with boto3 and nothing of Dolmen's."""

import json
import os
import pathlib
import signal
import stat
import subprocess
import tempfile
import unittest

from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from dolmen_server import BINARY, PATIENCE_S, Finished, Server, clean_environment
from kms_server import KEY, OTHER_KEY, KmsError, KmsServer
from waiting import wait_until

MODEL = """
dms_version: "0.1"
models:
  - name: "User"
    table: { name: "users" }
    keys: { partition: { attribute: "pk", type: "S" } }
    attributes:
      - { attribute: "pk", type: "S", required: true }
      - { attribute: "phone", type: "S", optional: true, encryption: {} }
      - { attribute: "notes", type: "L", optional: true, encryption: {} }
      - { attribute: "version", type: "N", format: "int", roles: ["version"] }
"""


def seal(kms, attribute, text, key=KEY, **context):
    """An envelope as TableTheory writes it: a data key of KMS for each value, without a context of encryption."""
    data_key = kms.generate_data_key(KeyId=key, KeySpec="AES_256", **context)
    nonce = os.urandom(12)
    plain = json.dumps({"t": "S", "s": text}, separators=(",", ":")).encode()
    sealed = AESGCM(data_key["Plaintext"]).encrypt(nonce, plain, f"theorydb:encrypted:v1|attr={attribute}".encode())
    return {"M": {"v": {"N": "1"}, "edk": {"B": data_key["CiphertextBlob"]}, "nonce": {"B": nonce}, "ct": {"B": sealed}}}


def unseal(kms, attribute, envelope, key=KEY):
    members = envelope["M"]
    data_key = kms.decrypt(CiphertextBlob=members["edk"]["B"], KeyId=key)["Plaintext"]
    plain = AESGCM(data_key).decrypt(members["nonce"]["B"], members["ct"]["B"],
                                     f"theorydb:encrypted:v1|attr={attribute}".encode())
    return json.loads(plain)


class Keys(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "user.yml").write_text(MODEL)

    def dolmen(self, *arguments, **more):
        done = subprocess.run([BINARY, *map(str, arguments)], cwd=self.folder, text=True, stdin=subprocess.DEVNULL,
                              env=clean_environment(os.devnull) | more, capture_output=True, timeout=PATIENCE_S)
        return Finished(done.returncode, done.stdout, done.stderr)

    def must(self, *arguments):
        done = self.dolmen(*arguments)
        self.assertEqual((done.code, done.err), (0, ""), (arguments, done))
        return done.out

    def serve(self):
        server = Server(data=self.folder / "data")
        self.addCleanup(server.close)
        server.start()
        return server

    def serve_kms(self):
        kms = KmsServer()
        kms.__enter__()
        self.addCleanup(kms.__exit__)
        return kms

    def table(self, server):
        self.must("model", "apply", "user.yml", "--endpoint", server.url)
        return server.client()

    def rewrap(self, server, *arguments):
        return self.dolmen("keys", "rewrap", "--table", "users", "--model", "user.yml", "--endpoint", server.url, "--json",
                           *arguments)

    def done(self, server, *arguments):
        done = self.rewrap(server, *arguments)
        self.assertEqual((done.code, done.err), (0, ""), (arguments, done))
        return json.loads(done.out)


class KeyFiles(Keys):
    def test_a_key_file_is_made_listed_and_rotated(self):
        self.must("keys", "create", "users.keys", "--id", "first")
        self.assertEqual(stat.S_IMODE((self.folder / "users.keys").stat().st_mode), 0o600)
        self.assertEqual(self.must("keys", "list", "users.keys"), "first  encrypts and decrypts\n")
        self.assertEqual(json.loads(self.must("keys", "rotate", "users.keys", "--id", "second", "--json")),
                         {"file": "users.keys", "active": "second"})
        self.assertEqual(self.must("keys", "list", "users.keys"), "second  encrypts and decrypts\nfirst  decrypts\n")
        self.assertEqual(stat.S_IMODE((self.folder / "users.keys").stat().st_mode), 0o600)
        text = (self.folder / "users.keys").read_text()
        for shown in (self.must("keys", "list", "users.keys", "--json"), self.must("keys", "list", "users.keys")):
            for line in text.splitlines():
                self.assertNotIn(line.split()[1], shown)

    def test_keys_are_called_by_the_day_and_never_twice(self):
        self.must("keys", "create", "users.keys")
        self.must("keys", "rotate", "users.keys")
        self.must("keys", "rotate", "users.keys")
        ids = json.loads(self.must("keys", "list", "users.keys", "--json"))["keys"]
        self.assertEqual(ids, [ids[2] + "-3", ids[2] + "-2", ids[2]])

    def test_what_cannot_be_is_refused(self):
        self.must("keys", "create", "users.keys", "--id", "first")
        before = (self.folder / "users.keys").read_bytes()
        for arguments, message in (
            (("create", "users.keys"), "it exists"),
            (("rotate", "users.keys", "--id", "first"), "has a key first already"),
            (("rotate", "users.keys", "--id", "two words"), "a key id is 1 to 64 letters"),
            (("rotate", "missing.keys"), "No such file"),
        ):
            done = self.dolmen("keys", *arguments)
            self.assertIn(done.code, (1, 2))
            self.assertIn(message, done.err)
        self.assertEqual((self.folder / "users.keys").read_bytes(), before)
        (self.folder / "users.keys").chmod(0o644)
        self.assertIn("chmod 600", self.dolmen("keys", "list", "users.keys").err)


class Rewrapping(Keys):
    def fill(self, kms, client, count):
        for number in range(count):
            client.put_item(TableName="users", Item={"pk": {"S": f"U{number}"}, "version": {"N": "4"},
                                                     "phone": seal(kms, "phone", f"+{number}")})

    def items(self, client):
        return {item["pk"]["S"]: item for page in client.get_paginator("scan").paginate(TableName="users")
                for item in page["Items"]}

    def test_envelopes_of_another_library_are_read_and_dolmens_are_read_by_it(self):
        server, kms = self.serve(), self.serve_kms()
        client, theirs = self.table(server), kms.client()
        self.fill(theirs, client, 30)
        before = self.items(client)
        report = self.done(server, "--keys", f"kms:{KEY}", "--kms-endpoint", kms.url)
        self.assertEqual((report["rewrapped"], report["failed"]), (30, 0))
        after = self.items(client)
        for number in range(30):
            item = after[f"U{number}"]
            self.assertEqual(unseal(theirs, "phone", item["phone"]), {"t": "S", "s": f"+{number}"})
            self.assertNotEqual(item["phone"], before[f"U{number}"]["phone"])
            self.assertEqual(item["version"], {"N": "4"})
        self.assertEqual([context for context in kms.contexts if context], [])
        # A data key encrypts many values: KMS was asked 30 times by the other library, and by each of Dolmen's four readers at most once.
        self.assertLessEqual(kms.operations.count("GenerateDataKey"), 30 + 4)

    def test_items_move_from_a_key_file_to_kms_and_back(self):
        server, kms = self.serve(), self.serve_kms()
        client = self.table(server)
        self.fill(kms.client(), client, 12)
        self.must("keys", "create", "users.keys", "--id", "first")
        address = ("--kms-endpoint", kms.url)
        moved = self.done(server, "--keys", f"kms:{KEY}", "--to-keys", "users.keys", *address)
        self.assertEqual((moved["rewrapped"], moved["current"]), (12, 0))
        self.assertEqual({item["phone"]["M"]["edk"]["B"][:6] for item in self.items(client).values()}, {b"\x05first"})
        self.must("keys", "rotate", "users.keys", "--id", "second")
        dry = self.done(server, "--keys", "users.keys", "--dry-run")
        self.assertEqual((dry["rewrapped"], dry["dry_run"]), (12, True))
        self.assertEqual(self.done(server, "--keys", "users.keys")["rewrapped"], 12)
        self.assertEqual(self.done(server, "--keys", "users.keys")["current"], 12)
        bound = ("--kms-context", "tenant=acme", "--kms-bind")
        back = self.done(server, "--keys", "users.keys", "--to-keys", f"kms:{OTHER_KEY}", *address, *bound)
        self.assertEqual(back["rewrapped"], 12)
        self.assertEqual(kms.contexts[-1], {"tenant": "acme", "dolmen:model": "User", "dolmen:attribute": "phone"})
        again = self.done(server, "--keys", "users.keys", "--to-keys", f"kms:{OTHER_KEY}", *address, *bound)
        self.assertEqual((again["rewrapped"], again["current"]), (0, 12))
        unbound = self.rewrap(server, "--keys", f"kms:{OTHER_KEY}", *address)
        self.assertEqual((unbound.code, json.loads(unbound.out)["failed"]), (1, 12))
        self.assertIn("another encryption context", json.loads(unbound.out)["failures"][0]["message"])

    def test_failures_of_kms_are_reported_as_what_they_are(self):
        server, kms = self.serve(), self.serve_kms()
        client = self.table(server)
        self.fill(kms.client(), client, 1)
        arguments = ("--keys", f"kms:{KEY}", "--kms-endpoint", kms.url)
        before = self.items(client)
        for errors, code in (([KmsError("AccessDeniedException", "no")], "AccessDenied"),
                             ([KmsError("ThrottlingException", "slow down")] * 4, "Throttled"),
                             ([KmsError("KMSInternalException", "", 500)] * 4, "Unavailable"),
                             ([KmsError("NotFoundException", "no such key")], "EncryptionNotConfigured")):
            kms.fail_next = list(errors)
            done = self.rewrap(server, *arguments)
            self.assertEqual((done.code, json.loads(done.out)["error"]), (1, code), done)
            self.assertEqual(kms.fail_next, [])
        kms.disabled.add(KEY)
        self.assertIn("is disabled", self.rewrap(server, *arguments).out)
        kms.disabled.clear()
        wrong = self.dolmen("keys", "rewrap", "--table", "users", "--model", "user.yml", "--endpoint", server.url, *arguments,
                            AWS_SECRET_ACCESS_KEY="another")
        self.assertIn("the signature does not match", wrong.err)
        self.assertEqual(self.items(client), before)
        kms.fail_next = [KmsError("ThrottlingException", "slow down")] * 2
        self.assertEqual(self.done(server, *arguments)["rewrapped"], 1)

    def test_a_rewrap_that_is_killed_goes_on(self):
        server, kms = self.serve(), self.serve_kms()
        client = self.table(server)
        self.fill(kms.client(), client, 200)
        self.must("keys", "create", "users.keys", "--id", "first")
        arguments = ("keys", "rewrap", "--table", "users", "--model", "user.yml", "--endpoint", server.url, "--keys", f"kms:{KEY}",
                     "--to-keys", "users.keys", "--kms-endpoint", kms.url, "--resume", "position", "--rate", "20", "--json")
        process = subprocess.Popen([BINARY, *arguments], cwd=self.folder, env=clean_environment(os.devnull),
                                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        wait_until((self.folder / "position").exists, bool)
        process.send_signal(signal.SIGKILL)
        process.wait()
        state = json.loads((self.folder / "position").read_text())
        self.assertLess(state["items"], 200)
        other = self.dolmen(*arguments[:-3], "--rate", "0", "--dry-run")
        self.assertIn("does not belong to this command", other.err)
        done = json.loads(self.must(*arguments[:-3], "--rate", "0", "--json"))
        self.assertEqual((done["items"], done["before"]), (200, state["items"]))
        self.assertEqual(done["rewrapped"] + done["current"], 200)
        self.assertFalse((self.folder / "position").exists())
        self.assertEqual({item["phone"]["M"]["edk"]["B"][:6] for item in self.items(client).values()}, {b"\x05first"})

    def test_values_that_are_not_encrypted_are_counted_and_left(self):
        server = self.serve()
        client = self.table(server)
        self.must("keys", "create", "users.keys")
        client.put_item(TableName="users", Item={"pk": {"S": "U"}, "version": {"N": "0"}, "phone": {"S": "+33"}})
        done = self.rewrap(server, "--keys", "users.keys")
        self.assertEqual((done.code, json.loads(done.out)["plain"]), (1, 1))
        self.assertEqual(self.items(client)["U"]["phone"], {"S": "+33"})


if __name__ == "__main__":
    unittest.main()

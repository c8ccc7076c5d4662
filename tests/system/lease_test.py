#!/usr/bin/python3
"""`dolmen lease`: rows that an independent client understands and the other way round, and commands under a lease."""

import http.server
import json
import os
import pathlib
import signal
import subprocess
import tempfile
import threading
import time
import unittest
import uuid

import boto3
from boto3.dynamodb.types import TypeDeserializer

from dolmen_server import BINARY, PATIENCE_S, Server, clean_environment, create_table, run
from foreign_servers import DynamoDbLocal, Dynalite

LEASE_TORTURE = pathlib.Path(BINARY).parent / "lease_torture"


class ForeignLeases:
    """Leases as the TypeScript and Python implementations of TableTheory make them, on boto3 alone."""

    def __init__(self, client, table):
        self.client, self.table = client, table

    @staticmethod
    def key(pk):
        return {"pk": {"S": pk}, "sk": {"S": "LOCK"}}

    def acquire(self, pk, seconds, now=None):
        now = int(time.time()) if now is None else now
        token = str(uuid.uuid4())
        self.client.put_item(
            TableName=self.table,
            Item=self.key(pk) | {"lease_token": {"S": token}, "lease_expires_at": {"N": str(now + seconds)},
                                 "ttl": {"N": str(now + seconds + 3600)}},
            ConditionExpression="attribute_not_exists(#pk) OR #exp <= :now",
            ExpressionAttributeNames={"#pk": "pk", "#exp": "lease_expires_at"},
            ExpressionAttributeValues={":now": {"N": str(now)}})
        return token

    def refresh(self, pk, token, seconds):
        now = int(time.time())
        self.client.update_item(
            TableName=self.table, Key=self.key(pk), UpdateExpression="SET #exp = :exp, #ttl = :ttl",
            ConditionExpression="#tok = :tok AND #exp > :now",
            ExpressionAttributeNames={"#exp": "lease_expires_at", "#ttl": "ttl", "#tok": "lease_token"},
            ExpressionAttributeValues={":exp": {"N": str(now + seconds)}, ":ttl": {"N": str(now + seconds + 3600)},
                                       ":tok": {"S": token}, ":now": {"N": str(now)}})

    def release(self, pk, token):
        try:
            self.client.delete_item(TableName=self.table, Key=self.key(pk), ConditionExpression="#tok = :tok",
                                    ExpressionAttributeNames={"#tok": "lease_token"},
                                    ExpressionAttributeValues={":tok": {"S": token}})
        except self.client.exceptions.ConditionalCheckFailedException:
            pass

    def row(self, pk):
        return self.client.get_item(TableName=self.table, Key=self.key(pk), ConsistentRead=True).get("Item")


def client_of(url):
    return boto3.client("dynamodb", endpoint_url=url, region_name="us-east-1", aws_access_key_id="local",
                        aws_secret_access_key="local")


class OnServer(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Server()
        cls.server.start()
        cls.addClassCleanup(cls.server.close)
        cls.url = cls.server.url
        create_table(cls.server, "leases", "pk", "sk")
        cls.foreign = ForeignLeases(client_of(cls.url), "leases")

    def setUp(self):
        self.key = self.id().rpartition(".")[2]

    def lease(self, verb, *arguments, expect=0):
        finished = run("lease", verb, self.key, *arguments, "--endpoint", self.url, "--json")
        self.assertEqual(finished.code, expect, finished.err)
        return json.loads(finished.out)

    def refused(self):
        return self.assertRaises(self.foreign.client.exceptions.ConditionalCheckFailedException)


class Interoperation(OnServer):
    def test_a_row_has_exactly_the_attributes_and_types_of_the_specification(self):
        before = int(time.time())
        lease = self.lease("acquire", "--seconds", 30)
        row = self.foreign.row(self.key)
        self.assertEqual({name: list(value) for name, value in row.items()},
                         {"pk": ["S"], "sk": ["S"], "lease_token": ["S"], "lease_expires_at": ["N"], "ttl": ["N"]})
        values = {name: TypeDeserializer().deserialize(value) for name, value in row.items()}
        self.assertEqual((values["pk"], values["sk"], values["lease_token"]), (self.key, "LOCK", lease["token"]))
        self.assertEqual(uuid.UUID(lease["token"]).version, 4)
        self.assertEqual(values["lease_expires_at"], lease["expires_at"])
        self.assertEqual(values["ttl"], lease["expires_at"] + 3600)
        self.assertIn(lease["expires_at"] - before, range(30, 30 + PATIENCE_S))

    def test_a_foreign_client_respects_refreshes_and_releases_our_lease(self):
        token = self.lease("acquire")["token"]
        with self.refused():
            self.foreign.acquire(self.key, 30)
        with self.refused():
            self.foreign.refresh(self.key, "another", 30)
        self.foreign.refresh(self.key, token, 90)
        status = self.lease("status")
        self.assertEqual((status["held"], status["token"]), (True, token))
        self.foreign.release(self.key, "another")
        self.assertIsNotNone(self.foreign.row(self.key))
        self.foreign.release(self.key, token)
        self.assertEqual(self.lease("status"), {"exists": False, "held": False})

    def test_we_respect_refresh_and_release_a_foreign_lease(self):
        token = self.foreign.acquire(self.key, 30)
        self.assertEqual(self.lease("acquire", expect=1)["error"], "LeaseHeld")
        self.assertEqual(self.lease("refresh", "--token", "another", expect=1)["error"], "LeaseNotOwned")
        refreshed = self.lease("refresh", "--token", token, "--seconds", 90)
        row = self.foreign.row(self.key)
        self.assertEqual(row["lease_expires_at"], {"N": str(refreshed["expires_at"])})
        self.assertEqual(row["ttl"], {"N": str(refreshed["expires_at"] + 3600)})
        self.assertEqual(self.lease("release", "--token", "another", expect=1)["error"], "LeaseNotOwned")
        self.assertIsNotNone(self.foreign.row(self.key))
        self.lease("release", "--token", token)
        self.assertIsNone(self.foreign.row(self.key))

    def test_both_take_over_what_has_ended(self):
        now = int(time.time())
        self.foreign.acquire(self.key, 5, now=now - 5)
        ours = self.lease("acquire", "--seconds", 1)
        theirs = self.foreign.acquire(self.key, 30, now=ours["expires_at"])
        self.assertEqual(self.lease("status")["token"], theirs)

    def test_a_row_with_a_generation_is_free_for_others_when_it_was_released(self):
        first = self.lease("acquire", "--fencing")
        self.lease("release", "--fencing", "--token", first["token"])
        self.assertEqual(self.foreign.row(self.key), self.foreign.key(self.key) | {
            "lease_token": {"S": first["token"]}, "lease_expires_at": {"N": "0"},
            "generation": {"N": str(first["generation"])}})
        self.assertEqual(run("lease", "status", self.key, "--endpoint", self.url).out,
                         f"free: it was released\ngeneration  {first['generation']}\n")
        self.assertEqual(self.lease("release", "--fencing", "--token", first["token"], expect=1)["error"], "LeaseNotOwned")
        token = self.foreign.acquire(self.key, 30)
        self.foreign.release(self.key, token)
        self.assertGreater(self.lease("acquire", "--fencing")["generation"], first["generation"])

    def test_other_names_and_no_ttl(self):
        self.lease("acquire", "--attribute", "token=owner", "--attribute", "expires_at=until", "--ttl-buffer", 0)
        self.assertEqual(set(self.foreign.row(self.key)), {"pk", "sk", "owner", "until"})
        wrong = run("lease", "acquire", "x", "--attribute", "colour=red", "--endpoint", self.url)
        self.assertEqual(wrong.code, 2)
        self.assertIn('"colour=red" is not ROLE=NAME', wrong.err)


class Questions(OnServer):
    def test_people_are_told_as_well(self):
        def say(verb, *arguments):
            return run("lease", verb, self.key, *arguments, "--endpoint", self.url)
        self.assertEqual(say("status").out, "free: it was never held, or its row has been removed\n")
        acquired = say("acquire", "--seconds", 60)
        self.assertRegex(acquired.out, r"^token       \S{36}\nexpires_at  \d+ \(in 6[01] s\)\n$")
        self.assertRegex(say("status").out, r"^held for another \d+ s\ntoken       \S{36}\n$")
        held = say("acquire")
        self.assertEqual(held.code, 1)
        self.assertRegex(held.err, r"^dolmen: \S+/LOCK is held for another \d+ s\n$")
        token = acquired.out.split()[1]
        wrong = say("release", "--token", "another")
        self.assertEqual((wrong.code, wrong.out), (1, ""))
        self.assertRegex(wrong.err, r"^dolmen: nothing was released: \S+/LOCK is held with another token\n$")
        self.assertEqual(self.lease("release", "--token", "another", expect=1)["error"], "LeaseNotOwned")
        self.assertRegex(say("status").out, r"^held for another ")
        self.assertEqual(say("release", "--token", token).out, "released\n")
        self.assertEqual(say("release", "--token", token).code, 1)

    def test_a_missing_table_can_be_made(self):
        missing = run("lease", "acquire", "x", "--table", "more", "--endpoint", self.url)
        self.assertEqual(missing.code, 1)
        self.assertIn("create it with --create-table", missing.err)
        made = run("lease", "acquire", "x", "--table", "more", "--create-table", "--endpoint", self.url)
        self.assertEqual(made.code, 0, made.err)
        self.assertEqual(self.foreign.client.describe_time_to_live(TableName="more")["TimeToLiveDescription"],
                         {"TimeToLiveStatus": "ENABLED", "AttributeName": "ttl"})

    def test_wrong_questions(self):
        for arguments in (("refresh", "x"), ("acquire",), ("acquire", "x", "--seconds", "0"), ("run", "x"), (),
                          ("acquire", "x", "--seconds", "1e300"), ("acquire", "x", "--seconds", "nan"),
                          ("acquire", "x", "--seconds", "inf"), ("run", "x", "--wait", "1e300", "--", "true"),
                          ("run", "x", "--grace", "-1", "--", "true")):
            self.assertEqual(run("lease", *arguments, "--endpoint", self.url).code, 2, arguments)

    def test_a_buffer_without_end_does_not_wrap_around(self):
        self.lease("acquire", "--ttl-buffer", 2**63 - 1)
        self.assertEqual(self.foreign.row(self.key)["ttl"], {"N": str(2**63 - 1)})


class Run(OnServer):
    def start(self, *command, key=None, flags=()):
        process = subprocess.Popen(
            [BINARY, "lease", "run", key or self.key, "--endpoint", self.url, *map(str, flags), "--", *command],
            env=clean_environment(os.devnull), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True)
        self.addCleanup(self.end, process)
        return process

    @staticmethod
    def end(process):
        process.kill()
        process.wait()
        process.stdout.close()
        process.stderr.close()

    def wait_for_line(self, process):
        return process.stdout.readline().strip()

    def assert_gone(self, pid):
        deadline = time.monotonic() + PATIENCE_S
        while pathlib.Path(f"/proc/{pid}").exists():
            self.assertLess(time.monotonic(), deadline, f"process {pid} is still there")
            time.sleep(0.02)

    def test_the_command_runs_under_the_lease_and_its_status_is_passed_on(self):
        script = 'echo "$DOLMEN_LEASE_TOKEN $DOLMEN_LEASE_KEY $DOLMEN_LEASE_SORT"; read line; exit 7'
        process = subprocess.Popen([BINARY, "lease", "run", self.key, "--endpoint", self.url, "--", "sh", "-c", script],
                                   env=clean_environment(os.devnull), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        token, key, sort = self.wait_for_line(process).split()
        row = self.foreign.row(self.key)
        self.assertEqual((row["lease_token"]["S"], key, sort), (token, self.key, "LOCK"))
        process.communicate("go\n", timeout=PATIENCE_S)
        self.assertEqual(process.returncode, 7)
        self.assertIsNone(self.foreign.row(self.key))

    def test_a_lease_that_cannot_be_given_back_is_a_failure(self):
        for command, status in (("exit 0", 1), ("exit 7", 7)):
            with Server() as server:
                create_table(server, "leases", "pk", "sk")
                finished = run("lease", "run", self.key, "--endpoint", server.url, "--", "sh", "-c",
                               f"kill -9 {server.process.pid}; {command}")
            self.assertEqual(finished.code, status)
            self.assertIn("the lease was not released and stays until it expires: ", finished.err)

    def test_a_second_command_does_not_run(self):
        first = self.start("sh", "-c", "echo running; exec sleep 60")
        self.wait_for_line(first)
        second = run("lease", "run", self.key, "--endpoint", self.url, "--conflict-exit-code", 75, "--", "echo", "no")
        self.assertEqual((second.code, second.out), (75, ""))
        self.assertIn("is held for another", second.err)
        first.send_signal(signal.SIGTERM)
        self.assertEqual(first.wait(PATIENCE_S), 128 + signal.SIGTERM)
        self.assertIsNone(self.foreign.row(self.key))

    def test_the_command_is_stopped_when_the_lease_is_lost(self):
        script = "trap 'echo told; exit 0' TERM; echo $$; while :; do sleep 0.05; done"
        process = self.start("sh", "-c", script, flags=("--seconds", 9, "--grace", 4))
        pid = self.wait_for_line(process)
        self.foreign.client.put_item(TableName="leases", Item=self.foreign.key(self.key) | {
            "lease_token": {"S": "another"}, "lease_expires_at": {"N": "9999999999"}})
        out, err = process.communicate(timeout=PATIENCE_S)
        self.assertEqual((process.returncode, out), (1, "told\n"))
        self.assertIn("the lease was lost, and the command was stopped", err)
        self.assert_gone(pid)
        self.assertEqual(self.foreign.row(self.key)["lease_token"], {"S": "another"})

    def test_a_command_that_does_not_listen_is_killed_with_its_children(self):
        script = "trap '' TERM; sleep 60 & echo $$ $!; while :; do sleep 0.05; done"
        process = self.start("sh", "-c", script, flags=("--seconds", 2, "--grace", 0.5))
        pids = self.wait_for_line(process).split()
        self.foreign.client.delete_item(TableName="leases", Key=self.foreign.key(self.key))
        self.assertEqual(process.wait(PATIENCE_S), 1)
        for pid in pids:
            self.assertFalse(pathlib.Path(f"/proc/{pid}").exists(), "the lease was given back before all had ended")

    def test_a_command_is_killed_a_grace_before_the_lease_ends(self):
        with Server(data=pathlib.Path(f"data-{self.key}").absolute()) as server:
            create_table(server, "leases", "pk", "sk")
            # Notes the time as long as it lives.
            beats = pathlib.Path(f"beats-{self.key}").absolute()
            script = f"trap '' TERM; while :; do date +%s.%N >{beats}.new; mv {beats}.new {beats}; sleep 0.02; done"
            process = subprocess.Popen([BINARY, "lease", "run", self.key, "--endpoint", server.url, "--seconds", "5",
                                        "--grace", "1", "--", "sh", "-c", script],
                                       env=clean_environment(os.devnull), stdin=subprocess.DEVNULL,
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            self.addCleanup(self.end, process)
            deadline = time.monotonic() + PATIENCE_S
            while not beats.exists():
                self.assertLess(time.monotonic(), deadline)
                time.sleep(0.02)
            # From now on nothing is refreshed, and nothing given back.
            server.kill()
            self.assertEqual(process.wait(PATIENCE_S), 1)
            server.start()
            row = ForeignLeases(client_of(server.url), "leases").row(self.key)
            self.assertLess(float(beats.read_text()), int(row["lease_expires_at"]["N"]))

    def test_a_short_lease_has_a_shorter_grace(self):
        finished = run("lease", "run", self.key, "--endpoint", self.url, "--seconds", 2, "--", "echo", "mine")
        self.assertEqual((finished.code, finished.out), (0, "mine\n"))

    def test_a_grace_that_does_not_fit_twice_into_the_lease_is_refused(self):
        finished = run("lease", "run", self.key, "--endpoint", self.url, "--seconds", 2, "--grace", 1, "--", "echo", "no")
        self.assertEqual((finished.code, finished.out), (2, ""))
        self.assertIn("is not longer than twice the grace", finished.err)

    def test_another_takes_over_from_a_holder_that_was_killed(self):
        holder = self.start("sh", "-c", "echo $$; exec sleep 60", flags=("--seconds", 3, "--grace", 0.5))
        pid = self.wait_for_line(holder)
        holder.kill()
        self.assert_gone(pid)
        self.assertIsNotNone(self.foreign.row(self.key))
        follower = run("lease", "run", self.key, "--endpoint", self.url, "--wait", 20, "--", "echo", "mine")
        self.assertEqual((follower.code, follower.out), (0, "mine\n"))

    def test_one_at_a_time_over_many_processes(self):
        # Every command makes a folder and removes it; two at a time would find it there.
        script = f"mkdir inside-{self.key} && sleep 0.02 && rmdir inside-{self.key}"
        processes = [self.start("sh", "-c", script, flags=("--wait", PATIENCE_S)) for _ in range(8)]
        for process in processes:
            out, err = process.communicate(timeout=2 * PATIENCE_S)
            self.assertEqual(process.returncode, 0, err)

    def test_a_command_that_does_not_exist(self):
        finished = run("lease", "run", self.key, "--endpoint", self.url, "--", "no-such-command")
        self.assertEqual(finished.code, 127)
        self.assertIn("cannot run the command no-such-command", finished.err)


class Torture(unittest.TestCase):
    def torture(self, url, acquisitions):
        done = subprocess.run([LEASE_TORTURE, "--workers", "16", "--acquisitions", str(acquisitions), "--endpoint", url],
                              env=clean_environment(os.devnull), capture_output=True, text=True, timeout=4 * PATIENCE_S)
        self.assertEqual(done.stdout.splitlines()[-1:], [f"{acquisitions} acquisitions, 0 violations"],
                         done.stdout + done.stderr)
        self.assertEqual(done.returncode, 0)

    def test_over_http(self):
        if not LEASE_TORTURE.exists():
            return print("skipped: lease_torture is not built")
        with Server() as server:
            self.torture(server.url, 500)
            self.assertEqual(server.client().list_tables()["TableNames"], [])

    def test_on_dynamodb_local(self):
        if reason := DynamoDbLocal.why_missing():
            return print(f"skipped: {reason}")
        with DynamoDbLocal() as server:
            self.torture(server.url, 100)


class CountingServer(http.server.ThreadingHTTPServer):
    """Says yes to every request, and counts them."""

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self):
            self.rfile.read(int(self.headers["Content-Length"]))
            with self.server.counted:
                self.server.requests += 1
                self.server.counted.notify_all()
            self.send_response(200)
            self.send_header("Content-Type", "application/x-amz-json-1.0")
            self.send_header("Content-Length", "2")
            self.end_headers()
            self.wfile.write(b"{}")

        def log_message(self, *_):
            pass

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), self.Handler)
        self.requests, self.counted = 0, threading.Condition()

    def __enter__(self):
        threading.Thread(target=self.serve_forever).start()
        return self

    def __exit__(self, *_):
        self.shutdown()
        self.server_close()

    def wait_for(self, requests):
        with self.counted:
            return self.counted.wait_for(lambda: self.requests >= requests, PATIENCE_S)


class OwnChildren(unittest.TestCase):
    def test_a_credential_process_is_not_taken_for_a_part_of_the_command(self):
        folder = pathlib.Path(tempfile.mkdtemp())
        calls = folder / "calls"
        # What has ended long ago is fetched anew for each request.
        credentials = {"Version": 1, "AccessKeyId": "id", "SecretAccessKey": "secret", "Expiration": "2020-01-01T00:00:00Z"}
        (folder / "credentials.json").write_text(json.dumps(credentials))
        (folder / "config").write_text(
            f"[default]\ncredential_process = echo call >>{calls}; cat {folder}/credentials.json\n")
        environment = clean_environment(folder) | {"AWS_CONFIG_FILE": str(folder / "config")}
        for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
            del environment[name]
        with CountingServer() as server:
            process = subprocess.Popen(
                [BINARY, "lease", "run", "key", "--endpoint", f"http://127.0.0.1:{server.server_port}", "--seconds", "2",
                 "--grace", "0.2", "--", "sh", "-c", "read line; exit 7"],
                env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
            self.assertTrue(server.wait_for(10))
            process.communicate("go\n", timeout=PATIENCE_S)
            self.assertEqual(process.returncode, 7)
            # None of them failed, so that it had to be run again.
            self.assertEqual(len(calls.read_text().splitlines()), server.requests)


class OnDynalite(unittest.TestCase):
    def test_leases_need_no_transactions(self):
        if reason := Dynalite.why_missing():
            return print(f"skipped: {reason}")
        with Dynalite() as server:
            # It has no time to live either, so it cannot make the table that the verb would make.
            client = client_of(server.url)
            client.create_table(
                TableName="leases", BillingMode="PAY_PER_REQUEST",
                AttributeDefinitions=[{"AttributeName": name, "AttributeType": "S"} for name in ("pk", "sk")],
                KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}])
            client.get_waiter("table_exists").wait(TableName="leases", WaiterConfig={"Delay": 1})
            flags = ("job", "--endpoint", server.url, "--json")
            lease = json.loads(run("lease", "acquire", *flags).out)
            self.assertEqual(run("lease", "acquire", *flags).code, 1)
            self.assertEqual(run("lease", "refresh", *flags, "--token", lease["token"]).code, 0)
            self.assertEqual(run("lease", "release", *flags, "--token", lease["token"]).code, 0)
            self.assertEqual(run("lease", "acquire", *flags).code, 0)


if __name__ == "__main__":
    unittest.main()

#!/usr/bin/python3
"""`dolmen isr` on items and bodies that an independent client has written."""

import hashlib
import http.server
import json
import os
import pathlib
import subprocess
import threading
import time
import unittest

from dolmen_server import BINARY, PATIENCE_S, Server, clean_environment, create_table, run


def partition(page, tenant=None):
    hashed = f"CACHE#{hashlib.sha256(page.encode()).hexdigest()}"
    return hashed if tenant is None else f"TENANT#{tenant}#{hashed}"


class Bucket:
    """A server that keeps objects as S3 does, as far as `dolmen isr purge` needs it. Refuses what is not signed."""

    def __init__(self):
        self.objects = {}
        bucket = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_DELETE(self):
                signed = self.headers.get("Authorization", "").startswith("AWS4-HMAC-SHA256 Credential=local/")
                if signed:
                    bucket.objects.pop(self.path, None)
                self.send_response(204 if signed else 403)
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.thread = threading.Thread(target=self.server.serve_forever)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server.server_port}"


class Isr(unittest.TestCase):
    def setUp(self):
        self.server = Server()
        self.server.start()
        self.addCleanup(self.server.close)
        create_table(self.server, "cache", "pk", "sk")
        self.client = self.server.client()
        self.bodies = pathlib.Path("bodies").absolute() / self.id().rpartition(".")[2]

    def put(self, pk, sk, **attributes):
        typed = {name: {"N": str(value)} if isinstance(value, int) else {"S": value}
                 for name, value in attributes.items()}
        self.client.put_item(TableName="cache", Item={"pk": {"S": pk}, "sk": {"S": sk}} | typed)

    def put_page(self, pk, age=0, body="body"):
        self.put(pk, "META", s3_key=f"theirs/{pk}", generated_at=int(time.time()) - age, revalidate_seconds=600,
                 etag='"v1"', ttl=int(time.time()) + 9999)
        path = self.bodies / "theirs" / pk.replace("#", "%23")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(body)
        return path

    def isr(self, *arguments):
        finished = run("isr", *arguments, "--endpoint", self.server.url, "--json")
        self.assertEqual(finished.code, 0, finished.err)
        return json.loads(finished.out)

    def test_status_of_foreign_pages(self):
        self.assertEqual(self.isr("status", "/a"), {"pk": partition("/a"), "state": "missing", "versions": 0,
                                                    "generating": False})
        self.put_page(partition("/a"))
        fresh = self.isr("status", "/a")
        self.assertEqual((fresh["state"], fresh["etag"], fresh["revalidate_seconds"]), ("fresh", '"v1"', 600))
        # An item that time to live has not removed yet, and one whose ttl is far away, are equally stale.
        self.put_page(partition("/a", "acme"), age=600)
        self.put(partition("/a", "acme"), "LOCK", lease_token="t", lease_expires_at=int(time.time()) + 100)
        stale = self.isr("status", "/a", "--tenant", "acme")
        self.assertEqual((stale["state"], stale["generating"]), ("stale", True))
        text = run("isr", "status", "/a", "--tenant", "acme", "--endpoint", self.server.url).out
        self.assertRegex(text, r"^TENANT#acme#CACHE#[0-9a-f]{64}  stale\n  generated   \d+ s ago, fresh for 600 s\n")
        self.assertIn("  generating  by t for another ", text)

    def test_purge_removes_items_and_bodies(self):
        path = self.put_page(partition("/a"))
        other = self.put_page(partition("/b"))
        self.put(partition("/a"), "LOCK", lease_token="t", lease_expires_at=int(time.time()) + 100)
        self.put(partition("/a"), "REQ#1", request_hash="h", status="STARTED")
        self.assertEqual(self.isr("purge", "/a", "--bodies", str(self.bodies)), {"pages": 1, "items": 2, "bodies": 1})
        self.assertEqual((path.exists(), other.exists()), (False, True))
        left = self.client.scan(TableName="cache")["Items"]
        self.assertEqual([item["pk"]["S"] for item in left], [partition("/b")])

    def test_purge_of_a_tenant_leaves_the_others(self):
        for page, tenant in (("/a", "acme"), ("/b", "acme"), ("/a", "globex"), ("/a", None)):
            self.put_page(partition(page, tenant))
        self.assertEqual(self.isr("purge", "--tenant", "acme", "--keep-bodies"), {"pages": 2, "items": 2, "bodies": 0})
        left = {item["pk"]["S"] for item in self.client.scan(TableName="cache")["Items"]}
        self.assertEqual(left, {partition("/a", "globex"), partition("/a")})

    def test_purge_removes_bodies_from_a_bucket(self):
        self.put_page(partition("/a"))
        with Bucket() as bucket:
            body = "/pages-of-us/theirs/" + partition("/a").replace("#", "%23")
            bucket.objects = {body: b"a", "/pages-of-us/theirs/b": b"b"}
            purged = self.isr("purge", "/a", "--bodies", "s3://pages-of-us", "--bodies-endpoint", bucket.url)
            self.assertEqual(purged, {"pages": 1, "items": 1, "bodies": 1})
            self.assertEqual(bucket.objects, {"/pages-of-us/theirs/b": b"b"})

    def test_purge_with_fencing_keeps_the_row_that_counts(self):
        lock = {"lease_token": "t", "lease_expires_at": int(time.time()) + 100, "generation": 7}
        self.put_page(partition("/a"))
        self.put(partition("/a"), "LOCK", **lock)
        self.isr("purge", "/a", "--keep-bodies", "--fencing")
        self.assertEqual(self.client.scan(TableName="cache")["Items"], [
            {"pk": {"S": partition("/a")}, "sk": {"S": "LOCK"}, "lease_token": {"S": "t"},
             "lease_expires_at": {"N": "0"}, "generation": {"N": "7"}}])
        self.put(partition("/a"), "LOCK", **lock)
        self.isr("purge", "/a", "--keep-bodies")
        self.assertEqual(self.client.scan(TableName="cache")["Items"], [])

    def test_pages_are_marked_as_stale_by_name_tag_and_tenant(self):
        def put(page, tenant, *tags):
            self.put(partition(page, tenant), "META", s3_key="x", generated_at=int(time.time()), revalidate_seconds=600)
            if tags:
                self.client.update_item(TableName="cache", Key={"pk": {"S": partition(page, tenant)}, "sk": {"S": "META"}},
                                        UpdateExpression="SET tags = :t", ExpressionAttributeValues={":t": {"SS": tags}})
        put("/a", None)
        put("/b", None, "shop", "product-17")
        put("/b", "acme", "shop")
        put("/c", "acme")
        def state(page, *flags):
            return self.isr("status", page, *flags)["state"]
        self.assertEqual(self.isr("mark-stale", "/a"), {"pages": 1})
        self.assertEqual((state("/a"), state("/b")), ("stale", "fresh"))
        item = self.client.get_item(TableName="cache", Key={"pk": {"S": partition("/a")}, "sk": {"S": "META"}})["Item"]
        self.assertEqual((item["s3_key"]["S"], item["revalidate_seconds"]["N"]), ("x", "0"))
        self.assertEqual(self.isr("mark-stale", "--tag", "shop", "--tenant", "acme"), {"pages": 1})
        self.assertEqual((state("/b"), state("/b", "--tenant", "acme")), ("fresh", "stale"))
        self.assertEqual(self.isr("mark-stale", "--tag", "shop"), {"pages": 2})
        self.assertEqual((state("/b"), state("/c", "--tenant", "acme")), ("stale", "fresh"))
        self.assertEqual(self.isr("mark-stale", "--tenant", "acme"), {"pages": 2})
        self.assertEqual(state("/c", "--tenant", "acme"), "stale")
        missing = run("isr", "mark-stale", "/none", "--endpoint", self.server.url)
        self.assertEqual((missing.code, missing.err), (1, f"dolmen: there is no page {partition('/none')}\n"))

    def test_pages_are_listed(self):
        for number in range(5):
            self.put_page(partition(f"/{number}", "acme" if number < 2 else None), age=600 if number == 0 else 0)
        self.put(partition("/named"), "META", s3_key="x", generated_at=int(time.time()), revalidate_seconds=600,
                 page_name="/named", content_type="text/plain", http_status=404)
        pages = {page["pk"]: page for page in self.isr("list")["pages"]}
        self.assertEqual(len(pages), 6)
        named = pages[partition("/named")]
        self.assertEqual((named["page_name"], named["content_type"], named["http_status"], named["state"]),
                         ("/named", "text/plain", 404, "fresh"))
        self.assertEqual([page["tenant"] for page in self.isr("list", "--tenant", "acme")["pages"]], ["acme"] * 2)
        self.assertEqual([page["pk"] for page in self.isr("list", "--state", "stale")["pages"]], [partition("/0", "acme")])
        first = self.isr("list", "--limit", 4)
        rest = self.isr("list", "--limit", 4, "--after", first["next"])
        self.assertNotIn("next", rest)
        self.assertEqual({page["pk"] for page in first["pages"] + rest["pages"]}, set(pages))
        text = run("isr", "list", "--endpoint", self.server.url).out
        self.assertRegex(text, r"(?m)^fresh +\d+ s ago  /named$")
        self.assertRegex(text, r"\n6 pages\n$")

    def test_a_page_that_varies_is_found(self):
        name = "/a\nheader accept-language=de\ncookie theme"
        self.put_page(partition(name))
        status = self.isr("status", "/a", "--vary-header", "Accept-Language=de", "--vary-cookie", "theme")
        self.assertEqual((status["pk"], status["state"]), (partition(name), "fresh"))
        wrong = run("isr", "status", "/a", "--vary-header", "a b=c", "--endpoint", self.server.url)
        self.assertEqual(wrong.code, 2)
        self.assertIn('pages cannot vary by "a b"', wrong.err)

    def test_versions_are_listed_and_restored(self):
        now = int(time.time())
        for number in (1, 2):
            self.put(partition("/a"), f"VER#{number}", s3_key=f"theirs/{number}", generated_at=now - 100 + number,
                     revalidate_seconds=600)
        self.put(partition("/a"), "META", s3_key="theirs/2", generated_at=now - 98, revalidate_seconds=600, current_sk="VER#2")
        listed = self.isr("versions", "/a")["versions"]
        self.assertEqual([(each["version"], each["current"], each["s3_key"]) for each in listed],
                         [("1", False, "theirs/1"), ("2", True, "theirs/2")])
        self.assertRegex(run("isr", "versions", "/a", "--endpoint", self.server.url).out,
                         r"^   +\d+ s ago  1\n\* +\d+ s ago  2\n2 versions\n$")
        self.assertEqual(self.isr("restore", "/a", "1")["current_sk"], "VER#1")
        status = self.isr("status", "/a")
        self.assertEqual((status["s3_key"], status["generating"]), ("theirs/1", False))
        missing = run("isr", "restore", "/a", "9", "--endpoint", self.server.url)
        self.assertEqual((missing.code, missing.err), (1, "dolmen: the version 9 does not exist\n"))
        self.put(partition("/a"), "LOCK", lease_token="t", lease_expires_at=now + 100)
        self.assertIn("is held for another", run("isr", "restore", "/a", "2", "--endpoint", self.server.url).err)

    def test_bodies_that_nothing_refers_to_are_swept(self):
        kept = self.bodies / "pages" / "kept"
        orphan = self.bodies / "pages" / "CACHE%23gone" / "1"
        young = self.bodies / "pages" / "young"
        for path in (kept, orphan, young):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("12345")
        for path in (kept, orphan):
            os.utime(path, (time.time() - 7200, time.time() - 7200))
        self.put(partition("/a"), "META", s3_key="pages/kept", generated_at=1, revalidate_seconds=1)
        flags = ("sweep", "--bodies", str(self.bodies))
        swept = {"bodies": 3, "removed": 1, "removed_bytes": 5}
        self.assertEqual(self.isr(*flags, "--dry-run"), swept)
        self.assertTrue(orphan.exists())
        self.assertEqual(self.isr(*flags), swept)
        self.assertEqual((kept.exists(), orphan.exists(), young.exists()), (True, False, True))
        nowhere = run("isr", "sweep", "--bodies", "nowhere", "--endpoint", self.server.url)
        self.assertEqual((nowhere.code, nowhere.err), (1, "dolmen: --bodies: there is no directory nowhere\n"))
        self.assertFalse(pathlib.Path("nowhere").exists())
        self.assertEqual(run("isr", *flags, "--older-than", 0, "--endpoint", self.server.url).out,
                         "removed 1 of 2 bodies, 5 bytes\n")

    def rows(self, what, page):
        driver = pathlib.Path(BINARY).parent / "isr_rows"
        if not driver.exists():
            self.skipTest("isr_rows is not built")
        done = subprocess.run([driver, what, self.server.url, "cache", page], env=clean_environment(os.devnull), text=True,
                              capture_output=True, timeout=PATIENCE_S)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout.splitlines()

    def test_versions_and_requests_have_exactly_the_attributes_and_types_that_are_documented(self):
        self.rows("write", "/a")
        rows = {item["sk"]["S"]: item for item in self.client.scan(TableName="cache")["Items"]}
        self.assertEqual(set(rows), {"META", "VER#ours", "REQ#begun", "REQ#done", "REQ#failed"})
        keys = {"pk": ["S"], "sk": ["S"]}
        page = keys | {"s3_key": ["S"], "generated_at": ["N"], "revalidate_seconds": ["N"], "etag": ["S"], "ttl": ["N"]}
        request = keys | {"request_hash": ["S"], "status": ["S"], "ttl": ["N"]}
        begun = request | {"lease_token": ["S"], "lease_expires_at": ["N"]}
        expected = {"META": page | {"current_sk": ["S"]}, "VER#ours": page, "REQ#begun": begun, "REQ#failed": request,
                    "REQ#done": request | {"result_s3_key": ["S"]}}
        for sort, row in rows.items():
            self.assertEqual({name: list(value) for name, value in row.items()}, expected[sort], sort)
            self.assertEqual(row["pk"]["S"], partition("/a"))
        self.assertEqual({sort: row["status"]["S"] for sort, row in rows.items() if "status" in row},
                         {"REQ#begun": "STARTED", "REQ#done": "COMPLETED", "REQ#failed": "FAILED"})
        self.assertEqual(rows["META"]["current_sk"]["S"], "VER#ours")
        self.assertEqual(rows["META"]["s3_key"], rows["VER#ours"]["s3_key"])
        self.assertEqual(rows["REQ#done"]["result_s3_key"], rows["META"]["s3_key"])

    def test_versions_and_requests_of_others_are_understood(self):
        self.put(partition("/a"), "VER#1", s3_key="theirs/1", generated_at=17, revalidate_seconds=60)
        self.put(partition("/a"), "VER#2", s3_key="theirs/2", generated_at=18, revalidate_seconds=60, etag='"x"', ttl=9)
        known = {"request_hash": "of what is asked for", "ttl": int(time.time()) + 1000}
        self.put(partition("/a"), "REQ#begun", status="STARTED", **known)
        self.put(partition("/a"), "REQ#done", status="COMPLETED", result_s3_key="theirs/1", **known)
        self.put(partition("/a"), "REQ#failed", status="FAILED", **known)
        self.assertEqual(self.rows("read", "/a"), [
            "version 1 theirs/1 17", "version 2 theirs/2 18", "request begun 0 theirs -",
            "request done 1 theirs theirs/1", "request failed 0 mine -"])
        self.assertEqual(self.isr("status", "/a")["versions"], 2)

    def test_published_pages_have_exactly_the_attributes_and_types_of_the_specification(self):
        example = pathlib.Path(BINARY).parent / "example_page_server"
        if not example.exists():
            return print("skipped: example_page_server is not built")
        done = subprocess.run([example, self.server.url, "4", "1"], env=clean_environment(os.devnull), text=True,
                              capture_output=True, timeout=PATIENCE_S)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        rows = {item["pk"]["S"]: item for item in self.client.scan(TableName="pages")["Items"]}
        self.assertEqual(set(rows), {partition(f"/page/{number}") for number in range(8)})
        for number in range(8):
            row = rows[partition(f"/page/{number}")]
            self.assertEqual({name: list(value) for name, value in row.items()},
                             {"pk": ["S"], "sk": ["S"], "s3_key": ["S"], "generated_at": ["N"],
                              "revalidate_seconds": ["N"], "etag": ["S"], "ttl": ["N"]})
            self.assertEqual((row["sk"]["S"], row["revalidate_seconds"]["N"]), ("META", "1"))
            body = f"<h1>/page/{number}</h1>\n".encode()
            self.assertEqual(row["etag"]["S"], f'"{hashlib.sha256(body).hexdigest()[:32]}"')

    def test_wrong_questions(self):
        for arguments, message in ((("purge", "--keep-bodies"), "name a page"),
                                   (("purge", "/a"), "name their place with --bodies"),
                                   (("purge", "/a", "--bodies", "x", "--keep-bodies"), "--keep-bodies and --bodies cannot be used together"),
                                   (("purge", "", "--tenant", "acme", "--keep-bodies"), "PAGE: the value is empty"),
                                   (("purge", "/a", "--tenant", "", "--keep-bodies"), "--tenant: the value is empty"),
                                   (("mark-stale",), "name a page, or give --tag or --tenant"),
                                   (("mark-stale", "/a", "--tag", "t"), "cannot be used together"),
                                   (("list", "--state", "old"), "--state"),
                                   (("sweep",), "--bodies is missing"),
                                   (("status", ""), "PAGE: the value is empty"),
                                   (("status",), "PAGE is missing")):
            finished = run("isr", *arguments, "--endpoint", self.server.url)
            self.assertEqual(finished.code, 2, arguments)
            self.assertIn(message, finished.err)


if __name__ == "__main__":
    unittest.main()

#!/usr/bin/python3
"""Items of models are exchanged with programs that know nothing of Dolmen: what boto3 reads is written down here by hand from
the specification, and boto3 writes what the implementations in Go, TypeScript and Python are known to write."""

import base64
import http.server
import json
import re
import threading
import unittest

from dolmen_server import Server
from model_client import PROGRAM, ModelClient

KEY = {"PK": "USER#1", "SK": "PROFILE"}
RAW_KEY = {"PK": {"S": "USER#1"}, "SK": {"S": "PROFILE"}}
NINE_DIGITS = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z")
TABLE = "users"


def with_key(**attributes):
    return KEY | attributes


class Interop(unittest.TestCase):
    def setUp(self):
        self.server = self.enterContext(Server())
        self.users = self.enterContext(ModelClient(self.server.url, "tests/models/user.yml", "User", TABLE))
        self.users("get", key=KEY)  # The table is there when this has been answered.
        self.boto3 = self.server.client()

    def put(self, **attributes):
        self.boto3.put_item(TableName=TABLE, Item=RAW_KEY | attributes)

    def raw(self):
        return self.boto3.get_item(TableName=TABLE, Key=RAW_KEY)["Item"]

    def assert_ok(self, answer):
        self.assertNotIn("error", answer)

    def test_boto3_reads_what_the_model_writes(self):
        self.assert_ok(self.users("create", if_not_exists=True, item=with_key(
            emailHash="hash_abc", nickname="Adä <&>", tags=["b", "a"], avatar="AAH/", ttl=4100000000,
            settings={"b": [1, 2.0, 1e21], "a": {"z": None, "é": "<&>"}})))
        item = self.raw()
        self.assertRegex(item["createdAt"]["S"], NINE_DIGITS)
        self.assertEqual(item.pop("createdAt"), item.pop("updatedAt"))
        self.assertEqual(sorted(item.pop("tags")["SS"]), ["a", "b"])
        self.assertEqual(item, RAW_KEY | {
            "emailHash": {"S": "hash_abc"}, "nickname": {"S": "Adä <&>"}, "avatar": {"B": b"\x00\x01\xff"},
            "ttl": {"N": "4100000000"}, "version": {"N": "0"},
            "settings": {"S": '{"a":{"z":null,"é":"<&>"},"b":[1,2,1e+21]}'}})

    def test_the_model_reads_what_go_writes(self):
        # Trimmed times with an offset, NULL for what is nil, lists for blobs, maps for JSON.
        self.put(createdAt={"S": "2026-11-15T13:26:17.42629338-05:00"}, updatedAt={"S": "2026-11-15T18:26:17Z"},
                 version={"N": "3"}, nickname={"NULL": True}, tags={"L": [{"S": "x"}]},
                 avatar={"L": [{"N": "0"}, {"N": "255"}]}, settings={"M": {"a": {"N": "1"}}},
                 LegacyField={"S": "kept"})
        self.assertEqual(self.users.item(KEY), with_key(
            createdAt="2026-11-15T13:26:17.42629338-05:00", updatedAt="2026-11-15T18:26:17Z", version=3, nickname=None,
            tags=["x"], avatar="AP8=", settings={"a": 1}))

    def test_the_model_reads_what_typescript_and_python_write(self):
        self.put(createdAt={"S": "2026-01-16T01:02:03.100000000Z"}, version={"N": "0"}, tags={"NULL": True},
                 settings={"S": '{"9":2,"10":1.0,"a":"\\u00e9"}'}, avatar={"B": b"\x01"}, ttl={"N": "4100000000"})
        self.assertEqual(self.users.item(KEY), with_key(
            createdAt="2026-01-16T01:02:03.100000000Z", version=0, tags=[], settings={"9": 2, "10": 1, "a": "é"},
            avatar="AQ==", ttl=4100000000))

    def typescript_update(self, nickname, version):
        """The update that the implementation in TypeScript sends; true when it was carried out."""
        try:
            self.boto3.update_item(
                TableName=TABLE, Key=RAW_KEY,
                UpdateExpression="SET #updatedAt = :now, #f1 = :v1 ADD #ver :inc", ConditionExpression="#ver = :expected",
                ExpressionAttributeNames={"#updatedAt": "updatedAt", "#f1": "nickname", "#ver": "version"},
                ExpressionAttributeValues={":now": {"S": "2026-01-16T01:02:03.000000000Z"}, ":v1": {"S": nickname},
                                           ":inc": {"N": "1"}, ":expected": {"N": str(version)}})
            return True
        except self.boto3.exceptions.ConditionalCheckFailedException:
            return False

    def model_update(self, nickname, version):
        answer = self.users("update", fields=["nickname"], item=with_key(nickname=nickname, version=version))
        self.assertIn(answer.get("error"), (None, "ErrConditionFailed"))
        return "error" not in answer

    def test_versions_guard_both_against_each_other(self):
        self.assert_ok(self.users("create", if_not_exists=True, item=with_key(nickname="Ada")))
        self.assertEqual(self.users("create", if_not_exists=True, item=KEY)["error"], "ErrConditionFailed")
        self.assertTrue(self.typescript_update("from outside", 0))
        self.assertFalse(self.model_update("too late", 0))
        self.assertTrue(self.model_update("from the model", 1))
        self.assertFalse(self.typescript_update("too late", 1))
        self.assertTrue(self.typescript_update("again", 2))
        item = self.raw()
        self.assertEqual((item["nickname"], item["version"]), ({"S": "again"}, {"N": "3"}))
        self.assertEqual(item["updatedAt"]["S"], "2026-01-16T01:02:03.000000000Z")
        self.assertEqual(self.users("delete", key=KEY, version=2)["error"], "ErrConditionFailed")
        self.assert_ok(self.users("delete", key=KEY, version=3))

    def fill_index(self):
        for number in range(4):
            self.boto3.put_item(TableName=TABLE, Item={
                "PK": {"S": f"<{number}>&é"}, "SK": {"S": "P"}, "emailHash": {"S": "h&"}, "version": {"N": "0"},
                "createdAt": {"S": "2026-01-16T01:02:03Z"}})

    def boto3_page(self, **options):
        return self.boto3.query(TableName=TABLE, IndexName="gsi-email", KeyConditionExpression="emailHash = :e",
                                ExpressionAttributeValues={":e": {"S": "h&"}}, **options)

    def model_page(self, **options):
        return self.users("query", index="gsi-email", partition="h&", **options)

    def test_a_cursor_of_the_model_is_gos_to_the_byte_and_goes_on_in_boto3(self):
        self.fill_index()
        first = self.model_page(limit=1)
        seen = [item["PK"] for item in first["items"]]
        text = base64.urlsafe_b64decode(first["cursor"]).decode()
        escaped = seen[0].replace("<", r"\u003c").replace(">", r"\u003e").replace("&", r"\u0026")
        self.assertEqual(text, '{"lastKey":{"PK":{"S":"%s"},"SK":{"S":"P"},"emailHash":{"S":"h\\u0026"}},'
                               '"index":"gsi-email","sort":"ASC"}' % escaped)
        page = self.boto3_page(ExclusiveStartKey=json.loads(text)["lastKey"])
        seen += [item["PK"]["S"] for item in page["Items"]]
        self.assertEqual(sorted(seen), [f"<{number}>&é" for number in range(4)])

    def test_a_cursor_of_another_language_goes_on_in_the_model(self):
        self.fill_index()
        page = self.boto3_page(Limit=2, ScanIndexForward=False)
        seen = [item["PK"]["S"] for item in page["Items"]]
        cursor = {"lastKey": page["LastEvaluatedKey"], "index": "gsi-email", "sort": "DESC"}
        # Python and TypeScript escape differently from Go, and leave the padding out or in.
        for text in (json.dumps(cursor, separators=(",", ":")),
                     json.dumps(cursor, separators=(",", ":"), ensure_ascii=False), json.dumps(cursor, indent=1)):
            encoded = base64.urlsafe_b64encode(text.encode()).decode()
            for form in (encoded, encoded.rstrip("="), base64.b64encode(text.encode()).decode(), f" {encoded}\n"):
                answer = self.model_page(order="DESC", cursor_text=form)
                self.assert_ok(answer)
                found = [item["PK"] for item in answer["items"]]
                self.assertEqual(sorted(seen + found), [f"<{number}>&é" for number in range(4)])
        self.assertEqual(self.model_page(order="ASC", cursor_text=encoded)["error"], "ErrInvalidOperator")
        self.assertEqual(self.users("query", partition="x", cursor_text=encoded)["error"], "ErrInvalidOperator")

    def test_transactions_of_both_see_each_other(self):
        self.assert_ok(self.users("create", item=with_key(nickname="Ada")))
        answer = self.users("transaction", actions=[
            {"op": "update", "fields": ["nickname"], "item": with_key(nickname="Countess", version=0)},
            {"op": "create", "if_not_exists": True, "item": {"PK": "USER#2", "SK": "PROFILE"}}])
        self.assert_ok(answer)
        with self.assertRaises(self.boto3.exceptions.TransactionCanceledException):
            self.boto3.transact_write_items(TransactItems=[{"ConditionCheck": {
                "TableName": TABLE, "Key": RAW_KEY, "ConditionExpression": "version = :v",
                "ExpressionAttributeValues": {":v": {"N": "0"}}}}])
        self.assertEqual(self.raw()["version"], {"N": "1"})


class Meddler:
    """Stands between a client and a server, and answers some requests itself: `answers` has the operation, and what to say
    instead of asking the server. `requests` has the bodies of everything that came by."""

    def __init__(self, server, answers):
        meddler = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                operation = self.headers["X-Amz-Target"].rpartition(".")[2]
                meddler.requests.append((operation, json.loads(body)))
                queue = meddler.answers.get(operation, [])
                if queue:
                    status, answer = queue.pop(0)(json.loads(body))
                    text = json.dumps(answer).encode()
                else:
                    real = server.call(operation, body)
                    status, text = real.status, real.body
                self.send_response(status)
                self.send_header("Content-Type", "application/x-amz-json-1.0")
                self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                self.wfile.write(text)

            def log_message(self, *_):
                pass

        self.answers, self.requests = answers, []
        self._http = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._http.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._http.server_port}"
        self._thread = threading.Thread(target=self._http.serve_forever)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._http.shutdown()
        self._thread.join()
        self._http.server_close()

    def bodies(self, operation):
        return [body for name, body in self.requests if name == operation]


def canceled(*reasons):
    """A transaction that was cancelled for these reasons, one for each action."""
    return lambda _: (400, {"__type": "com.amazonaws.dynamodb.v20120810#TransactionCanceledException",
                            "Message": "Transaction cancelled",
                            "CancellationReasons": [{"Code": reason} for reason in reasons]})


def unprocessed(body):
    return 200, {"UnprocessedItems": body["RequestItems"]}


class TryingAgain(unittest.TestCase):
    """What a busy table answers, which a server that waits instead never does."""

    def client(self, answers):
        server = self.enterContext(Server())
        self.meddler = self.enterContext(Meddler(server, answers))
        users = self.enterContext(ModelClient(self.meddler.url, "tests/models/user.yml", "User", TABLE))
        self.assertEqual(users("get", key=KEY)["error"], "ErrItemNotFound")
        return users

    ACTIONS = [{"op": "create", "item": with_key(nickname="Ada")},
               {"op": "create", "if_not_exists": True, "item": {"PK": "USER#2", "SK": "PROFILE"}}]

    def test_a_transaction_that_only_met_others_is_sent_again_under_one_token(self):
        users = self.client({"TransactWriteItems": [canceled("None", "TransactionConflict"),
                                                    canceled("ThrottlingError", "None")]})
        self.assertNotIn("error", users("transaction", actions=self.ACTIONS))
        sent = self.meddler.bodies("TransactWriteItems")
        self.assertEqual(len(sent), 3)
        self.assertEqual(len({body["ClientRequestToken"] for body in sent}), 1)
        self.assertEqual(sent[0], sent[2])

    def test_a_failed_condition_is_not_sent_again_and_wins_over_other_reasons(self):
        users = self.client({"TransactWriteItems": [canceled("TransactionConflict", "ConditionalCheckFailed")]})
        answer = users("transaction", actions=self.ACTIONS)
        self.assertEqual(answer["error"], "ErrConditionFailed")
        self.assertIn("action 1", answer["message"])
        self.assertEqual(len(self.meddler.bodies("TransactWriteItems")), 1)

    def test_another_reason_is_a_failed_transaction(self):
        users = self.client({"TransactWriteItems": [canceled("None", "ItemCollectionSizeLimitExceeded")]})
        answer = users("transaction", actions=self.ACTIONS)
        self.assertEqual(answer["error"], "ErrTransactionFailed")
        self.assertIn("action 1", answer["message"])

    def test_what_a_batch_leaves_over_is_sent_again_as_it_was(self):
        users = self.client({"BatchWriteItem": [unprocessed, unprocessed]})
        self.assertNotIn("error", users("batch_write", puts=[with_key(nickname="Ada", phone="+33")]))
        sent = self.meddler.bodies("BatchWriteItem")
        self.assertEqual(len(sent), 3)
        # An encrypted attribute is not encrypted again.
        self.assertEqual(sent[0], sent[2])
        self.assertEqual(users.item(KEY)["phone"], "+33")


class Leases(unittest.TestCase):
    """The row of a lease: token S, expiry N in seconds, ttl N; free when it is absent or its expiry is not after now."""

    KEY = {"pk": "CACHE#1", "sk": "LOCK"}

    def setUp(self):
        self.server = self.enterContext(Server())
        self.leases = self.enterContext(ModelClient(self.server.url, "contract/models/lease.yml", "Lease", "leases"))
        self.leases("get", key=self.KEY)
        self.table = self.server.resource().Table("leases")

    def model_acquires(self, token, now):
        answer = self.leases("create", item=self.KEY | {"lease_token": token, "lease_expires_at": now + 30,
                                                        "ttl": now + 40},
                             condition=[{"or": [{"field": "pk", "op": "NOT_EXISTS"},
                                                {"field": "lease_expires_at", "op": "<=", "value": now}]}])
        self.assertIn(answer.get("error"), (None, "ErrConditionFailed"))
        return "error" not in answer

    def boto3_acquires(self, token, now):
        try:
            self.table.put_item(Item=self.KEY | {"lease_token": token, "lease_expires_at": now + 30, "ttl": now + 40},
                                ConditionExpression="attribute_not_exists(#pk) OR #exp <= :now",
                                ExpressionAttributeNames={"#pk": "pk", "#exp": "lease_expires_at"},
                                ExpressionAttributeValues={":now": now})
            return True
        except self.table.meta.client.exceptions.ConditionalCheckFailedException:
            return False

    def test_only_one_holds_it(self):
        self.assertTrue(self.boto3_acquires("python", 1000))
        self.assertFalse(self.model_acquires("dolmen", 1029))
        self.assertEqual(self.leases.item(self.KEY), self.KEY | {"lease_token": "python", "lease_expires_at": 1030,
                                                                 "ttl": 1040})
        self.assertTrue(self.model_acquires("dolmen", 1030))
        self.assertFalse(self.boto3_acquires("python", 1059))
        row = self.server.client().get_item(TableName="leases", Key={"pk": {"S": "CACHE#1"}, "sk": {"S": "LOCK"}})["Item"]
        self.assertEqual(row, {"pk": {"S": "CACHE#1"}, "sk": {"S": "LOCK"}, "lease_token": {"S": "dolmen"},
                               "lease_expires_at": {"N": "1060"}, "ttl": {"N": "1070"}})
        self.assertTrue(self.boto3_acquires("python", 1060))


if __name__ == "__main__":
    if not PROGRAM.exists():
        print(f"skipped: there is no {PROGRAM.name} beside the program under test")
    else:
        unittest.main()

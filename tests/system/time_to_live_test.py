#!/usr/bin/python3
"""UpdateTimeToLive and DescribeTimeToLive with real clients, and items that leave when their time is over."""

import pathlib
import tempfile
import time
import unittest

from aws_cli import AwsCli
from dolmen_server import PATIENCE_S, Server, ServerTest, create_table

NOT_FOUND = "Requested resource not found: Table: missing not found"


def specification(attribute="ends", enabled=True):
    return {"Enabled": enabled, "AttributeName": attribute}


def count_items(server, table):
    return server.must("Scan", {"TableName": table, "Select": "COUNT"})["Count"]


def wait_for_count(server, table, count):
    """Returns as soon as the table has that many items."""
    deadline = time.monotonic() + PATIENCE_S
    while (found := count_items(server, table)) != count:
        assert time.monotonic() < deadline, f"{found} items, not {count}"
        time.sleep(0.05)


def put_items(server, table, keys, **attributes):
    keys = list(keys)
    for first in range(0, len(keys), 25):
        puts = [{"PutRequest": {"Item": {"pk": {"S": key}} | attributes}} for key in keys[first:first + 25]]
        server.must("BatchWriteItem", {"RequestItems": {table: puts}})


def numbers(count):
    return (str(i) for i in range(count))


class Setting(ServerTest):
    def update(self, table, spec):
        return self.server.call("UpdateTimeToLive", {"TableName": table, "TimeToLiveSpecification": spec})

    def refused(self, answer, kind, message):
        self.assertEqual((answer.status, answer.type, answer.message), (400, kind, message))

    def test_it_is_described_as_it_was_set(self):
        create_table(self.server, "timed", "pk")
        client = self.server.client()
        self.assertEqual(client.describe_time_to_live(TableName="timed")["TimeToLiveDescription"],
                         {"TimeToLiveStatus": "DISABLED"})
        self.assertEqual(client.update_time_to_live(TableName="timed", TimeToLiveSpecification=specification())
                         ["TimeToLiveSpecification"], specification())
        arn = client.describe_table(TableName="timed")["Table"]["TableArn"]
        for name in ("timed", arn):
            self.assertEqual(client.describe_time_to_live(TableName=name)["TimeToLiveDescription"],
                             {"TimeToLiveStatus": "ENABLED", "AttributeName": "ends"})
        client.update_time_to_live(TableName=arn, TimeToLiveSpecification=specification(enabled=False))
        self.assertEqual(client.describe_time_to_live(TableName="timed")["TimeToLiveDescription"],
                         {"TimeToLiveStatus": "DISABLED"})

    def test_it_changes_only_from_what_it_is(self):
        create_table(self.server, "fixed", "pk")
        self.refused(self.update("fixed", specification(enabled=False)), "ValidationException",
                     "TimeToLive is already disabled")
        self.assertEqual(self.update("fixed", specification()).status, 200)
        self.refused(self.update("fixed", specification()), "ValidationException", "TimeToLive is already enabled")
        for enabled in (True, False):
            self.refused(self.update("fixed", specification("other", enabled)), "ValidationException",
                         "TimeToLive is active on a different AttributeName: current AttributeName is ends")

    def test_what_is_malformed_is_refused_before_the_table_is_looked_for(self):
        self.refused(self.update("missing", specification()), "ResourceNotFoundException", NOT_FOUND)
        self.refused(self.server.call("DescribeTimeToLive", {"TableName": "missing"}), "ResourceNotFoundException", NOT_FOUND)
        at = "1 validation error detected: Value {} at 'timeToLiveSpecification{}' failed to satisfy constraint: {}"
        self.refused(self.update("missing", {"Enabled": True}), "ValidationException",
                     at.format("null", ".attributeName", "Member must not be null"))
        self.refused(self.update("missing", {"AttributeName": "a"}), "ValidationException",
                     at.format("null", ".enabled", "Member must not be null"))
        self.refused(self.update("missing", None), "ValidationException",
                     at.format("null", "", "Member must not be null"))
        self.refused(self.update("missing", specification("")), "ValidationException",
                     at.format("''", ".attributeName", "Member must have length greater than or equal to 1"))
        self.refused(self.update("missing", specification("x" * 256)), "ValidationException",
                     at.format("'" + "x" * 256 + "'", ".attributeName", "Member must have length less than or equal to 255"))
        for spec in ({"Enabled": 1, "AttributeName": "a"}, {"Enabled": True, "AttributeName": 1}, []):
            self.assertEqual(self.update("missing", spec).type, "SerializationException")


class Expiry(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.server = Server(pathlib.Path(folder.name) / "data")
        self.server.start()
        self.addCleanup(self.server.close)

    def enable(self, table):
        self.server.must("UpdateTimeToLive", {"TableName": table, "TimeToLiveSpecification": specification()})

    def test_items_leave_when_their_time_is_over(self):
        create_table(self.server, "timed", "pk")
        past, future = {"N": str(int(time.time()) - 60)}, {"N": str(int(time.time()) + 86400)}
        put_items(self.server, "timed", numbers(300), ends=past)
        put_items(self.server, "timed", ["later"], ends=future)
        put_items(self.server, "timed", ["never"])
        put_items(self.server, "timed", ["text"], ends={"S": past["N"]})
        self.enable("timed")
        wait_for_count(self.server, "timed", 3)
        # Also those that are written from now on.
        put_items(self.server, "timed", ["late"], ends=past)
        wait_for_count(self.server, "timed", 3)
        self.assertEqual({item["pk"]["S"] for item in self.server.must("Scan", {"TableName": "timed"})["Items"]},
                         {"later", "never", "text"})

    def test_a_killed_server_goes_on_where_it_was(self):
        create_table(self.server, "timed", "pk")
        put_items(self.server, "timed", numbers(3000), ends={"N": str(int(time.time()) - 60)})
        put_items(self.server, "timed", ["never"])
        self.enable("timed")
        for _ in range(3):
            self.server.kill()
            self.server.start()
        wait_for_count(self.server, "timed", 1)
        self.assertEqual(self.server.must("DescribeTable", {"TableName": "timed"})["Table"]["ItemCount"], 1)


class CommandLine(AwsCli):
    def test_the_command_line_sets_it(self):
        create_table(self.server, "typed", "pk")
        self.aws("update-time-to-live", "--table-name", "typed", "--time-to-live-specification",
                 "Enabled=true,AttributeName=ends")
        self.assertEqual(self.aws("describe-time-to-live", "--table-name", "typed"),
                         {"TimeToLiveDescription": {"TimeToLiveStatus": "ENABLED", "AttributeName": "ends"}})


if __name__ == "__main__":
    unittest.main()

"""A story: a table is made, things are done to it, and then comes the request whose answer is compared. The table is deleted
afterwards, so what the servers understand differently in one story does not reach the next.

Names of streams, shards and records differ from server to server. A request names them by a placeholder, and in answers
they are replaced by it: <arn>, <unknown arn>, <label>, <shard>, <iterator>, <first> and <last> (the numbers of the first and
the last record)."""

import json
import re
import time
import typing

from comparison import in_order
from dolmen_server import PATIENCE_S
from steps import Answer, Call
from stream_reader import StreamReader
from waiting import is_settled

BUSY_MAX_S = 2
STREAM_OPERATIONS = ("DescribeStream", "GetShardIterator", "GetRecords", "ListStreams")


class Story(typing.NamedTuple):
    """The body has the definition of the table (`create`), the requests before it (`before`), and the one that matters
    (`request`); for a stream perhaps where it is read (`iterator`)."""
    operation: str
    body: dict

    def run(self, connections):
        if not self._is_whole():
            return [Answer(0, "not a story")] * len(connections)
        return [Told(connection, self).answer() for connection in connections]

    def _is_whole(self):
        """Whoever looks for a smaller story takes parts away."""
        create, before = self.body.get("create", {}), self.body.get("before")
        return "TableName" in create and before is not None and all(len(one) == 2 for one in before) and "request" in self.body


class Refused(Exception):
    """A request that the story itself needs was refused."""

    def __init__(self, operation, answer):
        super().__init__(operation)
        self.answer = Answer(answer.status, {"__type": "#Refused", "message": f"{operation}: {answer.body}"})


class Told:
    """A story as one server has it."""

    def __init__(self, connection, story):
        self._connection = connection
        self._operation, self._body = story
        self._table = story.body["create"]["TableName"]
        self._names = {}

    def answer(self):
        try:
            self._must("CreateTable", self._body["create"])
            for operation, body in self._body["before"]:
                self._must(operation, body)
                self._wait()
            if self._operation in STREAM_OPERATIONS:
                self._find_names()
            return self._answer_to_request()
        except Refused as refused:
            return refused.answer
        finally:
            self._ask("DeleteTable", {"TableName": self._table})

    def _ask(self, operation, body):
        return Call(operation, body).run([self._connection])[0]

    def _must(self, operation, body):
        answer = self._ask(operation, body)
        if answer.status != 200:
            raise Refused(operation, answer)
        return answer.body

    # What a reader of streams asks of its connection.
    must = _must

    def _answer_to_request(self):
        if self._body["request"] == "whole stream":
            return Answer(200, self._whole_stream())
        answer = self._ask(self._operation, self._with_names(self._body["request"]))
        if self._operation in STREAM_OPERATIONS:
            return Answer(answer.status, self._without_names(answer.body))
        if answer.status != 200:
            return answer
        after = self._wait()
        if self._operation == "UpdateTable":
            return Answer(200, {"Response": plain_response(answer.body["TableDescription"]), "After": plain_table(after),
                                "Indexes": self._contents(after)})
        time_to_live = self._must("DescribeTimeToLive", {"TableName": self._table})
        return Answer(200, {"Response": answer.body, "After": time_to_live})

    def _wait(self):
        """Waits until the table is no longer being changed; its description."""
        begin = time.monotonic()
        while not is_settled(table := self._must("DescribeTable", {"TableName": self._table})["Table"]):
            waited_s = time.monotonic() - begin
            # DynamoDB Local goes on building or deleting some indexes for ever.
            if waited_s > BUSY_MAX_S and table["TableStatus"] == "ACTIVE":
                break
            assert waited_s < 2 * PATIENCE_S, f"this was still so after {2 * PATIENCE_S} s: {table}"
            time.sleep(0.02)
        return table

    def _contents(self, table):
        """What each index holds."""
        names = [one["IndexName"] for one in table.get("GlobalSecondaryIndexes", []) if one["IndexStatus"] == "ACTIVE"]
        scans = {name: self._must("Scan", {"TableName": self._table, "IndexName": name}) for name in names}
        return {name: in_order(scan["Items"]) for name, scan in scans.items()}

    # ---- Streams ----

    def _find_names(self):
        table = self._must("DescribeTable", {"TableName": self._table})["Table"]
        if "LatestStreamArn" not in table:
            return
        self._names = {"<arn>": table["LatestStreamArn"], "<label>": table["LatestStreamLabel"],
                       "<unknown arn>": table["TableArn"] + "/stream/2020-01-01T00:00:00.000"}
        self._reader = StreamReader(self, table["LatestStreamArn"])
        self._reader.read_on()
        shard, records = max(self._reader.shards.items(), key=lambda one: len(one[1]))
        self._names["<shard>"] = shard
        if records:
            self._names["<first>"], self._names["<last>"] = (records[at]["dynamodb"]["SequenceNumber"] for at in (0, -1))
        self._names["<iterator>"] = self._must(
            "GetShardIterator", self._with_names(self._body.get("iterator", AT_BEGINNING)))["ShardIterator"]

    def _with_names(self, body):
        text = json.dumps(body)
        for placeholder, name in self._names.items():
            text = text.replace(placeholder, name)
        return json.loads(text)

    def _without_names(self, body):
        """The body with what belongs to this server alone masked, and each shape of shard once."""
        text = json.dumps(body)
        text = re.sub(r'("(?:Next)?ShardIterator": ")[^"]*', r"\1<iterator>", text)
        for placeholder in ("<arn>", "<label>", "<unknown arn>"):
            text = text.replace(self._names.get(placeholder, placeholder), placeholder)
        text = re.sub(r"shardId-[0-9]{20}-[0-9a-f]+", "<shard>", text)
        text = re.sub(r'("(?:Starting|Ending)?SequenceNumber": ")\d+', r"\1<number>", text)
        text = re.sub(r'("\w*DateTime": )[0-9.E+]+', r'\1"<time>"', text)
        text = re.sub(r'("eventID": ")[0-9a-f-]{32,36}', r"\1<id>", text)
        text = re.sub(r'("awsRegion": ")(us-east-1|ddblocal)', r"\1<region>", text)
        body = json.loads(text)
        if isinstance(body, dict) and "Shards" in body.get("StreamDescription", {}):
            shards = body["StreamDescription"]["Shards"]
            body["StreamDescription"]["Shards"] = [json.loads(one) for one in sorted({json.dumps(shard) for shard in shards})]
        return body

    def _whole_stream(self):
        """All records, item by item."""
        items = {}
        for record in (record for records in self._reader.shards.values() for record in records):
            items.setdefault(json.dumps(record["dynamodb"]["Keys"], sort_keys=True), []).append(self._without_names(record))
        return {"Items": [items[key] for key in sorted(items)]}


AT_BEGINNING = {"StreamArn": "<arn>", "ShardId": "<shard>", "ShardIteratorType": "TRIM_HORIZON"}


def units(of):
    given = of.get("ProvisionedThroughput", {})
    return [given.get("ReadCapacityUnits", 0), given.get("WriteCapacityUnits", 0)]


def plain_index(index):
    projection = index["Projection"]
    return {"Name": index["IndexName"], "Keys": index["KeySchema"], "Units": units(index), "Kind": projection["ProjectionType"],
            "Included": sorted(projection.get("NonKeyAttributes", [])), "Items": index.get("ItemCount")}


def plain_table(table):
    """What both servers have to say alike about a table that is not being changed."""
    indexes = table.get("GlobalSecondaryIndexes", [])
    return {"Attributes": sorted((one["AttributeName"], one["AttributeType"]) for one in table["AttributeDefinitions"]),
            "Keys": table["KeySchema"], "Units": units(table), "Stream": table.get("StreamSpecification"),
            "HasHadStream": "LatestStreamArn" in table,
            "Billing": table.get("BillingModeSummary", {}).get("BillingMode", "PROVISIONED"),
            "Indexes": sorted((plain_index(index) for index in indexes if index["IndexStatus"] == "ACTIVE"), key=json.dumps),
            "Busy": [index["IndexName"] for index in indexes if index["IndexStatus"] != "ACTIVE"]}


def plain_response(table):
    return {"Stream": table.get("StreamSpecification"),
            "Indexes": sorted([index["IndexName"], index["IndexStatus"], index.get("Backfilling")]
                              for index in table.get("GlobalSecondaryIndexes", []))}

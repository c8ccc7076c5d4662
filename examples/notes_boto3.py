#!/usr/bin/python3
"""Notes in a table of a Dolmen server, with boto3 alone: conditions, an index, pages, a transaction, time to live.

    notes_boto3.py [ENDPOINT]        by default http://127.0.0.1:8000, where `./dev run` serves
"""

import sys
import time

import boto3
from boto3.dynamodb.conditions import Attr, Key
from botocore.exceptions import ClientError

ENDPOINT = sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8000"
# A server that does not check signatures takes any credentials.
ANY = {"region_name": "us-east-1", "aws_access_key_id": "any", "aws_secret_access_key": "any"}
dynamodb = boto3.resource("dynamodb", endpoint_url=ENDPOINT, **ANY)
client = dynamodb.meta.client


def make_table():
    def key(*names):
        return [{"AttributeName": name, "KeyType": kind} for name, kind in zip(names, ["HASH", "RANGE"])]

    table = dynamodb.create_table(
        TableName="boto3-notes", BillingMode="PAY_PER_REQUEST", KeySchema=key("topic", "written"),
        AttributeDefinitions=[{"AttributeName": name, "AttributeType": kind}
                              for name, kind in [("topic", "S"), ("written", "N"), ("author", "S")]],
        GlobalSecondaryIndexes=[{"IndexName": "by-author", "KeySchema": key("author", "written"),
                                 "Projection": {"ProjectionType": "ALL"}}])
    table.wait_until_exists()
    client.update_time_to_live(TableName=table.name,
                               TimeToLiveSpecification={"AttributeName": "expires", "Enabled": True})
    return table


def pages_of(table, **query):
    """All items of a query, page by page."""
    while True:
        page = table.query(**query)
        yield from page["Items"]
        if "LastEvaluatedKey" not in page:
            return
        query["ExclusiveStartKey"] = page["LastEvaluatedKey"]


def add_once(table, note):
    """True when the note is new."""
    try:
        table.put_item(Item=note, ConditionExpression=Attr("topic").not_exists())
        return True
    except ClientError as error:
        if error.response["Error"]["Code"] != "ConditionalCheckFailedException":
            raise
        return False


def move(table, note, topic):
    """Moves a note to another topic: all or nothing."""
    client.transact_write_items(TransactItems=[
        {"Put": {"TableName": table.name, "Item": note | {"topic": topic}}},
        {"Delete": {"TableName": table.name, "Key": {"topic": note["topic"], "written": note["written"]},
                    "ConditionExpression": "attribute_exists(topic)"}}])


def main():
    notes = make_table()
    with notes.batch_writer() as batch:
        for written in range(60):
            batch.put_item(Item={"topic": "stones", "written": written, "author": "ada" if written % 3 else "bob"})
    assert not add_once(notes, {"topic": "stones", "written": 1})
    assert add_once(notes, {"topic": "moss", "written": 1, "author": "ada", "expires": int(time.time()) + 3600})

    of_bob = list(pages_of(notes, IndexName="by-author", KeyConditionExpression=Key("author").eq("bob"), Limit=7))
    print(f"bob has written {len(of_bob)} notes, the last at {of_bob[-1]['written']}")
    assert len(of_bob) == 20

    move(notes, of_bob[0], "lichen")
    assert notes.query(KeyConditionExpression=Key("topic").eq("lichen"))["Count"] == 1
    counted = notes.update_item(Key={"topic": "lichen", "written": 0}, UpdateExpression="ADD seen :one",
                                ExpressionAttributeValues={":one": 1}, ReturnValues="UPDATED_NEW")
    print(f"seen {counted['Attributes']['seen']} time")
    notes.delete()


if __name__ == "__main__":
    main()

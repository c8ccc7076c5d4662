#!/usr/bin/python3
"""TagResource, UntagResource and ListTagsOfResource with real clients."""

import unittest

from aws_cli import AwsCli
from dolmen_server import REGION, ServerTest, create_table

ACCOUNT = "000000000000"
INVALID = "One or more parameter values were invalid: "


def arn(table, account=ACCOUNT, region=REGION):
    return f"arn:aws:dynamodb:{region}:{account}:table/{table}"


def tags(**values):
    return [{"Key": key, "Value": value} for key, value in values.items()]


class Tags(ServerTest):
    def tags_of(self, table):
        return {tag["Key"]: tag["Value"]
                for tag in self.server.must("ListTagsOfResource", {"ResourceArn": arn(table)})["Tags"]}

    def refused(self, operation, body, kind, message):
        answer = self.server.call(operation, body)
        self.assertEqual((answer.status, answer.type, answer.message), (400, kind, message))

    def test_boto3_adds_lists_and_removes_them(self):
        client = self.server.client()
        made = client.create_table(TableName="tagged", BillingMode="PAY_PER_REQUEST", Tags=tags(a="1", b=""),
                                   KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}],
                                   AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"}])
        self.assertNotIn("Tags", made["TableDescription"])
        client.get_waiter("table_exists").wait(TableName="tagged")
        where = made["TableDescription"]["TableArn"]
        self.assertEqual(client.list_tags_of_resource(ResourceArn=where)["Tags"], tags(a="1", b=""))
        client.tag_resource(ResourceArn=where, Tags=tags(a="2", c="\u00e9 \u937a"))
        client.untag_resource(ResourceArn=where, TagKeys=["b", "absent"])
        self.assertEqual(client.list_tags_of_resource(ResourceArn=where)["Tags"], tags(a="2", c="\u00e9 \u937a"))
        client.tag_resource(ResourceArn=where, Tags=tags(**{f"k{i}": "" for i in range(48)}))
        pages = client.get_paginator("list_tags_of_resource").paginate(ResourceArn=where)
        self.assertEqual(sum(len(page["Tags"]) for page in pages), 50)
        self.assertEqual(len(client.list_tags_of_resource(ResourceArn=where, NextToken="made up")["Tags"]), 50)

    def test_the_answer_to_a_change_has_no_body(self):
        create_table(self.server, "silent", "pk")
        for operation, change in (("TagResource", {"Tags": tags(a="1")}), ("UntagResource", {"TagKeys": ["a"]})):
            answer = self.server.call(operation, {"ResourceArn": arn("silent")} | change)
            self.assertEqual((answer.status, answer.body), (200, b""))

    def test_bad_tags_change_nothing(self):
        create_table(self.server, "strict", "pk")
        for bad, message in (
                ([], "Atleast one Tag needs to be provided as Input."),
                ([{}], "The Tag Key provided is invalid, Key: null"),
                ([{"Key": "k"}], "The Tag Value provided is invalid, Value: null"),
                (tags(k="#"), "The Tag Value provided is invalid, Value: #"),
                ([{"Key": "a|b", "Value": ""}], "The Tag Key provided is invalid, Key: a|b"),
                ([{"Key": "", "Value": ""}], "The Tag Key provided is invalid, Key: "),
                ([{"Key": "AWS:x", "Value": ""}], "Tag Key cannot be prefixed with aws:, Key: AWS:x"),
                (tags(dup="1") + tags(dup="1"), "Duplicate Tag Keys provided as input: Duplicate Tag Key found dup"),
                (tags(**{f"k{i}": "" for i in range(51)}),
                 "Number of Tags exceed the current limit for the provided ResourceArn")):
            with self.subTest(message):
                self.refused("TagResource", {"ResourceArn": arn("strict"), "Tags": bad}, "ValidationException", message)
                if bad:
                    self.refused("CreateTable", {"TableName": "refused", "BillingMode": "PAY_PER_REQUEST", "Tags": bad,
                                                 "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
                                                 "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}]},
                                 "ValidationException", message)
        self.assertEqual(self.tags_of("strict"), {})
        self.assertNotIn("refused", self.server.must("ListTables", {})["TableNames"])
        self.refused("UntagResource", {"ResourceArn": arn("strict"), "TagKeys": []}, "ValidationException",
                     "Atleast one Tag Key needs to be provided as Input.")
        self.refused("UntagResource", {"ResourceArn": arn("strict"), "TagKeys": [""]}, "ValidationException",
                     "The Tag Key provided is invalid, Key: ")
        null = "1 validation error detected: Value null at '{}' failed to satisfy constraint: Member must not be null"
        self.refused("TagResource", {"ResourceArn": arn("strict")}, "ValidationException", null.format("tags"))
        self.refused("UntagResource", {"ResourceArn": arn("strict")}, "ValidationException", null.format("tagKeys"))
        self.refused("ListTagsOfResource", {}, "ValidationException", null.format("resourceArn"))

    def test_arns_of_others_are_refused(self):
        create_table(self.server, "mine", "pk")
        index, far = arn("mine") + "/index/by-who", arn("mine", region="eu-west-1")
        for where, kind, message in (
                ("mine", "ValidationException", INVALID + "ARNs must start with 'arn:': mine"),
                (index, "ValidationException", INVALID + "Invalid resource arn provided, only table or stream is "
                                               "accepted. Provided resource arn: " + index),
                (far, "ValidationException", "Invalid TableArn: Invalid ResourceArn provided as input " + far),
                (arn("mine", "111122223333"), "AccessDeniedException", "Access is denied"),
                (arn("missing"), "ResourceNotFoundException",
                 f"Requested resource not found: ResourceArn: {arn('missing')} not found")):
            with self.subTest(where):
                self.refused("TagResource", {"ResourceArn": where, "Tags": tags(a="1")}, kind, message)
                self.refused("UntagResource", {"ResourceArn": where, "TagKeys": ["a"]}, kind, message)
                self.refused("ListTagsOfResource", {"ResourceArn": where}, kind, message)
        self.assertEqual(self.tags_of("mine"), {})


class CommandLine(AwsCli):
    def test_the_command_line_tags_a_table(self):
        create_table(self.server, "typed", "pk")
        self.assertIsNone(self.aws("tag-resource", "--resource-arn", arn("typed"), "--tags", "Key=a,Value=1"))
        self.assertEqual(self.aws("list-tags-of-resource", "--resource-arn", arn("typed"))["Tags"], tags(a="1"))
        self.aws("untag-resource", "--resource-arn", arn("typed"), "--tag-keys", "a")
        self.assertEqual(self.aws("list-tags-of-resource", "--resource-arn", arn("typed"))["Tags"], [])


if __name__ == "__main__":
    unittest.main()

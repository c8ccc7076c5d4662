#!/usr/bin/python3
"""A program with boto3, and its tests, on a store in the same process. With AWS it differs in one line."""

import unittest

import dolmen


class Accounts:
    """What the program does. It does not know where its table is."""

    def __init__(self, table):
        self.table = table

    def open(self, owner):
        self.table.put_item(Item={"owner": owner, "balance": 0}, ConditionExpression="attribute_not_exists(#o)",
                            ExpressionAttributeNames={"#o": "owner"})

    def pay_in(self, owner, amount):
        updated = self.table.update_item(Key={"owner": owner}, UpdateExpression="ADD balance :a",
                                         ConditionExpression="attribute_exists(#o)", ReturnValues="ALL_NEW",
                                         ExpressionAttributeNames={"#o": "owner"},
                                         ExpressionAttributeValues={":a": amount})
        return int(updated["Attributes"]["balance"])


class AccountsTest(unittest.TestCase):
    """Every test has a store of its own, which takes a few milliseconds."""

    def setUp(self):
        self.store = dolmen.open("memory:")
        self.addCleanup(self.store.close)
        dynamodb = self.store.boto3_resource()          # at AWS: boto3.resource("dynamodb")
        table = dynamodb.create_table(TableName="accounts", BillingMode="PAY_PER_REQUEST",
                                      KeySchema=[{"AttributeName": "owner", "KeyType": "HASH"}],
                                      AttributeDefinitions=[{"AttributeName": "owner", "AttributeType": "S"}])
        table.wait_until_exists()
        self.accounts = Accounts(table)
        self.failed = dynamodb.meta.client.exceptions.ConditionalCheckFailedException

    def test_money_adds_up(self):
        self.accounts.open("ada")
        self.accounts.pay_in("ada", 10)
        self.assertEqual(self.accounts.pay_in("ada", 5), 15)

    def test_an_owner_has_one_account(self):
        self.accounts.open("ada")
        with self.assertRaises(self.failed):
            self.accounts.open("ada")

    def test_money_needs_an_account(self):
        with self.assertRaises(self.failed):
            self.accounts.pay_in("nobody", 10)


if __name__ == "__main__":
    unittest.main()

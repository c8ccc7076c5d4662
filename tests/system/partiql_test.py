#!/usr/bin/python3
"""ExecuteStatement, BatchExecuteStatement and ExecuteTransaction with real clients."""

import unittest

import botocore.exceptions
from aws_cli import AwsCli
from dolmen_server import ServerTest


def text(value):
    return {"S": value}


def number(value):
    return {"N": str(value)}


class Statements(ServerTest):
    maxDiff = None

    def setUp(self):
        super().setUp()
        self.client = self.server.client()
        self.table = "tbl-" + self._testMethodName[:40].replace("_", "-")
        self.client.create_table(
            TableName=self.table, BillingMode="PAY_PER_REQUEST",
            KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
            AttributeDefinitions=[{"AttributeName": name, "AttributeType": kind}
                                  for name, kind in (("pk", "S"), ("sk", "S"), ("g", "S"), ("l", "N"))],
            LocalSecondaryIndexes=[{"IndexName": "lsi", "Projection": {"ProjectionType": "KEYS_ONLY"},
                                    "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"},
                                                  {"AttributeName": "l", "KeyType": "RANGE"}]}],
            GlobalSecondaryIndexes=[{"IndexName": "gsi", "Projection": {"ProjectionType": "KEYS_ONLY"},
                                     "KeySchema": [{"AttributeName": "g", "KeyType": "HASH"}]}])

    def run_one(self, statement, *parameters, **options):
        if parameters:
            options["Parameters"] = list(parameters)
        return self.client.execute_statement(Statement=statement.replace("TABLE", f'"{self.table}"'), **options)

    def rows(self, statement, *parameters, **options):
        return self.run_one(statement, *parameters, **options)["Items"]

    def refused(self, code, message, statement, *parameters, **options):
        with self.assertRaises(botocore.exceptions.ClientError) as caught:
            self.run_one(statement, *parameters, **options)
        error = caught.exception.response["Error"]
        self.assertEqual((error["Code"], error["Message"]), (code, message))
        return caught.exception.response

    def fill(self, count=5):
        for i in range(1, count + 1):
            self.run_one("INSERT INTO TABLE VALUE {'pk': 'a', 'sk': ?, 'n': ?, 'g': 'x', 'l': ?}", text(f"{i:03}"),
                         number(i), number(-i))

    def test_an_item_is_inserted_read_changed_and_deleted(self):
        self.assertEqual(self.rows("INSERT INTO TABLE VALUE {'pk': 'a', 'sk': 'b', 'm': {'k': [1, 'x']}, 's': <<1, 2>>}"), [])
        self.refused("DuplicateItemException", "Duplicate primary key exists in table",
                     "INSERT INTO TABLE VALUE {'pk': 'a', 'sk': 'b'}")
        self.assertEqual(self.rows("SELECT m.k[1], s FROM TABLE WHERE pk = 'a' AND sk = 'b'"),
                         [{"k[1]": text("x"), "s": {"NS": ["1", "2"]}}])
        self.assertEqual(self.rows("UPDATE TABLE SET n = 1 SET s = set_delete(s, <<1>>) REMOVE m.k[0] WHERE pk = 'a' AND "
                                   "sk = 'b' RETURNING ALL NEW *"),
                         [{"pk": text("a"), "sk": text("b"), "n": number(1), "s": {"NS": ["2"]},
                           "m": {"M": {"k": {"L": [text("x")]}}}}])
        self.assertEqual(self.rows("FROM TABLE WHERE pk = 'a' AND sk = 'b' SET n = n + 1 RETURNING MODIFIED OLD *"),
                         [{"n": number(1)}])
        self.assertEqual(self.rows("DELETE FROM TABLE WHERE pk = 'a' AND sk = 'b' AND n = 2 RETURNING ALL OLD *")[0]["n"],
                         number(2))
        self.assertEqual(self.rows("DELETE FROM TABLE WHERE pk = 'a' AND sk = 'b' AND n = 2"), [])
        self.refused("ConditionalCheckFailedException", "The conditional request failed",
                     "UPDATE TABLE SET n = 1 WHERE pk = 'a' AND sk = 'b'")
        self.assertEqual(self.rows("SELECT * FROM TABLE"), [])

    def test_a_failed_condition_returns_the_item(self):
        self.fill(1)
        # The SDK of this machine may be older than this parameter.
        answer = self.server.call("ExecuteStatement", {
            "Statement": f"UPDATE \"{self.table}\" SET n = 2 WHERE pk = 'a' AND sk = '001' AND n = 7",
            "ReturnValuesOnConditionCheckFailure": "ALL_OLD"})
        self.assertEqual((answer.status, answer.message, answer.json()["Item"]["n"]),
                         (400, "The conditional request failed", number(1)))

    def test_pages_follow_each_other(self):
        self.fill(7)
        found, token, pages = [], None, 0
        while True:
            options = {"NextToken": token} if token else {}
            answer = self.run_one("SELECT sk FROM TABLE WHERE pk = 'a'", Limit=3, **options)
            found += [row["sk"]["S"] for row in answer["Items"]]
            pages, token = pages + 1, answer.get("NextToken")
            if not token:
                break
        self.assertEqual((found, pages), ([f"{i:03}" for i in range(1, 8)], 3))
        token = self.run_one("SELECT sk FROM TABLE WHERE pk = 'a'", Limit=3)["NextToken"]
        self.refused("ValidationException", "NextToken does not match request", "SELECT * FROM TABLE WHERE pk = 'a'",
                     NextToken=token)
        self.refused("ValidationException", "Invalid NextToken", "SELECT * FROM TABLE WHERE pk = 'a'", NextToken="x")

    def test_keys_are_listed_in_pages_of_ten(self):
        self.fill(12)
        listed = ", ".join(f"'{i:03}'" for i in range(1, 13))
        answer = self.run_one(f"SELECT n FROM TABLE WHERE pk = 'a' AND sk IN [{listed}]")
        self.assertEqual(len(answer["Items"]), 10)
        answer = self.run_one(f"SELECT n FROM TABLE WHERE pk = 'a' AND sk IN [{listed}]", NextToken=answer["NextToken"])
        self.assertEqual(([row["n"]["N"] for row in answer["Items"]], answer.get("NextToken")), (["11", "12"], None))

    def test_order_follows_the_range_key(self):
        self.fill(3)
        order = lambda clause: [row["sk"]["S"] for row in self.rows(f"SELECT sk FROM TABLE WHERE pk = 'a' {clause}")]
        self.assertEqual(order(""), ["001", "002", "003"])
        self.assertEqual(order("ORDER BY sk DESC"), ["003", "002", "001"])
        self.assertEqual(order("ORDER BY pk"), ["003", "002", "001"])
        self.assertEqual(order("ORDER BY pk, sk ASC"), ["001", "002", "003"])

    def test_capacity_has_its_arms(self):
        self.fill(3)
        of = lambda statement, **options: self.run_one(statement, ReturnConsumedCapacity="INDEXES", **options)[
            "ConsumedCapacity"]
        self.assertEqual(of("SELECT * FROM TABLE WHERE pk = 'a' AND sk = '001'")["CapacityUnits"], 0.5)
        self.assertEqual(of("SELECT * FROM TABLE WHERE pk = 'a' AND sk = 'no'", ConsistentRead=True)["CapacityUnits"], 1)
        fetched = of(f'SELECT n FROM TABLE."lsi" WHERE pk = \'a\'')
        self.assertEqual(fetched, {"TableName": self.table, "CapacityUnits": 2.0, "Table": {"CapacityUnits": 1.5},
                                   "LocalSecondaryIndexes": {"lsi": {"CapacityUnits": 0.5}}})
        self.assertEqual(of("INSERT INTO TABLE VALUE {'pk': 'z', 'sk': '1', 'g': 'x', 'l': 1}")["CapacityUnits"], 3)
        self.assertEqual(of("DELETE FROM TABLE WHERE pk = 'q' AND sk = 'q'")["CapacityUnits"], 1)

    def test_an_index_returns_what_it_carries(self):
        self.fill(2)
        self.assertEqual(self.rows('SELECT * FROM TABLE."gsi" WHERE g = \'x\' AND sk > \'001\''),
                         [{"pk": text("a"), "sk": text("002"), "g": text("x")}])
        self.assertEqual(self.rows('SELECT n FROM TABLE."lsi" WHERE pk = \'a\''), [{"n": number(2)}, {"n": number(1)}])
        self.refused("ValidationException",
                     "One or more parameter values were invalid: Global secondary index gsi does not project [n]",
                     'SELECT n FROM TABLE."gsi"')
        self.assertEqual(self.rows('SELECT * FROM TABLE."gsi" WHERE n = 1'), [])
        self.assertEqual(len(self.rows('SELECT * FROM TABLE."gsi" WHERE NOT n = 1')), 2)
        self.refused("ValidationException", "Strongly consistent read is not supported on Global Secondary Indexes",
                     'SELECT * FROM TABLE."gsi"', ConsistentRead=True)

    def test_parameters_are_checked_before_the_statement(self):
        self.refused("ValidationException", "The parameter cannot be converted to a numeric value: x", "nonsense", number("x"))
        self.refused("ValidationException", "Number of parameters in request and statement don't match.",
                     "SELECT * FROM TABLE WHERE pk = ?")
        answer = self.server.call("ExecuteStatement", {"Statement": "nonsense", "Limit": 0})
        self.assertEqual(answer.message, "1 validation error detected: Value '0' at 'limit' failed to satisfy constraint: "
                                         "Member must have value greater than or equal to 1")
        self.refused("ResourceNotFoundException", "Requested resource not found", "SELECT * FROM nowhere")

    def test_a_batch_answers_for_each_statement(self):
        self.fill(2)
        name = f'"{self.table}"'
        answer = self.client.batch_execute_statement(ReturnConsumedCapacity="TOTAL", Statements=[
            {"Statement": f"SELECT n FROM {name} WHERE pk = 'a' AND sk = '001'", "ConsistentRead": True},
            {"Statement": f"SELECT n FROM {name} WHERE pk = 'a' AND sk = 'none'"},
            {"Statement": f"SELECT n FROM {name} WHERE pk = 'a'"},
            {"Statement": "SELECT * FROM nowhere WHERE pk = 'a'"},
            {"Statement": "nonsense here"}])
        self.assertEqual(answer["Responses"], [
            {"TableName": self.table, "Item": {"n": number(1)}},
            {"TableName": self.table},
            {"Error": {"Code": "ValidationError", "Message": "Select statements within BatchExecuteStatement must specify "
                                                             "the primary key in the where clause."}},
            {"Error": {"Code": "ResourceNotFound", "Message": "Requested resource not found"}},
            {"Error": {"Code": "ValidationError", "Message": "Statement wasn't well formed, can't be processed: "
                                                             "Unexpected token after expression"}}])
        self.assertEqual(answer["ConsumedCapacity"], [{"TableName": self.table, "CapacityUnits": 1.5}])
        answer = self.client.batch_execute_statement(Statements=[
            {"Statement": f"INSERT INTO {name} VALUE {{'pk': 'a', 'sk': '001'}}"},
            {"Statement": f"UPDATE {name} SET n = 9 WHERE pk = 'a' AND sk = '002' RETURNING MODIFIED NEW *"},
            {"Statement": f"UPDATE {name} SET n = 9 WHERE pk = 'b' AND sk = '002'"},
            {"Statement": f"DELETE FROM {name} WHERE pk = 'c' AND sk = ?", "Parameters": [number("x")]}])
        self.assertEqual(answer["Responses"], [
            {"TableName": self.table, "Error": {"Code": "DuplicateItem", "Message": "Duplicate primary key exists in table"}},
            {"TableName": self.table, "Item": {"n": number(9)}},
            {"TableName": self.table, "Error": {"Code": "ConditionalCheckFailed", "Message": "The conditional request failed"}},
            {"Error": {"Code": "ValidationError", "Message": "The parameter cannot be converted to a numeric value: x"}}])
        for statements, message in (
                ([f"SELECT * FROM {name} WHERE pk = 'a' AND sk = 'b'", f"DELETE FROM {name} WHERE pk = 'a' AND sk = 'c'"],
                 "Read and write requests together in the same batch is not supported."),
                ([f"SELECT * FROM {name} WHERE pk = 'a' AND sk = 'b'"] * 2, "Provided list of item keys contains duplicates")):
            with self.assertRaises(botocore.exceptions.ClientError) as caught:
                self.client.batch_execute_statement(Statements=[{"Statement": one} for one in statements])
            self.assertEqual(caught.exception.response["Error"]["Message"], message)

    def transact(self, *statements, **options):
        return self.client.execute_transaction(
            TransactStatements=[{"Statement": one.replace("TABLE", f'"{self.table}"')} for one in statements], **options)

    def test_a_transaction_does_all_or_nothing(self):
        self.fill(2)
        answer = self.transact("EXISTS(SELECT * FROM TABLE WHERE pk = 'a' AND sk = '002' AND n = 2)",
                               "UPDATE TABLE SET n = 8 WHERE pk = 'a' AND sk = '001'",
                               "INSERT INTO TABLE VALUE {'pk': 'b', 'sk': '1', 'g': 'x'}", ClientRequestToken="once",
                               ReturnConsumedCapacity="INDEXES")
        self.assertEqual(answer["Responses"], [])
        consumed = answer["ConsumedCapacity"][0]
        self.assertEqual((consumed["Table"]["WriteCapacityUnits"], consumed["GlobalSecondaryIndexes"]["gsi"]["CapacityUnits"]),
                         (6.0, 1.0))
        again = self.transact("EXISTS(SELECT * FROM TABLE WHERE pk = 'a' AND sk = '002' AND n = 2)",
                              "UPDATE TABLE SET n = 8 WHERE pk = 'a' AND sk = '001'",
                              "INSERT INTO TABLE VALUE {'pk': 'b', 'sk': '1', 'g': 'x'}", ClientRequestToken="once",
                              ReturnConsumedCapacity="TOTAL")
        self.assertEqual(again["ConsumedCapacity"][0]["ReadCapacityUnits"], 6.0)
        with self.assertRaises(self.client.exceptions.IdempotentParameterMismatchException):
            self.transact("DELETE FROM TABLE WHERE pk = 'a' AND sk = '001'", ClientRequestToken="once")
        with self.assertRaises(self.client.exceptions.TransactionCanceledException) as caught:
            self.transact("INSERT INTO TABLE VALUE {'pk': 'b', 'sk': '1'}", "DELETE FROM TABLE WHERE pk = 'a' AND sk = '002'",
                          "UPDATE TABLE SET n = 1 WHERE pk = 'q' AND sk = '1'")
        self.assertEqual([reason["Code"] for reason in caught.exception.response["CancellationReasons"]],
                         ["DuplicateItem", "None", "ConditionalCheckFailed"])
        answer = self.transact("SELECT n FROM TABLE WHERE pk = 'a' AND sk = '001'",
                               "SELECT absent FROM TABLE WHERE pk = 'a' AND sk = '002'",
                               "SELECT * FROM TABLE WHERE pk = 'a' AND sk = '003'", ReturnConsumedCapacity="TOTAL")
        self.assertEqual(answer["Responses"], [{"Item": {"n": number(8)}}, {"Item": {}}, {}])
        self.assertEqual(answer["ConsumedCapacity"][0]["ReadCapacityUnits"], 6.0)

    def test_a_transaction_is_refused_for_what_its_statements_say(self):
        self.fill(1)
        select = "SELECT * FROM TABLE WHERE pk = 'a' AND sk = '001'"
        delete = "DELETE FROM TABLE WHERE pk = 'a' AND sk = '001'"
        prefix = "Validation failed in TransactStatements[1]: "
        for statements, message in (
                ((delete, "DELETE FROM TABLE WHERE pk = 'a' AND sk = '2' RETURNING ALL OLD *"),
                 prefix + "RETURNING clause is not supported in ExecuteTransaction."),
                ((select, 'SELECT * FROM TABLE."gsi" WHERE g = \'x\''),
                 prefix + "Reads on indices are not supported within transactions."),
                ((select, "SELECT * FROM TABLE WHERE pk = 'a'"),
                 prefix + "Select statements within ExecuteTransaction must specify the primary key in the where clause."),
                ((delete, "EXISTS(SELECT * FROM TABLE WHERE pk = 'a' AND sk = '2')"),
                 prefix + "EXISTS() must contain a single item read with additional condition"),
                ((select, delete),
                 "ExecuteTransaction API does not support both read and write operations in the same request."),
                ((delete, "UPDATE TABLE SET n = 1 WHERE pk = 'a' AND sk = '001'"),
                 "Transaction request cannot include multiple operations on one item")):
            with self.subTest(message), self.assertRaises(botocore.exceptions.ClientError) as caught:
                self.transact(*statements)
            self.assertEqual(caught.exception.response["Error"]["Message"], message)
        with self.assertRaises(self.client.exceptions.TransactionCanceledException) as caught:
            self.transact(delete, "DELETE FROM TABLE WHERE pk = 'a'", "DELETE FROM nowhere WHERE pk = 'a'",
                          "INSERT INTO TABLE VALUE {'pk': 'x'}")
        self.assertEqual([(reason["Code"], reason.get("Message")) for reason in
                          caught.exception.response["CancellationReasons"]],
                         [("None", None), ("ValidationError", "The provided key element does not match the schema"),
                          ("ResourceNotFound", "Requested resource not found"),
                          ("ValidationError", "One or more parameter values were invalid: Missing the key sk in the item")])

    def test_changes_by_statements_are_in_the_stream(self):
        self.client.update_table(TableName=self.table, StreamSpecification={"StreamEnabled": True,
                                                                           "StreamViewType": "NEW_IMAGE"})
        arn = self.client.describe_table(TableName=self.table)["Table"]["LatestStreamArn"]
        self.fill(1)
        streams = self.server.streams_client()
        records = []
        for shard in streams.describe_stream(StreamArn=arn)["StreamDescription"]["Shards"]:
            iterator = streams.get_shard_iterator(StreamArn=arn, ShardId=shard["ShardId"], ShardIteratorType="TRIM_HORIZON")
            records += streams.get_records(ShardIterator=iterator["ShardIterator"])["Records"]
        self.assertEqual([record["dynamodb"]["NewImage"]["n"] for record in records], [number(1)])


class CommandLine(AwsCli):
    def test_statements(self):
        self.aws("create-table", "--table-name", "notes", "--billing-mode", "PAY_PER_REQUEST", "--key-schema",
                 "AttributeName=topic,KeyType=HASH", "--attribute-definitions", "AttributeName=topic,AttributeType=S")
        self.aws("execute-statement", "--statement", "INSERT INTO notes VALUE {'topic': 'dolmen', 'n': 1}")
        self.assertEqual(self.aws("execute-statement", "--statement", "SELECT n FROM notes WHERE topic = ?", "--parameters",
                                  [text("dolmen")])["Items"], [{"n": number(1)}])
        self.assertEqual(self.aws("batch-execute-statement", "--statements",
                                  [{"Statement": "UPDATE notes SET n = 2 WHERE topic = 'dolmen'"}])["Responses"],
                         [{"TableName": "notes"}])
        self.aws("execute-transaction", "--transact-statements",
                 [{"Statement": "DELETE FROM notes WHERE topic = 'dolmen' AND n = 2"}])
        self.assertEqual(self.aws("execute-statement", "--statement", "SELECT * FROM notes")["Items"], [])


if __name__ == "__main__":
    unittest.main()

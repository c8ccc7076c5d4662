#!/usr/bin/python3
"""The two layers in which DynamoDB checks requests: every line of texts_cases.json, with --texts current and older."""

import json
import pathlib
import unittest

from data_files import expand
from dolmen_server import ServerTest, create_table, run

CASES = json.loads(pathlib.Path(__file__).with_name("texts_cases.json").read_text())


class InCurrentTexts(ServerTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        create_table(cls.server, "strings")

    def assert_refused(self, case, message):
        with self.subTest(case["rule"], operation=case["operation"], body=str(case["body"])[:200]):
            answer = self.server.call(case["operation"], expand(case["body"]), self.connection)
            self.assertEqual((answer.status, answer.type, answer.message), (400, "ValidationException", expand(message)))

    def test_what_differs_is_said_in_the_words_of_the_layer(self):
        for case in CASES["differences"]:
            self.assert_refused(case, case[self.TEXTS])

    def test_everything_else_is_said_in_the_same_words(self):
        for case in CASES["same"]:
            self.assert_refused(case, case["message"])

    def test_nothing_that_is_refused_is_written(self):
        for case in CASES["differences"] + CASES["same"]:
            self.server.call(case["operation"], expand(case["body"]), self.connection)
        self.assertEqual(self.server.must("Scan", {"TableName": "strings"}, self.connection)["Count"], 0)


class InOlderTexts(InCurrentTexts):
    TEXTS = "older"


class TheTable(unittest.TestCase):
    def test_has_only_differences_that_are_some(self):
        for case in CASES["differences"]:
            self.assertNotEqual(case["current"], case["older"], case["rule"])

    def test_has_every_operation_on_items(self):
        self.assertEqual({case["operation"] for case in CASES["differences"]},
                         {"BatchGetItem", "BatchWriteItem", "DeleteItem", "GetItem", "PutItem", "Query", "Scan",
                          "TransactGetItems", "TransactWriteItems", "UpdateItem"})


class TheFlag(unittest.TestCase):
    def test_is_explained_by_the_help(self):
        self.assertRegex(run("serve", "--help").out, r"--texts [^-]*current")

    def test_takes_nothing_else(self):
        for value in ("newer", "", "CURRENT"):
            with self.subTest(value):
                refused = run("serve", "--memory", "--port", "0", "--texts", value)
                self.assertEqual(refused.code, 2, refused)
                self.assertIn("--texts", refused.err)


if __name__ == "__main__":
    unittest.main()

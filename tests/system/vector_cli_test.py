#!/usr/bin/python3
"""Vectors in a terminal: `dolmen table create --vector`, `dolmen vector search` and `stats`, on a directory and at a server."""

import json
import pathlib
import subprocess
import tempfile
import time
import unittest

from dolmen_server import BINARY, PATIENCE_S, Server, clean_environment, run

HERE = ("--where", 'tenant = "t1"')


class Vectors(unittest.TestCase):
    """On a directory, where each command opens the store anew; the class below runs the same at a server."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.store = cls.make_store()
        cls.must("table", "create", "docs", "--key", "id", "--vector",
                 "by_meaning:meaning:3:cosine,hash=tenant,filter=year:N", "--vector", "far:meaning:3:euclidean",
                 "--project", "far=title")
        for year, meaning in ((2024, [1, 0, 0]), (2025, [0.6, 0.8, 0]), (2026, [0, 1, 0])):
            cls.must("item", "put", "docs", json.dumps({"id": str(year), "tenant": "t1", "year": year, "title": f"of {year}",
                                                        "meaning": meaning}))

    @classmethod
    def make_store(cls):
        return ("--data", cls.folder / "data")

    @classmethod
    def must(cls, *arguments):
        done = run(*arguments, *cls.store, cwd=cls.folder)
        assert (done.code, done.err) == (0, ""), (arguments, done)
        return done.out

    def refused(self, code, *arguments):
        done = run(*arguments, *self.store, cwd=self.folder)
        self.assertEqual((done.code, done.out), (code, ""), arguments)
        return done.err

    def found(self, *arguments):
        return [json.loads(line) for line in self.must("vector", "search", "docs", *arguments, "--json").splitlines()]

    def test_the_table_tells_about_its_indexes(self):
        indexes = json.loads(self.must("table", "describe", "docs", "--json"))["indexes"]
        self.assertEqual([(i["name"], i["key"], i["kind"], i["dimensions"], i["distance"], i["projection"], i["items"])
                          for i in indexes],
                         [("by_meaning", "meaning,hash=tenant:S,filter=year:N", "vector", 3, "COSINE", "all", 3),
                          ("far", "meaning", "vector", 3, "EUCLIDEAN", "title", 3)])
        self.assertIn("by_meaning  meaning,hash=tenant:S,filter=year:N  3 items, 3 dimensions, COSINE, projects all\n",
                      self.must("table", "describe", "docs"))

    def test_the_nearest_come_first(self):
        self.assertEqual(self.must("vector", "search", "docs", "by_meaning", "--vector", "[1, 0, 0]", *HERE, "--select", "id"),
                         '0            {"id":"2024"}\n0.4          {"id":"2025"}\n1            {"id":"2026"}\n')
        self.assertEqual(self.found("by_meaning", "--near", '{"id": "2026"}', "--where", 'tenant = "t1" AND year = 2024'),
                         [{"score": 1, "item": {"id": "2024", "tenant": "t1", "title": "of 2024", "year": 2024}}])
        self.assertEqual(self.found("far", "--vector", "[1, 0, 3]", "--top", "1"),
                         [{"score": 3, "item": {"id": "2024", "title": "of 2024"}}])
        self.assertEqual(self.found("far", "--near", '{"id": {"S": "2025"}}', "--typed", "--top", "1", "--select", "id"),
                         [{"score": 0, "item": {"id": {"S": "2025"}}}])
        self.assertEqual(self.found("by_meaning", "--vector", "[1, 0, 0]", "--where", 'tenant = "nobody"'), [])

    def test_a_vector_comes_from_the_standard_input(self):
        done = subprocess.run([BINARY, "vector", "search", "docs", "far", "--vector", "-", "--select", "id", "--top", "1",
                               *map(str, self.store)], input="[0, 1, 0]", env=clean_environment(self.folder), text=True,
                              capture_output=True, timeout=PATIENCE_S)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, '0            {"id":"2026"}\n', ""))

    def test_a_search_is_explained(self):
        text = self.must("vector", "search", "docs", "by_meaning", "--vector", "[1, 0, 0]", *HERE, "--explain")
        self.assertEqual(text.splitlines()[-1],
                         "SearchVectors of docs, index by_meaning: 3 vectors compared by scan, 3 items returned")
        (part,) = self.found("far", "--vector", "[1, 0, 0]", "--explain")[-1]["explanation"]["parts"]
        self.assertEqual((part["index"], part["vectors_compared"]), ("far", 3))

    def test_statistics(self):
        told = json.loads(self.must("vector", "stats", "docs", "by_meaning", "--json"))
        self.assertEqual((told["Vectors"], told["Dimensions"], told["Partitions"], told["Recall"]), (3, 3, 1, 1))
        self.assertRegex(self.must("vector", "stats", "docs", "far", "--sample", "0"),
                         r"^index +far of docs\nvectors +3 of 3 dimensions in 1 partitions\nmemory +\d+ bytes, \d+ for each vector\n$")

    def test_what_is_wrong_is_named(self):
        search = ("vector", "search", "docs", "by_meaning")
        for code, message, arguments in [
                (2, "give --vector or --near", search),
                (2, "give --vector or --near", (*search, "--vector", "[1,0,0]", "--near", '{"id":"2024"}')),
                (2, "--vector is not JSON: column 3", (*search, "--vector", "[1", *HERE)),
                (2, "--vector: element 1 of the vector is not a 32-bit", (*search, "--vector", '[1,"x",0]', *HERE)),
                (2, "--vector: element 0 of the vector is not a 32-bit", (*search, "--vector", "[1e39,0,0]", *HERE)),
                (2, "--where: column 9", (*search, "--vector", "[1,0,0]", "--where", "tenant =")),
                (2, '--top: "101" is not a whole number from 1 to 100', (*search, "--vector", "[1,0,0]", "--top", "101")),
                (1, "dimension 2 does not match vector index dimension 3", (*search, "--vector", "[1,0]", *HERE)),
                (1, "must be provided when SearchSchema has a HASH key", (*search, "--vector", "[1,0,0]")),
                (1, 'no item with the key {"id":"x"}', (*search, "--near", '{"id":"x"}', *HERE)),
                (1, "does not have the specified index: none", ("vector", "search", "docs", "none", "--vector", "[1]")),
                (1, "does not have the specified index: none", ("vector", "stats", "docs", "none")),
                (1, 'Table "none" does not exist', ("vector", "stats", "none", "none")),
                (2, '"4097" is not a number of dimensions', ("table", "create", "bad", "--key", "id", "--vector", "abc:b:4097")),
                (2, '"flat" is not cosine', ("table", "create", "bad", "--key", "id", "--vector", "abc:b:3:flat")),
                (2, '"by=c" is not hash=', ("table", "create", "bad", "--key", "id", "--vector", "abc:b:3,by=c")),
                (1, "Vector indexes are only supported for PAY_PER_REQUEST tables",
                 ("table", "create", "bad", "--key", "id", "--vector", "abc:b:3", "--read-units", "1", "--write-units", "1"))]:
            with self.subTest(arguments):
                self.assertIn(message, self.refused(code, *arguments))
        self.assertEqual(self.must("table", "list"), "docs\n")


class VectorsAtAServer(Vectors):
    @classmethod
    def make_store(cls):
        server = Server()
        server.start()
        cls.addClassCleanup(server.close)
        return ("--endpoint", server.url)


class Phases(unittest.TestCase):
    def test_a_server_takes_its_time_with_a_new_index(self):
        """tests/engine/vectors/life_test.cc has the phases themselves; here the flag makes them last."""
        index = {"IndexName": "near", "VectorAttribute": {"AttributeName": "v"}, "Projection": {"ProjectionType": "ALL"},
                 "Dimensions": 1, "DistanceFunction": "EUCLIDEAN"}
        phases = [("UPDATING", "CREATING", False), ("ACTIVE", "CREATING", True), ("ACTIVE", "ACTIVE", None)]
        with Server(flags=("--vector-index-phase-ms", "700")) as server:
            server.must("CreateTable", {"TableName": "things", "BillingMode": "PAY_PER_REQUEST",
                                        "KeySchema": [{"AttributeName": "p", "KeyType": "HASH"}],
                                        "AttributeDefinitions": [{"AttributeName": "p", "AttributeType": "S"}]})
            server.must("PutItem", {"TableName": "things", "Item": {"p": {"S": "a"}, "v": {"L": [{"N": "1"}]}}})
            began, seen = time.monotonic(), []
            table = server.must("UpdateTable", {"TableName": "things", "VectorIndexUpdates": [{"Create": index}]})["TableDescription"]
            while not seen or seen[-1] != phases[-1]:
                (made,) = table["VectorIndexes"]
                seen.append((table["TableStatus"], made["IndexStatus"], made.get("Backfilling")))
                self.assertLess(time.monotonic(), began + PATIENCE_S, seen[-1])
                table = server.must("DescribeTable", {"TableName": "things"})["Table"]
            self.assertGreaterEqual(time.monotonic(), began + 1.3)
            self.assertEqual(seen[0], phases[0])
            self.assertEqual([phases.index(phase) for phase in seen], sorted(phases.index(phase) for phase in seen))
            found = server.must("SearchVectors", {"TableName": "things", "IndexName": "near", "SearchVector": [{"N": "1"}], "TopK": 1})
            self.assertEqual(found["SearchResults"], [{"Item": {"p": {"S": "a"}}, "Score": 0.0}])


if __name__ == "__main__":
    unittest.main()

#!/usr/bin/python3
"""Tests of measured.py: results of benchmarks become tables and charts."""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import measured  # noqa: E402

MACHINE = {"time": "2026-01-02T03:04:05+00:00", "cores": 2, "cpu": "A", "memory_gb": 8, "kernel": "6.1.0-x", "file_system": "ext4",
           "load_before": 0.5}


def once(scenario, server, cpu):
    return {"scenario": scenario, "server": server, "requests_per_s": 1000.0, "p99_ms": 2.0, "cpu_us": cpu, "cpu_ratio": cpu / 10,
            "requests_ratio": 2.0, "rounds": []}


def wire(**more):
    facts = {"start_ms": [3.0, 1.0, 2.0], "idle_mb": 20.5, "end_mb": 40.0}
    return {"machine": MACHINE, "rounds": 5, "seconds": 1, "skipped": [],
            "servers": {"dolmen-os": {"called": "Dolmen"} | facts, "dynoxide": {"called": "Dynoxide 1"} | facts},
            "medians": [once("get", "dolmen-os", 10.0), once("get", "dynoxide", 35.0), once("put", "dolmen-os", 20.0)]} | more


class MeasuredTest(unittest.TestCase):
    def test_a_run_is_kept_without_its_rounds(self):
        kept = measured.kept_of("wire", wire())
        self.assertEqual(kept["servers"]["dynoxide"]["start_ms"], 2.0)
        self.assertNotIn("rounds", kept["medians"][0])

    def test_a_server_without_the_operation_has_a_dash(self):
        tables = measured.tables_of_wire(measured.kept_of("wire", wire()))
        self.assertIn("| GetItem | 10.0 | 35.0 (3.5×) |", tables)
        self.assertIn("| PutItem | 20.0 | – |", tables)
        self.assertIn("2 cores (A), 8 GB", tables)
        self.assertNotIn("share syncs", tables)

    def test_synced_writes_are_compared_with_rocksdb(self):
        more = [once("put-sync-64", "dolmen-sync", 10.0), once("put-sync-64", "raw-rocksdb", 10.0)]
        self.assertIn("1,000 PutItem a second, each on disk before its answer, which is 2.00 times", measured.tables_of_wire(
            measured.kept_of("wire", wire(medians=more))))

    def test_charts_have_a_value_for_each_series(self):
        for chart in measured.charts("wire", measured.kept_of("wire", wire())):
            for row in chart["rows"]:
                self.assertEqual(len(row["values"]), len(chart["series"]))

    def test_axes_show_reads_beside_writes(self):
        result = wire(medians=[once("size: get", "1-KB", 10.0), once("size: put", "1-KB", 20.0)])
        self.assertIn("| size | 1 KB | 10.0 | 1,000 | 2.00 | 20.0 | 1,000 | 2.00 |", measured.tables_of_axes(
            measured.kept_of("wire-axes", result)))

    def test_tables_of_engines_show_how_they_compare(self):
        engines = [{"durability": durability, "engine": engine, "operation": operation, "cpu_us": 3.0, "wall_us": 4.0,
                    "cpu_ratio": 1.5, "wall_ratio": 2.0} for durability in ("os", "sync") for engine in ("dolmen", "rocksdb")
                   for operation in ("get", "put")]
        tables = measured.tables_of_embedded({"machine": MACHINE, "engines": engines, "rooms": [
            {"room": "model: put", "program": "model_bench", "without_us": None, "with_us": 9.5}]})
        self.assertIn("| get | 3.00 (1.50×) | 3.00 (1.50×) |", tables)
        self.assertIn("| put | 4.00 (2.00×) | 4.00 (2.00×) |", tables)
        self.assertIn("| model: put | – | 9.50 | `model_bench` |", tables)

    def test_a_page_gets_its_tables_between_its_marks_and_nowhere_else(self):
        page = "before\n<!-- measured: wire -->\nold\n<!-- end of measured -->\nafter\n"
        kept = measured.kept_of("wire", wire())
        written = measured.page_with(page, "wire", kept)
        self.assertTrue(written.startswith("before\n<!-- measured: wire -->\n\nMeasured on 2026-01-02"))
        self.assertTrue(written.endswith("<!-- end of measured -->\nafter\n"))
        self.assertNotIn("old", written)
        self.assertEqual(measured.page_with(written, "wire", kept), written)
        with self.assertRaises(SystemExit):
            measured.page_with("no place", "wire", kept)


if __name__ == "__main__":
    unittest.main()

#!/usr/bin/env python3
"""Shows for every rule of tools/check_layers that a violation is reported, and that a correct project passes."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

CHECKER = pathlib.Path(__file__).resolve().parent / "check_layers"

IN_ORDER = {
    "tools/layers.txt": "# Rooms.\nbase:\nvalue: base\nstorage: base\nstore: value\nembedded: store storage\n",
    "tools/public_headers.txt": "error.h: base\nvalue.h: value\nstore.h: store\n",
    "tools/third_party.txt": "fmt/: *\nrocksdb/: storage bench\nsimdjson.h: value\ngtest/: test\n",
    "include/dolmen/error.h": "#pragma once\n#include <string>\n",
    "include/dolmen/value.h": '#pragma once\n#include <vector>\n#include "dolmen/error.h"\n',
    "include/dolmen/store.h": '#pragma once\n#include "dolmen/value.h"\n',
    "src/base/fail.h": '#pragma once\n#include <fmt/core.h>\n#include "dolmen/error.h"\n',
    "src/value/codec.h": '#pragma once\n#include "dolmen/value.h"\n#include "base/fail.h"\n',
    "src/value/codec.cc": '#include "value/codec.h"\n#include <simdjson.h>\n#include <sys/random.h>\n',
    "src/value/codec_test.cc": '#include "value/codec.h"\n#include <gtest/gtest.h>\n',
    "src/storage/database.cc": "#include <rocksdb/db.h>\n",
    "src/store/paging.h": '#pragma once\n#include "base/fail.h"\n',
    "src/embedded/open.cc": '#include "dolmen/store.h"\n#include "store/paging.h"\n',
    "bench/helper.h": "#pragma once\n",
    "bench/put_bench.cc": '#include <rocksdb/db.h>\n#include "helper.h"\n#include "store/paging.h"\n',
    "bench/get_bench.cc": '#include "bench/helper.h"\n',
}


class CheckLayers(unittest.TestCase):
    def check(self, changes):
        """Runs the checker over the project in order plus `changes`; a file changed to None is left out."""
        with tempfile.TemporaryDirectory() as folder:
            for name, text in (IN_ORDER | changes).items():
                if text is None:
                    continue
                path = pathlib.Path(folder, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            run = subprocess.run([sys.executable, CHECKER, "--root", folder], capture_output=True, text=True)
        self.assertEqual(run.stderr, "")
        return run.returncode, run.stdout.splitlines()

    def assert_refused(self, changes, *lines):
        self.assertEqual(self.check(changes), (1, list(lines)))

    def assert_accepted(self, changes):
        code, lines = self.check(changes)
        self.assertEqual(code, 0, lines)

    def test_a_project_in_order_passes(self):
        self.assertEqual(self.check({}), (0, ["layers: 5 rooms, 13 files, 21 includes, in order"]))

    def test_an_include_of_an_upper_room_names_both_rooms_and_the_rule(self):
        self.assert_refused(
            {"src/value/codec.h": '#pragma once\n\n#include "store/paging.h"\n'},
            'src/value/codec.h:3: includes "store/paging.h": room value may not use room store '
            "(tools/layers.txt allows: base)")

    def test_an_include_of_a_sideways_room_is_refused(self):
        self.assert_refused(
            {"src/storage/database.cc": '#include "value/codec.h"\n'},
            'src/storage/database.cc:1: includes "value/codec.h": room storage may not use room value '
            "(tools/layers.txt allows: base)")

    def test_a_forward_declaration_counts_as_an_include(self):
        schema = {"tools/layers.txt": IN_ORDER["tools/layers.txt"] + "schema: value\n",
                  "src/schema/registry.h": "namespace dolmen::schema {\nclass Registry {\n};\n}\n"}
        self.assert_refused(
            schema | {"src/store/paging.h": "namespace dolmen::schema {\nclass Registry;\n}\n"},
            "src/store/paging.h:2: declares dolmen::schema::Registry of room schema, which room store may not use")
        # Another type of that name, and one of a room below.
        self.assert_accepted(schema | {"src/store/paging.h": "namespace dolmen {\nclass Registry;\n}\n"})
        self.assert_accepted(schema | {"src/value/codec.h": "namespace dolmen {\nstruct Fail { int x; };\n}\n",
                                       "src/store/paging.h": "namespace dolmen {\nstruct Fail;\n}\n"})

    def test_a_header_includes_what_it_uses_of_the_standard_library(self):
        self.assert_refused({"src/store/paging.h": "#pragma once\nstd::optional<int> f();\n"},
                            "src/store/paging.h: uses std::optional but does not include <optional>")
        # Through another header of the project, or in a source, which may rely on what its own header includes.
        self.assert_accepted({"src/store/paging.h": '#pragma once\n#include "dolmen/value.h"\nstd::vector<int> f();\n'})
        self.assert_accepted({"src/storage/database.cc": "#include <rocksdb/db.h>\nstd::optional<int> f();\n"})

    def test_a_header_of_several_rooms_needs_them_all(self):
        both = {"tools/public_headers.txt": IN_ORDER["tools/public_headers.txt"] + "open.h: value storage\n",
                "include/dolmen/open.h": '#pragma once\n#include "dolmen/value.h"\n'}
        self.assert_accepted(both | {"src/embedded/open.cc": '#include "dolmen/open.h"\n'})
        self.assert_refused(
            both | {"src/store/paging.h": '#include "dolmen/open.h"\n'},
            'src/store/paging.h:1: includes "dolmen/open.h": room store may not use room storage '
            "(tools/layers.txt allows: base, value)")

    def test_rooms_beside_each_other_are_told_apart(self):
        self.assert_refused(
            {"src/store/paging.h": '#include "embedded/open.h"\n', "src/embedded/open.h": ""},
            'src/store/paging.h:1: includes "embedded/open.h": room store may not use room embedded '
            "(tools/layers.txt allows: base, value)")

    def test_a_public_header_counts_as_its_room(self):
        for form in ('"dolmen/store.h"', "<dolmen/store.h>"):
            self.assert_refused(
                {"src/value/codec.h": f"#include {form}\n"},
                f"src/value/codec.h:1: includes {form}: room value may not use room store "
                "(tools/layers.txt allows: base)")

    def test_a_public_header_may_not_include_one_of_an_upper_room(self):
        self.assert_refused(
            {"include/dolmen/error.h": '#include "dolmen/value.h"\n'},
            'include/dolmen/error.h:1: includes "dolmen/value.h": room base may not use room value '
            "(tools/layers.txt allows: nothing)")

    def test_an_example_includes_what_a_user_can_include(self):
        for form in ("<fmt/core.h>", '"base/fail.h"'):
            self.assert_refused(
                {"examples/notes.cc": f"#include {form}\n"},
                f"examples/notes.cc:1: includes {form}: an example may include only the standard library, the system and "
                "public headers, as a user's program can")
        self.assert_accepted({"examples/notes.cc": "#include <unistd.h>\n"})
        self.assert_accepted({"examples/notes.cc": '#include "load.h"\n', "examples/load.h": "#pragma once\n"})

    def test_a_public_header_shows_no_library_system_or_private_header(self):
        for form in ("<rocksdb/db.h>", "<fmt/core.h>", "<simdjson.h>", "<boost/asio.hpp>", "<unistd.h>", "<stdint.h>",
                     '"base/fail.h"'):
            self.assert_refused(
                {"include/dolmen/store.h": f"#include {form}\n"},
                f"include/dolmen/store.h:1: includes {form}: a public header may include only the standard library and "
                "public headers (tools/public_headers.txt)")

    def test_public_headers_and_their_list_must_agree(self):
        self.assert_refused({"include/dolmen/extra.h": ""},
                            "include/dolmen/extra.h: is not listed in tools/public_headers.txt")
        self.assert_refused({"tools/public_headers.txt": IN_ORDER["tools/public_headers.txt"] + "gone.h: base\n"},
                            "tools/public_headers.txt: include/dolmen/gone.h does not exist")
        self.assert_refused({"include/other/extra.h": ""},
                            "include/other/extra.h: public headers live in include/dolmen/")
        self.assert_refused({"tools/public_headers.txt": "error.h: base\nvalue.h: value\nstore.h: attic\n"},
                            "tools/public_headers.txt: store.h must name rooms of tools/layers.txt",
                            'src/embedded/open.cc:1: includes "dolmen/store.h": dolmen/store.h does not belong to a room '
                            "(tools/layers.txt, tools/public_headers.txt)")

    def test_folders_and_rooms_must_agree(self):
        self.assert_refused({"src/attic/old.cc": ""}, "src/attic: holds sources but is not a room of tools/layers.txt")
        self.assert_refused({"src/value/deep/old.cc": ""},
                            "src/value/deep: holds sources but is not a room of tools/layers.txt")
        self.assert_refused({"tools/layers.txt": IN_ORDER["tools/layers.txt"] + "attic: base\n"},
                            "tools/layers.txt: room attic has no folder src/attic")
        self.assert_accepted({"tools/layers.txt": IN_ORDER["tools/layers.txt"] + "all: store\n",
                              "tools/public_headers.txt": IN_ORDER["tools/public_headers.txt"] + "all.h: all\n",
                              "include/dolmen/all.h": '#pragma once\n#include "dolmen/store.h"\n'})

    def test_the_lists_themselves_are_checked(self):
        rooms = IN_ORDER["tools/layers.txt"]
        self.assert_refused({"tools/layers.txt": rooms.replace("base:\n", "base: store\n")},
                            "tools/layers.txt: rooms use each other in a circle: base -> store -> value -> base")
        self.assert_refused({"tools/layers.txt": rooms.replace("base:\n", "base: base\n")},
                            "tools/layers.txt: rooms use each other in a circle: base -> base")
        self.assert_refused({"tools/layers.txt": rooms.replace("base:\n", "base: attic\n")},
                            "tools/layers.txt: room base names room attic, which is not listed")
        self.assert_refused({"tools/layers.txt": rooms + "base:\n"}, "tools/layers.txt:7: base is listed twice")
        self.assert_refused({"tools/layers.txt": rooms + "store uses value\n"},
                            'tools/layers.txt:7: cannot read "store uses value"; write "name: word word"')
        self.assert_refused({"tools/third_party.txt": IN_ORDER["tools/third_party.txt"] + "zlib.h: attic\n"},
                            "tools/third_party.txt: zlib.h names attic, which is not a room or a place")

    def test_a_path_with_dots_is_refused(self):
        for path in ("../base/fail.h", "./codec.h", "value/../base/fail.h"):
            self.assert_refused(
                {"src/value/codec.cc": f'#include "{path}"\n'},
                f'src/value/codec.cc:1: includes "{path}": write the path from src/ or include/, without . and ..')

    def test_inside_src_a_path_starts_at_src(self):
        self.assert_refused({"src/value/codec.cc": '#include "codec.h"\n'},
                            'src/value/codec.cc:1: includes "codec.h": there is no such file under src/ or include/')

    def test_outside_src_only_neighbours_are_included(self):
        for path in ("bench/helper.h", "fuzz/gone.h"):
            self.assert_refused({"fuzz/value_fuzz.cc": f'#include "{path}"\n'},
                                f'fuzz/value_fuzz.cc:1: includes "{path}": there is no such file under src/ or include/')

    def test_a_library_stays_in_its_rooms(self):
        self.assert_refused(
            {"src/store/paging.h": "#include <rocksdb/slice.h>\n"},
            "src/store/paging.h:1: includes <rocksdb/slice.h>: store may not use rocksdb/ "
            "(tools/third_party.txt allows: storage, bench)")
        self.assert_refused(
            {"tests/simple_test.cc": "#include <simdjson.h>\n"},
            "tests/simple_test.cc:1: includes <simdjson.h>: tests may not use simdjson.h "
            "(tools/third_party.txt allows: value)")
        self.assert_refused(
            {"src/value/codec.cc": "#include <gtest/gtest.h>\n"},
            "src/value/codec.cc:1: includes <gtest/gtest.h>: value may not use gtest/ "
            "(tools/third_party.txt allows: test)")

    def test_an_unlisted_library_is_refused(self):
        self.assert_refused(
            {"src/base/fail.h": "#include <nlohmann/json.hpp>\n"},
            "src/base/fail.h:1: includes <nlohmann/json.hpp>: is neither a standard nor a system header, and no line of "
            "tools/third_party.txt allows it")

    def test_an_include_that_cannot_be_read_is_refused(self):
        self.assert_refused({"src/base/fail.h": "#include HEADER\n"},
                            'src/base/fail.h:1: includes HEADER: only "path" and <path> can be checked')

    def test_comments_and_raw_strings_include_nothing(self):
        self.assert_accepted({"src/base/fail.h": '/*\n#include "store/paging.h"\n*/ // #include "store/paging.h"\n'
                                                 'auto text = R"x(\n#include "store/paging.h"\n)x";\n'})

    def test_a_comment_sign_in_a_literal_hides_no_include(self):
        self.assert_refused(
            {"src/base/fail.h": 'auto type = "text/*";\n#include "store/paging.h"  // why\nauto end = "*/";\n'},
            'src/base/fail.h:2: includes "store/paging.h": room base may not use room store '
            "(tools/layers.txt allows: nothing)")


if __name__ == "__main__":
    unittest.main()

"""Which bugs tools/mutants.py finds."""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import mutants  # noqa: E402


def found(*lines):
    return [(mutant.kind, mutant.text) for mutant in mutants.find("a.cc", "\n".join(["void f() {", *lines, "}"]))]


class MutantsTest(unittest.TestCase):
    def test_conditions_are_negated_and_their_operators_swapped(self):
        self.assertEqual(found("  if (a < b && c) g();"), [
            ("negated condition", "if (!(a < b && c))"), ("&& to ||", "if (a < b || c)"), ("< to <=", "if (a <= b && c)")])
        self.assertEqual(found("  while (a != b) {"), [("!= to ==", "while (a == b)")])

    def test_what_is_returned_changes(self):
        self.assertEqual(found("  return n + 1;"), [("+ 1 to + 2", "return n + 2;"), ("+ 1 to nothing", "return n;"), ("+ to -", "return n - 1;")])
        self.assertEqual(found("  if (x) return true;")[-1], ("true to false", "return false;"))

    def test_statements_are_dropped(self):
        for line in ("  queue_.push_back(x);", "  count += 2;", "  ++count;", "  DOLMEN_TRY_VOID(check(x));", "  a->b = c;"):
            self.assertEqual(found(line), [("dropped statement", "(nothing)")], line)

    def test_declarations_literals_and_comments_are_left_alone(self):
        for line in ("  int x = f(y);", "  Foo foo(x);", "  if (auto x = f(); x) {", "  if (auto x = f()) {", "  // if (a < b)", '  "a < b";',
                     "  DOLMEN_CHECK(a, b);", "  if constexpr (a < b) {", "  const bool x = a < b;", "      int b);"):
            self.assertEqual(found(line), [], line)

    def test_a_statement_begins_on_its_own_line(self):
        self.assertEqual(found("  int x = f(y,", "      g(z));"), [])
        self.assertEqual(found("  writer.number(1)", "      .number(2);"), [])
        self.assertEqual(found("  if (x)", "    g(z);")[-1], ("dropped statement", "(nothing)"))

    def test_the_same_code_twice_is_two_bugs(self):
        self.assertEqual([mutant.number for mutant in mutants.find("a.cc", "void f() {\n  g(x);\n  g(x);\n}")], [1, 2])

    def test_a_changed_line_has_the_switch(self):
        (mutant,) = mutants.find("a.cc", "void f() {\n  g(x);\n}")
        self.assertEqual(mutant.after, "  { if (!::dolmen_mutants::on(@)) { g(x); } }")


if __name__ == "__main__":
    unittest.main()

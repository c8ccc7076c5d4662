#include "expr/statement_size.h"

#include <gtest/gtest.h>
#include <string>

#include "expr/binding.h"
#include "expr/parser.h"

namespace dolmen::expr {
namespace {

const Placeholders kSized{.names = {{"#long", "abcdefghij"}},
                          .values = {{":s", "x"},
                                     {":hundred", std::string(100, 'x')},
                                     {":n", 1},
                                     {":list", List{"0123456789"}},
                                     {":map", Item{{"a", std::string(100, 'x')}}},
                                     {":set", StringSet{"12345", "1234567890"}}}};

std::size_t size_of(std::string_view text) {
  Binder binder(kSized);
  return statement_size(binder.update(parse_update(text).value()).value());
}

// The figures are those that AWS was seen to count; 3 is the cost of every statement.

TEST(StatementSize, counts_each_clause_its_target_and_what_it_writes) {
  EXPECT_EQ(size_of("SET b = :s"), 3U + 19 + 1 + 1);
  EXPECT_EQ(size_of("SET b = :s, c = :hundred"), 3U + 2 * (19 + 1) + 1 + 100);
  EXPECT_EQ(size_of("SET #long = :s"), 3U + 19 + 10 + 1);
  EXPECT_EQ(size_of("ADD b :n"), 3U + 19 + 1 + 2);
  EXPECT_EQ(size_of("ADD b :set"), 3U + 19 + 1 + 15);
}

TEST(StatementSize, counts_of_a_removal_only_its_target) {
  EXPECT_EQ(size_of("REMOVE r"), 3U + 1 + 1);
  EXPECT_EQ(size_of("REMOVE m.#long"), 3U + 1 + 1 + 4 + 10);
  EXPECT_EQ(size_of("REMOVE #long[1], l[10]"), 3U + (1 + 10 + 4 + 1) + (1 + 1 + 4 + 2));
  EXPECT_EQ(size_of("DELETE #long :set"), 3U + 1 + 10);
}

TEST(StatementSize, counts_the_steps_of_a_target_into_a_document) {
  // As much as the whole map with the name in it, and one byte more than the whole list.
  EXPECT_EQ(size_of("SET d.leaf = :hundred"), 3U + 19 + 1 + (4 + 4) + 100);
  EXPECT_EQ(size_of("SET d[0] = :s"), 3U + 19 + 1 + (4 + 1) + 1);
}

TEST(StatementSize, counts_the_path_of_an_operand_and_not_what_it_reads) {
  EXPECT_EQ(size_of("SET c = #long"), 3U + 19 + 1 + (1 + 14 + 10));
  EXPECT_EQ(size_of("SET c = m.a.z"), 3U + 19 + 1 + (1 + 3 * (14 + 1)));
  EXPECT_EQ(size_of("SET c = l[10]"), 3U + 19 + 1 + (1 + (14 + 1) + (14 + 2)));
}

TEST(StatementSize, counts_operators_and_functions_with_all_their_operands) {
  EXPECT_EQ(size_of("SET n = n + :n"), 3U + 19 + 1 + 34 + (1 + 14 + 1) + 2);
  EXPECT_EQ(size_of("SET n = n - :n"), 3U + 19 + 1 + 37 + (1 + 14 + 1) + 2);
  EXPECT_EQ(size_of("SET c = if_not_exists(c, :map)"), 3U + 19 + 1 + 39 + (1 + 14 + 1) + (3 + 1 + 1 + 100));
  EXPECT_EQ(size_of("SET l = list_append(:list, l)"), 3U + 19 + 1 + 37 + (3 + 1 + 10) + (1 + 14 + 1));
  EXPECT_EQ(size_of("SET n = if_not_exists(n, :n) + :n"), 3U + 19 + 1 + 34 + (39 + (1 + 14 + 1) + 2) + 2);
}

}  // namespace
}  // namespace dolmen::expr

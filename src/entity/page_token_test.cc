#include "entity/page_token.h"

#include <bit>
#include <gtest/gtest.h>

#include "base/test_result.h"
#include "entity/lz_string.h"
#include "entity/refusal.h"
#include "entity/test_configs.h"

namespace dolmen::entity {
namespace {

/// Compressed: x as often as 1 + 2 + 3 + … + `phrases`, since each phrase is the one before it and a unit more.
std::string compressed_phrases(std::uint32_t phrases) {
  static constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-";
  std::vector<bool> bits;
  const auto write = [&](std::uint32_t value, int count) {
    for (int i = 0; i < count; ++i) bits.push_back((value >> static_cast<unsigned>(i) & 1U) != 0);
  };
  write(0, 2);
  write('x', 8);
  std::uint32_t code = 4;
  for (; code < phrases + 3; ++code) write(code, std::bit_width(code));
  write(2, std::bit_width(code));
  bits.resize((bits.size() / 6 + 1) * 6);
  std::string text;
  for (std::size_t i = 0; i < bits.size(); i += 6) {
    std::size_t character = 0;
    for (std::size_t k = 0; k < 6; ++k) character = character * 2 + (bits[i + k] ? 1 : 0);
    text += kAlphabet[character];
  }
  return text;
}

TEST(PageTokens, that_stand_for_more_than_the_limit_are_refused) {
  ASSERT_EQ(compressed_phrases(40), lz_compress(std::string(820, 'x')));
  std::uint32_t phrases = 1;
  std::size_t units = 1;
  while (units + phrases + 1 <= kLzTextUnitsMax) units += ++phrases;
  EXPECT_EQ(lz_decompress(compressed_phrases(phrases)).value().text.size(), units);
  const std::string token = compressed_phrases(phrases + 1);
  EXPECT_LT(token.size(), 20'000U);
  EXPECT_THAT(lz_decompress(token), fails_with(Code::kLimitExceeded));
  const Error error = read_page_token(token).error();
  EXPECT_EQ(error.code(), Code::kInvalidPageToken);
  EXPECT_EQ(error.message(), "invalid page key map");
  EXPECT_EQ(error.details().at(0).message, "a text of more than 16777216 units was compressed");
}

TEST(PageTokens, of_more_texts_than_the_limit_are_refused) {
  std::vector<std::string> texts(kPageTokenTextsMax);
  EXPECT_EQ(read_page_token(write_page_token(texts)).value().size(), kPageTokenTextsMax);
  texts.emplace_back();
  EXPECT_THAT(read_page_token(write_page_token(texts)), fails_with(Code::kInvalidPageToken));
}

TEST(PageTokens, that_could_not_be_read_back_are_not_written_for_queries) {
  const std::vector<std::string> places = {"a|b", ""};
  EXPECT_EQ(write_query_token(places).value(), write_page_token(places));
  EXPECT_THAT(write_query_token(std::vector<std::string>(kPageTokenTextsMax + 1)), fails_with(Code::kLimitExceeded));
  EXPECT_THAT(write_query_token({std::string(kLzTextUnitsMax, 'x')}), fails_with(Code::kLimitExceeded));
  const std::vector<std::string> longest = {std::string(kLzTextUnitsMax - std::string_view(R"([""])").size(), 'x')};
  EXPECT_EQ(read_page_token(write_query_token(longest).value()).value(), longest);
}

TEST(PageTokens, of_any_length_make_short_errors) {
  const EntityManager entities = EntityManager::make(users_and_emails()).value();
  std::string place = "a";
  for (int i = 0; i < 1000; ++i) place += "é";
  for (const Error& error :
       {entities.rehydrate_index_item("user", "created", place).error(), read_page_token(place).error()}) {
    EXPECT_EQ(error.code(), Code::kInvalidPageToken);
    // A character is not cut in two.
    EXPECT_EQ(error.details().at(0).path, place.substr(0, kSubjectBytesMax - 1));
    EXPECT_LT(error.details().at(0).message.size(), 100U);
  }
}

}  // namespace
}  // namespace dolmen::entity

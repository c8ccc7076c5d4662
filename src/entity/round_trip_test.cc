#include <gtest/gtest.h>
#include <random>

#include "base/test_result.h"
#include "base/test_seed.h"
#include "entity/lz_string.h"
#include "entity/page_token.h"
#include "entity/test_configs.h"
#include "entity/utf16.h"

namespace dolmen::entity {
namespace {

/// Any text, with characters of one to four bytes and now and then half of a pair.
std::string random_text(std::mt19937_64& random, std::size_t most) {
  std::u16string units;
  const std::size_t size = random() % (most + 1);
  for (std::size_t i = 0; i < size; ++i) {
    switch (random() % 6) {
      case 0: units += static_cast<char16_t>(random() % 0x10000); break;
      case 1:
        units += {static_cast<char16_t>(0xD800 + random() % 0x400), static_cast<char16_t>(0xDC00 + random() % 0x400)};
        break;
      case 2: units += static_cast<char16_t>(random() % 0x20); break;
      default: units += static_cast<char16_t>('a' + random() % 4); break;
    }
  }
  return text_of_units(units);
}

TEST(RoundTrip, decompresses_whatever_was_compressed) {
  std::mt19937_64 random(test_seed("lz round trip"));
  for (int i = 0; i < 2000; ++i) {
    const std::string text = random_text(random, i % 50 == 0 ? 5000 : 60);
    const Result<LzText> again = lz_decompress(lz_compress(text));
    ASSERT_THAT(again, succeeds());
    ASSERT_EQ(again->text, text);
    ASSERT_EQ(again->end, LzEnd::kComplete);
  }
}

TEST(RoundTrip, reads_the_token_of_any_list_of_texts) {
  std::mt19937_64 random(test_seed("token round trip"));
  for (int i = 0; i < 1000; ++i) {
    std::vector<std::string> texts(random() % 8);
    for (std::string& text : texts) text = random_text(random, 12);
    ASSERT_EQ(read_page_token(write_page_token(texts)).value(), texts);
  }
}

TEST(RoundTrip, never_crashes_on_a_damaged_token) {
  std::mt19937_64 random(test_seed("damaged tokens"));
  const std::string token = write_page_token({"0000000000010|7-9", "", "0000000000011|8-1", "x"});
  for (int i = 0; i < 20'000; ++i) {
    std::string damaged = token;
    for (std::uint64_t k = random() % 4; k < 4; ++k) damaged[random() % damaged.size()] = static_cast<char>(random());
    if (random() % 3 == 0) damaged.resize(random() % damaged.size());
    const auto result = read_page_token(damaged);
    if (!result) {
      ASSERT_THAT(result, fails_with(Code::kInvalidPageToken));
    }
  }
}

TEST(RoundTrip, gives_back_the_elements_of_every_key_that_strict_mode_lets_through) {
  std::mt19937_64 random(test_seed("strict keys"));
  const EntityManager entities = EntityManager::make(users_and_emails()).value();
  int accepted = 0;
  for (int i = 0; i < 3000; ++i) {
    const auto short_text = [&] {
      static constexpr std::string_view kCharacters = "ab|#!é日 ";
      std::string text;
      for (std::uint64_t k = random() % 5; k > 0; --k)
        text += text_of_units(utf16_units(kCharacters).substr(random() % 8, 1));
      return text;
    };
    const Item item{{"userId", short_text()},
                    {"created", static_cast<std::int64_t>(random() % 3000)},
                    {"lastName", short_text()},
                    {"firstName", short_text()},
                    {"score", static_cast<std::int64_t>(random() % 2000) - 1000}};
    const Result<Item> record = entities.add_keys("user", item);
    if (!record) continue;
    ++accepted;
    for (const char* key : {"sk", "userPK", "lastNameRK", "scoreRK"}) {
      const Item decoded = entities.decode_generated_property(record->at(key).string()).value();
      for (const auto& [name, value] : decoded) EXPECT_EQ(value, record->at(name)) << key << " " << name;
    }
    for (const char* index : {"created", "lastName", "score"}) {
      const std::string place = entities.dehydrate_index_item("user", index, *record).value();
      const Item again = entities.rehydrate_index_item("user", index, place).value();
      for (const auto& [name, value] : again) EXPECT_EQ(value, record->at(name)) << index << " " << name;
    }
  }
  EXPECT_GT(accepted, 100);
}

}  // namespace
}  // namespace dolmen::entity
